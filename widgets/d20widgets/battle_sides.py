"""Sides that are probably one: a slip of the pen would let friends fight each other."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import combinations

from d20kit.language import _

# From here on two words are taken for one that is misspelt; of words this short, such as A and B, each is its own.
_NEAR, _SHORT = 0.8, 2
_LONGEST = 60
# Of more sides only capital letters are looked through: to compare so many would keep a reader waiting for seconds.
_MOST = 20


def doubtful(sides: Sequence[str]) -> str:
    """Return a sentence on two sides whose names look alike; empty where there are none.

    Examples
    --------
    >>> doubtful(["heroes", "goblins", "heros"])
    'Sides "heroes" and "heros" are enemies: if they are one side, write both alike.'
    >>> doubtful(["Team A", "Team B"])
    ''
    """
    alike = _alike if len(sides) <= _MOST else _same
    for one, other in combinations(sides, 2):
        if alike(one, other):
            said = _('Sides "{one}" and "{other}" are enemies: if they are one side, write both alike.')
            return said.format(one=one, other=other)
    return ""


def _same(one: str, other: str) -> bool:
    return one.casefold() == other.casefold()


def _alike(one: str, other: str) -> bool:
    words, others = (side[:_LONGEST].casefold().split() for side in (one, other))
    return len(words) == len(others) and all(map(_near, words, others))


def _near(word: str, other: str) -> bool:
    if min(len(word), len(other)) <= _SHORT or not (word + other).isalpha():
        return word == other
    return SequenceMatcher(None, word, other, autojunk=False).ratio() >= _NEAR
