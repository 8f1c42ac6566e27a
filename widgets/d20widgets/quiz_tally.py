"""How a class answered a quiz: a bar and a row for each question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import anywidget
import ipywidgets
import traitlets

from d20kit.check import members, refuse
from d20kit.exercises.mistakes import SENTENCES
from d20kit.language import N_, _, ngettext
from d20widgets import quiz_words, twin
from d20widgets.alone import inside, unhide
from d20widgets.chart import Chart
from d20widgets.follower import source
from d20widgets.quiz_picture import tally_figure
from d20widgets.quiz_run import Run, Standing
from d20widgets.text import Sentence

MOST_LEARNERS = 500


class Table(anywidget.AnyWidget):
    """A table of texts, which the page shows literally."""

    _esm = traitlets.Unicode(source("quiz_table.js")).tag(sync=True)
    _css = traitlets.Unicode(source("quiz.css")).tag(sync=True)
    table: Any = traitlets.Dict().tag(sync=True)


class Tally(ipywidgets.VBox):  # type: ignore[misc]
    """The first answers of a class to one quiz: a picture, a sentence and a table.

    Parameters
    ----------
    states : sequence of dict or str
        The learners' states, all of the same quiz. Nothing in them is shown as it stands: answers are read as numbers,
        checked anew and counted.

    Raises
    ------
    ValueError
        If there are no states or more than 500, or some are broken or of another quiz; the message names each of them.

    Examples
    --------
    >>> one, other = Run("saves", 2, 1), Run("saves", 2, 1)
    >>> _feedback = one.answer(one.question.answer)
    >>> tally = Tally([one.pack(), other.pack()])
    >>> [(row["right"], row["not answered"]) for row in tally.table()]
    [(1, 1), (0, 2)]
    """

    def __init__(self, states: Sequence[Any]) -> None:
        self._runs = _read(states)
        found = [quiz_words.standings(run) for run in self._runs]
        self._counts = [quiz_words.counted(one) for one in zip(*found, strict=True)]
        self._made = [
            Counter(name for run in self._runs if (name := run.mistake(index)) is not None)
            for index in range(self._runs[0].n)
        ]
        self._slider = ipywidgets.IntSlider(min=0, max=0)
        self.chart, self.sentence_line, self._table = Chart(self._slider), Sentence(self._slider), Table()
        super().__init__([self.chart, self.sentence_line, self._table])
        self.add_class("d20-explorer")
        self.redraw()

    def redraw(self) -> None:
        """Show everything in the language in use."""
        words = [[twin.cell_text(cell) for cell in row.values()] for row in self.table()]
        self.chart.show(self._picture(), [{"label": f"{self.summary} {_spoken(self.table())}"}], 0)
        self.sentence_line.show([self.summary], 0)
        self._table.table = {"caption": self._title, "head": [_(name) for name in self.table()[0]], "rows": words}

    @property
    def summary(self) -> str:
        """The sentence: how many learners, how much was right, and what was hardest for those who answered."""
        many = len(self._runs)
        learners = ngettext("{n} learner", "{n} learners", many).format(n=many)
        hardest = self._hardest
        if hardest is None:
            return _("{learners}: nobody has answered yet.").format(learners=learners)
        said = _("{learners}: {right} of {all} first answers right.").format(
            learners=learners,
            right=sum(count[Standing.RIGHT] for count in self._counts),
            all=sum(map(self._answered, range(len(self._counts)))),
        )
        return f"{said} " + _("Hardest: question {number}, {right} of {all} right.").format(
            number=hardest + 1, right=self._counts[hardest][Standing.RIGHT], all=self._answered(hardest)
        )

    @property
    def figure(self) -> Any:
        """A bar for each question, stacked by how the first answers were, as a ``plotly.graph_objects.Figure``."""
        import plotly.graph_objects

        return plotly.graph_objects.Figure(self._picture())

    def table(self) -> list[dict[str, Any]]:
        """Return a row for each question: the question, how many answered how, and the mistakes made."""
        return [
            {
                N_("question"): f"{index + 1}. {question.text}",
                **{one.value: self._counts[index][one] for one in Standing},
                N_("mistakes"): self._mistakes(index),
            }
            for index, question in enumerate(self._runs[0].questions)
        ]

    def close(self) -> None:
        """Free the tally and every widget in it."""
        if self.comm is None:
            return
        for widget in (*inside(self), *inside(self._slider), self._slider):
            widget.close()
        super().close()
        unhide(self)

    @property
    def _title(self) -> str:
        return _("How the class answered")

    def _answered(self, index: int) -> int:
        """How many learners answered a question."""
        return len(self._runs) - self._counts[index][Standing.OPEN]

    @property
    def _hardest(self) -> int | None:
        """The question with the smallest share of right answers, of those that were answered."""
        shares = {
            index: Fraction(self._counts[index][Standing.RIGHT], answered)
            for index in range(len(self._counts))
            if (answered := self._answered(index))
        }
        return min(shares, key=lambda index: shares[index], default=None)

    def _picture(self) -> dict[str, Any]:
        return tally_figure(self._counts, len(self._runs))

    def _mistakes(self, index: int) -> str:
        return " ".join(
            _("{count} x: {sentence}").format(count=count, sentence=_(SENTENCES[name]))
            for name, count in self._made[index].most_common()
        )

    def __repr__(self) -> str:
        return f"Tally: {self.summary}"

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        view = (super()._repr_mimebundle_(**kwargs) or {}) if self.comm is not None else {}
        return {**view, "text/plain": repr(self), "text/html": twin.html(self._title, self.summary, self.table())}


def _read(states: Sequence[Any]) -> list[Run]:
    """Read every state, or refuse with a line for each that is broken, so that none is overlooked."""
    allowed = _("a list of states of one quiz")
    given = members("states", states, allowed, _("write Quiz.tally([quiz.state])"), MOST_LEARNERS)
    if not given:
        raise refuse("states", states, allowed, _("write Quiz.tally([quiz.state])"))
    runs: list[Run] = []
    problems: list[str] = []
    for index, state in enumerate(given):
        name = f"states[{index}]"
        try:
            run = Run.unpack(state, name)
            if runs:
                _same(name, run, runs[0])
            runs.append(run)
        except ValueError as error:
            problems.append(str(error))
    if problems:
        raise ValueError("\n".join(problems))
    return runs


def _same(name: str, run: Run, first: Run) -> None:
    if repr(run) != repr(first):
        raise refuse(name, run, _("of the same quiz as the others, {quiz}").format(quiz=first))


def _spoken(table: Sequence[dict[str, Any]]) -> str:
    """The words that stand for the bars."""
    parts = []
    for number, row in enumerate(table, start=1):
        counts = ", ".join(f"{_(one.value)} {row[one.value]}" for one in Standing if row[one.value])
        parts.append(_("Question {number}: {standing}").format(number=number, standing=counts))
    return ". ".join(parts)
