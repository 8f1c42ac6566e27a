"""Chances of the orders of turns, once some initiative dice have been seen.

Initiative compares whole sequences of rolls, first roll first. Faces already rolled stay; a face not yet rolled is any
of twenty. The chance of one order is a walk over the totals from high to low: the order is cut into blocks of equal
totals, and inside a block the same question is asked about the next rolls.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby, islice, pairwise
from math import prod

from d20kit.battle.solve.limits import MAX_ORDERS, TooMuchWorkError
from d20kit.initiative import MAX_COMBATANTS, order_chances
from d20kit.language import _
from d20kit.order_chances import FACES, order_chance
from d20kit.rulesets import Ruleset

Order = tuple[int, ...]


def chances_of_orders(
    modifiers: Mapping[int, int], faces: Mapping[int, Sequence[int]], rules: Ruleset
) -> dict[Order, Fraction]:
    """Return the chance of every order that is still possible.

    Parameters
    ----------
    modifiers : mapping of int to int
        Initiative modifier of each combatant.
    faces : mapping of int to sequence of int
        What each has rolled so far.
    rules : Ruleset
        ``initiative_ties`` decides how ties are broken.

    Raises
    ------
    TooMuchWorkError
        If more than ``MAX_ORDERS`` orders are possible.

    Examples
    --------
    >>> from d20kit import COURSE
    >>> chances_of_orders({0: 2, 1: 1}, {}, COURSE)
    {(0, 1): Fraction(70, 127), (1, 0): Fraction(57, 127)}
    >>> chances_of_orders({0: 2, 1: 1}, {0: (14,)}, COURSE)
    {(0, 1): Fraction(462, 635), (1, 0): Fraction(173, 635)}
    """
    if not any(faces.get(who) for who in modifiers):
        if len(modifiers) > MAX_COMBATANTS:
            raise _too_many()
        chances = order_chances([*modifiers.values()], rules=rules)
        who = [*modifiers]
        return {tuple(who[place] for place in order): chance for order, chance in chances.items() if chance}
    rolled = _Rolled(modifiers, faces, rules.initiative_ties == "modifier")
    possible = list(islice(rolled.possible(tuple(modifiers)), MAX_ORDERS + 1))
    if len(possible) > MAX_ORDERS:
        raise _too_many()
    return {order: chance for order in possible if (chance := rolled.chance(order, 0))}


def _too_many() -> TooMuchWorkError:
    return TooMuchWorkError(
        _(
            "initiative can fall in more than {most} orders here, too many to solve them all; use simulate(), or give "
            "the events of a battle whose initiative has been rolled, given=battle.events[:k]"
        ).format(most=MAX_ORDERS)
    )


class _Rolled:
    """Faces that have been seen."""

    def __init__(self, modifiers: Mapping[int, int], faces: Mapping[int, Sequence[int]], by_modifier: bool) -> None:
        self.modifiers, self.by_modifier = modifiers, by_modifier
        self.faces = {who: tuple(faces.get(who, ())) for who in modifiers}
        self._chances: dict[tuple[Order, int], Fraction] = {}

    def possible(self, left: Order) -> Iterator[Order]:
        """Yield every order that the faces do not rule out."""
        if not left:
            yield ()
        for who in left:
            others = tuple(one for one in left if one != who)
            if not any(self._must_precede(one, who) for one in others):
                for rest in self.possible(others):
                    yield (who, *rest)

    def _must_precede(self, one: int, other: int) -> bool:
        for depth, (face, other_face) in enumerate(zip(self.faces[one], self.faces[other], strict=False)):
            key, other_key = self._key(one, face, depth), self._key(other, other_face, depth)
            if key != other_key:
                return key > other_key
        return False

    def _key(self, who: int, face: int, depth: int) -> tuple[int, int]:
        bonus = self.modifiers[who]
        return face + bonus, bonus if self.by_modifier and not depth else 0

    def chance(self, order: Order, depth: int) -> Fraction:
        """Return the chance that those who are tied before roll ``depth`` come to act in this order."""
        if len(order) == 1:
            return Fraction(1)
        if all(len(self.faces[who]) <= depth for who in order):
            return order_chance(tuple(self.modifiers[who] for who in order), self.by_modifier)
        if (order, depth) not in self._chances:
            self._chances[order, depth] = self._walk(order, depth)
        return self._chances[order, depth]

    def _walk(self, order: Order, depth: int) -> Fraction:
        """Walk down the totals; ``placed[j]`` is the chance that exactly the first j have had theirs."""
        bonuses = [self.modifiers[who] for who in order]
        placed = [Fraction(1)] + [Fraction(0)] * len(order)
        for total in range(max(bonuses) + FACES, min(bonuses), -1):
            shares = [self._share(who, total, depth) for who in order]
            for end in range(len(order), 0, -1):
                for begin in range(end - 1, -1, -1):
                    if not shares[begin]:
                        break
                    if placed[begin]:
                        inside = self._tied(order[begin:end], depth)
                        placed[end] += placed[begin] * prod(shares[begin:end], start=inside)
        return placed[-1]

    def _share(self, who: int, total: int, depth: int) -> Fraction:
        face = total - self.modifiers[who]
        if depth < len(self.faces[who]):
            return Fraction(face == self.faces[who][depth])
        return Fraction(1 <= face <= FACES, FACES)

    def _tied(self, block: Order, depth: int) -> Fraction:
        """Chance of an order among those with the same total."""
        if not self.by_modifier or depth:
            return self.chance(block, depth + 1)
        if any(self.modifiers[one] < self.modifiers[other] for one, other in pairwise(block)):
            return Fraction(0)
        groups = groupby(block, key=lambda who: self.modifiers[who])
        return prod((self.chance(tuple(group), 1) for _bonus, group in groups), start=Fraction(1))
