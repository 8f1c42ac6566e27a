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
        name: trace.__data__[0].trace.name,
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
    """One trace of the figure as drawn: its name in the legend, its bars or its marks, and its words."""

    name: str
    bars: tuple[Shape, ...]
    marks: tuple[Shape, ...]
    text: str


def drawn(explorer: Locator) -> list[Trace]:
    """Return the traces that follow the slider, in the order of the figure."""
    return [
        Trace(one["name"], _shapes(one["bars"]), _shapes(one["marks"]), one["text"]) for one in explorer.evaluate(_READ)
    ]


def _shapes(found: list[dict[str, float]]) -> tuple[Shape, ...]:
    return tuple(Shape(**one) for one in found)
