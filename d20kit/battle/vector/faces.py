"""Where the faces of many battles' dice come from: one stream of random words for a block of battles."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Protocol

import numpy as np

from d20kit.dice import Pmf

_WORD = 32
# How many faces of one kind of die are made at a time.
_POOL = 1 << 14


class Faces(Protocol):
    """What a block of battles rolls with; a battle's own rolls are asked for in the order in which they happen.

    >>> class Sixes:
    ...     def roll(self, battles, count, sides):
    ...         return np.full((count, len(battles)), 6)
    >>> from d20kit.battle.vector.dice import roll_damage
    >>> roll_damage("2d6+3", Sixes(), np.arange(2)).tolist()
    [15, 15]
    """

    def roll(self, battles: Any, count: int, sides: int) -> Any:
        """Roll some equal dice in each of these battles: an array of shape (count, battles), faces from 1."""

    def draw(self, battles: Any, damage: Pmf) -> Any:
        """Draw an outcome of a distribution for each of these battles."""

    def choose(self, battles: Any, counts: Any) -> Any:
        """Draw for each of these battles a number from 0 up to below its count."""


class RandomFaces:
    """Fair dice from the counter-based generator Philox, keyed by a seed and the number of the block.

    Nothing is asked of NumPy but the raw words of the bit generator, whose stream it promises to keep: the methods
    that turn words into numbers may change from version to version. Each 32 bits make a face by multiplying, and the
    few words that would make some faces likelier are left out, so that every face is exactly equally likely.

    Examples
    --------
    >>> import numpy as np
    >>> RandomFaces(1, 0).roll(np.arange(3), 2, 20).shape
    (2, 3)
    """

    def __init__(self, seed: int, block: int) -> None:
        self._bits = np.random.Philox(key=np.array([seed, block], np.uint64))
        self._pools: dict[int, tuple[Any, int]] = {}

    def roll(self, battles: Any, count: int, sides: int) -> Any:
        """Roll some equal dice in each of these battles."""
        return self._faces(sides, count * len(battles)).reshape(count, -1)

    def draw(self, battles: Any, damage: Pmf) -> Any:
        """Draw outcomes by 64 bits each, so that no chance is off by more than 2**-64."""
        words = self._bits.random_raw(len(battles))
        return damage.support()[0] + np.searchsorted(_bounds(damage), words, side="right")

    def choose(self, battles: Any, counts: Any) -> Any:
        """Draw a number below each count."""
        chosen = np.zeros(len(battles), np.intp)
        for count in np.unique(counts):
            alike = np.flatnonzero(counts == count)
            chosen[alike] = self._faces(int(count), len(alike)) - 1
        return chosen

    def _faces(self, sides: int, count: int) -> Any:
        pool, used = self._pools.get(sides, (_NOTHING, 0))
        if used + count > len(pool):
            pool, used = self._fresh(sides, count), 0
        self._pools[sides] = (pool, used + count)
        return pool[used : used + count]

    def _fresh(self, sides: int, count: int) -> Any:
        """Make at least so many faces."""
        parts, made = [], 0
        while made < count:
            words = self._bits.random_raw(max(_POOL, count - made + 1) // 2).astype("<u8", copy=False).view("<u4")
            product = words.astype(np.uint64) * np.uint64(sides)
            fair = product.astype(np.uint32) >= (1 << _WORD) % sides
            faces = (product >> np.uint64(_WORD)).astype(np.intp)
            faces += 1
            parts.append(faces if fair.all() else faces[fair])
            made += len(parts[-1])
        return parts[0] if len(parts) == 1 else np.concatenate(parts)


_NOTHING = np.zeros(0, np.intp)


@lru_cache(maxsize=256)
def _bounds(damage: Pmf) -> Any:
    """Return for each outcome but the last the first 64-bit word that is too large for it."""
    low, high = damage.support()
    return np.array([int(damage.cdf(outcome) * 2**64) for outcome in range(low, high)], np.uint64)
