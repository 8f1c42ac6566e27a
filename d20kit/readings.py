"""What can be read off a distribution: chances, quantiles, moments."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import accumulate
from typing import Any

from d20kit.algebra import elementwise, is_array
from d20kit.check import exactly, refuse
from d20kit.language import _
from d20kit.magnitudes import root
from d20kit.polynomials import outcome_number


class Reading:
    """Whole-number weights as the coefficients of a polynomial, the outcome of the first one, and their sum.

    Weights are turned into Python numbers when they are first asked for: sums of dice never need that.

    >>> from d20kit import d
    >>> two = 2 @ d(4)
    >>> isinstance(two, Reading), two.weights
    (True, [1, 2, 3, 4, 3, 2, 1])
    """

    __slots__ = ("_low", "_poly", "_running", "_total", "_weights")

    def _set(self, poly: Any, low: int, total: int) -> None:
        self._poly, self._low, self._total = poly, low, total
        self._weights: list[int] | None = None
        self._running: list[int] | None = None

    @property
    def _high(self) -> int:
        return int(self._low + self._poly.degree())

    @property
    def weights(self) -> list[int]:
        """Whole-number weights from the lowest outcome to the highest; their sum is the one denominator."""
        if self._weights is None:
            self._weights = [int(weight) for weight in self._poly.coeffs()]
        return self._weights

    def _cumulative(self) -> list[int]:
        if self._running is None:
            self._running = list(accumulate(self.weights))
        return self._running

    def pmf(self, outcome: int) -> Fraction:
        """Chance of exactly this outcome (an array gives an array).

        >>> from d20kit import d
        >>> d(20).pmf(20)
        Fraction(1, 20)
        """
        chance: Fraction = _each(self._pmf, outcome_number(outcome, arrays=True))
        return chance

    def _pmf(self, outcome: int) -> Fraction:
        return Fraction(int(self._poly[outcome - self._low]) if outcome >= self._low else 0, self._total)

    def cdf(self, outcome: int) -> Fraction:
        """Chance of this outcome or less (an array gives an array).

        >>> from d20kit import d
        >>> d(20).cdf(5)
        Fraction(1, 4)
        """
        chance: Fraction = _each(self._cdf, outcome_number(outcome, arrays=True))
        return chance

    def _cdf(self, outcome: int) -> Fraction:
        if outcome < self._low:
            return Fraction(0)
        return Fraction(self._cumulative()[min(outcome, self._high) - self._low], self._total)

    def sf(self, outcome: int) -> Fraction:
        """Chance of more than this outcome: 1 - cdf (an array gives an array).

        >>> from d20kit import d
        >>> d(20).sf(5)
        Fraction(3, 4)
        """
        return 1 - self.cdf(outcome)

    def ppf(self, chance: int | float | Fraction) -> int:
        """Smallest outcome whose cdf reaches a chance: ``ppf(0.5)`` is the median.

        >>> from d20kit import d
        >>> (3 @ d(6)).ppf(Fraction(1, 2))
        10
        """
        least = exactly(chance)
        if least is None or not 0 <= least <= 1:
            raise refuse("chance", chance, _("a number from 0 to 1"), "ppf(0.5)")
        return self._low + bisect_left(self._cumulative(), max(least * self._total, 1))

    def support(self) -> tuple[int, int]:
        """Lowest and highest outcome.

        >>> from d20kit import d
        >>> (2 @ d(6)).support()
        (2, 12)
        """
        return self._low, self._high

    def items(self) -> Iterator[tuple[int, Fraction]]:
        """Outcomes with their chances, lowest first, those of chance 0 left out.

        >>> from d20kit import d
        >>> dict((d(2) + d(2)).items())
        {2: Fraction(1, 4), 3: Fraction(1, 2), 4: Fraction(1, 4)}
        """
        for index, weight in enumerate(self.weights):
            if weight:
                yield self._low + index, Fraction(weight, self._total)

    def mean(self) -> Fraction:
        """Exact mean.

        >>> from d20kit import d
        >>> (2 @ d(6) + 3).mean()
        Fraction(10, 1)
        """
        return self._low + Fraction(int(self._poly.derivative()(1)), self._total)

    def var(self) -> Fraction:
        """Exact variance.

        >>> from d20kit import d
        >>> d(6).var()
        Fraction(35, 12)
        """
        slope = self._poly.derivative()
        first = Fraction(int(slope(1)), self._total)
        return Fraction(int(slope.derivative()(1)), self._total) + first - first**2

    def std(self) -> float:
        """Return the standard deviation, a float: infinite where no float is so large.

        >>> from d20kit import d
        >>> round(d(6).std(), 3)
        1.708
        """
        return root(self.var())


def _each(function: Callable[[int], Fraction], value: Any) -> Any:
    return elementwise(function, value) if is_array(value) else function(value)
