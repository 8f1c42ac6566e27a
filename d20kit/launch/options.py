"""The options of a command."""

from __future__ import annotations

import argparse
import sys
from typing import IO


class Options(argparse.ArgumentParser):
    """Reads the options of a command.

    A help that cannot be written is an `OSError`, as any other output; argparse alone would keep quiet about it.

    >>> options = Options(prog="python3 -m d20kit fight")
    >>> options.print_help()  # doctest: +ELLIPSIS
    usage: python3 -m d20kit fight [-h]
    ...
    """

    def print_help(self, file: IO[str] | None = None) -> None:  # type: ignore[override]
        """Write the help, to standard output if no file is given."""
        out = file or sys.stdout
        out.write(self.format_help())
        out.flush()
