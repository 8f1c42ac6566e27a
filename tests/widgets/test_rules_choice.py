"""Every explorer that asks for the rules takes a mixture of the switches, shows it, and gives it back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from d20kit import COURSE, SRD35
from d20kit.language import LANGUAGES, _, current_language, set_language
from d20kit.rulesets import RULESETS
from d20widgets.explorer import Explorer
from d20widgets.rules_choice import OWN
from tests.widgets.every import EXPLORERS, as_written, every_frame, run, sent, widget_of

MIXTURE = COURSE.replace(
    critical="confirm", initiative_ties="modifier", save_naturals=True, stabilise_chance=Fraction(1, 10)
)
TABLE = {
    "base": "COURSE",
    "critical": "confirm",
    "initiative_ties": "modifier",
    "stabilise_chance": "1/10",
    "save_naturals": True,
}
KINDS = [kind for kind in EXPLORERS if any(control.name == "rules" for control in kind.controls)]


@pytest.fixture(params=KINDS, ids=lambda kind: kind.__name__)
def mixed(request: pytest.FixtureRequest) -> Iterator[Explorer]:
    """An explorer that was given a mixture."""
    made = request.param(rules=MIXTURE)
    yield made
    made.close()


def choices(explorer: Explorer) -> list[tuple[str, Any]]:
    """What the drop-down offers, by what it is called."""
    return list(widget_of(explorer, "rules").options)


def test_every_topic_that_has_switches_is_asked_for_its_rules() -> None:
    """The tests below would say nothing if they found no explorer."""
    assert {kind.__name__ for kind in KINDS} == {
        "AttackExplorer",
        "DamageExplorer",
        "HitPointExplorer",
        "InitiativeExplorer",
        "SaveExplorer",
    }


def test_a_mixture_is_a_third_choice_that_stays(mixed: Explorer) -> None:
    """Whoever compares rules of their own with a reading goes to and fro."""
    before = every_frame(mixed)
    box = widget_of(mixed, "rules")
    assert choices(mixed) == [*RULESETS.items(), (OWN, MIXTURE)]
    assert box.value == MIXTURE
    for rules in (SRD35, COURSE):
        box.value = rules
        assert mixed.values["rules"] is rules
        assert choices(mixed) == [*RULESETS.items(), (OWN, MIXTURE)]
    box.value = MIXTURE
    assert every_frame(mixed) == before


def test_without_a_mixture_there_are_the_two_readings(mixed: Explorer) -> None:
    """A choice that nobody gave would be rules that nobody knows."""
    plain = type(mixed)()
    assert choices(plain) == [*RULESETS.items()]
    plain.move(rules=MIXTURE)
    plain.move(rules=MIXTURE.replace(critical="natural-20"))
    assert [rules for _name, rules in choices(plain)[2:]] == [MIXTURE.replace(critical="natural-20")]
    plain.close()


def test_its_name_is_in_the_language_in_use(mixed: Explorer) -> None:
    """A word in another language stands out among its neighbours."""
    before = current_language()
    try:
        for language in LANGUAGES:
            set_language(language)
            mixed.redraw()
            assert choices(mixed)[2] == (_(OWN), MIXTURE)
            assert widget_of(mixed, "rules").value == MIXTURE
    finally:
        set_language(before)


def test_rules_that_are_a_reading_after_all_are_no_third(mixed: Explorer) -> None:
    """Two entries that mean the same would be taken for two."""
    plain = type(mixed)(rules=SRD35.replace(critical="natural-20").replace(critical="confirm"))
    assert plain.values["rules"] is SRD35
    assert choices(plain) == [*RULESETS.items()]
    plain.close()


def test_a_state_holds_the_mixture(mixed: Explorer) -> None:
    """What is sent to a neighbour must be the same rules there."""
    assert mixed.state["values"]["rules"] == TABLE
    copied = mixed.tools.do("state")["text"]
    for back in (type(mixed).from_state(json.loads(copied)), type(mixed)()):
        back.tools.do("use", text=copied)
        assert back.values == mixed.values
        assert choices(back) == choices(mixed)
        back.close()


def test_the_code_builds_the_mixture(mixed: Explorer) -> None:
    """Copied code must run as it is, with all that it needs."""
    built = run(mixed.code)
    assert built.values == mixed.values
    built.close()


@pytest.mark.parametrize(
    ("rules", "complaint"),
    [
        ({**TABLE, "base": "HOUSE"}, "base is 'HOUSE', but must be one of 'COURSE', 'SRD35'"),
        ({**TABLE, "critcal": "confirm"}, "a key is 'critcal', .*did you mean 'critical'"),
        ({**TABLE, "critical": ["confirm"]}, r"critical is \['confirm'\], but must be one of"),
        ({**TABLE, "stabilise_chance": "1/0"}, "stabilise_chance is '1/0', but must be one of 0, 1/10"),
        ({**TABLE, "stabilise_chance": "1e999999999"}, "stabilise_chance is '1e999999999', but must be one of"),
        ([TABLE], "rules is .*, but must be a Ruleset such as COURSE or SRD35"),
        ("srd35", "rules is 'srd35', but must be one of 'COURSE', 'SRD35'"),
    ],
)
def test_a_broken_mixture_is_refused_in_a_sentence(mixed: Explorer, rules: Any, complaint: str) -> None:
    """A state that came by mail may hold anything; then the explorer stays as it is."""
    broken = {**mixed.state, "values": {**mixed.state["values"], "rules": rules}}
    with pytest.raises(ValueError, match=complaint):
        type(mixed).from_state(broken)
    with pytest.raises(ValueError, match=complaint):
        mixed.use(broken)
    assert mixed.values["rules"] == MIXTURE


def test_the_whole_of_it_is_shown(mixed: Explorer) -> None:
    """Picture, sentence and table are there under rules that no picture was drawn for."""
    assert sent(mixed)
    assert mixed.figure.data
    assert mixed.table()
    position = mixed.values[mixed.main] - mixed.sentence_line.first
    assert as_written(mixed.sentence_line.frames[position]) == mixed.summary
