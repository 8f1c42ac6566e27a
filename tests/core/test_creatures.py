"""The printed lines of sixteen creatures, recomputed from their components."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from d20kit import COURSE, parse
from d20kit.abilities import ability_modifier, size_modifier
from d20kit.armor_class import armor_class_line
from d20kit.attack import melee_bonus, ranged_bonus
from d20kit.damage import strength_damage
from d20kit.initiative import initiative_bonus
from d20kit.saves import save_bonus

DATA = Path(__file__).parent.parent / "data" / "creatures.json"
CREATURES = json.loads(DATA.read_text("utf-8"))["monsters"]
GRIPS = {"one": "one-handed", "off": "off-hand", "two": "two-handed"}
# The printed lines keep a Strength penalty whole in two hands, and give bows and slings no Strength.
AS_PRINTED = COURSE.replace(strength_scaling="bonus")

every_creature = pytest.mark.parametrize("creature", CREATURES, ids=lambda creature: creature["name"])


def signed(dice: str, bonus: int) -> str:
    return f"{dice}{bonus:+d}" if bonus else dice


@every_creature
def test_armor_classes(creature: dict[str, Any]) -> None:
    """Armor class, touch and flat-footed are sums of the same parts."""
    parts = creature["components"]
    worn = {kind: parts.get(kind, 0) for kind in ("armor", "shield", "natural")}
    line = armor_class_line(dexterity=ability_modifier(parts["dex"]), size=size_modifier(creature["size"]), **worn)
    assert line[:3] == (creature["ac"], creature["touch"], creature["flat_footed"])


@every_creature
def test_attacks(creature: dict[str, Any]) -> None:
    """Every attack's bonus and damage follow from base attack, ability, size and grip."""
    parts, size = creature["components"], size_modifier(creature["size"])
    strength, dexterity = ability_modifier(parts["str"]), ability_modifier(parts["dex"])
    for made, printed in zip(parts["attacks"], creature["attacks"], strict=True):
        other = made.get("misc", 0)
        if made["ability"] == "dex":
            assert ranged_bonus(parts["bab"], dexterity, size, other=other) == printed["bonus"]
        else:
            assert melee_bonus(parts["bab"], strength, size, other) == printed["bonus"]
        if made["dice"] is None:
            assert printed["damage"] is None
        else:
            grip = GRIPS.get(made["mode"], made["mode"])
            assert signed(made["dice"], strength_damage(strength, grip, rules=AS_PRINTED)) == printed["damage"]


@every_creature
def test_saves(creature: dict[str, Any]) -> None:
    """Fortitude, Reflex and Will add Constitution, Dexterity and Wisdom, a missing score counting 0."""
    parts = creature["components"]
    scores = (parts["con"], parts["dex"], parts["wis"])
    saves = [save_bonus(base, ability_modifier(score)) for base, score in zip(parts["base_saves"], scores, strict=True)]
    assert saves == [creature["saves"][name] for name in ("fort", "ref", "will")]


@every_creature
def test_initiative(creature: dict[str, Any]) -> None:
    """Initiative is the Dexterity modifier and what a feat adds."""
    parts = creature["components"]
    assert initiative_bonus(ability_modifier(parts["dex"]), parts.get("init_misc", 0)) == creature["initiative"]


@every_creature
def test_hit_points(creature: dict[str, Any]) -> None:
    """Printed hit points are the mean of the hit dice, rounded down."""
    count, sides, bonus = creature["components"]["hit_dice"]
    assert signed(f"{count}d{sides}", bonus) == creature["hit_dice"]
    assert int(parse(creature["hit_dice"]).mean()) == creature["hp"]
