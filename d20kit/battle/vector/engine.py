"""The order of many battles at once, as the rules tell it."""

from __future__ import annotations

from typing import Any

import numpy as np

from d20kit.battle.engine import ROUND_LIMIT
from d20kit.battle.vector.arena import UNDECIDED, Arena
from d20kit.battle.vector.faces import Faces
from d20kit.battle.vector.order import Initiative
from d20kit.battle.vector.roster import DEAD, DISABLED, DYING, Roster
from d20kit.battle.vector.turn import take_turns
from d20kit.initiative import surprise_round


def fight(roster: Roster, battles: int, faces: Faces) -> Arena:
    """Fight a block of battles to their ends: surprise round, initiative, rounds; return how everything stands then.

    >>> from d20kit.battle import Encounter
    >>> from d20kit.battle.vector.faces import RandomFaces
    >>> arena = fight(Roster(Encounter.ready("duel")), 1_000, RandomFaces(1, 0))
    >>> bool((arena.winner >= 0).all()), int(arena.rounds.min())
    (True, 1)
    """
    arena = Arena(roster, battles, faces)
    initiative = Initiative(arena)
    _surprise_round(arena, initiative)
    _rounds(arena, initiative)
    return arena


def _surprise_round(arena: Arena, initiative: Initiative) -> None:
    """Let the aware act once, if anybody is unaware to be surprised."""
    combatants, rules = arena.roster.combatants, arena.roster.rules
    aware = np.array([one.aware for one in combatants])
    if surprise_round({one.name: one.aware for one in combatants}, rules=rules).happens:
        order = initiative.roll(np.repeat(aware[:, None], arena.battles, axis=1))
        _turns(arena, order[: aware.sum()], arena.undecided(), first_attack_only=True)


def _rounds(arena: Arena, initiative: Initiative) -> None:
    present = (arena.states() != DEAD) & (arena.winner == UNDECIDED)
    order = initiative.roll(present)
    battles = arena.undecided()
    for number in range(1, ROUND_LIMIT + 1):
        arena.rounds[battles] = number
        battles = _turns(arena, order, battles, first_attack_only=False)
        battles = battles[~_still(arena, battles)]
        if not battles.size:
            return


def _turns(arena: Arena, order: Any, battles: Any, first_attack_only: bool) -> Any:
    """Let everybody have a turn, in the order of each battle; return the battles that are undecided then."""
    for place in order:
        take_turns(arena, place[battles], battles, first_attack_only)
        battles = battles[arena.winner[battles] == UNDECIDED]
    return battles


def _still(arena: Arena, battles: Any) -> Any:
    """Find the battles in which nothing can happen any more; they are through with all of their rounds."""
    if not arena.roster.harmless.any():
        return np.zeros(len(battles), bool)
    state = arena.states()[:, battles]
    quiet = (state > DISABLED) | arena.roster.harmless[:, None]
    still = (quiet & (state != DYING)).all(axis=0)
    arena.rounds[battles[still]] = ROUND_LIMIT
    return still
