"""Exact chances of all orders of some combatants at once: what orders have in common is worked out once.

An order is cut into blocks of equal totals, highest total first, as in :mod:`d20kit.order_chances`. Orders that begin
alike share the weights of their beginning, one for each total; orders that end alike share the chance of their end as
a tie. All weights of a beginning lie in one long number, a field of bits for each total, so that one multiplication
serves all totals. Everything is whole: weights count faces, times a denominator that all orders of a set share.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import accumulate, pairwise, permutations
from math import factorial, lcm, prod
from typing import Any

from d20kit.check import FACES

# Modifiers in the order in which combatants act.
Order = tuple[int, ...]


def order_table(modifiers: Mapping[Any, int], by_modifier: bool) -> dict[tuple[Any, ...], Fraction]:
    """Return the chance of every order of the named combatants.

    >>> order_table({"wolf": 2, "goblin": 1}, by_modifier=False)
    {('wolf', 'goblin'): Fraction(70, 127), ('goblin', 'wolf'): Fraction(57, 127)}
    """
    if len(modifiers) == 1:
        return {tuple(modifiers): Fraction(1)}
    closer = _closer(modifiers.values())
    near = {name: closer[bonus] for name, bonus in modifiers.items()}
    chances = _Table(tuple(sorted(near.values())), by_modifier).chances()
    never = Fraction(0)
    return {order: chances.get(tuple([near[name] for name in order]), never) for order in permutations(near)}


def _closer(bonuses: Iterable[int]) -> dict[int, int]:
    """Count modifiers from 0, and bring those together that can never tie: how far apart they are does not matter."""
    distinct = sorted(set(bonuses))
    gaps = (min(FACES, high - low) for low, high in pairwise(distinct))
    return dict(zip(distinct, accumulate(gaps, initial=0), strict=True))


class _Sets:
    """Sets of combatants, as bit masks: which totals all of one can have, and the denominators of their orders.

    ``parts[some]`` makes the weights of all orders whole that are cut into two blocks or more, ``restarts[some]`` is
    what a tie of all divides by, since everything then starts anew, and ``whole[some]`` is the product.
    """

    def __init__(self, bonuses: Order, by_modifier: bool) -> None:
        self.bonuses = bonuses
        self.everybody = (1 << len(bonuses)) - 1
        self.reach = [(0, 0)] + [self._reach(some) for some in range(1, self.everybody + 1)]
        self.parts, self.restarts, self.whole = [1], [1], [1]
        for some in range(1, self.everybody + 1):
            self.parts.append(self._equal(some) if by_modifier else self._common(some))
            self.restarts.append(1 if by_modifier or some.bit_count() < 2 else self.decided(some))
            self.whole.append(self.parts[some] * self.restarts[some])

    def _members(self, some: int) -> list[int]:
        return [bonus for place, bonus in enumerate(self.bonuses) if some >> place & 1]

    def _reach(self, some: int) -> tuple[int, int]:
        members = self._members(some)
        return max(members) + 1, min(members) + FACES + 1

    def _equal(self, some: int) -> int:
        """How many orders a tie has that only equal modifiers leave open."""
        return prod(map(factorial, Counter(self._members(some)).values()))

    def _common(self, some: int) -> int:
        """What all cuts into two or more blocks have in common."""
        common, block = 1, (some - 1) & some
        while block:
            common = lcm(common, self.whole[block] * self.whole[some ^ block])
            block = (block - 1) & some
        return common

    def decided(self, some: int) -> int:
        """How many first rolls of a set do not tie all of it."""
        low, high = self.reach[some]
        return int(FACES ** some.bit_count() - max(0, high - low))


class _Table:
    """All orders of some modifiers, sorted; of equal ones the first acts first."""

    def __init__(self, bonuses: Order, by_modifier: bool) -> None:
        from flint import fmpz

        self.bonuses, self.by_modifier = bonuses, by_modifier
        self.sets = _Sets(bonuses, by_modifier)
        self.totals = bonuses[-1] + FACES + 1
        self.width = (FACES ** len(bonuses) * max(self.sets.whole)).bit_length()
        self.one = fmpz(1)
        self.field = (self.one << self.width) - 1
        self.block = [self._block(*span) for span in self.sets.reach]
        unit = self._block(0, self.totals) // self.field
        self.tie = [self._sums(block & unit) for block in self.block]
        # of each beginning: who is in it, the chance of its order inside a tie, its weights above each total, and the
        # weight of its being followed by all others in one block
        self.members: dict[Order, int] = {(): 0}
        self.tied: dict[Order, Any] = {}
        self.above: dict[Order, Any] = {}
        self.followed: dict[Order, Any] = {}

    def _block(self, low: int, high: int) -> Any:
        """All bits of the fields of some totals."""
        return ((self.one << self.width * max(0, high - low)) - 1) << self.width * low

    def _sums(self, weights: Any) -> Any:
        """Add to each field all fields of higher totals."""
        step = 1
        while step < self.totals:
            weights += weights >> self.width * step
            step *= 2
        return weights

    def chances(self) -> dict[Order, Fraction]:
        """Return the chance of each order of the modifiers; those that cannot be are left out."""
        level: list[Order] = [()]
        for _size in range(1, len(self.bonuses)):
            level = [order for order in self._longer(level) if self._place(order)]
        everybody = self.sets.everybody
        rolls = FACES ** len(self.bonuses) if self.by_modifier else self.sets.decided(everybody)
        common = self.sets.parts[everybody] * rolls
        return {order: Fraction(int(self._weight(order)), common) for order in self._longer(level)}

    def _longer(self, level: list[Order]) -> Iterator[Order]:
        """Let one more act, in every way."""
        for order in level:
            some, last = self.members[order], None
            for place, bonus in enumerate(self.bonuses):
                if not some >> place & 1 and bonus != last:
                    last = bonus
                    longer = (*order, bonus)
                    self.members[longer] = some | 1 << place
                    yield longer

    def _place(self, order: Order) -> bool:
        """Work out what longer orders need of a beginning; return whether it can be at all."""
        some = self.members[order]
        cut = self.one * 0
        for place in range(1, len(order)):
            head, tail = order[:place], order[place:]
            if tied := self.tied.get(tail):
                first = self.members[head]
                cut += (self.above[head] & self.block[some ^ first]) * (tied * self._scale(some, first))
        sums = self._sums(cut)
        count = sums & self.field
        if len(order) == 1:
            self.tied[order] = self.one
        elif self.by_modifier:
            self.tied[order] = self.one * all(one >= other for one, other in pairwise(order))
        else:
            self.tied[order] = count
        sums = sums * self.sets.restarts[some] + self.tie[some] * self.tied[order]
        self.above[order] = sums >> self.width
        below = self._sums(self.above[order] & self.block[self.sets.everybody ^ some]) & self.field
        self.followed[order] = below * self._scale(self.sets.everybody, some)
        return bool(sums)

    def _scale(self, some: int, first: int) -> int:
        return self.sets.parts[some] // (self.sets.whole[first] * self.sets.whole[some ^ first])

    def _weight(self, order: Order) -> Any:
        """Add up the weights of an order of all, by who is in its last block."""
        weight = self.one * 0
        for place in range(1, len(order)):
            if tied := self.tied.get(order[place:]):
                weight += self.followed[order[:place]] * tied
        if self.by_modifier and all(one >= other for one, other in pairwise(order)):
            low, high = self.sets.reach[self.sets.everybody]
            weight += max(0, high - low)
        return weight
