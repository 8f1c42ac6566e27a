"""Run lessons as a learner does, and keep them with all that they showed."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from d20kit.language import _
from d20kit.launch.checkout import Checkout
from d20kit.launch.folders import jupyter_folders
from d20kit.launch.process import Child, clean_environment
from d20kit.launch.site_environment import failed, own_path

_RUN = ("-m", "nbconvert", "--to=notebook", "--execute")


def run_lesson(checkout: Checkout, lesson: Path) -> dict[str, Any]:
    """Run a lesson in a kernel of its own and return it with outputs and the state of its widgets.

    Raises
    ------
    Problem
        If it does not run.
    """
    with tempfile.TemporaryDirectory(prefix="d20kit-", ignore_cleanup_errors=True) as name:
        run_lessons(checkout, [[lesson]], Path(name))
        return read(Path(name, lesson.parent.name, lesson.name))


def read(lesson: Path) -> dict[str, Any]:
    """Return the notebook of a lesson.

    >>> with tempfile.TemporaryDirectory() as name:
    ...     written = Path(name, "dice.ipynb").write_text('{"cells": []}')
    ...     read(Path(name, "dice.ipynb"))
    {'cells': []}
    """
    return json.loads(lesson.read_text("utf-8"))  # type: ignore[no-any-return]


def run_lessons(checkout: Checkout, groups: Sequence[Sequence[Path]], out: Path) -> None:
    """Run groups of lessons at the same time, each lesson in a kernel of its own.

    Parameters
    ----------
    checkout : Checkout
        The folder with the kit's sources.
    groups : sequence of sequence of Path
        The lessons of each group are run one after the other; they lie in one folder.
    out : Path
        Where they go afterwards: each in a folder named as the one it lies in.

    Raises
    ------
    Problem
        If one does not run.

    Examples
    --------
    >>> run_lessons(Checkout(Path("kit")), [], Path("nowhere"))
    """
    with tempfile.TemporaryDirectory(prefix="d20kit-", ignore_cleanup_errors=True) as name, ExitStack() as stack:
        env = clean_environment(PYTHONPATH=own_path(checkout), **jupyter_folders(Path(name)))
        started = []
        for number, group in enumerate(groups):
            said, folder = Path(name, f"said-{number}.txt"), group[0].parent
            command = [sys.executable, *_RUN, f"--output-dir={out / folder.name}", *(lesson.name for lesson in group)]
            output = stack.enter_context(said.open("wb"))
            started.append((group, said, stack.enter_context(Child(command, cwd=folder, env=env, output=output))))
        for group, said, child in started:
            if child.wait():
                raise _not_run(group, said.read_text("utf-8", "replace"))


def _not_run(group: Sequence[Path], said: str) -> Exception:
    lesson = next((lesson for lesson in reversed(group) if lesson.name in said), group[0])
    last = "\n".join(said.strip().splitlines()[-15:])
    return failed(
        said, lesson, _("{lesson} did not run. The last it said:\n{last}").format(lesson=lesson.stem, last=last)
    )
