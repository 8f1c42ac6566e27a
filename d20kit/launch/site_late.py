"""Large packages of the static site that come when something imports them: no first picture waits for algebra.

A cell that names such a package loads it before it runs, as any other. But most cells ask the kit, which asks SymPy
or FLINT in the middle of its work; then a module of the same name stands there, brings the real one and steps aside.
"""

from __future__ import annotations

import importlib
import sys
import sysconfig
from pathlib import Path
from typing import Any

from d20kit.language import _
from d20kit.launch import site_stand_in

# What the stand-in is called in the lock of the site, and which module of which package it stands in for.
NAME = "d20kit-late"
LATE = {"flint": "python-flint", "sympy": "sympy"}
_MODULE = "from d20kit.launch.site_late import bring\n\nbring(__name__)\n"
_FOUND = 200


def bring(module: str) -> None:
    """Load the package of a module, with what it depends on, and put the module in the place of its stand-in.

    Raises
    ------
    ImportError
        If the site does not give it out.

    Examples
    --------
    >>> bring("sympy")  # in no other Python
    Traceback (most recent call last):
    ModuleNotFoundError: No module named 'pyodide_js'
    """
    python = importlib.import_module("pyodide_js")
    _load(LATE[module], python)
    importlib.invalidate_caches()
    del sys.modules[module]  # the importer finds the folder of the real one before this file
    importlib.import_module(module)


def _load(package: str, python: Any) -> None:
    entry = python.lockfile.packages.to_py()[package]
    for needed in entry["depends"]:
        _load(needed, python)
    if not hasattr(python.loadedPackages, package):
        content = _content(python.lockfileBaseUrl + entry["file_name"], package)
        python.unpackArchive(content, "wheel", extractDir=sysconfig.get_path("purelib"))
        setattr(python.loadedPackages, package, "default channel")


def _content(address: str, package: str) -> Any:
    """Fetch a file at once: the importer cannot wait for what comes later."""
    request = importlib.import_module("js").XMLHttpRequest.new()
    request.open("GET", address, False)
    request.responseType = "arraybuffer"
    try:
        request.send()
    except Exception:  # whatever the browser throws where the network is away
        raise _absent(package) from None
    if request.status != _FOUND:
        raise _absent(package)
    return request.response


def _absent(package: str) -> ImportError:
    words = _("{package} could not be loaded. Check the connection, then run the cell again.")
    return ImportError(words.format(package=package), name=package)


def wheel(folder: Path) -> Path:
    """Write the wheel with the stand-ins, and return it.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as name:
    ...     wheel(Path(name)).name
    'd20kit_late-1-py3-none-any.whl'
    """
    return site_stand_in.wheel(folder, NAME, dict.fromkeys(LATE, _MODULE))
