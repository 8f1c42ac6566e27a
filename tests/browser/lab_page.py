"""JupyterLab in a browser, and a notebook in it, as the tests see and touch them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, ConsoleMessage, Locator, ViewportSize

from d20kit.launch.lab import Server
from tests.browser.lab_server import LESSONS

# Milliseconds, for a machine that does much else meanwhile; nothing waits longer than it has to. Lab and a lesson may
# be long in coming; what then stands on the page has to answer sooner.
PATIENCE = 120_000
ANSWER = 30_000
SCREENSHOTS = Path(__file__).parent / "screenshots"
# The notebook in front.
PANEL = ".jp-NotebookPanel:not(.lm-mod-hidden)"
VIEWPORT: ViewportSize = {"width": 1200, "height": 1250}
# What Lab's debugger says when a kernel ends while it was asking.
_KNOWN = ("Canceled future for debug_request",)

# None of these waits: what Lab asks of a server may take for ever, and only a wait has an end.
OPEN = """(path) => {
    window.d20Panel = undefined;
    jupyterapp.commands.execute("docmanager:open", { path }).then((panel) => { window.d20Panel = panel; });
}"""
IDLE = "() => window.d20Panel?.sessionContext.session?.kernel?.status === 'idle'"
# A widget that was changed while the kernel was busy sends its last value when the kernel has become idle.
_SETTLED = f"""() => {{
    const now = performance.now();
    window.d20Idle = ({IDLE})() ? window.d20Idle ?? now : undefined;
    return now - window.d20Idle > 150;
}}"""
RUN_ALL = """() => {
    const told = (answer) => { window.d20Ran = answer; };
    window.d20Ran = undefined;
    jupyterapp.commands.execute("notebook:run-all-cells").then(told, (error) => told(String(error)));
}"""
_OUTPUTS = "() => d20Panel.content.widgets.flatMap((cell) => cell.model.outputs?.toJSON() ?? [])"
_SELECT = """(wanted) => {
    const notebook = d20Panel.content;
    const holds = ({ type, sharedModel }) => type === "code" && sharedModel.source.includes(wanted);
    notebook.activeCellIndex = notebook.widgets.findIndex((cell) => holds(cell.model));
    notebook.mode = "command";
    notebook.scrollToItem(notebook.activeCellIndex);
}"""
_TAG = """(wanted) => {
    const holds = ({ model }) => model.type === "code" && model.sharedModel.source.includes(wanted);
    d20Panel.content.widgets.find(holds).node.dataset.d20Cell = wanted;
}"""
_PLACE = "() => [d20Panel.content.activeCellIndex, d20Panel.content.mode, d20Panel.content.widgets.length]"
_STOP_KERNEL = "() => { d20Panel.sessionContext.shutdown(); }"
_STOPPED = "() => d20Panel.sessionContext.hasNoKernel"
_THEME = "(theme) => { jupyterapp.commands.execute('apputils:change-theme', { theme }); }"


class Lab:
    """JupyterLab in a browser context of its own.

    ``complaints`` collects what scripts on the page complained about, ``abroad`` each address on another machine.
    """

    def __init__(self, browser: Browser, server: Server) -> None:
        self.complaints: list[str] = []
        self.abroad: list[str] = []
        self.context = browser.new_context(viewport=VIEWPORT, reduced_motion="reduce")
        self.context.set_default_timeout(PATIENCE)
        self.context.on("request", lambda request: self._note(request.url))
        self.page = self.context.new_page()
        self.page.on("websocket", lambda socket: self._note(socket.url))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", self._listen)
        self.page.goto(f"http://127.0.0.1:{server.port}/lab?reset&token={server.token}", wait_until="commit")
        self.page.wait_for_function("() => window.jupyterapp?.restored.then(() => true)")

    def _note(self, address: str) -> None:
        parts = urlsplit(address)
        if parts.scheme not in ("data", "blob") and parts.hostname != "127.0.0.1":
            self.abroad.append(address)

    def _listen(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not any(known in message.text for known in _KNOWN):
            self.complaints.append(f"{message.text} ({message.location.get('url')})")

    @contextmanager
    def notebook(self, name: str) -> Iterator[Notebook]:
        """Open a notebook, run all its cells, and close it after use, its kernel included."""
        path = f"{LESSONS}/{name}.ipynb"
        self.page.evaluate(OPEN, path)
        self.page.wait_for_function(IDLE)
        notebook = Notebook(self, name)
        try:
            notebook.run_all()
            self.page.set_default_timeout(ANSWER)
            yield notebook
        finally:
            self.page.set_default_timeout(PATIENCE)
            self.page.evaluate(OPEN, path)  # others may have been opened since
            self.page.wait_for_function("() => window.d20Panel")
            notebook.stop_kernel()
            self.page.evaluate("() => d20Panel.dispose()")

    @contextmanager
    def theme(self, name: str) -> Iterator[None]:
        """Show Lab in another theme for a while."""
        self.page.evaluate(_THEME, f"JupyterLab {name}")
        try:
            self.page.wait_for_function(f"() => document.body.dataset.jpThemeName === 'JupyterLab {name}'")
            yield
        finally:
            self.page.evaluate(_THEME, "JupyterLab Light")

    @contextmanager
    def high_window(self) -> Iterator[None]:
        """Have a window for a while that holds all of an explorer."""
        self.page.set_viewport_size({**VIEWPORT, "height": 2 * VIEWPORT["height"]})
        try:
            yield
        finally:
            self.page.set_viewport_size(VIEWPORT)

    def keep_picture(self, shown: Locator, file: Path) -> None:
        """Save a screenshot of something, as far as the window shows it; it is for people."""
        file.parent.mkdir(exist_ok=True)
        shown.screenshot(path=file)

    def eventually(self, check: Callable[[], Any]) -> Any:
        """Return what ``check`` returns as soon as it asserts nothing wrong; after long enough, let it fail."""
        for _try in range(ANSWER // 100):
            try:
                return check()
            except AssertionError:
                self.page.wait_for_timeout(100)
        return check()


class Notebook:
    """A notebook open in Lab; all its cells have run."""

    def __init__(self, lab: Lab, name: str) -> None:
        self.lab = lab
        self.page = lab.page
        self.name = name

    def run_all(self) -> None:
        """Run all cells and wait until the kernel has nothing more to do."""
        self.page.evaluate(RUN_ALL)
        self.page.wait_for_function("() => window.d20Ran !== undefined")
        self.finished = self.page.evaluate("() => window.d20Ran")
        self.page.wait_for_function(IDLE)

    def settle(self) -> None:
        """Wait until the kernel has heard of all that was done on the page."""
        self.page.evaluate("() => { window.d20Idle = undefined; }")
        self.page.wait_for_function(_SETTLED)

    def outputs(self) -> list[dict[str, Any]]:
        """Return the outputs of all cells."""
        return self.page.evaluate(_OUTPUTS)  # type: ignore[no-any-return]

    def select(self, wanted: str) -> None:
        """Select the first code cell with this text, in command mode, and bring it into view."""
        self.page.evaluate(_SELECT, wanted)

    def cell(self, wanted: str) -> Locator:
        """Return the first code cell with this text, selected and in view."""
        self.page.evaluate(_TAG, wanted)
        self.select(wanted)
        return self.page.locator(f"[data-d20-cell={json.dumps(wanted)}]")

    @property
    def explorer(self) -> Locator:
        """The first explorer in the notebook."""
        return self.page.locator(f"{PANEL} .d20-explorer").first

    @property
    def place(self) -> list[Any]:
        """What Lab's shortcuts would change: the selected cell, the mode, the number of cells."""
        return self.page.evaluate(_PLACE)  # type: ignore[no-any-return]

    def stop_kernel(self) -> None:
        """Shut the kernel down and wait until it is gone."""
        self.page.evaluate(_STOP_KERNEL)
        self.page.wait_for_function(_STOPPED)
