"""Rolling initiative in a battle: those who have no roll yet, and whoever is tied."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from d20kit.battle.arena import Arena, Fighter
from d20kit.battle.events import InitiativeOrder, InitiativeRoll, TieReroll
from d20kit.initiative import Order, roll_order, tie_groups
from d20kit.language import N_


def roll_initiative(arena: Arena, fighters: Sequence[Fighter]) -> list[Fighter]:
    """Give each of these fighters a place, keeping earlier rolls, and tell what was rolled.

    >>> from d20kit import COURSE
    >>> from d20kit.battle import Combatant, ScriptedDice
    >>> ann, bob = (Combatant(name, name, 5, 12, ()) for name in ("Ann", "Bob"))
    >>> arena = Arena([ann, bob], COURSE, ScriptedDice([12, 12, 3, 17]))
    >>> [fighter.name for fighter in roll_initiative(arena, arena.fighters)]
    ['Bob', 'Ann']
    >>> arena.events[2].sentence()
    'Ann, tied with Bob, rolls again: d20 3 + 0 = 3'
    """
    by_name = {fighter.name: fighter for fighter in fighters}
    modifiers = {fighter.name: fighter.combatant.initiative for fighter in fighters}
    before = {fighter.name: fighter.initiative for fighter in fighters if fighter.initiative}
    rolled = roll_order(
        modifiers, _d20(arena, [name for name in by_name if name not in before]), faces=before, rules=arena.rules
    )
    for name in by_name:
        if name not in before:
            arena.tell(InitiativeRoll(name, rolled.faces[name][0], modifiers[name]))
    _tell_rerolls(arena, rolled, modifiers, {name: max(1, len(faces)) for name, faces in before.items()})
    arena.tell(InitiativeOrder(rolled.order))
    for name, fighter in by_name.items():
        fighter.initiative = rolled.faces[name]
    return [by_name[name] for name in rolled.order]


def _d20(arena: Arena, waiting: Sequence[str]) -> Callable[[], int]:
    """Return what rolls initiative: first for each who waits for a roll, then for the tied."""
    names = iter(waiting)

    def roll() -> int:
        name = next(names, None)
        if name is None:
            return arena.d20(N_("initiative again, for the tied in the order of the list"))
        return arena.d20(N_("initiative of {name}"), name=name)

    return roll


def _tell_rerolls(arena: Arena, rolled: Order, modifiers: dict[str, int], depths: dict[str, int]) -> None:
    firsts = {name: faces[0] + modifiers[name] for name, faces in rolled.faces.items()}
    groups = tie_groups(firsts, modifiers, rules=arena.rules)
    for reroll in rolled.rerolls:
        for name, face in zip(reroll.names, reroll.faces, strict=True):
            depth = depths.get(name, 1)
            depths[name] = depth + 1
            group = next(group for group in groups if name in group)
            others = tuple(
                other
                for other in group
                if other != name and _totals(rolled, modifiers, other, depth) == _totals(rolled, modifiers, name, depth)
            )
            arena.tell(TieReroll(name, face, modifiers[name], others))


def _totals(rolled: Order, modifiers: dict[str, int], name: str, depth: int) -> list[int]:
    return [face + modifiers[name] for face in rolled.faces[name][:depth]]
