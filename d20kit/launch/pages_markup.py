"""Prose, code, tables and formulas of an exported page, as markup in which nothing can run."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Sequence
from html import unescape
from pathlib import Path
from typing import Any

_PROSE = (
    "p h1 h2 h3 h4 h5 h6 ul ol li em strong code pre blockquote a br hr table thead tbody tr th td caption "
    "span div sup sub del"
)
_MATH = (
    "math mrow mi mo mn mtext mfrac msup msub msubsup munder mover munderover msqrt mroot mtable mtr mtd mspace mstyle"
)
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_TAGS = frozenset((_PROSE + " " + _MATH).split())
_SHAPE = ("display", "displaystyle", "stretchy", "fence", "form", "separator", "columnalign", "mathvariant", "width")
_FORMULA = re.compile(r"\$\\displaystyle (.+?)\$", re.DOTALL)
_PAGE = re.compile(r"([\w-]+)\.(?:ipynb|md)")


class Markup:
    """Turns what a lesson holds into markup.

    Parameters
    ----------
    math : Path
        The folder of the package that turns LaTeX into MathML.
    pages : sequence of str
        The lessons, and what stands beside them, that have pages beside this one.

    Examples
    --------
    >>> Markup(Path("math"), []).table("<td onclick='run()'>6</td><script>run()</script>")
    '6run()'
    """

    def __init__(self, math: Path, pages: Sequence[str]) -> None:
        self._math = math
        self._pages = set(pages)
        self._style = _load("bleach.css_sanitizer").CSSSanitizer(
            allowed_css_properties=["text-align", "font-style", "font-weight", "white-space"]
        )

    def prose(self, source: str) -> str:
        """Return markdown as markup; links lead to pages that are there, and to nothing else that is not."""
        return self._clean(_load("nbconvert.filters").markdown2html(source))

    def code(self, source: str) -> str:
        """Return Python with its words marked."""
        return str(_load("nbconvert.filters").Highlight2HTML()(source, language="python"))

    def table(self, html: str) -> str:
        """Return an output that is markup already, with its formulas drawn by the browser."""
        return self._clean(_FORMULA.sub(lambda found: self._mathml(unescape(found.group(1))), html))

    def formula(self, latex: str) -> str:
        """Return an output that is one formula."""
        return self._clean(self._mathml(latex.strip().strip("$").removeprefix("\\displaystyle")))

    def _mathml(self, latex: str) -> str:
        if str(self._math) not in sys.path:
            sys.path.append(str(self._math))
        return str(_load("latex2mathml.converter").convert(latex))

    def _clean(self, html: str) -> str:
        rules = {"tags": _TAGS, "attributes": self._allowed, "css_sanitizer": self._style, "strip": True}
        clean = _load("bleach").clean(html, **rules)
        return re.sub(rf'href="{_PAGE.pattern}"', r'href="\1.html"', clean)

    def _allowed(self, tag: str, name: str, value: str) -> bool:
        if tag in _MATH.split():
            return name in _SHAPE
        if (tag, name) == ("a", "href"):
            page = _PAGE.fullmatch(value)
            return value.startswith(("#", "https://")) or bool(page and page.group(1) in self._pages)
        return name in ("class", "scope", "style") or (name == "id" and tag in _HEADINGS)


def code_style(name: str) -> str:
    """Return a style sheet for code, one that pygments knows by name.

    >>> ".highlight .k" in code_style("default")
    True
    """
    return str(_load("pygments.formatters").HtmlFormatter(style=name).get_style_defs(".highlight"))


def _load(module: str) -> Any:
    """Import by name and late: the commands start where nothing is installed yet."""
    return importlib.import_module(module)
