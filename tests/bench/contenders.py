"""The same distributions worked out by d20kit, icepool and dyce, each in its library's quickest spelling.

No library may look up what it worked out before: every call starts from new dice. For icepool this means
``Die(range(1, 7))``, because ``icepool.d(6)`` is one object for the whole program that remembers its sums; for d20kit
it means ``2 @ d(6)`` instead of ``"2d6"``, whose reading is remembered. dyce remembers nothing between objects.
Every function reads exact chances out of its result, as ``Fraction``, and all libraries must return the same.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import accumulate, repeat
from typing import Any

BONUS, ARMOR_CLASS, SUMS, HP, ROUNDS = 7, 18, 50, 60, 60

Chances = list[Fraction]
Contenders = dict[str, Callable[[], Chances]]


def _faces() -> tuple[int, int, int]:
    """Count the faces that miss, hit and are doubled, for the libraries that know no attack rolls."""
    hits = min(max(21 + BONUS - ARMOR_CLASS, 1), 19)
    return 20 - hits, hits - 1, 1


def dice(count: int, sides: int, bonus: int = 0) -> Contenders:
    """Ask for dice added up, with the chance of a total near the middle."""
    from dyce import H
    from icepool import Die

    from d20kit import d

    middle = count * (sides + 1) // 2 + bonus

    def kit() -> Chances:
        return [(count @ d(sides) + bonus).pmf(middle)]

    def icepool() -> Chances:
        return [(count @ Die(range(1, sides + 1)) + bonus).probability(middle)]

    def dyce() -> Chances:
        return [_chance(count @ H(sides) + bonus, middle)]

    return {"d20kit": kit, "icepool": icepool, "dyce": dyce}


def attack() -> Contenders:
    """Ask for one attack: a d20 + 7 against AC 18, 2d6 + 4, doubled on a 20; the chance of 12 damage."""
    return {
        "d20kit": lambda: [_kit_attack().pmf(12)],
        "icepool": lambda: [_icepool_attack().probability(12)],
        "dyce": lambda: [_chance(_dyce_attack(), 12)],
    }


def sums() -> Contenders:
    """Ask for the sums of 1 to 50 such attacks, all kept; the chance of exactly 60 damage from each."""
    return {
        "d20kit": lambda: [total.pmf(HP) for total in _running(_kit_attack())],
        "icepool": lambda: [total.probability(HP) for total in _running(_icepool_attack())],
        "dyce": lambda: [_chance(total, HP) for total in _running(_dyce_attack())],
    }


def rounds() -> Contenders:
    """Ask for the rounds until 60 hit points are gone; the chance that n rounds suffice, for n from 1 to 60.

    icepool's own ``time_to_sum`` takes more than ten times as long as the sums held down to 60 that stand for it here.
    """
    from dyce import H

    from d20kit.damage import attacks_to_fell

    def kit() -> Chances:
        needed = attacks_to_fell(_kit_attack(), HP)
        return [needed.cdf(n) for n in range(1, ROUNDS + 1)]

    def icepool() -> Chances:
        taken = _steps(_icepool_attack(), lambda total, one: (total + one).clip(0, HP))
        return [total.probability(HP) for total in taken]

    def dyce() -> Chances:
        taken = _steps(
            _dyce_attack(),
            lambda total, one: H.from_counts((min(outcome, HP), count) for outcome, count in (total + one).items()),
        )
        return [_chance(total, HP) for total in taken]

    return {"d20kit": kit, "icepool": icepool, "dyce": dyce}


def _kit_attack() -> Any:
    from d20kit import d
    from d20kit.damage import attack_damage

    return attack_damage(BONUS, ARMOR_CLASS, 2 @ d(6), 4)


def _icepool_attack() -> Any:
    from icepool import Die

    weapon = 2 @ Die(range(1, 7)) + 4
    return Die([0, weapon, weapon * 2], times=_faces())


def _dyce_attack() -> Any:
    from dyce import H

    weapon = 2 @ H(6) + 4
    miss, hit, doubled = _faces()
    return H.from_counts(
        {0: miss * weapon.total},
        {outcome: hit * count for outcome, count in weapon.items()},
        {2 * outcome: doubled * count for outcome, count in weapon.items()},
    )


def _running(one: Any) -> list[Any]:
    return _steps(one, lambda total, again: total + again, SUMS)


def _steps(one: Any, step: Callable[[Any, Any], Any], count: int = ROUNDS) -> list[Any]:
    return list(accumulate(repeat(one, count), step))


def _chance(histogram: Any, outcome: int) -> Fraction:
    return Fraction(histogram.get(outcome, 0), histogram.total)
