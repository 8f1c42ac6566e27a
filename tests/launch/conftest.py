"""A small kit in a folder with a space in its name, and an installer that is real but installs empty packages."""

from __future__ import annotations

from pathlib import Path

import pytest

from d20kit.launch import environment, installers
from d20kit.launch.checkout import Checkout, base_python
from d20kit.launch.installers import Installer

FAKE = Path(__file__).with_name("fake_installer.py")


class Kit(Checkout):
    """A checkout whose installer leaves a note of each thing it did."""

    @property
    def notes(self) -> Path:
        return self.root / "notes.txt"

    def installer(self) -> Installer:
        needed = [name for names in environment._NEEDED.values() for name in names]
        fake = (str(self.python), str(FAKE), str(self.notes))
        make = (base_python(), str(FAKE), str(self.notes), "make", str(self.venv))
        return Installer("fake", make, (*fake, "packages", *needed), (*fake, "kit", "d20kit", "d20widgets"))

    def done(self) -> list[str]:
        """Return what the installer did since the last question."""
        done = self.notes.read_text().split() if self.notes.exists() else []
        self.notes.unlink(missing_ok=True)
        return done


def bare_kit(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Kit:
    """Make a checkout without an environment, which from now on is filled by its own installer."""
    kit = Kit(folder / "with space" / "kit")
    kit.lock("lab").parent.mkdir(parents=True)
    kit.lock("lab").write_text("sympy==1.0\n")
    kit.lock("test").write_text("sympy==1.0\npytest==8.0\n")
    (kit.root / "pyproject.toml").write_text("[project]\n")
    monkeypatch.setattr(installers, "choose", lambda checkout: kit.installer())
    return kit


@pytest.fixture
def kit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kit:
    """Return a checkout without an environment."""
    return bare_kit(tmp_path, monkeypatch)
