"""One attack in each of many battles: its roll, perhaps a confirming roll, its damage, and what that does."""

from __future__ import annotations

from typing import Any

import numpy as np

from d20kit.battle.vector.arena import Arena
from d20kit.battle.vector.dice import roll_damage
from d20kit.battle.vector.roster import CRITICAL, DEAD, HIT, MISS, THREAT, Blow
from d20kit.damage import MINIMUM, rolls_needed
from d20kit.hit_points import MASSIVE_DAMAGE


def strike(arena: Arena, blow: Blow, targets: Any, battles: Any) -> None:
    """Roll one attack in each of these battles and let it take effect.

    >>> from d20kit.battle import Encounter
    >>> from d20kit.battle.vector.faces import RandomFaces
    >>> from d20kit.battle.vector.roster import Roster
    >>> arena = Arena(Roster(Encounter.ready("duel")), 1_000, RandomFaces(1, 0))
    >>> strike(arena, arena.roster.squads[0].blows[0], np.full(1_000, 1), np.arange(1_000))
    >>> red, blue = arena.hp.reshape(2, -1)
    >>> bool((red == 19).all()), bool((blue < 19).any())
    (True, True)
    """
    outcome = _attack_roll(arena, blow, targets, battles)
    hit = np.flatnonzero(outcome != MISS)
    if blow.attack.damage is None or not hit.size:
        return
    targets, battles = targets[hit], battles[hit]
    damage = _damage_roll(arena, blow, outcome[hit] == CRITICAL, battles)
    if blow.saved is not None:
        face = _d20(arena, battles)
        damage = np.where(blow.saved[targets, face], blow.left[damage], damage)
        hurt = np.flatnonzero(damage)
        targets, battles, damage = targets[hurt], battles[hurt], damage[hurt]
    new = arena.lose(targets, battles, damage)
    if arena.roster.rules.massive_damage:
        heavy = np.flatnonzero((damage >= MASSIVE_DAMAGE) & (new != DEAD))
        _massive_damage(arena, targets[heavy], battles[heavy])


def _d20(arena: Arena, battles: Any) -> Any:
    return arena.faces.roll(battles, 1, 20)[0]


def _attack_roll(arena: Arena, blow: Blow, targets: Any, battles: Any) -> Any:
    flat_footed = arena.flat_footed[arena.at(targets, battles)]
    outcome = blow.outcome(targets, flat_footed, _d20(arena, battles))
    threat = np.flatnonzero(outcome == THREAT)
    if threat.size:
        confirm = _d20(arena, battles[threat])
        confirmed = blow.outcome(targets[threat], flat_footed[threat], confirm) != MISS
        outcome[threat] = np.where(confirmed, CRITICAL, HIT)
    return outcome


def _damage_roll(arena: Arena, blow: Blow, critical: Any, battles: Any) -> Any:
    attack = blow.attack
    assert attack.damage is not None
    damage = roll_damage(attack.damage, arena.faces, battles)
    multiplied = np.flatnonzero(critical)
    if multiplied.size:
        damage = damage.copy()
        rolls = rolls_needed(attack.multiplier, rules=arena.roster.rules)
        for _again in range(rolls - 1):
            damage[multiplied] += roll_damage(attack.damage, arena.faces, battles[multiplied])
        if rolls == 1:
            damage[multiplied] *= attack.multiplier
    if attack.extra is not None:
        damage = damage + roll_damage(attack.extra, arena.faces, battles)
    return np.maximum(MINIMUM, damage)


def _massive_damage(arena: Arena, targets: Any, battles: Any) -> None:
    if not battles.size:
        return
    fails = ~arena.roster.massive_saves[targets, _d20(arena, battles)]
    targets, battles = targets[fails], battles[fails]
    arena.become(targets, battles, np.full(len(battles), DEAD))
