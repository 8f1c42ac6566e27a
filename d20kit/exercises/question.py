"""A question: its words, its exact answer, its hints, and what a wrong number tells."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cached_property
from random import Random
from typing import Any, TypeVar

from d20kit.amounts import amount, chance_text, percent_text
from d20kit.arguments import call
from d20kit.derivation import Derivation, explain
from d20kit.exercises.given import Given, read
from d20kit.exercises.mistakes import SENTENCES
from d20kit.language import _
from d20kit.randomness import draw_below

Choice = TypeVar("Choice")
Values = Mapping[str, Any]


class Draw:
    """Numbers for a question, from a stream that is the same on every machine.

    Parameters
    ----------
    random : random.Random

    Examples
    --------
    >>> Draw(Random(1)).whole(1, 20)
    5
    """

    def __init__(self, random: Random) -> None:
        self._random = random

    def whole(self, low: int, high: int) -> int:
        """Draw a whole number from low to high, both included."""
        return low + draw_below(self._random, high - low + 1)

    def one_of(self, *choices: Choice) -> Choice:
        """Draw one of some things."""
        return choices[draw_below(self._random, len(choices))]


@dataclass(frozen=True)
class Mistake:
    """A known mistake: its name in the table of sentences, and the wrong formula that it is.

    ``wrong`` takes the values of the question and returns the number the mistake leads to, or None where it cannot
    be made.

    Examples
    --------
    >>> Mistake("doubled-twice", lambda values: values["one"] * values["other"]).wrong({"one": 2, "other": 2})
    4
    """

    name: str
    wrong: Callable[[Values], Any]


@dataclass(frozen=True)
class Exercise:
    """A kind of question.

    Attributes
    ----------
    name : str
    text : str
        Catalogue message with the values as fields.
    rule : function
        The rule that knows the answer.
    draw : function
        Draws the values.
    mistakes : tuple of Mistake
    hints : tuple of three str
        Catalogue messages, from the idea to the numbers.
    arguments : function, optional
        The rule's arguments, where they are not the values themselves.
    pick : function, optional
        The part of the rule's value that is asked for.
    units : str
        "chance" where the answer is one.

    Examples
    --------
    >>> from d20kit.exercises import ask
    >>> ask("damage", seed=37).exercise.name
    'multipliers'
    """

    name: str
    text: str
    rule: Callable[..., Any]
    draw: Callable[[Draw], dict[str, Any]]
    mistakes: tuple[Mistake, ...]
    hints: tuple[str, str, str]
    arguments: Callable[[Values], Values] = dict
    pick: Callable[[Any], Any] = lambda value: value
    units: str = ""


class Verdict(Enum):
    """How an answer stands: right, rounded, a mistake that is known, or wrong in some other way.

    >>> [verdict.value for verdict in Verdict]
    ['right', 'almost', 'mistake', 'wrong']
    """

    RIGHT = "right"
    ALMOST = "almost"
    MISTAKE = "mistake"
    WRONG = "wrong"


@dataclass(frozen=True)
class Feedback:
    """What is said to an answer.

    Attributes
    ----------
    verdict : Verdict
    sentence : str
        For the learner, in the language in use.
    mistake : str or None
        Name of the known mistake that gives this number.

    Examples
    --------
    >>> from d20kit.exercises import ask
    >>> ask("damage", seed=37).check(12).mistake
    'doubled-twice'
    """

    verdict: Verdict
    sentence: str
    mistake: str | None = None

    def __str__(self) -> str:
        return self.sentence


@dataclass(frozen=True)
class Question:
    """One question with its numbers; print it to read it.

    Examples
    --------
    >>> from d20kit.exercises import ask
    >>> question = ask("damage", seed=37)
    >>> question.answer, question.mistakes
    (Fraction(6, 1), {'doubled-twice': Fraction(12, 1), 'added-multipliers': Fraction(7, 1)})
    >>> print(question.check(12))
    Each multiplier adds copies of the original damage, never copies of copies: x2 and x2 is x3, not x4.
    """

    topic: str
    seed: int
    exercise: Exercise
    values: Values

    @property
    def text(self) -> str:
        """The question, in the language in use."""
        return self._told(self.exercise.text)

    @property
    def units(self) -> str:
        """The units of the answer: "chance" where the answer is one, otherwise empty."""
        return self.exercise.units

    @property
    def hints(self) -> tuple[str, ...]:
        """Three hints, each saying more; none says the answer."""
        # Only a negative number needs its brackets.
        return tuple(re.sub(r"\((\d+)\)", r"\1", self._told(hint)) for hint in self.exercise.hints)

    @cached_property
    def answer(self) -> Fraction:
        """The exact answer, from the rule itself."""
        value = call(self.exercise.rule, self.exercise.arguments(self.values))
        return Fraction(self.exercise.pick(value))

    @cached_property
    def mistakes(self) -> dict[str, Fraction]:
        """The number that each known mistake gives here, where it is neither right nor another mistake's."""
        numbers: dict[str, Fraction] = {}
        for mistake in self.exercise.mistakes:
            number = mistake.wrong(self.values)
            if number is not None and number != self.answer and number not in numbers.values():
                numbers[mistake.name] = Fraction(number)
        return numbers

    @property
    def solution(self) -> Derivation:
        """The rule at work on the question's numbers."""
        return explain(self.exercise.rule, **self.exercise.arguments(self.values))

    @property
    def answer_text(self) -> str:
        """The exact answer as it is written, a chance with its percent."""
        if self.units == "chance":
            return chance_text(self.answer)
        return amount(self.answer)

    @property
    def gives_itself_away(self) -> bool:
        """Whether a number in a hint happens to be the answer.

        Only the hints as they stand in the code are asked: a class that reads several languages has the same questions.
        """
        hints = (hint.format(**self.values) for hint in self.exercise.hints)
        told = (Fraction(number) for hint in hints for number in re.findall(r"\d+(?:/[1-9]\d*)?", hint))
        return any(number in (abs(self.answer), 100 * abs(self.answer)) for number in told)

    def check(self, given: Any, hints: int = 0) -> Feedback:
        """Say how an answer stands.

        Parameters
        ----------
        given : int, float, Fraction, Decimal, str or SymPy expression
            Text may be "11/20", "0.55", "0,55", "55 %" or "55%"; it is read, never run; "1,000" is refused, because
            it may mean two numbers. The symbols of an expression
            stand for the numbers of the question.
        hints : int
            How many hints were read before; without any, a wrong answer brings the first.

        Returns
        -------
        Feedback

        Raises
        ------
        ValueError
            If it is not a number.

        Examples
        --------
        >>> from d20kit.exercises import ask
        >>> ask("damage", seed=37).check("6").verdict
        <Verdict.RIGHT: 'right'>
        """
        number = read(given, self.values)
        if number.equals(self.answer):
            return Feedback(Verdict.RIGHT, _("Right: {answer}.").format(answer=self.answer_text))
        known = self._known(number.equals) or self._almost(number) or self._known(number.rounds)
        return known or Feedback(Verdict.WRONG, self._not_yet(hints))

    def _not_yet(self, hints: int) -> str:
        if not hints:
            return _("Not yet. {hint}").format(hint=self.hints[0])
        if hints < len(self.exercise.hints):
            return _("Not yet. The next hint says more.")
        return _("Not yet. Go through the hints once more, step by step; the solution shows the whole way.")

    def _known(self, agrees: Callable[[Fraction], bool]) -> Feedback | None:
        for name, wrong in self.mistakes.items():
            if agrees(wrong):
                return Feedback(Verdict.MISTAKE, _(SENTENCES[name]), name)
        return None

    def _almost(self, number: Given) -> Feedback | None:
        if self.units == "chance" and number.value >= 1 and number.equals(100 * self.answer):
            said = _("Almost: you mean percent, and with its sign it is right: {percent}.").format(
                percent=percent_text(self.answer)
            )
        elif number.rounds(self.answer):
            said = _("Almost: that is rounded; exactly it is {answer}.").format(answer=self.answer_text)
        else:
            return None
        return Feedback(Verdict.ALMOST, said)

    def __str__(self) -> str:
        return self.text

    def _told(self, message: str) -> str:
        words = {name: _(value) if isinstance(value, str) else value for name, value in self.values.items()}
        return _(message).format(**words)
