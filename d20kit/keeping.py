"""The sum of the highest or lowest of several equal dice."""

from __future__ import annotations

from math import comb
from typing import Any

from d20kit.dice import Pmf
from d20kit.language import _
from d20kit.short_polynomials import long_polynomial

# Bits that the polynomials on the way to the answer may move: about half a second.
MAX_WORK = 500_000_000


def keep_work(count: int, sides: int, kept: int) -> int:
    """Estimate the bits that :func:`keep_highest` moves.

    >>> keep_work(4, 6, 3) < MAX_WORK < keep_work(400, 100, 300)
    True
    """
    return (sides * kept * (kept + 1) // 2) * (kept * sides) * (count * sides.bit_length())


def afford_keeping(count: int, sides: int, kept: int) -> None:
    """Refuse more work than documented, before any of it is done.

    >>> afford_keeping(4, 6, 3)
    >>> afford_keeping(400, 100, 300)
    Traceback (most recent call last):
    ValueError: keeping 300 of 400 dice with 100 sides would need too much work; use fewer dice
    """
    if keep_work(count, sides, kept) > MAX_WORK:
        raise ValueError(
            _("keeping {kept} of {count} dice with {sides} sides would need too much work; use fewer dice").format(
                kept=kept, count=count, sides=sides
            )
        )


def keep_highest(count: int, sides: int, kept: int) -> Pmf:
    """Return the distribution of the sum of the highest dice.

    Faces are added one at a time, lowest first. Any dice that show the newest face are the highest so far, so with
    c of them among the kept ones the rest is the same question about fewer dice and smaller faces; the number of
    dice left out never changes on the way.

    >>> keep_highest(2, 20, 1).pmf(20)
    Fraction(39, 400)
    """
    afford_keeping(count, sides, kept)
    dropped = count - kept
    one = long_polynomial([1])
    table = [one] + [long_polynomial([])] * kept
    for face in range(1, sides + 1):
        table = [one] + [_with_face(table, face, n, n + dropped) for n in range(1, kept + 1)]
    return Pmf._of(table[kept].right_shift(kept), kept, sides**count)


def keep_lowest(count: int, sides: int, kept: int) -> Pmf:
    """Return the distribution of the sum of the lowest dice: the highest of dice numbered the other way round.

    >>> keep_lowest(2, 20, 1).pmf(1)
    Fraction(39, 400)
    """
    return (sides + 1) * kept - keep_highest(count, sides, kept)


def _with_face(table: list[Any], face: int, kept: int, count: int) -> Any:
    some = sum(table[kept - c].left_shift(face * c) * comb(count, c) for c in range(kept))
    every = face**count - sum(comb(count, c) * (face - 1) ** (count - c) for c in range(kept))
    return some + long_polynomial([every]).left_shift(face * kept)
