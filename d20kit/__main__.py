"""The command line: ``python3 -m d20kit``, and ``d20kit`` once installed.

This file and ``launch/python_version.py`` keep to syntax of old Pythons, so that an old Python can read them far
enough to say that it is too old.
"""

import sys

from d20kit.launch.python_version import too_old


def main(arguments=None):
    """Run one command and return the exit code of the process."""
    problem = too_old(sys.version_info)
    if problem:
        sys.stderr.write(problem + "\n")
        return 1
    from d20kit.launch.command import run

    return run(sys.argv[1:] if arguments is None else list(arguments))


if __name__ == "__main__":
    sys.exit(main())
