"""Explorers and quizzes take what derives from a text, a list or a dict for what it is, or refuse it in a sentence."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from typing import Any

import pytest

from d20kit.language import set_language
from d20widgets import Quiz
from d20widgets.explorer import Explorer
from d20widgets.prediction import judge
from d20widgets.quiz_run import Run
from tests.core.hostile import HostileDict, HostileFraction, HostileStr, hostile


@pytest.fixture(autouse=True)
def english() -> Any:
    """A text that happens to be a language is no reason to speak it in the tests to come."""
    yield
    set_language("en")


def test_no_control_ends_in_an_error_of_its_own(explorer: Explorer) -> None:
    """A learner's cell ends in a sentence, whatever class the value is of."""
    for control in explorer.controls:
        for value in hostile():
            with suppress(ValueError):
                control.check(value, explorer.values)


def test_a_state_is_read_by_what_is_in_it(explorer: Explorer) -> None:
    """A dict that some library derived is a dict, and each wrong part of one is named."""
    state = explorer.state
    derived = HostileDict({**state, "explorer": HostileStr(state["explorer"]), "values": HostileDict(state["values"])})
    explorer.use(derived)
    assert explorer.state == state
    for part in state:
        for value in hostile():
            with pytest.raises(ValueError, match=rf"^state\['{part}'\] is "):
                explorer.use({**state, part: value})
    for value in hostile():
        with pytest.raises(ValueError, match=r"^(state|text) "):
            explorer.use(value)
        with pytest.raises(ValueError, match=r"^text is "):
            explorer.tools.do("use", text=value)


def test_no_quiz_ends_in_an_error_of_its_own() -> None:
    """States of a class come from files and chats, and answers from anywhere."""
    state = Quiz("saves", 2, 1).state
    values = state["values"]
    for value in hostile():
        for broken in (
            value,
            *({**state, part: value} for part in state),
            *({**state, "values": {**values, name: value}} for name in values),
            {**state, "values": {**values, "tries": [[value], []]}},
            {**state, "values": {**values, "hints": [value, 0]}},
        ):
            with suppress(ValueError):
                Run.unpack(broken)
        for taken in (Quiz("saves", 2, 1).answer, Quiz.tally, lambda given: Quiz.tally([given]), Quiz):
            with suppress(ValueError):
                taken(value)
    assert Run.unpack(HostileDict({**state, "values": HostileDict(values)})).pack() == state


def test_a_prediction_is_the_number_inside() -> None:
    """A fraction of another class is right or wrong as any other."""
    assert judge(HostileFraction(11, 20), Fraction(11, 20)).sentence.startswith("Right")
    for value in hostile():
        with suppress(ValueError):
            judge(value, Fraction(1, 2))
