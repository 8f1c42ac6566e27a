"""How many attacks it takes: sums of one attack's damage, counted only up to the hit points that matter."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from d20kit.check import exactly, one_whole, refuse
from d20kit.dice import Pmf
from d20kit.language import N_, _
from d20kit.magnitudes import root
from d20kit.rule import rule
from d20kit.short_polynomials import lengthened, long_polynomial

MAX_HP = 10_000
MAX_ATTACKS = 10_000
# Hit points times attacks times bits of one attack's denominator: about a second.
MAX_WORK = 50_000_000
# Attacks times bits of one attack's denominator, which are the bits of a chance: reducing it takes about a second.
MAX_BITS = 500_000


def check_hit_points(hp: Any, name: str = "hp") -> int:
    """Accept hit points that can be taken.

    >>> check_hit_points(5)
    5
    """
    return one_whole(name, hp, 1, MAX_HP)


def check_damage(damage: Any, name: str = "damage") -> Pmf:
    """Accept a distribution that is never negative.

    >>> check_damage(Pmf({0: 1, 3: 1})).support()
    (0, 3)
    """
    if not isinstance(damage, Pmf):
        raise refuse(name, damage, _("a Pmf"), 'attack_damage(4, 15, "1d8")')
    if damage.support()[0] < 0:
        raise refuse(name, damage, _("a Pmf without negative outcomes"), "damage.clip(low=0)")
    return damage


def from_zero(damage: Pmf, length: int) -> Any:
    """Return the damage polynomial with the coefficient of outcome 0 first, cut to a length.

    >>> from_zero(Pmf({2: 1, 3: 3}), 3)
    x^2
    """
    return lengthened(damage._poly).left_shift(damage._low).truncate(length)


def _most_attacks(damage: Pmf) -> int:
    """As many attacks as a question may be about: fewer where the chances of one attack are very long."""
    return max(1, min(MAX_ATTACKS, MAX_BITS // damage._total.bit_length()))


def untouched(damage: Pmf, hp: int, n: int) -> Fraction:
    """Return the chance that n attacks leave at least 1 hit point.

    >>> untouched(Pmf({0: 1, 1: 1}), 2, 2)
    Fraction(3, 4)
    """
    n = one_whole("n", n, 0, _most_attacks(damage))
    if hp * n * damage._total.bit_length() > MAX_WORK:
        raise refuse("n", n, _("small enough: hp times n times the size of one attack is too much work"))
    power = from_zero(damage, hp).pow_trunc(n, hp) if n else long_polynomial([1])
    return Fraction(int(power(1)), damage._total**n)


class AttacksToFell:
    """The distribution of the number of attacks that take some hit points to 0 or less.

    Names follow ``scipy.stats``; everything but ``std`` is exact.

    Notes
    -----
    Only attacks that take something matter: after n attacks, j of them damaging, the enemy stands with weight
    ``comb(n, j) * idle**(n - j) * light[j]``, where ``idle`` is the weight of no damage and ``light[j]`` that of j
    damaging attacks that take less than ``hp`` together. There are at most ``hp`` such j, so the products of
    distributions are few and every further n is a short sum.

    Examples
    --------
    >>> from d20kit.damage import attack_damage, attacks_to_fell
    >>> needed = attacks_to_fell(attack_damage(7, 18, "2d6", 4), hp=60)
    >>> needed.ppf(Fraction(1, 2)), round(float(needed.mean()), 2)
    (10, 10.96)
    """

    def __init__(self, damage: Pmf, hp: int) -> None:
        self.damage = check_damage(damage)
        self.hp = check_hit_points(hp)
        if not damage.support()[1]:
            raise refuse("damage", damage, _("a Pmf with some damage; this one never takes a hit point"))
        if self.hp**2 * damage._total.bit_length() > MAX_WORK:
            raise refuse("hp", hp, _("smaller: hp squared times the size of one attack is too much work"))
        step = from_zero(damage, self.hp)
        self._most = _most_attacks(damage)
        self._total, self._idle = damage._total, int(step[0])
        self._step = step - self._idle
        self._power = long_polynomial([1])
        self._light = [1]

    def _reach(self, n: Any) -> int:
        """Accept n and extend what is kept up to it."""
        n = max(0, one_whole("n", n, -MAX_ATTACKS, self._most))
        self._extend(n)
        return int(n)

    def _extend(self, most: int) -> None:
        """Keep ``light`` up to j = most, or to the last j that is not 0."""
        while len(self._light) <= most and self._light[-1]:
            self._power = self._power.mul_low(self._step, self.hp)
            self._light.append(int(self._power(1)))

    def _standing(self, n: int) -> int:
        most = min(n, len(self._light) - 1)
        standing, ways = 0, 1
        for j in range(most + 1):
            standing = standing * self._idle + ways * self._light[j]
            ways = ways * (n - j) // (j + 1)
        return int(standing * self._idle ** (n - most))

    def sf(self, n: int) -> Fraction:
        """Chance that n attacks do not suffice."""
        n = self._reach(n)
        return Fraction(self._standing(n), self._total**n)

    def cdf(self, n: int) -> Fraction:
        """Chance that n attacks suffice.

        >>> AttacksToFell(Pmf({0: 1, 1: 1}), 1).cdf(2)
        Fraction(3, 4)
        """
        n = self._reach(n)
        total = self._total**n
        return Fraction(total - self._standing(n), total)

    def pmf(self, n: int) -> Fraction:
        """Chance that the n-th attack is the one that fells.

        >>> AttacksToFell(Pmf({0: 1, 1: 1}), 1).pmf(3)
        Fraction(1, 8)
        """
        n = self._reach(n)
        if not n:
            return Fraction(0)
        return Fraction(self._standing(n - 1) * self._total - self._standing(n), self._total**n)

    def ppf(self, chance: int | float | Fraction) -> int:
        """Smallest number of attacks that suffices with at least this chance, which must be below 1.

        Raises
        ------
        ValueError
            If not even the largest number of attacks that may be asked about suffices: ``MAX_ATTACKS``, or fewer where
            the chances of one attack are very long.

        Examples
        --------
        >>> AttacksToFell(Pmf({0: 1, 1: 1}), 1).ppf(Fraction(15, 16))
        4
        """
        least = exactly(chance)
        if least is None or not 0 <= least < 1:
            raise refuse("chance", chance, _("a number from 0 up to, but not including, 1"), "ppf(0.5)")
        failing = 1 - least
        most = 1
        while not self._suffices(most, failing):
            if most == self._most:
                allowed = _("a chance that {most} attacks reach").format(most=most)
                raise refuse("chance", chance, allowed, _("write a smaller one"))
            most = min(2 * most, self._most)
        return 1 + bisect_left(range(1, most), True, key=lambda n: self._suffices(n, failing))

    def _suffices(self, n: int, failing: Fraction) -> bool:
        """Whether sf(n) is at most a chance; compared in whole numbers, since huge ones are slow to reduce."""
        n = self._reach(n)
        return bool(self._standing(n) * failing.denominator <= failing.numerator * self._total**n)

    def mean(self) -> Fraction:
        """Exact mean number of attacks.

        >>> AttacksToFell(Pmf({0: 1, 1: 1}), 1).mean()
        Fraction(2, 1)
        """
        # the mean is the sum of sf(n) over all n; for each j that is a negative binomial series
        return self._total * self._series(lambda j: self._strikes)

    def var(self) -> Fraction:
        """Exact variance.

        >>> AttacksToFell(Pmf({0: 1, 1: 1}), 1).var()
        Fraction(2, 1)
        """
        # the mean square is the sum of (2n + 1) sf(n)
        linear = self._total * self._series(lambda j: j * self._total + self._idle)
        mean = self.mean()
        return 2 * linear + mean - mean**2

    def std(self) -> float:
        """Return the standard deviation, a float: infinite where no float is so large."""
        return root(self.var())

    @property
    def _strikes(self) -> int:
        """Weight of some damage."""
        return self._total - self._idle

    def _series(self, factor: Callable[[int], int]) -> Fraction:
        """Sum of factor(j) * light[j] / strikes**(j + 2)."""
        self._extend(self.hp)
        value = 0
        for j, light in enumerate(self._light):
            value = value * self._strikes + factor(j) * light
        return Fraction(value, self._strikes ** (len(self._light) + 1))

    def __repr__(self) -> str:
        return f"attacks_to_fell({self.damage!r}, hp={self.hp})"


@rule(
    title=N_("Chance to fell within some attacks"),
    symbol=r"P(\text{felled})",
    why=N_("The damage of the attacks is added up; the enemy is down once the sum reaches its hit points."),
    source=N_("Hit Points"),
    units="chance",
    topic="damage",
)
def fell_within(damage: Pmf, hp: int, n: int) -> Fraction:
    """Return the chance that n attacks take hit points to 0 or less.

    Parameters
    ----------
    damage : Pmf
        Of one attack, misses included, see :func:`attack_damage`.
    hp : int
        Hit points to take, 1 to ``d20kit.felling.MAX_HP``.
    n : int
        Number of attacks, 0 or more.

    Raises
    ------
    ValueError
        If damage can be negative, or the question would be too much work.

    Examples
    --------
    >>> from d20kit.damage import attack_damage, fell_within
    >>> fell_within(attack_damage(4, 15, "2d4", 4), hp=5, n=1)
    Fraction(1, 2)
    """
    return 1 - untouched(check_damage(damage), check_hit_points(hp), n)


@rule(
    title=N_("Attacks needed to fell"),
    symbol=r"N",
    why=N_("Attacks miss, and some take more than was left, so an enemy outlasts its hit points over the mean."),
    source=N_("Hit Points"),
    units="attacks",
    topic="damage",
)
def attacks_to_fell(damage: Pmf, hp: int) -> AttacksToFell:
    """Return the distribution of the number of attacks that take hit points to 0 or less.

    Parameters
    ----------
    damage : Pmf
        Of one attack, misses included, see :func:`attack_damage`.
    hp : int
        Hit points to take.

    Returns
    -------
    AttacksToFell
        With ``pmf(n)``, ``cdf(n)``, ``sf(n)``, ``ppf(chance)`` and exact ``mean()`` and ``var()``; it has no largest
        outcome as long as an attack can miss.

    Raises
    ------
    ValueError
        If damage can be negative or is always 0.

    Examples
    --------
    >>> from d20kit.damage import attack_damage, attacks_to_fell
    >>> attacks_to_fell(attack_damage(4, 15, "2d4", 4), hp=5).mean()
    Fraction(2, 1)
    """
    return AttacksToFell(damage, hp)
