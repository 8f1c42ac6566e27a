"""A JupyterLab of its own for the browser tests: a copy of the lessons, an empty home, this very interpreter."""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from d20kit.launch.checkout import PACKAGE
from d20kit.launch.lab import Server, wait_until_it_answers
from d20kit.launch.process import Child, clean_environment

LESSONS = "notebooks/en"
_ROOT = PACKAGE.parent
# Settings of whoever runs the tests, which would reach into the server or its kernels.
_FOREIGN = ("JUPYTER", "IPYTHON", "JPY_", "XDG_", "D20KIT")
_TRIES = 3


@contextmanager
def serve_lessons(scratch: Path) -> Iterator[Server]:
    """Start JupyterLab on a copy of the lessons below ``scratch``, as the kit itself starts it; end it after use.

    Raises
    ------
    RuntimeError
        If it ends before it answers, three times; what it said is in the test's captured output.
    """
    root, home = scratch / "kit", scratch / "home"
    shutil.copytree(_ROOT / LESSONS, root / LESSONS, ignore=shutil.ignore_patterns(".ipynb_checkpoints"))
    home.mkdir()
    for _try in range(_TRIES):
        server = Server(Path(sys.executable), root, f"{LESSONS}/00-start.ipynb", _free_port(), secrets.token_hex(16))
        command, env = _command(server), _environment(home, server)
        with Child(command, cwd=root, env=env, stdin=subprocess.PIPE, patience=20) as child:
            if wait_until_it_answers(server, child):
                yield server
                return
    raise RuntimeError("JupyterLab ended before it answered")


def _command(server: Server) -> list[str]:
    python, _module, *lab = server.command
    # The tests speak to Lab by its commands, where a person would open menus.
    return [python, str(Path(__file__).with_name("mortal.py")), *lab, "--LabApp.expose_app_in_browser=True"]


def _environment(home: Path, server: Server) -> dict[str, str]:
    own = {name: value for name, value in clean_environment().items() if not name.startswith(_FOREIGN)}
    own |= {"HOME": str(home), "USERPROFILE": str(home), "APPDATA": str(home)}
    own |= {"JUPYTER_TOKEN": server.token, "JUPYTER_PREFER_ENV_PATH": "1", "D20KIT_LANG": "en"}
    # The kit of this checkout, installed or not.
    return own | {"PYTHONPATH": os.pathsep.join(map(str, (_ROOT, _ROOT / "widgets")))}


def _free_port() -> int:
    # Any port will do; the usual ones of JupyterLab belong to the tests of the launcher, which may run meanwhile.
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
