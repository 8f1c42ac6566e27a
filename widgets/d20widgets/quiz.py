"""A quiz in the page: questions on the rules, three hints each, and feedback that names the mistake."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Self

import traitlets

from d20kit.derivation import Derivation
from d20kit.language import LANGUAGES, _, set_language
from d20widgets import quiz_words, twin
from d20widgets.alone import Alone
from d20widgets.follower import script, source
from d20widgets.quiz_picture import progress_figure
from d20widgets.quiz_run import Run
from d20widgets.quiz_tally import Tally


class Quiz(Alone):
    """Questions on the rules, asked one after the other.

    The answer box takes 11/20, 0.55 or 55 %; Enter checks. What is typed is read as a number and never run. The page
    is told the question, the hints asked for and what is said to the answer: nothing on it knows the answer before.

    Parameters
    ----------
    topic : str, optional
        One of ``d20kit.exercises.TOPICS``; without it each topic in turn.
    n : int
        How many questions, 1 to 50.
    seed : int
        Chooses them, 0 or more: the same seed asks the same on every machine.

    Raises
    ------
    ValueError
        If an argument is not allowed; the message says what is.

    Examples
    --------
    >>> quiz = Quiz("damage", n=2, seed=3)
    >>> print(quiz.summary)
    Question 1 of 2. So far: not answered 2.
    >>> quiz.answer("0.001")
    'Not yet. ...'
    """

    _esm = traitlets.Unicode(script("parts", "quiz")).tag(sync=True)
    _css = traitlets.Unicode(source("quiz.css")).tag(sync=True)
    view: Any = traitlets.Dict().tag(sync=True)

    def __init__(self, topic: str | None = None, n: int = 7, seed: int = 0) -> None:
        self._run = Run(topic, n, seed)
        super().__init__()
        self.on_msg(_heard)
        self.redraw()

    # What a learner does; the page's buttons do the same.

    def answer(self, given: Any) -> str:
        """Check an answer to the question of now and return what is said to it.

        Parameters
        ----------
        given : str or number
            Such as "11/20", "0.55" or "55 %".

        Raises
        ------
        ValueError
            If it is no number, or the question needs no further answer.
        """
        feedback = self._run.answer(given)
        self.redraw(feedback.sentence)
        return feedback.sentence

    def hint(self) -> str:
        """Show one hint more and return it; there are three, and none says the answer."""
        hint = self._run.hint()
        self.redraw(hint)
        return hint

    def solution(self) -> Derivation:
        """Show the rule at work on the question's numbers and return it; the question then needs no further answer."""
        solution = self._run.solution()
        self.redraw(quiz_words.right_answer(self._run))
        return solution

    def next(self) -> None:
        """Go to the next question, answered or not; after the last one comes the result."""
        self._run.next()
        self.redraw(quiz_words.summary(self._run) if self._run.finished else quiz_words.progress(self._run))

    def again(self) -> None:
        """Start over with new questions of the same kind: those of the next seed."""
        self._run = self._run.again()
        self.redraw(quiz_words.progress(self._run))

    def load(self, state: Mapping[str, Any] | str) -> None:
        """Go on where a saved state left off.

        Raises
        ------
        ValueError
            If it is no state of a quiz; then nothing changes.
        """
        self._run = Run.unpack(state)
        self.redraw(quiz_words.summary(self._run))

    # What everybody may ask.

    @property
    def finished(self) -> bool:
        """Whether all questions lie behind."""
        return self._run.finished

    @property
    def summary(self) -> str:
        """How the quiz stands, in a sentence."""
        return quiz_words.summary(self._run)

    @property
    def figure(self) -> Any:
        """A cell for each question, coloured by how its first answer was, as a ``plotly.graph_objects.Figure``."""
        import plotly.graph_objects

        return plotly.graph_objects.Figure(progress_figure(quiz_words.standings(self._run)))

    def table(self) -> list[dict[str, Any]]:
        """Return a row for each question: its topic, how its first answer was, how many answers and hints."""
        return quiz_words.rows(self._run)

    @property
    def state(self) -> dict[str, Any]:
        """Questions and answers as plain data that survives JSON; :meth:`from_state` takes it back."""
        return self._run.pack()

    @classmethod
    def from_state(cls, state: Mapping[str, Any] | str) -> Self:
        """Build a quiz from a saved state, or from its JSON text; every answer in it is checked anew.

        Raises
        ------
        ValueError
            If it is no state of a quiz, or of a later version, or a value in it is not allowed.
        """
        run = Run.unpack(state)
        quiz = cls(run.topic, run.n, run.seed)
        quiz._run = run
        quiz.redraw()
        return quiz

    @property
    def code(self) -> str:
        """The Python that builds this quiz again, with the answers that were given."""
        call = repr(self._run) if not self._started else f"Quiz.from_state({json.dumps(self.state)!r})"
        return f"from d20widgets import Quiz\n\n{call}"

    @staticmethod
    def tally(states: Sequence[Mapping[str, Any] | str]) -> Tally:
        """Count how a class answered: for each question how many first answers were right, and which mistakes.

        Parameters
        ----------
        states : sequence of dict or str
            The learners' states, as ``.state`` gives them or as text, all of the same quiz.

        Returns
        -------
        Tally
            A picture and a table, with ``.summary``, ``.figure`` and ``.table()``.

        Raises
        ------
        ValueError
            If there are no states, or some are broken or of another quiz; the message names each of them.
        """
        return Tally(states)

    def redraw(self, said: str = "", invalid: bool = False) -> None:
        """Show how the quiz stands, in the language in use, and say something about it."""
        self.view = quiz_words.view(self._run, said, invalid)

    @property
    def _started(self) -> bool:
        return bool(self._run.at or any(self._run.hints) or any(self._run.tries))

    def __repr__(self) -> str:
        return f"{self._run!r}: {self.summary}"

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        question = "" if self.finished else f" {self._run.question.text}"
        return self.bundle(twin.html(quiz_words.title(self._run), self.summary + question, self.table()), **kwargs)


def _heard(quiz: Quiz, message: Any, _buffers: Any) -> None:
    """Do what a button on the page asks for; a refusal is said in the page, and anything else is not listened to."""
    kind, text = (message.get("kind"), message.get("text")) if isinstance(message, dict) else (None, None)
    try:
        if kind == "check" and isinstance(text, str) and not text.strip():
            quiz.redraw(_("Write a number first, such as 11/20, 0.55 or 55 %."), invalid=True)
        elif kind == "check" and isinstance(text, str):
            quiz.answer(text)
        elif kind == "load" and isinstance(text, str):
            quiz.load(text)
        elif kind == "hint":
            quiz.hint()
        elif kind == "solution":
            quiz.solution()
        elif kind == "next":
            quiz.next()
        elif kind == "again":
            quiz.again()
        elif kind == "language" and text in LANGUAGES:
            set_language(text)
            quiz.redraw(_("The language is English now."))
    except ValueError as error:
        quiz.redraw(str(error), invalid=kind == "check")
