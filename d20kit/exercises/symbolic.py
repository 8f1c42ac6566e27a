"""The number that a SymPy expression stands for, found with bounded work.

SymPy itself would compute 10**(10**10) or the factorial of a million if it was asked for their value.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, TypeAlias

from d20kit.algebra import is_short

# Exact, or a float where the number is no fraction.
Value: TypeAlias = Fraction | float

_MOST_PARTS = 2_000
_MOST_BITS = 4_000
_LARGEST_ARGUMENT = 1_000


def number_of(expression: Any, values: Mapping[str, Any]) -> Value | None:
    """Return the real number that an expression is, or None where it is none or would need too much work.

    Parameters
    ----------
    expression : sympy.Basic
    values : mapping of str to int
        What its symbols stand for.

    Examples
    --------
    >>> from sympy import Min, Pow, Rational, Symbol
    >>> number_of(Min(Symbol("bonus"), 19) / 20, {"bonus": 11})
    Fraction(11, 20)
    >>> number_of(Pow(10, 10**10, evaluate=False), {}) is None
    True
    """
    if not is_short(expression, _MOST_PARTS):
        return None
    try:
        return _small(_value(expression, values))
    except Exception:  # no number for one of many reasons: a division by 0, a root of -1, a truth value, a symbol
        return None


def _small(value: Value) -> Value:
    """Accept a number of bearable size."""
    if isinstance(value, Fraction):
        if max(value.numerator.bit_length(), value.denominator.bit_length()) > _MOST_BITS:
            raise OverflowError
    elif not math.isfinite(value):
        raise OverflowError
    return value


def _value(part: Any, values: Mapping[str, Any]) -> Value:
    import sympy

    if isinstance(part, sympy.Symbol):
        return Fraction(values[part.name])
    if isinstance(part, sympy.Rational) and part.is_finite:
        return _small(Fraction(int(part.p), int(part.q)))
    if isinstance(part, (sympy.Float, sympy.NumberSymbol)):
        return _small(float(part))
    if isinstance(part, sympy.Piecewise):
        return next(_value(one, values) for one, condition in part.args if _holds(condition, values))
    known = [_value(one, values) for one in part.args]
    return _small(_applied(part, known))


def _applied(part: Any, known: list[Value]) -> Value:
    """Do with the values of its parts what an expression says."""
    import sympy

    if isinstance(part, sympy.Add):
        return _sum(known)
    if isinstance(part, sympy.Mul):
        return _product(known)
    if isinstance(part, sympy.Pow):
        return _power(*known)
    if isinstance(part, sympy.exp):
        return math.exp(*known)
    if isinstance(part, sympy.Min):
        return min(known)
    if isinstance(part, sympy.Max):
        return max(known)
    if isinstance(part, sympy.floor):
        return Fraction(math.floor(*known))
    if isinstance(part, sympy.ceiling):
        return Fraction(math.ceil(*known))
    if isinstance(part, sympy.Abs):
        return max(known[0], -known[0])
    if isinstance(part, _quick_functions()) and all(-_LARGEST_ARGUMENT <= one <= _LARGEST_ARGUMENT for one in known):
        return _function(part.func(*map(sympy.sympify, known)))
    raise TypeError


def _quick_functions() -> Any:
    import sympy

    return (sympy.factorial, sympy.binomial, sympy.log, sympy.Mod, sympy.sin, sympy.cos, sympy.tan, sympy.atan)


def _sum(known: list[Value]) -> Value:
    total: Value = Fraction(0)
    for one in known:
        total = _small(total + one)
    return total


def _product(known: list[Value]) -> Value:
    product: Value = Fraction(1)
    for one in known:
        product = _small(product * one)
    return product


def _power(base: Value, exponent: Value) -> Value:
    if isinstance(exponent, Fraction) and exponent.denominator == 1 and isinstance(base, Fraction):
        size = max(base.numerator.bit_length(), base.denominator.bit_length())
        if base not in (0, 1, -1) and abs(exponent) * size > _MOST_BITS:
            raise OverflowError
        return Fraction(base ** (exponent.numerator if base not in (1, -1) else exponent.numerator % 2))
    return math.pow(base, exponent)


def _function(applied: Any) -> Value:
    """Read the value of a function of small numbers."""
    if applied.is_Rational and applied.is_finite:
        return Fraction(int(applied.p), int(applied.q))
    return float(applied)


def _holds(condition: Any, values: Mapping[str, Any]) -> bool:
    import sympy

    if isinstance(condition, sympy.core.relational.Relational):
        left, right = (sympy.sympify(_value(side, values)) for side in condition.args)
        return bool(condition.func(left, right))
    if isinstance(condition, sympy.And):
        return all(_holds(one, values) for one in condition.args)
    if isinstance(condition, sympy.Or):
        return any(_holds(one, values) for one in condition.args)
    if isinstance(condition, sympy.Not):
        return not _holds(condition.args[0], values)
    return bool(condition)
