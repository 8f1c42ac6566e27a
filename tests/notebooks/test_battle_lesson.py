"""The one battle that lesson 07 walks through still holds what its text points at."""

from __future__ import annotations

from typing import Any

import pytest

from d20kit.attack import Outcome
from d20kit.battle import Battle
from d20kit.battle.events import (
    AttackRoll,
    Bleeding,
    DamageRoll,
    HitPointChange,
    InitiativeRoll,
    RoundBegins,
    TieReroll,
)
from d20kit.hit_points import State
from notebooks import lesson


@pytest.fixture(scope="module")
def battle() -> Battle:
    """The battle, fought by the lesson's own cells."""
    names: dict[str, Any] = {}
    for block in lesson.load("07-surprise-round-battle").blocks:
        if block.language is None:
            exec(block.text, names)
        if "battle" in names:
            break
    return names["battle"]


def attacks(battle: Battle) -> list[AttackRoll]:
    """All attack rolls, in order."""
    return [event for event in battle.events if isinstance(event, AttackRoll)]


def test_the_first_blow_hits_only_because_its_target_is_flat_footed(battle: Battle):
    """The prediction of the lesson is about this roll."""
    first = attacks(battle)[0]
    armor = next(one.ac for one in battle.encounter.combatants if one.name == first.target)
    assert (first.attacker, first.target, first.total, armor) == ("Orc", "Rogue", 12, 15)
    assert first.flat_footed
    assert first.outcome is Outcome.HIT


def test_a_natural_one_is_in_the_surprise_round(battle: Battle):
    """The text points at the gnoll's 1."""
    first_round = next(place for place, event in enumerate(battle.events) if isinstance(event, RoundBegins))
    ones = [event for event in battle.events[:first_round] if isinstance(event, AttackRoll) and event.face == 1]
    assert [one.attacker for one in ones] == ["Gnoll"]


def test_one_tie_is_rerolled_when_the_late_ones_are_merged(battle: Battle):
    """Step 3 explains this tie, and that it moves nobody else."""
    ties = [event for event in battle.events if isinstance(event, TieReroll)]
    assert [(tie.name, tie.total) for tie in ties] == [("Ranger", 7), ("Goblin A", 11)]
    rolls = {event.name: event.total for event in battle.events if type(event) is InitiativeRoll}
    assert rolls["Ranger"] == rolls["Goblin A"] == 8
    assert rolls["Fighter"] == 11
    order = battle.orders["regular"]
    assert order.index("Fighter") < order.index("Goblin A") < order.index("Ranger")


def test_a_late_combatant_is_flat_footed_until_its_turn(battle: Battle):
    """Step 4 shows Goblin B with both armor classes in one round."""
    assert [attack.flat_footed for attack in attacks(battle) if attack.target == "Goblin B"] == [True, False]


def test_a_critical_disables_the_fighter_who_then_hits(battle: Battle):
    """Step 5 is about this turn."""
    changes = [event for event in battle.events if isinstance(event, HitPointChange) and event.name == "Fighter"]
    (change,) = [event for event in changes if event.after == -2]
    place = battle.events.index(change)
    damage = battle.events[place - 1]
    assert isinstance(damage, DamageRoll)
    assert (damage.critical, damage.damage, change.state) == (True, 18, State.DISABLED)
    later = (event for event in battle.events[place:] if isinstance(event, AttackRoll))
    own = next(event for event in later if event.attacker == "Fighter")
    assert (own.target, own.outcome) == ("Gnoll", Outcome.HIT)


def test_two_heroes_bleed_and_one_goblin_bleeds_to_death(battle: Battle):
    """The text follows the bleeding to its end."""
    bleeding = [event for event in battle.events if isinstance(event, Bleeding)]
    assert {event.name for event in bleeding} >= {"Rogue", "Fighter"}
    assert [event.name for event in bleeding if event.state is State.DEAD] == ["Goblin A"]


def test_the_last_blow_and_its_price(battle: Battle):
    """The end of the story, as the text tells it."""
    last = attacks(battle)[-1]
    assert (last.attacker, last.face, battle.winner, battle.rounds) == ("Barbarian", 20, "heroes", 3)
    left = {one.name: one.hp for one in battle.standings}
    assert (left["Rogue"], left["Fighter"]) == (-5, -9)
