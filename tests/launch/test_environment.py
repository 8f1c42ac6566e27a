"""The environment is made once, mended when it is not whole, and never at the cost of somebody else's files."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from d20kit.launch import checkout, environment, installers
from d20kit.launch.environment import STAMP, ensure, missing, read_stamp
from d20kit.launch.problems import Problem
from d20kit.launch.process import Stopped
from d20kit.launch.progress import Progress

ALL = ["make", "packages", "kit"]


def quiet() -> Progress:
    return Progress(io.StringIO())


def test_first_start_makes_everything(kit: Any) -> None:
    """A bare checkout, in a folder with a space, gets an interpreter that finds the kit."""
    python = ensure(kit, "lab", quiet())
    assert kit.done() == ALL
    assert subprocess.run([python, "-I", "-c", "import d20kit"]).returncode == 0


def test_second_start_reuses(kit: Any) -> None:
    """Nothing is installed twice: the stamp agrees."""
    ensure(kit, "lab", quiet())
    kit.done()
    ensure(kit, "lab", quiet())
    assert kit.done() == []


def test_changed_lock_is_noticed(kit: Any) -> None:
    """New pins are installed into the environment that is there."""
    ensure(kit, "lab", quiet())
    kit.done()
    kit.lock("lab").write_text("sympy==2.0\n")
    ensure(kit, "lab", quiet())
    assert kit.done() == ["packages", "kit"]


def test_changed_catalogue_reinstalls_the_kit_only(kit: Any) -> None:
    """The catalogues are compiled by the kit's own install, so a new translation needs it and no packages."""
    ensure(kit, "lab", quiet())
    kit.done()
    catalogue = kit.root / "d20kit" / "locale" / "id" / "LC_MESSAGES" / "d20kit.po"
    catalogue.parent.mkdir(parents=True)
    catalogue.write_text('msgid ""\n')
    ensure(kit, "lab", quiet())
    assert kit.done() == ["kit"]


def test_tests_extend_the_environment_and_lab_shares_it(kit: Any) -> None:
    """One environment serves both commands, so that switching between them costs nothing."""
    ensure(kit, "lab", quiet())
    kit.done()
    ensure(kit, "test", quiet())
    assert kit.done() == ["packages", "kit"]
    ensure(kit, "lab", quiet())
    assert kit.done() == []


def test_more_packages_for_the_tests_are_explained(kit: Any) -> None:
    """Somebody whose lab runs already would wonder why ``test`` installs again."""
    said = {profile: io.StringIO() for profile in ("lab", "test")}
    for profile, out in said.items():
        ensure(kit, profile, Progress(out))
    assert "(once, for the tests)" not in said["lab"].getvalue()
    assert "Installing its packages and those of the tests with fake (once, for the tests)\n" in said["test"].getvalue()


def test_stopping_says_how_to_go_on(kit: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """After Ctrl-C in the first build nobody knows whether something is broken now."""

    def stop(*arguments: Any, **named: Any) -> None:
        raise Stopped(2)

    monkeypatch.setattr(installers, "run", stop)
    with pytest.raises(Stopped) as caught:
        ensure(kit, "lab", quiet())
    assert "the same command, run again, finishes it" in caught.value.words
    monkeypatch.undo()
    monkeypatch.setattr(installers, "choose", lambda checkout: kit.installer())
    ensure(kit, "lab", quiet())
    assert missing(kit, "lab") == []


def test_test_environment_stays_one_when_lab_notices_a_new_lock(kit: Any) -> None:
    """An update asked for by ``lab`` must not forget that the tests were installed, too."""
    ensure(kit, "test", quiet())
    kit.lock("test").write_text("sympy==2.0\n")
    ensure(kit, "lab", quiet())
    assert read_stamp(kit.venv)["profile"] == "test"


def break_interrupted(venv: Path) -> None:
    (venv / STAMP).write_text(json.dumps({"state": "unfinished", "profile": "lab"}))
    (venv / "pyvenv.cfg").unlink()


def break_interpreter(venv: Path) -> None:
    shutil.rmtree(checkout.venv_python(venv).parent)


def break_base(venv: Path) -> None:
    python = checkout.venv_python(venv)
    python.unlink()
    if os.name != "nt":
        python.symlink_to(venv / "gone" / "python3")


def break_packages(venv: Path) -> None:
    shutil.rmtree(next(venv.rglob("sympy")))


def break_python_version(venv: Path) -> None:
    stamp = json.loads((venv / STAMP).read_text()) | {"python": "cpython-310-elsewhere"}
    (venv / STAMP).write_text(json.dumps(stamp))


@pytest.mark.parametrize(
    "damage", [break_interrupted, break_interpreter, break_base, break_packages, break_python_version]
)
def test_broken_environment_is_made_anew(kit: Any, damage: Any) -> None:
    """An interrupted install, a deleted interpreter, base or package, or another Python: repaired, not fatal."""
    ensure(kit, "lab", quiet())
    (kit.venv / "old").touch()
    damage(kit.venv)
    kit.done()
    ensure(kit, "lab", quiet())
    assert kit.done() == ALL
    assert not (kit.venv / "old").exists()
    assert missing(kit, "lab") == []


def test_failed_install_is_not_taken_for_whole(kit: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The stamp says ready only after the last step, so a start after a failure begins anew."""
    broken = kit.installer().__class__("fake", kit.installer().make, (sys.executable, "-c", "raise SystemExit(3)"), ())
    monkeypatch.setattr(installers, "choose", lambda checkout: broken)
    with pytest.raises(Problem, match="exit code 3"):
        ensure(kit, "lab", quiet())
    assert missing(kit, "lab") == ALL
    monkeypatch.setattr(installers, "choose", lambda checkout: kit.installer())
    ensure(kit, "lab", quiet())
    assert missing(kit, "lab") == []


def file_in_the_way(venv: Path) -> None:
    venv.write_text("dear to somebody")


def folder_in_the_way(venv: Path) -> None:
    venv.mkdir()
    (venv / "dear.txt").write_text("dear to somebody")


def venv_in_the_way(venv: Path) -> None:
    folder_in_the_way(venv)
    (venv / "pyvenv.cfg").write_text("home = /usr/bin\n")


@pytest.mark.parametrize("put", [file_in_the_way, folder_in_the_way, venv_in_the_way])
def test_what_is_not_ours_is_moved_aside(kit: Any, put: Any) -> None:
    """A file or folder that somebody else named .venv is kept, and the person is told where."""
    put(kit.venv)
    said = io.StringIO()
    ensure(kit, "lab", Progress(said))
    aside = kit.root / ".venv.old-1"
    kept = aside if aside.is_file() else aside / "dear.txt"
    assert kept.read_text() == "dear to somebody"
    assert ".venv.old-1" in said.getvalue()
    assert missing(kit, "lab") == []


def test_empty_folder_is_used(kit: Any) -> None:
    """A start that was killed before it wrote anything leaves an empty folder, which is nobody's."""
    kit.venv.mkdir()
    ensure(kit, "lab", quiet())
    assert [path.name for path in kit.root.glob(".venv.old*")] == []


def test_two_starts_at_once_make_one_environment(kit: Any) -> None:
    """The second start waits for the first and finds its work done."""
    code = (
        "import sys; from pathlib import Path; sys.path[:0] = sys.argv[2:4]\n"
        "import conftest; from d20kit.launch import environment, installers\n"
        "kit = conftest.Kit(Path(sys.argv[1])); installers.choose = lambda checkout: kit.installer()\n"
        "environment.ensure(kit, 'lab')"
    )
    here = Path(__file__).parent
    command = [sys.executable, "-c", code, str(kit.root), str(here), str(here.parent.parent)]
    starts = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    said = [start.communicate(timeout=60)[0] for start in starts]
    assert [start.returncode for start in starts] == [0, 0]
    assert kit.done() == ALL
    assert sum("waiting" in text for text in said) == 1


SLOW = """
import os, pathlib, signal, sys, time
pathlib.Path(sys.argv[1]).write_text(str(os.getpid()))
signal.signal(signal.SIGTERM, signal.SIG_IGN)
while not pathlib.Path(sys.argv[2]).exists():
    time.sleep(0.05)
pathlib.Path(sys.argv[3], "late").touch()
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows hands no locked file on to a child")
def test_a_start_waits_for_the_installer_of_one_that_was_killed(kit: Any, tmp_path: Path) -> None:
    """After kill -9 the installer lives on for a while; two of them in one environment would break it."""
    pid, go, late = tmp_path / "pid", tmp_path / "go", kit.venv / "late"
    code = (
        "import sys; from pathlib import Path; sys.path[:0] = sys.argv[2:4]\n"
        "import conftest; from d20kit.launch import environment, installers\n"
        "from d20kit.launch.installers import Installer\n"
        f"slow = (sys.executable, '-c', {SLOW!r}, {str(pid)!r}, {str(go)!r}, {str(kit.venv)!r})\n"
        "kit = conftest.Kit(Path(sys.argv[1]))\n"
        "installers.choose = lambda checkout: Installer('slow', slow, slow, slow)\n"
        "environment.ensure(kit, 'lab')"
    )
    here = Path(__file__).parent
    command = [sys.executable, "-c", code, str(kit.root), str(here), str(here.parent.parent)]
    first = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    while not (pid.exists() and pid.read_text()):
        assert first.poll() is None
        time.sleep(0.05)
    first.kill()
    first.wait()
    said = Waited(go)
    ensure(kit, "lab", Progress(said))
    assert said.waited
    assert not late.exists(), "what the first one left was not cleared away"
    assert missing(kit, "lab") == []


class Waited(io.StringIO):
    """Output that lets the slow installer end once somebody says that they wait for it."""

    def __init__(self, go: Path) -> None:
        super().__init__()
        self.go, self.waited = go, False

    def write(self, text: str) -> int:
        if "waiting for it" in text:
            self.waited = True
            self.go.touch()
        return super().write(text)


def test_a_folder_in_place_of_the_guard_is_said(kit: Any) -> None:
    """Nobody knows what .venv.lock is; the sentence says what to do about it."""
    kit.guard.mkdir()
    with pytest.raises(Problem, match=r"\.venv\.lock is a folder, .* Delete or rename it"):
        ensure(kit, "lab", quiet())


@pytest.mark.parametrize("profile", ["lab", "test"])
def test_a_missing_lock_is_said_before_anything_is_made(kit: Any, profile: str) -> None:
    """A copy without its lock is not whole, and an environment from no lock would be another one."""
    kit.lock(profile).unlink()
    with pytest.raises(Problem, match=rf"{profile}\.txt is missing, .* 'git restore binder' brings it back"):
        ensure(kit, profile, quiet())
    assert kit.done() == []
    assert not kit.venv.exists()


def test_a_lock_that_went_missing_later_is_said(kit: Any) -> None:
    """The environment of the tests needs its own lock, also where only the lab is asked for."""
    ensure(kit, "test", quiet())
    kit.lock("test").unlink()
    with pytest.raises(Problem, match=r"test\.txt is missing"):
        ensure(kit, "lab", quiet())


def test_renewing_makes_all_of_it_again(kit: Any) -> None:
    """What was changed inside it by hand cannot be seen from outside, so nothing of it is kept."""
    ensure(kit, "test", quiet())
    (kit.venv / "old").touch()
    kit.done()
    environment.renew(kit, quiet())
    assert kit.done() == ALL
    assert not (kit.venv / "old").exists()
    assert read_stamp(kit.venv)["profile"] == "test"


def test_progress_is_plain_lines_in_a_file(kit: Any) -> None:
    """Where output is no terminal, no line is rewritten."""
    said = io.StringIO()
    ensure(kit, "lab", Progress(said, every=0))
    lines = said.getvalue().splitlines()
    assert lines[0].startswith("Making the environment")
    assert "  1 of 1: d20kit 1.0" in lines
    assert "\r" not in said.getvalue()
    assert environment.STAMP in {path.name for path in kit.venv.iterdir()}
