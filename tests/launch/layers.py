"""An environment that is quickly made: empty, but it finds the packages of the one that runs the tests."""

from __future__ import annotations

import os
import sys
import sysconfig
import venv
from pathlib import Path

from d20kit.launch.checkout import venv_python

BESIDE = Path(sys.prefix, "share", "jupyter")


def layered(folder: Path, *places: Path) -> Path:
    """Make an environment that imports from some places, then from the packages of this one; return its interpreter.

    JupyterLab, its kernels and its extensions are links, so that a test can take one away.
    """
    venv.create(folder, symlinks=os.name != "nt")
    python = venv_python(folder)
    scheme = {"base": str(folder), "platbase": str(folder)}
    packages = Path(sysconfig.get_path("purelib", "venv", scheme))
    # A path line, unlike an installed package, reads no further .pth files: the kit of this environment stays out.
    lines = [*map(str, places), *dict.fromkeys(sysconfig.get_path(name) for name in ("purelib", "platlib"))]
    (packages / "layers.pth").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for name in ("lab", "kernels/python3", "labextensions/anywidget", "labextensions/@jupyter-widgets"):
        link = folder / "share" / "jupyter" / name
        link.parent.mkdir(parents=True, exist_ok=True)
        if not os.path.lexists(link):
            link.symlink_to(BESIDE / name, target_is_directory=True)
    return python
