"""A switch may take values that neither reading chooses: what a table of its own plays, a house rule."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from unittest.mock import patch

import pytest

from d20kit import COURSE, SRD35, Ruleset, explain
from d20kit.battle import Encounter
from d20kit.rule import _CARDS, rule
from d20kit.rulesets import RULESETS, SWITCHES, Switch, nearest
from tests.core.variants import variants

FUMBLES = Switch(False, False, "whether a natural 1 drops the weapon", house=(True,))


@dataclass(frozen=True)
class HouseRules(Ruleset):
    """The switches of the kit, and one on which both readings agree."""

    fumbles: bool = False


@pytest.fixture(autouse=True)
def house(monkeypatch: pytest.MonkeyPatch) -> None:
    """A new switch on which both readings agree, and a third value of one on which they differ."""
    monkeypatch.setitem(SWITCHES, "initiative_ties", replace(SWITCHES["initiative_ties"], house=("table",)))
    monkeypatch.setitem(SWITCHES, "fumbles", FUMBLES)
    for name, bundle in RULESETS.items():
        monkeypatch.setitem(RULESETS, name, HouseRules(**asdict(bundle)))


def drops(face: int, *, rules: Ruleset = COURSE) -> int:
    """A rule of the table."""
    who = {"reroll": 0, "modifier": 10, "table": 20}[rules.initiative_ties]
    return who + int(face == 1 and getattr(rules, "fumbles", False))


def test_values_are_those_of_the_readings_then_those_of_the_house() -> None:
    """Whoever goes through the values of a switch meets each once, also where the readings agree."""
    assert SWITCHES["fumbles"].choices == (False, True)
    assert SWITCHES["initiative_ties"].choices == ("reroll", "modifier", "table")


def test_rules_take_the_value_and_name_it() -> None:
    """A house rule is refused, named and written as any other choice is."""
    tables = RULESETS["COURSE"].replace(fumbles=True)
    assert tables.name == "COURSE.replace(fumbles=True)"
    assert nearest(RULESETS["SRD35"].replace(fumbles=True, initiative_ties="table")) == (
        "SRD35",
        ["initiative_ties", "fumbles"],
    )
    assert HouseRules(initiative_ties="table").name == "COURSE.replace(initiative_ties='table')"
    with pytest.raises(ValueError, match="fumbles is 3, but must be one of False, True"):
        HouseRules(fumbles=3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="must be one of 'reroll', 'modifier', 'table'"):
        SRD35.replace(initiative_ties="coin")


def test_a_house_rule_may_be_a_word_where_the_readings_say_yes_or_no(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise it would be refused by a sentence that names it among what is allowed."""
    monkeypatch.setitem(SWITCHES, "save_naturals", replace(SWITCHES["save_naturals"], house=("twenty-only",)))
    taken: object = SRD35.replace(save_naturals="twenty-only").save_naturals
    assert taken == "twenty-only"
    assert SRD35.replace(save_naturals=False).save_naturals is False
    with pytest.raises(ValueError, match="save_naturals is 0, but must be one of False, True, twenty-only"):
        SRD35.replace(save_naturals=0)


def test_an_explanation_says_what_every_other_value_would_give() -> None:
    """A learner sees the house rule beside the other reading."""
    title, why = "Weapon dropped", "It shows that a rule of the table is explained like any other."
    with patch.dict(_CARDS):
        rule(title=title, symbol="w", why=why, source="None", switches=("initiative_ties", "fumbles"))(drops)
        told = [step.text for step in explain(drops, face=1, rules=HouseRules()).steps if step.label == "switch"]
    assert [text.rpartition("here; ")[2] for text in told] == [
        "with 'modifier' the value is 10",
        "with 'table' the value is 20",
        "with True the value is 1",
    ]
    assert told[-1].startswith("fumbles (whether a natural 1 drops the weapon) is False here")


def test_an_encounter_file_keeps_it(tmp_path: Path) -> None:
    """What a table plays is still what it plays next week."""
    tonight = Encounter(Encounter.ready("duel").combatants, HouseRules(fumbles=True, initiative_ties="table"))
    tonight.dump(tmp_path / "tonight.toml")
    assert Encounter.load(tmp_path / "tonight.toml") == tonight


def test_tests_draw_it() -> None:
    """A value that no test goes through is believed."""
    assert {asdict(rules)["fumbles"] for rules in variants().values()} == {False, True}
    assert {rules.initiative_ties for rules in variants().values()} == {"reroll", "modifier", "table"}
