"""Whole random numbers that are the same on every machine and in every Python version."""

from __future__ import annotations

from random import Random
from typing import Protocol

from d20kit.check import refuse
from d20kit.language import _

# From 0 to this: what fits into the 64 bits of other libraries as well.
LARGEST_SEED = 2**63 - 1
_WORD = 32


class Roller(Protocol):
    """Anything that can be asked for the face of one die, a written script for example.

    >>> class Loaded:
    ...     def die(self, sides):
    ...         return sides
    >>> draw_below(Loaded(), 20) + 1
    20
    """

    def die(self, sides: int) -> int:
        """Return a face from 1 to ``sides``."""


def draw_below(random: Random | Roller, count: int) -> int:
    """Draw a whole number from 0 to ``count - 1``, each exactly equally likely.

    Only ``random.random()`` promises the same sequence for a seed in every Python version, so nothing else is
    asked of the generator: 32 exact bits are taken from each call, and numbers beyond the range are drawn again.
    :class:`Roller` is asked for the face of a die with ``count`` sides instead.

    >>> from random import Random
    >>> [1 + draw_below(Random(seed), 20) for seed in (1, 2, 3)]
    [5, 2, 8]
    """
    if not isinstance(random, Random):
        try:
            return random.die(count) - 1
        except AttributeError:
            if hasattr(random, "die"):  # then the error is its own
                raise
            allowed = _("a random.Random, or dice with a method die(sides)")
            raise refuse("random", random, allowed, "random.Random(1)") from None
    bits = (count - 1).bit_length()
    words = -(-bits // _WORD)
    while True:
        value = 0
        for _word in range(words):
            value = value << _WORD | int(random.random() * (1 << _WORD))
        value >>= words * _WORD - bits
        if value < count:
            return value
