"""How amounts and formulas are written."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy

from d20kit.amounts import amount, amount_latex, chance_text, one_in_text, percent_text, words_latex
from d20kit.damage import attack_damage
from d20kit.formula import Notation, branch, find_ends, share

BLOW = attack_damage(4, 15, "2d4", 4)


@pytest.mark.parametrize(
    ("chance", "text"),
    [
        (Fraction(0), "0 = 0 % = never"),
        (Fraction(1), "1 = 100 % = always"),
        (Fraction(1, 3), "1/3 ≈ 33.33 % = 1 in 3"),
        (Fraction(2, 3), "2/3 ≈ 66.67 % = all but 1 in 3"),
        (Fraction(1, 10**12), "1/1000000000000 ≈ under 0.01 % = 1 in 1e+12"),
        (1 - Fraction(1, 10**12), "999999999999/1000000000000 ≈ over 99.99 % = all but 1 in 1e+12"),
    ],
)
def test_chances_are_written_honestly(chance: Fraction, text: str) -> None:
    """What is rounded says so, and what is possible is never written as 0 % or 100 %."""
    assert chance_text(chance) == text


def test_amounts_of_every_kind() -> None:
    """Whatever a rule returns must be readable in one line."""
    assert amount(Fraction(7, 2)) == "7/2 = 3.5"
    assert amount(Fraction(1, 3**100)).startswith("≈ ")
    assert amount(True) == "yes"
    orders = {("a", "b"): Fraction(1, 2), ("b", "a"): Fraction(1, 2)}
    assert amount(orders, "chance") == "a, b 50 %; b, a 50 %"
    assert amount([]) == "none"
    assert amount(BLOW.clip(high=0)) == "always 0"
    assert amount(sympy.Symbol("x")) == "x"
    assert one_in_text(Fraction(1, 2)) == "1 in 2"
    assert percent_text(Fraction(99999, 100000)) == "over 99.99 %"


def test_latex_of_amounts() -> None:
    """LaTeX needs the sign before the bar, and words where there is no number."""
    assert amount_latex(Fraction(-1, 2)) == r"-\frac{1}{2}"
    assert amount_latex(Fraction(1, 3), "chance") == r"\frac{1}{3} \approx 33.33\,\%"
    assert amount_latex(Fraction(1, 10**9), "chance") == r"\frac{1}{1000000000} \approx \text{under 0.01 }\%\text{}"
    assert amount_latex(Fraction(1, 3**100)) == f"{1 / 3**100:.6g}"
    assert amount_latex(sympy.Symbol("x")) == "x"
    assert amount_latex(sympy.eye(17)) == ""
    assert amount_latex(True) == ""
    assert words_latex("a_b\\$") == r"\text{a}\_\text{b}\backslash \text{}\$\text{}"


def test_letters_do_not_collide_with_parameters() -> None:
    """A letter that is a parameter already would mean two things."""
    x = sympy.Symbol("k")
    assert share([sympy.Max(0, x), 1 + sympy.Max(0, x)], ["k"])[1] == {sympy.Symbol("m", integer=True): sympy.Max(0, x)}


def test_ends_of_one_side() -> None:
    """A bound on one side only is an end as well."""
    x, y = sympy.symbols("x y")
    notation = Notation(["x", "y"])
    (low,) = find_ends(sympy.Max(0, x))
    (high,) = find_ends(sympy.Min(0, x))
    assert low.sentence(notation, {"x": -1}).endswith("here it is -1, counted as 0")
    assert high.sentence(notation, {"x": 3}).endswith("here it is 3, counted as 0")
    assert high.sentence(notation, {}) == "x counts as at most 0: above that the curve is flat"
    assert find_ends(sympy.Max(x, y)) == []
    assert [end.inner for end in find_ends(sympy.Max(0, sympy.Min(x, y)))] == [sympy.Min(x, y)]


def test_branch_falls_back_to_the_last_case() -> None:
    """Without numbers for the condition nothing is chosen but the last case."""
    x = sympy.Symbol("x")
    assert branch(sympy.Piecewise((1, x > 0), (x, True)), {}) == x
