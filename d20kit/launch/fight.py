"""``python3 -m d20kit fight``: a battle told roll by roll, its exact odds, and many of it simulated."""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import secrets
import sys
from pathlib import Path

from d20kit.language import N_, _
from d20kit.launch.checkout import PACKAGE, find_checkout
from d20kit.launch.environment import ensure
from d20kit.launch.options import Options
from d20kit.launch.problems import Problem
from d20kit.launch.process import Child, clean_environment
from d20kit.launch.progress import Progress

SUMMARY = N_("fight a battle and tell every roll, with the exact odds")
_NEEDED = ("flint", "lark")
# Imported by name and late: this module also runs where nothing is installed yet.
_REPORT = "d20kit.battle.report"
_LARGEST_SEED = 2**63 - 1
# Seeds that are drawn stay short enough to be typed.
_DRAWN_SEEDS = 1_000_000
_MOST_BATTLES = 1_000_000_000


def ready_names() -> list[str]:
    """Return the names of the ready encounters, without loading anything that reads them.

    >>> "duel" in ready_names()
    True
    """
    return sorted(path.stem for path in (PACKAGE / "bestiary" / "encounters").glob("*.toml"))


def _ready() -> str:
    return _("The ready encounters are {names}.").format(names=", ".join(ready_names()))


def parser() -> argparse.ArgumentParser:
    """Return the parser of this command's options.

    >>> options = parser().parse_args(["duel", "--seed", "1", "--rules", "SRD35"])
    >>> options.encounter, options.seed, options.rules
    ('duel', 1, 'srd35')
    """
    options = Options(prog="python3 -m d20kit fight", description=_(SUMMARY), epilog=_ready())
    file = options.add_argument("encounter", metavar="FILE", help=_("a TOML file, or the name of a ready encounter"))
    # Its absence is answered in run(), with the names of the ready ones.
    file.required = False
    dice = options.add_mutually_exclusive_group()
    dice.add_argument("--seed", type=_whole(0, _LARGEST_SEED), metavar="N", help=_("tell the battle of this seed"))
    dice.add_argument("--typed", action="store_true", help=_("roll real dice and type their faces"))
    options.add_argument(
        "--rules", type=str.lower, choices=("course", "srd35"), help=_("the rules, whatever the file says")
    )
    options.add_argument("--json", action="store_true", help=_("tell it as JSON, one event on each line"))
    options.add_argument(
        "--simulate", type=_whole(1, _MOST_BATTLES), metavar="N", help=_("simulate so many more of this battle")
    )
    return options


class _whole:  # noqa: N801  (argparse calls it like a type)
    """A whole number in a range."""

    def __init__(self, low: int, high: int) -> None:
        self.low, self.high = low, high

    def __call__(self, text: str) -> int:
        if text.isascii() and text.isdecimal() and len(text) < 30 and self.low <= int(text) <= self.high:
            return int(text)
        allowed = _("{text!r} is no whole number from {low} to {high}")
        shown = text if len(text) <= 30 else text[:30] + "..."
        raise argparse.ArgumentTypeError(allowed.format(text=shown, low=self.low, high=self.high))


def run(arguments: list[str]) -> int:
    """Fight a battle; return 0, or 1 for what was wrong with the encounter.

    >>> from contextlib import redirect_stdout
    >>> from io import StringIO
    >>> with redirect_stdout(StringIO()) as said:
    ...     code = run(["duel", "--seed", "1"])
    >>> code, said.getvalue().splitlines()[-1]
    (0, '  blue   50.000 %  = 1/2')
    """
    asked = parser()
    options = asked.parse_args(arguments)
    if options.encounter is None:
        example = _("Which battle? Name one, for example: python3 -m d20kit fight ambush")
        asked.error(f"{example}\n{_ready()} {_('A TOML file of your own will do, too.')}")
    if not all(map(importlib.util.find_spec, _NEEDED)):
        return _run_in_environment(arguments)
    try:
        _tell(options)
    except ValueError as error:
        raise Problem(str(error)) from error
    return 0


def _run_in_environment(arguments: list[str]) -> int:
    checkout = find_checkout()
    if checkout is None:
        raise Problem(_("What d20kit needs is not installed; install it with 'python3 -m pip install d20kit'."))
    python = ensure(checkout, "lab", Progress(sys.stderr))
    with Child([python, "-m", "d20kit", "fight", *arguments], cwd=Path.cwd(), env=clean_environment()) as child:
        return child.wait()


def _tell(options: argparse.Namespace) -> None:
    importlib.import_module(_REPORT).tell(
        options.encounter,
        secrets.randbelow(_DRAWN_SEEDS) if options.seed is None else options.seed,
        rules=options.rules,
        typed=options.typed,
        as_json=options.json,
        battles=options.simulate,
        progress=lambda: Progress(sys.stderr),
    )
