"""The first page of the static site: what it is, the lessons, the other language, Binder."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path
from string import Template

from d20kit.language import LANGUAGE_NAMES, LANGUAGES, _, current_language, set_language
from d20kit.launch.lessons import lessons

# Where a lesson opens; what follows is its path among the site's files.
LESSON = "lab/index.html?path="
# Where it is to be read; its language, and its name, follow.
READ = "read/"
_BINDER = re.compile(r"https://mybinder\.org/v2/gh/[\w.-]+/[\w.-]+/[\w.-]+")
_AIM = re.compile(r"^- (.+?)[;.]$", re.MULTILINE | re.DOTALL)


def page_name(language: str) -> str:
    """Return the file of the first page in a language.

    >>> [page_name(language) for language in LANGUAGES]
    ['index.html', 'index.id.html']
    """
    return "index.html" if language == "en" else f"index.{language}.html"


def write(site: Path, root: Path) -> None:
    """Write the first page in every language.

    Parameters
    ----------
    site : Path
        The folder of the site; the lessons are there already.
    root : Path
        The kit's sources.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as name:
    ...     write(Path(name), Path(__file__).parents[2])
    ...     sorted(page.name for page in Path(name).iterdir())
    ['index.html', 'index.id.html']
    """
    template = Template((root / "binder" / "lite" / "landing.html").read_text("utf-8"))
    (binder, *_same) = _BINDER.findall((root / "README.md").read_text("utf-8"))
    for language in LANGUAGES:
        with speaking(language):
            words = {name: escape(text) for name, text in _words(language).items()}
            words["lessons"] = "\n".join(_lesson(site, language, name) for name in lessons(site / "files", language))
        words["others"] = " · ".join(map(_other, [code for code in LANGUAGES if code != language]))
        words["handout"] = f"{READ}{language}/handout.html"
        words["binder"] = f"{binder}?urlpath=doc%2Ftree%2Fnotebooks%2F{language}%2F00-start.ipynb"
        (site / page_name(language)).write_text(template.substitute(words), "utf-8", newline="\n")


def _words(language: str) -> dict[str, str]:
    return {
        "language": language,
        "title": _("d20kit: the battle rules of d20 games"),
        "about": _(
            "Learn and teach what happens when the dice fall: every rule an exact number, a formula, a picture you can "
            "drag, and a paragraph that says why. You need no knowledge of programming to begin."
        ),
        "how": _(
            "Run a lesson, and Python runs in your own browser: nothing is installed, and what you type stays on your "
            "machine. The first visit loads some {size} MB and may take half a minute; in the lesson choose Run > Run "
            "All Cells. Or read it at once: such a page has all that the lesson shows, and the main sliders move."
        ).format(size=50),
        "kept": _(
            "Your changes are kept in this browser alone. To take a lesson with you, choose File > Download in it."
        ),
        "numpy": _(
            "The few cells that need NumPy say so here instead of running, and simulations are slow. On Binder "
            "everything runs, on a machine that is lent to you for the lesson."
        ),
        "heading": _("Lessons"),
        "print": _("The handout: all rules on two pages, to print"),
        "names": _("The reference: every Python name of the kit, with examples"),
        "open_binder": _("Open the course on Binder"),
    }


def _other(language: str) -> str:
    return f'<a href="{page_name(language)}" lang="{language}" hreflang="{language}">{LANGUAGE_NAMES[language]}</a>'


def _lesson(site: Path, language: str, name: str) -> str:
    path = f"{language}/{name}.ipynb"
    first = "".join(json.loads((site / "files" / path).read_text("utf-8"))["cells"][0]["source"])
    title, aims = first.partition("\n")[0].removeprefix("# "), _AIM.findall(first)
    number = name.partition("-")[0]
    line = " ".join("; ".join(aims[:2]).split())
    run = _way(f"{LESSON}{path}", f"run-{name}", name, _("Run it"))
    reading = _way(f"{READ}{language}/{name}.html", f"read-{name}", name, _("Read it"))
    return (
        f'<li><h3 id="{escape(name)}"><b>{escape(number)}</b> {escape(title)}</h3> <p>{escape(line)}.</p> '
        f'<p class="ways">{run} {reading}</p></li>'
    )


def _way(address: str, own: str, lesson: str, words: str) -> str:
    """Return a link that is called by its words and the title of its lesson: many have the same words."""
    called = f'id="{escape(own)}" aria-labelledby="{escape(own)} {escape(lesson)}"'
    return f'<a href="{escape(address)}" {called}>{escape(words)}</a>'


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Let the kit speak a language for a while.

    >>> with speaking("en"):
    ...     current_language()
    'en'
    """
    before = current_language()
    set_language(language)
    try:
        yield
    finally:
        set_language(before)
