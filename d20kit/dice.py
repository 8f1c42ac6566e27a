"""Exact distributions of dice: a polynomial with whole-number weights, an offset and one denominator."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from random import Random
from typing import Any

from d20kit import dice_table, powers
from d20kit.algebra import is_array, is_symbolic
from d20kit.check import bare, called, one_whole, refuse
from d20kit.language import _
from d20kit.polynomials import (
    MAX_SIDES,
    afford,
    afford_work,
    exact_weight,
    outcome_number,
    power,
    power_work,
)
from d20kit.randomness import Roller, draw_below
from d20kit.readings import Reading
from d20kit.short_polynomials import polynomial


class Pmf(Reading):
    """The exact distribution of a whole-number outcome.

    Parameters
    ----------
    chances : mapping of int to int or Fraction
        Weight of each outcome; the weights are divided by their sum.

    Raises
    ------
    ValueError
        If an outcome is not whole, a weight is negative or a float, no weight is positive, or the outcomes lie so
        far apart that the table would not be small.

    Notes
    -----
    Method names follow ``scipy.stats``. Chances, means and variances are exact ``Fraction`` values; only ``std``
    and ``rvs`` leave exact arithmetic. A distribution never changes once it is made.

    Examples
    --------
    >>> from d20kit import Pmf, d
    >>> (2 @ d(6)).pmf(7)
    Fraction(1, 6)
    >>> Pmf({0: 1, 1: 3}).mean()
    Fraction(3, 4)
    """

    __slots__ = ()

    def __init__(self, chances: Mapping[int, int | Fraction]) -> None:
        weights: dict[int, int | Fraction] = {}
        for outcome, weight in _given(chances).items():
            key = outcome_number(outcome)
            weights[key] = weights.get(key, 0) + exact_weight(weight)
        present = {outcome: weight for outcome, weight in weights.items() if weight}
        if not present:
            raise _weightless(chances)
        scale = math.lcm(*(weight.denominator for weight in present.values()))
        low, high = min(present), max(present)
        afford(high - low + 1, 1)
        dense = [0] * (high - low + 1)
        for outcome, weight in present.items():
            dense[outcome - low] = int(weight * scale)
        self._set(polynomial(dense), low, sum(dense))

    @classmethod
    def _of(cls, poly: Any, low: int, total: int) -> Pmf:
        """Trust a polynomial whose lowest coefficient is not zero, and the sum of its coefficients."""
        pmf = object.__new__(cls)
        pmf._set(poly, low, total)
        return pmf

    @classmethod
    def mixture(cls, parts: Iterable[tuple[int | Fraction, Pmf | int]]) -> Pmf:
        """Choose one of several distributions by chance.

        Parameters
        ----------
        parts : iterable of (chance, Pmf or int)
            The chances must sum to 1.

        Examples
        --------
        >>> Pmf.mixture([(Fraction(1, 2), 0), (Fraction(1, 2), d(6))]).pmf(6)
        Fraction(1, 12)
        """
        try:
            pairs = [(chance, part) for chance, part in bare(parts)]
        except Exception:  # no pairs, or whatever an iterator of the reader's own raises
            raise refuse("parts", parts, _("chances whose sum is 1"), "Pmf.mixture([(1, d(6))])") from None
        # whole numbers throughout: adding and multiplying Fractions would be most of the work
        terms = [(*exact_weight(chance).as_integer_ratio(), as_constant(part)) for chance, part in pairs]
        common = math.lcm(*(below for _above, below, _part in terms))
        if sum(common // below * above for above, below, _part in terms) != common:
            shown = [str(Fraction(above, below)) for above, below, _part in terms]
            raise refuse("parts", shown, _("chances whose sum is 1"))
        terms = [term for term in terms if term[0]]
        total = math.lcm(*(below * part._total for _above, below, part in terms))
        low = min(part._low for _above, _below, part in terms)
        afford(max(part._high for _above, _below, part in terms) - low + 1, total.bit_length())
        blend = sum(
            part._poly.left_shift(part._low - low) * (total // (below * part._total) * above)
            for above, below, part in terms
        )
        return cls._of(blend, low, total)

    def map(self, function: Callable[[int], int]) -> Pmf:
        """Apply a function to every outcome; it must return whole numbers.

        >>> d(6).map(lambda face: face % 2).pmf(1)
        Fraction(1, 2)
        """
        called("function", function, _("a function of an outcome"), "d(6).map(lambda face: face % 2)")
        sums: dict[int, int] = {}
        for index, weight in enumerate(self.weights):
            if weight:
                image = one_whole("function(outcome)", function(self._low + index))
                sums[image] = sums.get(image, 0) + weight
        return Pmf(sums)

    def clip(self, low: int | None = None, high: int | None = None) -> Pmf:
        """Raise outcomes below ``low`` to it and lower outcomes above ``high`` to it.

        >>> (d(4) - 2).clip(low=1).pmf(1)
        Fraction(3, 4)
        """
        low = None if low is None else one_whole("low", low)
        high = None if high is None else one_whole("high", high)
        if low is not None and high is not None and low > high:
            raise refuse("low", low, _("at most high, which is {high}").format(high=high))
        if (low is None or low <= self._low) and (high is None or high >= self._high):
            return self
        raised = self if low is None else self.map(lambda outcome: max(outcome, low))
        return raised if high is None else raised.map(lambda outcome: min(outcome, high))

    def __add__(self, other: Pmf | int) -> Pmf:
        if isinstance(other, Pmf):
            total = self._total * other._total
            afford(self._high - self._low + other._high - other._low + 1, total.bit_length())
            return Pmf._of(self._poly * other._poly, self._low + other._low, total)
        if is_array(other) or is_symbolic(other):
            return NotImplemented
        return Pmf._of(self._poly, self._low + outcome_number(other), self._total)

    __radd__ = __add__

    def __neg__(self) -> Pmf:
        return Pmf._of(polynomial(self.weights[::-1]), -self._high, self._total)

    def __sub__(self, other: Pmf | int) -> Pmf:
        return self + -other

    def __rsub__(self, other: int) -> Pmf:
        return -self + other

    def __mul__(self, factor: Pmf | int) -> Pmf:
        """Multiply the outcome: ``d(6) * 2`` is one die doubled, ``2 @ d(6)`` is two dice."""
        if isinstance(factor, Pmf):
            return _product(self, factor)
        by = outcome_number(factor)
        if not by:
            return Pmf({0: 1})
        afford((self._high - self._low) * abs(by) + 1, 1)
        stretched = Pmf._of(self._poly.inflate(abs(by)), self._low * abs(by), self._total)
        return stretched if by > 0 else -stretched

    __rmul__ = __mul__

    def __rmatmul__(self, count: int) -> Pmf:
        """Roll this many and add: ``2 @ d(6)``."""
        count = one_whole("count", count, low=0, fix="2 @ d(6)")
        spread = self._high - self._low
        width, bits = spread * count + 1, self._total.bit_length() * count
        afford(width, bits)
        afford_work(power_work(spread + 1, count, width, bits))
        return Pmf._of(power(self._poly, count), self._low * count, self._total**count)

    def chance_at_least(self, other: Pmf | int) -> Fraction:
        """Chance that this is at least another distribution or number, rolled independently.

        >>> d(20).chance_at_least(11)
        Fraction(1, 2)
        """
        return (self - other).sf(-1)

    def chance_above(self, other: Pmf | int) -> Fraction:
        """Chance that this is more than another distribution or number, rolled independently.

        >>> d(20).chance_above(d(20))
        Fraction(19, 40)
        """
        return (self - other).sf(0)

    def chance_equal(self, other: Pmf | int) -> Fraction:
        """Chance that this equals another distribution or number, rolled independently.

        >>> d(20).chance_equal(d(20))
        Fraction(1, 20)
        """
        return (self - other).pmf(0)

    def generating_function(self, z: Any) -> Any:
        """Sum of chance times ``z ** outcome``: a SymPy expression, or a number where z is a number.

        Raises
        ------
        ValueError
            If z is neither, is 0 although an outcome is negative, or the sum would be too much work.

        Examples
        --------
        >>> from sympy import Symbol
        >>> d(2).generating_function(Symbol("z"))
        z**2/2 + z/2
        """
        base = powers.base(z)
        if not base and self._low < 0:
            raise refuse("z", z, _("another number than 0, because an outcome is negative"))
        size = max(abs(self._low), abs(self._high)) * powers.bits(base)
        if is_symbolic(base):
            afford_work(len(self.weights) * powers.nanoseconds(base, self._total) + size**2 // 1000)
            return powers.symbolic_sum(self.items(), base)
        # Every step of the sum takes as long as the largest power, and the reduction at the end the square of it.
        afford_work(len(self.weights) * (2000 + size // 4) + size**2 // 1000)
        value = Fraction(0)
        for weight in reversed(self.weights):
            value = value * base + weight
        return value * Fraction(base) ** self._low / self._total

    def roll(self, random: Random | Roller) -> int:
        """Roll once with exact chances; the same state of the generator gives the same outcome everywhere.

        >>> d(20).roll(Random(1))
        5
        """
        return self._low + bisect_left(self._cumulative(), draw_below(random, self._total) + 1)

    def rvs(self, size: int | tuple[int, ...] | None = None, seed: Any = None) -> Any:
        """Roll many at once with NumPy.

        Parameters
        ----------
        size : int or tuple of int, optional
            Shape of the array; without it one int is returned.
        seed : int or numpy.random.Generator, optional
            The same seed gives the same rolls; without one they differ each time.

        Raises
        ------
        ImportError
            If NumPy is not installed.

        Examples
        --------
        >>> d(6).rvs(size=3, seed=1).shape
        (3,)
        """
        try:
            import numpy
        except ImportError as missing:
            raise ImportError(_("rvs needs NumPy, which is not installed; pip install numpy")) from missing
        steps = numpy.array([float(Fraction(running, self._total)) for running in self._cumulative()])
        drawn = numpy.random.default_rng(seed).random(size)
        rolled = self._low + numpy.searchsorted(steps, drawn, side="right")
        return int(rolled) if size is None else rolled

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Pmf):
            return NotImplemented
        if self.support() != other.support():
            return False
        if self._total == other._total:
            return self.weights == other.weights
        pairs = zip(self.weights, other.weights, strict=True)
        return all(one * other._total == two * self._total for one, two in pairs)

    def __hash__(self) -> int:
        # chances, not weights: equal distributions may have other denominators
        return hash((self.support(), self._pmf(self._low), self.mean()))

    def __reduce__(self) -> tuple[Any, ...]:
        return Pmf, (dict(zip(range(self._low, self._high + 1), self.weights, strict=True)),)

    def __repr__(self) -> str:
        return dice_table.brief(self)

    def __str__(self) -> str:
        return dice_table.text(self)

    def _repr_html_(self) -> str:
        return dice_table.html(self)


def d(sides: int) -> Pmf:
    """Return the distribution of one fair die.

    Parameters
    ----------
    sides : int
        From 1 to ``MAX_SIDES``.

    Examples
    --------
    >>> from d20kit import d
    >>> d(20).mean()
    Fraction(21, 2)
    """
    sides = one_whole("sides", sides, 1, MAX_SIDES, fix="d(20)")
    return Pmf._of(polynomial([1] * sides), 1, sides)


def _given(chances: Any) -> dict[Any, Any]:
    try:
        return dict(bare(chances))
    except Exception:  # no mapping, or one of the reader's own, which may raise anything
        raise _weightless(chances) from None


def _weightless(chances: Any) -> ValueError:
    return refuse("chances", chances, _("a mapping with at least one positive weight"), "Pmf({1: 1, 2: 1})")


def as_constant(value: Pmf | int) -> Pmf:
    """Return a distribution as it is, and a number as the distribution that is always that number.

    >>> as_constant(3) == d(1) + 2, as_constant(d(6)) == d(6)
    (True, True)
    """
    return value if isinstance(value, Pmf) else Pmf._of(polynomial([1]), outcome_number(value), 1)


def _product(one: Pmf, other: Pmf) -> Pmf:
    for factor, constant in ((one, other), (other, one)):
        if constant._low == constant._high:  # a plain number: nothing to multiply out
            return factor * constant._low
    pairs, total = len(one.weights) * len(other.weights), one._total * other._total
    afford(pairs, 1)
    afford_work(pairs * (300 + total.bit_length()))
    ends = [i * j for i in one.support() for j in other.support()]
    low, high = min(ends), max(ends)
    afford(high - low + 1, 1)
    sums = [0] * (high - low + 1)
    for i, weight in enumerate(one.weights, one._low):
        for j, times in enumerate(other.weights, other._low):
            sums[i * j - low] += weight * times
    return Pmf._of(polynomial(sums), low, total)
