"""``test`` runs everything, passes arguments on, and does not hide what it could not run."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from d20kit.launch import browser, testing
from d20kit.launch.checkout import PACKAGE, Checkout
from d20kit.launch.problems import Problem
from tests.conftest import IN_ONE_LAB, LONGEST, pytest_collection_modifyitems, pytest_xdist_make_scheduler


def test_everything_is_everything() -> None:
    """Without arguments: unit tests, doctests of both packages, every notebook, and a file stays with one worker."""
    arguments = testing.everything(Checkout(PACKAGE.parent), 2)
    assert {"tests", "d20kit", "--nbval", "--dist", "loadfile", "--no-loadscope-reorder"} <= set(arguments)


def test_the_longest_files_are_there_and_go_first() -> None:
    """One that was renamed would be begun last again, and all workers but one wait for it at the end."""
    assert all((PACKAGE.parent / name).is_file() for name in LONGEST)
    names = ["tests/core/test_dice.py", *reversed(LONGEST), "notebooks/en/01-attack.ipynb"]
    items: list[Any] = [SimpleNamespace(nodeid=f"{name}::test", path=Path()) for name in names]
    pytest_collection_modifyitems(items)
    assert [item.nodeid for item in items] == [f"{name}::test" for name in (*LONGEST, names[0], names[-1])]


def scheduler(dist: str) -> Any:
    """Return what hands out the tests to workers for a way to distribute them."""
    config: Any = SimpleNamespace(getoption={"dist": dist}.get, getvalue={"tx": ["popen"]}.get)
    return pytest_xdist_make_scheduler(config, None)


def test_the_files_of_one_lab_go_to_one_worker() -> None:
    """Each worker that gets one of them starts a JupyterLab and a Chromium; whoever asks for another way gets it."""
    by_file = scheduler("loadfile")
    scopes = {name: by_file._split_scope(f"{name}::test") for name in LONGEST}
    assert scopes == {name: IN_ONE_LAB[0] if name in IN_ONE_LAB else name for name in LONGEST}
    assert scheduler("load") is None


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder in which ``test`` runs with this very interpreter, and no browser anywhere."""
    monkeypatch.setattr(testing, "find_checkout", lambda: None)
    monkeypatch.chdir(tmp_path)
    for name in ("PYTEST_XDIST_WORKER", "PYTEST_ADDOPTS", "CI"):
        monkeypatch.delenv(name, raising=False)
    # The plugins of the tests around would only cost time.
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    return tmp_path


def test_arguments_reach_pytest(installed: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The exit code and the closing line are pytest's own."""
    (installed / "test_it.py").write_text("def test_hit(): pass\ndef test_miss(): assert 0\n")
    assert testing.run(["test_it.py", "-k", "hit", "-p", "no:cacheprovider"]) == 0
    assert "1 passed, 1 deselected" in capfd.readouterr().out.splitlines()[-1]
    assert testing.run(["test_it.py", "-p", "no:cacheprovider"]) == 1


@pytest.mark.skipif(os.name == "nt", reason="Windows has no signals to send to another process")
@pytest.mark.parametrize("early", [True, False])
def test_stopping_shows_no_trace(installed: Path, early: bool) -> None:
    """Whoever stops the tests knows that they did; a line of Python's own threads looks like a bug."""
    started = installed / "started"
    wait = "import pathlib, time; pathlib.Path('started').touch(); time.sleep(60)\n"
    (installed / "test_it.py").write_text(wait if early else f"def test_long():\n    {wait}")
    command = [sys.executable, "-c", testing._PYTEST, "-p", "no:cacheprovider", "test_it.py"]
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    with subprocess.Popen(command, **pipes) as run:
        while not started.exists():
            assert run.poll() is None
            time.sleep(0.05)
        run.send_signal(signal.SIGINT)
        said = run.communicate()[0]
    assert run.returncode == 2
    assert "! Stopped !" in said
    assert not re.search(r"KeyboardInterrupt|Traceback|\.py:\d", said)


def test_kernels_of_the_tests_write_nothing_at_home(installed: Path) -> None:
    """The notebooks start kernels, which leave a history and more wherever they are not told otherwise."""
    (installed / "test_it.py").write_text(
        "import os, pathlib\n"
        "def test_places():\n"
        "    for name in ('IPYTHONDIR', 'JUPYTER_DATA_DIR', 'JUPYTER_RUNTIME_DIR'):\n"
        "        assert not pathlib.Path(os.environ[name]).is_relative_to(pathlib.Path.home())\n"
    )
    assert testing.run(["test_it.py", "-p", "no:cacheprovider"]) == 0


def test_installed_kit_has_no_tests_of_its_own(installed: Path) -> None:
    """A wheel comes without tests; say where they are."""
    with pytest.raises(Problem, match="copy of the sources"):
        testing.run([])


@pytest.mark.parametrize(("variable", "code"), [("", 0), ("true", 1)])
def test_tests_without_a_browser_are_named(
    installed: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    variable: str,
    code: int,
) -> None:
    """A person is told what did not run and how to get a browser; in CI that is a failure."""
    (installed / "tests" / "browser").mkdir(parents=True)
    conftest = (PACKAGE.parent / "tests" / "conftest.py").read_text("utf-8")
    path = f"import sys; sys.path.insert(0, {str(PACKAGE.parent)!r})\n"
    (installed / "tests" / "conftest.py").write_text(conftest.replace("import os\n", f"import os\n{path}", 1))
    (installed / "tests" / "browser" / "test_page.py").write_text("def test_page(): pass\n")
    monkeypatch.setenv("CI", variable)
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(installed))
    if browser.find_chromium():
        pytest.skip("a browser is installed here as an application, which no variable hides")
    assert testing.run(["tests", "-p", "no:cacheprovider"]) == code
    last = capfd.readouterr().out.splitlines()[-1]
    assert last.startswith("These tests did not run")
    assert "tests/browser/test_page.py::test_page" in last
    assert "sudo apt install chromium" in last


def test_failure_stays_a_failure() -> None:
    """A missing browser must not soften a failed test, nor a complete run be hardened."""
    assert testing.conclude(1, ["a"], strict=False) == 1
    assert testing.conclude(0, [], strict=True) == 0


def test_chromium_on_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Debian's name and Chrome's are both looked for."""
    suffix = ".exe" if sys.platform == "win32" else ""
    program = tmp_path / f"google-chrome{suffix}"
    shutil.copy(sys.executable, program)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert browser.find_chromium() == str(program)


@pytest.mark.parametrize("place", ["chromium-1200/chrome-linux64/chrome", "chromium-1100/chrome-win/chrome.exe"])
def test_chromium_of_playwright(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    """What playwright downloaded is a browser, too."""
    program = tmp_path / place
    program.parent.mkdir(parents=True)
    program.touch(mode=0o755)
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    monkeypatch.setattr(browser, "_APPLICATIONS", ())
    assert browser.find_chromium() == str(program)


def test_an_installed_kit_without_pytest_says_so(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever names a test of their own is told what is missing, not that a module was not found."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(Problem, match="python3 -m pip install pytest"):
        testing.run(["test_it.py"])


def test_an_application_is_a_browser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On macOS and Windows a browser is no command, but lies where applications do."""
    program = tmp_path / "Browsers" / "chromium"
    program.parent.mkdir()
    program.touch(mode=0o755)
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("PROGRAMS", str(tmp_path))
    monkeypatch.setattr(browser, "_APPLICATIONS", (str(tmp_path / "gone"), "${PROGRAMS}/Browsers/chromium"))
    assert browser.find_chromium() == str(program)


@pytest.mark.parametrize(
    ("system", "folder"),
    [
        ("linux", ".cache/ms-playwright"),
        ("darwin", "Library/Caches/ms-playwright"),
        ("win32", "AppData/Local/ms-playwright"),
    ],
)
def test_playwright_has_a_folder_on_every_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, system: str, folder: str
) -> None:
    """These are the folders that playwright's own documentation names; 0 stands for its package's folder."""
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", "0")
    monkeypatch.delenv("LOCALAPPDATA", raising=False)
    assert browser.playwright_folder() == tmp_path / folder
