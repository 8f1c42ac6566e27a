"""Battles seen again, event by event, and battles in which one die had fallen otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

from d20kit.battle.arena import Fighter
from d20kit.battle.events import Event, HitPointChange, NoLongerFlatFooted, StabiliseRoll
from d20kit.battle.faces import ChangedDice, check_seed
from d20kit.battle.policies import Standing
from d20kit.battle.validate import number
from d20kit.check import refuse
from d20kit.hit_points import State
from d20kit.language import _

if TYPE_CHECKING:
    from d20kit.battle.battle import Battle


class Moment(NamedTuple):
    """One event of a battle, its place among the events, and how everybody stands after it."""

    place: int
    event: Event
    standings: tuple[Standing, ...]


def moments(battle: Battle) -> Iterator[Moment]:
    """Yield the battle moment by moment."""
    encounter = battle.encounter
    standings = {one.name: Fighter(one, encounter.rules).standing() for one in encounter.combatants}
    for index, event in enumerate(battle.events):
        changed = _after(event, standings)
        if changed is not None:
            standings[changed.name] = changed
        yield Moment(index, event, tuple(standings.values()))


def _after(event: Event, standings: dict[str, Standing]) -> Standing | None:
    if isinstance(event, HitPointChange):
        return standings[event.name]._replace(hp=event.after, state=event.state)
    if isinstance(event, NoLongerFlatFooted):
        return standings[event.name]._replace(flat_footed=False)
    if isinstance(event, StabiliseRoll) and event.stable:
        return standings[event.name]._replace(state=State.STABLE)
    return None


def branch(battle: Battle, index: int, face: int | tuple[int, ...] | None, seed: int | None) -> Battle:
    """Fight the battle again, with other dice from one of its events on; see :meth:`Battle.branch`."""
    index = number("index", index, 0, len(battle.events) - 1, _("it counts battle.events from 0"))
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
        raise refuse("face", face, _("given, or else a seed: otherwise nothing would be different"), _SHOWN)
    else:
        changes = dict(battle.changed) | changes
        seed = battle.seed
    other = battle.encounter.fight(dice=ChangedDice(seed, changes, battle.choices))
    if other.events[:index] != battle.events[:index]:
        raise ValueError(
            _("the battle came out differently before event {index}, so a policy does not repeat itself").format(
                index=index
            )
        )
    return replace(other, seed=seed, changed=tuple(sorted(changes.items())))


_SHOWN = "branch(k, face=20)"


def _faces(event: Event, face: Any) -> tuple[int, ...]:
    """Accept as many faces as the event has dice."""
    if face is None:
        return ()
    faces = tuple(face) if isinstance(face, (tuple, list)) else (face,)
    count = len(event.dice())
    if not count:
        allowed = _("left out: {kind} rolls no die").format(kind=repr(event.kind))
        raise refuse("face", face, allowed, _("choose an event whose dice() are not empty"))
    if len(faces) != count:
        shown = ", ".join(map(str, event.dice()))
        raise refuse("face", face, _("{count} faces, in place of {shown}").format(count=count, shown=shown))
    return faces
