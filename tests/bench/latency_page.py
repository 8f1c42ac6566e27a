"""What the latency bench does in a browser: presses keys, waits for what must be painted, and counts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Any

import nbformat
from playwright.sync_api import Browser, Locator

from d20kit.launch.lab import Server
from d20widgets.controls import Whole
from d20widgets.explorer import Explorer
from tests.browser.lab_page import IDLE, OPEN, Lab
from tests.browser.lab_server import LESSONS

# Milliseconds between a painted move and the next key, as a quick hand leaves them, and from a notebook that stands
# open to the first cell that is run, while Lab still fetches its own parts.
_PAUSE = 50
_READING = 2500
_GIVE_UP = 10_000
_EXECUTE = """(code) => {
    window.d20Said = undefined;
    let said = "";
    const future = d20Panel.sessionContext.session.kernel.requestExecute({ code });
    future.onIOPub = ({ content }) => { said += content.text ?? content.evalue ?? ""; };
    future.done.then(() => { window.d20Said = said; });
}"""
# How much longer than the rest of a bench's waiting a kernel may work at one piece of code.
_LONG = 1_200_000
# Delays what the page and its kernels say to each other, from the next notebook on.
_SLOW_LINE = """(delay) => {
    const { send } = WebSocket.prototype;
    const own = Object.getOwnPropertyDescriptor(WebSocket.prototype, "onmessage");
    WebSocket.prototype.send = function (data) { setTimeout(() => send.call(this, data), delay); };
    Object.defineProperty(WebSocket.prototype, "onmessage", {
        ...own,
        set(heard) { own.set.call(this, heard && ((event) => setTimeout(() => heard.call(this, event), delay))); },
    });
}"""
# The time from a key to the painted frame in which all is as it must be. The page is watched, not asked.
_WATCH = """([wanted, patience]) => {
    window.d20Took = new Promise((resolve) => {
        let start = null;
        const began = () => { start ??= performance.now(); };
        document.addEventListener("keydown", began, { capture: true, once: true });
        const read = {
            label: () => document.querySelector(".d20-chart")?.getAttribute("aria-label"),
            sentence: () => document.querySelector(".d20-sentence")?.textContent,
            mark: () => [...document.querySelectorAll(".js-plotly-plot:not(.d20-layer) path.point")]
                .map((node) => node.getAttribute("transform")).join(),
        };
        const before = read.mark();
        const there = () => Object.entries(wanted).every(([what, text]) =>
            what === "mark" ? read.mark() !== before : read[what]() === text);
        const end = (took) => { observer.disconnect(); clearTimeout(late); resolve(took); };
        const painted = () => requestAnimationFrame(() => {
            const channel = new MessageChannel();
            channel.port1.onmessage = () => end(performance.now() - start);
            channel.port2.postMessage(0);
        });
        const observer = new MutationObserver(() => {
            if (start === null || !there()) return;
            observer.disconnect();
            painted();
        });
        const late = setTimeout(() => end(null), patience);
        observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
    });
}"""
_FIRST = """(patience) => {
    window.d20Took = new Promise((resolve) => {
        const start = performance.now();
        const late = setTimeout(() => resolve(null), patience);
        const look = () => {
            if (!document.querySelector(".d20-live .trace") || !document.querySelector(".d20-sentence")?.textContent) {
                requestAnimationFrame(look);
                return;
            }
            clearTimeout(late);
            const channel = new MessageChannel();
            channel.port1.onmessage = () => resolve(performance.now() - start);
            channel.port2.postMessage(0);
        };
        look();
    });
    jupyterapp.commands.execute("notebook:run-all-cells");
}"""


@dataclass
class Move:
    """A key for a control, and the words that the page must then show."""

    key: str
    wanted: dict[str, str]


class Bench:
    """A Lab of its own with one notebook at a time."""

    def __init__(self, browser: Browser, server: Server) -> None:
        self._server = server
        self.lab = Lab(browser, server)
        self.page = self.lab.page
        self.page.on("websocket", lambda socket: socket.on("framereceived", self._received))
        self.page.on("websocket", lambda socket: socket.on("framesent", self._received))
        self.bytes = 0

    def slow_down(self, delay: int) -> None:
        """Let each message to and from the kernels of the next notebooks take so many milliseconds longer."""
        self.page.evaluate(_SLOW_LINE, delay)

    def _received(self, data: str | bytes) -> None:
        self.bytes += len(data)

    @contextmanager
    def notebook(self, *cells: str) -> Iterator[float]:
        """Run a notebook of these cells, give the milliseconds to its first painted explorer, and shut it down."""
        folder = self._server.root / LESSONS
        lesson = nbformat.read(folder / "00-start.ipynb", as_version=4)
        # A lesson begins with words, for which Lab loads what it sets formulas with before anybody runs a cell.
        lesson.cells = [lesson.cells[0], *(nbformat.v4.new_code_cell(cell) for cell in cells)]
        nbformat.write(lesson, folder / "latency.ipynb")
        self.page.evaluate(OPEN, f"{LESSONS}/latency.ipynb")
        self.page.wait_for_function(IDLE)
        self.page.wait_for_timeout(_READING)
        self.bytes = 0
        self.page.evaluate(_FIRST, 60_000)
        took = self.page.evaluate("() => window.d20Took")
        if took is None:
            raise RuntimeError(f"no explorer was painted within a minute: {self.lab.complaints}")
        self.page.wait_for_function(IDLE)
        self.page.wait_for_timeout(1500)
        try:
            yield took
        finally:
            self.page.evaluate("() => d20Panel.sessionContext.shutdown()")
            self.page.evaluate("() => d20Panel.dispose()")

    @property
    def explorer(self) -> Locator:
        """The first explorer of the notebook."""
        return self.page.locator(".d20-explorer").first

    def press(self, knob: Locator, moves: Sequence[Move]) -> list[float]:
        """Return the milliseconds from each key to the painted frame that shows what it must.

        Raises
        ------
        RuntimeError
            If the page never shows it.
        """
        took = []
        for move in moves:
            self.page.evaluate(_WATCH, [move.wanted, _GIVE_UP])
            knob.press(move.key)
            one = self.page.evaluate("() => window.d20Took")
            if one is None:
                raise RuntimeError(f"after {move.key} the page does not show {move.wanted}")
            took.append(one)
            self.page.wait_for_timeout(_PAUSE)
        return took

    def walk(self, knob: Locator, count: int) -> None:
        """Press keys as fast as they are taken, up and down in turns of twenty."""
        for i in range(count):
            knob.press("ArrowRight" if i // 20 % 2 else "ArrowLeft")

    def execute(self, code: str) -> str:
        """Let the notebook's kernel run some code, and return what it printed."""
        self.page.evaluate(_EXECUTE, code)
        self.page.wait_for_function("() => window.d20Said !== undefined", timeout=_LONG)
        self.page.wait_for_timeout(500)
        return str(self.page.evaluate("() => window.d20Said"))

    def heap(self) -> int:
        """Return the bytes that the page holds, without compiled code: the browser makes and drops that as it likes."""
        session = self.lab.context.new_cdp_session(self.page)
        told: list[str] = []
        session.on("HeapProfiler.addHeapSnapshotChunk", lambda event: told.append(event["chunk"]))
        for _turn in range(3):
            session.send("HeapProfiler.collectGarbage")
            self.page.wait_for_timeout(300)
        session.send("HeapProfiler.takeHeapSnapshot")
        session.detach()
        return _held(json.loads("".join(told)))


def _held(heap: dict[str, Any]) -> int:
    """Return the bytes of all nodes of a snapshot, except those of code."""
    meta = heap["snapshot"]["meta"]
    fields, kinds = meta["node_fields"], meta["node_types"][0]
    of_kind, of_size = (heap["nodes"][fields.index(name) :: len(fields)] for name in ("type", "self_size"))
    return sum(size for kind, size in zip(of_kind, of_size, strict=True) if kinds[kind] != "code")


def main_moves(twin: Explorer, count: int) -> list[Move]:
    """Return presses that walk the main slider up and down, with what each must bring about."""
    low, high = twin.chart.first, twin.chart.first + len(twin.chart.frames) - 1
    position, step = twin.values[twin.main], 1
    moves: list[Move] = []
    while len(moves) < count:
        if not low <= position + step <= high:
            step = -step
        position += step
        moves.append(Move("ArrowRight" if step > 0 else "ArrowLeft", _shown(twin, position - low)))
    return moves


def other_moves(twin: Explorer, control: Whole, count: int) -> list[Move]:
    """Return presses that move another slider to and fro, with what each must bring about."""
    moves: list[Move] = []
    position, step = twin.values[control.name], 1
    while len(moves) < count:
        if not control.bottom(twin.values) <= position + step <= control.top(twin.values):
            step = -step
        position += step
        twin.move(**{control.name: position})
        shown = _shown(twin, twin.values[twin.main] - twin.chart.first)
        moves.append(Move("ArrowRight" if step > 0 else "ArrowLeft", shown))
    return moves


def other_slider(twin: Explorer) -> Whole | None:
    """Return the first open slider besides the main one whose moves are seen at once."""
    hidden = {twin.main, *(name for names in twin.groups.values() for name in names)}
    for control in twin.controls:
        if isinstance(control, Whole) and control.name not in hidden and _is_seen(type(twin), control):
            return control
    return None


def _is_seen(kind: type[Explorer], control: Whole) -> bool:
    """Whether each of the moves changes the words, so that the page can be seen to have made it."""
    twin = kind()
    start = _shown(twin, twin.values[twin.main] - twin.chart.first)
    shown = [start, *(move.wanted for move in other_moves(twin, control, 6))]
    twin.close()
    return all(one != other for one, other in pairwise(shown))


def _shown(twin: Explorer, index: int) -> dict[str, str]:
    return {"label": twin.chart.frames[index]["label"], "sentence": twin.sentence_line.frames[index]}


def middle(times: Sequence[float]) -> float:
    """Return the median, the first few moves left out: they warm up scripts and caches."""
    return median(times[min(6, len(times) - 1) :])
