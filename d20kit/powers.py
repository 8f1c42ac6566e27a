"""What may be raised to the outcomes of a distribution: a number or a SymPy expression, and how much work that is."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from numbers import Integral
from typing import Any

from d20kit.algebra import is_short, is_symbolic
from d20kit.check import bare, refuse
from d20kit.language import _

# To look through a longer expression might take for ever.
_MOST_PARTS = 1000


def base(z: Any) -> Any:
    """Accept the variable of a generating function; a number of SymPy is returned as one of Python.

    >>> from sympy import Rational
    >>> base(Rational(1, 2))
    Fraction(1, 2)
    """
    given = bare(z)
    if is_symbolic(given):
        given = _known(given)
    if is_symbolic(given) or (isinstance(given, (int, Fraction)) and not isinstance(given, bool)):
        return given
    if isinstance(given, Integral) and not isinstance(given, bool):  # of NumPy
        return int(given)
    raise refuse("z", z, _("a SymPy expression, an int or a Fraction"), 'sympy.Symbol("z")')


def _known(expression: Any) -> Any:
    """Return an expression as a Fraction where it is one, and as None where it has no powers."""
    from sympy import Expr, nan, oo, zoo

    if expression.is_Rational:
        return Fraction(int(expression.p), int(expression.q))
    if not isinstance(expression, Expr) or expression.is_Matrix or not is_short(expression, _MOST_PARTS):
        return None
    if expression.has(nan, oo, -oo, zoo):
        return None
    return 0 if expression.is_number and expression.is_zero else expression


def bits(base: Any) -> int:
    """Return by how many bits a power of a number, or of the numbers in an expression, grows with each step.

    >>> from sympy import Symbol
    >>> bits(2), bits(Fraction(-3, 4)), bits(3 * Symbol("x")), bits(-1)
    (1, 2, 2, 0)
    """
    if is_symbolic(base):
        from sympy import Rational as Number

        return sum(bits(Fraction(int(one.p), int(one.q))) for one in base.atoms(Number))
    largest: int = max(abs(base.numerator), base.denominator)
    return (largest - 1).bit_length()


def nanoseconds(base: Any, total: int) -> int:
    """Estimate how long SymPy takes for a term: for its power, and for its fraction the square of its bits.

    >>> from sympy import Symbol
    >>> nanoseconds(Symbol("z"), 6)
    400000
    """
    from sympy import preorder_traversal

    parts = sum(1 for _part in preorder_traversal(base))
    return 300_000 + 100_000 * parts + total.bit_length() ** 2 // 500


def symbolic_sum(chances: Iterable[tuple[int, Fraction]], base: Any) -> Any:
    """Add up chance times ``base ** outcome``.

    >>> from sympy import Symbol
    >>> symbolic_sum([(1, Fraction(1, 2)), (2, Fraction(1, 2))], Symbol("z"))
    z**2/2 + z/2
    """
    from sympy import Add
    from sympy import Rational as Number

    return Add(*(Number(chance.numerator, chance.denominator) * base**outcome for outcome, chance in chances))
