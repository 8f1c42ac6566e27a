"""What a learner may give as an answer, read as a number without ever being run."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from d20kit.algebra import is_symbolic
from d20kit.check import refuse
from d20kit.language import _

_LONGEST = 60
_FORM = re.compile(
    r"\s*(?P<sign>[+\-\u2212]?)\s*"
    r"(?:(?P<top>[0-9]+)\s*/\s*(?P<bottom>[0-9]+)|(?P<whole>[0-9]*)(?:[.,](?P<decimals>[0-9]+))?)"
    r"\s*(?P<percent>%?)\s*"
)


@dataclass(frozen=True)
class Given:
    """A number as it was given.

    Attributes
    ----------
    value : Fraction
        What it is exactly.
    step : Fraction or None
        The unit of its last decimal, 1/100 for "0.55"; None where nothing is rounded, as in "11/20".
    binary : bool
        Whether it is a float, which cannot hold most fractions exactly.

    Examples
    --------
    >>> Given(Fraction(11, 20)) == read("11/20")
    True
    >>> read("0.55").step
    Fraction(1, 100)
    """

    value: Fraction
    step: Fraction | None = None
    binary: bool = False

    def equals(self, number: Fraction) -> bool:
        """Whether it is the number, or the float nearest to it.

        >>> Given(Fraction(1 / 3), binary=True).equals(Fraction(1, 3))
        True
        """
        return self.value == number or (self.binary and math.isclose(self.value, number, rel_tol=1e-12))

    def rounds(self, number: Fraction) -> bool:
        """Whether it is the number, rounded to the decimals that were given; rounding to nothing does not count.

        >>> Given(Fraction(33, 100), Fraction(1, 100)).rounds(Fraction(1, 3))
        True
        """
        return bool(self.step and self.value and 2 * abs(self.value - number) <= self.step)


def read(given: Any, values: Mapping[str, Any] | None = None) -> Given:
    """Read an answer.

    Parameters
    ----------
    given : int, float, Fraction, Decimal, str or SymPy expression
        Text may be "11/20", "0.55", "0,55", "55 %" or "55%".
    values : mapping of str to number, optional
        What the symbols of a SymPy expression stand for.

    Returns
    -------
    Given

    Raises
    ------
    ValueError
        If it is not a number.

    Examples
    --------
    >>> read("55 %").value, read("0,55").value, read(" 11 / 20 ").value
    (Fraction(11, 20), Fraction(11, 20), Fraction(11, 20))
    """
    if isinstance(given, str):
        return _text(given)
    if is_symbolic(given):
        return _expression(given, values or {})
    given = given.item() if hasattr(given, "item") and not getattr(given, "ndim", 0) else given
    if isinstance(given, bool) or not isinstance(given, (int, float, Fraction, Decimal)):
        raise _not_a_number(given)
    if isinstance(given, (float, Decimal)) and not math.isfinite(given):
        raise _not_a_number(given)
    if isinstance(given, (int, Fraction)):
        return Given(Fraction(given))
    return _decimal(Decimal(repr(given)) if isinstance(given, float) else given, isinstance(given, float))


def _not_a_number(given: Any, why: str = "") -> ValueError:
    return refuse("answer", given, _("a number, such as 11/20, 0.55 or 55 %"), why)


def _decimal(number: Decimal, binary: bool) -> Given:
    exponent = number.as_tuple().exponent
    assert isinstance(exponent, int)
    if abs(exponent) > _LONGEST * 10:
        raise _not_a_number(number, _("it has too many digits"))
    return Given(Fraction(number), Fraction(10) ** exponent if exponent < 0 and number % 1 else None, binary)


def _text(given: str) -> Given:
    match = _FORM.fullmatch(given) if len(given) <= _LONGEST else None
    if match is None or not (match["top"] or match["whole"] or match["decimals"]):
        raise _not_a_number(given)
    sign = -1 if match["sign"] in ("-", "\u2212") and match["sign"] else 1
    share = 100 if match["percent"] else 1
    if match["top"]:
        if not int(match["bottom"]):
            raise _not_a_number(given, _("nothing can be divided by 0"))
        return Given(sign * Fraction(int(match["top"]), int(match["bottom"])) / share)
    decimals = match["decimals"] or ""
    step = Fraction(1, 10 ** len(decimals))
    number = sign * int((match["whole"] or "0") + decimals) * step / share
    return Given(number, step / share if decimals or match["percent"] else None)


def _expression(given: Any, values: Mapping[str, Any]) -> Given:
    import sympy

    if not isinstance(given, sympy.Expr):
        raise _not_a_number(given)
    known = {one: values[one.name] for one in given.free_symbols if type(values.get(one.name)) is int}
    number = given.subs(known)
    if number.free_symbols:
        names = ", ".join(sorted(one.name for one in number.free_symbols))
        raise _not_a_number(given, _("put a number in the place of {names}").format(names=names))
    if isinstance(number, sympy.Rational) and number.is_finite:
        return Given(Fraction(int(number.p), int(number.q)))
    if not number.is_finite or not number.is_real:
        raise _not_a_number(given)
    return _decimal(Decimal(repr(float(number))), binary=True)
