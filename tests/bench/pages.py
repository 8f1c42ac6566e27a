"""What ``tests.bench.latency`` measures in a browser, as lines of the one table."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from tests.bench.latency import PARTS, Figure, measured
from tests.bench.line import SECONDS, Line

LONG = ("memory",)
_TIMES = "times faster than "


def latency() -> Iterator[Line]:
    """Measure everything but what takes hours."""
    return _lines(*(part for part in PARTS if part not in LONG))


def memory() -> Iterator[Line]:
    """Measure what moving everything leaves behind."""
    return _lines(*LONG)


def _lines(*parts: str) -> Iterator[Line]:
    with tempfile.TemporaryDirectory() as scratch:
        yield from as_lines(measured(Path(scratch), parts))


def as_lines(figures: Iterable[Figure]) -> Iterator[Line]:
    """Turn figures that are already written out into lines.

    Those of which nothing is required, ours and then the peer's, belong to the ratio that follows them.

    >>> list(as_lines([
    ...     Figure("a move of ours", "12 ms", "", True),
    ...     Figure("a move of theirs", "48 ms", "", True),
    ...     Figure("times faster than FigureWidget", "4", "at least 3", True),
    ... ]))
    [Line(name='a move of ours', figure=0.012, unit='s', peer='FigureWidget', ratio=4.0, \
required='at least 3 times as fast', met=True, note='')]
    """
    held: list[Line] = []
    for figure in figures:
        if figure.name.startswith(_TIMES):
            peer, required = figure.name.removeprefix(_TIMES), f"{figure.required} times as fast"
            ratio = float(figure.measured)
            yield replace(held[0], peer=peer, ratio=ratio, required=required, met=figure.met)
            held.clear()
        elif figure.required:
            yield as_line(figure)
        else:
            held.append(as_line(figure))
    yield from held


def as_line(figure: Figure) -> Line:
    """Turn one figure into a line.

    >>> as_line(Figure("first picture", "812 ms", "at most 1500 ms", True)).figure
    0.812
    """
    number, _space, unit = figure.measured.partition(" ")
    value = float(number.replace(",", ""))
    if unit == "ms":
        value, unit = value / 1000, SECONDS
    return Line(figure.name, value, unit, required=figure.required, met=figure.met)
