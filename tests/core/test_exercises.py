"""Questions: exact answers, known mistakes, hints.

Long because every way to write an answer, right or wrong, is a line of a table here.
"""

from __future__ import annotations

import itertools
import re
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy
import pytest
import sympy

import d20kit
from d20kit import set_language
from d20kit.arguments import call
from d20kit.derivation import Derivation
from d20kit.exercises import TOPICS, Question, Verdict, ask, questions
from d20kit.exercises.mistakes import SENTENCES

SEEDS = range(200)
ALL = {topic: [ask(topic, seed) for seed in SEEDS] for topic in TOPICS}
EVERY = [question for asked in ALL.values() for question in asked]
NAMED = (
    "forgotten-natural-1",
    "forgotten-natural-20",
    "greater-not-equal",
    "sign-twice",
    "half-die",
    "multiplied-bonus-dice",
    "doubled-twice",
    "lost-dexterity-penalty",
    "max-dexterity-ignored",
    "range-multiplier-swapped",
    "ties-as-wins",
    "added-chances",
)


def decimal(number: Fraction) -> str | None:
    """A fraction as a finite decimal, or None."""
    text = f"{Decimal(number.numerator) / Decimal(number.denominator):f}"
    return text if Fraction(text) == number else None


def forms(number: Fraction) -> list[Any]:
    """Every accepted form of a number."""
    found: list[Any] = [number, str(number), f" {number} ", f"{100 * number} %", sympy.Rational(str(number))]
    found += [float(number), numpy.float64(float(number)), sympy.Float(float(number))]
    if number.denominator == 1:
        found += [int(number), numpy.int64(number), f"{int(number)}.0"]
    if (text := decimal(number)) is not None and len(text) < 40:
        found += [text, text.replace(".", ","), Decimal(text), text.replace("-", "\u2212")]
    if (percent := decimal(100 * number)) is not None and len(percent) < 40:
        found += [f"{percent} %", f"{percent}%", f"{percent.replace('.', ',')} %"]
    # a comma before three digits may mark thousands, and is refused
    return [form for form in found if not (isinstance(form, str) and re.fullmatch(r"-?[1-9]\d{0,2},\d{3}( %)?", form))]


@pytest.mark.parametrize("topic", TOPICS)
def test_the_right_answer_is_right_in_every_form(topic: str) -> None:
    """A learner who is right must hear it, however the number is written."""
    for question in ALL[topic]:
        for form in forms(question.answer):
            assert question.check(form).verdict is Verdict.RIGHT, (question.text, form)


@pytest.mark.parametrize("topic", TOPICS)
def test_the_answer_is_the_rules_own(topic: str) -> None:
    """The answer must come from the rule that is taught, and the solution must derive it."""
    for question in ALL[topic]:
        value = call(question.exercise.rule, question.exercise.arguments(question.values))
        assert question.answer == question.exercise.pick(value)
        assert isinstance(question.answer, Fraction)
        assert question.units != "chance" or 0 <= question.answer <= 1


@pytest.mark.parametrize("topic", TOPICS)
def test_each_mistake_is_recognised(topic: str) -> None:
    """The number of a known mistake must bring that mistake's own sentence."""
    for question in ALL[topic]:
        assert question.mistakes
        for name, number in question.mistakes.items():
            feedback = question.check(number)
            assert feedback.verdict is Verdict.MISTAKE
            assert feedback.mistake == name
            assert str(feedback) == SENTENCES[name]


@pytest.mark.parametrize("topic", TOPICS)
def test_mistakes_can_be_told_apart(topic: str) -> None:
    """A mistake that gives the answer, or another mistake's number, could not be named."""
    for question in ALL[topic]:
        numbers = [question.answer, *question.mistakes.values()]
        assert len(set(numbers)) == len(numbers), question.text


@pytest.mark.parametrize("topic", TOPICS)
def test_hints_do_not_contain_the_answer(topic: str) -> None:
    """The last hint must still leave something to do."""
    for question in ALL[topic]:
        assert len(set(question.hints)) == 3
        answer = {str(abs(question.answer)), decimal(abs(question.answer))}
        if question.units == "chance":
            answer.add(decimal(100 * question.answer))
        for hint in question.hints:
            assert not answer & set(re.findall(r"\d+(?:[./]\d+)?", hint)), (question.text, hint)
            assert "{" not in hint


@pytest.mark.parametrize("topic", TOPICS)
def test_the_same_seed_asks_the_same(topic: str) -> None:
    """A class must be able to work on one sheet."""
    for seed, question in zip(SEEDS, ALL[topic], strict=True):
        again = ask(topic, seed)
        assert (again.text, again.answer, again.mistakes) == (question.text, question.answer, question.mistakes)


def test_questions_are_the_same_on_every_machine() -> None:
    """Pinned, so that a change of the random stream cannot pass unseen."""
    assert [ask(topic, 2).text for topic in ("attack", "saves")] == [
        "An attack with a bonus of +1 meets armor class 3. What is the chance that it hits?",
        "Where a natural 1 fails and a natural 20 succeeds: a saving throw with +5 meets difficulty 17. What is the "
        "chance that it succeeds?",
    ]


@pytest.mark.parametrize("name", NAMED)
def test_named_mistakes_are_reachable(name: str) -> None:
    """Each misunderstanding that teachers meet most must come up."""
    assert any(name in question.mistakes for question in EVERY)


def test_the_table_of_sentences_is_exactly_what_is_used() -> None:
    """A sentence that no exercise uses is dead; a mistake without a sentence would fail before a learner."""
    used = {mistake.name for question in EVERY for mistake in question.exercise.mistakes}
    assert used == set(SENTENCES)
    assert used == {name for question in EVERY for name in question.mistakes}
    assert len(set(SENTENCES.values())) == len(SENTENCES)


def test_the_mistakes_of_the_first_lesson_have_their_numbers() -> None:
    """The wrong formulas themselves, by hand: at +9 against 10 the natural 1 matters, at -4 the sign."""
    hits = [question for question in ALL["attack"] if question.exercise.name == "hit"]
    penalty = next(question for question in hits if "sign-twice" in question.mistakes)
    sure = next(question for question in hits if "forgotten-natural-1" in question.mistakes)
    hopeless = next(question for question in hits if "forgotten-natural-20" in question.mistakes)
    bonus, ac = penalty.values["bonus"], penalty.values["ac"]
    assert bonus < 0
    assert penalty.mistakes["sign-twice"] == Fraction(min(19, max(1, 21 - bonus - ac)), 20)
    assert (sure.answer, sure.mistakes["forgotten-natural-1"]) == (Fraction(19, 20), Fraction(1))
    assert (hopeless.answer, hopeless.mistakes["forgotten-natural-20"]) == (Fraction(1, 20), Fraction(0))


def test_doubling_twice_is_not_four() -> None:
    """The source says so in as many words."""
    doubled = next(
        question for question in EVERY if question.values == {"one": 2, "other": 2} and question.topic == "damage"
    )
    assert doubled.answer == 3
    assert doubled.check(4).mistake == "doubled-twice"


def find(topic: str, answer: Fraction, name: str = "") -> Question:
    """A question with a given answer."""
    found = (question for question in map(ask, itertools.repeat(topic), itertools.count()) if question.answer == answer)
    return next(question for question in found if not name or question.exercise.name == name)


def test_rounded_answers_are_almost_right() -> None:
    """Rounding is no misunderstanding, but the exact number is to be seen."""
    question = find("initiative", Fraction(70, 127), "first")
    for given in (0.5512, "0.551", "0,551", "55.1 %", "55 %", "55,12%", Decimal("0.5512"), sympy.Float("0.5512")):
        feedback = question.check(given)
        assert feedback.verdict is Verdict.ALMOST, given
        assert "70/127" in feedback.sentence
    for given in ("0.552", "55.2 %", "1", "0.56", 1):
        assert question.check(given).verdict is not Verdict.ALMOST, given


def test_rounding_to_nothing_does_not_count() -> None:
    """0.0 is one twentieth rounded, but says that it is impossible."""
    assert find("attack", Fraction(1, 20), "hit").check("0.0").verdict is Verdict.MISTAKE
    assert ask("damage", 37).check("0.0").verdict is Verdict.WRONG


def test_only_negative_numbers_of_a_hint_stand_in_brackets() -> None:
    """12 - (-1) needs them, and 12 - (9) only looks as if it did."""
    hints = {ask("attack", seed).hints[2] for seed in range(60) if ask("attack", seed).exercise.name == "hit"}
    assert any("- (-" in hint for hint in hints)
    assert not [hint for hint in hints if re.search(r"\(\d", hint)]


def test_a_forgotten_percent_sign_is_almost_right() -> None:
    """55 for 55 % is a slip of the pen."""
    feedback = find("attack", Fraction(11, 20), "hit").check(55)
    assert feedback.verdict is Verdict.ALMOST
    assert "55 %" in feedback.sentence


def test_a_rounded_mistake_is_still_that_mistake() -> None:
    """A wrong formula worked out with a calculator comes out rounded."""
    question = find("initiative", Fraction(70, 127), "first")
    assert question.mistakes["ties-as-wins"] == Fraction(229, 400)
    assert question.check("0.573").mistake == "ties-as-wins"


def test_another_number_is_wrong_and_brings_the_first_hint() -> None:
    """A wrong answer must lead on."""
    question = ask("damage", 37)
    feedback = question.check(1000)
    assert (feedback.verdict, feedback.mistake) == (Verdict.WRONG, None)
    assert question.hints[0] in feedback.sentence


def test_a_formula_with_the_questions_symbols_is_accepted() -> None:
    """Who answers with the formula has understood more, not less."""
    bonus, ac = sympy.symbols("bonus ac", integer=True)
    question = next(
        question for question in ALL["attack"] if question.exercise.name == "hit" and "sign-twice" in question.mistakes
    )
    clamped = sympy.Min(19, sympy.Max(1, 21 + bonus - ac)) / 20
    assert question.check(clamped).verdict is Verdict.RIGHT
    assert question.check(clamped - 1 / sympy.Integer(20)).verdict is not Verdict.RIGHT


@pytest.mark.parametrize(
    "given",
    [
        *("", " ", "%", "-", ".", "abc", "1/0", "0/0", "1 2", "1/2/3", "1,000.5", "1e5", "nan", "inf", "½", "１/２"),
        *("__import__('os').system('true')", "2**999999999", "9" * 61, "1 in 20", "50 % %"),
        *(None, True, False, [1], (1, 2), {}, object(), 1j, float("nan"), float("inf"), Decimal("NaN")),
        *(Decimal("1e-99999999"), numpy.array([1]), numpy.bool_(True)),
        *(sympy.nan, sympy.oo, sympy.zoo, sympy.I, sympy.true, sympy.Symbol("x"), sympy.Symbol("x") > 1),
    ],
    ids=lambda given: type(given).__name__,
)
def test_what_is_not_a_number_is_refused_in_a_sentence(given: Any) -> None:
    """Text is read and never run, and the learner hears what to write."""
    with pytest.raises(ValueError, match=re.escape("must be a number, such as 11/20, 0.55 or 55 %")):
        ask("attack", 2).check(given)


def test_a_refusal_says_why_where_it_can() -> None:
    """Nothing is as helpful as the reason."""
    with pytest.raises(ValueError, match="nothing can be divided by 0"):
        ask("attack", 2).check("1/0")
    with pytest.raises(ValueError, match="put a number in the place of x, y"):
        ask("attack", 2).check(sympy.Symbol("y") + sympy.Symbol("x"))


@pytest.mark.parametrize(
    ("given", "value"),
    [
        *(("+3", 3), ("-3", -3), ("\u22123", -3), ("- 3", -3), (".5", Fraction(1, 2)), (",5", Fraction(1, 2))),
        *(("50%", Fraction(1, 2)), ("1/2 %", Fraction(1, 200)), (" 11 / 20 ", Fraction(11, 20))),
        *((numpy.float32(0.5), Fraction(1, 2)), (sympy.sqrt(4), 2), (Decimal(3), 3), (2.0, 2)),
    ],
)
def test_numbers_are_read(given: Any, value: Fraction) -> None:
    """Signs, commas and percent are read as people write them."""
    assert d20kit.exercises.read(given).value == value


class Odd(float):
    """A float that writes itself in its own way."""

    def __repr__(self) -> str:
        return "odd"


class Rude(int):
    """A whole number that refuses to be looked at."""

    def __repr__(self) -> str:
        raise RuntimeError

    @property
    def numerator(self) -> int:
        raise RuntimeError


class Closed:
    """Neither a number nor anything that can be asked."""

    def __getattr__(self, name: str) -> Any:
        raise KeyError(name)

    def __repr__(self) -> str:
        raise RuntimeError


def _nested() -> Any:
    """A short expression that would take for ever to write."""
    part = sympy.Integer(3)
    for _turn in range(60):
        part = sympy.Mul(part, sympy.Add(part, 1, evaluate=False), evaluate=False)
    return part


def _unevaluated(base: Any, exponent: Any) -> Any:
    return sympy.Pow(base, exponent, evaluate=False)


@pytest.mark.parametrize(
    "given",
    [
        *(_unevaluated(10, 10**10), _unevaluated(3, 10**9), _unevaluated(2, -(10**12)), _unevaluated(0, -1)),
        *(_unevaluated(10, 10**9 * sympy.Symbol("bonus")), _unevaluated(10, _unevaluated(10, 10)), _nested()),
        *(sympy.factorial(10**6, evaluate=False), sympy.binomial(10**8, 10**7, evaluate=False), sympy.exp(10**9)),
        *(
            sympy.Integer(10) ** 5000,
            sympy.sqrt(-2),
            sympy.Function("f")(3),
            sympy.Sum(1, (sympy.Symbol("k"), 1, 9**9)),
        ),
        *(sympy.Matrix([1]), sympy.Tuple(1, 2), Closed(), Decimal("sNaN"), Decimal("-sNaN12"), Decimal("-Infinity")),
    ],
    ids=lambda given: type(given).__name__,
)
def test_what_is_given_is_never_run(given: Any) -> None:
    """A number that would take for ever, and an object with code of its own, get the usual sentence at once."""
    with pytest.raises(ValueError, match=r"^answer is .*, but must be a number, such as 11/20, 0.55 or 55 %$"):
        d20kit.exercises.read(given, {"bonus": 7})


@pytest.mark.parametrize(
    ("given", "value"),
    [
        *((Odd(2.5), Fraction(5, 2)), (Rude(3), 3), (_unevaluated(2, 3), 8), (_unevaluated(-1, 10**30 + 1), -1)),
        *((sympy.Symbol("bonus") * 3 - 1, 20), (sympy.factorial(4, evaluate=False), 24), (sympy.binomial(5, 2), 10)),
        *((sympy.floor(sympy.Symbol("bonus") / 2), 3), (sympy.ceiling(sympy.Symbol("bonus") / 2), 4)),
        *((sympy.Abs(2 - sympy.Symbol("bonus")), 5), (sympy.Mod(7, 4, evaluate=False), 3)),
        (sympy.Piecewise((1, sympy.Symbol("bonus") > 8), (2, sympy.Symbol("bonus") > 6), (3, True)), 2),
        (sympy.Max(sympy.Symbol("bonus"), sympy.sqrt(50)) ** 2, Fraction("50.00000000000001")),
    ],
    ids=lambda given: type(given).__name__,
)
def test_expressions_are_worked_out(given: Any, value: Fraction) -> None:
    """What a formula can say of small numbers has its exact value, and the number inside an odd object counts."""
    assert d20kit.exercises.read(given, {"bonus": 7}).value == value


@pytest.mark.parametrize(
    ("text", "thousands", "decimals"),
    [("1,000", "1000", "1.000"), ("-12,345 %", "12345", "12.345"), (" 999,000", "999000", "999.000")],
)
def test_a_comma_that_may_mean_two_things_is_refused(text: str, thousands: str, decimals: str) -> None:
    """A thousand must not be read as one: the learner hears how to write either."""
    with pytest.raises(ValueError, match=re.escape(f"write {thousands} or {decimals}")):
        ask("attack", 2).check(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(("0,55", "0.55"), ("0,125", "0.125"), (",125", "0.125"), ("1,0", "1"), ("1,00", "1"), ("1,0000", "1")),
        *(("1.000", "1"), ("1000", "1000"), ("1234,567", "1234.567"), ("00,125", "0.125")),
    ],
)
def test_a_comma_that_can_mean_one_thing_is_read(text: str, value: str) -> None:
    """No thousands begin with 0, or with four digits, or have two behind the comma."""
    assert d20kit.exercises.read(text).value == Fraction(value)


def test_an_irrational_expression_is_a_rounded_number() -> None:
    """It cannot be right, but it is a number."""
    assert ask("attack", 2).check(sympy.sqrt(2)).verdict is Verdict.WRONG


@pytest.mark.parametrize("topic", TOPICS)
def test_solutions_are_derivations(topic: str) -> None:
    """After the answer comes the reason."""
    for question in ALL[topic][:20]:
        assert isinstance(question.solution, Derivation)
        assert str(question.solution)


@pytest.mark.parametrize("topic", TOPICS)
def test_several_questions_differ(topic: str) -> None:
    """A sheet of twenty equal questions is no sheet."""
    sheet = questions(topic, 50, seed=7)
    assert len({question.text for question in sheet}) == 50
    assert [question.text for question in sheet] == [question.text for question in questions(topic, 50, seed=7)]
    assert len({question.exercise.name for question in sheet}) > 1


@pytest.mark.parametrize(
    ("call_it", "words"),
    [
        (lambda: ask("atack", 1), "did you mean 'attack'"),
        (lambda: ask("attack", -1), "seed is -1"),
        (lambda: ask("attack", 1.5), "seed is 1.5"),  # type: ignore[arg-type]
        (lambda: ask("attack", True), "seed is True"),
        (lambda: ask("attack", numpy.array([1])), "seed is array([1])"),  # type: ignore[arg-type]
        (lambda: ask("attack", sympy.Symbol("x")), "seed is x"),
        (lambda: questions("attack", 0, 1), "n is 0"),
        (lambda: questions("attack", 51, 1), "n is 51"),
        (lambda: questions("magic", 1, 1), "topic is 'magic'"),
        (lambda: questions("attack", 1, -1), "seed is -1"),
    ],
)
def test_wrong_calls_are_refused(call_it: Any, words: str) -> None:
    """A teacher's typing error must come back with what is allowed."""
    with pytest.raises(ValueError, match=re.escape(words)):
        call_it()


def test_questions_print_and_follow_the_language() -> None:
    """The words are looked up when they are read, not when the question is made."""
    question = ask("attack", 2)
    try:
        set_language("id")
        assert str(question) == question.text
        assert question.check(question.answer).sentence
    finally:
        set_language("en")
    assert str(question).startswith("An attack with a bonus of +1")
