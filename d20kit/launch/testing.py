"""``python3 -m d20kit test``: every test of the kit, in its own environment."""

from __future__ import annotations

import importlib.util
import os
import signal
import sys
import tempfile
from pathlib import Path

from d20kit.language import N_, _
from d20kit.launch.checkout import Checkout, find_checkout
from d20kit.launch.environment import ensure
from d20kit.launch.folders import jupyter_folders
from d20kit.launch.problems import Problem
from d20kit.launch.process import Child, clean_environment

SUMMARY = N_("run the tests: unit tests and doctests, the notebooks, the browser tests")
# Where the test run leaves the names of the tests that had no browser (see tests/conftest.py).
REPORT = "D20KIT_NO_BROWSER_REPORT"
# pytest, except that it ends at Ctrl-C without a trace of where it was.
_PYTEST = """
import os, signal, sys
class Stopped(KeyboardInterrupt):
    __module__ = "builtins"
def stop(signum, frame):
    raise Stopped
for name in ("SIGINT", "SIGBREAK"):
    if hasattr(signal, name):
        signal.signal(getattr(signal, name), stop)
sys.path[0], sys.argv[0] = os.getcwd(), "pytest"
try:
    import pytest
    sys.exit(pytest.main())
except Stopped:
    sys.exit(2)
"""
_HELP = N_(
    "usage: python3 -m d20kit test [pytest arguments]\n\n"
    "Without arguments every test runs: unit tests and doctests, all notebooks, the browser tests.\n"
    "With arguments pytest gets just these, for example: python3 -m d20kit test tests/core -k hit"
)


def run(arguments: list[str]) -> int:
    """Run the tests and return pytest's exit code.

    >>> run(["--help"])
    usage: python3 -m d20kit test [pytest arguments]
    <BLANKLINE>
    Without arguments every test runs: unit tests and doctests, all notebooks, the browser tests.
    With arguments pytest gets just these, for example: python3 -m d20kit test tests/core -k hit
    0
    """
    if arguments[:1] in (["-h"], ["--help"]):
        print(_(_HELP))
        return 0
    checkout = find_checkout()
    python = ensure(checkout, "test") if checkout else _own_python(arguments)
    root = checkout.root if checkout else Path.cwd()
    with tempfile.TemporaryDirectory() as scratch:
        report = Path(scratch, "no-browser.txt")
        command = [str(python), "-c", _PYTEST, *(arguments or everything(checkout, os.cpu_count() or 1))]
        env = clean_environment(**{REPORT: str(report), "D20KIT_LANG": "en"}, **jupyter_folders(Path(scratch)))
        with Child(command, cwd=root, env=env, gentle=signal.SIGINT, patience=20) as child:
            code = child.wait()
        unseen = report.read_text(encoding="utf-8").splitlines() if report.exists() else []
    return conclude(code, unseen, os.environ.get("CI", "").lower() in ("1", "true"))


def everything(checkout: Checkout | None, processors: int) -> list[str]:
    """Return the pytest arguments for every test there is.

    There is a worker more than processors, for each waits much for browsers, kernels and servers. A file stays with one
    of them: a notebook's cells need each other, and so do tests that share a server. The files keep the order that
    tests/conftest.py gives them; xdist's own puts those with few, long tests last.

    >>> everything(Checkout(Path("nowhere")), processors=2)
    ['--nbval', '--nbval-current-env', '-n', '3', '--dist', 'loadfile', '--no-loadscope-reorder']
    """
    assert checkout is not None
    everywhere = ("tests", "d20kit", "widgets", "notebooks", "README.md")
    places = [name for name in everywhere if (checkout.root / name).exists()]
    notebooks = ["--nbval", "--nbval-current-env", "--nbval-sanitize-with", "tests/notebooks/sanitize.cfg"]
    if not (checkout.root / notebooks[-1]).exists():
        notebooks = notebooks[:-2]
    return [*notebooks, "-n", str(min(processors + 1, 8)), "--dist", "loadfile", "--no-loadscope-reorder", *places]


def conclude(code: int, unseen: list[str], strict: bool) -> int:
    """Say which tests had no browser, and return the exit code: with `strict` an unseen test is a failure.

    >>> conclude(0, [], strict=True)
    0
    """
    if not unseen:
        return code
    print(
        "\n"
        + _(
            "These tests did not run, since they need a Chromium or Chrome and none was found: {tests}. Install one "
            "(on Debian or Ubuntu 'sudo apt install chromium', elsewhere Chrome, or "
            "'{python} -m playwright install chromium'), then run the same command again."
        ).format(tests=", ".join(unseen), python=_shown_python()),
        flush=True,
    )
    return code or int(strict)


def _shown_python() -> str:
    checkout = find_checkout()
    return os.path.relpath(checkout.python) if checkout else "python3"


def _own_python(arguments: list[str]) -> Path:
    if not arguments:
        raise Problem(
            _(
                "The tests come with the kit's sources, not with the installed package. Run this command from a copy "
                "of the sources, or name what pytest should run."
            )
        )
    if importlib.util.find_spec("pytest") is None:
        raise Problem(_("pytest is not installed here; install it with 'python3 -m pip install pytest'."))
    return Path(sys.executable)
