"""The lessons of the static site as pages to read: they need no Python, so they are there at once."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from d20kit.language import LANGUAGE_NAMES, LANGUAGES, _
from d20kit.launch.lessons import lessons
from d20kit.launch.pages import beside
from d20kit.launch.pages_export import pictures, render, render_page
from d20kit.launch.pages_markup import Markup
from d20kit.launch.pages_run import read, run_lessons
from d20kit.launch.pages_sheet import Surroundings, Way, drawing_library
from d20kit.launch.progress import Progress
from d20kit.launch.site_landing import LESSON, READ, page_name, speaking
from d20kit.launch.site_parts import Parts, kept

_LIBRARY = "plotly.min.js"
_UP = "../../"


def address(language: str, name: str) -> str:
    """Return where the page of a lesson is on the site.

    >>> address("id", "handout")
    'read/id/handout.html'
    """
    return f"{READ}{language}/{name}.html"


def write(parts: Parts, kit: Path, site: Path, progress: Progress) -> None:
    """Write every lesson, and all that stands beside the lessons, as pages to read in every language.

    Parameters
    ----------
    parts : Parts
        What the site is made from.
    kit : Path
        The wheel of the kit: lessons that were run with the same kit need not run again.
    site : Path
        The folder of the site.
    progress : Progress
        Where to say what is going on.

    Raises
    ------
    Problem
        If a lesson does not run, or something cannot be fetched.
    """
    math, notebooks = parts.fetch_math(progress), parts.checkout.root / "notebooks"

    def run_all(fresh: Path) -> None:
        progress.step(_("Running the lessons for the pages to read"))
        groups = [[notebooks / code / f"{name}.ipynb" for name in lessons(notebooks, code)] for code in LANGUAGES]
        run_lessons(parts.checkout, groups, fresh)

    executed = kept(parts.folder("executed", kit, parts.checkout.lock("lab")), run_all)
    progress.step(_("Writing the pages to read"))
    for language in LANGUAGES:
        (site / READ / language).mkdir(parents=True)
        with speaking(language):
            markup = Markup(math, [*lessons(notebooks, language), *beside(notebooks, language)])
            for name, text in _pages(parts, executed, language, markup):
                (site / address(language, name)).write_text(text, "utf-8", newline="\n")
    shutil.copyfile(drawing_library(pictures(parts.checkout)), site / READ / _LIBRARY)


def _pages(parts: Parts, executed: Path, language: str, markup: Markup) -> Iterator[tuple[str, str]]:
    notebooks, static = parts.checkout.root / "notebooks", pictures(parts.checkout)
    for name in lessons(notebooks, language):
        around = Surroundings(f"../{_LIBRARY}", ways(language, name, runs=True))
        yield name, render(read(executed / language / f"{name}.ipynb"), language, markup, static, around)
    for name in beside(notebooks, language):
        around = Surroundings(f"../{_LIBRARY}", ways(language, name, runs=False))
        text = (notebooks / language / f"{name}.md").read_text("utf-8")
        yield name, render_page(name, text, language, markup, static, around)


def ways(language: str, name: str, *, runs: bool) -> tuple[Way, ...]:
    """Return where a page leads: to all lessons, to the lesson that runs, and to itself in the other languages.

    >>> [way.address for way in ways("en", "handout", runs=False)]
    ['../../index.html', '../id/handout.html']
    """
    run = (Way(_("Run this lesson"), f"{_UP}{LESSON}{language}/{name}.ipynb"),) if runs else ()
    others = (Way(LANGUAGE_NAMES[code], f"../{code}/{name}.html", code) for code in LANGUAGES if code != language)
    return (Way(_("All lessons"), f"{_UP}{page_name(language)}"), *run, *others)
