"""plotly.js, on its way to the page."""

from __future__ import annotations

from functools import cache

import anywidget
import traitlets

from d20widgets.follower import STATIC, source


@cache
def library() -> bytes:
    """Return plotly.js with bars and scatter traces, which the charts of a page share."""
    return (STATIC / "plotly-basic.min.js").read_bytes()


class Library(anywidget.AnyWidget):
    """A widget that is never shown: it brings the page what its charts need, while the kernel builds them."""

    _esm = traitlets.Unicode(source("loading.js", "library.js")).tag(sync=True)
    code = traitlets.Bytes().tag(sync=True)


@cache
def send_library() -> Library:
    """Send the page its library, once from a kernel and before all else.

    A kernel that works at a cell answers no question; a chart that had to ask would stay empty until the cell has
    ended, and the page would only then begin to read 1.2 MB of script.
    """
    return Library(code=library())
