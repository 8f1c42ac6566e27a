"""Battles solved the slow way: the engine's own turns for every face of every die, and one big linear system."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache, partial
from itertools import permutations
from typing import Any

from flint import fmpq, fmpq_mat

from d20kit.battle import Encounter
from d20kit.battle.arena import Arena
from d20kit.battle.faces import Recorder
from d20kit.battle.turn import take_turn
from d20kit.hit_points import State
from d20kit.initiative import order_chances, surprise_round


class _NextDieError(Exception):
    """The script of faces has run out before a die of so many sides."""


class _Script:
    def __init__(self, faces: tuple[int, ...]) -> None:
        self.faces, self.next = faces, 0

    def die(self, sides: int) -> int:
        if self.next == len(self.faces):
            raise _NextDieError(sides)
        self.next += 1
        return self.faces[self.next - 1]


def every_way(play: Callable[[Any], Any]) -> Iterator[tuple[Fraction, Any]]:
    """Yield the chance and the result of every way that dice can fall in a function of dice."""
    waiting: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    while waiting:
        faces, chance = waiting.pop()
        try:
            result = play(_Script(faces))
        except _NextDieError as more:
            (sides,) = more.args
            waiting += [((*faces, face), chance / sides) for face in range(1, sides + 1)]
        else:
            yield chance, result


def _turn(encounter: Encounter, standing: tuple[Any, ...], who: int, first_only: bool) -> dict[Any, Fraction]:
    """Return the chances of what a turn makes of a standing: hit points, state, flat-footed of each."""

    # To make the fighters takes as long as all that they do in a turn.
    arena = Arena(encounter.combatants, encounter.rules, _Script(()))

    def play(dice: Any) -> Any:
        arena.dice, arena.events, arena.winner = Recorder(dice), [], None
        for fighter, (hp, state, flat_footed) in zip(arena.fighters, standing, strict=True):
            fighter.hp, fighter.state, fighter.flat_footed = hp, state, flat_footed
        take_turn(arena, arena.fighters[who], first_only)
        return arena.winner, tuple((one.hp, one.state, one.flat_footed) for one in arena.fighters)

    chances: dict[Any, Fraction] = {}
    for chance, result in every_way(play):
        chances[result] = chances.get(result, 0) + chance
    return chances


def _of_order(
    encounter: Encounter,
    order: tuple[int, ...],
    ends: list[Callable[..., bool]],
    turn: Callable[..., dict[Any, Fraction]],
) -> list[Fraction]:
    """Return the chance of each end, for one order of initiative."""
    plan = surprise_round({one.name: one.aware for one in encounter.combatants}, rules=encounter.rules)
    acting = [who for who in order if encounter.combatants[who].name in plan.acting]
    turns = [(who, True) for who in acting] + [(who, False) for who in order]
    arena = Arena(encounter.combatants, encounter.rules, _Script(()))
    start = (0, tuple((one.hp, one.state, True) for one in arena.fighters))
    rows: dict[Any, dict[Any, Fraction]] = {}
    waiting = [start]
    while waiting:
        place, standing = here = waiting.pop()
        if here in rows:
            continue
        rows[here] = {}
        then = place + 1 if place + 1 < len(turns) else len(acting)
        for (winner, after), chance in turn(standing, *turns[place]).items():
            to = (then, after) if winner is None else (winner, after)
            rows[here][to] = rows[here].get(to, 0) + chance
            if winner is None:
                waiting.append(to)
    index = {state: i for i, state in enumerate(rows)}
    system, target = fmpq_mat(len(rows), len(rows)), fmpq_mat(len(rows), len(ends))
    for state, i in index.items():
        system[i, i] += 1
        for to, chance in rows[state].items():
            exact = fmpq(chance.numerator, chance.denominator)
            if to in index:
                system[i, index[to]] -= exact
            else:
                for j, matches in enumerate(ends):
                    target[i, j] += exact * matches(*to)
    solved = system.solve(target)
    row = index[start]
    return [Fraction(int(solved[row, j].p), int(solved[row, j].q)) for j in range(len(ends))]


def solve(encounter: Encounter) -> tuple[dict[str, Fraction], dict[str, dict[State, Fraction]]]:
    """Return each side's chance to win, and each combatant's to end in each state."""
    wins = [lambda winner, _after, side=side: winner == side for side in encounter.sides]
    fates = [
        lambda _winner, after, who=who, state=state: after[who][1] is state
        for who in range(len(encounter.combatants))
        for state in State
    ]
    everybody = range(len(encounter.combatants))
    chances = order_chances([one.initiative for one in encounter.combatants], rules=encounter.rules)
    turn = cache(partial(_turn, encounter))
    totals = [Fraction(0)] * (len(wins) + len(fates))
    for order in permutations(everybody):
        if chances[order]:
            solved = _of_order(encounter, order, wins + fates, turn)
            totals = [total + chances[order] * part for total, part in zip(totals, solved, strict=True)]
    rest = iter(totals[len(wins) :])
    names = [one.name for one in encounter.combatants]
    by_name = {name: {state: next(rest) for state in State} for name in names}
    return dict(zip(encounter.sides, totals, strict=False)), by_name
