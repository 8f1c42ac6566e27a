"""Two combatants strike in turn until one is down."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from d20kit.check import refuse
from d20kit.dice import Pmf
from d20kit.felling import MAX_BITS, check_damage, check_hit_points
from d20kit.language import N_, _
from d20kit.rule import rule

MAX_POSITIONS = 10_000
# Positions times kinds of blows times the bits of a chance: about a second.
MAX_WORK = 10_000_000_000


@rule(
    title=N_("Duel"),
    symbol=r"P(\text{first wins})",
    why=N_(
        "Two enemies strike in turn; whoever strikes first needs no more attacks than the other to win, and rounds in "
        "which both miss change nothing, so they drop out of the sum."
    ),
    source=N_("Attack Roll"),
    units="chance",
    topic="damage",
)
def duel_chance(damage: Pmf, hp: int, enemy_damage: Pmf, enemy_hp: int) -> Fraction:
    """Return the chance that the one who strikes first wins a duel.

    Parameters
    ----------
    damage : Pmf
        Of one attack of the one who strikes first, misses included.
    hp : int
        Hit points that put the first one out, 1 or more.
    enemy_damage, enemy_hp
        The same of the other.

    Raises
    ------
    ValueError
        If damage can be negative, neither can be hurt, there are more than ``MAX_POSITIONS`` pairs of hit points, or
        the chances of the attacks are so long that it would be too much work.

    Examples
    --------
    >>> from d20kit import Pmf
    >>> from d20kit.damage import duel_chance
    >>> even = Pmf({0: 1, 1: 1})
    >>> duel_chance(even, 1, even, 1)
    Fraction(2, 3)
    """
    hp, enemy_hp = check_hit_points(hp), check_hit_points(enemy_hp, "enemy_hp")
    if hp * enemy_hp > MAX_POSITIONS:
        raise refuse("hp", hp, _("small enough that hp times enemy_hp is at most {most}").format(most=MAX_POSITIONS))
    duel = _Duel(check_damage(damage), check_damage(enemy_damage, "enemy_damage"))
    if duel.bits(hp, enemy_hp) > MAX_BITS or duel.work(hp, enemy_hp) > MAX_WORK:
        raise refuse("hp", hp, _("small enough: hp times enemy_hp times the size of the attacks is too much work"))
    return duel.chance(hp, enemy_hp)


def _weights(damage: Pmf) -> list[int]:
    return [0] * damage.support()[0] + damage.weights


def _blows(weights: list[int], hp: int) -> list[tuple[int, int]]:
    """Damage that hurts and leaves some hit points, the most first, with its weight."""
    return [(k, weight) for k, weight in reversed([*enumerate(weights)][1:hp]) if weight]


def _scaled(terms: Iterable[tuple[int, int]], power: list[int]) -> int:
    """Sum of ``term * power[k - 1]``, the largest k first: one factor of each product is small, which is quick."""
    total, before = 0, 1
    for k, term in terms:
        total, before = (total * power[before - k] if total else 0) + term, k
    return total * power[before - 1]


class _Duel:
    """Chances in whole numbers.

    With h and e hit points left and the first to strike, its chance is ``first[h][e] / change ** (h + e - 1)``; with
    the other to strike, and times the other's denominator, it is ``second[h][e]`` over the same. ``change`` is the
    weight of a pair of attacks in which not both miss.
    """

    def __init__(self, damage: Pmf, enemy_damage: Pmf) -> None:
        self.strike, self.reply = _weights(damage), _weights(enemy_damage)
        self.reply_total = sum(self.reply)
        self.change = sum(self.strike) * self.reply_total - self.strike[0] * self.reply[0]
        if not self.change:
            raise refuse("damage", damage, _("a Pmf with some damage; here neither ever takes a hit point"))

    def bits(self, hp: int, enemy_hp: int) -> int:
        """Estimate the bits of the chance."""
        return (hp + enemy_hp) * self.change.bit_length()

    def work(self, hp: int, enemy_hp: int) -> int:
        """Estimate the bits that are moved on the way to it."""
        blows = sum(map(bool, self.reply[1:hp])) + sum(map(bool, self.strike[1:enemy_hp]))
        return hp * enemy_hp * (1 + blows) * self.bits(hp, enemy_hp)

    def chance(self, hp: int, enemy_hp: int) -> Fraction:
        power = [self.change**k for k in range(hp + enemy_hp)]
        strikes, replies = _blows(self.strike, enemy_hp), _blows(self.reply, hp)
        first = [[0] * (enemy_hp + 1) for _h in range(hp + 1)]
        second = [[0] * (enemy_hp + 1) for _h in range(hp + 1)]
        for h in range(1, hp + 1):
            for e in range(1, enemy_hp + 1):
                hurt = _scaled(((k, w * first[h - k][e]) for k, w in replies if k < h), power)
                won = self.reply_total * sum(self.strike[e:]) * power[h + e - 2]
                on = _scaled(((k, w * second[h][e - k]) for k, w in strikes if k < e), power)
                first[h][e] = won + on + self.strike[0] * hurt
                second[h][e] = self.reply[0] * first[h][e] + hurt * self.change
        return Fraction(first[hp][enemy_hp], power[-1])
