"""What every explorer shares: controls, one picture with its formula and sentence, and its values out and in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, Self

import ipywidgets

from d20kit.language import _
from d20widgets import state as saved
from d20widgets import twin
from d20widgets.access import Access
from d20widgets.chart import Chart
from d20widgets.controls import Control, Field, Whole
from d20widgets.text import Formula, Sentence


class Explorer(ipywidgets.VBox):
    """A rule to drag: controls on top, the picture they move, the formula with the numbers in it, and a sentence.

    The main control is a slider whose every position is computed at once and sent to the browser as a table, so that
    dragging it needs no kernel. Any other control sends one new table. A topic derives its own explorer by naming its
    controls and answering five questions about one position: its numbers, what they change in the picture, its
    formula, its sentence, its table.

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

    def __init__(self, **values: Any) -> None:
        self._values = self._start = saved.checked(self.controls, values)
        self._putting = False
        self._fields = {control.name: Field(control, self._changed) for control in self.controls}
        self._reset = ipywidgets.Button(layout={"width": "auto"})
        self._reset.on_click(lambda _button: self.reset())
        slider = self._fields[self.main].parts[0]
        self.chart, self.formula_line, self.sentence_line = Chart(slider), Formula(slider), Sentence(slider)
        self._access = Access()
        super().__init__([self._panel(), self.chart, self.formula_line, self.sentence_line, self._access])
        self.add_class("d20-explorer")
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

    def move(self, **values: Any) -> None:
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

    def redraw(self) -> None:
        """Compute the table for every position of the main control, and send it with all labels."""
        self._put()
        positions = self._positions()
        table = [self.numbers({**self._values, self.main: position}) for position in positions]
        picture = self.picture(self._values, table)
        self.chart.show(picture, [self.frame(numbers) for numbers in table], positions.start)
        self.formula_line.show([self.formula(numbers) for numbers in table], positions.start)
        self.sentence_line.show([self.sentence(numbers) for numbers in table], positions.start)

    def close(self) -> None:
        """Free the explorer and every widget in it, in the kernel and on the page."""
        if self.comm is None:  # closed already, or refused before it was built
            return
        for widget in _inside(self):
            widget.close()
        for field in self._fields.values():
            for part in field.parts:
                part.close()
        super().close()

    # How it works.

    def _panel(self) -> ipywidgets.Box:
        main = self._fields[self.main].box
        main.add_class("d20-main")
        others = [field.box for name, field in self._fields.items() if name != self.main]
        panel = ipywidgets.Box([main, *others, self._reset])
        panel.add_class("d20-controls")
        return panel

    def _positions(self) -> range:
        control = next(control for control in self.controls if control.name == self.main)
        assert isinstance(control, Whole)
        return range(control.low, control.top(self._values) + 1)

    def _put(self) -> None:
        self._putting = True
        try:
            for field in self._fields.values():
                field.put(self._values)
        finally:
            self._putting = False
        self._reset.description = _("Reset")
        self._access.title = _(self.title)

    def _changed(self, field: Field, value: Any) -> None:
        if self._putting:
            return
        try:
            values = saved.checked(self.controls, {field.control.name: value}, self._values)
            if field.control.name == self.main:
                self._values = values
            else:
                self._take(values)
        except ValueError as error:
            field.refuse(str(error))

    def _take(self, values: dict[str, Any]) -> None:
        """Show other values, or keep the old ones where a rule refuses; meanwhile the page shows work in hand."""
        before, self._values = self._values, values
        self.add_class("d20-busy")
        try:
            self.redraw()
        except ValueError:
            self._values = before
            self._put()
            raise
        finally:
            self.remove_class("d20-busy")

    def __repr__(self) -> str:
        shown = saved.arguments(self.controls, self._values)
        return f"{type(self).__name__}({shown}): {self.summary}"

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        view = super()._repr_mimebundle_(**kwargs) or {}
        return {**view, "text/plain": repr(self), "text/html": twin.html(_(self.title), self.summary, self.table())}


def _inside(widget: ipywidgets.Widget) -> list[ipywidgets.Widget]:
    """Every widget that another one holds: children, and the layout and style that ipywidgets make by themselves."""
    held = [getattr(widget, name, None) for name in ("layout", "style")]
    found = [part for part in held if isinstance(part, ipywidgets.Widget)]
    for child in getattr(widget, "children", ()):
        found += [*_inside(child), child]
    return found
