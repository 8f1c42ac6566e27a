"""Exact results of any size are told in a few digits, and never by way of a float or a text they do not fit in."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from d20kit import Pmf, explain, parse
from d20kit.amounts import amount, amount_latex, chance_text
from d20kit.damage import attack_damage, attacks_to_fell, fell_within
from d20kit.magnitudes import is_longer, root, root_text, significant

HUGE, TINY = Fraction(10**5000), Fraction(1, 10**5000)


@given(st.fractions(-(10**40), 10**40, max_denominator=10**40))
def test_like_a_float_where_a_float_serves(value: Fraction) -> None:
    """Readers see the same digits whichever way a number was written."""
    assert significant(value) == f"{float(value):.6g}"
    assert is_longer(value, 20) == (len(str(value)) > 20)


@given(st.integers(-(10**6), 10**6), st.integers(-9000, 9000))
def test_digits_do_not_depend_on_the_size(mantissa: int, exponent: int) -> None:
    """A power of ten moves the exponent and no digit."""
    value = mantissa * Fraction(10) ** exponent
    digits, _e, power = significant(value, 8).partition("e")
    assert Fraction(digits) * Fraction(10) ** int(power or 0) == value


def test_roots_beyond_floats() -> None:
    """A variance may be out of reach for a float although its root is not."""
    assert root(Fraction(10**600)) == pytest.approx(1e300)
    assert root(Fraction(1, 10**600)) == pytest.approx(1e-300)
    assert root(HUGE) == math.inf
    assert root(Fraction(0)) == 0
    assert root_text(HUGE) == "1e+2500"


@pytest.mark.parametrize("number", [HUGE, -HUGE, TINY, HUGE + TINY])
def test_amounts_of_any_size(number: Fraction) -> None:
    """Every way to write an amount is short for a number with thousands of digits."""
    for text in (amount(number), amount_latex(number), amount(number, "chance"), amount((number, 1))):
        assert 0 < len(text) < 120


def test_chances_of_any_size() -> None:
    """Odds are the inverse of a chance and so may be huge where the chance is tiny."""
    assert chance_text(TINY) == "≈ 1e-5000 ≈ under 0.01 % = 1 in 1e+5000"
    assert chance_text(1 - TINY) == "≈ 1 ≈ over 99.99 % = all but 1 in 1e+5000"


RARE = Pmf({0: 10**400, 1: 1})


@pytest.mark.parametrize("make", [lambda: RARE, lambda: Pmf({0: 10**5000, 1: 1}), lambda: parse("10000d6kh1")])
def test_distributions_of_any_size(make: Callable[[], Pmf]) -> None:
    """A distribution whose weights have thousands of digits can still be looked at."""
    pmf = make()
    assert len(repr(pmf)) < 100
    assert str(pmf)
    assert "<caption>" in pmf._repr_html_()
    assert 0 <= pmf.std() < 1


def test_explanations_of_any_size() -> None:
    """Results of many attacks have denominators with thousands of digits."""
    many = explain(fell_within, damage=attack_damage(4, 15, "2d6", 3), hp=30, n=2000)
    assert "over 99.99 %" in str(many)
    assert len(many._repr_html_()) < 3000
    assert attacks_to_fell(RARE, 10).std() == math.inf
    assert "standard deviation 3.162e+400" in str(explain(attacks_to_fell, damage=RARE, hp=10))
