"""Whatever ends the command ends what it started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from d20kit.launch.checkout import PACKAGE
from d20kit.launch.process import Child, Stopped, clean_environment, stoppable

posix_only = pytest.mark.skipif(os.name == "nt", reason="Windows has no signals to send to another process")

# A child that does not listen, with a child of its own: the worst case.
STUBBORN = """
import pathlib, signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
signal.signal(signal.SIGINT, signal.SIG_IGN)
sleeper = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)"])
pathlib.Path(sys.argv[1]).write_text(f"{sleeper.pid}\\n")
time.sleep(300)
"""
# The command under test, with such a child in place of JupyterLab.
COMMAND = """
import pathlib, sys, types
from d20kit.launch import command
from d20kit.launch.process import Child
def run(arguments):
    with Child([sys.executable, *arguments], cwd=pathlib.Path.cwd(), patience=0.3) as child:
        return child.wait()
sys.modules["fake"] = types.SimpleNamespace(SUMMARY="", run=run)
command.COMMANDS["fake"] = "fake"
sys.exit(command.run(["fake", *sys.argv[1:]]))
"""


def alive(pid: int) -> bool:
    """Return whether a process still runs; one that ended and was not yet collected does not."""
    run = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True)
    return run.stdout.strip()[:1] not in ("", "Z")


def wait_for(path: Path) -> int:
    """Return the number that a child writes once it runs."""
    for _ in range(600):
        if path.exists() and path.read_text().endswith("\n"):
            return int(path.read_text())
        time.sleep(0.05)
    raise AssertionError(f"{path} was not written")


@posix_only
@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", None)])
def test_ctrl_c_leaves_nothing_running(tmp_path: Path, signum: signal.Signals) -> None:
    """Ctrl-C, a polite kill and a closed terminal all end a child that ignores them, and its child."""
    script = tmp_path / "stubborn.py"
    script.write_text(STUBBORN)
    command = [sys.executable, "-c", COMMAND, str(script), str(tmp_path / "pid")]
    start = subprocess.Popen(command, env=clean_environment(PYTHONPATH=str(PACKAGE.parent)), stderr=subprocess.PIPE)
    sleeper = wait_for(tmp_path / "pid")
    assert alive(sleeper)
    start.send_signal(signum)
    said = start.communicate(timeout=30)[1]
    assert start.returncode == 128 + signum
    assert said == b""
    assert not alive(sleeper)


@posix_only
def test_ctrl_c_while_a_child_is_born(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A signal between the birth of a child and the moment somebody holds it must not leave it running."""
    born = []

    def popen(*arguments: Any, **settings: Any) -> subprocess.Popen[str]:
        born.append(real(*arguments, **settings))
        os.kill(os.getpid(), signal.SIGINT)
        return born[0]

    real = subprocess.Popen
    monkeypatch.setattr(subprocess, "Popen", popen)
    with (
        pytest.raises(Stopped),
        stoppable(),
        Child([sys.executable, "-c", "import time; time.sleep(300)"], cwd=tmp_path),
    ):
        raise AssertionError("the block must not be entered")
    assert born[0].returncode == -signal.SIGTERM


@posix_only
def test_child_may_end_by_itself_first(tmp_path: Path) -> None:
    """A child that listens gets the time to put its things in order."""
    code = (
        "import pathlib, signal, sys, time\n"
        "def tidy(*_): pathlib.Path('tidy').touch(); sys.exit(5)\n"
        "signal.signal(signal.SIGTERM, tidy); print('up', flush=True); time.sleep(300)"
    )
    with Child([sys.executable, "-c", code], cwd=tmp_path, piped=True) as child:
        assert child.lines.readline() == "up\n"
    assert child.process.returncode == 5
    assert (tmp_path / "tidy").exists()


def test_arguments_reach_the_child_as_they_are(tmp_path: Path) -> None:
    """No shell reads the command: spaces and quotes in a path are plain characters."""
    word = "a b'c\"d $HOME;ls"
    with Child([sys.executable, "-c", "import sys; print(sys.argv[1])", word], cwd=tmp_path, piped=True) as child:
        assert child.lines.read() == word + "\n"
        assert child.wait() == 0


def test_another_python_does_not_leak_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """The caller's PYTHONPATH would put other packages before the locked ones; and what is compiled has to be kept."""
    monkeypatch.setenv("PYTHONPATH", "elsewhere")
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.setenv("LANG", "id_ID.UTF-8")
    env = clean_environment(D20KIT_LANG="id")
    assert not {"PYTHONPATH", "PYTHONDONTWRITEBYTECODE"} & set(env)
    assert (env["LANG"], env["D20KIT_LANG"]) == ("id_ID.UTF-8", "id")


@posix_only
def test_a_second_ctrl_c_kills_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody who presses it again will not wait until a child that ignores everything has had its time."""
    code = (
        "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); time.sleep(300)"
    )
    ask = Child._ask

    def ask_and_press(child: Child) -> None:
        ask(child)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Child, "_ask", ask_and_press)
    with stoppable(), Child([sys.executable, "-c", code], cwd=tmp_path, piped=True, patience=300) as child:
        assert child.lines.readline() == "up\n"
    assert child.process.returncode == -signal.SIGKILL


def test_what_a_child_says_can_go_into_a_file(tmp_path: Path) -> None:
    """Complaints and ordinary words end in the same file, in the order they were said."""
    code = "import sys; print('one', flush=True); print('two', file=sys.stderr)"
    with (
        (tmp_path / "said.txt").open("wb") as said,
        Child([sys.executable, "-c", code], cwd=tmp_path, output=said) as child,
    ):
        assert child.wait() == 0
    assert (tmp_path / "said.txt").read_text().split() == ["one", "two"]
