"""Answers written as formulas, worked out with bounded effort."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from sympy import And, Eq, Float, Not, Or, Piecewise, Symbol, atan, factorial

from d20kit.exercises.symbolic import number_of

X, Y = Symbol("x"), Symbol("y")


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (And(X > 1, Y < 9), 1),
        (And(X > 1, Y < 5), 0),
        (Or(X > 4, Eq(Y, 5)), 1),
        (Or(X > 4, Y > 9), 0),
        (Not(Or(X > 4, Y > 9), evaluate=False), 1),
        (Not(And(X > 1, Y < 9), evaluate=False), 0),
    ],
    ids=str,
)
def test_cases_are_chosen_by_joined_conditions(condition: Any, expected: int) -> None:
    """A learner may copy a formula with several ends, and each end has a condition."""
    assert number_of(Piecewise((1, condition), (0, True)), {"x": 3, "y": 5}) == expected


def test_functions_of_small_numbers() -> None:
    """Whole results stay exact, the others are floats, and what is no finite number is none."""
    assert number_of(factorial(X), {"x": 5}) == Fraction(120)
    assert number_of(atan(X), {"x": 1}) == pytest.approx(0.7853981634)
    assert number_of(Float("1e600"), {}) is None
