"""What the doctor examines, and what a finding is."""

from __future__ import annotations

import importlib.util
import os
import shlex
import subprocess
import sys
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path

from d20kit.language import _
from d20kit.launch.checkout import Checkout
from d20kit.launch.environment import missing
from d20kit.launch.problems import Problem


@dataclass(frozen=True)
class Finding:
    """What one check found.

    >>> wrong("no browser was found", "sudo apt install chromium").named("browser").as_dict()["state"]
    'wrong'
    """

    state: str
    said: str
    mend: str = ""
    name: str = ""

    def named(self, name: str) -> Finding:
        """Return this finding under the name of its check."""
        return replace(self, name=name)

    def as_dict(self) -> dict[str, str]:
        """Return the finding as JSON tells it."""
        return asdict(self)


def ok(said: str) -> Finding:
    """Return the finding that a thing is as it must be.

    >>> ok("port 8888 is free").state
    'ok'
    """
    return Finding("ok", said)


def note(said: str) -> Finding:
    """Return something worth knowing that is not wrong.

    >>> note("there is no screen here").state
    'note'
    """
    return Finding("note", said)


def skipped() -> Finding:
    """Return the finding of a check that needs an environment where there is none.

    >>> skipped().said
    'not looked at, since the environment is not ready'
    """
    return Finding("skipped", _("not looked at, since the environment is not ready"))


def wrong(said: str, mend: str = "") -> Finding:
    """Return what is wrong and the one command that mends it.

    >>> wrong("no browser was found", "sudo apt install chromium").mend
    'sudo apt install chromium'
    """
    return Finding("wrong", said, mend)


def shown(*words: str | Path) -> str:
    """Return a command as its person would type it.

    >>> shown("rmdir", "kit")
    'rmdir kit'
    """
    texts = [str(word) for word in words]
    return subprocess.list2cmdline(texts) if os.name == "nt" else shlex.join(texts)


@dataclass(frozen=True)
class Patient:
    """The kit as it stands: a copy of the sources with an environment of its own, or an installed package.

    >>> Patient(Checkout(Path("nowhere"))).python is None
    True
    >>> Patient(None).python == Path(sys.executable)
    True
    """

    checkout: Checkout | None

    @property
    def root(self) -> Path:
        """The folder whose lessons the lab would open."""
        return self.checkout.root if self.checkout else Path.cwd()

    @cached_property
    def python(self) -> Path | None:
        """The interpreter that the lab would run with; None while it could not run at all."""
        if self.checkout is None:
            return Path(sys.executable) if importlib.util.find_spec("jupyterlab") else None
        try:
            return None if missing(self.checkout, "lab") else self.checkout.python
        except (Problem, OSError):
            return None

    @property
    def anew(self) -> str:
        """The command that makes all that the lab needs anew: the environment of the copy, or the package."""
        return "python3 -m d20kit doctor --mend" if self.checkout else self.install

    @property
    def install(self) -> str:
        """The command that installs the package and all that the lab needs anew."""
        # Environments that uv made have no pip.
        if importlib.util.find_spec("pip") is None:
            return shown("uv", "pip", "install", "--python", sys.executable, "--reinstall", "d20kit[lab]")
        return shown(sys.executable, "-m", "pip", "install", "--force-reinstall", "d20kit[lab]")
