"""The order of a battle as it is rolled at the table: ties, rerolls, late rollers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from d20kit.check import FACES, called, mapping, members, one_modifier, one_whole, refuse, shown
from d20kit.language import _
from d20kit.rulesets import COURSE, Ruleset, check_rules

# More ties in a row than this do not happen with a die that can show two faces.
MAX_REROLLS = 200
MAX_TOTAL = 10_000
# More names than this are not spelled out in a refusal.
_NAMED = 5

Faces = dict[str, tuple[int, ...]]


@dataclass(frozen=True)
class Reroll:
    """One tie and the faces that the tied combatants rolled for it, in the order they stood in.

    >>> dice = iter([12, 12, 3, 17])
    >>> roll_order({"wolf": 1, "orc": 1}, lambda: next(dice)).rerolls
    (Reroll(names=('wolf', 'orc'), faces=(3, 17)),)
    """

    names: tuple[str, ...]
    faces: tuple[int, ...]


@dataclass(frozen=True)
class Order:
    """Who acts when, and every roll that decided it.

    ``order`` holds the names, first to act first; ``faces`` all rolls of each combatant, first roll first;
    ``rerolls`` the ties of this call, in the order they were rolled.

    >>> dice = iter([12, 12, 3, 17])
    >>> rolled = roll_order({"wolf": 1, "orc": 1}, lambda: next(dice))
    >>> rolled.order, rolled.faces
    (('orc', 'wolf'), {'wolf': (12, 3), 'orc': (12, 17)})
    """

    order: tuple[str, ...]
    faces: Faces
    rerolls: tuple[Reroll, ...]


def check_modifiers(modifiers: Mapping[str, int] | Sequence[int]) -> dict[Any, int]:
    """Accept modifiers by name, or a plain sequence, whose names are then 0, 1, 2, ...

    >>> check_modifiers([3, 1])
    {0: 3, 1: 1}
    """
    allowed, fix = _("a list of modifiers, or a mapping of names to them"), 'modifiers={"wolf": 2, "orc": 0}'
    if isinstance(modifiers, Mapping):
        named = mapping("modifiers", modifiers, allowed, fix)
    else:
        named = dict(enumerate(members("modifiers", modifiers, allowed, fix)))
    return {name: one_modifier(f"modifiers[{shown(name)}]", value) for name, value in named.items()}


def _first_key(total: int, bonus: int, rules: Ruleset) -> tuple[int, ...]:
    """What is compared before anybody rolls again."""
    return (total, bonus) if rules.initiative_ties == "modifier" else (total,)


def tie_groups(totals: Mapping[str, int], modifiers: Mapping[str, int], *, rules: Ruleset = COURSE) -> list[list[str]]:
    """Return the combatants in order, highest first, those who must roll again together in one group.

    Parameters
    ----------
    totals : mapping of str to int
        d20 + modifier of each combatant.
    modifiers : mapping of str to int
        Their initiative modifiers.
    rules : Ruleset
        With ``initiative_ties="modifier"`` equal totals are first told apart by the higher modifier.

    Examples
    --------
    >>> from d20kit.initiative import tie_groups
    >>> tie_groups({"A": 18, "B": 15, "C": 18}, {"A": 0, "B": 2, "C": 0})
    [['A', 'C'], ['B']]
    """
    check_rules(rules)
    known = check_modifiers(modifiers)
    allowed, fix = _("a mapping of names to totals"), 'totals={"wolf": 17, "orc": 9}'
    rolled = {
        name: one_whole(f"totals[{shown(name)}]", total, -MAX_TOTAL, MAX_TOTAL)
        for name, total in mapping("totals", totals, allowed, fix).items()
    }
    missing = [name for name in rolled if name not in known]
    if missing:
        raise refuse("modifiers", modifiers, _("a mapping that holds {name!r}").format(name=missing[0]))

    def key(name: str) -> tuple[int, ...]:
        return _first_key(rolled[name], known[name], rules)

    ranked = sorted(rolled, key=key, reverse=True)
    return [list(group) for _key, group in groupby(ranked, key)]


def roll_order(
    modifiers: Mapping[str, int],
    roll: Callable[[], int],
    *,
    faces: Mapping[str, int | Sequence[int]] | None = None,
    rules: Ruleset = COURSE,
) -> Order:
    """Roll initiative, and again among those who are tied, until everybody has a place.

    Tied combatants keep their place against the rest: what is compared are whole sequences of rolls, first roll
    first. Somebody who rolls late (after the surprise round) is therefore merged by giving the earlier faces.

    Parameters
    ----------
    modifiers : mapping of str to int
        Initiative modifiers by name, of everybody who takes part.
    roll : callable
        Rolls one d20 and returns its face; called first for each combatant without a roll, in the order given.
    faces : mapping of str to int or sequence of int, optional
        Faces rolled before, such as ``earlier.faces``; they are kept and only what is missing is rolled.
    rules : Ruleset
        ``initiative_ties`` decides how ties are broken.

    Returns
    -------
    Order

    Examples
    --------
    >>> from d20kit.initiative import roll_order
    >>> d20 = iter([10, 11, 3, 12, 13])
    >>> first = roll_order({"wolf": 2, "goblin": 1}, lambda: next(d20))
    >>> first.order, first.rerolls
    (('goblin', 'wolf'), (Reroll(names=('wolf', 'goblin'), faces=(3, 12)),))
    >>> roll_order({"wolf": 2, "goblin": 1, "orc": 0}, lambda: next(d20), faces=first.faces).order
    ('orc', 'goblin', 'wolf')
    """
    check_rules(rules)
    bonuses = check_modifiers(modifiers)
    called("roll", roll, _("a function that rolls a d20"), "roll=lambda: 12")
    allowed, fix = _("a mapping of names to faces"), 'faces={"wolf": 12}'
    earlier = {} if faces is None else mapping("faces", faces, allowed, fix)
    rolled = {name: _faces(name, earlier.get(name, ())) for name in bonuses}
    for name in bonuses:
        if not rolled[name]:
            rolled[name] = [_face(name, roll())]
    rerolls: list[Reroll] = []
    totals = {name: rolled[name][0] + bonus for name, bonus in bonuses.items()}
    order = [
        name
        for group in tie_groups(totals, bonuses, rules=rules)
        for name in _settle(group, 1, bonuses, rolled, roll, rerolls)
    ]
    return Order(tuple(order), {name: tuple(sequence) for name, sequence in rolled.items()}, tuple(rerolls))


def _few(names: list[Any]) -> str:
    """Write names, the first of many."""
    return ", ".join(map(str, names[:_NAMED])) + (", ..." if len(names) > _NAMED else "")


def _settle(
    group: list[str],
    depth: int,
    bonuses: dict[str, int],
    rolled: dict[str, list[int]],
    roll: Callable[[], int],
    rerolls: list[Reroll],
) -> list[str]:
    """Order a tied group by its rolls from ``depth`` on, rolling what is missing."""
    settled: list[str] = []
    waiting = [(group, depth)]
    while waiting:
        tied, depth = waiting.pop()
        if len(tied) == 1:
            settled += tied
            continue
        if depth > MAX_REROLLS:
            raise refuse("roll", roll, _("a function that rolls a d20: {names} stay tied").format(names=_few(tied)))
        fresh = [name for name in tied if len(rolled[name]) <= depth]
        for name in fresh:
            rolled[name].append(_face(name, roll()))
        if fresh:
            rerolls.append(Reroll(tuple(fresh), tuple(rolled[name][depth] for name in fresh)))

        def total(name: str, depth: int = depth) -> int:
            return rolled[name][depth] + bonuses[name]

        ranked = sorted(tied, key=total)  # lowest first: the last group pushed is settled first
        waiting += [(list(part), depth + 1) for _total, part in groupby(ranked, total)]
    return settled


def _face(name: str, face: int) -> int:
    return one_whole(f"face of {name}", face, 1, FACES, _("roll() must return the face of a d20"))


def _faces(name: str, given: int | Sequence[int]) -> list[int]:
    if not isinstance(given, Iterable):
        return [_face(name, given)]
    many = members(f"faces[{shown(name)}]", given, _("a face of a d20, or a list of them"), most=MAX_REROLLS)
    return [_face(name, face) for face in many]
