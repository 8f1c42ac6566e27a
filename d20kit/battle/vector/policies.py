"""Whom to attack, in many battles at once: the ready policies of :mod:`d20kit.battle.policies`."""

from __future__ import annotations

from functools import reduce
from typing import Any

import numpy as np

from d20kit.battle.policies import RANDOM
from d20kit.battle.vector.arena import Arena
from d20kit.battle.vector.roster import DISABLED, Squad


def choose(arena: Arena, squad: Squad, battles: Any) -> Any:
    """Return whom the policy attacks in each of these battles; somebody is able in all of them.

    >>> from d20kit.battle import Encounter
    >>> from d20kit.battle.vector.faces import RandomFaces
    >>> from d20kit.battle.vector.roster import Roster
    >>> arena = Arena(Roster(Encounter.ready("duel")), 3, RandomFaces(1, 0))
    >>> choose(arena, arena.roster.squads[0], np.arange(3)).tolist()
    [1, 1, 1]
    """
    if squad.policy == "first-able":
        return first_able(arena, squad, battles)
    if squad.policy == RANDOM:
        return any_able(arena, squad, battles)
    return of_most(arena, squad, battles, -1 if squad.policy == "weakest" else 1)


def first_able(arena: Arena, squad: Squad, battles: Any) -> Any:
    """Return the first able enemy: the first of those in front of their sides.

    >>> from d20kit.battle import Encounter
    >>> from d20kit.battle.vector.faces import RandomFaces
    >>> from d20kit.battle.vector.roster import Roster
    >>> arena = Arena(Roster(Encounter.ready("boss")), 2, RandomFaces(1, 0))
    >>> arena.lose(np.array([0]), np.array([1]), np.array([100])).tolist()
    [4]
    >>> [arena.roster.combatants[who].name for who in first_able(arena, arena.roster.squads[-1], np.arange(2))]
    ['Fighter', 'Rogue']
    """
    return reduce(np.minimum, (arena.front[side][battles] for side in squad.enemy_sides))


def of_most(arena: Arena, squad: Squad, battles: Any, sign: int) -> Any:
    """Return the first of the able enemies with the most hit points, or, counted with the sign -1, the fewest.

    >>> from d20kit.battle import Encounter
    >>> from d20kit.battle.vector.faces import RandomFaces
    >>> from d20kit.battle.vector.roster import Roster
    >>> arena = Arena(Roster(Encounter.ready("boss")), 1, RandomFaces(1, 0))
    >>> ogre = arena.roster.squads[-1]
    >>> [arena.roster.combatants[of_most(arena, ogre, np.arange(1), sign)[0]].name for sign in (1, -1)]
    ['Fighter', 'Rogue']
    """
    chosen = np.full(len(battles), arena.roster.nobody)
    most = np.full(len(battles), np.iinfo(np.int32).min)
    for enemy in squad.enemies:
        at = arena.at(enemy, battles)
        hp = sign * arena.hp[at]
        better = (arena.state[at] <= DISABLED) & (hp > most)
        chosen[better], most[better] = enemy, hp[better]
    return chosen


def any_able(arena: Arena, squad: Squad, battles: Any) -> Any:
    """Return any able enemy, each as likely.

    >>> from d20kit.battle import Encounter
    >>> from d20kit.battle.vector.faces import RandomFaces
    >>> from d20kit.battle.vector.roster import Roster
    >>> arena = Arena(Roster(Encounter.ready("boss")), 1_000, RandomFaces(1, 0))
    >>> ogre = arena.roster.squads[-1]
    >>> set(any_able(arena, ogre, np.arange(1_000)).tolist()) == set(ogre.enemies)
    True
    """
    able = arena.state[arena.at(np.array(squad.enemies)[:, None], battles)] <= DISABLED
    chosen = arena.faces.choose(battles, able.sum(axis=0))
    return np.array(squad.enemies)[(able.cumsum(axis=0) > chosen).argmax(axis=0)]
