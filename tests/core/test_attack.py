"""Attack bonuses, reading a roll, and refusals."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy

from d20kit import COURSE, SRD35
from d20kit.attack import (
    Outcome,
    base_attack_bonus,
    hit_chance,
    is_hit,
    is_threat,
    iterative_attacks,
    melee_bonus,
    multiclass_attack_bonus,
    outcome_chances,
    range_penalty,
    ranged_bonus,
    resolve,
)
from d20kit.attack_bonus import LONGEST_INCREMENT


@pytest.mark.parametrize("level", range(0, 41))
def test_progressions(level: int) -> None:
    """Whole parts only: the fraction of a point is not kept."""
    assert base_attack_bonus(level, "good") == level
    assert base_attack_bonus(level, "average") == level * 3 // 4
    assert base_attack_bonus(level, "poor") == level // 2


def test_parts_are_rounded_before_they_are_added() -> None:
    """Two halves of different classes never make a whole."""
    assert multiclass_attack_bonus([("average", 3), ("poor", 3)]) == 2 + 1
    assert multiclass_attack_bonus([]) == 0


def test_penalties_are_added() -> None:
    """A penalty is a negative number, so nothing is ever subtracted."""
    assert melee_bonus(3, -1, -1, -2) == -1
    assert ranged_bonus(3, 2, 1, range_penalty(60, 30, "thrown"), -1) == 1


@pytest.mark.parametrize(("kind", "reach"), [("thrown", 5), ("projectile", 10)])
def test_range_ends(kind: str, reach: int) -> None:
    """The last full increment still counts; one foot more is out of range."""
    assert range_penalty(reach * 20, 20, kind) == -2 * reach
    with pytest.raises(ValueError, match=f"{reach} increments"):
        range_penalty(reach * 20 + 1, 20, kind)
    with pytest.raises(ValueError, match=f"within {reach} increments"):
        range_penalty(np.array([1, 901]), np.array([60, 60]), kind)


@pytest.mark.parametrize(
    ("base", "attacks"),
    [(0, (0,)), (5, (5,)), (6, (6, 1)), (11, (11, 6, 1)), (16, (16, 11, 6, 1)), (25, (25, 20, 15, 10)), (-3, (-3,))],
)
def test_iterative_attacks(base: int, attacks: tuple[int, ...]) -> None:
    """Further attacks come at 6, 11 and 16 and stop at four; COURSE gives none by itself."""
    assert iterative_attacks(base) == attacks
    assert iterative_attacks(base, rules=COURSE) == (base,)


def test_faces_one_and_twenty() -> None:
    """The face decides at the ends of the die, never the total."""
    assert not is_hit(1, 100, 5)
    assert is_hit(20, -100, 50)
    assert is_hit(2, 18, 20)
    assert not is_hit(2, 17, 20)


def test_threats_are_confirmed() -> None:
    """A threat must hit to count, the second roll follows the same ends, and COURSE asks for none."""
    assert is_threat(18, 0, 18, threat=18, rules=SRD35)
    assert not is_threat(18, 0, 19, threat=18, rules=SRD35)
    assert not is_threat(17, 5, 18, threat=18, rules=SRD35)
    assert resolve(19, 10, 20, confirm=20, threat=19, rules=SRD35) is Outcome.CRITICAL
    assert resolve(19, 30, 20, confirm=1, threat=19, rules=SRD35) is Outcome.HIT
    assert resolve(19, 10, 20, threat=19) is Outcome.HIT
    assert resolve(20, -5, 40) is Outcome.CRITICAL


def test_only_a_twenty_threatens_unless_the_weapon_says_so() -> None:
    """A weapon of which no range is told has the narrowest, in each of the three rules that ask for one."""
    assert [is_threat(face, 10, 12, rules=SRD35) for face in (19, 20)] == [False, True]
    assert [resolve(face, 10, 12, confirm=20, rules=SRD35) for face in (19, 20)] == [Outcome.HIT, Outcome.CRITICAL]
    assert outcome_chances(10, 12, rules=SRD35)[2] == Fraction(1, 20) * Fraction(19, 20)


def test_threat_ranges_end_at_two_and_twenty() -> None:
    """The face 1 always misses and can never threaten, so 2 is the lowest face a range may have and 20 the highest."""
    assert is_threat(2, 20, 10, threat=2, rules=SRD35)
    assert outcome_chances(20, 10, threat=2, rules=SRD35)[2] == Fraction(19, 20) * Fraction(19, 20)
    assert outcome_chances(20, 10, threat=20, rules=SRD35)[2] == Fraction(1, 20) * Fraction(19, 20)
    for threat in (1, 21):
        with pytest.raises(ValueError, match=f"threat is {threat}, but must be .* from 2 to 20"):
            outcome_chances(20, 10, threat=threat, rules=SRD35)
        with pytest.raises(ValueError, match=f"threat is {threat}, but must be .* from 2 to 20"):
            is_threat(15, 20, 10, threat=threat, rules=SRD35)


def test_a_threat_needs_its_second_roll() -> None:
    """Forgetting the confirming roll must not quietly become a hit."""
    with pytest.raises(ValueError, match="second d20"):
        resolve(20, 5, 10, rules=SRD35)


def test_critical_switch_alone() -> None:
    """The switch works without the rest of its bundle."""
    assert outcome_chances(4, 15, threat=18, rules=COURSE.replace(critical="confirm"))[2] == Fraction(3, 40)
    assert outcome_chances(4, 15, threat=18, rules=SRD35.replace(critical="natural-20"))[2] == Fraction(1, 20)


def test_symbols_make_a_formula() -> None:
    """The same call with symbols is the formula, with both flat ends in it."""
    bonus, ac = sympy.symbols("bonus ac", integer=True)
    formula = hit_chance(bonus, ac)
    assert formula.free_symbols == {bonus, ac}
    assert {formula.subs({bonus: b, ac: 10}) for b in (-50, 50)} == {sympy.Rational(1, 20), sympy.Rational(19, 20)}


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: hit_chance(True, 10), "bonus is True"),
        (lambda: hit_chance(5, 10.5), "ac is 10.5"),
        (lambda: hit_chance(float("nan"), 10), "bonus is nan"),
        (lambda: hit_chance(float("inf"), 10), "bonus is inf"),
        (lambda: hit_chance("7", 10), "bonus is '7'"),
        (lambda: hit_chance(10**9, 10), "from -1000 to 1000"),
        (lambda: hit_chance(np.array([0.5]), 10), "bonus is array"),
        (lambda: hit_chance(np.array([True]), 10), "bonus is array"),
        (lambda: hit_chance(sympy.Symbol("x", integer=False), 10), "bonus is x"),
        (lambda: hit_chance(sympy.Rational(1, 2), 10), "bonus is 1/2"),
        (lambda: hit_chance(sympy.oo, 10), "bonus is oo"),
        (lambda: hit_chance(sympy.Symbol("a") > 1, 10), "bonus is a > 1"),
        (lambda: resolve(0, 5, 10), "face is 0"),
        (lambda: resolve(21, 5, 10), "from 1 to 20"),
        (lambda: resolve(5, 5, 10, confirm=0), "confirm is 0"),
        (lambda: resolve(5, 5, 10, threat=1), "lowest face"),
        (lambda: outcome_chances(5, 10, threat=21), "threat is 21"),
        (lambda: base_attack_bonus(-1), "level is -1"),
        (lambda: base_attack_bonus(3, "god"), "did you mean 'good'"),
        (lambda: melee_bonus(1, 1, size="small"), "size_modifier"),
        (lambda: ranged_bonus(1, 1, range_penalty=2), "negative number"),
        (lambda: range_penalty(-5, 10), "distance is -5"),
        (lambda: range_penalty(-1, 10), "distance is -1"),
        (lambda: range_penalty(5, 0), "increment is 0"),
        (lambda: range_penalty(5, 10, "bow"), "one of 'thrown'"),
    ],
)
def test_refusals(make: Callable[..., Any], said: str) -> None:
    """What has no meaning is refused by argument, value and range."""
    with pytest.raises(ValueError, match=re.escape(said)):
        make()


def test_small_integers_do_not_wrap() -> None:
    """NumPy's one-byte and unsigned numbers would run over in the first sum."""
    assert list(hit_chance(np.array([120], dtype="int8"), np.array([127], dtype="int8"))) == [Fraction(14, 20)]
    assert list(hit_chance(np.array([1], dtype="uint64"), np.array([30], dtype="uint64"))) == [Fraction(1, 20)]
    assert list(hit_chance(np.array([7.0]), 18)) == [Fraction(1, 2)]
    assert hit_chance(np.int64(7), np.float64(18)) == Fraction(1, 2)


@pytest.mark.parametrize("increment", [np.array([]), np.array([10, 20]), sympy.Symbol("i", integer=True), 10])
@pytest.mark.parametrize("distance", [10**5000, 100_001], ids=["endless", "far"])
def test_no_weapon_reaches_so_far(distance: int, increment: object) -> None:
    """Whatever the increment is, no weapon's ten of them can be so far: refused before any arithmetic."""
    with pytest.raises(ValueError, match=r"distance is .*a projectile weapon reaches 10 increments"):
        range_penalty(distance, increment)


def test_the_farthest_shot() -> None:
    """The limit is the reach of the largest increment itself."""
    assert range_penalty(50_000, np.array([10_000]), "thrown").tolist() == [-10]
    assert range_penalty(100_000, 10_000) == -20
    assert range_penalty(0, np.array([])).tolist() == []


def test_the_ends_of_every_range_are_allowed() -> None:
    """What a refusal calls allowed must be, and one more must not: penalties, increments and their lengths."""
    assert ranged_bonus(0, 0, range_penalty=-1000) == -1000
    assert range_penalty(10, 1) == -20
    assert range_penalty(9, LONGEST_INCREMENT) == 0
    for penalty in (-1001, 1):
        with pytest.raises(ValueError, match=f"range_penalty is {penalty}, but must be .* from -1000 to 0"):
            ranged_bonus(0, 0, range_penalty=penalty)
    with pytest.raises(ValueError, match=r"increment is 10001, but must be .* from 1 to 10000"):
        range_penalty(9, 10_001)
