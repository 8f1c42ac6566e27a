"""A combatant's body before the attacks: what lost Constitution, one blow and healing make of its hit points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from d20kit.abilities import drain
from d20kit.hit_points import DEATH, after_constitution_loss


@dataclass(frozen=True)
class Body:
    """Hit points and Constitution, before and after.

    Attributes
    ----------
    start, full : int
        Hit points and their maximum before anything.
    weakened : int
        Hit points after lost Constitution.
    struck : int
        Those after the blow as well.
    hp, maximum : int
        Those after the healing as well, and the maximum then.
    blow, healing, lost : int
        What was taken, given, and lost of the Constitution score.
    score, constitution_before, constitution : int
        The Constitution score before, and its modifier before and after.
    """

    start: int
    full: int
    weakened: int
    struck: int
    hp: int
    maximum: int
    blow: int
    healing: int
    lost: int
    score: int
    constitution_before: int
    constitution: int


def constitution_score(modifier: int) -> int:
    """Return the lowest score of at least 1 with a modifier.

    >>> constitution_score(2), constitution_score(-5)
    (14, 1)
    """
    return max(1, 10 + 2 * modifier)


def body(values: Mapping[str, Any]) -> Body:
    """Return the body for the values of the controls: first Constitution is lost, then the blow falls, then comes help.

    >>> from d20kit import COURSE
    >>> values = {"maximum": 12, "hp": 7, "constitution": 2, "rules": COURSE}
    >>> body({**values, "blow": 9, "healing": 3, "lost": 0, "hit_dice": 1}).hp
    1
    """
    full, start, blow, healing = values["maximum"], values["hp"], values["blow"], values["healing"]
    score = constitution_score(values["constitution"])
    change = drain({"constitution": score}, constitution=values["lost"])["constitution"]
    maximum, weakened = after_constitution_loss(
        full, full - start, values["hit_dice"], score, change.score, rules=values["rules"]
    )
    struck = weakened - blow
    return Body(
        start=start,
        full=full,
        weakened=weakened,
        struck=struck,
        hp=struck if struck <= DEATH else min(struck + healing, maximum),
        maximum=maximum,
        blow=blow,
        healing=healing,
        lost=values["lost"],
        score=score,
        constitution_before=values["constitution"],
        constitution=change.modifier,
    )
