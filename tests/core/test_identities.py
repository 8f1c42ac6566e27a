"""Identities that tie the rules together, each over its whole range."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from d20kit import COURSE, SRD35, Pmf, d
from d20kit.attack import Outcome, hit_chance, outcome_chances, resolve
from d20kit.damage import attack_damage, critical_damage, duel_chance, expected_damage
from d20kit.hit_points import rounds_to_death, stabilise_chance
from d20kit.initiative import expected_rerolls, first_chance, pair_chances

FACES = range(1, 21)


def test_hit_chance_is_a_clamped_line() -> None:
    """The closed form is what learners are taught, so it must agree with the count of hitting faces everywhere."""
    for bonus, ac in product(range(-10, 41), range(-5, 61)):
        clamped = min(max(Fraction(21 + bonus - ac, 20), Fraction(1, 20)), Fraction(19, 20))
        hits = sum(resolve(face, bonus, ac) is not Outcome.MISS for face in FACES)
        assert hit_chance(bonus, ac) == clamped == Fraction(hits, 20)


@pytest.mark.parametrize("threat", range(15, 21))
def test_outcome_chances_count_every_pair_of_faces(threat: int) -> None:
    """The chances of an attack are those of its 20 faces, or of its 400 pairs where a threat is confirmed."""
    for rules, bonus, ac in product((COURSE, SRD35), (-3, 0, 7), range(1, 34)):
        seen = [
            resolve(face, bonus, ac, confirm=confirm, threat=threat, rules=rules)
            for face, confirm in product(FACES, repeat=2)
        ]
        counted = tuple(Fraction(seen.count(outcome), 400) for outcome in Outcome)
        assert outcome_chances(bonus, ac, threat=threat, rules=rules) == counted


@pytest.mark.parametrize("multiplier", [2, 3, 4])
@pytest.mark.parametrize("threat", [17, 18, 19, 20])
def test_expected_damage_formula(multiplier: int, threat: int) -> None:
    """While no minimum bites, expected damage is one short formula of the hit chance and two means."""
    sneak = 2 @ d(6)
    for ac in range(1, 35):
        h, weapon, bonus_dice = hit_chance(5, ac), (d(8) + 3).mean(), sneak.mean()
        course = weapon * (h + Fraction(multiplier - 1, 20)) + bonus_dice * h
        t = min(Fraction(21 - threat, 20), h)
        srd = weapon * h * (1 + (multiplier - 1) * t) + bonus_dice * h
        given: dict[str, Any] = {"multiplier": multiplier, "threat": threat, "extra": sneak}
        for rules, formula in ((COURSE, course), (SRD35, srd)):
            assert expected_damage(5, ac, "1d8", 3, rules=rules, **given) == formula
            assert attack_damage(5, ac, "1d8", 3, rules=rules, **given).mean() == formula


@pytest.mark.parametrize("multiplier", range(1, 6))
@pytest.mark.parametrize("dice", ["1d4", "1d12", "2d6", "3d4"])
def test_multiplying_keeps_the_mean_and_widens(dice: str, multiplier: int) -> None:
    """One roll times m has the mean of m rolls and m times their variance: that is what the switch trades."""
    once = critical_damage(dice, multiplier=multiplier)
    often = critical_damage(dice, multiplier=multiplier, rules=SRD35)
    assert once.mean() == often.mean()
    assert once.var() == multiplier * often.var()


@pytest.mark.parametrize("gap", range(26))
def test_pair_chances_by_gap(gap: int) -> None:
    """The triangle formulas of a modifier gap hold from 0 to 20, agree with all 400 pairs, and end there."""
    pairs = list(product(FACES, repeat=2))
    counted = tuple(
        Fraction(sum(won(a + gap, b) for a, b in pairs), 400) for won in (int.__gt__, int.__eq__, int.__lt__)
    )
    assert pair_chances(gap + 3, 3) == counted
    assert pair_chances(-2, gap - 2) == counted[::-1]
    if gap <= 20:
        assert counted[1] == Fraction(20 - gap, 400)
        assert counted[0] == 1 - Fraction((20 - gap) * (21 - gap), 800)


def test_known_initiative_chances() -> None:
    """Three published values anchor the formulas."""
    assert first_chance(2, 1) == Fraction(70, 127)
    assert first_chance(4, 0) == Fraction(11, 16)
    assert expected_rerolls(3, 3) == Fraction(1, 19)


@pytest.mark.parametrize("a", range(-3, 4))
def test_first_chance_of_both_is_one(a: int) -> None:
    """Somebody acts first, whatever the modifiers and whichever way ties are broken."""
    for rules, b in product((COURSE, SRD35), range(-24, 25)):
        assert first_chance(a, b, rules=rules) + first_chance(b, a, rules=rules) == 1
    assert first_chance(a, a) == first_chance(a, a, rules=SRD35) == Fraction(1, 2)


@pytest.mark.parametrize("k", range(1, 11))
def test_self_stabilising(k: int) -> None:
    """From -k the tries left are 10 - k, and all of them must fail to die."""
    assert stabilise_chance(-k) == 1 - Fraction(9, 10) ** (10 - k)
    assert stabilise_chance(-k, rules=COURSE) == 0


@pytest.mark.parametrize("constitution", range(-3, 13))
def test_rounds_to_death(constitution: int) -> None:
    """In the dying band the rounds left are the points above -10; outside it there is no such number."""
    floor = -max(0, constitution)
    for hp in range(-15, 6):
        assert rounds_to_death(hp, constitution) == (hp + 10 if -10 < hp < floor else None)


@pytest.mark.parametrize("twentieths", range(1, 20))
def test_mirror_duel(twentieths: int) -> None:
    """If any hit drops and both hit with chance h, the first mover wins 1/(2 - h): a geometric series."""
    h = Fraction(twentieths, 20)
    strike = Pmf({0: 1 - h, 9: h})
    assert duel_chance(strike, 9, strike, 4) == 1 / (2 - h)
