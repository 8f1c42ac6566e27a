"""Saving throws: progressions, bonus, chance, one roll."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from d20kit import COURSE, SRD35, Ruleset
from d20kit.abilities import ABILITIES
from d20kit.saves import ABILITY, base_save, multiclass_save, save_bonus, save_chance, save_succeeds


@pytest.mark.parametrize("level", range(0, 41))
def test_progressions(level: int) -> None:
    """Good saves start at 2 and gain every other level; poor ones gain every third."""
    assert base_save(level) == 2 + level // 2
    assert base_save(level, "poor") == level // 3


def test_parts_are_rounded_before_they_are_added() -> None:
    """Thirds of different classes never make a whole."""
    assert multiclass_save([("poor", 2), ("poor", 2), ("good", 1)]) == 2


def test_abilities_of_saves() -> None:
    """Each save leans on an ability that exists."""
    assert ABILITY == {"fortitude": "constitution", "reflex": "dexterity", "will": "wisdom"}
    assert set(ABILITY.values()) <= set(ABILITIES)
    assert save_bonus(2, -1, 3) == 4


@pytest.mark.parametrize("rules", [COURSE, SRD35, COURSE.replace(save_naturals=True)], ids=repr)
def test_chance_counts_faces(rules: Ruleset) -> None:
    """The chance is the share of faces that succeed, with and without special faces."""
    for bonus in range(-6, 26):
        for dc in range(0, 41):
            faces = sum(save_succeeds(face, bonus, dc, rules=rules) for face in range(1, 21))
            assert save_chance(bonus, dc, rules=rules) == Fraction(faces, 20)


def test_switch_reaches_both_ends() -> None:
    """COURSE lets certain saves be certain; SRD35 leaves one face at each end."""
    assert (save_chance(30, 10), save_chance(-5, 40)) == (1, 0)
    assert (save_chance(30, 10, rules=SRD35), save_chance(-5, 40, rules=SRD35)) == (Fraction(19, 20), Fraction(1, 20))


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: base_save(-1), "level is -1"),
        (lambda: base_save(1, "average"), "one of 'good', 'poor'"),
        (lambda: save_chance(0.5, 10), "bonus is 0.5"),
        (lambda: save_chance(0, None), "dc is None"),
        (lambda: save_succeeds(0, 1, 10), "face is 0"),
        (lambda: save_succeeds(21, 1, 10), "face is 21"),
        (lambda: save_bonus(True, 1), "base is True"),
    ],
)
def test_refusals(make: Callable[..., Any], said: str) -> None:
    """What has no meaning is refused by argument, value and range."""
    with pytest.raises(ValueError, match=re.escape(said)):
        make()
