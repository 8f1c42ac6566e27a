"""Attacks and combatants refuse what has no meaning, in a sentence, and never change."""

from __future__ import annotations

import unicodedata
from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from d20kit import Pmf, bestiary, d
from d20kit.battle import Attack, Combatant, Save

CLUB = Attack("club", 2, "1d6")


def combatant(**changes: Any) -> Combatant:
    """Make a plain combatant with something changed."""
    values: dict[str, Any] = {"name": "Ann", "side": "heroes", "hp": 5, "ac": 15, "attacks": CLUB} | changes
    return Combatant(**values)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": ""}, "name is '', but must be text of 1 to 60 characters"),
        ({"name": "x" * 61}, "name is 'x+', but must be text"),
        ({"name": "two\nlines"}, "name is"),
        ({"name": "bell\x07"}, "name is"),
        ({"name": "turned \u202e round"}, "name is"),
        ({"name": " blank"}, "name is"),
        ({"name": 7}, "name is 7"),
        ({"side": None}, "side is None"),
        ({"hp": -10}, "hp is -10, but must be a whole number from -9 to 10000; at -10 hit points a combatant is dead"),
        ({"hp": 10_001}, "hp is 10001"),
        ({"hp": 5.5}, "hp is 5.5"),
        ({"hp": True}, "hp is True"),
        ({"hp": float("nan")}, "hp is nan"),
        ({"ac": 10**9}, "ac is 1000000000"),
        ({"flat_footed_ac": 16}, "flat_footed_ac is 16, but must be a whole number from -1000 to 15; ac, 15"),
        ({"touch_ac": 16}, "touch_ac is 16"),
        ({"constitution": "high"}, "constitution is 'high'"),
        ({"aware": "yes"}, "aware is 'yes', but must be True or False"),
        ({"attacks": "club"}, "attacks is 'club'"),
        ({"attacks": [CLUB, "club"]}, "attacks is"),
        ({"attacks": [CLUB] * 21}, "at most 20"),
        ({"policy": "weakst"}, "did you mean 'weakest'"),
    ],
)
def test_a_combatant_refuses(change: dict[str, Any], message: str) -> None:
    """The message names the argument, the value and what is allowed."""
    with pytest.raises(ValueError, match=message):
        combatant(**change)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"bonus": 1001}, "bonus is 1001"),
        ({"multiplier": 0}, "multiplier is 0"),
        ({"multiplier": 21}, "multiplier is 21"),
        ({"threat": 1}, "threat is 1"),
        ({"damage": 7}, "damage is 7"),
        ({"damage": "1d"}, "cannot read the dice expression"),
        ({"damage": "9999999d6"}, "dice must be"),
        ({"damage": "1d6+2000"}, "no roll exceeds 2000"),
        ({"damage": d(6) * -1000}, "no roll exceeds 2000"),
        ({"extra": ["1d6"]}, "extra is"),
        ({"touch": 1}, "touch is 1"),
    ],
)
def test_an_attack_refuses(change: dict[str, Any], message: str) -> None:
    """A weapon that could not be rolled must not reach a battle."""
    values: dict[str, Any] = {"name": "club", "bonus": 2, "damage": "1d6"} | change
    with pytest.raises(ValueError, match=message):
        Attack(**values)


# argument -> the least and the most there is
ENDS = {
    "hp": (-9, 10_000),
    "ac": (-1000, 1000),
    "constitution": (-1000, 1000),
    "initiative": (-1000, 1000),
    "fortitude": (-1000, 1000),
    "reflex": (-1000, 1000),
    "will": (-1000, 1000),
    "base_attack_bonus": (0, 1000),
    "flat_footed_ac": (-1000, 15),
    "touch_ac": (-1000, 15),
}


@pytest.mark.parametrize("argument", ENDS)
def test_the_ends_of_a_combatants_ranges(argument: str) -> None:
    """What a refusal calls allowed is, to the last number, and nothing beyond it."""
    for end, beyond in zip(ENDS[argument], (-1, 1), strict=True):
        assert getattr(combatant(**{argument: end}), argument) == end
        with pytest.raises(ValueError, match=f"{argument} is {end + beyond}, but must be"):
            combatant(**{argument: end + beyond})


def test_the_longest_name_and_turn() -> None:
    """Sixty characters and twenty attacks are allowed; one of either more is not."""
    assert len(combatant(name="x" * 60, attacks=[CLUB] * 20).attacks) == 20
    assert len(combatant(name="e\u0301" * 60).name) == 60


@pytest.mark.parametrize(
    ("argument", "ends"), [("bonus", (-1000, 1000)), ("multiplier", (1, 20)), ("threat", (2, 20))], ids=str
)
def test_the_ends_of_a_weapons_ranges(argument: str, ends: tuple[int, int]) -> None:
    """What a refusal calls allowed is, to the last number, and nothing beyond it."""
    values: dict[str, Any] = {"name": "club", "bonus": 2, "damage": "1d6"}
    for end, beyond in zip(ends, (-1, 1), strict=True):
        assert getattr(Attack(**values | {argument: end}), argument) == end
        with pytest.raises(ValueError, match=f"{argument} is {end + beyond}, but must be"):
            Attack(**values | {argument: end + beyond})


@pytest.mark.parametrize("sign", [1, -1])
def test_the_largest_damage(sign: int) -> None:
    """A roll of 2000 either way is allowed, written as dice or given as a distribution, and 2001 is not."""
    for largest in (f"{sign * 2000}", Pmf({sign * 2000: 1})):
        assert Attack("ram", 0, largest).damage == largest
    for larger in (f"{sign * 2001}", Pmf({sign * 2001: 1})):
        with pytest.raises(ValueError, match="no roll exceeds 2000"):
            Attack("ram", 0, larger)


@pytest.mark.parametrize("dc", [-1000, 1000])
def test_the_ends_of_a_difficulty_class(dc: int) -> None:
    """A save may be as easy or as hard as any other number of a battle is large."""
    assert Save("will", dc).dc == dc
    with pytest.raises(ValueError, match=r"dc is -?1001, but must be a whole number from -1000 to 1000"):
        Save("will", dc + dc // 1000)


@pytest.mark.parametrize("name", ["剣士", "Zoë", "<b>Bob</b>", "O'Neil; DROP TABLE", "{name}", "👩‍🚀", "%s"])
def test_any_unicode_name_is_data(name: str) -> None:
    """Names are people's own: every script is welcome and nothing in one is interpreted."""
    assert name in str(combatant(name=name))


def test_combatants_never_change() -> None:
    """What was checked when it was made stays as it was."""
    with pytest.raises(FrozenInstanceError):
        combatant().hp = 100  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        CLUB.bonus = 100  # type: ignore[misc]


def test_armor_classes_default_to_the_normal_one() -> None:
    """Whoever names one armor class means it for everything."""
    assert (combatant().flat_footed_ac, combatant().touch_ac) == (15, 15)


@pytest.mark.parametrize(
    ("touch", "flat_footed", "uncanny", "ac"),
    [
        (False, False, False, 16),
        (False, True, False, 13),
        (True, False, False, 14),
        (True, True, False, 11),
        (False, True, True, 16),
        (True, True, True, 14),
    ],
)
def test_the_armor_class_an_attack_must_reach(touch: bool, flat_footed: bool, uncanny: bool, ac: int) -> None:
    """Dexterity 3, size 1, natural 2: touch drops the hide, flat-footed the Dexterity, uncanny dodge keeps it."""
    target = combatant(ac=16, flat_footed_ac=13, touch_ac=14, uncanny_dodge=uncanny)
    assert target.defence(Attack("ray", 2, "1d6", touch=touch), flat_footed).ac == ac


@pytest.mark.parametrize("creature", bestiary.names())
def test_everybody_of_the_bestiary_can_fight(creature: str) -> None:
    """Each stat block makes a combatant with the numbers of the block."""
    block = bestiary.load(creature)
    fighter = Combatant.from_bestiary(creature)
    assert (fighter.hp, fighter.ac, fighter.initiative) == (block.hit_points, block.ac, block.initiative)
    assert [attack.name for attack in fighter.attacks] == list(block.turn)
    assert fighter.side == ("heroes" if creature in bestiary.names("heroes") else "monsters")


@pytest.mark.parametrize("creature", bestiary.names())
def test_a_combatant_fits_the_page(creature: str) -> None:
    """A notebook breaks a longer line anywhere, in the middle of a number too."""
    first, *rest = str(Combatant.from_bestiary(creature, aware=False)).splitlines()
    assert max(map(len, [first, *rest])) <= 90
    assert all(line.startswith("    ") for line in rest)


def test_a_combatant_tells_what_a_battle_turns_on() -> None:
    """Constitution decides between disabled and dying, and uncanny dodge keeps the armor class of the flat-footed."""
    told = str(combatant(constitution=-1, flat_footed_ac=13, uncanny_dodge=True))
    assert ", Con -1, AC 15 (flat-footed 15 by uncanny dodge, touch 15)," in told.replace("\n   ", "")
    assert "(flat-footed 13, " in str(combatant(flat_footed_ac=13))


def test_a_stat_block_may_be_changed() -> None:
    """Name, side, weapon and every number can be given instead."""
    goblin = Combatant.from_bestiary("goblin", name="Goblin A", side="bandits", attack="javelin", aware=False, hp=3)
    assert (goblin.name, goblin.side, goblin.aware, goblin.hp) == ("Goblin A", "bandits", False, 3)
    assert [(attack.name, attack.ranged) for attack in goblin.attacks] == [("javelin", True)]


def test_damage_may_be_a_distribution() -> None:
    """Whoever computes a distribution need not write it as dice."""
    assert Attack("trap", 5, 2 @ d(6)).damage == Pmf.mixture([(1, 2 @ d(6))])


@pytest.mark.parametrize("name", ["\u200b", "\u3164", "\ufe0f", "a\u061cb", "\u200dab", "a\u00adb"])
def test_names_can_be_seen(name: str) -> None:
    """Two names that differ by something nobody sees would make the story of a battle a riddle."""
    with pytest.raises(ValueError, match="name is"):
        Combatant(name, "a", 5, 15, ())


def test_numbers_that_nobody_could_tell_apart_are_named() -> None:
    """Combatant("Ann", "red", 5, 12, club, 2): whose 2 is that?"""
    with pytest.raises(TypeError, match="positional arguments"):
        Combatant("Ann", "red", 5, 12, CLUB, 2)  # type: ignore[call-arg]


@pytest.mark.parametrize("letter", ["\u00e9", "\uac01", "\u1f82"])
def test_a_name_is_as_long_as_it_looks(letter: str) -> None:
    """Written in parts a Korean syllable is three characters and a Greek letter four; sixty of them are a name."""
    parts = unicodedata.normalize("NFD", letter)
    assert Combatant(parts * 60, "a", 5, 15, ()).name == letter * 60
    with pytest.raises(ValueError, match="of 1 to 60 characters"):
        Combatant(parts * 61, "a", 5, 15, ())


def test_names_are_told_apart_as_they_look() -> None:
    """An accent may be typed in two ways, and some scripts and pictures need a joiner within a word."""
    assert Combatant("Jose\u0301", "a", 5, 15, ()).name == "Jos\u00e9"
    assert Combatant("\u0645\u06cc\u200c\u062e", "a", 5, 15, ()).name == "\u0645\u06cc\u200c\u062e"
