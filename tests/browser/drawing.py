"""What a picture shows, read from its SVG in screen pixels."""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import Locator

_READ = """(explorer) => {
    const shape = (path) => {
        const { x, y, width, height } = path.getBoundingClientRect();
        return { x: x + width / 2, y: y + height / 2, width, height };
    };
    // A bar without a place has no width; one of height 0 has.
    const shapes = (trace, paths) => [...trace.querySelectorAll(paths)].map(shape).filter(({ width }) => width > 0);
    const traces = [...explorer.querySelectorAll(".d20-layer:not(.d20-still) .trace")];
    return traces.map((trace) => ({
        index: trace.__data__[0].trace.index,
        bars: shapes(trace, ".point > path"),
        marks: shapes(trace, "path.point"),
        text: trace.textContent,
    }));
}"""


@dataclass(frozen=True)
class Shape:
    """The middle and the size of one thing that is drawn."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Trace:
    """One trace of the figure as drawn: its bars or its marks, and its words."""

    bars: tuple[Shape, ...]
    marks: tuple[Shape, ...]
    text: str


def drawn(explorer: Locator) -> dict[int, Trace]:
    """Return the traces that follow the slider, by their place in the figure."""
    found = explorer.evaluate(_READ)
    return {
        one["index"]: Trace(
            tuple(Shape(**shape) for shape in one["bars"]), tuple(Shape(**shape) for shape in one["marks"]), one["text"]
        )
        for one in found
    }
