"""``python3 -m d20kit page``: a lesson as one HTML file, whose main sliders move without Python; the handout too."""

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
        "Python; the main slider of each picture moves, from the table that travels with the page. What stands beside "
        "the lessons becomes a page as well: the handout to print, the glossary, the guide."
    )
    options = Options(prog="python3 -m d20kit page", description=about)
    options.add_argument("lesson", metavar="LESSON", help=_("04, hit-points, 04-hit-points, handout, or all"))
    options.add_argument("out", metavar="OUT", type=folder, help=_("the folder for the page; it is made if need be"))
    options.add_argument("--language", choices=LANGUAGES, help=_("the language of the lessons"))
    return options


def beside(notebooks: Path, language: str) -> list[str]:
    """Return the names of the pages that stand beside the lessons.

    >>> beside(Path("nowhere"), "en")
    []
    """
    return sorted(path.stem for path in (notebooks / language).glob("*.md"))


def choose(notebooks: Path, language: str, wanted: str) -> list[str]:
    """Return the lessons and pages that are meant.

    Raises
    ------
    Problem
        If there is nothing of that name.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     Path(folder, "en").mkdir()
    ...     for file in ("01-dice.ipynb", "handout.md"):
    ...         Path(folder, "en", file).touch()
    ...     [choose(Path(folder), "en", wanted) for wanted in ("1", "handout", "all")]
    [['01-dice'], ['handout'], ['01-dice', 'handout']]
    """
    known, others = lessons(notebooks, language), beside(notebooks, language)
    if wanted == _ALL:
        return [*known, *others]
    name = wanted.removesuffix(".md").lower()
    return [name] if name in others else [find_lesson(known, wanted)]


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
    chosen = choose(checkout.root / "notebooks", language, options.lesson)
    pages = {name: options.out / f"{name}.html" for name in chosen}
    for page in pages.values():
        check_page(page)
    if not has(_NEEDED):
        return run_there(checkout, ["page", *arguments])
    options.out.mkdir(parents=True, exist_ok=True)
    with Progress() as progress:
        for name, page in pages.items():
            progress.step(_("Writing {page}").format(page=page.name))
            kept = Path(sys.prefix, "d20kit-site")
            importlib.import_module(_EXPORT).export(checkout, kept, language, name, chosen, page, progress)
    print(_("The pages are ready: {folder}").format(folder=path_text(options.out)))
    return 0
