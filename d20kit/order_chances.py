"""Exact chances of single initiative orders, and of the dice they take; :mod:`d20kit.order_table` does all at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from itertools import groupby, pairwise
from math import factorial, lcm, prod
from typing import Any

from d20kit.check import FACES

__all__ = ["FACES", "all_tied", "dice_count", "order_chance"]


def order_chance(modifiers: tuple[int, ...], by_modifier: bool) -> Fraction:
    """Return the chance that combatants act in the order in which their modifiers are given.

    The order is cut into blocks with equal totals, highest total first; inside a block the tie must be broken in the
    given order too, which is the same question about fewer combatants. Only if all are tied at once it is the same
    question about the same combatants: then everything starts anew, which divides by the chance of the opposite.

    >>> order_chance((2, 1), by_modifier=False)
    Fraction(70, 127)
    """
    base = min(modifiers)
    return _order(tuple(bonus - base for bonus in modifiers), by_modifier)


# Every part of one order, and then some: without an end, an evening of other modifiers would never be forgotten.
@lru_cache(maxsize=1 << 15)
def _order(modifiers: tuple[int, ...], by_modifier: bool) -> Fraction:
    if len(modifiers) == 1:
        return Fraction(1)
    if by_modifier:
        return _blocks(modifiers, _by_modifier, whole_block=True)
    without_restart = _blocks(modifiers, lambda block: order_chance(block, False), whole_block=False)
    return without_restart / (1 - all_tied(modifiers))


def _by_modifier(block: tuple[int, ...]) -> Fraction:
    """Chance of the order inside a tied block where the higher modifier goes first and equals roll again."""
    if any(one < other for one, other in pairwise(block)):
        return Fraction(0)
    return Fraction(1, prod(factorial(len(list(group))) for _bonus, group in groupby(block)))


def _blocks(modifiers: tuple[int, ...], inside: Callable[[tuple[int, ...]], Fraction], whole_block: bool) -> Fraction:
    """Sum over all ways to cut the order into blocks of falling totals.

    ``placed[j]`` is the weight, so far, of the first j combatants having their blocks at totals above the one looked
    at. Weights are whole numbers: a combatant counts ``common`` times, so that every ``inside`` is whole too.
    """
    n = len(modifiers)
    spans = [(i, j) for i in range(n) for j in range(i + 1, n + 1) if whole_block or j - i < n]
    chances = {(i, j): inside(modifiers[i:j]) for i, j in spans}
    common = lcm(*(chance.denominator for chance in chances.values()))
    weights = {(i, j): int(chance * common ** (j - i)) for (i, j), chance in chances.items()}
    placed = [1] + [0] * n
    for total in range(max(modifiers) + FACES, 0, -1):
        reached = [1 <= total - bonus <= FACES for bonus in modifiers]
        for j in range(n, 0, -1):
            for i in range(j - 1, -1, -1):
                if not reached[i]:
                    break
                if placed[i]:
                    placed[j] += placed[i] * weights.get((i, j), 0)
    return Fraction(placed[n], (FACES * common) ** n)


def all_tied(modifiers: tuple[int, ...]) -> Fraction:
    """Return the chance that all have the same total.

    >>> all_tied((0, 0, 0))
    Fraction(1, 400)
    """
    shared = max(0, FACES - (max(modifiers) - min(modifiers)))
    return Fraction(shared, FACES ** len(modifiers))


def dice_count(modifiers: tuple[int, ...], by_modifier: bool) -> Fraction:
    """Return the mean number of d20 that are rolled until everybody has a place.

    Everybody rolls once; then every group that is exactly tied starts the same again by itself.

    >>> dice_count((0, 0), by_modifier=False)
    Fraction(40, 19)
    """
    if by_modifier:
        return sum((_dice((0,) * count) for count in Counter(modifiers).values()), Fraction(0))
    return _dice(modifiers)


def _dice(modifiers: tuple[int, ...]) -> Fraction:
    """Mean number of dice where every tie is rolled again.

    Sets of combatants are bit masks, the smaller before the larger. After the first rolls of a set, let R be those
    who can have one total. If exactly the subset T has it, the rest of R shows one of 19 other faces, so the rerolls
    at that total count ``sum of 19 ** |R - T| * dice(T)`` over the subsets T of R of two or more, times 20 for each
    combatant who cannot have it. These sums are kept for every R, built up one combatant after the other.
    """
    from flint import fmpq

    n = len(modifiers)
    reach = Counter(
        sum(1 << i for i, bonus in enumerate(modifiers) if 1 <= total - bonus <= FACES)
        for total in range(min(modifiers) + 1, max(modifiers) + FACES + 1)
    )
    # partial[k][R]: the sum over those T that leave out of R nobody but some of the first k
    partial = [[fmpq(0)] * (1 << n) for _k in range(n + 1)]
    expected = fmpq(1)
    for group in range(1, 1 << n):
        size = group.bit_count()
        if size < 2:
            continue
        smaller = sum(((FACES - 1) * partial[k][group ^ 1 << k] for k in range(n) if group >> k & 1), fmpq(0))
        everybody, others = _rerolls(group, reach, partial[n])
        restart = fmpq(everybody, FACES**size)
        expected = (size + others + restart * smaller) / (1 - restart)
        partial[0][group] = expected
        for k in range(n):
            left_out = (FACES - 1) * partial[k][group ^ 1 << k] if group >> k & 1 else 0
            partial[k + 1][group] = partial[k][group] + left_out
    return Fraction(int(expected.p), int(expected.q))


def _rerolls(group: int, reach: Counter[int], sums: list[Any]) -> tuple[int, Any]:
    """How many totals the whole group can have, and the mean dice of rerolls at all other totals."""
    from flint import fmpq

    everybody, others = 0, fmpq(0)
    for able, times in _able(group, reach).items():
        if able == group:
            everybody = times
        else:
            others += sums[able] * fmpq(times, FACES ** able.bit_count())
    return everybody, others


def _able(group: int, reach: Counter[int]) -> dict[int, int]:
    """How many totals can be had by exactly which part of a group of two or more."""
    totals: dict[int, int] = {}
    for mask, times in reach.items():
        able = mask & group
        if able.bit_count() > 1:
            totals[able] = totals.get(able, 0) + times
    return totals
