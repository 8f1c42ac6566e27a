"""Binder builds the kit from the same lock, on the Python that it asks for."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
BINDER = ROOT / "binder"

pytestmark = pytest.mark.skipif(os.name == "nt", reason="repo2docker does not run on Windows")


def pins(path: Path) -> dict[str, set[str]]:
    """Return the versions of each package in a requirement file."""
    found: dict[str, set[str]] = {}
    for name, version in re.findall(r"^([A-Za-z0-9][\w.-]*)==([^\s;\\]+)", path.read_text("utf-8"), re.MULTILINE):
        found.setdefault(name, set()).add(version)
    return found


def dockerfile() -> str:
    """Return what repo2docker would build; with --no-build it needs no Docker."""
    command = [str(Path(sys.executable).with_name("jupyter-repo2docker")), "--no-build", "--debug", "."]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    return run.stdout + run.stderr


def test_repo2docker_takes_the_files() -> None:
    """It builds a Python environment of the version of runtime.txt, with our requirements and our last step."""
    said = dockerfile()
    version = (BINDER / "runtime.txt").read_text().strip().removeprefix("python-")
    assert f"Building conda environment for python={version}\n" in said
    assert "binder/requirements.txt" in said
    assert "binder/postBuild" in said


def test_requirements_are_the_lock() -> None:
    """A lesson must compute the same on Binder as at home."""
    locked = pins(BINDER / "lock" / "lab.txt")
    asked = pins(BINDER / "requirements.txt")
    assert {"sympy", "python-flint", "lark", "numpy", "plotly", "anywidget", "hatchling", "editables"} <= set(asked)
    assert asked == {name: locked[name] for name in asked}


def test_image_keeps_its_own_jupyterlab() -> None:
    """Binder's image brings JupyterLab and ipywidgets; another version beside them breaks it."""
    assert not {"jupyterlab", "jupyter-server", "ipywidgets", "ipykernel"} & set(pins(BINDER / "requirements.txt"))


def test_image_brings_what_is_left_out() -> None:
    """anywidget needs ipywidgets 8, which is left to the image."""
    import repo2docker.buildpacks.conda as conda

    version = (BINDER / "runtime.txt").read_text().strip().removeprefix("python-")
    base = Path(conda.__file__).with_name(f"environment.py-{version}-linux-64.lock").read_text()
    assert [int(major) >= 8 for major in re.findall(r"/ipywidgets-(\d+)\.", base)] == [True]
    assert [int(major) >= 4 for major in re.findall(r"/jupyterlab-(\d+)\.", base)] == [True]


def test_post_build_is_a_program() -> None:
    """repo2docker runs it, and bash must be able to read it; so must it read the CI script."""
    assert os.access(BINDER / "postBuild", os.X_OK)
    for script in (BINDER / "postBuild", ROOT / ".ci" / "run"):
        assert subprocess.run(["bash", "-n", script]).returncode == 0
        for named in re.findall(r"d20kit/launch/[\w./]+\.json", script.read_text()):
            assert (ROOT / named).is_file()
