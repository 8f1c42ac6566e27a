"""The static site behind a plain web server under a sub-path, and a lesson of it in a browser."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import IO, Any

from playwright.sync_api import Browser, Page

from tests.browser.lab_page import RUN_ALL

# Project pages are served so: below the name of the project.
PREFIX = "/d20kit"
# Milliseconds: a machine that does much else meanwhile takes its time to compile Python.
PATIENCE = 240_000

_OPENED = """() => {
    const shown = [...(window.jupyterapp?.shell.widgets("main") ?? [])].find((widget) => widget.sessionContext);
    window.d20Panel = shown;
    return shown?.sessionContext.session?.kernel?.status === "idle";
}"""
# A notebook shows only the cells in view, and a run ends at the last one.
_DRAWN = """([picture, cell]) => {
    const holds = ({ type, sharedModel }) => type === "code" && sharedModel.source.includes(cell);
    d20Panel.content.scrollToItem(d20Panel.content.widgets.findIndex(({ model }) => holds(model)));
    return document.querySelector(picture) !== null;
}"""
_OUTPUTS = """() => d20Panel.content.widgets.filter((cell) => cell.model.type === "code")
    .map((cell) => cell.model.outputs.toJSON())"""


class _Handler(SimpleHTTPRequestHandler):
    """Serves a folder below the prefix, uncompressed, and keeps count."""

    protocol_version = "HTTP/1.1"
    server: SiteServer

    def translate_path(self, path: str) -> str:
        if not path.startswith(f"{PREFIX}/"):
            return str(Path(self.directory, "is not there"))
        return super().translate_path(path.removeprefix(PREFIX))

    def log_request(self, code: int | str = "-", _size: int | str = "-") -> None:
        if code == HTTPStatus.OK:
            self.server.asked.append(self.path.removeprefix(PREFIX))

    def copyfile(self, source: IO[bytes], outputfile: IO[bytes]) -> None:  # type: ignore[override]
        content = source.read()
        self.server.sent += len(content)
        outputfile.write(content)

    def log_message(self, *_words: Any) -> None:
        """Say nothing."""


class SiteServer(ThreadingHTTPServer):
    """A plain web server; ``sent`` is the number of bytes of files that it gave away, ``asked`` says which files."""

    daemon_threads = True
    sent = 0

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.asked: list[str] = []

    @property
    def address(self) -> str:
        """Where the site begins."""
        return f"{self.origin}{PREFIX}"

    @property
    def origin(self) -> str:
        """The machine and its port; nothing outside of the prefix is found there."""
        return f"http://127.0.0.1:{self.server_port}"


@contextmanager
def serve(site: Path) -> Iterator[SiteServer]:
    """Serve a site under a sub-path on a port of its own."""
    with SiteServer(("127.0.0.1", 0), partial(_Handler, directory=str(site))) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


class Visit:
    """A first visit: a browser that knows nothing of the site yet.

    ``abroad`` collects each address elsewhere, ``failed`` each request that came to nothing, ``complaints`` what
    scripts said; ``first_picture`` is how many seconds passed until what was waited for was drawn.
    """

    def __init__(self, browser: Browser, server: SiteServer) -> None:
        self.server = server
        self.abroad: list[str] = []
        self.failed: list[str] = []
        self.complaints: list[str] = []
        self.first_picture = 0.0
        self.context = browser.new_context(viewport={"width": 1300, "height": 1600}, reduced_motion="reduce")
        self.context.set_default_timeout(PATIENCE)
        self.context.on("request", lambda request: self._note(request.url))
        self.context.on("requestfailed", lambda request: self.failed.append(f"{request.failure} {request.url}"))
        self.context.on(
            "response", lambda answer: self.failed.append(f"{answer.status} {answer.url}") if not answer.ok else None
        )
        self.page: Page = self.context.new_page()
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", lambda said: self.complaints.append(said.text) if said.type == "error" else None)

    def _note(self, address: str) -> None:
        if not address.startswith((f"{self.server.origin}/", "data:", "blob:")):
            self.abroad.append(address)

    def run(self, lesson: str, cell: str, picture: str) -> None:
        """Open a lesson, run all its cells, and wait until one shows its picture and the kernel has nothing to do."""
        start = time.monotonic()
        self.page.goto(f"{self.server.address}/lab/index.html?path={lesson}", wait_until="commit")
        self.page.wait_for_function(_OPENED)
        self.page.evaluate(RUN_ALL)
        self.page.wait_for_function(_DRAWN, arg=[picture, cell], polling=250)
        self.first_picture = time.monotonic() - start
        self.page.wait_for_function("() => window.d20Ran !== undefined")
        self.page.wait_for_function(_OPENED)

    def outputs(self) -> list[list[dict[str, Any]]]:
        """Return the outputs of each code cell."""
        return self.page.evaluate(_OUTPUTS)  # type: ignore[no-any-return]
