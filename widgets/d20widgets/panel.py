"""How the controls of an explorer are laid out: the main one first, rarer ones in closed groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import anywidget
import ipywidgets
import traitlets

from d20kit.language import _
from d20widgets.follower import script
from d20widgets.looks import Looks


class Fold(anywidget.AnyWidget):
    """A button that opens and closes the group of controls that it stands over."""

    _esm = traitlets.Unicode(script("parts", "fold")).tag(sync=True)
    title = traitlets.Unicode().tag(sync=True)


class Panel(ipywidgets.VBox):  # type: ignore[misc]
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
    looks : Looks
        What they share with the other parts of the explorer.
    """

    def __init__(
        self,
        boxes: Mapping[str, ipywidgets.Box],
        main: str,
        groups: Mapping[str, Sequence[str]],
        last: ipywidgets.Widget,
        looks: Looks,
    ) -> None:
        layout = looks.of(ipywidgets.Box)
        grouped = {name for names in groups.values() for name in names}
        boxes[main].add_class("d20-main")
        open_ones = [box for name, box in boxes.items() if name != main and name not in grouped]
        self._folds = {title: Fold(**layout) for title in groups}
        inner = [
            ipywidgets.VBox(
                [fold, _grid([boxes[name] for name in groups[title]], layout)], **layout, _dom_classes=["d20-group"]
            )
            for title, fold in self._folds.items()
        ]
        super().__init__([_grid([boxes[main], *open_ones, last], layout), *inner], **layout, _dom_classes=["d20-panel"])

    def renew(self) -> None:
        """Show the titles of the groups in the language in use."""
        for title, fold in self._folds.items():
            fold.title = _(title)


def _grid(boxes: Sequence[ipywidgets.Widget], layout: Mapping[str, Any]) -> ipywidgets.Box:
    return ipywidgets.Box(boxes, **layout, _dom_classes=["d20-controls"])
