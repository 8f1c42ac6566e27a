"""What a learner may give as an answer, read as a number without ever being run."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from d20kit.algebra import is_short, is_symbolic
from d20kit.check import bare, refuse
from d20kit.exercises.symbolic import number_of
from d20kit.language import _

LONGEST = 60
_FORM = re.compile(
    r"\s*(?P<sign>[+\-\u2212]?)\s*"
    r"(?:(?P<top>[0-9]+)\s*/\s*(?P<bottom>[0-9]+)|(?P<whole>[0-9]*)(?:[.,](?P<decimals>[0-9]+))?)"
    r"\s*(?P<percent>%?)\s*"
)
# 1,000 is a thousand to some readers and one to others; no thousands begin with 0 or stand behind four digits.
_THOUSANDS = re.compile(r"(?<![0-9])[1-9][0-9]{0,2},[0-9]{3}(?![0-9])")


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
        Text may be "11/20", "0.55", "0,55", "55 %" or "55%"; "1,000" is refused, because it may mean two numbers.
    values : mapping of str to number, optional
        What the symbols of a SymPy expression stand for.

    Returns
    -------
    Given

    Raises
    ------
    ValueError
        If it is not a number, or one that would need much work to compute.

    Examples
    --------
    >>> read("55 %").value, read("0,55").value, read(" 11 / 20 ").value
    (Fraction(11, 20), Fraction(11, 20), Fraction(11, 20))
    """
    try:
        return _number(given, values or {})
    except _RefusalError as why:
        raise _not_a_number(given, str(why)) from None
    except Exception:  # code of what was given, which may raise anything
        raise _not_a_number(given) from None


class _RefusalError(Exception):
    """Why something is no answer, or nothing where that is plain."""


def _not_a_number(given: Any, why: str = "") -> ValueError:
    return refuse("answer", given, _("a number, such as 11/20, 0.55 or 55 %"), why)


def _number(given: Any, values: Mapping[str, Any]) -> Given:
    given = bare(given)
    if isinstance(given, str):
        return _text(given)
    if is_symbolic(given):
        return _expression(given, values)
    given = given.item() if hasattr(given, "item") and not getattr(given, "ndim", 0) else given
    if isinstance(given, bool):
        raise _RefusalError
    if isinstance(given, (int, Fraction)):
        return Given(Fraction(given))
    if isinstance(given, float):
        return _decimal(Decimal(repr(given)), binary=True)
    if isinstance(given, Decimal):
        return _decimal(Decimal(given), binary=False)
    raise _RefusalError


def _decimal(number: Decimal, binary: bool) -> Given:
    exponent = number.as_tuple().exponent
    if not isinstance(exponent, int):
        raise _RefusalError  # infinite, or no number
    if abs(exponent) > LONGEST * 10:
        raise _RefusalError(_("it has too many digits"))
    value = Fraction(number)
    return Given(value, Fraction(10) ** exponent if exponent < 0 and value.denominator > 1 else None, binary)


def _text(given: str) -> Given:
    match = _FORM.fullmatch(given) if len(given) <= LONGEST else None
    if match is None or not (match["top"] or match["whole"] or match["decimals"]):
        raise _RefusalError
    sign = -1 if match["sign"] in ("-", "\u2212") else 1
    share = 100 if match["percent"] else 1
    if match["top"]:
        if not int(match["bottom"]):
            raise _RefusalError(_("nothing can be divided by 0"))
        return Given(sign * Fraction(int(match["top"]), int(match["bottom"])) / share)
    if _THOUSANDS.search(given):
        raise _RefusalError(
            _("a comma before three digits may mark thousands or decimals; write {thousands} or {decimals}").format(
                thousands=match["whole"] + match["decimals"], decimals=f"{match['whole']}.{match['decimals']}"
            )
        )
    decimals = match["decimals"] or ""
    step = Fraction(1, 10 ** len(decimals))
    number = sign * int((match["whole"] or "0") + decimals) * step / share
    return Given(number, step / share if decimals or match["percent"] else None)


def _expression(given: Any, values: Mapping[str, Any]) -> Given:
    known = {name: value for name, value in values.items() if type(value) is int}
    number = number_of(given, known)
    if isinstance(number, Fraction):
        return Given(number)
    if number is not None:
        return _decimal(Decimal(repr(number)), binary=True)
    missing = {one.name for one in given.free_symbols} - known.keys() if is_short(given, 100) else set()
    if missing and hasattr(given, "as_coeff_Mul"):
        raise _RefusalError(_("put a number in the place of {names}").format(names=", ".join(sorted(missing))))
    raise _RefusalError
