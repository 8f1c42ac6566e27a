"""A set-up that is stopped or killed at any moment: the next start finishes it, and nothing is left lying about."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from d20kit.launch.checkout import PACKAGE
from d20kit.launch.environment import ensure, missing
from d20kit.launch.progress import Progress
from tests.launch.conftest import Kit, bare_kit

ROOT = PACKAGE.parent
pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no signals to send to another process")
# The command as a person starts it, in a process of its own; `stops` arranges where it ends.
START = """
import os, signal, sys
from pathlib import Path
from d20kit.launch import command, environment, installers
from tests.launch.conftest import Kit
kit, signum = Kit(Path(sys.argv[1])), int(sys.argv[2])
installer = kit.installer()
installers.choose = lambda checkout: installer

def stop():
    os.kill(os.getpid(), signum)

{stops}
command._answer = lambda arguments: bool(environment.ensure(kit, "lab")) - 1
sys.exit(command.run([]))
"""
# The installer itself leaves something half made and stops whoever started it.
AT_WORK = """
half = "import os, pathlib, sys, time; pathlib.Path(sys.argv[1], 'half').touch(); os.kill(os.getppid(), {signum}); "
half += "time.sleep(1)"
from dataclasses import replace
installer = replace(installer, {stage}=(sys.executable, "-c", half.format(signum=signum), str(kit.venv)))
"""
BETWEEN = """
number, real = 0, environment._write_stamp
def written(*given):
    global number
    number += 1
    if number == {number}:
        {act}
    real(*given)
environment._write_stamp = written
"""
# The file of the stamp lies there under its first name only.
UNNAMED = """
from types import SimpleNamespace
environment.os = SimpleNamespace(**vars(os) | {"replace": lambda *names: stop()})
"""
MOMENTS = {
    "before anything is there": BETWEEN.format(number=1, act="stop()"),
    "while the first note is written": UNNAMED,
    "while the environment is made": AT_WORK.replace("{stage}", "make"),
    "while the packages are installed": AT_WORK.replace("{stage}", "packages"),
    "while the kit is installed": AT_WORK.replace("{stage}", "kit"),
    "before the last note is written": BETWEEN.format(number=2, act="stop()"),
}


@pytest.fixture
def kit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kit:
    """A copy of the kit without an environment, whose installer installs empty packages."""
    return bare_kit(tmp_path, monkeypatch)


def start(kit: Kit, signum: int, stops: str) -> subprocess.CompletedProcess[str]:
    """Start the command where it will be stopped."""
    env = os.environ | {"PYTHONPATH": str(ROOT), "D20KIT_LANG": "en"}
    command = [sys.executable, "-c", START.replace("{stops}", stops), str(kit.root), str(int(signum))]
    return subprocess.run(command, env=env, capture_output=True, text=True, timeout=120)


def finishes(kit: Kit) -> None:
    """The same command, run again, makes it whole, whatever the first one left."""
    said = io.StringIO()
    ensure(kit, "lab", Progress(said))
    assert missing(kit, "lab") == []
    assert not (kit.venv / "half").exists()
    # Nothing was taken for somebody else's.
    assert list(kit.root.glob(".venv.old*")) == []
    assert "was not made by the kit" not in said.getvalue()


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_set_up_that_is_killed_is_finished_by_the_next_start(kit: Kit, moment: str) -> None:
    """A laptop whose battery is empty, or kill -9: no word can be said, so the next start has to see it by itself."""
    assert start(kit, signal.SIGKILL, MOMENTS[moment]).returncode == -signal.SIGKILL
    assert missing(kit, "lab")
    finishes(kit)


@pytest.mark.parametrize("moment", [moment for moment in MOMENTS if "while the" in moment])
def test_a_set_up_that_is_interrupted_says_so_and_is_finished(kit: Kit, moment: str) -> None:
    """Ctrl-C while an installer is at work ends both, and tells the person what to do."""
    said = start(kit, signal.SIGINT, MOMENTS[moment])
    assert said.returncode == 128 + signal.SIGINT
    assert said.stderr == "Stopped before the environment was ready; the same command, run again, finishes it.\n"
    assert missing(kit, "lab")
    finishes(kit)


def test_a_renewal_that_is_killed_is_finished(kit: Kit) -> None:
    """Making an environment anew first takes the old one away: the worst moment to be killed in."""
    ensure(kit, "lab", Progress(io.StringIO()))
    kit.lock("lab").write_text("sympy==2.0\n")
    assert start(kit, signal.SIGKILL, MOMENTS["while the packages are installed"]).returncode == -signal.SIGKILL
    finishes(kit)
