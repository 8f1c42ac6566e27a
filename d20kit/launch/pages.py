"""``python3 -m d20kit page``: a lesson as one HTML file, whose main sliders move without Python."""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path

from d20kit.language import LANGUAGES, N_, _, current_language, set_language
from d20kit.launch.lessons import find_lesson, lessons
from d20kit.launch.options import Options, folder
from d20kit.launch.pages_target import check_folder, check_page
from d20kit.launch.problems import path_text
from d20kit.launch.progress import Progress
from d20kit.launch.site_environment import has, run_there, sources

SUMMARY = N_("write a lesson as one HTML page that needs no server")
_NEEDED = ("nbconvert", "ipykernel", "bleach", "anywidget", "sympy")
# Imported by name and late: this module also runs where nothing is installed yet.
_EXPORT = "d20kit.launch.pages_export"
_ALL = "all"


def parser() -> argparse.ArgumentParser:
    """Return the parser of this command's options.

    >>> options = parser().parse_args(["04", "public", "--language", "id"])
    >>> options.lesson, options.out.as_posix(), options.language
    ('04', 'public', 'id')
    """
    about = _(
        "Runs a lesson and writes it with all that it showed into one HTML file. The file needs neither network nor "
        "Python; the main slider of each picture moves, from the table that travels with the page."
    )
    options = Options(prog="python3 -m d20kit page", description=about)
    options.add_argument("lesson", metavar="LESSON", help=_("04, hit-points, 04-hit-points, or all"))
    options.add_argument("out", metavar="OUT", type=folder, help=_("the folder for the page; it is made if need be"))
    options.add_argument("--language", choices=LANGUAGES, help=_("the language of the lessons"))
    return options


def run(arguments: list[str]) -> int:
    """Write the pages and return 0.

    >>> run(["04"])  # refused before anything starts
    Traceback (most recent call last):
    SystemExit: 2
    """
    options = parser().parse_args(arguments)
    if options.language:
        set_language(options.language)
    language = current_language()
    check_folder(options.out)
    checkout = sources()
    known = lessons(checkout.root / "notebooks", language)
    chosen = known if options.lesson == _ALL else [find_lesson(known, options.lesson)]
    pages = {name: options.out / f"{name}.html" for name in chosen}
    for page in pages.values():
        check_page(page)
    if not has(_NEEDED):
        return run_there(checkout, ["page", *arguments])
    options.out.mkdir(parents=True, exist_ok=True)
    with Progress() as progress:
        for name, page in pages.items():
            progress.step(_("Running {lesson}").format(lesson=name))
            kept = Path(sys.prefix, "d20kit-site")
            importlib.import_module(_EXPORT).export(checkout, kept, language, name, chosen, page, progress)
    print(_("The pages are ready: {folder}").format(folder=path_text(options.out)))
    return 0
