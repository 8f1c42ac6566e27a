"""Answers to the questions of quizzes and lessons: numbers in every way of writing them, spoilt, or anything at all."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Any

import sympy
from hypothesis import strategies as st

from d20kit.exercises import TOPICS, Question, Verdict, questions, read
from d20widgets.prediction import judge
from d20widgets.quiz_run import Run
from tests.fuzz import odd
from tests.fuzz.target import Target, refused

_EACH = 12
_MINUSES = st.sampled_from(["", "", "+", "-", "\u2212", " - "])
_DIGITS = st.one_of(st.integers(0, 30), st.integers(0, 10**25)).map(str)


def _fraction(sign: str, top: str, bottom: str, percent: str) -> tuple[str, Fraction | None]:
    value = None if not int(bottom) else _signed(sign, Fraction(int(top), int(bottom)), percent)
    return f"{sign}{top}/{bottom}{percent}", value


def _decimal(sign: str, whole: str, point: str, decimals: str, percent: str) -> tuple[str, Fraction | None]:
    text = f"{sign}{whole}{point}{decimals}{percent}"
    if point == "," and len(decimals) == 3 and len(whole) < 4 and not whole.startswith("0"):
        return text, None
    return text, _signed(sign, Fraction(Decimal(f"{whole}.{decimals}")), percent)


def _signed(sign: str, value: Fraction, percent: str) -> Fraction:
    share = 100 if percent.strip() else 1
    return (-value if sign.strip() in ("-", "\u2212") else value) / share


_PERCENT = st.sampled_from(["", "", "%", " %"])
# A text, and the number that it is or None where it may be refused.
_NUMBERS = st.one_of(
    st.builds(_fraction, _MINUSES, _DIGITS, _DIGITS, _PERCENT),
    st.builds(_decimal, _MINUSES, _DIGITS, st.sampled_from(".,"), st.integers(0, 99_999).map(str), _PERCENT),
)
_LEAVES = st.one_of(
    st.integers(-30, 30).map(sympy.Integer),
    st.sampled_from([sympy.Symbol(name) for name in ("bonus", "ac", "level", "score", "x")]),
    st.sampled_from([sympy.pi, sympy.oo, sympy.nan, sympy.I, sympy.Float("0.55"), sympy.Rational(1, 20)]),
)
_CALLS = (sympy.Add, sympy.Mul, sympy.Min, sympy.Max, sympy.Pow, sympy.Mod, sympy.binomial, sympy.Eq, sympy.Gt)


def _called(call: Any, one: Any, other: Any) -> Any:
    try:
        return call(one, other, evaluate=False)
    except Exception:  # SymPy itself refuses to build it
        return one


def _applied(call: Any, one: Any) -> Any:
    try:
        return call(one, evaluate=False)
    except Exception:
        return one


_SINGLE = (sympy.floor, sympy.ceiling, sympy.Abs, sympy.factorial, sympy.exp, sympy.log, sympy.sin, sympy.gamma)
_FORMULAS = st.recursive(
    _LEAVES,
    lambda inner: st.one_of(
        st.builds(_called, st.sampled_from(_CALLS), inner, inner), st.builds(_applied, st.sampled_from(_SINGLE), inner)
    ),
    max_leaves=4,
)
_ANY = odd.shares(
    (2, odd.spoilt(_NUMBERS.map(lambda pair: pair[0]))), (1, odd.texts), (2, odd.anything), (2, _FORMULAS)
)
_inputs = st.tuples(
    st.integers(0, len(TOPICS) * _EACH - 1),
    odd.shares((6, _NUMBERS), (6, _ANY.map(lambda given: (given, None))), (1, st.none())),
)


@cache
def _questions() -> list[Question]:
    return [question for topic in TOPICS for question in questions(topic, _EACH, seed=1)]


@cache
def _run(topic: str) -> Run:
    return Run(topic, 1, 1)


def check(given: tuple[int, tuple[Any, Fraction | None] | None]) -> bool:
    """Answer a question, in a lesson, in a quiz and as a prediction; a number that is known is read as that number."""
    place, answer = given
    question = _questions()[place]
    if answer is None:
        return _right(question)
    text, number = answer
    try:
        feedback = question.check(text)
    except ValueError as error:
        assert number is None or len(text) > 60, f"{text!r} is {number}, but was refused"
        return refused(error, "answer is ") or _refused_elsewhere(question, text)
    assert feedback.sentence
    assert feedback == question.check(text)
    if number is not None:
        assert read(text).value == number, f"{text!r} is {number}, but was read as {read(text).value}"
        assert (feedback.verdict is Verdict.RIGHT) == (number == question.answer)
    _elsewhere(question, text)
    return True


def _right(question: Question) -> bool:
    """The exact answer is right, in whichever way it is written, and no known mistake is."""
    exact = question.answer
    for form in (exact, str(exact), sympy.Rational(exact.numerator, exact.denominator)):
        assert question.check(form).verdict is Verdict.RIGHT
    for name, wrong in question.mistakes.items():
        assert question.check(wrong).mistake == name
    return True


def _refused_elsewhere(question: Question, text: Any) -> bool:
    """What is no number of a question is no prediction, and no answer of a quiz, which stays as it was."""
    run = _run(question.topic)
    before = run.pack()
    for take in (lambda: judge(text, question.answer), lambda: run.answer(text)):
        try:
            take()
        except ValueError as error:
            refused(error)
        else:
            assert hasattr(text, "free_symbols"), "refused as an answer to a question, but not elsewhere"
    assert run.pack() == before or hasattr(text, "free_symbols")
    return False


def _elsewhere(question: Question, text: Any) -> None:
    """A quiz and a prediction may want less than a question, and nothing worse happens."""
    run = _run(question.topic)
    before = run.pack()
    try:
        run.answer(text)
        assert Run.unpack(run.pack()).pack() == run.pack()
    except ValueError as error:
        refused(error)
        assert run.pack() == before, "a refused answer was kept"
    run._take(before["values"])
    run.tries[0].clear()
    try:
        assert judge(text, question.answer).sentence
    except ValueError as error:
        refused(error)


ANSWERS = Target("answers", _inputs, check)
