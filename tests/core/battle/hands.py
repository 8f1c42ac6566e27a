"""What the fixtures of these tests hand over (see conftest.py)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from d20kit.battle import Battle, Combatant

Warrior = Callable[..., Combatant]
Scripted = Callable[..., Battle]
Happened = Callable[[Battle, str], list[Any]]


def place_of(battle: Battle, kind: str) -> int:
    """Return the place of the first event of a kind."""
    return next(place for place, event in enumerate(battle.events) if event.kind == kind)


def fields_of(battle: Battle) -> tuple[Any, ...]:
    """The events of a battle for whoever reads their fields, which differ from kind to kind."""
    return battle.events
