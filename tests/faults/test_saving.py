"""Saving an encounter while something goes wrong: what was there before stays, to the last byte."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from d20kit.battle import Encounter
from d20kit.battle.encounter_file import read_file
from d20kit.launch.checkout import PACKAGE
from d20widgets import BattlePlayer

ROOT = PACKAGE.parent
OLD, NEW = Encounter.ready("duel"), Encounter.ready("boss")
# What saving asks of the system, in the order in which it asks.
STEPS: dict[str, tuple[Any, str]] = {
    "the new file is made": (Path, "open"),
    "it is forced onto the disk": (os, "fsync"),
    "it takes over who may read it": (shutil, "copymode"),
    "it takes the place of the old one": (os, "replace"),
}
REASONS = (errno.ENOSPC, errno.EACCES, errno.EROFS, errno.EIO)
# A process of its own: what it does first, in `before`, may not be taken back.
SAVE = """
import os, signal, sys
from pathlib import Path
from d20kit.battle import Encounter
new = Encounter.ready("boss")
{before}
try:
    new.dump(Path(sys.argv[1]))
except ValueError as error:
    sys.exit(str(error))
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A saved encounter in a folder of its own."""
    OLD.dump(tmp_path / "mine.toml")
    return tmp_path / "mine.toml"


def litter(file: Path) -> list[str]:
    """Return what lies beside a file."""
    return sorted(one.name for one in file.parent.iterdir() if one != file)


def save_in_a_process(file: Path, before: str, *command: str) -> subprocess.CompletedProcess[str]:
    """Save another encounter over a file, in a process of its own."""
    env = os.environ | {"PYTHONPATH": str(ROOT), "D20KIT_LANG": "en"}
    words = [*command, sys.executable, "-c", SAVE.format(before=before), str(file)]
    return subprocess.run(words, env=env, capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize("reason", REASONS, ids=lambda code: errno.errorcode[code])
@pytest.mark.parametrize("step", STEPS)
def test_a_refusal_at_any_step_costs_nothing(
    file: Path, monkeypatch: pytest.MonkeyPatch, step: str, reason: int
) -> None:
    """The disk may be full, read-only or broken for the first time at any moment of a save."""
    before = file.read_bytes()

    def refused(*_given: Any, **_named: Any) -> None:
        raise OSError(reason, os.strerror(reason))

    with monkeypatch.context() as patched:
        patched.setattr(*STEPS[step], refused)
        with pytest.raises(ValueError, match=r"^mine\.toml: ") as caught:
            NEW.dump(file)
    expected = "you may not read or write" if reason == errno.EACCES else os.strerror(reason)
    assert expected in str(caught.value)
    assert file.read_bytes() == before
    assert litter(file) == []


def test_ctrl_c_in_the_midst_costs_nothing(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who interrupts the kernel while a slow disk is at work keeps the old file, and no half of the new one."""
    before = file.read_bytes()

    def interrupted(_descriptor: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        NEW.dump(file)
    assert file.read_bytes() == before
    assert litter(file) == []


@pytest.mark.skipif(os.name == "nt", reason="Windows sets no limits to the files of a process")
def test_a_file_that_may_not_grow_is_not_half_written(file: Path) -> None:
    """Where a quota ends after some bytes, those that were written are taken away again."""
    before = file.read_bytes()
    said = save_in_a_process(file, "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))")
    assert (said.returncode, said.stderr) == (
        1,
        f"mine.toml: the system refuses the file: {os.strerror(errno.EFBIG)}\n",
    )
    assert file.read_bytes() == before
    assert litter(file) == []


def test_a_disk_that_is_really_full(tmp_path: Path) -> None:
    """Stand-ins for the system may be wrong about it; this disk is small, real, and filled to its last byte."""
    alone = ("unshare", "--user", "--map-root-user", "--mount")
    if not shutil.which("unshare") or subprocess.run([*alone, "true"], capture_output=True).returncode:
        pytest.skip("mounting a small disk is not allowed here")
    disk = tmp_path / "disk"
    disk.mkdir()
    before = f"""
import subprocess
disk = {str(disk)!r}
subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", disk], check=True)
Encounter.ready("duel").dump(sys.argv[1])
old = Path(sys.argv[1]).read_bytes()
filler = open(disk + "/filler", "wb", buffering=0)
try:
    while filler.write(b"x" * 4096): pass
except OSError: pass
import atexit
atexit.register(lambda: print(Path(sys.argv[1]).read_bytes() == old, sorted(os.listdir(disk))))
"""
    said = save_in_a_process(disk / "mine.toml", before, *alone)
    assert said.stderr == f"mine.toml: the system refuses the file: {os.strerror(errno.ENOSPC)}\n"
    assert said.stdout == "True ['filler', 'mine.toml']\n"


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that everybody may enter, unlike those of pytest: the superuser has to become somebody else in it."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)
        Path(name).chmod(0o755)


@pytest.mark.skipif(os.name == "nt", reason="Windows lets the owner of a read-only folder write into it")
def test_a_read_only_folder_is_a_sentence(open_folder: Path) -> None:
    """In a folder of the school nothing can be saved: the file there stays, and the person learns why."""
    file = open_folder / "mine.toml"
    OLD.dump(file)
    before = file.read_bytes()
    open_folder.chmod(0o555)
    said = save_in_a_process(file, "if os.geteuid() == 0: os.seteuid(65534)")
    assert (said.returncode, said.stderr) == (1, "mine.toml: you may not read or write this file\n")
    assert file.read_bytes() == before
    assert litter(file) == []


# Where a process is killed, and whether the new encounter is there then.
KILLED: dict[str, tuple[str, bool]] = {
    "before the new file is made": ("stop(Path, 'open', before=True)", False),
    "half of it is written": ("halve()", False),
    "before it is forced onto the disk": ("stop(os, 'fsync', before=True)", False),
    "after it is forced onto the disk": ("stop(os, 'fsync', before=False)", False),
    "before it takes the place of the old one": ("stop(os, 'replace', before=True)", False),
    "after it has taken the place of the old one": ("stop(os, 'replace', before=False)", True),
}
STOPS = """
def stop(where, name, before):
    real = getattr(where, name)
    def killed(*given, **named):
        if not before:
            real(*given, **named)
        os.kill(os.getpid(), signal.SIGKILL)
    setattr(where, name, killed)

def halve():
    real = Path.open
    def opened(self, mode):
        given = real(self, mode, buffering=0)
        write = given.write
        class Halving:
            def __enter__(self): return self
            def __exit__(self, *error): pass
            def write(self, raw):
                write(raw[: len(raw) // 2])
                os.kill(os.getpid(), signal.SIGKILL)
        return Halving()
    Path.open = opened

"""


@pytest.mark.skipif(os.name == "nt", reason="Windows kills no process by a signal")
@pytest.mark.parametrize("moment", KILLED)
def test_a_crash_leaves_one_whole_encounter(file: Path, moment: str) -> None:
    """Power that fails or kill -9 at any moment: the file is the old one or the new one, and can be saved again."""
    how, there = KILLED[moment]
    before = file.read_bytes()
    assert save_in_a_process(file, STOPS + how).returncode == -signal.SIGKILL
    assert Encounter.load(file) == (NEW if there else OLD)
    assert there or file.read_bytes() == before
    # The dead take nothing away; what they left has a hidden name, and nobody takes it for an encounter.
    left = litter(file)
    assert len(left) <= 1
    assert all(name.startswith(".encounter-") and name.endswith(".new") for name in left)
    NEW.dump(file)
    assert Encounter.load(file) == NEW
    assert litter(file) == left


def test_who_reads_meanwhile_reads_one_whole_encounter(file: Path) -> None:
    """Two tabs may save to one file at once, and a third may load it: never a mixture, never nothing."""
    seen: list[Any] = []
    done = threading.Event()

    def in_turn(act: Callable[[], Any]) -> None:
        try:
            for _time in range(25):
                act()
        except BaseException as error:
            seen.append(error)

    def read() -> None:
        while not done.is_set():
            seen.append(Encounter(*read_file(file)))

    savers = [threading.Thread(target=in_turn, args=(lambda one=one: one.dump(file),)) for one in (OLD, NEW)]
    reader = threading.Thread(target=in_turn, args=(read,))
    for thread in (reader, *savers):
        thread.start()
    for thread in savers:
        thread.join()
    done.set()
    reader.join()
    assert seen
    assert all(one in (OLD, NEW) for one in seen)
    assert litter(file) == []


def test_the_player_says_that_it_could_not_save(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who saves from the page sees no traceback: below the table stands why, and the encounter is still at hand."""
    before = file.read_bytes()
    player = BattlePlayer("boss")
    roster = player._fields["encounter"].parts[0]

    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    roster._handle_custom_msg({"kind": "save", "path": str(file), "replace": True}, [])
    assert roster.said == {"text": "mine.toml: the system refuses the file: No space left on device", "refused": True}
    assert roster.value == NEW
    assert file.read_bytes() == before
    player.close()
