"""Each way an install fails is explained in one paragraph."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from d20kit.launch import installers
from d20kit.launch.checkout import PACKAGE, Checkout, base_python, venv_python
from d20kit.launch.problems import Problem

UNREACHABLE = "http://127.0.0.1:9/simple"


def small_checkout(root: Path) -> Checkout:
    """Copy what the commands need into a folder with a space in its name."""
    root.mkdir(parents=True)
    ignore = shutil.ignore_patterns("__pycache__")
    for name in ("d20kit", "binder"):
        shutil.copytree(PACKAGE.parent / name, root / name, ignore=ignore)
    shutil.copy(PACKAGE.parent / "pyproject.toml", root)
    lesson = root / "notebooks" / "en" / "00-start.ipynb"
    lesson.parent.mkdir(parents=True)
    lesson.touch()
    return Checkout(root)


def start_without_network(checkout: Checkout, **variables: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "UV_", "PYTHON"))}
    unreachable = {"PIP_INDEX_URL": UNREACHABLE, "PIP_CONFIG_FILE": os.devnull, "UV_INDEX_URL": UNREACHABLE}
    cache = {"UV_NO_CONFIG": "1", "UV_NO_CACHE": "1", "UV_HTTP_RETRIES": "0", "PIP_NO_CACHE_DIR": "1"}
    command = [base_python(), "-m", "d20kit", "lab", "--no-browser"]
    env = kept | unreachable | cache | {"LC_ALL": "C.UTF-8"} | variables
    return subprocess.run(command, cwd=checkout.root, env=env, capture_output=True, text=True, timeout=120)


def test_pip_without_network(tmp_path: Path) -> None:
    """The most likely failure of a first start, met for real: pip and an index that nobody answers at."""
    if not importlib.util.find_spec("ensurepip"):
        pytest.skip("this Python came without ensurepip")
    run = start_without_network(small_checkout(tmp_path / "with space"), PATH="")
    assert run.returncode == 1
    assert run.stderr.startswith("pip could not fetch the packages: there is no network")
    assert run.stderr.count("\n") == 1


def test_uv_without_network(tmp_path: Path) -> None:
    """The same with uv, which says it in other words."""
    if not shutil.which("uv"):
        pytest.skip("uv is not on PATH")
    run = start_without_network(small_checkout(tmp_path / "with space"))
    assert run.returncode == 1
    assert run.stderr.startswith("uv could not fetch the packages: there is no network")


def test_python_without_venv(monkeypatch: pytest.MonkeyPatch, kit: Any) -> None:
    """Debian keeps venv in a package of its own; the paragraph names it."""
    monkeypatch.undo()
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "ensurepip" else object())
    with pytest.raises(Problem, match="sudo apt install python3-venv"):
        installers.choose(kit)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("The virtual environment was not created ... ensurepip is not available.", "python3-venv"),
        ("OSError: [Errno 28] No space left on device", "The disk is full"),
        ("error: Failed to write: Read-only file system (os error 30)", "cannot be written"),
        ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.", "its hash differs"),
        ("  Caused by: dns error: failed to lookup address information", "no network"),
        ("something new\nand its last line\n\n", "exit code 7.. The last it said: and its last line"),
    ],
)
def test_failures_are_told_apart(said: str, expected: str) -> None:
    """What the tool printed decides what the person is told to do."""
    problem = installers.explain("pip", 7, said, Path(".venv"))
    assert problem.args[0].find("\n") == -1
    with pytest.raises(Problem, match=expected):
        raise problem


def test_uv_is_preferred(monkeypatch: pytest.MonkeyPatch, kit: Any) -> None:
    """uv is several times faster, so it is used wherever it is."""
    monkeypatch.undo()
    monkeypatch.setattr(shutil, "which", lambda name: "/somewhere/uv")
    assert installers.choose(kit).tool == "uv"


@pytest.mark.parametrize("tool", ["uv", "pip"])
def test_packages_are_checked_against_the_lock(tool: str, kit: Any) -> None:
    """Both tools must refuse a package that is not the locked one, and neither may resolve anything anew."""
    one = installers.uv_installer("uv", kit) if tool == "uv" else installers.pip_installer(kit)
    assert {"--require-hashes", "--no-deps"} <= set(one.packages)
    assert {"--no-build-isolation", "--no-deps"} <= set(one.kit)


def test_windows_layout() -> None:
    """Windows keeps the interpreter elsewhere."""
    assert venv_python(Path("a b/.venv"), windows=True) == Path("a b/.venv/Scripts/python.exe")
    assert venv_python(Path("a b/.venv"), windows=False) == Path("a b/.venv/bin/python")


def test_pip_serves_where_there_is_no_uv(monkeypatch: pytest.MonkeyPatch, kit: Any) -> None:
    """Nobody has to install a tool first: what comes with Python is enough."""
    monkeypatch.undo()
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: object())
    chosen = installers.choose(kit)
    assert chosen.tool == "pip"
    assert chosen.make == (base_python(), "-m", "venv", str(kit.venv))
