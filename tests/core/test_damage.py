"""Damage: grips, multipliers, bonus dice, minimum, and the mixture of an attack."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
import sympy

from d20kit import COURSE, SRD35, Pmf, Ruleset, d
from d20kit.attack import Outcome, outcome_chances, resolve
from d20kit.damage import (
    GRIPS,
    attack_damage,
    critical_damage,
    damage_dealt,
    expected_damage,
    hit_damage,
    rolls_needed,
    stack_multipliers,
    strength_damage,
)

HALVES = {"off-hand": 1, "two-handed": 3}


@pytest.mark.parametrize("strength", range(-5, 11))
def test_melee_grips(strength: int) -> None:
    """COURSE scales the modifier with its sign and rounds down; SRD35 leaves a penalty whole."""
    for grip, halves in HALVES.items():
        assert strength_damage(strength, grip) == halves * strength // 2
        scaled = halves * strength // 2 if strength > 0 else strength
        assert strength_damage(strength, grip, rules=SRD35) == scaled
    for grip, rules in product(("one-handed", "thrown"), (COURSE, SRD35)):
        assert strength_damage(strength, grip, rules=rules) == strength
    assert strength_damage(strength, "two-handed", light=True) == strength


@pytest.mark.parametrize("strength", range(-5, 11))
def test_projectiles(strength: int) -> None:
    """COURSE gives bows and slings no Strength; SRD35 lets each use what its string can carry."""
    assert {strength_damage(strength, grip) for grip in GRIPS[4:]} == {0}
    own = COURSE.replace(projectile_strength="weapon")
    assert strength_damage(strength, "bow", rules=own) == min(strength, 0)
    assert strength_damage(strength, "composite-bow", rating=2, rules=own) == min(strength, 2)
    assert strength_damage(strength, "composite-bow", rules=own) == min(strength, 0)
    assert strength_damage(strength, "sling", rules=own) == strength
    assert strength_damage(strength, "crossbow", rules=own) == 0


def test_multipliers_add_copies() -> None:
    """Each multiplier adds copies of the original, in any order, and x1 adds none."""
    assert stack_multipliers() == 1
    assert stack_multipliers(2) == 2
    assert stack_multipliers(2, 3) == stack_multipliers(3, 2) == 4
    assert stack_multipliers(1, 2, 1) == 2


@pytest.mark.parametrize(("multiplier", "bonus"), list(product((1, 2, 3), (-4, 0, 3))))
def test_critical_against_every_roll(multiplier: int, bonus: int) -> None:
    """The distribution is what the rolled numbers give, roll by roll, under both switches."""
    for rules in (COURSE, SRD35):
        needed = rolls_needed(multiplier, rules=rules)
        counted: dict[int, int] = {}
        for *rolls, extra in product(range(1, 5), repeat=needed + 1):
            dealt = damage_dealt(rolls, bonus, multiplier=multiplier, extra=extra, rules=rules)
            counted[dealt] = counted.get(dealt, 0) + 1
        assert critical_damage("1d4", bonus, multiplier=multiplier, extra="1d4", rules=rules) == Pmf(counted)


def test_hit_is_a_critical_times_one() -> None:
    """Multiplying by one changes nothing."""
    assert hit_damage("2d6", -3, extra="1d6") == critical_damage("2d6", -3, multiplier=1, extra=d(6))


@pytest.mark.parametrize("bonus", range(-12, 3))
def test_minimum_is_one_after_everything(bonus: int) -> None:
    """However large the penalty, a hit takes at least 1 and a miss stays 0."""
    pmf = attack_damage(5, 15, "1d8", bonus)
    assert hit_damage("1d8", bonus).support()[0] == max(1, 1 + bonus)
    assert pmf.pmf(0) == Fraction(9, 20)
    assert critical_damage("1d8", bonus).support()[0] == max(1, 2 * (1 + bonus))


@pytest.mark.parametrize(("ac", "rules"), list(product((5, 15, 24, 40), (COURSE, SRD35))))
def test_attack_against_every_face(ac: int, rules: Ruleset) -> None:
    """The mixture is what 20 times 20 faces and every damage roll give."""
    chances = {outcome: Fraction(0) for outcome in Outcome}
    for face, confirm in product(range(1, 21), repeat=2):
        chances[resolve(face, 5, ac, confirm=confirm, threat=18, rules=rules)] += Fraction(1, 400)
    of = {
        Outcome.MISS: Pmf({0: 1}),
        Outcome.HIT: hit_damage("1d6", 1),
        Outcome.CRITICAL: critical_damage("1d6", 1, multiplier=3, rules=rules),
    }
    pmf = attack_damage(5, ac, "1d6", 1, multiplier=3, threat=18, rules=rules)
    for points in range(0, 25):
        assert pmf.pmf(points) == sum(chance * of[outcome].pmf(points) for outcome, chance in chances.items())
    assert tuple(chances.values()) == outcome_chances(5, ac, threat=18, rules=rules)


def test_expected_damage_keeps_the_minimum() -> None:
    """Where the minimum bites the mean follows the distribution, not the short formula."""
    for ac, rules in product(range(5, 30), (COURSE, SRD35)):
        assert expected_damage(5, ac, "1d4", -3, rules=rules) == attack_damage(5, ac, "1d4", -3, rules=rules).mean()


def test_the_ends_of_every_range_are_allowed() -> None:
    """What a refusal calls allowed must be: the best bow, the longest list of multipliers, the widest threat range."""
    own = COURSE.replace(projectile_strength="weapon")
    assert strength_damage(1000, "composite-bow", rating=1000, rules=own) == 1000
    assert stack_multipliers(*[2] * 20) == 21
    assert stack_multipliers(20) == 20
    assert attack_damage(20, 10, "1d8", threat=2, rules=SRD35).mean() == Fraction(19, 20) * Fraction(9, 2) * (
        1 + Fraction(19, 20)
    )


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: strength_damage(3, "twohanded"), "did you mean 'two-handed'"),
        (lambda: strength_damage(3, "bow", light="yes"), "light is 'yes'"),  # type: ignore[arg-type]
        (lambda: strength_damage(2.5, "bow"), "strength is 2.5"),
        (lambda: strength_damage(2, "composite-bow", rating=-1), "rating is -1"),
        (lambda: stack_multipliers(0), "multiplier is 0"),
        (lambda: stack_multipliers(2, 1.5), "multiplier is 1.5"),
        (lambda: strength_damage(2, "composite-bow", rating=1001), "from 0 to 1000"),
        (lambda: stack_multipliers(*[2] * 21), "at most 20 multipliers"),
        (lambda: attack_damage(5, 15, "1d8", threat=1), "threat is 1, but must be a whole number from 2 to 20"),
        (lambda: attack_damage(5, 15, "1d8", threat=21), "threat is 21, but must be a whole number from 2 to 20"),
        (lambda: attack_damage(5, 15, "100000"), "damage: this distribution would need 200001 outcomes"),
        (lambda: expected_damage(sympy.Symbol("b"), np.array([15, 16]), "1d8"), "bonus_to_hit is b"),
        (lambda: critical_damage("1d8", multiplier=0), "multiplier is 0"),
        (lambda: critical_damage("1d8", multiplier=10**6), "from 1 to 20"),
        (lambda: hit_damage("1d", 1), "column 3"),
        (lambda: hit_damage(None), "dice is None"),  # type: ignore[arg-type]
        (lambda: hit_damage("1d8", True), "bonus is True"),
        (lambda: hit_damage("1d8", extra=[2]), "extra is [2]"),  # type: ignore[arg-type]
        (lambda: damage_dealt([1, 2], multiplier=2), "1 rolled totals"),
        (lambda: damage_dealt(3, multiplier=2, rules=SRD35), "2 rolled totals"),
        (lambda: damage_dealt([1.5]), "rolls is 1.5"),  # type: ignore[list-item]
    ],
)
def test_refusals(make: Callable[..., Any], said: str) -> None:
    """What has no meaning is refused by argument, value and range."""
    with pytest.raises(ValueError, match=re.escape(said)):
        make()
