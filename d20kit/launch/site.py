"""``python3 -m d20kit site``: the course as a folder of files that any web server can show."""

from __future__ import annotations

import argparse
import importlib
import sys
import time
from pathlib import Path

from d20kit.language import N_, _
from d20kit.launch import site_target
from d20kit.launch.checkout import Checkout
from d20kit.launch.options import Options, folder
from d20kit.launch.problems import path_text
from d20kit.launch.process import farewell
from d20kit.launch.progress import Progress
from d20kit.launch.site_environment import has, run_there, sources

SUMMARY = N_("build the course as a web site that needs no server")
# Of JupyterLab's environment; the rest of what builds a site is fetched (see site_parts).
_NEEDED = ("packaging", "hatchling", "babel", "jupyter_core", "jupyterlab", "anywidget", "nbconvert")
# Imported by name and late: this module also runs where nothing is installed yet.
_BUILD = "d20kit.launch.site_build"


def parser() -> argparse.ArgumentParser:
    """Return the parser of this command's options.

    >>> parser().parse_args(["public"]).out.as_posix()
    'public'
    """
    about = _(
        "Builds the whole course, in both languages, as a folder of files. Any web server can show it, at any address, "
        "to any number of learners; Python runs in their browsers. The first build needs the network once."
    )
    options = Options(prog="python3 -m d20kit site", description=about)
    options.add_argument(
        "out", metavar="OUT", type=folder, help=_("the folder to build; an older site in it is replaced")
    )
    return options


def run(arguments: list[str]) -> int:
    """Build the site and return 0.

    >>> run([])  # refused before anything starts
    Traceback (most recent call last):
    SystemExit: 2
    """
    out = parser().parse_args(arguments).out
    site_target.check(out)
    checkout = sources()
    if not has(_NEEDED):
        return run_there(checkout, ["site", *arguments])
    with farewell(_("Stopped; {folder} is as it was.").format(folder=path_text(out))):
        _build(checkout, out)
    return 0


def _build(checkout: Checkout, out: Path) -> None:
    start = time.monotonic()
    with site_target.replacing(out) as fresh, Progress() as progress:
        importlib.import_module(_BUILD).build(checkout, Path(sys.prefix, "d20kit-site"), fresh, progress)
    print(
        _("The site is ready: {folder}, {size} MB, built in {seconds} seconds.").format(
            folder=path_text(out), size=round(site_target.size(out) / 1e6), seconds=round(time.monotonic() - start)
        )
    )
    print(_("To look at it here: python3 -m http.server --directory {folder}").format(folder=path_text(out)))
