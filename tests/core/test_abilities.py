"""Ability scores, size, and what a lost point changes."""

from __future__ import annotations

from typing import Any

import pytest

from d20kit.abilities import ABILITIES, AbilityChange, Size, ability_modifier, ability_name, drain, size_modifier


@pytest.mark.parametrize("score", range(0, 46))
def test_two_points_are_one_step(score: int) -> None:
    """The modifier counts full pairs of points above 10, and pairs begun below it."""
    pairs = (score - 10) // 2
    assert ability_modifier(score) == pairs
    assert ability_modifier(score + 2) == pairs + 1


def test_missing_score() -> None:
    """A creature without the ability has neither bonus nor penalty."""
    assert ability_modifier(None) == 0


def test_sizes() -> None:
    """The table of the rules, and every way to name a size."""
    table = (-8, -4, -2, -1, 0, 1, 2, 4, 8)
    assert tuple(size_modifier(size) for size in Size) == table
    assert [size_modifier(size.name.title()) for size in Size] == list(table)


@pytest.mark.parametrize("value", [-1, 10.5, float("nan"), True, "10", 10**6])
def test_score_refused(value: object) -> None:
    """A score is a whole number that is not negative."""
    with pytest.raises(ValueError, match="score is"):
        ability_modifier(value)


def test_unknown_size_offers_the_nearest() -> None:
    """A typing mistake is answered with the word that was meant."""
    with pytest.raises(ValueError, match="did you mean 'medium'"):
        size_modifier("medum")
    with pytest.raises(ValueError, match="one of 'colossal'"):
        size_modifier(3)  # type: ignore[arg-type]


def test_ability_names() -> None:
    """Full names and three letters mean the same ability."""
    assert [ability_name(name[:3].upper()) for name in ABILITIES] == list(ABILITIES)
    with pytest.raises(ValueError, match="did you mean 'wisdom'"):
        ability_name("wisdon")
    with pytest.raises(ValueError, match="ability is 3"):
        ability_name(3)


def test_drain_says_what_changes() -> None:
    """A loss shows only where the modifier moved."""
    changes = drain({"strength": 14, "con": 15, "wis": 10, "int": 9}, strength=1, con=1, wis=4, int=2)
    assert [change.modifier_change for change in changes.values()] == [-1, 0, -2, -1]
    assert str(changes["strength"]) == (
        "strength 14 -> 13, modifier +2 -> +1; -1 to melee attack bonus, melee and thrown damage"
    )
    assert str(changes["constitution"]) == "constitution 15 -> 14, modifier +2 -> +2"
    assert str(changes["intelligence"]) == "intelligence 9 -> 7, modifier -1 -> -2"


def test_drain_says_much_in_two_lines() -> None:
    """A notebook would break a longer line anywhere."""
    change = drain({"dex": 13}, dex=4)["dexterity"]
    assert str(change).splitlines() == [
        "dexterity 13 -> 9, modifier +1 -> -1;",
        "    -2 to ranged attack bonus, armor class, Reflex saves, initiative",
    ]


def test_drain_stops_at_zero() -> None:
    """No score falls below 0, and a missing score has nothing to lose."""
    changes = drain({"dex": 3, "con": None}, dex=9, con=2)
    assert changes["dexterity"] == AbilityChange("dexterity", 3, 0, -4, -5, ABILITIES["dexterity"])
    assert changes["constitution"].score is None
    assert changes["constitution"].modifier_change == 0
    assert str(changes["constitution"]) == "constitution none -> none, modifier +0 -> +0"


def test_drain_shows_whole_scores() -> None:
    """A score from a table of floats is as whole before the loss as after it."""
    change = drain({"str": 13.0}, str=2.0)["strength"]  # type: ignore[arg-type, dict-item]
    assert str(change).startswith("strength 13 -> 11,")


@pytest.mark.parametrize(
    ("loss", "said"),
    [
        ({"str": -1}, "str is -1"),
        ({"luck": 1}, "one of 'strength'"),
        ({"dex": 1}, "holds dexterity"),
        ({"str": 1.5}, "1.5"),
        ({"str": 1, "strength": 2}, "loss is .* each ability once"),
    ],
)
def test_drain_refuses(loss: dict[str, Any], said: str) -> None:
    """A negative loss would be a gift; an ability without a score cannot lose."""
    with pytest.raises(ValueError, match=said):
        drain({"str": 10}, **loss)


def test_drain_needs_one_score_of_an_ability() -> None:
    """Of two scores one would be forgotten."""
    with pytest.raises(ValueError, match=r"scores is .* each ability once"):
        drain({"str": 10, "Strength": 12}, str=1)
