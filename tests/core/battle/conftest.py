"""Plain fighters and scripted battles for the tests of the engine."""

import pytest

from d20kit import COURSE
from d20kit.battle import Attack, Combatant, Encounter, ScriptedDice


def make_warrior(name, side, **changes):
    """A warrior with ten hit points, AC 12 (10 flat-footed) and one club, with something changed."""
    club = Attack("club", changes.pop("bonus", 2), changes.pop("damage", "1d6"))
    values = {"hp": 10, "ac": 12, "flat_footed_ac": 10, "attacks": club} | changes
    return Combatant(name, side, **values)


def tell(*combatants, faces, rules=COURSE):
    """Fight a battle whose every die is written down."""
    return Encounter(combatants, rules).fight(dice=ScriptedDice(faces))


@pytest.fixture
def warrior():
    """Make a warrior: ``warrior("Ann", "red", hp=3)``."""
    return make_warrior


@pytest.fixture
def scripted():
    """Fight with written faces: ``scripted(ann, bob, faces=[...])``."""
    return tell


@pytest.fixture
def happened():
    """Return the events of one kind."""

    def of_kind(battle, kind):
        return [event for event in battle.events if event.kind == kind]

    return of_kind
