"""What a battle accepts as a number, a name or a dice expression."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Any

from d20kit.algebra import is_array, is_symbolic
from d20kit.check import refuse, whole
from d20kit.dice import Pmf
from d20kit.expression import Expression, read
from d20kit.language import _

MOST_COMBATANTS = 200
LONGEST_NAME = 60
LARGEST_BONUS = 1_000
LARGEST_HP = 10_000
LARGEST_DAMAGE = 2_000
# Control characters, line and paragraph separators, lone surrogates; and the marks that turn text around.
_REFUSED_CATEGORIES = frozenset({"Cc", "Zl", "Zp", "Cs"})
_TURNING_MARKS = frozenset("\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def number(name: str, value: Any, low: int, high: int, fix: str = "") -> int:
    """Accept one whole number in a range."""
    if is_array(value) or is_symbolic(value):
        raise refuse(name, value, _("one whole number from {low} to {high}").format(low=low, high=high), fix)
    return whole(name, value, low, high, fix)


def label(name: str, value: Any) -> str:
    """Accept a name: any text of 1 to ``LONGEST_NAME`` characters on one line, without blanks around it."""
    if (
        isinstance(value, str)
        and 1 <= len(value) <= LONGEST_NAME
        and value == value.strip()
        and not any(unicodedata.category(c) in _REFUSED_CATEGORIES or c in _TURNING_MARKS for c in value)
    ):
        return value
    allowed = _("text of 1 to {most} characters, without blanks around it or control characters in it")
    raise refuse(name, value, allowed.format(most=LONGEST_NAME), f'{name}="Goblin A"')


@lru_cache(maxsize=1024)
def expression(text: str) -> Expression:
    """Read a dice expression, once for each text."""
    return read(text)


def dice(name: str, value: Any) -> str | Pmf | None:
    """Accept a dice expression, a distribution, or None for no damage."""
    if value is None:
        return value
    if not isinstance(value, (str, Pmf)):
        raise refuse(name, value, _("a dice expression such as '1d8+3', a Pmf, or None for no damage"))
    low, high = value.support() if isinstance(value, Pmf) else expression(value).span()[:2]
    if max(-low, high) > LARGEST_DAMAGE:
        raise refuse(name, value, _("dice of which no roll exceeds {most}").format(most=LARGEST_DAMAGE))
    return value


def set_checked(frozen: Any, **values: Any) -> None:
    """Store the checked values of a frozen instance while it is being made."""
    for name, value in values.items():
        object.__setattr__(frozen, name, value)
