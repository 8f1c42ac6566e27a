"""Make, check and repair the environment of a checkout, ``.venv``."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from d20kit.language import _
from d20kit.launch import installers
from d20kit.launch.checkout import PROFILES, Checkout, digest, python_tag
from d20kit.launch.problems import Problem
from d20kit.launch.process import farewell
from d20kit.launch.progress import Progress
from d20kit.launch.tally import count_pins

# Written first and finished last: it says that the environment is the kit's own, and whether it is whole.
STAMP = "d20kit-environment.json"
_FRESH = STAMP + ".new"
_PROBE = "import importlib.util, sys; sys.exit(not all(map(importlib.util.find_spec, sys.argv[1:])))"
_NEEDED = {
    "lab": (
        "d20kit",
        "d20widgets",
        "sympy",
        "flint",
        "lark",
        "numpy",
        "ipywidgets",
        "anywidget",
        "plotly",
        "jupyterlab",
    ),
    "test": ("pytest", "xdist", "nbval", "hypothesis", "playwright"),
}


def ensure(checkout: Checkout, profile: str, progress: Progress | None = None) -> Path:
    """Return an interpreter whose environment serves a profile, after making or mending it where needed.

    Parameters
    ----------
    checkout : Checkout
        The folder with the kit and its lock.
    profile : {"lab", "test"}
        What has to be in it; an environment for "test" serves "lab" too.
    progress : Progress, optional
        Where to say what is going on.

    Raises
    ------
    Problem
        If it cannot be made; the message says why and what to do.
    """
    if not missing(checkout, profile):
        return checkout.python
    find_lock(checkout, profile)
    with (
        farewell(_("Stopped before the environment was ready; the same command, run again, finishes it.")),
        progress or Progress() as shown,
        _alone(checkout, shown) as guard,
    ):
        work = missing(checkout, profile)
        if work:
            _prepare(checkout, profile, work, shown, guard)
    return checkout.python


def renew(checkout: Checkout, progress: Progress | None = None) -> Path:
    """Make the environment anew, whatever is in it now, and return its interpreter.

    >>> try:
    ...     renew(Checkout(Path("nowhere")))
    ... except Problem as problem:
    ...     print(str(problem).partition(", ")[2].partition(".")[0])
    so this copy of the kit is not whole

    Raises
    ------
    Problem
        If it cannot be made; the message says why and what to do.
    """
    profile = read_stamp(checkout.venv).get("profile", "lab")
    if read_stamp(checkout.venv):
        _write_stamp(checkout, {"state": "unfinished", "profile": profile})
    return ensure(checkout, profile, progress)


def missing(checkout: Checkout, profile: str) -> list[str]:
    """Return what has to be done before the environment serves: "make", "packages", "kit", or nothing.

    >>> missing(Checkout(Path("nowhere")), "lab")
    ['make', 'packages', 'kit']
    """
    stamp = read_stamp(checkout.venv)
    whole = stamp.get("state") == "ready" and stamp.get("python") == python_tag()
    if not whole or not _probe(checkout, stamp["profile"]):
        return ["make", "packages", "kit"]
    if not _serves(stamp["profile"], profile) or stamp.get("lock") != digest(find_lock(checkout, stamp["profile"])):
        return ["packages", "kit"]
    return [] if stamp.get("kit") == checkout.kit_digest() else ["kit"]


def find_lock(checkout: Checkout, profile: str) -> Path:
    """Return the requirement file of a profile.

    >>> try:
    ...     find_lock(Checkout(Path("nowhere")), "lab")
    ... except Problem as problem:
    ...     print(str(problem).partition(", ")[2].partition(".")[0])
    so this copy of the kit is not whole

    Raises
    ------
    Problem
        If the copy of the kit has none.
    """
    lock = checkout.lock(profile)
    if not lock.is_file():
        raise Problem(
            _(
                "{file} is missing, so this copy of the kit is not whole. In a copy made with git, 'git restore "
                "binder' brings it back; otherwise get the kit again. Then run the same command again."
            ).format(file=lock)
        )
    return lock


def read_stamp(venv: Path) -> dict[str, Any]:
    """Return what the kit wrote into an environment; empty where it is not the kit's, or broken.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _size = Path(folder, STAMP).write_text('{"state": "ready", "profile": "lab"}')
    ...     read_stamp(Path(folder))
    {'state': 'ready', 'profile': 'lab'}
    """
    try:
        stamp = json.loads((venv / STAMP).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return stamp if isinstance(stamp, dict) and stamp.get("profile") in PROFILES else {}


def _serves(made: str, wanted: str) -> bool:
    return PROFILES.index(made) >= PROFILES.index(wanted)


def _probe(checkout: Checkout, profile: str) -> bool:
    names = [name for made in PROFILES if _serves(profile, made) for name in _NEEDED[made]]
    try:
        return subprocess.run([checkout.python, "-I", "-c", _PROBE, *names], capture_output=True).returncode == 0
    except OSError:
        return False


def _prepare(checkout: Checkout, profile: str, work: list[str], progress: Progress, guard: IO[str]) -> None:
    installer = installers.choose(checkout)
    before = read_stamp(checkout.venv)
    if before and _serves(before["profile"], profile):
        profile = before["profile"]
    lock = find_lock(checkout, profile)
    if "make" in work:
        _clear(checkout, progress)
    _write_stamp(checkout, {"state": "unfinished", "profile": profile})
    stamp = {"state": "ready", "profile": profile, "python": python_tag(), "lock": digest(lock)}
    stamp["kit"] = checkout.kit_digest()
    if "make" in work:
        progress.step(_("Making the environment of the kit, {folder} (once)").format(folder=checkout.venv))
        installers.run(installer, installer.make, checkout, progress, guard=guard)
    if "packages" in work:
        progress.step(_install_step(profile).format(tool=installer.tool))
        command = (*installer.packages, str(lock))
        installers.run(installer, command, checkout, progress, count_pins(lock), guard=guard)
    progress.step(_("Installing the kit itself"))
    installers.run(installer, installer.kit, checkout, progress, guard=guard)
    _write_stamp(checkout, stamp)


def _install_step(profile: str) -> str:
    if profile == "test":
        return _("Installing its packages and those of the tests with {tool} (once, for the tests)")
    return _("Installing its packages with {tool}")


def _write_stamp(checkout: Checkout, stamp: dict[str, str]) -> None:
    checkout.venv.mkdir(exist_ok=True)
    fresh = checkout.venv / _FRESH
    fresh.write_text(json.dumps(stamp, indent=1) + "\n", encoding="utf-8")
    os.replace(fresh, checkout.venv / STAMP)


def _clear(checkout: Checkout, progress: Progress) -> None:
    """Empty our own environment; move aside anything else that has its name, since it may be dear to somebody."""
    venv = checkout.venv
    if not os.path.lexists(venv):
        return
    if venv.is_dir() and not venv.is_symlink() and _is_ours(venv):
        if any(venv.iterdir()):
            progress.step(_("The environment is unfinished, broken or of another Python: making it anew"))
        for child in venv.iterdir():
            if child.name == STAMP:
                continue
            if child.is_dir() and not child.is_symlink():
                shutil.rmtree(child)
            else:
                child.unlink()
        return
    aside = next(path for n in range(1, 1000) if not os.path.lexists(path := venv.with_name(f".venv.old-{n}")))
    venv.rename(aside)
    progress.step(_("{folder} was not made by the kit; it is now {aside}").format(folder=venv, aside=aside.name))


def _is_ours(venv: Path) -> bool:
    """Whether the kit made it, or was killed before it had written so."""
    return bool(read_stamp(venv)) or all(child.name == _FRESH for child in venv.iterdir())


@contextmanager
def _alone(checkout: Checkout, progress: Progress) -> Iterator[IO[str]]:
    """Hold the guard file: two starts at the same time must not write into one environment."""
    if checkout.guard.is_dir():
        raise Problem(
            _(
                "{folder} is a folder, where the kit needs a file of that name. Delete or rename it, then run the same "
                "command again."
            ).format(folder=checkout.guard)
        )
    with checkout.guard.open("a") as file:
        told = False
        while not _take(file):
            if not told:
                progress.step(_("Another start is preparing the environment; waiting for it"))
                told = True
            time.sleep(0.2)
        yield file


def _take(file: IO[str]) -> bool:
    try:
        if sys.platform == "win32":  # pragma: no cover  (msvcrt is nowhere else)
            import msvcrt

            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
