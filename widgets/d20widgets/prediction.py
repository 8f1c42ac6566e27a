"""Predict, lock in, reveal: the learner commits to a number before the picture shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import ipywidgets
import traitlets

from d20kit.amounts import amount, short_percent_text
from d20kit.check import refuse
from d20kit.language import _, ngettext
from d20widgets.answering import Said, answer, silence
from d20widgets.follower import Follower, script
from d20widgets.twin import Amount, cell_text
from d20widgets.unbroken import unbroken

# How near counts as near: five points of a hundred for a chance, one for any other number.
NEAR_CHANCE = Fraction(1, 20)
NEAR_NUMBER = 1
# A chance rounded to whole percent counts as right; 0.6 for 55 % is five points off.
FINE = Fraction(1, 100)


class Verdict(NamedTuple):
    """What is said to a prediction, and whether it was near."""

    sentence: str
    near: bool


def judge(given: Any, exact: Fraction | int) -> Verdict:
    """Say how far off a prediction is.

    Parameters
    ----------
    given : int, float, Fraction or str
        Read as :func:`d20kit.exercises.read` reads an answer: ``"11/20"``, ``"0.55"``, ``"55 %"``.
    exact : Fraction or int
        A Fraction from 0 to 1 is a chance.

    Returns
    -------
    Verdict

    Raises
    ------
    ValueError
        If it is no number, or no chance where one is asked for.

    Examples
    --------
    >>> from fractions import Fraction
    >>> print(judge("50 %", Fraction(11, 20)).sentence)
    You said 50 %; it is 11/20 = 55 %: 5 points off.
    """
    from d20kit.exercises import read  # all topics' questions, which the first picture need not wait for

    number = read(given)
    off = abs(number.value - exact)
    if is_chance(exact):
        if not 0 <= number.value <= 1:
            raise refuse("answer", given, _("a chance from 0 to 1, such as 11/20, 0.55 or 55 %"), _fix(number.value))
        said, right, how_far = short_percent_text(number.value), cell_text(Fraction(exact)), _points(100 * off)
        near = off <= NEAR_CHANCE
    else:
        said, right, how_far = amount(number.value), amount(Fraction(exact)), _("{n} off").format(n=amount(off))
        near = off <= NEAR_NUMBER
    fine = not is_chance(exact) or (number.step is not None and number.step <= FINE)
    if number.equals(Fraction(exact)) or (fine and number.rounds(Fraction(exact))):
        return Verdict(_("Right: it is {answer}.").format(answer=right), True)
    sentence = _("You said {guess}; it is {answer}: {off}.").format(guess=said, answer=right, off=how_far)
    return Verdict(sentence, near)


def is_chance(exact: Fraction | int) -> bool:
    """Whether an exact answer is a chance: a Fraction from 0 to 1, where an int or an Amount is a number.

    >>> is_chance(Fraction(1)), is_chance(1), is_chance(Amount(1, 2))
    (True, False, False)
    """
    return isinstance(exact, Fraction) and not isinstance(exact, Amount) and 0 <= exact <= 1


def _fix(number: Fraction) -> str:
    if 1 < number <= 100:
        return _("for percent write {percent}").format(percent=f"{float(number):g} %")
    return ""


def _points(points: Fraction) -> str:
    shown = f"{float(points):.1f}".removesuffix(".0")
    if shown == "0":
        return _("less than 0.1 points off")
    return ngettext("{points} point off", "{points} points off", 1 if shown == "1" else 2).format(points=shown)


class Prediction(Follower):
    """The question about a position, asked while the picture is hidden; the count of predictions that came near.

    Parameters
    ----------
    slider : ipywidgets.IntSlider
        The slider whose position chooses the question.
    ask : callable
        Returns question and exact answer of every position.
    another : callable
        Moves the explorer to another example.
    **traits
        What else an ipywidget may be given, such as a layout that it shares.
    """

    _esm = traitlets.Unicode(script("parts", "prediction")).tag(sync=True)
    phase = traitlets.Enum(("off", "asking", "revealed"), "off").tag(sync=True)
    feedback = traitlets.Unicode().tag(sync=True)
    count = traitlets.Unicode().tag(sync=True)
    words = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        slider: ipywidgets.Widget,
        ask: Callable[[], Sequence[tuple[str, Any]]],
        another: Callable[[], None],
        **traits: Any,
    ) -> None:
        super().__init__(slider, **traits)
        self._ask, self._another = ask, another
        self._asked: Sequence[tuple[str, Any]] = []
        # Chances and other numbers are near in different ways, so they are counted apart.
        self._made, self._near = Counter[bool](), Counter[bool]()
        self._last_was_chance = False
        self.on_msg(_answer)

    @property
    def hides(self) -> bool:
        """Whether the picture and all that tells of it is hidden."""
        return self.phase == "asking" and bool(self._asked)

    @property
    def question(self) -> tuple[str, Any]:
        """The question that the page shows at the slider's position, and its exact answer."""
        place: int = self.slider.value - self.first
        return self._asked[place]

    def renew(self) -> None:
        """Ask what is to be asked now, in the language in use; nothing while nobody predicts."""
        self._asked = [] if self.phase == "off" else self._ask()
        with self.hold_sync():
            self.words = {
                "lock": _("Lock in"),
                "another": _("Next example"),
                "stop": _("Stop predicting"),
                "silent": silence(),
            }
            self.count = self._count()
            self.show([unbroken(question) for question, _exact in self._asked], self.slider.min)

    def start(self) -> None:
        """Hide the picture and ask."""
        with self.hold_sync():
            self.phase, self.feedback = "asking", ""
            self.renew()

    def stop(self) -> None:
        """Show the picture again and ask no more."""
        self.phase = "off"
        self.renew()

    def another(self) -> None:
        """Hide the picture, and ask about another example."""
        self.start()
        self._another()

    def lock(self, given: Any) -> str:
        """Take a prediction, show the picture, and say how far off it was.

        Raises
        ------
        ValueError
            If nothing is asked, or it is not a number that can be meant.
        """
        if not self.hides:
            raise ValueError(_("Nothing is hidden: choose to predict first."))
        _question, exact = self.question
        verdict = judge(given, exact)
        chance = self._last_was_chance = is_chance(exact)
        self._made[chance] += 1
        self._near[chance] += verdict.near
        with self.hold_sync():
            self.phase, self.feedback, self.count = "revealed", unbroken(verdict.sentence), self._count()
        return verdict.sentence

    def _count(self) -> str:
        chance = self._last_was_chance
        if not self._made[chance]:
            return ""
        said = _("{near} of {made} within 5 points.") if chance else _("{near} of {made} within 1.")
        return unbroken(said.format(near=self._near[chance], made=self._made[chance]))


def _do(prediction: Prediction, given: dict[str, Any]) -> Said:
    if given.get("do") == "another":
        prediction.another()
        return {}
    return {"said": prediction.lock(given.get("answer"))}


def _answer(prediction: Prediction, message: Any, _buffers: Any) -> None:
    answer(prediction, message, lambda given: _do(prediction, given))
