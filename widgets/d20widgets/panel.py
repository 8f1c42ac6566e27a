"""How the controls of an explorer are laid out: the main one first, rarer ones in closed groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import anywidget
import ipywidgets
import traitlets

from d20kit.language import _
from d20widgets.follower import script


class Fold(anywidget.AnyWidget):
    """A button that opens and closes the group of controls that it stands over."""

    _esm = traitlets.Unicode(script("parts", "fold")).tag(sync=True)
    title = traitlets.Unicode().tag(sync=True)


class Panel(ipywidgets.VBox):
    """All controls of an explorer.

    Parameters
    ----------
    boxes : mapping of str to ipywidgets.Box
        The box of every control, by name, in the order in which they are shown.
    main : str
        Name of the main control.
    groups : mapping of str to sequence of str
        Title of each closed group, a catalogue message, to the names of the controls in it.
    last : ipywidgets.Widget
        What stands after the open controls.
    """

    def __init__(
        self,
        boxes: Mapping[str, ipywidgets.Box],
        main: str,
        groups: Mapping[str, Sequence[str]],
        last: ipywidgets.Widget,
    ) -> None:
        grouped = {name for names in groups.values() for name in names}
        boxes[main].add_class("d20-main")
        open_ones = [box for name, box in boxes.items() if name != main and name not in grouped]
        self._folds = {title: Fold() for title in groups}
        inner = [
            _classed(ipywidgets.VBox([fold, _grid([boxes[name] for name in groups[title]])]), "d20-group")
            for title, fold in self._folds.items()
        ]
        super().__init__([_grid([boxes[main], *open_ones, last]), *inner])
        self.add_class("d20-panel")

    def renew(self) -> None:
        """Show the titles of the groups in the language in use."""
        for title, fold in self._folds.items():
            fold.title = _(title)


def _grid(boxes: Sequence[ipywidgets.Widget]) -> ipywidgets.Box:
    return _classed(ipywidgets.Box(boxes), "d20-controls")


def _classed(box: ipywidgets.Box, name: str) -> ipywidgets.Box:
    box.add_class(name)
    return box
