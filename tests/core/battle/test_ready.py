"""The ready encounters are what their names promise."""

from __future__ import annotations

import pytest

from d20kit import bestiary
from d20kit.battle import Encounter
from d20kit.launch.fight import ready_names


def test_eight_are_ready() -> None:
    """The list that people see, the files, and what the command offers are the same eight."""
    assert len(Encounter.ready_names()) == 8
    assert sorted(Encounter.ready_names()) == ready_names()


def test_an_unknown_one_offers_the_nearest() -> None:
    """A typing mistake must lead to the right name."""
    with pytest.raises(ValueError, match=r"did you mean 'ambush'\?"):
        Encounter.ready("ambsh")


@pytest.mark.parametrize("name", Encounter.ready_names())
def test_each_can_be_fought_and_is_open(name: str) -> None:
    """A lesson needs battles that either side may win."""
    encounter = Encounter.ready(name)
    winners = {encounter.fight(seed).winner for seed in range(40)}
    assert winners == set(encounter.sides)


def aware(name: str) -> dict[str, set[bool]]:
    """Return who is aware, by side."""
    encounter = Encounter.ready(name)
    return {side: {one.aware for one in encounter.combatants if one.side == side} for side in encounter.sides}


def test_awareness_is_as_named() -> None:
    """Surprise is what tells these encounters apart."""
    assert aware("duel") == {"red": {True}, "blue": {True}}
    assert aware("ambush") == {"heroes": {True, False}, "monsters": {True}}
    assert aware("both-split") == {"heroes": {True, False}, "monsters": {True, False}}
    assert aware("nobody-aware") == {"heroes": {False}, "monsters": {False}}


def test_the_archers_pay_for_the_distance() -> None:
    """150 feet: one full increment of a longbow costs 2, two of a shortbow 4."""
    bonuses = {one.name: one.attacks[0].bonus for one in Encounter.ready("archers").combatants}
    for hero, weapon, name, penalty in [("ranger", "longbow", "Ranger", 2), ("gnoll", "shortbow", "Gnoll A", 4)]:
        assert bonuses[name] == bestiary.load(hero).attack(weapon).bonus - penalty


def test_the_last_stand_is_made_by_the_disabled() -> None:
    """At 0 hit points a hero is disabled under either rules."""
    assert Encounter.ready("last-stand").combatants[0].hp == 0
