"""The reference on the static site: every public name of both packages, from what the code says about itself."""

from __future__ import annotations

import importlib
import inspect
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property
from html import escape
from pathlib import Path
from string import Template
from textwrap import fill
from types import ModuleType
from typing import Any

import d20kit
from d20kit.launch import site_docstrings, site_landing
from d20kit.launch.lessons import lessons

FOLDER = "reference"
_PICTURES = "d20widgets"
# What all pictures have in common, though nobody makes one of it.
_SHARED = {_PICTURES: {"Explorer": "d20widgets.explorer"}}
_LONGEST_VALUE = 500
_METHODS = (property, cached_property, classmethod, staticmethod)


@dataclass(frozen=True)
class Page:
    """The names of one module, in the order in which they are told.

    >>> page = Page("d20kit.attack", {"hit_chance": importlib.import_module("d20kit.attack").hit_chance})
    >>> page.file, page.title
    ('attack.html', 'd20kit.attack')
    """

    title: str
    names: dict[str, Any]

    @property
    def file(self) -> str:
        """The name of its file."""
        return f"{self.title.removeprefix('d20kit.')}.html"

    @property
    def told(self) -> str:
        """What the module says about itself."""
        return inspect.getdoc(importlib.import_module(self.title)) or ""


def pages() -> list[Page]:
    """Return every page: what the package itself has, each topic, and the pictures.

    >>> [page.title for page in pages()][:3]
    ['d20kit', 'd20kit.abilities', 'd20kit.armor_class']
    """
    own = {name: getattr(d20kit, name) for name in sorted(d20kit._HOME)}
    topics = sorted(name for name in d20kit.__all__ if name not in own)
    found = [Page("d20kit", own)]
    found += [Page(f"d20kit.{topic}", _public(importlib.import_module(f"d20kit.{topic}"))) for topic in topics]
    pictures = importlib.import_module(_PICTURES)
    shared = {name: getattr(importlib.import_module(home), name) for name, home in _SHARED[_PICTURES].items()}
    return [*found, Page(_PICTURES, {**{name: getattr(pictures, name) for name in pictures.__all__}, **shared})]


def _public(module: ModuleType) -> dict[str, Any]:
    """Return what a module offers: the names it lists, or else those it defines itself."""
    listed = getattr(module, "__all__", None)
    if listed is None:
        listed = [name for name, thing in vars(module).items() if getattr(thing, "__module__", "") == module.__name__]
    return {name: getattr(module, name) for name in sorted(listed, key=str.lower) if not name.startswith("_")}


def write(site: Path, root: Path) -> None:
    """Write the reference into a site.

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
    ...     Path(name, "files", "en").mkdir(parents=True)
    ...     write(Path(name), Path(__file__).parents[2])
    ...     sorted(page.name for page in Path(name, FOLDER).iterdir())[:3]
    ['abilities.html', 'armor_class.html', 'attack.html']
    """
    folder = site / FOLDER
    folder.mkdir()
    template = Template((root / "binder" / "lite" / "reference.html").read_text("utf-8"))
    every, taught = pages(), _taught(site / "files" / "en")
    places = {name: f"{page.file}#{name}" for page in every for name in page.names}
    places |= {page.title: page.file for page in every}
    for page in every:
        body = _page(page, places, taught)
        _write(folder / page.file, template, page.title, body, every)
    _write(folder / "index.html", template, "Reference", _overview(every), every)


def _write(file: Path, template: Template, title: str, body: str, every: list[Page]) -> None:
    links = [("index.html", "Reference"), *((page.file, page.title) for page in every)]
    here = ' aria-current="page"'
    shown = (f'<a href="{link}"{here if link == file.name else ""}>{escape(name)}</a>' for link, name in links)
    text = template.substitute(title=escape(title), pages=" ".join(shown), body=body)
    file.write_text(text, "utf-8", newline="\n")


def _overview(every: list[Page]) -> str:
    parts = [
        "<h1>Reference</h1>\n<p>Every public name of <code>d20kit</code> and <code>d20widgets</code>, made from what "
        "the code says about itself; each example is run as a test.</p>"
    ]
    for page in every:
        rows = (
            f'<dt><a href="{page.file}#{name}"><code>{name}</code></a></dt><dd>{_summary(thing)}</dd>'
            for name, thing in page.names.items()
        )
        about = site_docstrings.markup(page.told.partition("\n\n")[0], {})
        parts.append(f'<h2><a href="{page.file}">{escape(page.title)}</a></h2>\n{about}\n<dl>{"".join(rows)}</dl>')
    return "\n".join(parts)


def _page(page: Page, places: Mapping[str, str], taught: Mapping[str, list[tuple[str, str]]]) -> str:
    parts = [f"<h1>{escape(page.title)}</h1>", site_docstrings.markup(page.told, places)]
    for name, thing in page.names.items():
        parts.append(f'<h2 id="{name}"><code>{name}</code></h2>')
        parts.append(_entry(name, thing, places))
        parts += (
            f'<h3 id="{name}.{method}"><code>{name}.{method}</code></h3>\n{_entry(method, one, places)}'
            for method, one in methods(thing)
        )
        if name in taught:
            links = (f'<a href="{escape(link)}">{escape(title)}</a>' for link, title in taught[name])
            parts.append(f'<p class="taught">In the lessons: {", ".join(links)}</p>')
    return "\n".join(parts)


def _entry(name: str, thing: Any, places: Mapping[str, str]) -> str:
    text = docstring(thing)
    if not text:
        return f"<p><code>{escape(value(thing))}</code></p>"
    shown = signature(name, thing)
    head = f'<pre class="signature" tabindex="0">{escape(shown)}</pre>\n' if shown else ""
    return head + site_docstrings.markup(text, places)


def docstring(thing: Any) -> str:
    """Return what somebody wrote about a function or class; data has nothing of its own.

    >>> docstring(("one-handed", "bow")), docstring(docstring).partition(" ")[0]
    ('', 'Return')
    """
    described = inspect.isclass(thing) or inspect.isroutine(thing) or isinstance(thing, _METHODS)
    return (inspect.getdoc(thing) or "") if described or hasattr(thing, "__wrapped__") else ""


def _summary(thing: Any) -> str:
    """Return the first sentence about something, or for data what it is."""
    text = docstring(thing).partition("\n\n")[0]
    return site_docstrings.inline(" ".join(text.split()), {}) if text else f"<code>{escape(value(thing))}</code>"


def value(thing: Any) -> str:
    """Return what data is, as it is written in Python; a record whose name says it all by its fields.

    >>> value((1, 2))
    '(1, 2)'
    >>> value(d20kit.COURSE)[:31]
    "Ruleset(critical='natural-20', "
    """
    text = repr(thing)
    if is_dataclass(thing):
        told = ", ".join(f"{one.name}={getattr(thing, one.name)!r}" for one in fields(thing))
        text = f"{type(thing).__name__}({told})"
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}..."


def signature(name: str, thing: Any) -> str:
    """Return how something is called, with types where no section of its docstring tells them; nothing for a property.

    >>> signature("value", value)
    'value(thing: Any) -> str'
    """
    if isinstance(thing, (property, cached_property)):
        return ""
    try:
        known = inspect.signature(thing)
    except (TypeError, ValueError):  # an enumeration, or an exception of Python's own
        return ""
    text = docstring(thing)
    described = site_docstrings.parameters(text)
    own = [one for one in known.parameters.values() if one.name not in ("self", "cls")]
    result = "" if inspect.isclass(thing) or "\nReturns\n" in text else _result(known)
    if described and any(one.name not in described for one in own if one.kind is one.VAR_KEYWORD):
        return _call(name, [f"{one}=..." for one in described], result)
    return _call(name, list(_arguments(own, typed=not described)), result)


def _arguments(parameters: list[inspect.Parameter], typed: bool) -> Iterator[str]:
    star = False
    for one in parameters:
        if one.kind is one.KEYWORD_ONLY and not star:
            star = True
            yield "*"
        star |= one.kind is one.VAR_POSITIONAL
        stars = "*" * ((one.kind is one.VAR_POSITIONAL) + 2 * (one.kind is one.VAR_KEYWORD))
        kind = f": {one.annotation}" if typed and one.annotation is not one.empty else ""
        default = "" if one.default is one.empty else f" = {one.default!r}" if kind else f"={one.default!r}"
        yield stars + one.name + kind + default


def _result(known: inspect.Signature) -> str:
    given = known.return_annotation
    return "" if given in (known.empty, "None") else f" -> {given}"


def _call(name: str, arguments: list[str], result: str) -> str:
    return fill(f"{name}({', '.join(arguments)}){result}", 84, subsequent_indent="    ", break_on_hyphens=False)


def methods(thing: Any) -> list[tuple[str, Any]]:
    """Return the public methods and properties that a class defines itself.

    >>> from d20kit.battle import Save
    >>> [name for name, _method in methods(Save)]
    ['left_of', 'saved']
    """
    if not inspect.isclass(thing):
        return []
    found = [(name, one) for name, one in vars(thing).items() if not name.startswith("_")]
    fields = getattr(thing, "__dataclass_fields__", {})
    return [
        (name, getattr(thing, name) if isinstance(one, (classmethod, staticmethod)) else one)
        for name, one in found
        if (inspect.isfunction(one) or isinstance(one, _METHODS)) and name not in fields and docstring(one)
    ]


def _taught(folder: Path) -> dict[str, list[tuple[str, str]]]:
    """Return for each name the lessons whose cells use it: where they are to be read, and their titles."""
    found: dict[str, list[tuple[str, str]]] = {}
    for lesson in lessons(folder.parent, "en"):
        cells = json.loads((folder / f"{lesson}.ipynb").read_text("utf-8"))["cells"]
        code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
        title = "".join(cells[0]["source"]).partition("\n")[0].removeprefix("# ")
        for name in set(re.findall(r"[A-Za-z_]\w*", code)):
            found.setdefault(name, []).append((f"../{site_landing.READ}en/{lesson}.html", title))
    return found
