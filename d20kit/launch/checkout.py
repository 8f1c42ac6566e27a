"""Where the kit lies, and what its environment has to agree with."""

from __future__ import annotations

import hashlib
import os
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

PROFILES = ("lab", "test")
PACKAGE = Path(__file__).resolve().parent.parent


def venv_python(venv: Path, windows: bool = os.name == "nt") -> Path:
    """Return where a virtual environment keeps its interpreter.

    >>> venv_python(Path("kit/.venv"), windows=True).as_posix()
    'kit/.venv/Scripts/python.exe'
    """
    return venv / "Scripts" / "python.exe" if windows else venv / "bin" / "python"


@dataclass(frozen=True)
class Checkout:
    """A folder with the kit's sources, its lock and, once made, its environment.

    >>> kit = Checkout(Path("kit"))
    >>> kit.venv.as_posix(), kit.lock("lab").as_posix()
    ('kit/.venv', 'kit/binder/lock/lab.txt')
    """

    root: Path

    @property
    def venv(self) -> Path:
        """The environment of the kit."""
        return self.root / ".venv"

    @property
    def python(self) -> Path:
        """The interpreter in that environment."""
        return venv_python(self.venv)

    @property
    def guard(self) -> Path:
        """The file that one start at a time holds while it works on the environment."""
        return self.root / ".venv.lock"

    def lock(self, profile: str) -> Path:
        """Return the requirement file that pins everything a profile needs."""
        return self.root / "binder" / "lock" / f"{profile}.txt"

    def kit_digest(self) -> str:
        """Return a digest of what the editable install is made from."""
        catalogues = sorted(self.root.glob("d20kit/locale/*/LC_MESSAGES/*.po"))
        return digest(self.root / "pyproject.toml", *catalogues)


def digest(*files: Path) -> str:
    """Return one digest of the contents of some files.

    >>> here, there = Path(__file__), Path(os.__file__)
    >>> len(digest(here, there)), digest(here, there) == digest(there, here)
    (64, False)
    """
    total = hashlib.sha256()
    for file in files:
        total.update(hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()


def find_checkout(package: Path = PACKAGE) -> Checkout | None:
    """Return the checkout that the package lies in, or None where it was installed from a wheel.

    >>> find_checkout(Path("nowhere/d20kit")) is None
    True
    """
    checkout = Checkout(package.parent)
    here = (checkout.root / "pyproject.toml").is_file() and checkout.lock("lab").parent.is_dir()
    return checkout if here else None


def python_tag() -> str:
    """Return what tells apart Pythons that cannot share an environment.

    >>> python_tag().startswith(sys.implementation.cache_tag)
    True
    """
    return f"{sys.implementation.cache_tag}{getattr(sys, 'abiflags', '')}-{sysconfig.get_platform()}"


def base_python() -> str:
    """Return the interpreter outside of any virtual environment: ours may be deleted and made anew.

    >>> Path(base_python()).is_file()
    True
    """
    return getattr(sys, "_base_executable", None) or sys.executable
