"""How many attacks it takes, and who wins a duel: fast sums against step-by-step twins."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from d20kit import COURSE, SRD35, Pmf, Ruleset, d
from d20kit.damage import attack_damage, attacks_to_fell, duel_chance, fell_within

damages = (
    st.dictionaries(st.integers(0, 6), st.integers(0, 4), min_size=1, max_size=4)
    .filter(lambda chances: any(weight for points, weight in chances.items() if points))
    .map(Pmf)
)


def standing(damage: Pmf, hp: int, n: int) -> Fraction:
    """The slow twin: hit points are taken attack by attack."""
    left = {hp: Fraction(1)}
    for _attack in range(n):
        after: dict[int, Fraction] = {}
        for points, chance in left.items():
            for taken, one in damage.items():
                if points > taken:
                    after[points - taken] = after.get(points - taken, Fraction(0)) + chance * one
        left = after
    return sum(left.values(), Fraction(0))


@cache
def moments(damage: Pmf, hp: int) -> tuple[Fraction, Fraction]:
    """Another slow twin: mean and mean square by what the first attack leaves."""
    if hp <= 0:
        return Fraction(0), Fraction(0)
    idle = damage.pmf(0)
    mean = square = Fraction(1)
    for taken, chance in damage.items():
        if taken:
            next_mean, next_square = moments(damage, hp - taken)
            mean += chance * next_mean
            square += chance * (2 * next_mean + next_square)
    mean /= 1 - idle
    return mean, (square + 2 * idle * mean) / (1 - idle)


@settings(max_examples=60)
@given(damages, st.integers(1, 14), st.integers(0, 7))
def test_against_step_by_step(damage: Pmf, hp: int, n: int) -> None:
    """Both fast ways agree with taking hit points one attack at a time."""
    stands = standing(damage, hp, n)
    needed = attacks_to_fell(damage, hp)
    assert fell_within(damage, hp, n) == needed.cdf(n) == 1 - stands
    assert needed.sf(n) == stands
    assert needed.pmf(n) == (standing(damage, hp, n - 1) - stands if n else 0)


@settings(max_examples=60)
@given(damages, st.integers(1, 20))
def test_moments(damage: Pmf, hp: int) -> None:
    """The closed sums agree with asking what the first attack leaves."""
    needed = attacks_to_fell(damage, hp)
    mean, square = moments(damage, hp)
    assert needed.mean() == mean
    assert needed.var() == square - mean**2
    assert needed.std() == pytest.approx(float(needed.var()) ** 0.5)


@given(damages, st.integers(1, 14), st.fractions(0, Fraction(49, 50), max_denominator=50))
def test_quantile(damage: Pmf, hp: int, chance: Fraction) -> None:
    """The quantile is the first number of attacks that is enough."""
    needed = attacks_to_fell(damage, hp)
    found = needed.ppf(chance)
    assert needed.cdf(found) >= chance
    assert found == 1 or needed.cdf(found - 1) < chance


def test_quantile_of_a_long_wait() -> None:
    """Searching far costs few questions, and the end of the search is exact."""
    needed = attacks_to_fell(Pmf({0: 999, 1: 1}), 1)
    found = needed.ppf(Fraction(999, 1000))
    assert needed.cdf(found - 1) < Fraction(999, 1000) <= needed.cdf(found)
    assert found == 6905


def test_order_of_questions_does_not_matter() -> None:
    """What is kept between questions never changes an answer."""
    damage = attack_damage(7, 18, "2d6", 4)
    late, early = attacks_to_fell(damage, 60), attacks_to_fell(damage, 60)
    backwards = [late.cdf(n) for n in range(40, -1, -1)][::-1]
    mean_first = (early.mean(), [early.cdf(n) for n in range(41)])
    assert mean_first == (late.mean(), backwards)


def test_damage_that_never_misses() -> None:
    """Without misses the number of attacks is bounded and the weight of no damage is 0."""
    needed = attacks_to_fell(d(6) + 1, 10)
    assert needed.cdf(1) == 0
    assert needed.cdf(5) == 1
    assert needed.pmf(-3) == 0
    assert needed.sf(-1) == 1
    assert repr(needed) == "attacks_to_fell(Pmf({2: 1, 3: 1, 4: 1, 5: 1, 6: 1, 7: 1}), hp=10)"


def duel(damage: Pmf, hp: int, enemy_damage: Pmf, enemy_hp: int) -> float:
    """The slow twin: n attacks of the first and at least as many still missing for the second."""
    chance, n = 0.0, 1
    mine, other = attacks_to_fell(damage, enemy_hp), attacks_to_fell(enemy_damage, hp)
    while mine.sf(n - 1) * other.sf(n - 1) > Fraction(1, 10**9):
        chance += float(mine.pmf(n) * other.sf(n - 1))
        n += 1
    return chance


@pytest.mark.parametrize(("hp", "enemy_hp", "rules"), [(1, 1, COURSE), (5, 9, COURSE), (9, 4, SRD35), (12, 12, SRD35)])
def test_duel_against_the_sum_over_rounds(hp: int, enemy_hp: int, rules: Ruleset) -> None:
    """The exact recursion and the sum over rounds are two ways to the same chance."""
    mine = attack_damage(5, 14, "1d8", 2, rules=rules)
    other = attack_damage(3, 16, "2d4", rules=rules)
    assert float(duel_chance(mine, hp, other, enemy_hp)) == pytest.approx(duel(mine, hp, other, enemy_hp), abs=1e-6)


def test_duel_of_the_harmless() -> None:
    """Who cannot be hurt wins; if neither can be hurt there is no winner."""
    harmless, sure = Pmf({0: 1}), Pmf({3: 1})
    assert duel_chance(sure, 1, harmless, 7) == 1
    assert duel_chance(harmless, 1, sure, 7) == 0
    assert duel_chance(sure, 4, sure, 7) == 0
    assert duel_chance(sure, 4, sure, 6) == 1
    with pytest.raises(ValueError, match="neither ever takes"):
        duel_chance(harmless, 1, harmless, 1)


ATTACK = Pmf({0: 1, 2: 1})


def rare(bits: int) -> Pmf:
    """An attack whose chances are fractions of so many bits."""
    return Pmf({0: 2 ** (bits - 1), 1: 1})


def test_the_ends_of_every_range_are_allowed() -> None:
    """What a refusal calls allowed must be: the most hit points, attacks, work and positions of a duel."""
    assert fell_within(ATTACK, 10_000, 1) == 0
    assert fell_within(ATTACK, 1, 10_000) == 1 - Fraction(1, 2**10_000)
    assert fell_within(rare(500), 10_000, 10) == 0  # 50,000,000 bits moved
    assert fell_within(rare(600_000), 1, 1) == Fraction(1, 2**599_999 + 1)
    assert attacks_to_fell(ATTACK, 5000).hp == 5000
    assert attacks_to_fell(ATTACK, 1).sf(-10_000) == 1
    assert duel_chance(Pmf({100: 1}), 100, ATTACK, 100) == 1
    assert 0 < duel_chance(rare(2500), 100, Pmf({0: 1, 100: 1}), 100) < Fraction(1, 2**2000)  # the most work


def test_the_work_of_a_duel_counts_blows_that_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    """A miss moves nothing and a blow that ends it is one product, so neither makes a duel too long."""
    strike, reply = Pmf({0: 1, 1: 1, 2: 1}), Pmf({0: 1, 1: 1, 2: 1, 3: 1})
    bits = 3 * 2 * (1 + 3) * (3 + 2) * 4  # two blows of the reply and one of the strike; 11 has four bits
    monkeypatch.setattr("d20kit.duel.MAX_WORK", bits)
    assert 0 < duel_chance(strike, 3, reply, 2) < 1
    monkeypatch.setattr("d20kit.duel.MAX_WORK", bits - 1)
    with pytest.raises(ValueError, match="too much work"):
        duel_chance(strike, 3, reply, 2)


def test_a_quantile_of_nothing_is_one_attack() -> None:
    """No chance at all is reached by the first attack, even where no second may be asked about."""
    assert attacks_to_fell(ATTACK, 1).ppf(0) == 1
    assert attacks_to_fell(rare(600_000), 1).ppf(0) == 1


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: fell_within(ATTACK, 0, 1), "hp is 0"),
        (lambda: fell_within(ATTACK, 5, -1), "n is -1"),
        (lambda: fell_within(ATTACK, 5, 1.5), "n is 1.5"),  # type: ignore[arg-type]
        (lambda: fell_within(ATTACK - 1, 5, 1), "without negative outcomes"),
        (lambda: fell_within("1d8", 5, 1), "must be a Pmf"),  # type: ignore[arg-type]
        (lambda: fell_within(ATTACK, 10_000, 10_000), "too much work"),
        (lambda: attacks_to_fell(Pmf({0: 1}), 5), "never takes a hit point"),
        (lambda: attacks_to_fell(ATTACK, 10**6), "hp is 1000000"),
        (lambda: attacks_to_fell(attack_damage(5, 15, "4d12"), 10_000), "too much work"),
        (lambda: attacks_to_fell(ATTACK, 5).cdf(10**6), "n is 1000000"),
        (lambda: fell_within(ATTACK, 10_001, 1), "hp is 10001, but must be a whole number from 1 to 10000"),
        (lambda: fell_within(ATTACK, 1, 10_001), "n is 10001, but must be a whole number from 0 to 10000"),
        (lambda: fell_within(rare(501), 10_000, 10), "too much work"),
        (lambda: fell_within(rare(50_000), 1, 11), "from 0 to 10"),
        (lambda: fell_within(rare(166_667), 1, 3), "from 0 to 2"),
        (lambda: fell_within(rare(600_000), 1, 2), "from 0 to 1"),
        (lambda: fell_within(rare(19), 2217, 1187), "too much work"),  # 50,000,001 bits moved
        (lambda: attacks_to_fell(ATTACK, 5001), "too much work"),
        (lambda: attacks_to_fell(ATTACK, 5).sf(-10_001), "n is -10001"),
        (lambda: attacks_to_fell(ATTACK, 5).ppf(1), "chance is 1, but must be a number from 0 up to"),
        (lambda: attacks_to_fell(d(6), 5).ppf(1), "chance is 1, but must be a number from 0 up to"),
        (lambda: attacks_to_fell(ATTACK, 5).ppf(1.5), "chance is 1.5, but must be a number from 0 up to"),
        (lambda: attacks_to_fell(ATTACK, 5).ppf(-0.5), "chance is -0.5, but must be a number from 0 up to"),
        (lambda: attacks_to_fell(ATTACK, 5).ppf(False), "chance is False, but must be a number from 0 up to"),
        (lambda: attacks_to_fell(ATTACK, 5).ppf("half"), "chance is 'half'"),  # type: ignore[arg-type]
        (lambda: attacks_to_fell(Pmf({0: 10**6, 1: 1}), 10).ppf(Fraction(1, 2)), "that 10000 attacks reach"),
        (lambda: attacks_to_fell(Pmf({0: 10**400, 1: 1}), 10).ppf(Fraction(1, 2)), "that 376 attacks reach"),
        (lambda: attacks_to_fell(Pmf({0: 10**400, 1: 1}), 10).cdf(9999), "to 376"),
        (lambda: fell_within(Pmf({0: 10**400, 1: 1}), 10, 9999), "to 376"),
        (lambda: duel_chance(ATTACK, 1000, ATTACK, 1000), "at most 10000"),
        (lambda: duel_chance(ATTACK, 73, ATTACK, 137), "at most 10000"),
        (
            lambda: duel_chance(attack_damage(5, 15, "8d6"), 100, attack_damage(5, 15, "8d6"), 100),
            "the attacks is too much",
        ),
        (lambda: duel_chance(rare(30_000), 1, Pmf({0: 1, 1: 1}), 10_000), "the attacks is too much"),
        (lambda: duel_chance(rare(2501), 100, Pmf({0: 1, 100: 1}), 100), "the attacks is too much"),
        (lambda: duel_chance(rare(250_001), 1, ATTACK, 1), "the attacks is too much"),
    ],
)
def test_refusals(make: Callable[..., Any], said: str) -> None:
    """Questions without meaning, or with too much work, are refused before any of it."""
    with pytest.raises(ValueError, match=re.escape(said)):
        make()


def test_arrays_are_refused_where_one_number_is_meant() -> None:
    """A curve over n is a loop of cheap calls; an array here would hide a mistake."""
    numpy = pytest.importorskip("numpy")
    with pytest.raises(ValueError, match="one whole number"):
        fell_within(ATTACK, 5, numpy.array([1, 2]))
