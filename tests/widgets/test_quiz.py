"""The quiz asks, checks, hints and counts; it never tells an answer, and nothing that is typed is run.

Long because one quiz is looked at from all sides: asked, answered, shown, kept and pasted.
"""

from __future__ import annotations

import gc
import json
import weakref
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from html.parser import HTMLParser
from typing import Any

import ipywidgets
import plotly.graph_objects
import pytest

import d20kit
from d20kit import set_language
from d20kit.exercises import TOPICS, Question
from d20widgets import Quiz
from d20widgets.follower import STATIC
from d20widgets.quiz import _heard
from d20widgets.unbroken import NO_BREAK
from tests.widgets.every import Rude

EVIL = "<img src=x onerror=window.hit=1>"
HOSTILE = [
    "__import__('os')",
    "10**9**9",
    "9" * 1_000_000,
    "١٢",  # digits, but not those of the ten that are read
    "½",
    "\u202e12",
    "1e400",
    "nan",
    "",
    "1/0",
    EVIL,
]


@pytest.fixture
def quiz() -> Iterator[Quiz]:
    """A quiz of all topics."""
    made = Quiz()
    yield made
    made.close()


def right(quiz: Quiz) -> Fraction:
    """The exact answer to the question of now."""
    return quiz._run.question.answer


def mistaken(quiz: Quiz) -> tuple[str, Fraction]:
    """A known mistake of the question of now, and the number it gives."""
    return next(iter(quiz._run.question.mistakes.items()))


def finish(quiz: Quiz, wrong: tuple[int, ...] = ()) -> Quiz:
    """Answer everything, some questions by a known mistake."""
    while not quiz.finished:
        quiz.answer(mistaken(quiz)[1] if quiz._run.at in wrong else right(quiz))
        quiz.next()
    return quiz


def test_a_mixed_quiz_asks_about_each_topic_in_turn(quiz: Quiz) -> None:
    """Who asks for no topic wants to be examined in all of them."""
    assert [question.topic for question in quiz._run.questions] == list(TOPICS)


def test_a_mixed_quiz_is_a_text_that_python_reads_too(quiz: Quiz) -> None:
    """A teacher pastes what learners sent into the brackets of a tally, and there a null would be an unknown name."""
    pasted = eval(json.dumps(quiz.state), {"__builtins__": {}})
    assert pasted == quiz.state
    assert Quiz.tally([pasted, {**pasted, "values": {**pasted["values"], "topic": None}}]).summary.startswith("2 ")


@pytest.mark.parametrize("topic", TOPICS)
def test_the_same_seed_asks_the_same_and_no_question_twice(topic: str) -> None:
    """A class answers one quiz on many machines, and a question asked twice would be counted twice."""
    one, other = Quiz(topic, n=10, seed=4), Quiz(topic, n=10, seed=4)
    asked = [question.text for question in one._run.questions]
    assert asked == [question.text for question in other._run.questions]
    assert len(set(asked)) == 10
    assert asked != [question.text for question in Quiz(topic, n=10, seed=5)._run.questions]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"topic": "magic"}, "topic is 'magic'"),
        ({"n": 0}, "n is 0"),
        ({"n": 51}, "n is 51"),
        ({"n": True}, "n is True"),
        ({"seed": -1}, "seed is -1"),
        ({"seed": 10**5000}, "seed is a number of 5001 digits"),
    ],
    ids=["topic", "few", "many", "truth", "negative", "huge"],
)
def test_bad_arguments_are_refused_in_a_sentence(arguments: dict[str, Any], complaint: str) -> None:
    """A slip must be told with what is allowed instead."""
    with pytest.raises(ValueError, match=complaint):
        Quiz(**arguments)


def test_a_right_answer_is_told_and_ends_the_question(quiz: Quiz) -> None:
    """Whoever knows it must hear so and go on; answering again would only confuse the count."""
    assert quiz.answer(str(right(quiz))).startswith("Right")
    assert quiz.view["solved"]
    with pytest.raises(ValueError, match=r"write \.next\(\)"):
        quiz.answer("1")
    quiz.next()
    assert quiz.view["progress"].replace(NO_BREAK, " ") == "Question 2 of 7: Attack roll"


def test_a_number_that_cannot_be_written_is_an_answer(quiz: Quiz) -> None:
    """It is a number all the same, and its own code may raise anything."""
    assert quiz.answer(Rude(98765)) == Quiz().answer("98765")
    for name in ("n", "seed"):
        with pytest.raises(ValueError, match=f"{name} is .*, but must be a whole number"):
            Quiz(**{name: Rude(3)})  # type: ignore[arg-type]


def test_a_known_mistake_is_named_and_may_be_mended(quiz: Quiz) -> None:
    """The feedback is the lesson: it says what was misunderstood, and a second try is welcome."""
    name, number = mistaken(quiz)
    assert quiz.answer(number) == d20kit.exercises.mistakes.SENTENCES[name]
    assert not quiz.view["solved"]
    assert quiz.answer(right(quiz)).startswith("Right")
    assert quiz.table()[0]["first answer"].name == "MISTAKE"


def test_a_rounded_answer_is_almost_right() -> None:
    """A pocket calculator rounds; that is no misunderstanding of the rule."""
    quiz = Quiz("initiative", n=1, seed=6)
    rounded = round(float(right(quiz)), 3)
    assert Fraction(str(rounded)) != right(quiz)
    assert quiz.answer(str(rounded)).startswith("Almost")
    assert quiz.table()[0]["first answer"].name == "ALMOST"


def test_hints_come_one_by_one_and_end(quiz: Quiz) -> None:
    """Each hint says more; a learner takes as few as needed."""
    expected = quiz._run.question.hints
    assert [quiz.hint() for _time in range(4)] == [*expected, expected[2]]
    assert quiz.table()[0]["hints"] == 3
    assert not quiz.view["more_hints"]


def test_feedback_goes_on_where_the_hints_are(quiz: Quiz) -> None:
    """Who has read all hints must not be sent back to the first one."""
    first = quiz._run.question.hints[0]
    assert quiz.answer("98765") == f"Not yet. {first}"
    quiz.hint()
    assert quiz.answer("98764") == "Not yet. The next hint says more."
    quiz.hint(), quiz.hint()
    assert quiz.answer("98763").endswith("the solution shows the whole way.")


def test_the_solution_comes_after_the_last_hint_and_ends_the_question(quiz: Quiz) -> None:
    """Whoever is stuck must see once how it goes; the answer then is no achievement and is not counted as one."""
    quiz.answer("98765")
    for _time in range(3):
        assert quiz.view["more_hints"]
        quiz.hint()
    assert not quiz.view["more_hints"]
    answer, question = quiz._run.question.answer_text, quiz._run.question
    _heard(quiz, {"kind": "solution"}, [])
    assert quiz.view["said"].replace(NO_BREAK, " ") == f"The answer is {answer}."
    steps = question.solution.steps
    assert [label for label, _text in quiz.view["solution"]] == [*(step.label for step in steps), "answer", "why"]
    with pytest.raises(ValueError, match=r"write \.next\(\)"):
        quiz.answer(right(quiz))
    quiz.hint()
    assert quiz.view["solved"]
    assert (quiz.table()[0]["first answer"].name, quiz.table()[0]["hints"]) == ("WRONG", "solution")
    back = Quiz.from_state(json.dumps(quiz.state))
    assert (back.state, back.view["solution"]) == (quiz.state, quiz.view["solution"])
    back.next()
    assert not back.view["solved"]
    assert not back.view["solution"]


def test_every_solution_says_the_answer() -> None:
    """A rule may give a table of chances or several numbers: the one that was asked for must stand out."""
    for topic in TOPICS:
        quiz = Quiz(topic, n=8, seed=1)
        while not quiz.finished:
            quiz.solution()
            answer = quiz._run.question.answer_text
            lines = [text for label, text in quiz.view["solution"] if label in ("value", "answer")]
            assert [text.replace(NO_BREAK, " ") for text in lines].count(answer) == 1
            quiz.next()


@pytest.mark.parametrize(
    ("given", "written"),
    [
        (1 - 0.9, "1/10"),
        (19 / 381, "19/381"),
        (2**0.5, "1.4142135623730951"),
        (0.55, "0.55"),
        (3.14159265358979, "3.14159265358979"),
        (0.00000625, "0.00000625"),
        (1e22, "10000000000000000000000"),
        (Decimal("0.33"), "0.33"),
        (-2.0, "-2"),
        (Fraction(-1, 3), "-1/3"),
    ],
)
def test_a_number_from_python_is_written_as_it_would_be_typed(quiz: Quiz, given: Any, written: str) -> None:
    """A state holds texts: none may be wrong, or refused, only because Python writes floats as it does."""
    quiz.answer(given)
    assert quiz.state["values"]["tries"][0] == [written]
    assert Quiz.from_state(quiz.state).state == quiz.state


def test_a_fraction_too_long_to_be_typed_is_refused(quiz: Quiz) -> None:
    """The refusal must name the size, for it is a number."""
    with pytest.raises(ValueError, match="a number of at most 30 digits"):
        quiz.answer(Fraction(10**30 - 1, 10**30 - 3))


def test_the_result_shows_what_was_written_beside_what_is_right() -> None:
    """A learner who looks back wants to see both; what was passed over stays to be found."""
    quiz = Quiz("attack", n=3, seed=1)
    answers = [question.answer_text for question in quiz._run.questions]
    quiz.answer("98765")
    quiz.next()
    quiz.solution()
    quiz.next()
    quiz.next()
    shown = [[text.replace(NO_BREAK, " ") for text in row[-2:]] for row in quiz.view["result"]["rows"]]
    assert quiz.view["result"]["head"][-2:] == ["you wrote", "right answer"]
    assert shown == [["98765", answers[0]], ["", answers[1]], ["", ""]]


def test_another_quiz_is_another_place(quiz: Quiz) -> None:
    """The page empties its box where a learner has come to another question, as the same place of another quiz is."""
    before = quiz.view["place"]
    quiz.redraw("something else is said")
    assert quiz.view["place"] == before
    quiz.load(Quiz("saves").state)
    assert quiz.view["place"] != before


def test_an_empty_box_asks_for_a_number(quiz: Quiz) -> None:
    """To press Enter too early is no mistake, and needs no word about values and ranges."""
    for text in ("", "  "):
        _heard(quiz, {"kind": "check", "text": text}, [])
        assert quiz.view["said"].replace(NO_BREAK, " ") == "Write a number first, such as 11/20, 0.55 or 55 %."
    assert quiz.table()[0]["answers"] == 0


def test_a_percent_without_its_sign_is_told_as_almost_right() -> None:
    """95 for 95 % is no misunderstanding; the sentence asks for nothing, since the question is over."""
    quiz = Quiz("attack", n=1, seed=2)
    assert quiz._run.question.units == "chance"
    said = quiz.answer(100 * right(quiz))
    assert said.startswith("Almost: you mean percent, and with its sign it is right: ")
    assert said.endswith(" %.")
    assert quiz.view["solved"]


def test_a_hint_that_is_being_said_does_not_stand_there_twice(quiz: Quiz) -> None:
    """The newest hint is in the live region; the earlier ones stay readable below it."""
    first, second = quiz.hint(), quiz.hint()
    assert (quiz.view["said"], quiz.view["hints"]) == (second, [first])
    quiz.answer("123456")
    assert second in quiz.view["hints"]


def test_the_result_says_what_to_repeat(quiz: Quiz) -> None:
    """At the end a learner wants to know where to look again, and why."""
    finish(quiz, wrong=(1, 3))
    assert quiz.summary == "5 of 7 questions right at once. To repeat: Attack roll, Damage."
    assert [line.partition(":")[0] for line in quiz.view["result"]["repeat"]] == ["Attack roll", "Damage"]
    assert all(line.partition(": ")[2] for line in quiz.view["result"]["repeat"])
    with pytest.raises(ValueError, match="the quiz is over"):
        quiz.answer("1")
    assert finish(Quiz()).summary.endswith("Nothing to repeat.")


def test_again_asks_new_questions_of_the_same_kind() -> None:
    """With the old numbers one would repeat answers, not understanding."""
    quiz = finish(Quiz("saves", n=3, seed=2**63 - 1))
    before = [question.text for question in quiz._run.questions]
    quiz.again()
    assert [question.text for question in quiz._run.questions] != before
    assert (quiz._run.topic, quiz._run.n, quiz._run.seed, quiz._run.at) == ("saves", 3, 0, 0)


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text[:12]))
def test_what_is_no_number_is_refused_and_does_not_count(quiz: Quiz, text: str) -> None:
    """A text box takes anything: it is read as a number or refused in a short sentence, and never run."""
    with pytest.raises(ValueError, match=r"^answer is "):
        quiz.answer(text)
    _heard(quiz, {"kind": "check", "text": text}, [])
    assert quiz.view["invalid"]
    assert len(quiz.view["said"]) < 300
    assert quiz.table()[0]["answers"] == 0


@pytest.mark.parametrize(
    "given", [None, True, [1], b"1", float("nan"), 10**5000, object()], ids=lambda given: type(given).__name__
)
def test_other_things_than_numbers_are_refused(quiz: Quiz, given: Any) -> None:
    """From Python anything can be passed; each wrong kind gets the same sentence."""
    with pytest.raises(ValueError, match="answer is"):
        quiz.answer(given)


@pytest.mark.parametrize("message", [None, "check", {"kind": "check"}, {"kind": "check", "text": 3}, {"kind": []}, {}])
def test_messages_that_are_no_request_are_passed_by(quiz: Quiz, message: Any) -> None:
    """The line from the page carries whatever somebody puts on it."""
    before = quiz.state, quiz.view
    _heard(quiz, message, [])
    assert (quiz.state, quiz.view) == before


def test_the_buttons_of_the_page_do_what_the_methods_do(quiz: Quiz) -> None:
    """Page and Python must not be two different quizzes."""
    other = Quiz()
    _heard(quiz, {"kind": "hint"}, [])
    _heard(quiz, {"kind": "check", "text": str(right(quiz))}, [])
    _heard(quiz, {"kind": "next"}, [])
    other.hint()
    other.answer(str(right(other)))
    other.next()
    assert (quiz.state, quiz.view) == (other.state, other.view)
    _heard(quiz, {"kind": "again"}, [])
    assert quiz.state["values"]["seed"] == 1
    _heard(quiz, {"kind": "load", "text": json.dumps(other.state)}, [])
    assert quiz.state == other.state


def test_nothing_asks_for_the_answer_before_somebody_gave_one(quiz: Quiz, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the page or a stored notebook holds can be read by a learner: the answer must not be in it."""

    def asked(_question: Question) -> Fraction:
        raise AssertionError("the answer was asked for")

    monkeypatch.setattr(Question, "answer", property(asked))
    for _question in quiz._run.questions:
        quiz.hint()
        repr(quiz), quiz.state, quiz.code, quiz.figure
        quiz._repr_mimebundle_()
        quiz.next()
    assert quiz.finished


def test_the_twin_never_shows_an_answer(quiz: Quiz) -> None:
    """A stored notebook is handed on: sentence and table tell how it went, and not what was written."""
    quiz.next()
    answer = str(right(quiz))
    said = quiz.answer(answer)
    assert answer in said
    bundle = quiz._repr_mimebundle_()
    shown = bundle[0] if isinstance(bundle, tuple) else bundle
    for text in (shown["text/html"], shown["text/plain"]):
        assert answer not in text.replace(NO_BREAK, " ").replace(quiz._run.question.text, "")
    reader = HTMLParser(convert_charrefs=True)
    texts: list[str] = []
    reader.handle_data = texts.append  # type: ignore[method-assign, assignment]
    reader.feed(shown["text/html"])
    assert "right" in texts


def test_state_goes_out_and_in_through_text(quiz: Quiz) -> None:
    """Learners hand in their state as text; answers, hints and place must come back."""
    quiz.hint()
    quiz.answer("0,5")
    quiz.next()
    text = json.dumps(quiz.state)
    for back in (Quiz.from_state(text), Quiz.from_state(json.loads(text))):
        assert back.state == quiz.state
        assert repr(back) == repr(quiz)
    names: dict[str, Any] = {}
    lines = quiz.code.splitlines()
    exec("\n".join(lines[:-1]), names)  # the kit's own output: that it runs is what is tested
    assert eval(lines[-1], names).state == quiz.state
    assert quiz.view["state"] == json.dumps(quiz.state, separators=(",", ":"))


BROKEN = [
    ("banana", "state is 'banana'"),
    ("[" * 100_000, r"state is '\[\[\["),
    ("9" * 300_000, "at most 200000 characters"),
    ("9" * 10_000, "state is '999"),
    ([1], "state is"),
    (lambda state: {**state, "version": 2}, r"state\['version'\] is 2"),
    (lambda state: {**state, "version": 1.0}, r"state\['version'\] is 1.0"),
    (lambda state: {**state, "explorer": "AttackExplorer"}, r"state\['explorer'\]"),
    (lambda state: {**state, "extra": 1}, "state is"),
    (lambda state: {**state, "values": {}}, r"state\['values'\]"),
    (lambda state: {**state, "values": {**state["values"], "n": 10**9}}, "n is 1000000000"),
    (lambda state: {**state, "values": {**state["values"], "topic": EVIL}}, "topic is"),
    (lambda state: {**state, "values": {**state["values"], "at": 9}}, "at is 9"),
    (lambda state: {**state, "values": {**state["values"], "hints": [5] * 7}}, r"hints\[0\] is 5"),
    (lambda state: {**state, "values": {**state["values"], "hints": 7}}, "hints is 7"),
    (lambda state: {**state, "values": {**state["values"], "tries": []}}, "tries is"),
    (lambda state: {**state, "values": {**state["values"], "tries": [[1]] * 7}}, r"tries\[0\] is"),
    (lambda state: {**state, "values": {**state["values"], "tries": [["os.exit()"]] * 7}}, "answer is"),
    (lambda state: {**state, "values": {**state["values"], "tries": [["98765"] * 21] * 7}}, "that were 20 answers"),
]


@pytest.mark.parametrize(("damage", "complaint"), BROKEN, ids=[complaint for _damage, complaint in BROKEN])
def test_a_broken_state_is_refused_in_a_sentence(quiz: Quiz, damage: Any, complaint: str) -> None:
    """States come from other people's messages: each kind of damage needs its own clear and short answer."""
    broken = damage(quiz.state) if callable(damage) else damage
    before = quiz.state
    with pytest.raises(ValueError, match=complaint) as refused:
        quiz.load(broken)
    assert len(str(refused.value)) < 400
    assert quiz.state == before
    with pytest.raises(ValueError, match=complaint):
        Quiz.from_state(broken)


def test_every_answer_of_a_state_is_checked_anew(quiz: Quiz) -> None:
    """A state is a text that anybody can edit: it holds what was answered, and no claim that it was right."""
    state = finish(quiz).state
    assert "right" not in json.dumps(state)
    state["values"]["tries"][0] = ["98765"]
    assert Quiz.from_state(state).table()[0]["first answer"].name == "WRONG"


def test_the_figure_has_a_cell_for_each_question(quiz: Quiz) -> None:
    """How far one is must be seen at a glance, by pattern as well as by colour."""
    finish(quiz, wrong=(1,))
    assert isinstance(quiz.figure, plotly.graph_objects.Figure)
    cells = {trace.name: trace.x for trace in quiz.figure.data}
    assert cells["right"] == (1, 3, 4, 5, 6, 7)
    assert cells["known mistake"] == (2,)
    markers = [trace.marker for trace in quiz.figure.data]
    assert len({marker.pattern.shape for marker in markers}) == len({marker.color for marker in markers}) == 5


def test_the_language_changes_while_the_quiz_goes_on(quiz: Quiz, monkeypatch: pytest.MonkeyPatch) -> None:
    """A learner may look the question up in the other language; nothing given so far is lost."""
    quiz.answer("98765")
    set_language("en")
    before = quiz.state
    monkeypatch.setattr("d20widgets.quiz.set_language", lambda _language: None)
    monkeypatch.setattr(d20kit.language._catalogue, "gettext", lambda message: f"<{message}>")
    _heard(quiz, {"kind": "language", "text": "id"}, [])
    assert quiz.view["labels"]["check"] == "<Check>"
    assert quiz.view["progress"].replace(NO_BREAK, " ").startswith("<Question 1 of 7>")
    assert quiz.state == before


def test_the_page_can_set_the_kit_s_language(quiz: Quiz) -> None:
    """The switch in the quiz is the kit's: the next explorer must speak the same language."""
    _heard(quiz, {"kind": "language", "text": "id"}, [])
    assert d20kit.language.current_language() == quiz.view["language"] == "id"
    _heard(quiz, {"kind": "language", "text": "xx"}, [])
    assert quiz.view["language"] == "id"
    set_language("en")


def test_a_closed_quiz_is_freed() -> None:
    """A cell that is run a hundred times must not keep a hundred quizzes, nor tallies of them."""
    gc.collect()
    before = len(ipywidgets.widgets.widget._instances)
    made: list[Any] = [Quiz(n=2)]
    made.append(Quiz.tally([made[0].state]))
    traces = [weakref.ref(one) for one in made]
    for one in made:
        one.close()
        one.close()
        repr(one), one._repr_mimebundle_()
    made.clear()
    del one
    gc.collect()
    assert [trace() for trace in traces] == [None, None]
    assert len(ipywidgets.widgets.widget._instances) == before


def test_a_class_is_counted_by_first_answers() -> None:
    """What a class thinks before the feedback is what its teacher has to know."""
    states = [finish(Quiz("damage", n=3), wrong=wrong).state for wrong in ((), (1,), (1, 2))]
    unsure = Quiz("damage", n=3)
    name, number = mistaken(unsure)
    unsure.answer(number)
    unsure.answer(right(unsure))
    tally = Quiz.tally([*states, json.dumps(unsure.state)])
    counts = [(row["right"], row["known mistake"], row["not answered"]) for row in tally.table()]
    assert counts == [(3, 1, 0), (1, 2, 1), (2, 1, 1)]
    assert f"1 x: {d20kit.exercises.mistakes.SENTENCES[name]}" in tally.table()[0]["mistakes"]
    assert tally.summary == "4 learners: 6 of 10 first answers right. Hardest: question 2, 1 of 3 right."
    assert [trace.y for trace in tally.figure.data if trace.name == "right"] == [(3, 1, 2)]
    assert tally.figure.data[0].type == "bar"
    assert [row[1] for row in tally._table.table["rows"]] == ["3", "1", "2"]


def test_an_empty_class_answer_has_no_hardest_question() -> None:
    """Before anybody has answered, every question would be the hardest."""
    assert Quiz.tally([Quiz(n=1).state]).summary == "1 learner: nobody has answered yet."


def test_each_broken_state_of_a_class_is_named() -> None:
    """Thirty texts from thirty learners: the message must say which ones to ask for again, all at once."""
    quiz = Quiz(n=2)
    hostile = {**quiz.state, "values": {**quiz.state["values"], "tries": [[EVIL], []]}}
    with pytest.raises(ValueError, match=r"states\[1\] is 'x'.*\n.*states\[2\]: answer.*\n.*states\[4\].*same quiz"):
        Quiz.tally([quiz.state, "x", hostile, quiz.state, Quiz(n=2, seed=1).state])


@pytest.mark.parametrize("states", [[], "text", None, {}, [None]])
def test_a_class_of_nobody_is_refused(states: Any) -> None:
    """An empty picture would look like a class that knows nothing."""
    with pytest.raises(ValueError, match="states"):
        Quiz.tally(states)


def test_the_scripts_use_no_html_from_strings() -> None:
    """Only textContent and attributes: the ways in which a text cannot become a script."""
    for script in ("quiz", "quiz_table"):
        source = (STATIC / f"{script}.js").read_text(encoding="utf-8")
        for way in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
            assert way not in source
