"""How a block of battles ends, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any, TypeVar

import numpy as np

from d20kit.battle.encounter import Encounter
from d20kit.battle.simulation import Tally
from d20kit.battle.vector.arena import UNDECIDED, Arena
from d20kit.battle.vector.engine import fight
from d20kit.battle.vector.faces import RandomFaces
from d20kit.battle.vector.roster import STATES, roster_of

Key = TypeVar("Key", bound=Hashable)


def count_block(encounter: Encounter, seed: int, block: int, battles: int) -> Tally:
    """Fight one block of battles with its own random numbers, and count.

    >>> from d20kit.battle import Encounter
    >>> tally = count_block(Encounter.ready("duel"), 1, 0, 1_000)
    >>> tally.winners["red"] + tally.winners["blue"]
    1000
    """
    return tally_of(encounter, fight(roster_of(encounter), battles, RandomFaces(seed, block)))


def tally_of(encounter: Encounter, arena: Arena) -> Tally:
    """Count the ends of battles.

    >>> from d20kit.battle import Encounter
    >>> duel = Encounter.ready("duel")
    >>> arena = Arena(roster_of(duel), 2, RandomFaces(1, 0))
    >>> tally_of(duel, arena).winners  # nothing has happened yet
    Counter({None: 2})
    """
    winners = _counted([None, *encounter.sides], arena.winner - UNDECIDED)
    rounds = _counted(range(arena.rounds.max() + 1), arena.rounds)
    fates: Counter[Any] = Counter()
    for one, states in zip(encounter.combatants, arena.states(), strict=True):
        fates.update(_counted([(one.name, state) for state in STATES], states))
    return Tally(arena.battles, winners, rounds, fates)


def _counted(keys: Sequence[Key], codes: Any) -> Counter[Key]:
    """Count codes from 0, under the key of each."""
    counts = np.bincount(codes, minlength=len(keys)).tolist()
    return Counter({key: count for key, count in zip(keys, counts, strict=True) if count})
