"""A quiz under way: its questions, what was answered to each and how it stands; as plain data out and in."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Mapping
from decimal import Decimal, localcontext
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from typing import Any, Self

from d20kit.check import bare, one_of, one_whole, refuse
from d20kit.derivation import Derivation
from d20kit.exercises import MOST_QUESTIONS, TOPICS, Feedback, Question, Verdict, questions, read
from d20kit.exercises.given import LONGEST
from d20kit.language import N_, _
from d20kit.randomness import LARGEST_SEED
from d20widgets.state import opened

KIND = "Quiz"
VERSION = 1
MOST_HINTS = 3
# What comes after the last hint, and is counted like one.
SOLUTION = MOST_HINTS + 1
# Of one question; somebody who needs more is better served by the next one.
MOST_TRIES = 20
LONGEST_STATE = 200_000
_LARGEST_NUMBER = 10**30
# Of the fractions that a float is taken for.
_LARGEST_BOTTOM = 10**6
_KEYS = ("topic", "n", "seed", "at", "hints", "tries")


class Standing(Enum):
    """How the first answer to a question was: later ones only show what the feedback taught."""

    RIGHT = N_("right")
    ALMOST = N_("almost")
    MISTAKE = N_("known mistake")
    WRONG = N_("wrong")
    OPEN = N_("not answered")


_STANDINGS = {
    Verdict.RIGHT: Standing.RIGHT,
    Verdict.ALMOST: Standing.ALMOST,
    Verdict.MISTAKE: Standing.MISTAKE,
    Verdict.WRONG: Standing.WRONG,
}


class Run:
    """One learner's way through some questions.

    Parameters
    ----------
    topic : str or None
        One of :data:`d20kit.exercises.TOPICS`; None asks about each in turn.
    n : int
        How many questions, 1 to 50.
    seed : int
        Chooses them, 0 or more.

    Raises
    ------
    ValueError
        If an argument is not allowed.

    Examples
    --------
    >>> run = Run("saves", 2, 1)
    >>> run.answer(run.question.answer).verdict.value, run.standing(0), run.standing(1)
    ('right', <Standing.RIGHT: 'right'>, <Standing.OPEN: 'not answered'>)
    """

    def __init__(self, topic: str | None = None, n: int = 7, seed: int = 0) -> None:
        self.topic = topic if topic is None else one_of("topic", topic, TOPICS)
        self.n = one_whole("n", n, 1, MOST_QUESTIONS)
        self.seed = one_whole("seed", seed, 0, LARGEST_SEED)
        self.questions = list(_asked(self.topic, self.n, self.seed))
        self.at = 0
        self.hints = [0] * self.n
        self.tries: list[list[str]] = [[] for _question in self.questions]

    @property
    def finished(self) -> bool:
        """Whether all questions lie behind."""
        return self.at == self.n

    @property
    def question(self) -> Question:
        """The question that is asked now."""
        if self.finished:
            raise _over()
        return self.questions[self.at]

    def feedback(self, index: int) -> Feedback | None:
        """Return what is to be said to the last answer to a question, in the language in use."""
        tries = self.tries[index]
        return self.questions[index].check(tries[-1]) if tries else None

    def gave_up(self, index: int) -> bool:
        """Whether the solution of a question has been shown."""
        return self.hints[index] == SOLUTION

    def solved(self, index: int) -> bool:
        """Whether a question needs no further answer: its solution was shown, or the last one was right, or all but."""
        if self.gave_up(index):
            return True
        feedback = self.feedback(index)
        return feedback is not None and feedback.verdict in (Verdict.RIGHT, Verdict.ALMOST)

    def standing(self, index: int) -> Standing:
        """Return how the first answer to a question was."""
        tries = self.tries[index]
        return _STANDINGS[self.questions[index].check(tries[0]).verdict] if tries else Standing.OPEN

    def mistake(self, index: int) -> str | None:
        """Return the name of the known mistake in the first answer to a question."""
        tries = self.tries[index]
        return self.questions[index].check(tries[0]).mistake if tries else None

    def answer(self, given: Any) -> Feedback:
        """Take an answer to the question that is asked now; what is no number is refused and does not count."""
        text = _text(given)
        if self.finished:
            raise _over()
        return self._add(self.at, text)

    def _add(self, index: int, text: str) -> Feedback:
        feedback = self.questions[index].check(text, self.hints[index])
        if self.solved(index):
            raise ValueError(_("this question is answered; write .next() for the next one"))
        if len(self.tries[index]) == MOST_TRIES:
            raise ValueError(_("that were {most} answers; write .next() for the next question").format(most=MOST_TRIES))
        self.tries[index].append(text)
        return feedback

    def hint(self) -> str:
        """Give one hint more, and return it; the last one again when there are no more."""
        hints = self.question.hints
        if not self.gave_up(self.at):
            self.hints[self.at] = min(self.hints[self.at] + 1, MOST_HINTS)
        return hints[min(self.hints[self.at], MOST_HINTS) - 1]

    def solution(self) -> Derivation:
        """Give the solution of the question that is asked now; it then needs no further answer."""
        solution = self.question.solution
        self.hints[self.at] = SOLUTION
        return solution

    def next(self) -> None:
        """Go to the next question, answered or not; after the last one the quiz is over."""
        self.at = min(self.at + 1, self.n)

    def again(self) -> Run:
        """Return a quiz of the same kind with the questions of the next seed."""
        return Run(self.topic, self.n, (self.seed + 1) % (LARGEST_SEED + 1))

    def pack(self) -> dict[str, Any]:
        """Return everything as plain data that survives JSON."""
        tries = [list(texts) for texts in self.tries]
        # Never None: a teacher pastes such texts into Python, which knows no null.
        values = {"topic": self.topic or "", "n": self.n, "seed": self.seed, "at": self.at}
        return {"explorer": KIND, "version": VERSION, "values": {**values, "hints": list(self.hints), "tries": tries}}

    @classmethod
    def unpack(cls, state: Any, name: str = "state") -> Self:
        """Build a run from what :meth:`pack` returned, or from its JSON text; refuse everything else.

        Verdicts are not part of a state: every answer in it is checked anew.
        """
        values = opened(name, _parsed(name, state), KIND, VERSION, lambda _version: _KEYS)
        try:
            topic = bare(values["topic"])
            run = cls(None if isinstance(topic, str) and not topic else topic, values["n"], values["seed"])
            run._take(values)
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None
        return run

    def __repr__(self) -> str:
        return f"{KIND}(topic={self.topic!r}, n={self.n}, seed={self.seed})"

    def _take(self, values: Mapping[str, Any]) -> None:
        self.at = one_whole("at", values["at"], 0, self.n)
        hints = _list("hints", values["hints"], self.n)
        for index, given in enumerate(_list("tries", values["tries"], self.n)):
            texts = [bare(text) for text in bare(given)] if isinstance(given, list) else None
            if texts is None or not all(isinstance(text, str) for text in texts):
                raise refuse(f"tries[{index}]", given, _("a list of texts"))
            for text in texts:
                self._add(index, text)
        self.hints = [one_whole(f"hints[{i}]", count, 0, SOLUTION) for i, count in enumerate(hints)]


def _over() -> ValueError:
    return ValueError(_("the quiz is over; write .again() for new questions"))


# A class hands in hundreds of states of one quiz: its questions, and their answers, are worked out once.
@lru_cache(maxsize=16)
def _asked(topic: str | None, n: int, seed: int) -> tuple[Question, ...]:
    if topic is not None:
        return tuple(questions(topic, n, seed))
    counts = {one: len(range(i, n, len(TOPICS))) for i, one in enumerate(TOPICS)}
    by_topic = {one: iter(questions(one, count, seed)) for one, count in counts.items() if count}
    return tuple(next(by_topic[TOPICS[i % len(TOPICS)]]) for i in range(n))


def _text(given: Any) -> str:
    """An answer as the text it would be typed as."""
    if isinstance(given, str):
        return bare(given)  # type: ignore[no-any-return]
    number = read(given)
    value = number.value
    if max(abs(value.numerator), value.denominator) <= _LARGEST_NUMBER:
        text = _decimals(value) if number.step else str(value)
        near = value.limit_denominator(_LARGEST_BOTTOM)
        worked_out = len(text.replace(".", "").strip("-0")) > sys.float_info.dig
        if number.binary and worked_out and math.isclose(near, value, rel_tol=1e-12):
            text = str(near)  # what Python makes of 1 - 0.9 is meant as 1/10
        if len(text) <= LONGEST:
            return text
    raise refuse("answer", given, _("a number of at most 30 digits"))


def _decimals(value: Fraction) -> str:
    """Write a number whose decimals end as these decimals, never as 1e-07."""
    with localcontext(prec=2 * LONGEST):
        return f"{Decimal(value.numerator) / value.denominator:f}"


def _parsed(name: str, state: Any) -> Any:
    text = bare(state)
    if not isinstance(text, str):
        return state
    if len(text) > LONGEST_STATE:
        raise refuse(name, text[:80], _("a text of at most {longest} characters").format(longest=LONGEST_STATE))
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        fix = _("copy all of it, from {start} to {end}").format(start="{", end="}")
        raise refuse(name, text, _("the text of a quiz"), fix) from None


def _list(name: str, value: Any, length: int) -> list[Any]:
    listed = bare(value)
    if not isinstance(listed, list) or len(listed) != length:
        raise refuse(name, value, _("a list of {n}, one for each question").format(n=length))
    return listed
