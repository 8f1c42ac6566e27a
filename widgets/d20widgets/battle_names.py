"""Names of combatants wherever they are shown: literally, in their own direction, and no longer than there is room."""

from __future__ import annotations

import unicodedata
from dataclasses import fields, replace
from itertools import accumulate
from typing import Any

from d20kit.battle.events import Event

# Fields of events that hold what people wrote.
_WRITTEN = frozenset(
    {"name", "side", "attacker", "target", "attack", "winner", "acting", "waiting", "order", "tied_with", "beaten"}
)
_BACKWARD = frozenset({"R", "AL", "AN"})
_ISOLATE, _END = "\u2068", "\u2069"
# What plotly or a page's formula script would read as markup, as the entities that plotly turns back.
_MARKUP = {ord(sign): f"&#{ord(sign)};" for sign in "&<>$\\"}


def isolated(text: str) -> str:
    """Close a text that runs from right to left off from the sentence around it; others stay as they are.

    >>> isolated("Orc"), isolated("\\u05d0") == "\\u2068\\u05d0\\u2069"
    ('Orc', True)
    """
    backward = any(unicodedata.bidirectional(character) in _BACKWARD for character in text)
    return f"{_ISOLATE}{text}{_END}" if backward else text


def shortened(text: str, room: float) -> str:
    """Cut a text where there is no room for so many ordinary letters; capitals and wide signs take more.

    >>> shortened("Hobgoblin warrior", 11), shortened("WWWWWWWWWWW", 11)
    ('Hobgoblin…', 'WWWWW…')
    """
    if sum(map(_width, text)) <= room:
        return text
    ends = accumulate(map(_width, text), initial=1.0)
    return text[: sum(end <= room for end in ends) - 1].rstrip() + "…"


def _width(character: str) -> float:
    if unicodedata.east_asian_width(character) in "WF":
        return 2
    if character in "MWmw@%":
        return 1.7
    return 1.4 if character.isupper() or character in "<>{}=+~&#" else 1


def inert(text: str) -> str:
    """Write a text so that plotly shows it as it is.

    >>> inert("<b>Orc")
    '&#60;b&#62;Orc'
    """
    return text.translate(_MARKUP)


def drawn(text: str, room: float) -> str:
    """Write a name for a picture.

    >>> drawn("<Goblin king>", 9)
    '&#60;Goblin…'
    """
    return inert(isolated(shortened(text, room)))


def told(event: Event) -> str:
    """Return the sentence of an event, each name in it closed off where it runs the other way."""
    changes: dict[str, Any] = {
        item.name: _closed(getattr(event, item.name)) for item in fields(event) if item.name in _WRITTEN
    }
    return replace(event, **changes).sentence()


def _closed(value: Any) -> Any:
    if isinstance(value, str):
        return isolated(value)
    return tuple(map(_closed, value)) if isinstance(value, tuple) else value
