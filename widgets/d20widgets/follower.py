"""What follows a slider in the browser: a table of frames, one for each position, sent once."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import anywidget
import ipywidgets
import traitlets

STATIC = Path(__file__).parent / "static"


def source(*files: str) -> str:
    """Return the text of some files of the page, one after another."""
    return "\n".join((STATIC / file).read_text(encoding="utf-8") for file in files)


def script(*names: str) -> str:
    """Join a widget's own scripts to the one that all of them share; an anywidget cannot import a neighbour."""
    return source("follow.js", *(f"{name}.js" for name in names))


STYLE = source("explorer.css")


class Follower(anywidget.AnyWidget):
    """A widget that shows the frame at the slider's position without asking the kernel.

    Parameters
    ----------
    slider : ipywidgets.IntSlider
        The slider it follows. Position ``first`` of the slider shows ``frames[0]``, the next one ``frames[1]``.
    **traits
        What else an ipywidget may be given, such as a layout that it shares.
    """

    slider = traitlets.Instance(ipywidgets.Widget).tag(sync=True, **ipywidgets.widget_serialization)
    frames: Any = traitlets.List().tag(sync=True)
    first = traitlets.Int(0).tag(sync=True)
    _css = traitlets.Unicode(STYLE).tag(sync=True)

    def __init__(self, slider: ipywidgets.Widget, **traits: Any) -> None:
        super().__init__(slider=slider, **traits)

    def show(self, frames: Sequence[Any], first: int) -> None:
        """Send a new table, in one message."""
        with self.hold_sync():
            self.frames = list(frames)
            self.first = first
