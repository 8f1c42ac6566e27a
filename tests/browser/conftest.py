"""One JupyterLab and one browser for the tests here, and a Lab that fails the test in which it complains."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from d20kit import language
from d20kit.launch.browser import find_chromium
from d20kit.launch.lab import Server
from tests.browser.lab_page import Lab, Notebook
from tests.browser.lab_server import serve_lessons
from tests.catalogue import compile_catalogue

pytest.register_assert_rewrite("tests.browser.expected")

# The last one makes Chromium itself unable to find another machine; the tests still hear of the attempt.
_FLAGS = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Serve a copy of the lessons."""
    with serve_lessons(tmp_path_factory.mktemp("lab")) as server:
        yield server


# A package's, since the tests of a worker's next package look for the kit's own catalogue.
@pytest.fixture(scope="package")
def catalogue(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The Indonesian catalogue, compiled for the tests as an installed kit has it; the folder is for the kernels."""
    folder = compile_catalogue(tmp_path_factory.mktemp("catalogue"))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(language, "_LOCALE", folder)
        yield folder


# A package's and not the session's: playwright's event loop, while it lives, stops the notebook tests from having one.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Start a Chromium."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=_FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def opened_lab(browser: Browser, server: Server) -> Iterator[Lab]:
    """Open JupyterLab once: that takes longer than all that the tests do in it."""
    lab = Lab(browser, server)
    yield lab
    lab.context.close()


@pytest.fixture(scope="module")
def lesson(opened_lab: Lab, request: pytest.FixtureRequest) -> Iterator[Notebook]:
    """Open the lesson that the test is for and run all its cells; the tests for one lesson share it."""
    with opened_lab.notebook(request.param) as notebook:
        yield notebook


@pytest.fixture(autouse=True)
def lab(opened_lab: Lab) -> Iterator[Lab]:
    """Fail the test in which a script complains or a request leaves the machine."""
    yield opened_lab
    complaints, abroad = opened_lab.complaints[:], opened_lab.abroad[:]
    opened_lab.complaints.clear()
    opened_lab.abroad.clear()
    assert complaints == []
    assert abroad == []
