"""Whom to attack, in many battles at once: the ready policies of :mod:`d20kit.battle.policies`."""

from __future__ import annotations

from functools import reduce
from typing import Any

import numpy as np

from d20kit.battle.policies import RANDOM
from d20kit.battle.vector.arena import Arena
from d20kit.battle.vector.roster import DISABLED, Squad


def choose(arena: Arena, squad: Squad, battles: Any) -> Any:
    """Return whom the policy attacks in each of these battles; somebody is able in all of them."""
    if squad.policy == "first-able":
        return first_able(arena, squad, battles)
    if squad.policy == RANDOM:
        return any_able(arena, squad, battles)
    return of_most(arena, squad, battles, -1 if squad.policy == "weakest" else 1)


def first_able(arena: Arena, squad: Squad, battles: Any) -> Any:
    """Return the first able enemy: the first of those in front of their sides."""
    return reduce(np.minimum, (arena.front[side][battles] for side in squad.enemy_sides))


def of_most(arena: Arena, squad: Squad, battles: Any, sign: int) -> Any:
    """Return the first of the able enemies with the most hit points, or, counted with the sign -1, the fewest."""
    chosen = np.full(len(battles), arena.roster.nobody)
    most = np.full(len(battles), np.iinfo(np.int32).min)
    for enemy in squad.enemies:
        at = arena.at(enemy, battles)
        hp = sign * arena.hp[at]
        better = (arena.state[at] <= DISABLED) & (hp > most)
        chosen[better], most[better] = enemy, hp[better]
    return chosen


def any_able(arena: Arena, squad: Squad, battles: Any) -> Any:
    """Return any able enemy, each as likely."""
    able = arena.state[arena.at(np.array(squad.enemies)[:, None], battles)] <= DISABLED
    chosen = arena.faces.choose(battles, able.sum(axis=0))
    return np.array(squad.enemies)[(able.cumsum(axis=0) > chosen).argmax(axis=0)]
