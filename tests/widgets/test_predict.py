"""Predict, lock in, reveal: what is hidden, what is said to a prediction, and what is counted."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from d20kit import set_language
from d20widgets import BattlePlayer, HitPointExplorer
from d20widgets.battle_controls import told
from d20widgets.battle_odds import Missing
from d20widgets.explorer import Explorer
from d20widgets.prediction import judge
from d20widgets.twin import Amount, cell_text
from d20widgets.unbroken import NO_BREAK
from tests.widgets.every import SEEDS, as_written, asked, other


def exact(explorer: Explorer) -> Any:
    """The question and the exact answer for the values as they are."""
    return explorer.question(explorer.numbers(explorer.values))


def test_every_position_has_a_question_with_an_exact_answer(explorer: Explorer) -> None:
    """A question without an answer of known kind could not be judged."""
    for seed in [None, *SEEDS]:
        if seed is not None:
            explorer.random(seed)
        for numbers in explorer._numbers:
            text, answer = explorer.question(numbers)
            assert text.endswith("?")
            assert isinstance(answer, (int, Fraction))
            assert not isinstance(answer, bool)
            if isinstance(answer, Fraction) and not isinstance(answer, Amount):
                assert 0 <= answer <= 1


def test_a_question_does_not_give_the_answer_away(untouched: Explorer) -> None:
    """A learner who reads the answer in the question predicts nothing."""
    text, answer = exact(untouched)
    if isinstance(answer, Fraction) and answer.denominator > 1:
        assert cell_text(answer) not in text
        assert str(answer) not in text


def test_nothing_is_asked_before_somebody_predicts(untouched: Explorer) -> None:
    """Questions for every position are work and traffic that most readers never need."""
    assert untouched.prediction.phase == "off"
    assert untouched.prediction.frames == []


def test_the_text_twin_hides_what_the_page_hides(explorer: Explorer) -> None:
    """Whoever reads the page by its text must not see the answer before those who look at the picture."""
    explorer.prediction.start()
    question, _answer = exact(explorer)
    shown = explorer._repr_mimebundle_()
    assert shown["text/plain"] == repr(explorer)
    assert shown["text/plain"].endswith(question)
    for text in (shown["text/plain"], shown["text/html"]):
        assert explorer.summary not in as_written(text)
    assert "<table>" not in shown["text/html"]
    explorer.prediction.stop()
    assert explorer.summary in repr(explorer)
    assert "<table>" in explorer._repr_mimebundle_()["text/html"]


def test_data_are_hidden_too(explorer: Explorer) -> None:
    """A file with the answer in it is as good as the picture."""
    explorer.prediction.start()
    with pytest.raises(ValueError, match="Lock in your prediction first"):
        explorer.tools.do("data")
    explorer.prediction.lock(exact(explorer)[1])
    assert explorer.tools.do("data")["text"]


def test_the_right_answer_reveals(explorer: Explorer) -> None:
    """The exact answer, as the rule gives it, can never be off."""
    explorer.prediction.start()
    assert explorer.prediction.hides
    assert explorer.prediction.lock(exact(explorer)[1]).startswith("Right")
    assert explorer.prediction.phase == "revealed"
    assert explorer.prediction.feedback.startswith("Right")
    assert explorer.prediction.count.replace(NO_BREAK, " ").startswith("1 of 1 within")


def test_moving_while_hidden_asks_anew(explorer: Explorer) -> None:
    """A learner may set up a case of their own, and predicts that one."""
    explorer.prediction.start()
    name, value = other(explorer)
    explorer.move(**{name: value})
    low = explorer.prediction.first
    asked = explorer.prediction.frames[explorer.values[explorer.main] - low]
    assert asked.replace(NO_BREAK, " ") == exact(explorer)[0]
    assert explorer.prediction.hides


def test_the_answer_is_not_sent_before_it_is_locked_in(hit_points: HitPointExplorer) -> None:
    """What lies in the page can be read there; of the answer nothing may be in what the question sends."""
    hit_points.prediction.start()
    state = {name: getattr(hit_points.prediction, name) for name in ("frames", "feedback", "count", "words")}
    assert cell_text(exact(hit_points)[1]) not in json.dumps(state, ensure_ascii=False).replace(NO_BREAK, " ")


def test_near_predictions_are_counted(hit_points: HitPointExplorer) -> None:
    """The count is what tells a learner that the feeling for chances grows."""
    prediction = hit_points.prediction
    for given, count in (("100 %", "0 of 1"), (exact(hit_points)[1], "1 of 2"), ("1", "1 of 3")):
        prediction.start()
        prediction.lock(given)
        assert prediction.count.replace(NO_BREAK, " ") == f"{count} within 5 points."


def test_a_prediction_is_judged_by_the_question_that_is_shown() -> None:
    """Chances of a battle are found meanwhile: the number that was asked for must not be refused as no chance."""
    player = BattlePlayer("duel", seed=1, position=8)
    chances = told(player.values).chances
    known, chances.found = chances.found, [Missing.WAITING] * len(chances.found)
    player.prediction.start()
    assert player.prediction.question == ("How many combatants can still act?", 2)
    chances.found = known
    assert player.prediction.lock("1") == "You said 1; it is 2: 1 off."
    player.prediction.start()
    assert player.prediction.question[0].startswith("What is the chance")
    player.prediction.lock("1")
    player.close()
    assert as_written(player.prediction.count) == "0 of 1 within 5 points."


def test_the_next_example_is_another_one_and_hidden(explorer: Explorer) -> None:
    """The answer for this one is known now."""
    explorer.prediction.start()
    explorer.prediction.lock(exact(explorer)[1])
    before = explorer.state
    while explorer.state == before:
        assert "refused" not in asked(explorer.prediction, do="another")
    assert explorer.prediction.hides
    assert explorer.prediction.feedback == ""


def test_locking_in_without_a_question_is_refused(hit_points: HitPointExplorer) -> None:
    """There is nothing to be right about."""
    with pytest.raises(ValueError, match="Nothing is hidden"):
        hit_points.prediction.lock("50 %")


@pytest.mark.parametrize("given", ["", "half", "1/0", "<b>5</b>", "9" * 1000, None, True, [1], float("nan"), "150 %"])
def test_what_is_no_chance_is_refused_and_stays_hidden(hit_points: HitPointExplorer, given: Any) -> None:
    """A slip of the keyboard must not cost the prediction."""
    hit_points.prediction.start()
    answer = asked(hit_points.prediction, do="lock", answer=given)
    assert "answer is" in answer["refused"]
    assert len(answer["refused"]) < 300
    assert hit_points.prediction.hides
    assert hit_points.prediction.count == ""


def test_a_percentage_without_its_sign_is_explained() -> None:
    """The commonest slip: 55 where 55 % is meant."""
    with pytest.raises(ValueError, match="for percent write 55 %"):
        judge("55", Fraction(1, 2))


@pytest.mark.parametrize(
    ("given", "answer", "sentence", "near"),
    [
        ("11/20", Fraction(11, 20), "Right: it is 11/20 = 55 %.", True),
        ("0,55", Fraction(11, 20), "Right: it is 11/20 = 55 %.", True),
        ("33 %", Fraction(1, 3), "Right: it is 1/3 ≈ 33.3 %.", True),
        (0.6, Fraction(11, 20), "You said 60 %; it is 11/20 = 55 %: 5 points off.", True),
        ("54 %", Fraction(11, 20), "You said 54 %; it is 11/20 = 55 %: 1 point off.", True),
        ("61 %", Fraction(11, 20), "You said 61 %; it is 11/20 = 55 %: 6 points off.", False),
        (1, Fraction(0), "You said 100 %; it is 0 %: 100 points off.", False),
        ("0.55001", Fraction(11, 20), "You said 55.0 %; it is 11/20 = 55 %: less than 0.1 points off.", True),
        (15, 15, "Right: it is 15.", True),
        (16, 15, "You said 16; it is 15: 1 off.", True),
        (17, 15, "You said 17; it is 15: 2 off.", False),
        ("0.5", Amount(3, 4), "You said 1/2 = 0.5; it is 3/4 = 0.75: 1/4 = 0.25 off.", True),
    ],
)
def test_a_prediction_is_judged_by_how_far_off_it_is(given: Any, answer: Any, sentence: str, near: bool) -> None:
    """Five points are near, six are not; a rounded answer that rounds right is right."""
    set_language("en")
    assert judge(given, answer) == (sentence, near)
