"""The options of a command."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import IO, Any

from d20kit.language import _


class Options(argparse.ArgumentParser):
    """Reads the options of a command.

    A help that cannot be written is an `OSError`, as any other output; argparse alone would keep quiet about it. An
    option is written out, so that one that is added later cannot change what an abbreviation means.

    >>> options = Options(prog="python3 -m d20kit fight")
    >>> options.print_help()  # doctest: +ELLIPSIS
    usage: python3 -m d20kit fight [-h]
    ...
    """

    def __init__(self, **given: Any) -> None:
        super().__init__(allow_abbrev=False, **given)

    def print_help(self, file: IO[str] | None = None) -> None:  # type: ignore[override]
        """Write the help, to standard output if no file is given."""
        out = file or sys.stdout
        out.write(self.format_help())
        out.flush()


def folder(text: str) -> Path:
    """Return the path of a folder to write into; a blank one, as from an unset variable, is a mistake.

    >>> folder("public").as_posix()
    'public'

    Raises
    ------
    argparse.ArgumentTypeError
        If nothing but white space is given.
    """
    if text.strip():
        return Path(text)
    raise argparse.ArgumentTypeError(
        _("{text!r} is no folder; name one, or write . for the folder that you are in").format(text=text)
    )
