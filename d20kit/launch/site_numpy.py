"""What ``import numpy`` says on the static site, where NumPy cannot run."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path
from typing import Any

from d20kit.language import _

_MODULE = "from d20kit.launch.site_numpy import NumpyAbsentError\n\nraise NumpyAbsentError()\n"
_ABOUT = "Metadata-Version: 2.1\nName: d20kit-numpy-absent\nVersion: 1\nRequires-Dist: d20kit\n"
_DATE = (2020, 1, 1, 0, 0, 0)


class NumpyAbsentError(ImportError):
    """NumPy is not there; in a notebook this is one sentence, and the cells below it run all the same.

    >>> NumpyAbsentError().name
    'numpy'
    """

    def __init__(self) -> None:
        super().__init__(
            _("This needs NumPy, which cannot run on this page; in JupyterLab and on Binder it does."), name="numpy"
        )
        ipython = sys.modules.get("IPython")
        shell = ipython.get_ipython() if ipython else None
        if shell:  # else "run all cells" would end here
            shell.set_custom_exc((NumpyAbsentError,), _tell)


def _tell(_shell: Any, _kind: type, error: NumpyAbsentError, _trace: Any, tb_offset: int | None = None) -> None:
    print(error)


def wheel(folder: Path) -> Path:
    """Write the wheel whose module ``numpy`` says so, and return it.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as name:
    ...     zipfile.ZipFile(wheel(Path(name))).namelist()[0]
    'numpy.py'
    """
    file = folder / "d20kit_numpy_absent-1-py3-none-any.whl"
    info = "d20kit_numpy_absent-1.dist-info"
    texts = {
        "numpy.py": _MODULE,
        f"{info}/METADATA": _ABOUT,
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: d20kit\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    texts[f"{info}/RECORD"] = "".join(f"{name},,\n" for name in [*texts, f"{info}/RECORD"])
    with zipfile.ZipFile(file, "w") as packed:
        for name, text in texts.items():
            packed.writestr(zipfile.ZipInfo(name, _DATE), text)
    return file
