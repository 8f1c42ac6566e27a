"""Plain progress: a line for each step, and one passing line that says how far it is."""

from __future__ import annotations

import sys
import time
from typing import TextIO


class Progress:
    """Says what is going on.

    Parameters
    ----------
    out : text file, optional
        Where to say it; standard output without it. On a terminal the passing line is rewritten in place, elsewhere
        it is printed now and then.
    every : float
        Seconds between two such lines at least.

    Examples
    --------
    >>> from io import StringIO
    >>> out = StringIO()
    >>> with Progress(out, every=0) as progress:
    ...     progress.step("Installing")
    ...     progress.detail("3 of 12")
    >>> print(out.getvalue())
    Installing
      3 of 12
    <BLANKLINE>
    """

    def __init__(self, out: TextIO | None = None, every: float = 5) -> None:
        self.out = sys.stdout if out is None else out
        self.every = every
        self._rewrites = self.out.isatty()
        self._passing = 0
        self._last = time.monotonic()

    def step(self, text: str) -> None:
        """Start a step with a line of its own."""
        self._clear()
        self.out.write(text + "\n")
        self.out.flush()
        self._last = time.monotonic()

    def detail(self, text: str) -> None:
        """Say how far the step is."""
        if self._rewrites:
            text = text[:76]
            self.out.write(f"\r  {text}{' ' * max(0, self._passing - len(text))}")
            self._passing = len(text)
        elif time.monotonic() - self._last >= self.every:
            self.out.write(f"  {text}\n")
            self._last = time.monotonic()
        self.out.flush()

    def _clear(self) -> None:
        if self._passing:
            self.out.write("\r" + " " * (self._passing + 2) + "\r")
            self._passing = 0

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *exc: object) -> None:
        self._clear()
        self.out.flush()
