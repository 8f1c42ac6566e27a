"""Each event says itself and becomes a plain record, also where no narration asks for its sentence."""

from __future__ import annotations

import json

import pytest

from d20kit.attack import Outcome
from d20kit.battle.events import Event, RoundBegins, SurpriseRoundSkipped
from d20kit.battle.wording import defence_words, outcome_words
from d20kit.hit_points import State


def test_a_kind_of_event_needs_its_sentence() -> None:
    """An event that could not be told would leave a gap in the story, so there cannot be one."""

    class Silent(Event):
        kind = "silence"

    with pytest.raises(TypeError, match="sentence"):
        Silent()  # type: ignore[abstract]


def test_a_round_is_told_by_its_number() -> None:
    """The narration makes a heading of it; whoever lists events gets a sentence like any other."""
    begun = RoundBegins(3, (("Ann", "red", 5, State.HEALTHY),))
    assert begun.sentence() == "round 3"
    assert json.loads(json.dumps(begun.record()))["standings"] == [["Ann", "red", 5, "healthy"]]


def test_a_surprise_round_without_anybody_aware_is_explained() -> None:
    """That nobody acts has two opposite reasons; a reader must be told which one it was."""
    nobody, everybody = (SurpriseRoundSkipped(aware).sentence() for aware in (False, True))
    assert nobody == "nobody is aware, so nobody could act in a surprise round: it is skipped"
    assert everybody == "everybody is aware: no surprise round"


def test_a_natural_twenty_that_threatens_says_both() -> None:
    """It hits whatever the armor class, and it is still to be confirmed: a reader must hear why the die falls again."""
    assert outcome_words(20, Outcome.HIT, True) == "natural 20, always a hit, and a threat"
    assert outcome_words(19, Outcome.HIT, True) == "hit, and a threat"


def test_the_armor_class_in_force_says_why() -> None:
    """A touch attack on somebody flat-footed with uncanny dodge meets three rules in one number."""
    assert defence_words(12, True, True, True) == "12 touch flat-footed, but uncanny dodge keeps Dex"
    assert defence_words(12, True, True, False) == "12 touch flat-footed (no Dex)"
