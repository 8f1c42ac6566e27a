"""The sheet that a page is written on: what stands around its body, alone or on the static site."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from pathlib import Path
from string import Template

from d20kit.launch.checkout import PACKAGE
from d20kit.launch.pages_explorers import Explorers
from d20kit.launch.pages_markup import code_style
from d20kit.launch.pages_target import MARK

_LAUNCH = PACKAGE / "launch"


@dataclass(frozen=True)
class Way:
    """A link to another page of the site, whose language is named where it is not the page's own.

    >>> Way("Bahasa Indonesia", "../id/handout.html", "id").markup()
    '<a href="../id/handout.html" lang="id" hreflang="id">Bahasa Indonesia</a>'
    """

    words: str
    address: str
    language: str = ""

    def markup(self) -> str:
        """Return it as markup, with its words as text."""
        spoken = escape(self.language)
        named = f' lang="{spoken}" hreflang="{spoken}"' if spoken else ""
        return f'<a href="{escape(self.address)}"{named}>{escape(self.words)}</a>'


@dataclass(frozen=True)
class Surroundings:
    """Where a page lies: alone it brings all that it needs; on the site it shares the library and leads on.

    >>> Surroundings().ways, Surroundings("../plotly.js").library
    ((), '../plotly.js')
    """

    library: str = ""
    ways: tuple[Way, ...] = ()


ALONE = Surroundings()


def drawing_library(static: Path) -> Path:
    """Return the file of plotly.js among the files of the pictures.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as name:
    ...     Path(name, "plotly-small.min.js").touch()
    ...     drawing_library(Path(name)).name
    'plotly-small.min.js'
    """
    (library,) = static.glob("plotly-*.min.js")
    return library


def fill(
    *,
    language: str,
    kind: str,
    title: str,
    note: str,
    body: str,
    explorers: Explorers,
    static: Path,
    around: Surroundings = ALONE,
) -> str:
    """Return the whole page.

    Parameters
    ----------
    language, kind, title, note : str
        What language it is in; "lesson", or the name of a page beside the lessons, by which the style knows it; what
        its window is called; and a sentence that says what such a page can do. All of them become text.
    body : str
        Markup in which nothing can run.
    explorers : Explorers
        The pictures that were placed in the body.
    static : Path
        The files of the pictures.
    around : Surroundings
        Where the page lies.

    Examples
    --------
    >>> page = fill(language="en", kind="lesson", title="<Dice>", note="", body="<p>6</p>", explorers=Explorers({}),
    ...             static=Path("static"))
    >>> "<title>&lt;Dice&gt;</title>" in page, "<p>6</p>" in page
    (True, True)
    """
    ways = " · ".join(way.markup() for way in around.ways)
    return Template((_LAUNCH / "pages.html").read_text("utf-8")).substitute(
        language=escape(language),
        mark=MARK,
        own="'self' " if around.library else "",
        title=escape(title),
        kind=escape(kind),
        ways=f"<nav>{ways}</nav>" if ways else "",
        note=escape(note),
        body=body,
        light=code_style("default"),
        dark=code_style("github-dark"),
        style=explorers.style,
        plotly=_library(static, around) if explorers.found else "",
        data=explorers.data(),
        script=(_LAUNCH / "pages.js").read_text("utf-8"),
    )


def _library(static: Path, around: Surroundings) -> str:
    if around.library:
        return f'<script src="{escape(around.library)}"></script>'
    text = drawing_library(static).read_text("utf-8")
    assert "</script" not in text.lower()
    return f"<script>{text}</script>"
