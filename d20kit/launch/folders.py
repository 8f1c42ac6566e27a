"""Where Jupyter and IPython write, so that nothing outside the kit's own environment changes."""

from __future__ import annotations

import os
from pathlib import Path

from d20kit.launch.checkout import Checkout


def jupyter_folders(scratch: Path, kept: Path | None = None) -> dict[str, str]:
    """Return the variables that keep Jupyter and IPython from writing into the home folder.

    What somebody set up for Jupyter in their home folder, such as a theme, is still read.

    Parameters
    ----------
    scratch : Path
        A folder that is deleted afterwards.
    kept : Path, optional
        A folder that stays, for what is worth keeping: which notebooks are trusted, and the layout of the window.

    Examples
    --------
    >>> jupyter_folders(Path("scratch"))["IPYTHONDIR"] == str(Path("scratch", "ipython"))
    True
    """
    data = kept or scratch / "jupyter"
    return {
        # Must not outlive the server: one that finds it goes on to mark the home folder as moved from old IPython.
        "IPYTHONDIR": str(scratch / "ipython"),
        "JUPYTER_DATA_DIR": str(data),
        "JUPYTER_RUNTIME_DIR": str(data / "runtime"),
        "JUPYTERLAB_WORKSPACES_DIR": str(data / "workspaces"),
    }


def kept_folder(checkout: Checkout) -> Path | None:
    """Return the folder inside the environment for `jupyter_folders`; None if only others may write there.

    >>> kept_folder(Checkout(Path("nowhere"))) is None
    True
    """
    return checkout.venv / "jupyter" if os.access(checkout.venv, os.W_OK) else None
