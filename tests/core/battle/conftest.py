"""Plain fighters and scripted battles for the tests of the engine."""

from __future__ import annotations

from typing import Any

import pytest

from d20kit import COURSE, Ruleset
from d20kit.battle import Attack, Battle, Combatant, Encounter, ScriptedDice
from tests.core.battle.hands import Happened, Scripted, Warrior


def make_warrior(name: str, side: str, **changes: Any) -> Combatant:
    """A warrior with ten hit points, AC 12 (10 flat-footed) and one club, with something changed."""
    club = Attack("club", changes.pop("bonus", 2), changes.pop("damage", "1d6"))
    values: dict[str, Any] = {"hp": 10, "ac": 12, "flat_footed_ac": 10, "attacks": club} | changes
    return Combatant(name, side, **values)


def tell(*combatants: Combatant, faces: list[int], rules: Ruleset = COURSE) -> Battle:
    """Fight a battle whose every die is written down."""
    return Encounter(combatants, rules).fight(dice=ScriptedDice(faces))


@pytest.fixture
def warrior() -> Warrior:
    """Make a warrior: ``warrior("Ann", "red", hp=3)``."""
    return make_warrior


@pytest.fixture
def scripted() -> Scripted:
    """Fight with written faces: ``scripted(ann, bob, faces=[...])``."""
    return tell


@pytest.fixture
def happened() -> Happened:
    """Return the events of one kind."""

    def of_kind(battle: Battle, kind: str) -> list[Any]:
        return [event for event in battle.events if event.kind == kind]

    return of_kind


@pytest.fixture
def arrays() -> Any:
    """NumPy; without it the test is skipped and says so."""
    return pytest.importorskip("numpy", reason="NumPy is not installed; without it battles are told one by one")
