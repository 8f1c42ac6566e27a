"""What every test shares: the longest files go first, and tests of a browser are skipped, and told, without one."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from d20kit.launch.browser import find_chromium
from d20kit.launch.testing import REPORT

# Tests read English sentences, wherever they run; those about other languages choose them.
os.environ["D20KIT_LANG"] = "en"
NO_BROWSER = "no Chromium or Chrome was found"
_BROWSER_TESTS = Path(__file__).parent / "browser"
# A file stays with one worker, so the others would wait for a long one that is begun last.
LONGEST = (
    "tests/browser/test_course.py",
    "tests/browser/test_explorers.py",
    "tests/browser/test_lessons.py",
    "tests/browser/test_classroom.py",
    "tests/browser/test_faults.py",
    "tests/launch/test_binder_image.py",
    "tests/launch/test_package.py",
)
# To begin a JupyterLab and a Chromium takes longer than most of what is done in them, so these stay together, too.
IN_ONE_LAB = LONGEST[1:5]
_unseen: set[str] = set()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest files, and skip the browser tests where no browser is, with the reason."""
    places = {name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: places.get(item.nodeid.partition("::")[0], len(places)))
    if find_chromium() is None:
        for item in items:
            if _BROWSER_TESTS in item.path.parents:
                item.add_marker(pytest.mark.skip(reason=NO_BROWSER))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Hand out the tests by file, as ``--dist loadfile`` does, and the files that share a JupyterLab as one."""
    if config.getoption("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling  # type: ignore[import-untyped]

    class LoadLabScheduling(LoadFileScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            file: str = super()._split_scope(nodeid)
            return IN_ONE_LAB[0] if file in IN_ONE_LAB else file

    return LoadLabScheduling(config, log)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note each test that was skipped for want of a browser."""
    if report.skipped and NO_BROWSER in str(report.longrepr):
        _unseen.add(report.nodeid)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Leave the names of those tests to the command that started the run, if one asked for them."""
    wanted = os.environ.get(REPORT)
    if wanted and _unseen and not hasattr(session.config, "workerinput"):
        Path(wanted).write_text("\n".join(sorted(_unseen)) + "\n", encoding="utf-8")


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print the figures that tests measured but never judge, such as how long a start took."""
    reports = (report for group in terminalreporter.stats.values() for report in group if hasattr(report, "when"))
    for report in reports:
        for name, value in getattr(report, "user_properties", ()):
            if name == "figure" and report.when == "call":
                terminalreporter.write_line(value)
