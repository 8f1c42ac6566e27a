"""Short texts for chances and distributions never say more than is known."""

from __future__ import annotations

from fractions import Fraction

from d20kit import Pmf
from d20kit.amounts import amount, short_percent_text
from d20kit.felling import AttacksToFell


def test_a_chance_that_is_not_certain_never_reads_as_certain() -> None:
    """Rounded to a tenth, one in a million would be never and its opposite always."""
    assert short_percent_text(Fraction(1, 10**6)) == "under 0.1 %"
    assert short_percent_text(1 - Fraction(1, 10**6)) == "over 99.9 %"
    assert short_percent_text(Fraction(1)) == "100 %"


def test_attacks_too_many_to_be_asked_about_are_told_by_their_mean() -> None:
    """Of an attack with very long chances few can be counted; its mean and its spread are known all the same."""
    long = 2**100_000
    needed = AttacksToFell(Pmf({0: 3 * long, 1: long + 1}), 1)
    text = amount(needed)
    assert text.startswith("mean ")
    assert "suffice" not in text
    assert "suffice half of the time" in amount(AttacksToFell(Pmf({0: 3, 1: 1}), 1))
