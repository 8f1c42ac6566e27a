"""Awareness, surprise round, initiative and being flat-footed, against scripted dice."""

from __future__ import annotations

import pytest

from d20kit import COURSE, SRD35, Ruleset
from d20kit.battle import Attack
from tests.core.battle.hands import Happened, Scripted, Warrior


@pytest.mark.parametrize("rules", [COURSE, SRD35])
@pytest.mark.parametrize("aware", [True, False])
def test_without_anybody_surprised_there_is_no_surprise_round(
    warrior: Warrior,
    scripted: Scripted,
    happened: Happened,
    rules: Ruleset,
    aware: bool,
) -> None:
    """All aware: nobody to surprise. Nobody aware: nobody who could act, so the round is skipped."""
    ann, bob = warrior("Ann", "red", aware=aware), warrior("Bob", "blue", aware=aware, hp=1)
    battle = scripted(ann, bob, faces=[15, 10, 14, 6], rules=rules)
    assert not happened(battle, "surprise round begins")
    assert [event.anybody_aware for event in happened(battle, "surprise round skipped")] == [aware]
    assert battle.orders == {"regular": ("Ann", "Bob")}


def test_only_the_aware_act_in_the_surprise_round(warrior: Warrior, scripted: Scripted, happened: Happened) -> None:
    """The unaware neither roll initiative nor act before the surprise round is over."""
    ann, bob, cid = warrior("Ann", "red"), warrior("Bob", "blue", aware=False), warrior("Cid", "red", aware=False)
    # Ann rolls 10 and misses; Bob and Cid roll 18 and 17; Bob misses, Cid and Ann drop him
    battle = scripted(ann, bob, cid, faces=[10, 2, 18, 17, 1, 14, 6, 14, 6])
    kinds = [event.kind for event in battle.events]
    surprise = kinds[kinds.index("surprise round begins") : kinds.index("round begins")]
    assert surprise == [
        "surprise round begins",
        "initiative roll",
        "initiative order",
        "no longer flat-footed",
        "attack roll",
        "initiative roll",
        "initiative roll",
        "initiative order",
    ]
    assert battle.orders == {"surprise": ("Ann",), "regular": ("Bob", "Cid", "Ann")}


def test_the_surprise_round_allows_one_attack(warrior: Warrior, scripted: Scripted, happened: Happened) -> None:
    """Somebody with two attacks makes the first alone while the enemy is surprised, and both afterwards."""
    twice = [Attack("axe", 2, "1d6"), Attack("bite", 2, "1d4")]
    ann, bob = warrior("Ann", "red", attacks=twice), warrior("Bob", "blue", aware=False, hp=1)
    battle = scripted(ann, bob, faces=[10, 2, 9, 2, 14, 2])
    assert [event.attack for event in happened(battle, "attack roll")] == ["axe", "axe", "bite"]


def test_one_unaware_combatant_is_enough(warrior: Warrior, scripted: Scripted, happened: Happened) -> None:
    """Awareness is everybody's own: members of both sides may act in the surprise round."""
    ann, bob, cid = warrior("Ann", "red", hp=1), warrior("Bob", "blue"), warrior("Cid", "blue", aware=False)
    battle = scripted(ann, bob, cid, faces=[10, 15, 14, 6])
    assert happened(battle, "surprise round begins")[0].acting == ("Ann", "Bob")
    assert (battle.winner, battle.rounds, battle.orders) == ("blue", 0, {"surprise": ("Bob", "Ann")})


def test_who_has_not_acted_is_flat_footed_though_aware(
    warrior: Warrior, scripted: Scripted, happened: Happened
) -> None:
    """Being aware does not help before one's own first turn; after it the full armor class counts."""
    ann, bob = warrior("Ann", "red"), warrior("Bob", "blue")
    battle = scripted(ann, bob, faces=[15, 10, 2, 2, 14, 6, 2, 14, 6])
    assert [(event.attacker, event.ac) for event in happened(battle, "attack roll")][:3] == [
        ("Ann", 10),
        ("Bob", 12),
        ("Ann", 12),
    ]


def test_inaction_ends_being_flat_footed_too(warrior: Warrior, scripted: Scripted, happened: Happened) -> None:
    """The turn is used, whatever is done with it."""
    ann, bob = warrior("Ann", "red", policy="inaction"), warrior("Bob", "blue")
    battle = scripted(ann, bob, faces=[15, 10, 12, 6, 12, 6])
    assert [event.name for event in happened(battle, "inaction")] == ["Ann", "Ann"]
    assert [event.ac for event in happened(battle, "attack roll")] == [12, 12]


def test_acting_in_the_surprise_round_ends_being_flat_footed(
    warrior: Warrior, scripted: Scripted, happened: Happened
) -> None:
    """In round 1 the one who acted has the full armor class, the surprised one not before its own turn."""
    ann, bob = warrior("Ann", "red"), warrior("Bob", "blue", aware=False)
    battle = scripted(ann, bob, faces=[10, 2, 20, 3, 2, 14, 6, 3, 14, 6])
    assert [(event.attacker, event.flat_footed) for event in happened(battle, "attack roll")][:3] == [
        ("Ann", True),
        ("Bob", False),
        ("Ann", False),
    ]


def test_uncanny_dodge_keeps_the_armor_class_and_gives_no_action(
    warrior: Warrior, scripted: Scripted, happened: Happened
) -> None:
    """Whoever has it is still flat-footed and still cannot act while unaware."""
    ann, bob = warrior("Ann", "red"), warrior("Bob", "blue", aware=False, uncanny_dodge=True, hp=1)
    battle = scripted(ann, bob, faces=[10, 9, 1, 9, 2, 14, 6])
    rolls = happened(battle, "attack roll")
    assert [(event.attacker, event.ac, event.uncanny_dodge) for event in rolls[:2]] == [
        ("Ann", 12, True),
        ("Ann", 12, True),
    ]
    assert "flat-footed, but uncanny dodge keeps Dex" in " ".join(str(battle).split())


def test_the_tied_roll_again_and_keep_their_place(warrior: Warrior, scripted: Scripted, happened: Happened) -> None:
    """A reroll decides among the tied alone: however low, it never falls behind the others."""
    ann, bob, cid = (warrior(name, side) for name, side in (("Ann", "red"), ("Bob", "blue"), ("Cid", "blue")))
    battle = scripted(ann, bob, cid, faces=[15, 15, 10, 1, 2, *[14, 6] * 6])
    assert battle.orders["regular"] == ("Bob", "Ann", "Cid")
    assert [(event.name, event.face, event.tied_with) for event in happened(battle, "tie reroll")] == [
        ("Ann", 1, ("Bob",)),
        ("Bob", 2, ("Ann",)),
    ]


def test_the_tied_roll_until_they_differ(warrior: Warrior, scripted: Scripted, happened: Happened) -> None:
    """Two rerolls that tie again call for more."""
    ann, bob = warrior("Ann", "red"), warrior("Bob", "blue", hp=1)
    battle = scripted(ann, bob, faces=[15, 15, 7, 7, 9, 8, 14, 6])
    assert battle.orders["regular"] == ("Ann", "Bob")
    assert len(happened(battle, "tie reroll")) == 4


def test_each_reroll_names_those_who_are_still_tied(warrior: Warrior, scripted: Scripted, happened: Happened) -> None:
    """Of three who tied, the one whose second roll was higher is out of it when the other two roll a third time."""
    ann, bob, cid = (warrior(name, side, hp=1) for name, side in (("Ann", "red"), ("Bob", "blue"), ("Cid", "blue")))
    battle = scripted(ann, bob, cid, faces=[9, 9, 9, 4, 4, 11, 6, 2, 14, 6])
    rerolls = [(event.name, event.face, event.tied_with) for event in happened(battle, "tie reroll")]
    assert rerolls == [
        ("Ann", 4, ("Bob", "Cid")),
        ("Bob", 4, ("Ann", "Cid")),
        ("Cid", 11, ("Ann", "Bob")),
        ("Ann", 6, ("Bob",)),
        ("Bob", 2, ("Ann",)),
    ]


def test_latecomers_are_merged_without_new_rolls_for_the_others(
    warrior: Warrior, scripted: Scripted, happened: Happened
) -> None:
    """Initiatives are compared roll by roll: a latecomer tied with a settled pair rolls against their second rolls."""
    ann, bob = warrior("Ann", "red"), warrior("Bob", "red")
    cid = warrior("Cid", "blue", aware=False)
    # Ann and Bob tie at 15 and roll 12 and 8; both miss; Cid rolls 15 and then 10, between them
    battle = scripted(ann, bob, cid, faces=[15, 15, 12, 8, 1, 1, 15, 10, 14, 6, 14, 6, 14, 6])
    assert battle.orders == {"surprise": ("Ann", "Bob"), "regular": ("Ann", "Cid", "Bob")}
    assert [(event.name, event.tied_with) for event in happened(battle, "tie reroll")] == [
        ("Ann", ("Bob",)),
        ("Bob", ("Ann",)),
        ("Cid", ("Ann", "Bob")),
    ]


def test_a_higher_modifier_breaks_ties_where_the_rules_say_so(
    warrior: Warrior, scripted: Scripted, happened: Happened
) -> None:
    """SRD35 rolls again only between equal modifiers."""
    ann, bob = warrior("Ann", "red", initiative=1), warrior("Bob", "blue", initiative=3, hp=1)
    cid = warrior("Cid", "red", initiative=1)
    battle = scripted(ann, bob, cid, faces=[12, 10, 12, 3, 4, 2, 14, 6], rules=SRD35)
    assert battle.orders["regular"] == ("Bob", "Cid", "Ann")
    assert [event.name for event in happened(battle, "tie reroll")] == ["Ann", "Cid"]


def test_the_dead_roll_no_initiative(warrior: Warrior, scripted: Scripted, happened: Happened) -> None:
    """Whoever died surprised has no turn to order."""
    ann, bob = warrior("Ann", "red", damage="3d6"), warrior("Bob", "blue", aware=False, hp=1)
    cid = warrior("Cid", "blue", aware=False, hp=1)
    battle = scripted(ann, bob, cid, faces=[10, 14, 6, 6, 6, 3, 14, 6, 6, 6])
    assert battle.orders["regular"] == ("Ann", "Cid")
