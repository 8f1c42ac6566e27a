"""What every event of a battle can do: say itself in a sentence, name its dice, become a record."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from enum import Enum
from typing import Any, ClassVar


@dataclass(frozen=True, slots=True)
class Event(ABC):
    """Something that happened; ``kind`` names it in records.

    >>> from d20kit.battle.events import InitiativeRoll
    >>> roll = InitiativeRoll("Ann", 14, 2)
    >>> isinstance(roll, Event), roll.dice()
    (True, (14,))
    >>> roll.record()
    {'event': 'initiative roll', 'name': 'Ann', 'face': 14, 'modifier': 2, 'total': 16}
    """

    kind: ClassVar[str]

    @abstractmethod
    def sentence(self) -> str:
        """Say what happened, with the rule that decided it, in the language in use."""

    def dice(self) -> tuple[int, ...]:
        """Return the faces of the dice it tells, in the order they were rolled; all together tell the battle again."""
        return (self.face,) if hasattr(self, "face") else ()

    def record(self) -> dict[str, Any]:
        """Return the event as a dictionary of plain values, ready for JSON."""
        told = {item.name: _plain(getattr(self, item.name)) for item in fields(self)}
        return {"event": self.kind} | told | ({"total": self.total} if hasattr(self, "total") else {})


def _plain(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.name.lower()
    return [_plain(item) for item in value] if isinstance(value, tuple) else value
