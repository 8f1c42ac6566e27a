"""The bestiary's components give the published stat blocks, through the rules."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from d20kit import COURSE, SRD35, bestiary
from d20kit.bestiary import Creature
from d20kit.expression import read

PRINTED = json.loads((Path(__file__).parents[2] / "data" / "creatures.json").read_text(encoding="utf-8"))["monsters"]
BASE_CLASSES = {
    "barbarian", "bard", "cleric", "druid", "fighter", "monk", "paladin", "ranger", "rogue", "sorcerer", "wizard",
}  # fmt: skip


@pytest.fixture(params=PRINTED, ids=lambda printed: printed["name"])
def pair(request: pytest.FixtureRequest) -> tuple[dict[str, Any], Creature]:
    """A printed stat block and the creature of that name."""
    return request.param, bestiary.load(request.param["name"])


def test_all_sixteen_are_there() -> None:
    """A creature left out of the tables would be missing without a word."""
    assert bestiary.names("creatures") == tuple(printed["name"] for printed in PRINTED)


def test_armor_classes_are_the_printed_ones(pair: tuple[dict[str, Any], Creature]) -> None:
    """The three armor classes follow from size, Dexterity, armor, shield and natural armor."""
    printed, creature = pair
    assert (creature.ac, creature.touch_ac, creature.flat_footed_ac) == (
        printed["ac"],
        printed["touch"],
        printed["flat_footed"],
    )


def test_attacks_are_the_printed_ones(pair: tuple[dict[str, Any], Creature]) -> None:
    """Bonus, damage, threat range, multiplier and range of every attack follow from components and weapon tables."""
    printed, creature = pair
    for line in printed["attacks"]:
        computed = creature.attack(line["name"])
        low, multiplier = line["crit"].split("/x")
        assert (computed.bonus, computed.damage) == (line["bonus"], line["damage"])
        assert (computed.threat, computed.multiplier) == (int(low.split("-")[0]), int(multiplier))
        assert computed.ranged == (line["kind"] != "melee")
        assert computed.range_increment == line.get("range_increment")


def test_saves_initiative_and_hit_points_are_the_printed_ones(pair: tuple[dict[str, Any], Creature]) -> None:
    """Saves, initiative and the average of the hit dice follow from abilities and base saves."""
    printed, creature = pair
    saves = printed["saves"]
    assert tuple(creature.saves.values()) == (saves["fort"], saves["ref"], saves["will"])
    assert (creature.initiative, creature.hit_points) == (printed["initiative"], printed["hp"])
    assert (creature.size, creature.challenge, creature.hit_dice) == (
        printed["size"],
        printed["cr"],
        printed["hit_dice"],
    )


def test_strength_damage_follows_the_rules_asked_for() -> None:
    """Under other rules the penalty of the kobold's spear is scaled, and its sling has one."""
    kobold = bestiary.load("kobold")
    assert kobold.attack("spear").damage == "1d6-1"
    assert kobold.attack("spear", COURSE).damage == "1d6-2"
    assert kobold.attack("sling", SRD35).damage == "1d3-1"


def test_a_missing_ability_counts_as_modifier_zero() -> None:
    """The undead have no Constitution, which is neither good nor bad for them."""
    assert bestiary.load("human warrior skeleton").modifier("constitution") == 0


@pytest.mark.parametrize(
    ("hero", "base", "ac", "line"),
    [
        ("fighter", 2, 18, "longsword +6 1d8+3"),
        ("rogue", 1, 15, "rapier +4 1d6+1"),
        ("cleric", 1, 17, "heavy mace +3 1d8+2"),
        ("wizard", 1, 12, "light crossbow +3 1d8"),
        ("ranger", 3, 16, "longbow +6 1d8"),
        ("barbarian", 3, 15, "greataxe +6 1d12+4"),
    ],
)
def test_heroes_are_what_their_class_makes_them(hero: str, base: int, ac: int, line: str) -> None:
    """Worked out by hand from class, level, abilities and gear."""
    creature = bestiary.load(hero)
    attack = creature.attack(creature.turn[0])
    assert (creature.base_attack_bonus, creature.ac) == (base, ac)
    assert f"{attack.name} {attack.bonus:+d} {attack.damage}" == line


def test_only_the_barbarian_has_uncanny_dodge() -> None:
    """At these levels a rogue has not learned it yet."""
    assert [name for name in bestiary.names() if bestiary.load(name).uncanny_dodge] == ["barbarian"]


def test_unknown_names_offer_the_nearest() -> None:
    """A typing mistake must lead to the right name."""
    with pytest.raises(ValueError, match=r"did you mean 'goblin'\?"):
        bestiary.load("gobblin")
    with pytest.raises(ValueError, match=r"did you mean 'longsword'\?"):
        bestiary.weapon("longswrod")
    with pytest.raises(ValueError, match=r"did you mean 'javelin'\?"):
        bestiary.load("goblin").attack("javelins")
    with pytest.raises(ValueError, match=r"did you mean 'rogue'\?"):
        bestiary.class_progression("rouge")
    with pytest.raises(ValueError, match="size is 'huge', but must be one of 'small', 'medium', 'large'"):
        bestiary.weapon("greatclub").dice("huge")


@pytest.mark.parametrize("name", bestiary.weapons())
def test_every_weapon_can_be_rolled(name: str) -> None:
    """Damage dice are readable and do not shrink with the wielder, and the critical is one of the known kinds."""
    weapon = bestiary.weapon(name)
    means = [read(weapon.dice(size)).pmf().mean() for size in ("small", "medium", "large")]
    assert means == sorted(set(means))
    assert (weapon.threat, weapon.multiplier) in {(18, 2), (19, 2), (20, 2), (20, 3), (20, 4)}
    assert weapon.training in ("simple", "martial", "exotic")


def test_eleven_base_classes() -> None:
    """The class table is whole, and its progressions are those the rules know."""
    assert set(bestiary.classes()) == BASE_CLASSES
    for name in bestiary.classes():
        career = bestiary.class_progression(name)
        assert career.attack in ("good", "average", "poor")
        assert {career.fortitude, career.reflex, career.will} <= {"good", "poor"}


def test_the_license_is_whole() -> None:
    """The license asks to be included with its fifteen sections and the notice of its source."""
    text = (Path(bestiary.__file__).parent / "OGL.txt").read_text(encoding="utf-8")
    assert all(f"\n{section}. " in text for section in range(1, 16))
    assert "System Reference Document Copyright 2000-2003, Wizards of the Coast, Inc.; Authors Jonathan Tweet" in text


def test_a_creature_reads_like_its_stat_block() -> None:
    """One line holds what a fight needs: hit points, armor class, initiative and the attacks of a turn."""
    assert str(bestiary.load("goblin")) == "goblin: 5 hit points, AC 15, initiative +1; morningstar +2 (1d6)"


def test_an_attack_without_damage_shows_none() -> None:
    """The touch of a stirge hurts nobody by itself, so no dice stand behind it."""
    assert str(bestiary.load("stirge")).endswith("; touch +7")
