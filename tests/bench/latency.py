"""From a key to the painted frame: every explorer in a real JupyterLab, beside a FigureWidget with the same data.

Run it with ``python -m tests.bench.latency``, or with the names of some parts. It prints one table and ends with 1 if a
required figure is missed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import sync_playwright

import d20widgets
from d20kit.launch.browser import find_chromium
from d20widgets import AttackExplorer
from d20widgets.explorer import Explorer
from tests.bench.latency_page import Bench, Move, main_moves, middle, other_moves, other_slider
from tests.bench.measure import machine, table
from tests.browser.conftest import _FLAGS
from tests.browser.lab_server import serve_lessons

MOVES = 50
WARM = 6
LONG = 500
FILLING = 100
DELAY = 200
EXPLORERS = [
    kind
    for name in d20widgets.__all__
    if isinstance(kind := getattr(d20widgets, name), type) and issubclass(kind, Explorer)
]
# The same figure at every position, moved as plotly's documentation does it.
BESIDE = """
import ipywidgets, plotly.graph_objects
from d20widgets import AttackExplorer
explorer = AttackExplorer()
widget = plotly.graph_objects.FigureWidget(explorer.figure)
slider = ipywidgets.IntSlider(explorer.values["ac"], min=5, max=45, description="beside")
def moved(change):
    figure = explorer.chart.at(change["new"])
    with widget.batch_update():
        for path in explorer.chart.paths:
            _data, trace, name = path.split(".", 2)
            widget.data[int(trace)][name] = figure["data"][int(trace)][name]
slider.observe(moved, "value")
ipywidgets.VBox([explorer, slider, widget])
"""
# Every control takes any value that is allowed beside the others, many times; what stays in the kernel is counted where
# the explorer began, since what one position takes and another does not is no growth; and without the caches that have
# an end, since how much the last that they hold weighs is chance.
WALK = """
import functools, gc, sys
from random import Random
from d20widgets import {name}
def walk(number, seed, times):
    rng, control = Random(seed), explorer.controls[number]
    for _time in range(times):
        try:
            explorer.move(**{{control.name: control.draw(rng, explorer.values)}})
        except ValueError:
            pass  # a rule refuses two values together
def held():
    explorer.reset()
    for one in gc.get_objects():
        if isinstance(one, functools._lru_cache_wrapper) and one.__module__.startswith("d20"):
            if one.cache_parameters()["maxsize"]:
                one.cache_clear()
    gc.collect()
    print(sys.getallocatedblocks())
explorer = {name}()
explorer
"""


class Figure(NamedTuple):
    """One line of the table: what was measured, how much it may be, and whether it is."""

    name: str
    measured: str
    required: str
    met: bool


def most(name: str, measured: float, limit: float, unit: str) -> Figure:
    """Return a line for a figure that may be at most so much."""
    return Figure(name, f"{measured:.3g} {unit}", f"at most {limit:g} {unit}", measured <= limit)


def beside_figure_widget(bench: Bench) -> Iterator[Figure]:
    """Press keys in turn on an explorer's main slider and on one that moves a FigureWidget."""
    twin = AttackExplorer()
    with bench.notebook(BESIDE):
        bench.page.locator(".js-plotly-plot:not(.d20-layer) path.point").first.wait_for(timeout=60_000)
        own = bench.explorer.locator(".d20-main [role=slider]")
        other = bench.page.locator(".widget-slider").filter(has_text="beside").locator("[role=slider]")
        ours, theirs = [], []
        for move in main_moves(twin, MOVES + WARM):
            ours += bench.press(own, [move])
            theirs += bench.press(other, [Move(move.key, {"mark": "elsewhere"})])
    yield Figure("AttackExplorer beside a FigureWidget", f"{middle(ours):.3g} ms", "", True)
    yield Figure("FigureWidget, the same figure", f"{middle(theirs):.3g} ms", "", True)
    times = middle(theirs) / middle(ours)
    yield Figure("times faster than FigureWidget", f"{times:.2g}", "at least 3", times >= 3)


def every_explorer(bench: Bench) -> Iterator[Figure]:
    """Press keys on the main slider and on another slider of each explorer, alone in a notebook of its own."""
    for kind in EXPLORERS:
        name = kind.__name__
        twin = kind()
        with bench.notebook(f"from d20widgets import {name}\n{name}()"):
            knob = bench.explorer.locator(".d20-main [role=slider]")
            yield most(f"{name}: main slider", middle(bench.press(knob, main_moves(twin, MOVES + WARM))), 40, "ms")
            control = other_slider(twin)
            if control:
                knob = bench.explorer.locator(f'[role=slider][aria-label="{control.label}"]')
                twin.move(**{twin.main: _after_the_walk(twin)})
                took = middle(bench.press(knob, other_moves(twin, control, MOVES + WARM)))
                yield most(f"{name}: {control.name}", took, 150, "ms")
        twin.close()


def first_picture(bench: Bench) -> Iterator[Figure]:
    """Run a lesson's first cell in a page that has no plotly yet, and a kernel that has imported nothing."""
    with bench.notebook("from d20widgets import AttackExplorer\nAttackExplorer()") as took:
        yield most("first picture of a page", took / 1000, 1.5, "s")
    with bench.notebook("from d20widgets import HitPointExplorer\nHitPointExplorer()") as took:
        yield most("first picture of another lesson", took / 1000, 1.5, "s")


def _after_the_walk(twin: Explorer) -> int:
    """Return where the main slider stands after the presses."""
    steps = [1 if move.key == "ArrowRight" else -1 for move in main_moves(twin, MOVES + WARM)]
    return int(twin.values[twin.main] + sum(steps))


def six_in_one(bench: Bench) -> Iterator[Figure]:
    """Count what goes over the line for six explorers in one notebook."""
    kinds = [EXPLORERS[i % len(EXPLORERS)].__name__ for i in range(6)]
    with bench.notebook("from d20widgets import *", *(f"{name}()" for name in kinds)):
        bench.page.wait_for_timeout(3000)
        yield most("six explorers, traffic", bench.bytes / 1e6, 5, "MB")


def memory(bench: Bench) -> Iterator[Figure]:
    """Move every control of every explorer many times, and see what page and kernel keep of it. This takes long."""
    for kind in EXPLORERS:
        with bench.notebook(WALK.format(name=kind.__name__)):
            knob = bench.explorer.locator(".d20-main [role=slider]")
            sizes = []
            for seed, times in enumerate((FILLING, LONG)):  # at first caches fill, as of how wide each text is
                bench.walk(knob, times)
                for number in range(len(kind.controls)):
                    bench.execute(f"walk({number}, {seed}, {times})")
                blocks = int(bench.execute("held()"))
                sizes.append((bench.heap(), blocks))
        page, kernel = ((after - before) / 1e6 for before, after in zip(*sizes, strict=True))
        yield most(f"{kind.__name__}: page grown by {LONG} moves of every control", page, 1, "MB")
        yield most(f"{kind.__name__}: kernel grown by as many", kernel, 0.01, "million blocks")


def slow_line(bench: Bench) -> Iterator[Figure]:
    """Press keys on the main slider while every message to and from the kernel takes longer."""
    bench.slow_down(DELAY)
    with bench.notebook("from d20widgets import AttackExplorer\nAttackExplorer()"):
        knob = bench.explorer.locator(".d20-main [role=slider]")
        took = middle(bench.press(knob, main_moves(AttackExplorer(), MOVES + WARM)))
    yield most(f"main slider, {DELAY} ms added to each message", took, 40, "ms")


PARTS = {
    "first": first_picture,
    "beside": beside_figure_widget,
    "every": every_explorer,
    "six": six_in_one,
    "memory": memory,
    "slow": slow_line,
}


def measured(scratch: Path, wanted: Sequence[str]) -> Iterator[Figure]:
    """Measure one thing after the other."""
    with serve_lessons(scratch) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=_FLAGS)
        for part in wanted:
            bench = Bench(browser, server)
            yield from PARTS[part](bench)
            bench.lab.context.close()
        browser.close()


def main() -> int:
    """Print the table; return 1 if a required figure is missed."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.latency", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"what to measure: {', '.join(PARTS)} (all of them)")
    wanted = parser.parse_args().parts or list(PARTS)
    if unknown := set(wanted) - set(PARTS):
        parser.error(f"no such part: {', '.join(sorted(unknown))}; choose from {', '.join(PARTS)}")
    figures = []
    with tempfile.TemporaryDirectory() as scratch:
        for figure in measured(Path(scratch), wanted):
            figures.append(figure)
            print(*_cells(figure), sep="  ", file=sys.stderr, flush=True)
    print(machine("plotly", "ipywidgets", "anywidget", "jupyterlab"))
    print(table(["from a key to the painted frame", "median", "required", ""], [_cells(figure) for figure in figures]))
    return 0 if all(figure.met for figure in figures) else 1


def _cells(figure: Figure) -> list[str]:
    verdict = "met" if figure.met else "MISSED"
    return [figure.name, figure.measured, figure.required, verdict if figure.required else ""]


if __name__ == "__main__":
    sys.exit(main())
