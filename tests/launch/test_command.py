"""The command line says what it can do and how it went, without a traceback."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import tomllib
import types

import pytest

import d20kit.__main__
from d20kit.launch import command
from d20kit.launch.checkout import PACKAGE
from d20kit.launch.problems import Problem
from d20kit.launch.process import Stopped, farewell


def run_failing(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> int:
    """Run a command that ends with an error."""

    def fail(arguments: list[str]) -> int:
        raise error

    monkeypatch.setitem(sys.modules, "failing", types.SimpleNamespace(SUMMARY="fails", run=fail))
    monkeypatch.setitem(command.COMMANDS, "failing", "failing")
    return command.run(["failing"])


def stopped(words: str) -> Stopped:
    """Return what a command ends with that was stopped where it had something to say about it."""
    with pytest.raises(Stopped) as caught, farewell("outer words"), farewell(words):
        raise Stopped(2)
    return caught.value


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (Problem("Do this instead."), 1, "Do this instead.\n"),
        (OSError(errno.ENOSPC, "No space left on device", "/kit/.venv"), 1, "The disk is full: /kit/.venv"),
        (OSError(errno.ENOSPC, "No space left on device"), 1, "What the command says could not be written: No space"),
        (OSError(errno.EROFS, "Read-only file system", "/kit/.venv"), 1, "/kit/.venv cannot be written."),
        (PermissionError(errno.EACCES, "Permission denied", "/kit/.venv"), 1, "/kit/.venv cannot be written."),
        (OSError(errno.EMFILE, "Too many open files"), 1, "The system refused something"),
        (
            OSError(errno.EIO, "I/O error", "a\n\x1b[1m"),
            1,
            r"The system refused something the kit needs: I/O error (a\n\x1b[1m",
        ),
        (OSError(errno.ENOSPC, "No space left on device", b"a\n\xff"), 1, r"The disk is full: a\n\udcff could"),
        (OSError(errno.EROFS, "Read-only file system", "a\x07\u2028"), 1, r"a\x07\u2028 cannot be written."),
        (Stopped(2), 130, ""),
        (stopped("The lab is closed."), 130, "The lab is closed.\n"),
    ],
)
def test_every_end_is_a_paragraph_and_an_exit_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: BaseException, code: int, said: str
) -> None:
    """A learner can act on a paragraph, not on a traceback."""
    assert run_failing(monkeypatch, error) == code
    printed = capsys.readouterr().err
    assert printed.startswith(said)
    assert printed.count("\n") == bool(said)


def test_usage_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    """Asking for help succeeds; saying nothing does not."""
    assert command.run(["--help"]) == 0
    printed = capsys.readouterr().out
    assert all(f"  {name} " in printed for name in command.COMMANDS)
    assert command.run([]) == 2


@pytest.mark.parametrize("option", ["--version", "-V"])
def test_version_is_the_one_of_the_package(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever asks for help is asked which version they have, and the answer must not be another one's."""
    assert command.run([option]) == 0
    version = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    assert capsys.readouterr().out == f"d20kit {version}\n"


def test_misspelt_command_gets_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    """A slip of the keyboard is answered with what was probably meant."""
    assert command.run(["tset"]) == 2
    assert "Did you mean 'test'?" in capsys.readouterr().err


@pytest.mark.parametrize("words", ["doctor --jso", "lab --no-b", "fight duel --see 1", "page 01 public --lang id"])
def test_options_are_not_abbreviated(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A script that abbreviates would break, or do something else, when an option is added."""
    with pytest.raises(SystemExit) as end:
        command.run(words.split())
    assert end.value.code == 2
    assert "unrecognized arguments: --" in capsys.readouterr().err


@pytest.mark.skipif(os.name == "nt", reason="a closed stream is written as >&- in a POSIX shell")
def test_closed_output_is_no_fault() -> None:
    """A caller that closes the output wants the exit code only; a traceback would be noise."""
    command = f'"{sys.executable}" -m d20kit --help >&-'
    done = subprocess.run(command, shell=True, cwd=PACKAGE.parent, stderr=subprocess.PIPE, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no device that is always full")
@pytest.mark.parametrize("words", ["--help", "--version", "fight --help", "lab --help", "fight duel --seed 1"])
@pytest.mark.parametrize("buffered", ["", "1"])
def test_output_that_cannot_be_written_is_said(words: str, buffered: str) -> None:
    """A help that goes to a full disk must not pass for one that was given."""
    command = f'"{sys.executable}" -m d20kit {words} > /dev/full'
    env = os.environ | {"PYTHONUNBUFFERED": buffered, "PYTHONPATH": str(PACKAGE.parent), "D20KIT_LANG": "en"}
    done = subprocess.run(command, shell=True, env=env, stderr=subprocess.PIPE, text=True)
    said = "What the command says could not be written: No space left on device.\n"
    assert (done.returncode, done.stderr) == (1, said)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such pipes")
@pytest.mark.parametrize("words", ["--help", "fight --help"])
def test_a_reader_that_leaves_is_no_fault(words: str) -> None:
    """``d20kit --help | head -1`` ends without a word."""
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "d20kit", *words.split()]
    done = subprocess.run(command, cwd=PACKAGE.parent, stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")


def test_interrupt_before_the_command_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C while modules still load ends as quietly as later."""

    def interrupted(arguments: list[str]) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("d20kit.launch.command.run", interrupted)
    assert d20kit.__main__.main([]) == 130
