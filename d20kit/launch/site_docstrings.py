"""A docstring as markup: prose, lists of parameters, and examples with their words marked."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator, Mapping
from html import escape

_SECTION = re.compile(r"^([A-Z][A-Za-z ]+)\n-{3,}$", re.MULTILINE)
_MARKED = re.compile(r"``(.+?)``|:\w+:`~?([^`]+)`|`([^`]+)`", re.DOTALL)
_ITEM = re.compile(r"^[*-] ", re.MULTILINE)
# Sections of a name and, indented below it, what there is to say about it.
_DEFINITIONS = ("Parameters", "Attributes", "Returns", "Yields", "Raises", "Warns")


def markup(text: str, places: Mapping[str, str]) -> str:
    """Return a docstring as markup; names that have a place are links.

    >>> print(markup("See :func:`hit_chance` & ``1``.", {"hit_chance": "attack.html#hit_chance"}))
    <p>See <a href="attack.html#hit_chance"><code>hit_chance</code></a> &amp; <code>1</code>.</p>
    """
    begin, *rest = _SECTION.split(text.strip())
    parts = [_prose(begin, places)]
    for title, body in zip(rest[::2], rest[1::2], strict=True):
        inside = _definitions(body, places) if title in _DEFINITIONS else _prose(body, places)
        parts.append(f'<p class="part">{escape(title)}</p>\n{inside}')
    return "\n".join(part for part in parts if part)


def parameters(text: str) -> list[str]:
    """Return the names that the section Parameters of a docstring describes.

    >>> parameters("Say.\\n\\nParameters\\n----------\\na, b : int\\n    Two.\\n")
    ['a', 'b']
    """
    _begin, *rest = _SECTION.split(text.strip())
    body = dict(zip(rest[::2], rest[1::2], strict=True)).get("Parameters", "")
    heads = [head.partition(" : ")[0] for head, _told in _described(body) if head]
    return [name.strip() for head in heads for name in head.split(",")]


def inline(text: str, places: Mapping[str, str]) -> str:
    """Return words of one paragraph as markup.

    >>> inline("change one with :meth:`replace`", {})
    'change one with <code>replace</code>'
    """
    parts = []
    end = 0
    for found in _MARKED.finditer(text):
        parts += [escape(text[end : found.start()]), _name(next(filter(None, found.groups())), places)]
        end = found.end()
    return "".join([*parts, escape(text[end:])])


def code(source: str) -> str:
    """Return an example as a Python prompt shows it.

    >>> "<b>" in code(">>> '<b>'")
    False
    """
    lexer = importlib.import_module("pygments.lexers").PythonConsoleLexer()
    formatter = importlib.import_module("pygments.formatters").HtmlFormatter(nowrap=True)
    shown = importlib.import_module("pygments").highlight(source, lexer, formatter)
    return f'<pre tabindex="0">{str(shown).strip()}</pre>'


def _prose(text: str, places: Mapping[str, str]) -> str:
    return "\n".join(_block(block, places) for block in re.split(r"\n\s*\n", text.strip("\n")) if block.strip())


def _block(block: str, places: Mapping[str, str]) -> str:
    if block.lstrip().startswith(">>>"):
        return code(_unindented(block))
    if _ITEM.match(block):
        items = _ITEM.split(block)[1:]
        return "<ul>" + "".join(f"<li>{inline(item, places)}</li>" for item in items) + "</ul>"
    if block.startswith("    "):
        return f'<pre tabindex="0">{escape(_unindented(block))}</pre>'
    return f"<p>{inline(re.sub('::$', ':', block), places)}</p>"


def _unindented(block: str) -> str:
    depth = min(len(line) - len(line.lstrip()) for line in block.splitlines() if line.strip())
    return "\n".join(line[depth:] for line in block.splitlines())


def _described(body: str) -> Iterator[tuple[str, str]]:
    """Yield each unindented line of a section with what is indented below it."""
    for entry in re.split(r"\n(?=\S)", body.strip("\n")):
        head, _end, told = entry.partition("\n")
        yield head, _unindented(told) if told.strip() else ""


def _definitions(body: str, places: Mapping[str, str]) -> str:
    entries = (f"<dt>{_head(head, places)}</dt><dd>{_prose(told, places)}</dd>" for head, told in _described(body))
    return f"<dl>{''.join(entries)}</dl>"


def _head(head: str, places: Mapping[str, str]) -> str:
    names, _colon, kind = head.partition(" : ")
    return f"<code>{escape(names)}</code>" + (f" <i>{inline(kind, places)}</i>" if kind else "")


def _name(name: str, places: Mapping[str, str]) -> str:
    shown = f"<code>{escape(name)}</code>"
    place = places.get(name) or places.get(name.rpartition(".")[2])
    return f'<a href="{escape(place)}">{shown}</a>' if place else shown
