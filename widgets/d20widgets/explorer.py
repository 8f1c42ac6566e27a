"""What every explorer shares: controls, one picture with its formula and sentence, and its values out and in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import Any, ClassVar, Self

import ipywidgets

from d20kit.check import one_whole
from d20kit.language import _
from d20kit.randomness import LARGEST_SEED
from d20widgets import state as saved
from d20widgets import twin
from d20widgets.access import Access
from d20widgets.alone import inside, unhide
from d20widgets.chart import Chart
from d20widgets.controls import Control, Field, Whole
from d20widgets.detail import Detail, Table
from d20widgets.looks import Looks
from d20widgets.panel import Panel
from d20widgets.prediction import Prediction
from d20widgets.text import Formula, Sentence
from d20widgets.tools import Tools, fresh_seed

# How often a random example is drawn again before its refusal is passed on.
DRAWS = 50


class Explorer(ipywidgets.VBox):  # type: ignore[misc]
    """A rule to drag: controls on top, the picture they move, the formula with the numbers in it, and a sentence.

    The main control is a slider whose every position is computed at once and sent to the browser as a table, so that
    dragging it needs no kernel. Any other control sends one new table. A topic derives its own explorer by naming its
    controls, drawing what stands still, and answering six questions about one position: its numbers, what they change
    in the picture, its formula, its sentence, its table, and what may be predicted of it.

    Parameters
    ----------
    **values
        A value for any control, by name; the others take their defaults.

    Raises
    ------
    ValueError
        If a name is not a control's, or its value is not allowed.
    """

    title: ClassVar[str]
    controls: ClassVar[tuple[Control, ...]]
    main: ClassVar[str]
    groups: ClassVar[Mapping[str, Sequence[str]]] = {}
    detail_title: ClassVar[str] = ""

    def __init__(self, /, *unnamed: Any, **values: Any) -> None:
        saved.named(type(self).__name__, self.controls, unnamed)
        self._values = self._start = saved.checked(self.controls, values)
        self._putting = False
        self._seed: int | None = None
        self._numbers: list[Any] = []
        looks = Looks()
        self._fields = {one.name: Field(one, self._changed, self._values, looks) for one in self.controls}
        self._reset = ipywidgets.Button(**looks.of(ipywidgets.Button, width="auto"))
        self._reset.on_click(lambda _button: self.reset())
        boxes = {name: field.box for name, field in self._fields.items()}
        self._panel = Panel(boxes, self.main, self.groups, self._reset, looks)
        slider, layout = self._fields[self.main].parts[0], looks.of(ipywidgets.Box)
        self.chart = Chart(slider, **layout)
        self.formula_line, self.sentence_line = Formula(slider, **layout), Sentence(slider, **layout)
        self.prediction = Prediction(slider, self._questions, self._another, **layout)
        self.tools, self._access = Tools(self, **layout), Access(**layout)
        self.detail_box = Detail(slider, self._details, **layout) if self.detail_title else None
        shown = [self._panel, self.prediction, self.chart, self.formula_line, self.sentence_line]
        parts = [*shown, *filter(None, [self.detail_box]), self.tools, self._access]
        super().__init__(parts, **layout, _dom_classes=["d20-explorer"])
        self.redraw()

    # What a topic answers.

    def numbers(self, values: Mapping[str, Any]) -> Any:
        """Compute, by the rules, everything that is shown for these values."""
        raise NotImplementedError

    def picture(self, values: Mapping[str, Any], table: Sequence[Any]) -> dict[str, Any]:
        """Return the figure, less what depends on the main control; ``table`` has the numbers of every position."""
        raise NotImplementedError

    def frame(self, numbers: Any) -> dict[str, Any]:
        """Return what one position puts into the figure, path to value, with the words for it as ``"label"``."""
        raise NotImplementedError

    def formula(self, numbers: Any) -> str:
        """Return the formula with the numbers in it, in MathML."""
        raise NotImplementedError

    def sentence(self, numbers: Any) -> str:
        """Return the sentence that says what the picture shows."""
        raise NotImplementedError

    def rows(self, numbers: Any) -> list[dict[str, Any]]:
        """Return the data of the picture, a dict a row."""
        raise NotImplementedError

    def question(self, numbers: Any) -> tuple[str, Any]:
        """Return what a learner may predict about one position, and its exact answer.

        A chance is a Fraction from 0 to 1; any other number is an int or a :class:`d20widgets.twin.Amount`.
        """
        raise NotImplementedError

    def detail(self, numbers: Any) -> list[Table]:
        """Return the tables behind the disclosure, where the class names one by ``detail_title``."""
        raise NotImplementedError

    # What everybody may ask.

    @property
    def values(self) -> Mapping[str, Any]:
        """The value of every control, by name."""
        return MappingProxyType(self._values)

    @property
    def summary(self) -> str:
        """The sentence for the values as they are."""
        return self.sentence(self.numbers(self._values))

    @property
    def figure(self) -> Any:
        """The picture for the values as they are, as a ``plotly.graph_objects.Figure``."""
        import plotly.graph_objects

        return plotly.graph_objects.Figure(self.chart.at(self._values[self.main]))

    def table(self) -> list[dict[str, Any]]:
        """Return the picture's data for the values as they are, chances as exact fractions."""
        return self.rows(self.numbers(self._values))

    @property
    def state(self) -> dict[str, Any]:
        """The values as plain data that survives JSON; :meth:`from_state` takes it back."""
        return saved.pack(type(self).__name__, self.controls, self._values)

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> Self:
        """Build an explorer from a saved state; what a state of an earlier version lacks takes its default.

        Raises
        ------
        ValueError
            If it is not a state of this explorer, or of a later version, or a value in it is not allowed.
        """
        return cls(**saved.unpack(cls.__name__, cls.controls, state))

    @property
    def code(self) -> str:
        """The Python that builds this explorer again."""
        return saved.code(type(self).__name__, self.controls, self._values)

    def move(self, /, **values: Any) -> None:
        """Set any controls, as a learner would, with one redraw.

        Raises
        ------
        ValueError
            If a name is not a control's, or its value is not allowed; then nothing changes.
        """
        self._take(saved.checked(self.controls, values, self._values))

    def reset(self) -> None:
        """Set every control back to what the explorer was built with."""
        self._take(self._start)

    def random(self, seed: int) -> None:
        """Set every control to a random value, the same for a seed on every machine.

        Raises
        ------
        ValueError
            If the seed is no whole number from 0 up.
        """
        seed = one_whole("seed", seed, 0, LARGEST_SEED)
        rng = Random(seed)
        for left in reversed(range(DRAWS)):
            try:
                self._take(saved.drawn(self.controls, rng), seed)
                return
            except ValueError:  # values that are allowed one by one, and that a rule refuses together
                if not left:
                    raise

    def use(self, state: Mapping[str, Any]) -> None:
        """Set every control to the value it has in a saved state.

        Raises
        ------
        ValueError
            If :meth:`from_state` would refuse it; then nothing changes.
        """
        self._take(saved.checked(self.controls, saved.unpack(type(self).__name__, self.controls, state)))

    def redraw(self) -> None:
        """Compute the table for every position of the main control, and send it with all labels."""
        positions = self._positions()
        table = [self.numbers({**self._values, self.main: position}) for position in positions]
        picture = self.picture(self._values, table)
        self._numbers = table
        self._put()
        frames = [self.frame(numbers) for numbers in table]
        self.formula_line.show([self.formula(numbers) for numbers in table], positions.start)
        self.sentence_line.show([self.sentence(numbers) for numbers in table], positions.start)
        # Last, so that the words have arrived when the page takes its time for the picture.
        self.chart.show(picture, frames, positions.start)
        self.prediction.renew()
        if self.detail_box:
            self.detail_box.renew(_(self.detail_title))

    def close(self) -> None:
        """Free the explorer and every widget in it, in the kernel and on the page."""
        if self.comm is None:  # closed already, or refused before it was built
            return
        for widget in inside(self):
            widget.close()
        for field in self._fields.values():
            for part in field.parts:
                part.close()
        super().close()
        unhide(self)

    # How it works.

    def _positions(self) -> range:
        control = self._fields[self.main].control
        assert isinstance(control, Whole)
        return range(control.bottom(self._values), control.top(self._values) + 1)

    def _put(self) -> None:
        self._putting = True
        try:
            for field in self._fields.values():
                field.put(self._values)
        finally:
            self._putting = False
        self._reset.description = _("Reset")
        self._panel.renew()
        self._access.renew(_(self.title))
        self._tell_seed()

    def _tell_seed(self) -> None:
        """A seed that was drawn holds for one position of the main control, one that is a control's for any."""
        own = self._values.get("seed")
        at = self._values[self.main] if own is None and self._seed is not None else None
        self.tools.renew(_(self.title), self._seed if own is None else own, at)

    def _questions(self) -> list[tuple[str, Any]]:
        return [self.question(numbers) for numbers in self._numbers]

    def _another(self) -> None:
        self.random(fresh_seed())

    def _details(self) -> list[list[Table]]:
        return [self.detail(numbers) for numbers in self._numbers]

    def _changed(self, field: Field, value: Any) -> None:
        if self._putting:
            return
        name = field.control.name
        try:
            if name == self.main:
                self._values = saved.checked(self.controls, {name: value}, self._values)
            else:
                self.move(**{name: value})
        except ValueError as error:
            if not field.refuse(str(error)):
                self._put()

    def _take(self, values: dict[str, Any], seed: int | None = None) -> None:
        """Show other values, or keep the old ones where that fails; meanwhile the page shows work in hand."""
        before = self._values, self._seed
        self._values, self._seed = values, seed
        self.add_class("d20-busy")
        try:
            self.redraw()
        except BaseException:  # a refusal, or a learner who interrupts what takes too long
            self._values, self._seed = before
            self._put()
            raise
        finally:
            self.remove_class("d20-busy")

    def __repr__(self) -> str:
        shown = saved.arguments(self.controls, self._values)
        return f"{type(self).__name__}({shown}): {self._told()}"

    def _told(self) -> str:
        """The sentence, or the question while a learner has not answered it."""
        return self.prediction.question[0] if self.prediction.hides else self.summary

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        view = (super()._repr_mimebundle_(**kwargs) or {}) if self.comm is not None else {}
        rows = [] if self.prediction.hides else self.table()
        return {**view, "text/plain": repr(self), "text/html": twin.html(_(self.title), self._told(), rows)}

    def __copy__(self) -> Self:
        raise _no_copy(self)

    def __deepcopy__(self, memo: Any) -> Self:
        raise _no_copy(self)

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise _no_copy(self)


def _no_copy(explorer: Explorer) -> TypeError:
    kind = type(explorer).__name__
    fix = _("write {kind}.from_state(explorer.state) for a second one").format(kind=kind)
    return TypeError(_("An explorer belongs to its page and is neither copied nor pickled; {fix}").format(fix=fix))
