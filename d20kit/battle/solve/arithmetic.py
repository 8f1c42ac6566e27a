"""Exact and floating arithmetic for the solver: the same sums, in whole numbers or in floats.

Exact values of one vector share a denominator, so that no fraction is reduced on the way. Floats carry a count of
their roundings: all terms are positive and nothing ever cancels, so each rounding changes a value by a factor between
1 - u and 1 + u with u = 2**-53, and n of them change it by a share of less than n u / (1 - n u).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from d20kit.battle.solve.moves import Group, Move

# The flows of all entries at one place of their cycles, and the turns of those who act there.
Place = tuple[Sequence[Any], list[tuple[Any, Any]]]
_UNIT = 2.0**-53
# More than all results that are too small for a normal float can lose together.
_UNDERFLOW = 1e-290


class Exact:
    """Whole numbers over one denominator for each vector.

    >>> exact = Exact()
    >>> exact.leaving(totals=[20, 20], stays=[10, 11])  # of 400 rounds in which two strike, 110 change nothing
    290
    >>> exact.mean([(1, 2, 3), (1, 2, 3)])
    Fraction(1, 3)
    """

    one: Any = 1
    floating = False

    def common(self, denominators: Iterable[Any]) -> tuple[Any, dict[Any, Any]]:
        """Return a common denominator, and what numerators over each of the given ones are multiplied by."""
        from flint import fmpz

        distinct = sorted(set(denominators), reverse=True)
        least = fmpz(1)
        for one in distinct:
            least = least if least % one == 0 else least.lcm(one)
        return least, {one: least // one for one in distinct}

    def coefficients(self, group: Group, denominators: list[Any], scales: dict[Any, Any]) -> list[Any]:
        """Return the factors of the numerators a turn leads to."""
        return [weight * scales[one] for weight, one in zip(group.weights, denominators, strict=True)]

    def certain(self, weight: int, total: int, common: Any) -> Any:
        """Return what a turn adds that ends the battle."""
        return weight * common

    def turn(self, move: Move) -> tuple[Any, Any]:
        """Return what a turn divides by, and the weight of its changing nothing."""
        return move.total, move.stay

    def leaving(self, totals: Sequence[int], stays: Sequence[int]) -> Any:
        """Return the weight of a round in which something changes."""
        return math.prod(totals) - math.prod(stays)

    def close(self, places: Sequence[Place], leaving: Any) -> list[Any]:
        """Solve V[j] = (flow[j] + stay[j] V[j + 1]) / total[j] round a circle, for all entries at once.

        Given are, for each place j, the flows and the turns of all entries; returned are numerators over ``leaving``
        times the flows' denominator, those of place 0 first.
        """
        entries = len(places[0][0])
        first, scale = [0] * entries, [1] * entries
        for flows, turns in reversed(places):
            first = [
                flow * times + stay * value
                for flow, (_total, stay), value, times in zip(flows, turns, first, scale, strict=True)
            ]
            scale = [times * total for times, (total, _stay) in zip(scale, turns, strict=True)]
        values, later = [first], first
        for flows, turns in reversed(places[1:]):
            later = [
                (flow * leaving + stay * value) // total
                for flow, (total, stay), value in zip(flows, turns, later, strict=True)
            ]
            values.append(later)
        return [value for place in (first, *reversed(values[1:])) for value in place]

    def denominator(self, common: Any, leaving: Any) -> Any:
        """Return the denominator of the values of a vector."""
        return common * leaving

    def scale(self, chances: Sequence[Fraction]) -> int:
        """Return a common denominator of the chances of orders."""
        return math.lcm(*(chance.denominator for chance in chances))

    def share(self, chance: Fraction, scale: int) -> Any:
        """Return the numerator of an order's chance."""
        return int(chance * scale)

    def mean(self, terms: Iterable[tuple[Any, Any, Any]]) -> Fraction:
        """Add up values, given as a weighted numerator, the total of the weights, and the denominator."""
        from flint import fmpq

        sums: dict[Any, Any] = {}
        for numerator, total, denominator in terms:
            key = total, denominator
            sums[key] = sums.get(key, 0) + numerator
        mean = sum((fmpq(part, total * denominator) for (total, denominator), part in sums.items()), fmpq(0))
        return Fraction(int(mean.p), int(mean.q))


class Floating:
    """Floats; the denominator of every vector is 1.

    >>> floating = Floating()
    >>> floating.leaving(totals=[20, 20], stays=[10, 11])
    0.725
    >>> floating.mean([(0.25, 1, 1), (0.25, 1, 1)])
    0.5
    """

    one: Any = 1.0
    floating = True

    def common(self, denominators: Iterable[Any]) -> tuple[Any, dict[Any, Any]]:
        """Return the denominator that all have."""
        return 1.0, {1.0: 1.0}

    def coefficients(self, group: Group, denominators: list[Any], scales: dict[Any, Any]) -> list[Any]:
        """Return the chances, each rounded once."""
        return group.chances

    def certain(self, weight: int, total: int, common: Any) -> Any:
        """Return the chance that a turn ends the battle."""
        return weight / total

    def turn(self, move: Move) -> tuple[Any, Any]:
        """Return 1 and the chance of a turn's changing nothing."""
        return 1.0, move.stay / move.total

    def leaving(self, totals: Sequence[int], stays: Sequence[int]) -> Any:
        """Return the chance of a round in which something changes, rounded once."""
        every = math.prod(totals)
        return (every - math.prod(stays)) / every

    def close(self, places: Sequence[Place], leaving: Any) -> list[Any]:
        """Solve V[j] = flow[j] + stay[j] V[j + 1] round a circle, for all entries at once."""
        first = [0.0] * len(places[0][0])
        for flows, turns in reversed(places):
            first = [flow + turn[1] * value for flow, turn, value in zip(flows, turns, first, strict=True)]
        later = first = [value / leaving for value in first]
        values = [first]
        for flows, turns in reversed(places[1:]):
            later = [flow + turn[1] * value for flow, turn, value in zip(flows, turns, later, strict=True)]
            values.append(later)
        return [value for place in (first, *reversed(values[1:])) for value in place]

    def denominator(self, common: Any, leaving: Any) -> Any:
        """Return 1."""
        return 1.0

    def scale(self, chances: Sequence[Fraction]) -> int:
        """Return 1."""
        return 1

    def share(self, chance: Fraction, scale: int) -> Any:
        """Return an order's chance as a float."""
        return float(chance)

    def mean(self, terms: Iterable[tuple[Any, Any, Any]]) -> float:
        """Add up values, with one rounding for the sum."""
        return math.fsum(value for value, _one, _also_one in terms)


def error_bound(roundings: int) -> float:
    """Return how far a chance is off at most after so many roundings.

    >>> error_bound(1000) < 2e-13
    True
    """
    share = roundings * _UNIT
    return share / (1 - share) * (1 + 8 * _UNIT) + _UNDERFLOW
