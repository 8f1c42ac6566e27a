"""Turns as steps between coded vectors, each worked out once for everything that looks alike to the one who acts.

A vector of margins is coded as one whole number, mixed radix, so that a blow is a difference of codes. A turn depends
only on what the actor sees: its enemies' margins, what acting would cost itself, and what the question looks at.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from functools import cache
from operator import add
from typing import Any, NamedTuple

from d20kit.battle.solve.roster import DEAD, STABLE, Vector
from d20kit.battle.solve.spread import Row, spread
from d20kit.battle.solve.turns import NOBODY, Over, Turns


class Group(NamedTuple):
    """Steps after which the same combatants have no turns any more: weights, and the same as floats.

    >>> Group(fallen=(1,), steps=[-3], weights=[11], chances=[11 / 20]).weights
    [11]
    """

    fallen: tuple[int, ...]
    steps: list[int]
    weights: list[int]
    chances: list[float]


class Outcomes(NamedTuple):
    """What a turn leads to, no change included: answers and steps with weights, or with chances.

    >>> Outcomes(answers=[("red", 1)], steps=[(0, 1)]).answers
    [('red', 1)]
    """

    answers: list[tuple[Any, Any]]
    steps: list[tuple[int, Any]]


class Move(NamedTuple):
    """All that a turn can do: the total of the weights, that of no change, ends of the battle, steps.

    ``times`` brings the weights to the total that all turns of this kind share. ``weighed`` and ``floating`` are the
    same outcomes in one list.

    >>> from d20kit.battle import Attack, Combatant, Encounter
    >>> from d20kit.battle.solve.roster import Roster
    >>> from d20kit.battle.solve.turns import Winner
    >>> ann, bob = (Combatant(name, name, 1, 11, Attack("dagger", 0, "1d4+1")) for name in ("Ann", "Bob"))
    >>> moves = Moves(Turns(Roster(Encounter([ann, bob])), Winner()))
    >>> move = moves.move(0, moves.code(moves.roster.start))
    >>> move.stay, move.answers, move.total  # every second attack hits, and every hit decides
    (1, [('Ann', 1)], 2)
    """

    total: int
    times: int
    stay: int
    answers: list[tuple[Any, int]]
    groups: list[Group]
    weighed: Outcomes
    floating: Outcomes


class Lanes(NamedTuple):
    """Several histories of one battle side by side: where each has led.

    ``going`` holds, for each coded vector in which the battle goes on, a weight for each lane, ``over`` the same for
    each answer where it is over; all weights are of one total. Floats are of the total 1 and count their roundings.

    >>> lanes = Lanes(going={7: [1, 3]}, over={"red": [3, 1]}, total=4)  # red has won the first with chance 3/4
    >>> [sum(weights) for weights in zip(*lanes.going.values(), *lanes.over.values(), strict=True)]
    [4, 4]
    """

    going: dict[int, list[Any]]
    over: dict[Any, list[Any]]
    total: Any
    roundings: int = 0


class Moves:
    """The turns of an encounter whose question is fixed.

    >>> from d20kit.battle import Encounter
    >>> from d20kit.battle.solve.roster import Roster
    >>> from d20kit.battle.solve.turns import Winner
    >>> moves = Moves(Turns(Roster(Encounter.ready("duel")), Winner()))
    >>> start = moves.roster.start
    >>> start, moves.vector(moves.code(start)) == start
    ((22, 22), True)
    """

    def __init__(self, turns: Turns) -> None:
        self.turns, self.roster = turns, turns.roster
        self._radix = [max(margin, 0) - DEAD + 1 for margin in self.roster.start]
        self._strides = [math.prod(self._radix[:place]) for place in range(len(self._radix))]
        self.vector = cache(self._vector)
        self._tables: dict[Hashable, dict[int, Move]] = {}
        self._known: dict[Hashable, Move] = {}

    def code(self, now: Vector) -> int:
        """Return the code of a vector."""
        return sum((margin - DEAD) * stride for margin, stride in zip(now, self._strides, strict=True))

    def _vector(self, code: int) -> Vector:
        """Return the vector of a code."""
        margins = []
        for radix in self._radix:
            code, margin = divmod(code, radix)
            margins.append(margin + DEAD)
        return tuple(margins)

    def move(self, who: int, code: int) -> Move:
        """Return what the turn of a combatant can do, in a round in which nobody is flat-footed."""
        return self._move(who, code, NOBODY, False)

    def grew(self, who: int, first_only: bool) -> int:
        """Return by what the total of all weights grows in a combatant's turn."""
        grew = math.prod(self.roster.total(who, which) for which in self._attacks(who, first_only))
        return math.lcm(grew, self.roster.rules.stabilise_chance.denominator) if who == self.roster.tracked else grew

    def _attacks(self, who: int, first_only: bool) -> range:
        count = len(self.roster.attacks[who])
        return range(min(1, count) if first_only else count)

    def advance(
        self,
        who: int,
        lanes: Lanes,
        flat_footed: frozenset[int] = NOBODY,
        first_only: bool = False,
        floating: bool = False,
    ) -> Lanes:
        """Let one combatant have its turn in all vectors and lanes at once."""
        flat_footed = self._felt(who, flat_footed)
        grew = 1 if floating else self.grew(who, first_only)
        over = {answer: [weight * grew for weight in weights] for answer, weights in lanes.over.items()}
        rows: list[Row] = []
        for code, weights in lanes.going.items():
            move = self._move(who, code, flat_footed, first_only)
            if floating:
                answers, steps = move.floating
            else:
                answers, steps = move.weighed
                weights = [weight * move.times for weight in weights]
            for answer, chance in answers:
                old = over.get(answer)
                more = [weight * chance for weight in weights]
                over[answer] = more if old is None else list(map(add, old, more))
            rows.append((code, weights, steps))
        going = spread(rows, floating)
        # in one turn a vector is reached from no more vectors than there are, each with one product and one sum
        return Lanes(going, over, lanes.total * grew, lanes.roundings + len(lanes.going) + 3)

    def _felt(self, who: int, flat_footed: frozenset[int]) -> frozenset[int]:
        return frozenset(j for j in flat_footed if j in self.roster.enemies[who] and self.roster.sensitive(who, j))

    def _move(self, who: int, code: int, flat_footed: frozenset[int], first_only: bool) -> Move:
        kind = (who, flat_footed, first_only)
        table = self._tables.get(kind)
        if table is None:
            table = self._tables[kind] = {}
        move = table.get(code)
        if move is None:
            now = self.vector(code)
            key = (kind, self._seen(who, now))
            if key not in self._known:
                self._known[key] = self._work_out(who, code, flat_footed, first_only)
            move = table[code] = self._known[key]
        return move

    def _seen(self, who: int, now: Vector) -> Hashable:
        """Return all that a turn depends on."""
        roster = self.roster
        enemies = tuple([now[j] for j in roster.enemies[who]])
        pays = roster.rules.disabled_attack_cost and roster.pay(who, now[who]) != now[who]
        own = tuple([now[j] for j, side in enumerate(roster.sides) if side == roster.sides[who]]) if pays else None
        watched = None if roster.tracked is None else now[roster.tracked]
        return enemies, own, watched, now[who] if now[who] < 1 else None

    def _work_out(self, who: int, here: int, flat_footed: frozenset[int], first_only: bool) -> Move:
        now = self.vector(here)
        weights, total = self.turns.turn(who, now, flat_footed, self._attacks(who, first_only))
        common = math.gcd(total, *weights.values())
        total //= common
        stay = weights.pop(now, 0) // common
        answers: list[tuple[Any, int]] = []
        groups: dict[tuple[int, ...], Group] = {}
        for then, weight in weights.items():
            if isinstance(then, Over):
                answers.append((then.answer, weight // common))
                continue
            fallen = tuple(i for i, margin in enumerate(then) if margin <= STABLE < now[i])
            group = groups.setdefault(fallen, Group(fallen, [], [], []))
            group.steps.append(self.code(then) - here)
            group.weights.append(weight // common)
            group.chances.append(weight // common / total)
        times = self.grew(who, first_only) // total
        return Move(total, times, stay, answers, list(groups.values()), *_in_one(total, stay, answers, groups))


def _in_one(total: int, stay: int, answers: list[tuple[Any, int]], groups: dict[Any, Group]) -> tuple[Outcomes, ...]:
    steps = [(0, stay)] if stay else []
    steps += [pair for group in groups.values() for pair in zip(group.steps, group.weights, strict=True)]
    floating = Outcomes(
        [(answer, weight / total) for answer, weight in answers], [(step, weight / total) for step, weight in steps]
    )
    return Outcomes(answers, steps), floating
