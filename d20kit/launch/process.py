"""Child processes that never outlive the command that started them."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import IO, Any

WINDOWS = os.name == "nt"
_NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
# Python settings of the caller that would reach into the kit's own environment. The last one, common in containers,
# would let every kernel compile all of its packages again.
_FOREIGN = ("PYTHONHOME", "PYTHONPATH", "VIRTUAL_ENV", "__PYVENV_LAUNCHER__", "PYTHONDONTWRITEBYTECODE")


class Stopped(BaseException):
    """The person, or the system, asked the command to stop.

    >>> Stopped(signal.SIGINT).signum == signal.SIGINT, issubclass(Stopped, Exception)
    (True, False)
    """

    def __init__(self, signum: int) -> None:
        super().__init__(signum)
        self.signum = signum
        self.words = ""


class _Interrupts:
    """The signal handler: it raises at once, except while a child is being born and nobody could stop it yet."""

    def __init__(self) -> None:
        self.holding = False
        self.pending = 0

    def __call__(self, signum: int, frame: FrameType | None) -> None:
        if not self.holding:
            raise Stopped(signum)
        self.pending = signum

    @contextmanager
    def held(self) -> Iterator[None]:
        self.holding = True
        try:
            yield
        finally:
            self.holding = False
        if self.pending:
            signum, self.pending = self.pending, 0
            raise Stopped(signum)


_interrupts = _Interrupts()


@contextmanager
def stoppable() -> Iterator[None]:
    """Raise `Stopped` for Ctrl-C, for a polite kill and for a closed terminal.

    >>> try:
    ...     with stoppable():
    ...         signal.raise_signal(signal.SIGINT)
    ... except Stopped as stop:
    ...     stop.signum == signal.SIGINT
    True
    """
    numbers = [getattr(signal, name) for name in _NAMES if hasattr(signal, name)]
    before = {number: signal.signal(number, _interrupts) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def farewell(words: str) -> Iterator[None]:
    """Say what it means for the person if they stop the command here.

    >>> try:
    ...     with farewell("Your work is saved."):
    ...         raise Stopped(signal.SIGINT)
    ... except Stopped as stop:
    ...     print(stop.words)
    Your work is saved.
    """
    try:
        yield
    except Stopped as stop:
        stop.words = stop.words or words
        raise


def clean_environment(**extra: str) -> dict[str, str]:
    """Return the variables for a child: the caller's, without what would leak another Python into it.

    >>> from unittest.mock import patch
    >>> with patch.dict(os.environ, {"VIRTUAL_ENV": "elsewhere"}):
    ...     child = clean_environment(D20KIT_LANG="id")
    >>> "VIRTUAL_ENV" in child, child["D20KIT_LANG"]
    (False, 'id')
    """
    return {name: value for name, value in os.environ.items() if name not in _FOREIGN} | extra


class Child:
    """A process in a group of its own; leaving the ``with`` block ends it and all that it started.

    Parameters
    ----------
    command : sequence of str or Path
        Program and arguments; no shell reads them.
    cwd : Path
        The folder it works in.
    env : mapping of str to str, optional
        All of its variables; without them it has ours.
    gentle : signal.Signals
        What asks the child to stop by itself.
    patience : float
        Seconds to wait for that before it is killed.
    stdin : int, optional
        What it reads, as ``subprocess`` names it; without it, what we read.
    output : file, optional
        Where all that it says goes; without it, where ours goes.
    piped : bool
        Whether to read what it says from `lines` instead.
    guard : file, optional
        A locked file that stays locked until the child has ended, even if we end first; not on Windows.

    Examples
    --------
    >>> import sys
    >>> with Child([sys.executable, "-c", "print('hello')"], cwd=Path.cwd(), piped=True) as child:
    ...     child.lines.read().strip(), child.wait()
    ('hello', 0)
    """

    def __init__(
        self,
        command: Sequence[str | Path],
        *,
        cwd: Path,
        env: Mapping[str, str] | None = None,
        gentle: int = signal.SIGTERM,
        patience: float = 10,
        stdin: int | None = None,
        output: IO[bytes] | None = None,
        piped: bool = False,
        guard: IO[str] | None = None,
    ) -> None:
        self.gentle = gentle
        self.patience = patience
        self._command = [str(part) for part in command]
        self._settings: dict[str, Any] = {"cwd": cwd, "env": env, "stdin": stdin}
        self._settings |= {"creationflags": 0x200} if WINDOWS else {"start_new_session": True}
        if guard is not None and not WINDOWS:
            self._settings["pass_fds"] = (guard.fileno(),)
        if output is not None:
            self._settings |= {"stdout": output, "stderr": subprocess.STDOUT}
        if piped:
            self._settings |= {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
            self._settings |= {"encoding": "utf-8", "errors": "replace"}

    def __enter__(self) -> Child:
        try:
            with _interrupts.held():
                self.process: subprocess.Popen[str] = subprocess.Popen(self._command, **self._settings)
        except Stopped:
            self.stop()
            raise
        return self

    def __exit__(self, *exc: object) -> None:
        self.stop()

    @property
    def lines(self) -> IO[str]:
        """What the child prints, line by line; only for a child that was started with ``piped=True``."""
        assert self.process.stdout is not None
        return self.process.stdout

    def wait(self) -> int:
        """Wait for the child and return its exit code."""
        return self.process.wait()

    def stop(self) -> None:
        """End the child: ask first, then kill; a second Ctrl-C kills at once."""
        try:
            if self.process.poll() is None:
                self._ask()
                with suppress(subprocess.TimeoutExpired):
                    self.process.wait(self.patience)
        except Stopped:
            pass
        finally:
            self._kill_group()
            self.process.wait()
            if self.process.stdout is not None:
                self.process.stdout.close()

    def _ask(self) -> None:
        # On Windows a child in a group of its own hears this one event only.
        self.process.send_signal(signal.CTRL_BREAK_EVENT if WINDOWS else self.gentle)  # type: ignore[attr-defined]

    def _kill_group(self) -> None:
        if not WINDOWS:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
        elif self.process.poll() is None:  # pragma: no cover  (Windows only: taskkill is nowhere else)
            subprocess.run(["taskkill", "/T", "/F", "/PID", str(self.process.pid)], capture_output=True)
