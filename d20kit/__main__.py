"""The command line: ``python3 -m d20kit``, and ``d20kit`` once installed.

This file and ``launch/python_version.py`` keep to syntax of old Pythons, so that an old Python can read them far
enough to say that it is too old.
"""

import os
import sys

from d20kit.launch.python_version import too_old


def main(arguments=None):  # type: (list[str] | None) -> int
    """Run one command and return the exit code of the process."""
    problem = too_old(tuple(sys.version_info[:3]))
    if problem:
        sys.stderr.write(problem + "\n")
        return 1
    _open_missing_streams()
    try:
        from d20kit.launch.command import run

        return run(sys.argv[1:] if arguments is None else list(arguments))
    except KeyboardInterrupt:  # before the command could listen for it
        return 130


def _open_missing_streams():  # type: () -> None
    """Write into nothing where the caller closed the output, since nobody wants to read it."""
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115


if __name__ == "__main__":
    sys.exit(main())
