"""What distributions are made of: polynomials of bounded size, whole outcomes and exact weights."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from d20kit.algebra import is_array, is_symbolic
from d20kit.check import bare, refuse, whole
from d20kit.language import _

# What one distribution may need: outcomes from the lowest to the highest, and bits for all weights together
# (100 million bits are 12 MB and well under a second).
MAX_WIDTH = 200_000
MAX_BITS = 100_000_000
MAX_SIDES = 100_000
# Steps of about a nanosecond that one operation may take: half a second.
MAX_WORK = 500_000_000
# Polynomials of so many coefficients are raised to a power by squaring; for shorter ones FLINT's own way is quicker.
SQUARED = 64


def power(base: Any, exponent: int) -> Any:
    """Raise a polynomial to a power.

    >>> from d20kit.short_polynomials import polynomial
    >>> power(polynomial([1, 1]), 3).coeffs()
    [1, 3, 3, 1]
    >>> power(polynomial([1] * 100), 5) == polynomial([1] * 100) ** 5
    True
    """
    if exponent < 2 or len(base) < SQUARED:
        return base**exponent
    result = base
    for bit in f"{exponent:b}"[1:]:
        # what is odd joins the smaller factor: a product costs as much as its result is large
        result = result * (result * base if bit == "1" else result)
    return result


def power_work(terms: int, exponent: int, width: int, bits: int) -> int:
    """Estimate the steps of :func:`power`, from the lengths of the base and of the result and the bits of its weights.

    >>> power_work(terms=6, exponent=2, width=11, bits=6)
    2640
    """
    if exponent == 1:
        return 50 * width
    if terms < SQUARED:
        return width * terms * (40 + bits // 40)
    # by squaring: an odd power has one more product at the end, twice an odd one before it
    products = 4 + 2 * (exponent % 2) + exponent // 2 % 2
    return width * (50 + products * bits)


def afford_work(steps: int) -> None:
    """Refuse an operation that would take longer than documented, before it is begun.

    >>> afford_work(10**9)
    Traceback (most recent call last):
    ValueError: this distribution would take about 1000 million steps, but at most 500 million are allowed; use fewer \
dice or smaller ones
    """
    if steps > MAX_WORK:
        raise ValueError(
            _(
                "this distribution would take about {steps} million steps, but at most {most} million are allowed; use "
                "fewer dice or smaller ones"
            ).format(steps=_size(round(steps / 10**6)), most=MAX_WORK // 10**6)
        )


def afford(width: int, bits: int) -> None:
    """Refuse a distribution that would be larger than documented, before any of it is computed.

    >>> afford(width=11, bits=6)
    """
    if width > MAX_WIDTH or width * bits > MAX_BITS:
        raise ValueError(
            _(
                "this distribution would need {width} outcomes with weights of {bits} bits, but at most {most} "
                "outcomes and {most_bits} bits in all are allowed; use fewer dice or smaller ones"
            ).format(width=_size(width), bits=_size(bits), most=MAX_WIDTH, most_bits=MAX_BITS)
        )


def _size(number: int) -> str:
    return str(number) if number < 10**12 else _("more than 10^12")


def outcome_number(value: Any, arrays: bool = False) -> Any:
    """Accept one whole outcome, or an array of them where that makes sense.

    >>> outcome_number(3.0)
    3
    >>> outcome_number(2.5)
    Traceback (most recent call last):
    ValueError: outcome is 2.5, but must be a whole number from -1000000000 to 1000000000
    """
    number = whole("outcome", value, -(10**9), 10**9)
    if type(number) is int:
        return number
    if is_symbolic(number) or (is_array(number) and not arrays):
        raise refuse("outcome", value, _("a whole number"))
    return number


def exact_weight(value: Any) -> int | Fraction:
    """Accept an exact chance or weight that is not negative.

    >>> exact_weight(Fraction(1, 20))
    Fraction(1, 20)
    >>> exact_weight(0.05)
    Traceback (most recent call last):
    ValueError: chance is 0.05, but must be an int or a Fraction, 0 or more; Fraction(1, 2)
    """
    weight = bare(value)
    if isinstance(weight, bool) or not isinstance(weight, (int, Fraction)) or weight.numerator < 0:
        raise refuse("chance", value, _("an int or a Fraction, 0 or more"), "Fraction(1, 2)")
    return weight
