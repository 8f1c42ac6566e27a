"""Distributions against two other libraries, which count in other ways: every chance must be exactly the same."""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import pytest

from d20kit import COURSE, SRD35, Pmf, d, parse
from d20kit.damage import attack_damage, attacks_to_fell, fell_within, hit_damage
from d20kit.initiative import pair_chances

CONFIRM = COURSE.replace(critical="confirm")


class Icepool:
    """How icepool says what the tables below ask for; n @ die, + - * are the same in all libraries."""

    def __init__(self, library: Any) -> None:
        self.library = library

    def d(self, sides: int) -> Any:
        return self.library.d(sides)

    def keep(self, count: int, sides: int, kept: int, highest: bool) -> Any:
        die = self.d(sides)
        return die.highest(count, kept) if highest else die.lowest(count, kept)

    def clip(self, die: Any, low: int, high: int) -> Any:
        return die.clip(low, high)

    def one_of(self, parts: list[Any]) -> Any:
        return self.library.Die(parts)

    def compare(self, one: Any, name: str, other: Any) -> Fraction:
        chance: Fraction = getattr(operator, name)(one, other).probability(True)
        return chance

    def table(self, die: Any) -> dict[int, Fraction]:
        return {outcome: Fraction(count, die.denominator()) for outcome, count in die.items() if count}


class Dyce:
    """The same for dyce."""

    def __init__(self, library: Any) -> None:
        self.library = library

    def d(self, sides: int) -> Any:
        return self.library.H(sides)

    def keep(self, count: int, sides: int, kept: int, highest: bool) -> Any:
        pool = count @ self.library.P(sides)
        return pool.at(slice(-kept, None) if highest else slice(kept))

    def clip(self, die: Any, low: int, high: int) -> Any:
        return die.apply(lambda outcome: min(max(outcome, low), high))

    def one_of(self, parts: list[Any]) -> Any:
        from dyce.h import aggregate_weighted

        return aggregate_weighted((part, 1) for part in parts)

    def compare(self, one: Any, name: str, other: Any) -> Fraction:
        return self.table(getattr(one, name)(other)).get(True, Fraction(0))

    def table(self, histogram: Any) -> dict[int, Fraction]:
        return {outcome: Fraction(count, histogram.total) for outcome, count in histogram.items() if count}


@pytest.fixture(params=[("icepool", Icepool), ("dyce", Dyce)], ids=["icepool", "dyce"])
def peer(request: pytest.FixtureRequest) -> Any:
    """One of the two libraries; without it the test is skipped and says so."""
    name, adapter = request.param
    return adapter(pytest.importorskip(name, reason=f"{name} is not installed; it is in the dependency group bench"))


SUMS: dict[str, Callable[[Any], Any]] = {
    "2d6+3": lambda peer: 2 @ peer.d(6) + 3,
    "8d6": lambda peer: 8 @ peer.d(6),
    "20d20": lambda peer: 20 @ peer.d(20),
    "60d6": lambda peer: 60 @ peer.d(6),
    "d%": lambda peer: peer.d(100),
    "3d4+2d8-5": lambda peer: 3 @ peer.d(4) + 2 @ peer.d(8) - 5,
    "d20-d20": lambda peer: peer.d(20) - peer.d(20),
    "7-2d4": lambda peer: -(2 @ peer.d(4)) + 7,
    "d8*2": lambda peer: peer.d(8) * 2,
    "(2d6+1)*3-d4": lambda peer: (2 @ peer.d(6) + 1) * 3 - peer.d(4),
    "-2*d6": lambda peer: peer.d(6) * -2,
    "(d6-3)*d4": lambda peer: (peer.d(6) - 3) * peer.d(4),
    "4d6kh3": lambda peer: peer.keep(4, 6, 3, highest=True),
    "2d20kh1": lambda peer: peer.keep(2, 20, 1, highest=True),
    "2d20kl1": lambda peer: peer.keep(2, 20, 1, highest=False),
    "5d8kh2": lambda peer: peer.keep(5, 8, 2, highest=True),
    "6d4kl4": lambda peer: peer.keep(6, 4, 4, highest=False),
    "4d6kh3+2d20kl1": lambda peer: peer.keep(4, 6, 3, highest=True) + peer.keep(2, 20, 1, highest=False),
}


@pytest.mark.parametrize("expression", SUMS)
def test_expressions(peer: Any, expression: str) -> None:
    """Sums, differences, multiples and kept dice must have the table that another library finds."""
    assert dict(parse(expression).items()) == peer.table(SUMS[expression](peer))


@pytest.mark.parametrize(("low", "high"), [(1, 100), (-100, 4), (2, 5), (-100, 100)])
def test_clip(peer: Any, low: int, high: int) -> None:
    """Outcomes held between two ends pile up there in both libraries alike."""
    ours = (2 @ d(4) - 3).clip(low, high)
    assert dict(ours.items()) == peer.table(peer.clip(2 @ peer.d(4) - 3, low, high))


COMPARED: dict[str, tuple[Pmf, Pmf | int, Callable[[Any], tuple[Any, Any]]]] = {
    "2d6 and d12": (2 @ d(6), d(12), lambda peer: (2 @ peer.d(6), peer.d(12))),
    "d20+5 and d20": (d(20) + 5, d(20), lambda peer: (peer.d(20) + 5, peer.d(20))),
    "d4 and d20+9": (d(4), d(20) + 9, lambda peer: (peer.d(4), peer.d(20) + 9)),
    "3d6 and 11": (3 @ d(6), 11, lambda peer: (3 @ peer.d(6), 11)),
}


@pytest.mark.parametrize("names", COMPARED)
def test_comparisons(peer: Any, names: str) -> None:
    """At least, above and equal come from one difference here and from all pairs there."""
    one, other, build = COMPARED[names]
    left, right = build(peer)
    assert one.chance_at_least(other) == peer.compare(left, "ge", right)
    assert one.chance_above(other) == peer.compare(left, "gt", right)
    assert one.chance_equal(other) == peer.compare(left, "eq", right)


@pytest.mark.parametrize(("a", "b"), [(2, 1), (0, 0), (-3, 4), (12, -9)])
def test_initiative_pairs(peer: Any, a: int, b: int) -> None:
    """The formula for two initiative rolls must agree with two rolled d20s."""
    left, right = peer.d(20) + a, peer.d(20) + b
    assert pair_chances(a, b) == tuple(peer.compare(left, name, right) for name in ("gt", "eq", "lt"))


def _faces(bonus: int, ac: int, threat: int, hit: Any, critical: Any, one_of: Callable[[list[Any]], Any]) -> Any:
    """Roll an attack face by face, and the confirming roll face by face too."""

    def lands(face: int) -> bool:
        return face == 20 or (face > 1 and face + bonus >= ac)

    def outcome(face: int) -> Any:
        if not lands(face):
            return 0
        return one_of([critical if lands(second) else hit for second in range(1, 21)]) if face >= threat else hit

    return one_of([outcome(face) for face in range(1, 21)])


def _natural_20(bonus: int, ac: int, hit: Any, critical: Any, one_of: Callable[[list[Any]], Any]) -> Any:
    faces = [critical if face == 20 else hit if face > 1 and face + bonus >= ac else 0 for face in range(1, 21)]
    return one_of(faces)


def _longsword(peer: Any) -> Any:
    return _natural_20(7, 18, 2 @ peer.d(6) + 4, (2 @ peer.d(6) + 4) * 2, peer.one_of)


def _weak(peer: Any) -> Any:
    hit, critical = peer.d(4) - 2, peer.d(4) * 3 - 6
    return _natural_20(-3, 25, peer.clip(hit, 1, 99), peer.clip(critical, 1, 99), peer.one_of)


def _keen(peer: Any) -> Any:
    return _faces(5, 15, 18, peer.d(6) + 2, (peer.d(6) + 2) * 2, peer.one_of)


def _rolled_again(peer: Any) -> Any:
    return _faces(5, 24, 18, peer.d(8) + 3, 3 @ (peer.d(8) + 3), peer.one_of)


def _sneak(peer: Any) -> Any:
    bonus_dice = 3 @ peer.d(6)
    return _natural_20(9, 13, peer.d(4) + 1 + bonus_dice, (peer.d(4) + 1) * 2 + bonus_dice, peer.one_of)


ROLL_AGAIN = CONFIRM.replace(critical_damage="roll-again")
ATTACKS: dict[str, tuple[Callable[[], Pmf], Callable[[Any], Any]]] = {
    "natural 20 doubles": (partial(attack_damage, 7, 18, "2d6", 4), _longsword),
    "weak arm, only a 20 hits": (partial(attack_damage, -3, 25, "1d4", -2, multiplier=3), _weak),
    "threat confirmed": (partial(attack_damage, 5, 15, "1d6", 2, threat=18, rules=CONFIRM), _keen),
    "threat wider than the hits": (
        partial(attack_damage, 5, 24, "1d8", 3, threat=18, multiplier=3, rules=ROLL_AGAIN),
        _rolled_again,
    ),
    "bonus dice stay single": (partial(attack_damage, 9, 13, "1d4", 1, extra="3d6"), _sneak),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_attacks(peer: Any, name: str) -> None:
    """The mixture of miss, hit and critical must be what rolling face by face gives, once and ten times over."""
    ours, build = ATTACKS[name]
    theirs = build(peer)
    assert dict(ours().items()) == peer.table(theirs)
    assert dict((10 @ ours()).items()) == peer.table(10 @ theirs)


@pytest.mark.parametrize("hp", [1, 9, 37])
def test_attacks_to_fell(peer: Any, hp: int) -> None:
    """The shortcut over damaging attacks must agree with whole sums of n attacks."""
    ours, attack = attack_damage(7, 18, "2d6", 4), _longsword(peer)
    needed = attacks_to_fell(ours, hp)
    for n in (1, 2, 5, 12):
        within = peer.compare(n @ attack, "ge", hp)
        assert needed.cdf(n) == fell_within(ours, hp, n) == within


def test_moments() -> None:
    """icepool has exact means and variances too."""
    icepool = pytest.importorskip("icepool", reason="icepool is not installed; it is in the dependency group bench")
    for ours, theirs in (
        (parse("4d6kh3"), icepool.d(6).highest(4, 3)),
        (hit_damage("2d6", 4, rules=SRD35), 2 @ icepool.d(6) + 4),
        (attack_damage(7, 18, "2d6", 4), _longsword(Icepool(icepool))),
    ):
        assert (ours.mean(), ours.var()) == (theirs.mean(), theirs.variance())
