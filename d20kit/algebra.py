"""The few operations that let one definition of a rule serve numbers, arrays and symbols.

Plain whole numbers give exact ``Fraction`` results, NumPy arrays give arrays (of ``Fraction`` objects where the
result is not whole), SymPy expressions give expressions. Neither library is imported here: an argument of their
kind can only exist once somebody else has loaded them.
"""

from __future__ import annotations

import sys
from fractions import Fraction
from itertools import islice
from typing import Any, TypeAlias

# An int, a Fraction, a NumPy array or a SymPy expression: a rule's parameter is annotated so where a symbol may stand
# for it. For type checkers it is Any, because the result is of the kind of the arguments, which they cannot follow.
Number: TypeAlias = Any


def is_symbolic(*values: Any) -> bool:
    """Whether any value is a SymPy object.

    >>> from sympy import Symbol
    >>> is_symbolic(3, Symbol("bonus")), is_symbolic(3, Fraction(1, 2))
    (True, False)
    """
    sympy = sys.modules.get("sympy")
    return sympy is not None and any(isinstance(value, sympy.Basic) for value in values)


def is_array(*values: Any) -> bool:
    """Whether any value is a NumPy array.

    >>> import numpy
    >>> is_array(3, numpy.arange(2)), is_array([0, 1])
    (True, False)
    """
    numpy = sys.modules.get("numpy")
    return numpy is not None and any(isinstance(value, numpy.ndarray) for value in values)


def is_short(expression: Any, most: int) -> bool:
    """Whether a SymPy expression has at most so many parts; parts that occur twice count twice.

    >>> from sympy import Symbol
    >>> is_short(Symbol("x") + 1, 3), is_short(Symbol("x") + 1, 2)
    (True, False)
    """
    parts = sys.modules["sympy"].preorder_traversal(expression)
    return next(islice(parts, most, None), None) is None


def _objects(value: Any) -> Any:
    """Python whole numbers instead of NumPy's, so that a product can never overflow."""
    return value.astype(object) if is_array(value) else value


def elementwise(function: Any, *values: Any) -> Any:
    """Apply a function of plain numbers to every element of arrays.

    >>> import numpy
    >>> elementwise(Fraction, numpy.array([5, 10]), 20).tolist()
    [Fraction(1, 4), Fraction(1, 2)]
    """
    numpy = sys.modules["numpy"]
    return numpy.frompyfunc(function, len(values), 1)(*map(_objects, values))


def ratio(numerator: Number, denominator: Number) -> Number:
    """Divide exactly.

    >>> ratio(11, 20)
    Fraction(11, 20)
    """
    if is_symbolic(numerator, denominator):
        return _symbolic_ratio(numerator, denominator)
    if is_array(numerator, denominator):
        return elementwise(Fraction, numerator, denominator)
    return Fraction(numerator, denominator)


def _symbolic_ratio(numerator: Any, denominator: Any) -> Any:
    """One fraction bar, as a reader would write it: SymPy would spread the division over a sum."""
    sympy = sys.modules["sympy"]
    numerator, denominator = sympy.sympify(numerator), sympy.sympify(denominator)
    if numerator.is_Add and denominator.is_Integer and denominator != 1:
        return sympy.Mul(numerator, sympy.Pow(denominator, -1, evaluate=False), evaluate=False)
    return numerator / denominator


def floor_div(value: Number, divisor: int) -> Number:
    """Divide and round down: -3 halved is -2.

    >>> floor_div(-3, 2)
    -2
    """
    if is_symbolic(value):
        return _symbolic_floor(value, divisor)
    return value // divisor


def _symbolic_floor(value: Any, divisor: int) -> Any:
    """SymPy would take the whole part of (score - 10)/2 out of the floor, and the rule would not be seen any more."""
    sympy = sys.modules["sympy"]
    quotient = _symbolic_ratio(value, divisor)
    return sympy.floor(quotient, evaluate=bool(quotient.is_number))


def minimum(a: Number, b: Number) -> Number:
    """The smaller of two values.

    >>> minimum(3, 5)
    3
    """
    if is_symbolic(a, b):
        return sys.modules["sympy"].Min(a, b)
    if is_array(a, b):
        return sys.modules["numpy"].minimum(a, b)
    return min(a, b)


def maximum(a: Number, b: Number) -> Number:
    """The larger of two values.

    >>> maximum(3, 5)
    5
    """
    if is_symbolic(a, b):
        return sys.modules["sympy"].Max(a, b)
    if is_array(a, b):
        return sys.modules["numpy"].maximum(a, b)
    return max(a, b)


def clamp(value: Number, low: Number, high: Number) -> Number:
    """Hold a value between two ends.

    >>> clamp(25, 1, 19)
    19
    """
    return minimum(maximum(value, low), high)


def power(base: Number, exponent: Number) -> Number:
    """Raise an exact number to a power.

    >>> power(Fraction(9, 10), 2)
    Fraction(81, 100)
    """
    if is_symbolic(base, exponent):
        return sys.modules["sympy"].sympify(base) ** exponent
    if is_array(base, exponent):
        return elementwise(lambda one, other: Fraction(one) ** other, base, exponent)
    return Fraction(base) ** exponent


def where(condition: Any, then: Number, otherwise: Number) -> Number:
    """Choose by a comparison, which may be a truth value, an array of them, or a SymPy relation.

    >>> where(3 > 2, 1, 0)
    1
    """
    if is_symbolic(condition):
        return sys.modules["sympy"].Piecewise((then, condition), (otherwise, True))
    if is_array(condition):
        return sys.modules["numpy"].where(condition, _objects(then), _objects(otherwise))
    return then if condition else otherwise
