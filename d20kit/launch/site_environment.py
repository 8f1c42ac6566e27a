"""Where the site and the pages are built: in a copy of the sources, by the environment of the kit."""

from __future__ import annotations

import importlib.util
import os
import re
from collections.abc import Sequence
from pathlib import Path

from d20kit.language import _
from d20kit.launch.checkout import Checkout, find_checkout
from d20kit.launch.environment import ensure
from d20kit.launch.problems import Problem, disk_full
from d20kit.launch.process import Child, clean_environment


def sources() -> Checkout:
    """Return the copy of the sources that the kit runs from.

    Raises
    ------
    Problem
        If it was installed from a wheel, which does not bring all that is needed.

    Examples
    --------
    >>> from unittest.mock import patch
    >>> with patch(f"{__name__}.find_checkout", return_value=Checkout(Path(__file__).parents[2])):
    ...     (sources().root / "d20kit").is_dir()
    True
    """
    checkout = find_checkout()
    if checkout is None or not (checkout.root / "binder" / "lite").is_dir():
        raise Problem(
            _(
                "This is built from the kit's sources, which do not come with the installed package. Start the same "
                "command from a copy of the sources."
            )
        )
    return checkout


def has(modules: Sequence[str]) -> bool:
    """Return whether all of these modules are installed.

    >>> has(["sympy"]), has(["sympy", "nowhere"])
    (True, False)
    """
    return all(map(importlib.util.find_spec, modules))


def own_path(checkout: Checkout) -> str:
    """Return the ``PYTHONPATH`` by which a child finds this very kit, installed or not.

    >>> own_path(Checkout(Path("kit"))).split(os.pathsep)[1] == str(Path("kit", "widgets"))
    True
    """
    return os.pathsep.join(str(checkout.root / part) for part in (".", "widgets"))


def failed(said: str, where: Path, otherwise: str) -> Problem:
    """Turn what a failed tool said into a paragraph: a full disk has its own, whichever tool met it.

    >>> str(failed("OSError: [Errno 28] No space left on device", Path("out"), "It failed.")).partition(";")[0]
    'The disk is full: out could not be written. The kit needs about 700 MB'
    >>> str(failed("SyntaxError", Path("out"), "It failed."))
    'It failed.'
    """
    return disk_full(str(where)) if re.search(r"No space left|ENOSPC|not enough space", said) else Problem(otherwise)


def run_there(checkout: Checkout, arguments: Sequence[str]) -> int:
    """Run a command of the kit in its own environment and return the exit code."""
    command: list[str | Path] = [ensure(checkout, "lab"), "-m", "d20kit", *arguments]
    with Child(command, cwd=Path.cwd(), env=clean_environment(PYTHONPATH=own_path(checkout))) as child:
        return child.wait()
