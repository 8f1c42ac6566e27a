"""Distributions against two other libraries, which count in other ways: every chance must be exactly the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import pytest

from d20kit import COURSE, SRD35, Pmf, d, parse
from d20kit.attack import outcome_chances
from d20kit.damage import attack_damage, attacks_to_fell, critical_damage, fell_within
from d20kit.initiative import pair_chances

Table = dict[int, Fraction]


def _absent(library: str) -> str:
    return f"{library} is not installed; it belongs to the dependency group bench"


class Icepool:
    """How icepool says what the tables below ask for."""

    def __init__(self) -> None:
        self.library = pytest.importorskip("icepool", reason=_absent("icepool"))

    def d(self, sides: int) -> Any:
        return self.library.Die(range(1, sides + 1))

    def keep(self, count: int, sides: int, kept: int, highest: bool) -> Any:
        die = self.d(sides)
        return die.highest(count, kept) if highest else die.lowest(count, kept)

    def least(self, die: Any, low: int) -> Any:
        return die.clip(low)

    def mixture(self, parts: Mapping[int, Any]) -> Any:
        """Weights that are multiples of 1/400, and the distribution each belongs to."""
        return self.library.Die(list(parts.values()), times=list(parts))

    def table(self, die: Any) -> Table:
        return {outcome: Fraction(count, die.denominator()) for outcome, count in die.items() if count}


class Dyce:
    """The same for dyce."""

    def __init__(self) -> None:
        self.library = pytest.importorskip("dyce", reason=_absent("dyce"))

    def d(self, sides: int) -> Any:
        return self.library.H(sides)

    def keep(self, count: int, sides: int, kept: int, highest: bool) -> Any:
        return (count @ self.library.P(sides)).h(slice(-kept, None) if highest else slice(kept))

    def least(self, die: Any, low: int) -> Any:
        return self.library.H.from_counts((max(outcome, low), count) for outcome, count in die.items())

    def mixture(self, parts: Mapping[int, Any]) -> Any:
        total = Fraction(1)
        for _weight, part in parts.items():
            total *= _total(part)
        counts = [
            {outcome: int(weight * total / _total(part)) * count for outcome, count in _counts(part).items()}
            for weight, part in parts.items()
        ]
        return self.library.H.from_counts(*counts)

    def table(self, die: Any) -> Table:
        return {outcome: Fraction(count, die.total) for outcome, count in die.items() if count}


def _counts(part: Any) -> Mapping[int, int]:
    return {part: 1} if isinstance(part, int) else part


def _total(part: Any) -> int:
    return sum(_counts(part).values())
