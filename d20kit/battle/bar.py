"""A bar of text that says how far long work is."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from d20kit.language import _

_LENGTH = 30


def bar_text(task: str, done: int, total: int) -> str:
    """Return a bar for a task.

    >>> bar_text("computing the odds", 1, 2)
    'computing the odds [###############...............] 50 %'
    """
    filled = _LENGTH * done // max(1, total)
    return f"{task} [{'#' * filled}{'.' * (_LENGTH - filled)}] {100 * done // max(1, total)} %"


class Bar:
    """A bar on one line, written over as the work goes on: what ``progress=`` takes, in a notebook as well.

    Parameters
    ----------
    out : text file, optional
        Where to draw it; standard error without it.

    Examples
    --------
    >>> from io import StringIO
    >>> out = StringIO()
    >>> bar = Bar(out)
    >>> bar(0, 50), bar(25, 50)
    (None, None)
    >>> print(out.getvalue().split("\\r")[-1])
    computing the odds [###############...............] 50 %
    """

    def __init__(self, out: TextIO | None = None) -> None:
        self.out = sys.stderr if out is None else out
        self._shown = ""

    def __call__(self, done: int, total: int) -> None:
        """Show what is done of what there is to do."""
        self._show(bar_text(_("computing the odds"), done, total))

    def clear(self) -> None:
        """Wipe the line, so that whatever is said next begins it."""
        if self._shown:
            self._show("")
            self.out.write("\r")
            self.out.flush()

    def _show(self, text: str) -> None:
        if text != self._shown:
            self.out.write("\r" + text.ljust(len(self._shown)))
            self.out.flush()
            self._shown = text


@contextmanager
def bar_on_terminal() -> Iterator[Bar | None]:
    """Yield a bar that is gone at the end, or None where nobody at a terminal waits for it.

    >>> with bar_on_terminal() as bar:
    ...     print(bar)
    None
    """
    if not _at_terminal():
        yield None
        return
    bar = Bar()
    try:
        bar(0, 1)
        yield bar
    finally:
        bar.clear()


def _at_terminal() -> bool:
    # several threads would write over each other
    main = threading.current_thread() is threading.main_thread()
    return main and sys.stderr is not None and not sys.stderr.closed and sys.stderr.isatty()
