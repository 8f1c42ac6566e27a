"""Damage dice rolled in many battles at once."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

import numpy as np

from d20kit.battle.validate import expression
from d20kit.battle.vector.faces import Faces
from d20kit.dice import Pmf
from d20kit.expression_tree import Combined, Dice, Expression, Negated, Number

# Faces of dice of which some are kept are looked at together, but no more of them than this.
_MOST_FACES = 1 << 20


def roll_damage(damage: str | Pmf, faces: Faces, battles: Any) -> Any:
    """Roll damage dice once in each of these battles, die by die as the expression is read; return the totals.

    >>> import numpy as np
    >>> from d20kit.battle.vector.faces import RandomFaces
    >>> roll_damage("5-(1d1*2)", RandomFaces(1, 0), np.arange(3)).tolist()
    [3, 3, 3]
    """
    if isinstance(damage, Pmf):
        return faces.draw(battles, damage)
    total = _total(expression(damage), faces, battles)
    return np.full(len(battles), total) if isinstance(total, int) else total


@singledispatch
def _total(node: Expression, faces: Faces, battles: Any) -> Any:
    """Return an array of totals, or one whole number where no die is rolled."""
    raise NotImplementedError(type(node).__name__)


@_total.register
def _number(node: Number, faces: Faces, battles: Any) -> Any:
    return node.value


@_total.register
def _dice(node: Dice, faces: Faces, battles: Any) -> Any:
    if node.kept is not None:
        step = max(1, _MOST_FACES // node.count)
        return np.concatenate(
            [_kept(node, node.kept, faces, battles[start : start + step]) for start in range(0, len(battles), step)]
        )
    total = faces.roll(battles, 1, node.sides)[0]
    for _die in range(node.count - 1):
        total = total + faces.roll(battles, 1, node.sides)[0]
    return total


def _kept(node: Dice, kept: int, faces: Faces, battles: Any) -> Any:
    rolled = np.sort(faces.roll(battles, node.count, node.sides), axis=0)
    return (rolled[-kept:] if node.highest else rolled[:kept]).sum(axis=0)


@_total.register
def _negated(node: Negated, faces: Faces, battles: Any) -> Any:
    return -_total(node.inner, faces, battles)


@_total.register
def _combined(node: Combined, faces: Faces, battles: Any) -> Any:
    left, right = (_total(part, faces, battles) for part in (node.left, node.right))
    if node.sign == "*":
        return left * right
    return left + right if node.sign == "+" else left - right
