"""Exact chances of whole initiative orders, and of the dice they take."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations, groupby, pairwise, permutations
from math import factorial, lcm, prod

FACES = 20


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


@cache
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


def order_table(modifiers: dict, by_modifier: bool) -> dict[tuple, Fraction]:
    """Return the chance of every order of the named combatants."""
    return {
        order: order_chance(tuple(modifiers[name] for name in order), by_modifier) for order in permutations(modifiers)
    }


def dice_count(modifiers: tuple[int, ...], by_modifier: bool) -> Fraction:
    """Return the mean number of d20 that are rolled until everybody has a place.

    Everybody rolls once; then every group that is exactly tied starts the same again by itself.

    >>> dice_count((0, 0), by_modifier=False)
    Fraction(40, 19)
    """
    base = min(modifiers)
    return _dice(tuple(sorted(bonus - base for bonus in modifiers)), by_modifier)


@cache
def _dice(modifiers: tuple[int, ...], by_modifier: bool) -> Fraction:
    n = len(modifiers)
    if n == 1:
        return Fraction(1)
    expected, restart = Fraction(n), Fraction(0)
    for size in range(2, n + 1):
        for group in combinations(range(n), size):
            tied = tuple(modifiers[i] for i in group)
            if by_modifier and tied[0] != tied[-1]:
                continue
            rest = [modifiers[i] for i in range(n) if i not in group]
            apart = [bonus for bonus in rest if not by_modifier or bonus == tied[0]]
            chance = _exactly_tied(tied, apart)
            if size == n:
                restart = chance
            else:
                expected += chance * dice_count(tied, by_modifier)
    return expected / (1 - restart)


def _exactly_tied(tied: tuple[int, ...], rest: list[int]) -> Fraction:
    """Chance that all of ``tied`` share a total that none of ``rest`` has."""
    ways = sum(
        prod(FACES - (1 <= total - bonus <= FACES) for bonus in rest)
        for total in range(max(tied) + 1, min(tied) + FACES + 1)
    )
    return Fraction(ways, FACES ** (len(tied) + len(rest)))
