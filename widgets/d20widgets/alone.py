"""What a widget needs that stands in a cell by itself, and what has to be done when one is closed."""

from __future__ import annotations

from typing import Any

import anywidget
import ipywidgets


class Alone(anywidget.AnyWidget):
    """A widget by itself, which frees its layout as well when it is closed."""

    def close(self) -> None:
        """Free the widget, in the kernel and on the page."""
        if self.comm is None:
            return
        self.layout.close()
        super().close()
        unhide(self)

    def bundle(self, html: str, **kwargs: Any) -> Any:
        """Return what a notebook shows of it: the widget while it is open, its text, and HTML for other viewers."""
        data, metadata = ({}, {}) if self.comm is None else super()._repr_mimebundle_(**kwargs) or ({}, {})
        return {**data, "text/plain": repr(self), "text/html": html}, metadata


def inside(widget: ipywidgets.Widget) -> list[ipywidgets.Widget]:
    """Return all widgets that another one holds: children, and the layout and style that ipywidgets make themselves."""
    held = [getattr(widget, name, None) for name in ("layout", "style")]
    found = [part for part in held if isinstance(part, ipywidgets.Widget)]
    for child in getattr(widget, "children", ()):
        found += [*inside(child), child]
    return found


def unhide(widget: ipywidgets.Widget) -> None:
    """Let a closed widget be shown as text: ipywidgets put None over the method that a notebook then calls."""
    del widget._repr_mimebundle_
