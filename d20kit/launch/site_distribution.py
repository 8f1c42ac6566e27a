"""The closed Python of the static site: its runtime and every wheel that a lesson may ask for."""

from __future__ import annotations

import hashlib
import importlib
import json
import re
import shutil
import zipfile
from collections.abc import Iterable
from email.message import Message
from email.parser import Parser
from pathlib import Path
from typing import Any

from d20kit.language import _
from d20kit.launch import site_late, site_runtime
from d20kit.launch.process import Child, clean_environment
from d20kit.launch.progress import Progress
from d20kit.launch.site_environment import failed
from d20kit.launch.site_parts import Parts, kept

_LOCK = "pyodide-lock.json"
# What only a terminal or a front end would use; the site's front end brings its own. And what is large and no first
# picture needs: plotly comes with the first cell that imports it, the others when anything does.
_NOT_HERE = {"widgetsnbextension", "jupyterlab-widgets", "pexpect", "ptyprocess", "psutil", "colorama"}
_NOT_AT_ONCE = {*_NOT_HERE, "plotly", *site_late.LATE.values()}
_KERNEL = "share/jupyter/labextensions/@jupyterlite/pyodide-kernel-extension/static/pypi"
_KERNEL_WHEELS = ("ipykernel-*.whl", "piplite-*.whl", "pyodide_kernel-*.whl")
# The kernel asks for all but the last two, which come at the same time instead of when a lesson names them.
START = ("micropip", "piplite", "ipykernel", "comm", "pyodide-kernel", "jedi", "ipython", "d20kit", site_late.NAME)
_DATE = (2020, 1, 1, 0, 0, 0)


def browser_wheels(parts: Parts, kit: Path, progress: Progress) -> list[Path]:
    """Return the wheels of the site, compiled; all but those of the kit were compiled before, if a site was made."""
    kernel = sorted(file for shape in _KERNEL_WHEELS for file in (parts.tools / _KERNEL).glob(shape))
    others = [*sorted(parts.wheels.glob("*.whl")), *kernel]
    makers = [parts.pinned(name) for name in ("compile.mjs", "recompile.py", "runtime.json")]

    def compile_all(fresh: Path) -> None:
        progress.step(_("Compiling the packages for the browser (once)"))
        _compile_wheels(parts, others, fresh, progress)

    done = kept(parts.folder("compiled", *makers, *others), compile_all)
    progress.step(_("Compiling the kit for the browser"))
    _compile_wheels(parts, [kit], kit.parent / "compiled", progress, with_source=True)
    return [*sorted(done.glob("*.whl")), kit.parent / "compiled" / kit.name]


def _compile_wheels(
    parts: Parts, wheels: list[Path], out: Path, progress: Progress, *, with_source: bool = False
) -> None:
    """Compile wheels with the Python that will run them.

    Raises
    ------
    Problem
        If that fails.
    """
    script = parts.pinned("compile.mjs")
    env = clean_environment(WITH_SOURCE=" ".join(wheel.name for wheel in wheels) if with_source else "")
    said = ""
    with Child([parts.node, script, parts.runtime, out, *wheels], cwd=out.parent, env=env, piped=True) as child:
        for number, line in enumerate(child.lines, 1):
            said = (said + line)[-2000:]
            progress.detail(_("{number} of {total}").format(number=min(number, len(wheels)), total=len(wheels)))
        if child.wait():
            last = said.strip().splitlines()[-1:] or [""]
            words = _("The packages could not be compiled. The last it said: {last}")
            raise failed(said, out, words.format(last=last[0]))


def write(folder: Path, runtime: Path, wheels: Iterable[Path]) -> None:
    """Write the runtime, the wheels and the lock that names them into a folder.

    Raises
    ------
    ValueError
        If a wheel needs one that is not there.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as name:
    ...     size = Path(name, _LOCK).write_text('{"info": {"python": "3.14.2"}}')
    ...     write(Path(name, "made"), Path(name), [])
    ...     Path(name, "made", _LOCK).read_text()
    '{"info": {"python": "3.14.2"}, "packages": {}}'
    """
    folder.mkdir(parents=True)
    upstream = json.loads((runtime / _LOCK).read_text("utf-8"))
    for file in runtime.iterdir():
        if file.suffix in (".mjs", ".wasm", ".zip"):
            (folder / file.name).write_bytes(site_runtime.faster(file.name, file.read_bytes()))
    packages = {}
    for wheel in wheels:
        entry = describe(wheel, upstream["info"]["python"])
        if entry["name"] == site_late.NAME:
            entry["imports"] = []  # a cell that names one of them gets the real one
        packages[entry["name"]] = entry
        shutil.copy2(wheel, folder)
    missing = {(name, need) for name, entry in packages.items() for need in entry["depends"] if need not in packages}
    if missing:
        raise ValueError(f"binder/lite/wheels.txt lacks {sorted(missing)}; run python3 binder/lite/lock.py")
    lock = {"info": upstream["info"], "packages": packages}
    (folder / _LOCK).write_text(json.dumps(lock, sort_keys=True), "utf-8")


def describe(wheel: Path, python: str) -> dict[str, Any]:
    """Return what the lock of the site says about a wheel, for a version of Python.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as name:
    ...     file = Path(name, "dice-1-py3-none-any.whl")
    ...     with zipfile.ZipFile(file, "w") as packed:
    ...         packed.writestr("dice.py", "")
    ...         packed.writestr("dice-1.dist-info/METADATA", "Name: Dice\\nVersion: 1\\nRequires-Dist: lark\\n")
    ...     entry = describe(file, "3.14.2")
    >>> entry["name"], entry["imports"], entry["depends"]
    ('dice', ['dice'], ['lark'])
    """
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()
        about = next(name for name in names if name.endswith(".dist-info/METADATA"))
        metadata = Parser().parsestr(packed.read(about).decode("utf-8"))
    name = canonical(metadata["Name"])
    return {
        "name": name,
        "version": metadata["Version"],
        "file_name": wheel.name,
        "install_dir": "site",
        "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
        "package_type": "package",
        "imports": modules(names),
        "depends": sorted(set(_depends(metadata, python)) - _NOT_AT_ONCE),
        "unvendored_tests": False,
    }


def _depends(metadata: Message, python: str) -> list[str]:
    there = {"sys_platform": "emscripten", "platform_system": "Emscripten", "os_name": "posix"}
    there |= {"platform_machine": "wasm32", "platform_python_implementation": "CPython", "python_full_version": python}
    there |= {"python_version": python.rpartition(".")[0], "implementation_name": "cpython"}
    extras = ("", "widgets") if metadata["Name"] == "d20kit" else ("",)
    # Imported by name and late: the commands start where nothing is installed yet.
    read = importlib.import_module("packaging.requirements").Requirement
    wanted = [read(line) for line in metadata.get_all("Requires-Dist") or []]
    return [
        canonical(one.name)
        for one in wanted
        if one.marker is None or any(one.marker.evaluate(there | {"extra": extra}) for extra in extras)
    ]


def canonical(name: str) -> str:
    """Return the one spelling of a package's name.

    >>> canonical("Python_flint")
    'python-flint'
    """
    return re.sub(r"[-_.]+", "-", name).lower()


def modules(names: Iterable[str]) -> list[str]:
    """Return the top-level modules among the files of a wheel.

    >>> modules(["flint/__init__.py", "flint/types/fmpz.py", "six.pyc", "flint-1.dist-info/RECORD"])
    ['flint', 'six']
    """
    shape = re.compile(r"(\w+)(?:/__init__)?\.pyc?")
    return sorted({found.group(1) for name in names if (found := shape.fullmatch(name))})
