"""Solve the rounds of a battle that go on and on: the heart of the exact solver.

Let v be everybody's margins and W(v, f) the chance of an answer when it is f's turn. The turn of f leads to v' with a
chance p(v') that the dice give, and with chance m it changes nothing, so with g the next to act

    W(v, f) = sum over v' of p(v') W(v', g) + m W(v, g).

Hit points only ever fall: v' has less of them than v. So vectors are solved from the fewest hit points up, and when v
is reached every W(v', g) is known. What is left are k unknowns for the k combatants of v, each expressed by the next
one, round in a circle. Put each into the one before: after a whole round the first comes back to itself times the
chance that nobody changed anything, W = a + m W, and W = a / (1 - m). That is the geometric series of rounds in which
everybody misses, added up at once. If no turn can change anything, m is 1: that battle never ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import mul
from typing import Any, NamedTuple

from d20kit.battle.solve.arithmetic import Exact, Floating
from d20kit.battle.solve.cycles import Cycle, Cycles, Pick, picker
from d20kit.battle.solve.moves import Group, Move, Moves
from d20kit.battle.solve.roster import Vector

Progress = Callable[[int, int], Any]
# Vectors between two reports of progress.
_STEP = 50


class Spots(NamedTuple):
    """Where the values of some orders are found among all of a vector: lanes, shares, and places for each answer.

    >>> spots = Spots(picker([0]), [1], [picker([1]), picker([3])])
    >>> [pick([5, 6, 7, 8]) for pick in spots.places]
    [(6,), (8,)]
    """

    lanes: Pick
    shares: list[Any]
    places: list[Pick]


class Chain:
    """The values of all vectors met so far; a vector is entered only once it is solved.

    >>> from fractions import Fraction
    >>> from d20kit.battle import Attack, Combatant, Encounter
    >>> from d20kit.battle.solve.roster import Roster
    >>> from d20kit.battle.solve.turns import Turns, Winner
    >>> ann, bob = (Combatant(name, name, 1, 11, Attack("dagger", 0, "1d4+1")) for name in ("Ann", "Bob"))
    >>> moves = Moves(Turns(Roster(Encounter([ann, bob])), Winner()))
    >>> chain = Chain(moves, Cycles([(0, 1)], ("Ann", "Bob")), Exact())
    >>> start = moves.code(moves.roster.start)
    >>> chain.solve([start])
    >>> wins, total = chain.values(start, [1], chain.spots((0, 1), [(0, 1, (0, 1))]))
    >>> [str(Fraction(int(one), int(total))) for one in wins]  # Ann strikes first, each hits half the time
    ['2/3', '1/3']
    """

    def __init__(self, moves: Moves, cycles: Cycles, arithmetic: Exact | Floating) -> None:
        self.moves, self.cycles, self.arithmetic = moves, cycles, arithmetic
        self.endless = False
        self._denominators: dict[int, Any] = {}
        self._roundings: dict[int, int] = {}
        self._active: dict[int, Cycle] = {}
        self._flat: dict[int, list[Any]] = {}
        # values[v][f][entry]: what is found when f has just had its turn and v is what it left
        self._values: dict[int, dict[int, Any]] = {}

    def solve(self, wanted: Iterable[int], progress: Progress | None = None) -> None:
        """Solve coded vectors and everything they can lead to."""
        found = self._explore(wanted)
        for done, (_sum, code) in enumerate(sorted((sum(now), code) for code, now in found.items())):
            if progress is not None and done % _STEP == 0:
                progress(done, len(found))
            self._enter(code, found[code])
        if progress is not None and found:
            progress(len(found), len(found))

    def values(self, code: int, weights: list[Any], spots: Spots) -> tuple[list[Any], Any]:
        """Add up the values of a solved vector over lanes and orders.

        Returns a numerator for each answer, and their denominator.
        """
        if code not in self._flat:
            self._flat[code] = [value for row in self._values[code].values() for value in row]
        shares = list(map(mul, spots.lanes(weights), spots.shares))
        sums = [sum(map(mul, shares, found(self._flat[code]))) for found in spots.places]
        return sums, self._denominators[code]

    def active(self, code: int) -> Cycle:
        """Return whose turns still change something."""
        return self._active[code]

    def spots(self, active: Cycle, orders: Iterable[tuple[int, Any, Cycle]]) -> Spots:
        """Return where to look if the active act in one of several orders, each given with its lane and share."""
        table = self.cycles.table(active)
        found: dict[tuple[int, int], Any] = {}
        for lane, share, order in orders:
            before, place = self.cycles.place(active, order)
            spot = lane, active.index(before) * table.entries + place
            found[spot] = found.get(spot, 0) + share
        shifts = range(0, table.entries, len(table.cycles))
        places = [picker([place + shift for _lane, place in found]) for shift in shifts]
        return Spots(picker([lane for lane, _place in found]), list(found.values()), places)

    def roundings(self, code: int) -> int:
        """Return how many roundings the values of a solved vector went through at most."""
        return self._roundings[code]

    def _explore(self, wanted: Iterable[int]) -> dict[int, Vector]:
        """Find all vectors that have to be solved, by their codes."""
        found: dict[int, Vector] = {}
        waiting = list(wanted)
        while waiting:
            code = waiting.pop()
            if code in found or code in self._values:
                continue
            now = found[code] = self.moves.vector(code)
            for who in self.moves.turns.active(now):
                for group in self.moves.move(who, code).groups:
                    waiting += [code + step for step in group.steps]
        return found

    def _enter(self, code: int, now: Vector) -> None:
        """Solve one vector, all it leads to being solved."""
        active, arithmetic = self.moves.turns.active(now), self.arithmetic
        self._active[code] = active
        moves = [self.moves.move(who, code) for who in active]
        leaving = arithmetic.leaving([move.total for move in moves], [move.stay for move in moves])
        if not leaving:
            self._never_ends(code, active)
            return
        then = {code + step for move in moves for group in move.groups for step in group.steps}
        common, scales = arithmetic.common(self._denominators[one] for one in then)
        flows: list[Any] = []
        for who, move in zip(active, moves, strict=True):
            flows += self._flow(code, who, active, move, common, scales)
        values = self._close(active, flows, moves, leaving)
        terms = max(len(group.steps) for move in moves for group in (*move.groups, _NOTHING))
        self._denominators[code] = arithmetic.denominator(common, leaving)
        self._roundings[code] = max((self._roundings[one] for one in then), default=0) + terms + 6 * len(active) + 9
        self._values[code] = values

    def _never_ends(self, code: int, active: Cycle) -> None:
        self.endless = True
        self._denominators[code], self._roundings[code] = self.arithmetic.common([])[0], 0
        self._values[code] = dict.fromkeys(active, (0 * self.arithmetic.one,) * self.cycles.table(active).entries)

    def _flow(self, code: int, who: int, active: Cycle, move: Move, common: Any, scales: dict[Any, Any]) -> list[Any]:
        """Add up, for each entry, what a turn leads to if it changes something."""
        parts = [self._answered(active, move, common)] if move.answers else []
        for group in move.groups:
            codes = [code + step for step in group.steps]
            factors = self.arithmetic.coefficients(group, [self._denominators[one] for one in codes], scales)
            parts.append(self._sums(who, active, group, [self._values[one] for one in codes], factors))
        if len(parts) == 1:
            return parts[0]
        return list(map(sum, zip(*parts, strict=True))) or [0 * self.arithmetic.one] * self._entries(active)

    def _entries(self, active: Cycle) -> int:
        return self.cycles.table(active).entries

    def _answered(self, active: Cycle, move: Move, common: Any) -> list[Any]:
        """The part of a turn that ends the battle."""
        weights = dict(move.answers)
        cycles = len(self.cycles.table(active).cycles)
        return [
            part
            for answer in self.cycles.answers
            for part in [self.arithmetic.certain(weights.get(answer, 0), move.total, common)] * cycles
        ]

    def _sums(
        self, who: int, active: Cycle, group: Group, values: list[dict[int, Any]], factors: list[Any]
    ) -> list[Any]:
        if not group.fallen:
            return [sum(map(mul, factors, column)) for column in zip(*[rows[who] for rows in values], strict=True)]
        left = tuple(one for one in active if one not in group.fallen)
        carry = self.cycles.carry(who, active, left)
        if who in left:
            sums = [sum(map(mul, factors, column)) for column in zip(*[rows[who] for rows in values], strict=True)]
            return [sums[place] for _who, place in carry]
        return [
            sum(factor * rows[before][place] for factor, rows in zip(factors, values, strict=True))
            for before, place in carry
        ]

    def _close(self, active: Cycle, flows: list[Any], moves: list[Move], leaving: Any) -> dict[int, Any]:
        """Solve all cycles of a vector at once; the flows of the active are given end to end."""
        table = self.cycles.table(active)
        turns = {who: self.arithmetic.turn(move) for who, move in zip(active, moves, strict=True)}
        places = [
            (pick(flows), [turns[who] for who in actors])
            for pick, actors in zip(table.gather, table.actors, strict=True)
        ]
        values = self.arithmetic.close(places, leaving)
        return {who: pick(values) for who, pick in zip(active, table.scatter, strict=True)}


_NOTHING = Group((), [], [], [])
