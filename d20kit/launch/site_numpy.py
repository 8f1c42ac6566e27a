"""What ``import numpy`` says on the static site, where NumPy cannot run."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from d20kit.language import _
from d20kit.launch import site_stand_in

_MODULE = "from d20kit.launch.site_numpy import NumpyAbsentError\n\nraise NumpyAbsentError()\n"


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
    ...     wheel(Path(name)).name
    'd20kit_numpy_absent-1-py3-none-any.whl'
    """
    return site_stand_in.wheel(folder, "d20kit-numpy-absent", {"numpy": _MODULE})
