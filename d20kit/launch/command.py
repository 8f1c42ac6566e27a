"""Choose the command and turn whatever happens into an exit code."""

from __future__ import annotations

import difflib
import importlib
import os
import sys
from contextlib import suppress

import d20kit
from d20kit.language import _
from d20kit.launch.problems import Problem, from_os_error
from d20kit.launch.process import Stopped, stoppable

# A command is a module with SUMMARY, one line, and run(arguments) -> exit code.
COMMANDS = {
    "lab": "d20kit.launch.lab",
    "test": "d20kit.launch.testing",
    "fight": "d20kit.launch.fight",
    "doctor": "d20kit.launch.doctor",
    "site": "d20kit.launch.site",
    "page": "d20kit.launch.pages",
}
_BROKEN_PIPE = 141


def usage() -> str:
    """Return the list of commands, one line each.

    >>> usage().splitlines()[0]
    'usage: python3 -m d20kit COMMAND [options]'
    """
    lines = [_("usage: python3 -m d20kit COMMAND [options]"), ""]
    for name, module in COMMANDS.items():
        lines.append(f"  {name:8}{_(importlib.import_module(module).SUMMARY)}")
    return "\n".join([*lines, "", _("python3 -m d20kit COMMAND --help says more about one of them.")])


def run(arguments: list[str]) -> int:
    """Run the command that the arguments name.

    Parameters
    ----------
    arguments : list of str
        The words after ``python3 -m d20kit``.

    Returns
    -------
    int
        The exit code: 0 for success, 1 for a problem that was explained, 2 for a wrong command line, 128 and the
        number of the signal when interrupted.

    Examples
    --------
    >>> run(["lba"])  # what is wrong with it goes to standard error
    2
    """
    try:
        with stoppable():
            code = _answer(arguments)
            sys.stdout.flush()
            return code
    except Stopped as stop:
        # Behind the ^C that the terminal shows.
        print(flush=True)
        if stop.words:
            print(stop.words, file=sys.stderr, flush=True)
        return 128 + stop.signum
    except BrokenPipeError:
        # Whoever was reading has had enough.
        _write_no_more()
        return _BROKEN_PIPE
    except Problem as problem:
        message = str(problem)
    except OSError as error:
        message = str(from_os_error(error))
        _write_no_more()
    print(message, file=sys.stderr, flush=True)
    return 1


def _answer(arguments: list[str]) -> int:
    if not arguments or arguments[0] in ("-h", "--help"):
        print(usage())
        return 0 if arguments else 2
    if arguments[0] in ("-V", "--version"):
        print(f"d20kit {d20kit.__version__}")
        return 0
    name, *rest = arguments
    if name not in COMMANDS:
        print(_unknown(name), file=sys.stderr)
        return 2
    return int(importlib.import_module(COMMANDS[name]).run(rest))


def _write_no_more() -> None:
    """Let what is still unwritten go nowhere if it cannot be written, so that Python does not complain at its end."""
    try:
        sys.stdout.flush()
    except OSError:
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _unknown(name: str) -> str:
    near = difflib.get_close_matches(name, COMMANDS, 1)
    hint = _("Did you mean {nearest!r}?").format(nearest=near[0]) if near else ""
    return "\n".join([_("There is no command {name!r}.").format(name=name) + " " * bool(hint) + hint, usage()])
