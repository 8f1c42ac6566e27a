"""Events that somebody gives, told again: whatever is not the beginning of a battle of its encounter is refused.

The events hold the face of every die. Dice that show these faces tell the same battle again, so comparing event by
event finds whatever was invented, left out, turned round or taken from another battle, before anything is made of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from d20kit.battle.engine import tell
from d20kit.battle.events import Event
from d20kit.battle.faces import SeededDice
from d20kit.battle.replay import Standings
from d20kit.check import members, refuse
from d20kit.language import _

if TYPE_CHECKING:
    from d20kit.battle.encounter import Encounter

# More than the longest battle tells.
_MOST_EVENTS = 10_000_000
_FIX = "given=battle.events[:k]"


def check_events(encounter: Encounter, given: Iterable[Event]) -> tuple[Event, ...]:
    """Accept the beginning of a battle of an encounter.

    Raises
    ------
    ValueError
        If something else is among the events, or no dice of this encounter tell them.

    Examples
    --------
    >>> from d20kit.battle import Encounter
    >>> duel = Encounter.ready("duel")
    >>> battle = duel.fight(1)
    >>> check_events(duel, battle.events[:3]) == battle.events[:3]
    True
    >>> check_events(duel, battle.events[2:3])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ValueError: given[0] is SurpriseRoundSkipped(anybody_aware=True), but must be what happens then in a battle of ...
    """
    events = tuple(members("given", given, _("events of a battle"), _FIX, _MOST_EVENTS))
    for event in events:
        if not isinstance(event, Event):
            raise refuse("given", event, _("events of a battle"), _FIX)
    if events:
        _Follower(encounter, events).follow()
    return events


class _ToldError(Exception):
    """Everything has been told again."""


class _Follower:
    """Dice that show the faces of some events, as long as the battle they tell is that of the events."""

    def __init__(self, encounter: Encounter, events: tuple[Event, ...]) -> None:
        self.encounter, self.events = encounter, events
        self._standings = Standings(encounter)
        self._faces = (face for event in events for face in event.dice())
        self._others = SeededDice(0)
        self._told = 0

    def follow(self) -> None:
        try:
            tell(self.encounter.combatants, self.encounter.rules, self, self._hear)
        except _ToldError:
            return
        except Exception:  # events made by hand may hold anything at all
            pass
        position = min(self._told, len(self.events) - 1)
        allowed = _("what happens then in a battle of this encounter")
        raise refuse(f"given[{position}]", self.events[position], allowed, _FIX)

    def _hear(self, event: Event) -> None:
        if event != self.events[self._told]:
            raise LookupError
        self._standings.hear(event)
        self._told += 1
        if self._told == len(self.events):
            raise _ToldError

    def die(self, sides: int) -> int:
        """Show the next face; initiative rolls dice ahead, which may not have been told of yet and do not matter."""
        face = next(self._faces, None)
        return self._others.die(sides) if face is None else face

    def choose(self, count: int) -> int:
        """Choose the enemy whom the next event says was attacked."""
        attack: Any = self.events[self._told]
        return [one.name for one in self._standings.able_enemies(attack.attacker)].index(attack.target)
