"""Battles seen again, event by event, and battles in which one die had fallen otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

from d20kit.battle.arena import Fighter
from d20kit.battle.events import Event, HitPointChange, NoLongerFlatFooted, StabiliseRoll
from d20kit.battle.faces import ChangedDice, check_seed
from d20kit.battle.policies import Standing
from d20kit.check import bare, one_whole, refuse
from d20kit.hit_points import State
from d20kit.language import _, ngettext

if TYPE_CHECKING:
    from d20kit.battle.battle import Battle
    from d20kit.battle.encounter import Encounter


class Moment(NamedTuple):
    """One event of a battle, its place among the events, and how everybody stands after it.

    >>> from d20kit.battle import Encounter
    >>> moment = list(Encounter.ready("duel").fight(1).replay())[-1]
    >>> moment.event.kind, [standing.hp for standing in moment.standings]
    ('battle ends', [12, -11])
    """

    place: int
    event: Event
    standings: tuple[Standing, ...]


def moments(battle: Battle) -> Iterator[Moment]:
    """Yield the battle moment by moment.

    >>> from d20kit.battle import Encounter
    >>> battle = Encounter.ready("duel").fight(1)
    >>> wounds = [moment for moment in moments(battle) if moment.event.kind == "state change"]
    >>> [tuple(standing.hp for standing in moment.standings) for moment in wounds]
    [(12, 19), (12, 9), (12, 0), (12, -11)]
    """
    standings = Standings(battle.encounter)
    for index, event in enumerate(battle.events):
        standings.hear(event)
        yield Moment(index, event, standings.now())


class Standings:
    """How everybody stands, followed event by event.

    >>> from d20kit.battle import Encounter
    >>> standings = Standings(Encounter.ready("duel"))
    >>> [standing.hp for standing in standings.now()]
    [19, 19]
    """

    def __init__(self, encounter: Encounter) -> None:
        self._now = {one.name: Fighter(one, encounter.rules).standing() for one in encounter.combatants}

    def now(self) -> tuple[Standing, ...]:
        """Return the standings, in the order of the encounter's list."""
        return tuple(self._now.values())

    def able_enemies(self, name: str) -> list[Standing]:
        """Return whom somebody may attack, in list order."""
        side = self._now[name].side
        return [one for one in self._now.values() if one.state.can_act and one.side != side]

    def hear(self, event: Event) -> None:
        """Follow what an event changes."""
        if isinstance(event, HitPointChange):
            self._change(event.name, hp=event.after, state=event.state)
        elif isinstance(event, NoLongerFlatFooted):
            self._change(event.name, flat_footed=False)
        elif isinstance(event, StabiliseRoll) and event.stable:
            self._change(event.name, state=State.STABLE)

    def _change(self, name: str, **changes: Any) -> None:
        self._now[name] = self._now[name]._replace(**changes)


def branch(
    battle: Battle,
    index: int,
    face: int | tuple[int, ...] | None,
    seed: int | None,
    watch: Callable[[Event], object] | None = None,
) -> Battle:
    """Fight the battle again, with other dice from one of its events on; see :meth:`Battle.branch`.

    >>> from d20kit.battle import Encounter
    >>> battle = Encounter.ready("duel").fight(1)
    >>> index = next(k for k, event in enumerate(battle.events) if event.kind == "initiative roll")
    >>> battle.orders["regular"], branch(battle, index, 20, None).orders["regular"]
    (('Blue fighter', 'Red fighter'), ('Red fighter', 'Blue fighter'))
    """
    index = one_whole("index", index, 0, len(battle.events) - 1, _("it counts battle.events from 0"))
    event = battle.events[index]
    first = [0, *accumulate(len(told.dice()) for told in battle.events)][index]
    changes = dict(enumerate(_faces(event, face), start=first))
    if seed is not None:
        # another stream of dice: what came before has to be written down
        changes |= dict(enumerate(battle.faces[:first]))
        seed = check_seed(seed)
    elif battle.seed is None:
        raise refuse("seed", seed, _("given, since no seed rolled this battle's dice"), _("write branch(k, seed=1)"))
    elif face is None:
        allowed = _("given, or else a seed: otherwise nothing would be different")
        raise refuse("face", face, allowed, "branch(k, face=20)")
    else:
        changes = dict(battle.changed) | changes
        seed = battle.seed
    other = battle.encounter.fight(dice=ChangedDice(seed, changes, battle.choices), watch=watch)
    if other.events[:index] != battle.events[:index]:
        raise ValueError(
            _("the battle came out differently before event {index}, so a policy does not repeat itself").format(
                index=index
            )
        )
    return replace(other, seed=seed, changed=tuple(sorted(changes.items())))


def _faces(event: Event, face: Any) -> tuple[int, ...]:
    """Accept as many faces as the event has dice."""
    if face is None:
        return ()
    faces = tuple(bare(face)) if isinstance(face, (tuple, list)) else (face,)
    count = len(event.dice())
    if not count:
        allowed = _("left out: {kind} rolls no die").format(kind=repr(event.kind))
        raise refuse("face", face, allowed, _("choose an event whose dice() are not empty"))
    if len(faces) != count:
        shown = ", ".join(map(str, event.dice()))
        allowed = ngettext("{count} face, in place of {shown}", "{count} faces, in place of {shown}", count)
        raise refuse("face", face, allowed.format(count=count, shown=shown))
    return faces
