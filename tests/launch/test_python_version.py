"""A Python that is too old is refused in a sentence, by that very Python."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from d20kit import __main__
from d20kit.launch.checkout import PACKAGE
from d20kit.launch.python_version import too_old


def old_pythons() -> list[str]:
    """Return interpreters older than the kit allows: on PATH, or kept by pyenv."""
    versions = [f"3.{minor}" for minor in range(6, 11)]
    on_path = [shutil.which(f"python{version}") for version in versions]
    kept = [str(path) for v in versions for path in Path.home().glob(f".pyenv/versions/{v}.*/bin/python")]
    return [path for path in [*on_path, *kept] if path and old_enough(path)]


def old_enough(python: str) -> bool:
    run = subprocess.run([python, "-c", "import sys; print(sys.version_info[:2])"], capture_output=True, text=True)
    return run.returncode == 0 and re.match(r"\(3, ([6-9]|10)\)", run.stdout) is not None


def test_old_pythons_can_read_the_sentence() -> None:
    """The files before the check must run on each old Python found here, or the sentence is a SyntaxError."""
    found = old_pythons()
    if not found:
        pytest.skip("no Python older than 3.11 was found here")
    for python in found:
        run = subprocess.run([python, "-m", "d20kit", "lab"], cwd=PACKAGE.parent, capture_output=True, text=True)
        assert run.returncode == 1
        assert run.stderr.startswith("d20kit needs Python 3.11 or newer")
        assert "Traceback" not in run.stderr
        assert run.stderr.count("\n") == 1


def test_simulated_old_python(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The command itself asks before it loads anything newer."""
    monkeypatch.setattr(sys, "version_info", (3, 8, 18))
    assert __main__.main(["lab"]) == 1
    assert "this is Python 3.8" in capsys.readouterr().err


def test_needed_version_is_the_one_of_the_package() -> None:
    """The sentence and pyproject.toml must name the same version."""
    wanted = re.search(r'requires-python = ">=(\d+)\.(\d+)"', (PACKAGE.parent / "pyproject.toml").read_text("utf-8"))
    assert wanted is not None
    needed = tuple(map(int, wanted.groups()))
    assert too_old(needed) is None
    assert too_old((needed[0], needed[1] - 1)) is not None
