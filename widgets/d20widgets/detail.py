"""Tables that not everybody wants: behind a disclosure, and not computed before somebody opens it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import ipywidgets
import traitlets

from d20widgets.answering import silence
from d20widgets.follower import Follower, script


class Table(NamedTuple):
    """A table of texts: its caption, the heads of its columns, and its rows.

    >>> Table("Weapons", ["name", "dice"], [["sword", "1d8"]]).head
    ['name', 'dice']
    """

    caption: str
    head: list[str]
    rows: list[list[str]]


class Detail(Follower):
    """Tables behind a disclosure, shown literally; they are asked for only while it is open.

    Parameters
    ----------
    slider : ipywidgets.IntSlider
        The slider whose position chooses the tables.
    fill : callable
        Returns the tables of every position of the slider.
    **traits
        What else an ipywidget may be given, such as a layout that it shares.
    """

    _esm = traitlets.Unicode(script("parts", "detail")).tag(sync=True)
    title = traitlets.Unicode().tag(sync=True)
    opened = traitlets.Bool(False).tag(sync=True)
    tables: Any = traitlets.List().tag(sync=True)
    silent = traitlets.Unicode().tag(sync=True)

    def __init__(self, slider: ipywidgets.Widget, fill: Callable[[], Sequence[Sequence[Table]]], **traits: Any) -> None:
        super().__init__(slider, **traits, _dom_classes=["d20-detail"])
        self._fill = fill
        self.observe(lambda _change: self.renew(self.title), "opened")

    def renew(self, title: str) -> None:
        """Show a title, and what the tables are now; while it is closed there are none."""
        found = self._fill() if self.opened else []
        # Many positions share one table: each is sent once.
        places: dict[str, int] = {}
        different: list[Sequence[Table]] = []
        for tables in found:
            if places.setdefault(repr(tables), len(different)) == len(different):
                different.append(tables)
        with self.hold_sync():
            self.title = title
            self.silent = silence()
            self.tables = [[table._asdict() for table in tables] for tables in different]
            self.show([places[repr(tables)] for tables in found], self.slider.min)
