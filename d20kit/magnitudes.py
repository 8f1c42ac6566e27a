"""Numbers of any size in a few digits: exact results may have more digits than a float or a reader can hold.

Nothing here turns a whole number that may be huge into text or into a float: Python refuses both.
"""

from __future__ import annotations

import math
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction

_BITS = 128  # kept of a numerator and a denominator: far more than the digits that are written
_CONTEXT = Context(prec=30, Emax=MAX_EMAX, Emin=MIN_EMIN)
# A float holds all its digits between these; below the smallest they fade out one by one.
_SMALLEST, _LARGEST = Decimal("1e-300"), Decimal("1e300")


def _decimal(value: Fraction) -> Decimal:
    above, below = value.numerator, value.denominator
    up, down = (max(0, part.bit_length() - _BITS) for part in (above, below))
    leading = _CONTEXT.divide(Decimal(above >> up), Decimal(below >> down))
    return _CONTEXT.multiply(leading, _CONTEXT.power(Decimal(2), Decimal(up - down)))


def is_longer(value: int | Fraction, characters: int) -> bool:
    """Whether a number written out would have more characters than these.

    >>> is_longer(Fraction(11, 20), 5), is_longer(Fraction(11, 20), 4), is_longer(10**9999, 40)
    (False, True, True)
    """
    bits = value.numerator.bit_length() + value.denominator.bit_length()
    return bits > 4 * characters + 8 or len(str(value)) > characters  # a digit is less than four bits


def significant(value: int | Fraction, digits: int = 6) -> str:
    """Write a number rounded to some digits, like the format ``g``.

    >>> significant(Fraction(1, 3)), significant(10**400), significant(Fraction(-2, 3 * 10**5000), 3)
    ('0.333333', '1e+400', '-6.67e-5001')
    """
    return _written(_decimal(Fraction(value)), digits)


def root_text(value: Fraction, digits: int = 6) -> str:
    """Write the square root of a number rounded to some digits.

    >>> root_text(Fraction(2)), root_text(Fraction(10**1000))
    ('1.41421', '1e+500')
    """
    return _written(_CONTEXT.sqrt(_decimal(value)), digits)


def _written(number: Decimal, digits: int) -> str:
    if not number or _SMALLEST < abs(number) < _LARGEST:
        return f"{float(number):.{digits}g}"
    mantissa, _e, exponent = f"{number:.{digits - 1}e}".partition("e")
    return f"{mantissa.rstrip('0').rstrip('.')}e{exponent}"


def root(value: Fraction) -> float:
    """Return the square root of a number as a float: infinite where no float is so large.

    >>> root(Fraction(1, 4)), root(Fraction(10**800)), root(Fraction(1, 10**400))
    (0.5, inf, 1e-200)
    """
    square = _decimal(value)
    return math.sqrt(value) if not square or _SMALLEST < square < _LARGEST else float(_CONTEXT.sqrt(square))
