"""Attacks, damage, states, policies and the end of a battle, against scripted dice."""

from __future__ import annotations

from typing import Any

import pytest

from d20kit import COURSE, SRD35, Pmf
from d20kit.attack import Outcome
from d20kit.battle import ROUND_LIMIT, Attack, Encounter
from d20kit.hit_points import State
from tests.core.battle.hands import Happened, Scripted, Warrior, fields_of


def test_natural_one_misses_and_natural_twenty_hits(warrior: Warrior, scripted: Scripted, happened: Happened) -> None:
    """The face decides, however good or bad the bonus."""
    sure, hopeless = warrior("Ann", "red", bonus=50), warrior("Bob", "blue", bonus=-50, hp=1)
    battle = scripted(sure, hopeless, faces=[15, 10, 1, 20, 3, 14, 6])
    assert [event.outcome for event in happened(battle, "attack roll")] == [
        Outcome.MISS,
        Outcome.CRITICAL,
        Outcome.HIT,
    ]


def test_a_hit_takes_at_least_one_hit_point(warrior: Warrior, scripted: Scripted, happened: Happened) -> None:
    """However weak the arm; the narration says what was rolled and what counts."""
    ann, bob = warrior("Ann", "red", damage="1d4-3"), warrior("Bob", "blue", hp=0)
    battle = scripted(ann, bob, faces=[15, 10, 14, 1])
    assert [(event.rolled, event.damage) for event in happened(battle, "damage")] == [(-2, 1)]
    assert "damage 1d4 (1) - 3 = -2, but a hit deals at least 1" in str(battle)


def test_a_critical_multiplies_the_weapon_and_adds_bonus_dice_once(
    warrior: Warrior, scripted: Scripted, happened: Happened
) -> None:
    """COURSE rolls once and multiplies; bonus dice stay single."""
    axe = Attack("axe", 2, "1d8+3", multiplier=3, extra="2d6")
    ann, bob = warrior("Ann", "red", attacks=axe), warrior("Bob", "blue", hp=20)
    battle = scripted(ann, bob, faces=[15, 10, 20, 4, 3, 5])
    assert happened(battle, "damage")[0].damage == 3 * (4 + 3) + 8
    assert "critical damage (1d8 (4) + 3) x 3 + 2d6 (3, 5) = 29" in str(battle)


def test_a_threat_must_be_confirmed_under_srd35(warrior: Warrior, scripted: Scripted, happened: Happened) -> None:
    """A threat is a plain hit until a second roll hits; confirmed, the dice are rolled once for each multiple."""
    sword = Attack("sword", 2, "1d8+3", threat=19)
    ann, bob = warrior("Ann", "red", attacks=sword), warrior("Bob", "blue", hp=15, policy="inaction")
    battle = scripted(ann, bob, faces=[15, 10, 19, 2, 1, 19, 14, 4, 7], rules=SRD35)
    assert [event.outcome for event in happened(battle, "confirmation roll")] == [Outcome.HIT, Outcome.CRITICAL]
    assert [event.damage for event in happened(battle, "damage")] == [4, 17]
    assert "to confirm: d20 2 + 2 = 4 vs AC 10: not confirmed, a plain hit" in str(battle)
    assert "critical damage 1d8 (4) + 3 + 1d8 (7) + 3 = 17" in str(battle)


def test_threat_ranges_mean_nothing_where_only_a_natural_20_is_critical(
    warrior: Warrior, scripted: Scripted, happened: Happened
) -> None:
    """COURSE: 19 is a plain hit with any weapon."""
    ann, bob = warrior("Ann", "red", attacks=Attack("sword", 2, "1d8", threat=19)), warrior("Bob", "blue", hp=1)
    battle = scripted(ann, bob, faces=[15, 10, 19, 4])
    assert happened(battle, "attack roll")[0].outcome is Outcome.HIT


def test_the_dying_bleed_at_their_own_turn_until_dead(warrior: Warrior, scripted: Scripted, happened: Happened) -> None:
    """One hit point each own turn from -1 on; at -10 the story of that combatant ends."""
    ann, bob = warrior("Ann", "red", bonus=20, policy=lambda actor, enemies: enemies[0]), warrior("Bob", "blue", hp=1)
    cid = warrior("Cid", "blue", policy="inaction", hp=40)
    misses = [1] * 20
    battle = scripted(ann, bob, cid, faces=[15, 10, 5, 14, 2, *misses[:10], *[14, 6] * 7])
    bleeding = happened(battle, "bleeding")
    assert [event.after for event in bleeding] == list(range(-2, -11, -1))
    assert bleeding[-1].state is State.DEAD
    assert battle.survivors == ("Ann", "Cid")


def test_the_disabled_still_attack(warrior: Warrior, scripted: Scripted, happened: Happened) -> None:
    """COURSE: from 0 down to minus the Constitution modifier, at no cost."""
    ann = warrior("Ann", "red", hp=-2, constitution=2)
    battle = scripted(ann, warrior("Bob", "blue", hp=1), faces=[15, 10, 14, 6])
    assert battle.winner == "red"
    assert battle.standings[0].hp == -2
    assert battle.standings[0].state is State.DISABLED


def test_acting_while_disabled_costs_a_hit_point_under_srd35(
    warrior: Warrior, scripted: Scripted, happened: Happened
) -> None:
    """The attack counts first, and wins if it drops the last enemy; then its cost drops the attacker."""
    ann = warrior("Ann", "red", hp=0)
    for faces, winner in (([15, 10, 14, 6], "red"), ([15, 10, 2], "blue")):
        battle = scripted(ann, warrior("Bob", "blue", hp=1), faces=faces, rules=SRD35)
        assert [(event.after, event.state) for event in happened(battle, "exertion")] == [(-1, State.DYING)]
        assert battle.winner == winner


def test_the_dying_may_stabilise_under_srd35(warrior: Warrior, scripted: Scripted, happened: Happened) -> None:
    """One in ten each own turn; the stable stop bleeding."""
    ann, bob = warrior("Ann", "red"), warrior("Bob", "blue", hp=1)
    cid = warrior("Cid", "blue", hp=1)
    battle = scripted(ann, bob, cid, faces=[15, 10, 5, 14, 3, 11, 1, 2, 10, 1, 2, 1, 14, 6], rules=SRD35)
    assert [(event.face, event.stable) for event in happened(battle, "stabilise")] == [(11, False), (10, True)]
    assert [event.after for event in happened(battle, "bleeding")] == [-3]
    assert [(event.name, event.state) for event in happened(battle, "inaction")] == [("Bob", State.STABLE)]
    assert battle.standings[1].state is State.STABLE


def test_stabilising_is_rolled_with_a_hundred_faces(warrior: Warrior, scripted: Scripted, happened: Happened) -> None:
    """The script refuses a face that the die does not have."""
    ann, bob, cid = warrior("Ann", "red"), warrior("Bob", "blue", hp=-1), warrior("Cid", "blue", hp=1)
    battle = scripted(ann, bob, cid, faces=[10, 15, 5, 100, 14, 6], rules=SRD35)
    assert [(event.face, event.stable) for event in happened(battle, "stabilise")] == [(100, False)]


def test_a_high_base_attack_bonus_repeats_the_attack_under_srd35(
    warrior: Warrior, scripted: Scripted, happened: Happened
) -> None:
    """+11 strikes at +11, +6 and +1; COURSE lists what it wants; natural attacks are never repeated."""
    ann = warrior("Ann", "red", bonus=14, base_attack_bonus=11)
    bob = warrior("Bob", "blue", hp=3)
    battle = scripted(ann, bob, faces=[15, 10, 1, 1, 1, 1, 14, 6], rules=SRD35)
    assert [event.bonus for event in happened(battle, "attack roll") if event.attacker == "Ann"] == [14, 9, 4, 14]
    battle = scripted(ann, bob, faces=[15, 10, 1, 1, 14, 6], rules=COURSE)
    assert [event.bonus for event in happened(battle, "attack roll") if event.attacker == "Ann"] == [14, 14]
    beast = warrior("Ann", "red", attacks=Attack("bite", 14, "1d6", natural=True), base_attack_bonus=11)
    battle = scripted(beast, bob, faces=[15, 10, 1, 1, 14, 6], rules=SRD35)
    assert [event.bonus for event in happened(battle, "attack roll") if event.attacker == "Ann"] == [14, 14]


@pytest.mark.parametrize(("face", "state"), [(9, State.DEAD), (10, State.HEALTHY)])
def test_massive_damage_calls_for_a_save_under_srd35(
    warrior: Warrior,
    scripted: Scripted,
    happened: Happened,
    face: int,
    state: State,
) -> None:
    """Fifty in one hit: Fortitude against 15 or dead, whatever hit points are left."""
    ann = warrior("Ann", "red", damage="50")
    bob = warrior("Bob", "blue", hp=90, fortitude=5, policy="inaction")
    faces = [15, 10, 14, face] if state is State.DEAD else [15, 10, 14, face, 14]
    battle = scripted(ann, bob, faces=faces, rules=SRD35)
    assert happened(battle, "massive damage save")[0].success is (state is State.HEALTHY)
    assert battle.winner == "red"


def test_there_is_no_massive_damage_in_the_course(warrior: Warrior, scripted: Scripted, happened: Happened) -> None:
    """COURSE counts hit points and nothing else."""
    battle = scripted(warrior("Ann", "red", damage="50"), warrior("Bob", "blue", hp=49), faces=[15, 10, 14])
    assert not happened(battle, "massive damage save")


def test_an_attack_without_damage_hits_and_does_nothing(
    warrior: Warrior, scripted: Scripted, happened: Happened
) -> None:
    """A stirge's touch opens the way for what is not told here; the least damage of a hit is not invented for it."""
    stirge, bob = warrior("Ann", "red", attacks=Attack("touch", 7, None, touch=True)), warrior("Bob", "blue")
    battle = scripted(stirge, bob, faces=[15, 10, 14, 14, 6, 14, 14, 6])
    assert len(happened(battle, "harmless hit")) == 2
    assert battle.standings[1].hp == 10


def test_damage_may_be_drawn_from_a_distribution(warrior: Warrior, scripted: Scripted, happened: Happened) -> None:
    """A script names the place in the distribution, counted in its smallest weight."""
    ann = warrior("Ann", "red", damage=Pmf({2: 1, 7: 3}))
    battle = scripted(ann, warrior("Bob", "blue", hp=6), faces=[15, 10, 14, 2])
    assert happened(battle, "damage")[0].damage == 7


def test_the_battle_ends_with_the_last_able_enemy(warrior: Warrior, scripted: Scripted, happened: Happened) -> None:
    """Nobody has a turn after the blow that decides it, and further attacks of that turn are not rolled."""
    twice = [Attack("axe", 2, "1d6"), Attack("bite", 2, "1d4")]
    ann, bob = warrior("Ann", "red", attacks=twice), warrior("Bob", "blue", hp=1)
    battle = scripted(ann, bob, warrior("Cid", "red"), faces=[15, 10, 5, 14, 6])
    assert len(happened(battle, "attack roll")) == 1
    assert fields_of(battle)[-1].beaten == ("blue",)


def test_the_second_attack_turns_to_the_next_able_enemy(
    warrior: Warrior, scripted: Scripted, happened: Happened
) -> None:
    """Each attack goes to the first enemy in list order that can still act."""
    twice = [Attack("axe", 2, "1d6"), Attack("bite", 2, "1d4")]
    ann = warrior("Ann", "red", attacks=twice)
    bob, cid = warrior("Bob", "blue", hp=1), warrior("Cid", "blue", hp=1)
    battle = scripted(bob, ann, cid, faces=[5, 15, 4, 14, 6, 14, 4])
    assert [event.target for event in happened(battle, "attack roll")] == ["Bob", "Cid"]


def test_three_sides_fight_until_one_is_left(warrior: Warrior, scripted: Scripted) -> None:
    """Everybody of another side is an enemy."""
    ann, bob, cid = warrior("Ann", "red"), warrior("Bob", "blue", hp=1), warrior("Cid", "green", hp=1)
    battle = scripted(ann, bob, cid, faces=[15, 10, 5, 14, 3, 1, 14, 6])
    assert (battle.winner, fields_of(battle)[-1].beaten) == ("red", ("blue", "green"))


@pytest.mark.parametrize(("policy", "target"), [("first-able", "Bob"), ("weakest", "Cid"), ("strongest", "Dan")])
def test_ready_policies_choose(warrior: Warrior, happened: Happened, policy: str, target: str) -> None:
    """First in list order, fewest hit points, most hit points."""
    ann = warrior("Ann", "red", policy=policy, initiative=30)
    enemies = [warrior("Bob", "blue", hp=5), warrior("Cid", "blue", hp=3), warrior("Dan", "blue", hp=9)]
    battle = Encounter([ann, *enemies]).fight(1)
    assert happened(battle, "attack roll")[0].target == target


def test_a_policy_of_ones_own_sees_everybody_able(warrior: Warrior, scripted: Scripted, happened: Happened) -> None:
    """A function gets how it and its able enemies stand, and answers with one of these."""
    seen = []

    def last(actor: Any, enemies: Any) -> Any:
        seen.append((actor.name, [enemy.name for enemy in enemies]))
        return enemies[-1]

    ann = warrior("Ann", "red", policy=last)
    bob, cid = warrior("Bob", "blue", hp=1), warrior("Cid", "blue", hp=1)
    battle = scripted(ann, bob, cid, faces=[15, 10, 5, 14, 3, 1, 14, 6])
    assert [event.target for event in happened(battle, "attack roll") if event.attacker == "Ann"] == ["Cid", "Bob"]
    assert seen == [("Ann", ["Bob", "Cid"]), ("Ann", ["Bob"])]


def test_a_policy_that_raises_is_named(warrior: Warrior) -> None:
    """The error says whose policy it was and what it raised, and keeps the original beneath it."""
    ann = warrior("Ann", "red", policy=lambda actor, enemies: 1 / 0)
    with pytest.raises(ValueError, match="the policy <lambda> of Ann raised ZeroDivisionError") as caught:
        Encounter([ann, warrior("Bob", "blue")]).fight(1)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


@pytest.mark.parametrize("answer", ["Bob", 0, object()])
def test_a_policy_that_returns_no_able_enemy_is_refused(warrior: Warrior, answer: Any) -> None:
    """A target that cannot be attacked would quietly change the battle."""
    ann = warrior("Ann", "red", policy=lambda actor, enemies: answer)
    with pytest.raises(
        ValueError, match=r"the target that the policy <lambda> of Ann returned is .* choose one of .*: Bob"
    ):
        Encounter([ann, warrior("Bob", "blue")]).fight(1)


def test_a_policy_that_returns_itself_is_refused(warrior: Warrior) -> None:
    """One's own standing is shown for comparison, not as a target."""
    ann = warrior("Ann", "red", policy=lambda actor, enemies: actor)
    with pytest.raises(ValueError, match="must be an enemy that can act"):
        Encounter([ann, warrior("Bob", "blue")]).fight(1)


def test_a_battle_that_never_ends_is_a_draw(warrior: Warrior) -> None:
    """If nobody acts the round limit ends it, and the narration says so."""
    idle = [warrior(name, side, policy="inaction") for name, side in (("Ann", "red"), ("Bob", "blue"))]
    battle = Encounter(idle).fight(1)
    assert (battle.winner, battle.rounds) == (None, ROUND_LIMIT)
    assert f"a draw: after {ROUND_LIMIT} rounds, the limit" in str(battle)
