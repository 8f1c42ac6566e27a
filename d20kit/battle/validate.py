"""What a battle accepts as a name or a dice expression, and how large its numbers may be."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Any

from d20kit.check import bare, refuse
from d20kit.dice import Pmf
from d20kit.expression import Expression, read, read_argument
from d20kit.language import _

MOST_COMBATANTS = 200
LONGEST_NAME = 60
LARGEST_HP = 10_000
LARGEST_DAMAGE = 2_000
# Control characters, invisible ones (marks that turn text around among them), line and paragraph separators, lone
# surrogates.
_REFUSED_CATEGORIES = frozenset({"Cc", "Cf", "Zl", "Zp", "Cs"})
# Invisible too, but some scripts, and pictures of several signs, need them between two letters.
_JOINERS = frozenset("\u200c\u200d")
# Letters and signs by their category, but nothing is seen of them.
_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")


def label(name: str, value: Any) -> str:
    """Accept a name: any text of 1 to ``LONGEST_NAME`` characters on one line, without blanks around it.

    Letters that can be written in two ways (an accent of its own, or one with its letter) come back in the shorter
    one, so that names that look alike are alike.

    >>> label("name", "Jose\u0301") == "José"
    True
    """
    text = bare(value)
    # A letter that is written in its parts has four at most.
    if isinstance(text, str) and len(text) <= 4 * LONGEST_NAME:
        text = unicodedata.normalize("NFC", text)
        if 1 <= len(text) <= LONGEST_NAME and text == text.strip() and _legible(text):
            return text
    allowed = _("text of 1 to {most} characters, without blanks around it or control characters in it")
    raise refuse(name, value, allowed.format(most=LONGEST_NAME), f'{name}="Goblin A"')


def _legible(text: str) -> bool:
    """Whether something is to be seen, and nothing hides in it."""
    kinds = [unicodedata.category(character) for character in text]
    seen = [kind[0] in "LNPS" and character not in _BLANK for character, kind in zip(text, kinds, strict=True)]
    hidden = (place for place, kind in enumerate(kinds) if kind in _REFUSED_CATEGORIES)
    return any(seen) and all(text[place] in _JOINERS and _inside(kinds, place) for place in hidden)


def _inside(kinds: list[str], place: int) -> bool:
    """Whether a place lies between two letters, or signs, and their marks."""
    return 0 < place < len(kinds) - 1 and all(kinds[beside][0] in "LMNS" for beside in (place - 1, place + 1))


@lru_cache(maxsize=1024)
def expression(text: str) -> Expression:
    """Read a dice expression, once for each text.

    >>> expression("2d6+3").span()[:2]
    (5, 15)
    """
    return read(text)


def dice(name: str, value: Any) -> str | Pmf | None:
    """Accept a dice expression, a distribution, or None for no damage.

    >>> dice("damage", "1d8+3"), dice("damage", None)
    ('1d8+3', None)
    >>> dice("damage", 8)
    Traceback (most recent call last):
    ValueError: damage is 8, but must be a dice expression such as '1d8+3', a Pmf, or None for no damage
    """
    damage = bare(value)
    if damage is None:
        return None
    if not isinstance(damage, (str, Pmf)):
        raise refuse(name, value, _("a dice expression such as '1d8+3', a Pmf, or None for no damage"))
    low, high = damage.support() if isinstance(damage, Pmf) else read_argument(name, damage).span()[:2]
    if max(-low, high) > LARGEST_DAMAGE:
        raise refuse(name, value, _("dice of which no roll exceeds {most}").format(most=LARGEST_DAMAGE))
    return damage


def set_checked(frozen: Any, **values: Any) -> None:
    """Store the checked values of a frozen instance while it is being made.

    >>> from dataclasses import dataclass
    >>> from d20kit.check import one_whole
    >>> @dataclass(frozen=True)
    ... class Band:
    ...     low: int
    >>> band = Band(-4.0)
    >>> set_checked(band, low=one_whole("low", band.low, -9, 0))
    >>> band
    Band(low=-4)
    """
    for name, value in values.items():
        object.__setattr__(frozen, name, value)
