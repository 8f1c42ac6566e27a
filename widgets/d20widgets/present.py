"""Presenter mode: the notebook as slides, without an extension of JupyterLab."""

from __future__ import annotations

from html import escape
from typing import Any

import traitlets

from d20kit.language import _
from d20widgets.alone import Alone
from d20widgets.follower import script, source


class Presenter(Alone):
    """A button that shows the notebook around it as slides, one for each heading.

    Attributes
    ----------
    on : bool
        Whether the notebook is shown as slides now; it may be set, and follows the keys on the page.

    Examples
    --------
    >>> Presenter().on
    True
    """

    _esm = traitlets.Unicode(script("parts", "present")).tag(sync=True)
    style_sheet = traitlets.Unicode(source("present.css")).tag(sync=True)
    words: Any = traitlets.Dict().tag(sync=True)
    on = traitlets.Bool(True).tag(sync=True)

    def __init__(self) -> None:
        super().__init__()
        self.redraw()

    @property
    def summary(self) -> str:
        """What the keys do, in a sentence."""
        return _(
            "PageDown or the right arrow goes forward, PageUp or the left arrow back, Home to the first slide, End to "
            "the last; Escape leaves."
        )

    def redraw(self) -> None:
        """Show every word in the language in use."""
        self.words = {
            "start": _("Present"),
            "bar": _("Presenter mode"),
            "back": _("Back"),
            "next": _("Forward"),
            "leave": _("Leave"),
            "slide": _("Slide {number} of {n}"),
            "keys": self.summary,
            "nowhere": _("Presenter mode needs a notebook around this cell."),
        }

    def __repr__(self) -> str:
        return f"present(): {self.summary}"

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        return self.bundle(f"<p>{escape(self.summary)}</p>", **kwargs)


def present() -> Presenter:
    """Show the notebook as slides: large type, no code, pictures that fill the screen.

    Write it as the last line of a cell and run the cell. A slide begins at each text cell with a heading of the first
    or second rank. PageDown and PageUp go forward and back, and so do the arrow keys unless a control uses them; a
    slide longer than the screen is scrolled first. Home and End lead to the first and the last one. Escape leaves, and
    the page is then as it was before. The code is hidden, never deleted, and what is printed is the notebook and not a
    slide.

    Returns
    -------
    Presenter
        Its button starts the slides again; ``.on`` says whether they are shown.

    Examples
    --------
    >>> present()  # doctest: +ELLIPSIS
    present(): PageDown or the right arrow goes forward, ...
    """
    return Presenter()
