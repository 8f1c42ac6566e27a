"""Many battles of one encounter: in blocks of fixed size, each with random numbers of its own.

A block is the same whoever fights it, and when: its dice follow from the seed and its number alone. So the answer
depends on encounter, number of battles and seed, never on how the blocks are spread, and no more than the blocks at
work are in memory at any time.

Without NumPy, and where a policy is a function, the battles are told one by one by the engine of
:mod:`d20kit.battle.engine`. These are other battles than those of the same seed in arrays, of the same chances.
"""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from hashlib import sha256
from typing import TYPE_CHECKING

from d20kit.battle.faces import check_seed
from d20kit.battle.notice import remark
from d20kit.battle.simulation import Simulation, Tally
from d20kit.battle.spread import check_executor, check_progress, spread
from d20kit.check import one_whole
from d20kit.language import _
from d20kit.randomness import LARGEST_SEED

if TYPE_CHECKING:
    from d20kit.battle.encounter import Encounter

MOST_BATTLES = 10**12
# Battles in a block: fewer where many fight, so that a block needs some tens of megabytes at most.
_LARGEST_BLOCK = 1 << 16
_MOST_PLACES = 1 << 20
_BLOCK_OF_STORIES = 256


def simulate(
    encounter: Encounter,
    n: int,
    seed: int,
    executor: Executor | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Simulation:
    """Simulate many battles; see :meth:`Encounter.simulate`.

    >>> from d20kit.battle import Encounter
    >>> low, high = simulate(Encounter.ready("duel"), 4_000, seed=1).interval["red"]
    >>> low < 1 / 2 < high
    True
    """
    n, seed = one_whole("n", n, 1, MOST_BATTLES), check_seed(seed)
    executor, progress = check_executor(executor), check_progress(progress)
    method = choose_method(encounter)
    if method == "no numpy":
        remark(
            _("The battles are fought one by one, because NumPy is not installed; with it this is many times faster.")
        )
    counts = Tally()
    for _number, tally in spread(count_block, _blocks(encounter, n, seed, method), executor):
        counts.add(tally)
        if progress is not None:
            progress(counts.battles, n)
    return Simulation(encounter, n, seed, method, counts)


def choose_method(encounter: Encounter) -> str:
    """Return how battles of an encounter can be simulated here, one of :data:`METHODS`.

    >>> from dataclasses import replace
    >>> from d20kit.battle import Encounter
    >>> red, blue = Encounter.ready("duel").combatants
    >>> choose_method(Encounter([replace(red, policy=lambda actor, enemies: enemies[-1]), blue]))
    'policy'
    """
    if any(callable(one.policy) for one in encounter.combatants):
        return "policy"
    try:
        importlib.import_module("numpy")
    except ImportError:
        return "no numpy"
    return "arrays"


def _blocks(encounter: Encounter, n: int, seed: int, method: str) -> Iterator[tuple[Encounter, int, int, int, str]]:
    size = block_size(encounter) if method == "arrays" else _BLOCK_OF_STORIES
    for block, start in enumerate(range(0, n, size)):
        yield encounter, seed, block, min(size, n - start), method


def block_size(encounter: Encounter) -> int:
    """Return how many battles of an encounter are fought at once in arrays.

    >>> from d20kit.battle import Encounter
    >>> block_size(Encounter.ready("duel"))
    65536
    """
    return min(_LARGEST_BLOCK, _MOST_PLACES // len(encounter.combatants))


def count_block(encounter: Encounter, seed: int, block: int, battles: int, method: str) -> Tally:
    """Fight one block of battles and count how they end; this is what an executor is given to do.

    >>> from d20kit.battle import Encounter
    >>> tally = count_block(Encounter.ready("duel"), 1, 0, battles=20, method="no numpy")
    >>> tally.battles, sum(tally.winners.values())
    (20, 20)
    """
    if method == "arrays":
        arrays = importlib.import_module("d20kit.battle.vector.count")
        counts: Tally = arrays.count_block(encounter, seed, block, battles)
        return counts
    counts = Tally()
    for index in range(battles):
        counts.add(_told(encounter, seed_of(seed, block * _BLOCK_OF_STORIES + index)))
    return counts


def seed_of(seed: int, index: int) -> int:
    """Return the seed of one of many battles that are told, unlike that of any other.

    >>> seed_of(1, 0) == seed_of(1, 0), seed_of(1, 0) == seed_of(1, 1), seed_of(1, 1) == seed_of(2, 0)
    (True, False, False)
    """
    return int.from_bytes(sha256(f"{seed} {index}".encode()).digest()[:8], "big") & LARGEST_SEED


def _told(encounter: Encounter, seed: int) -> Tally:
    battle = encounter.fight(seed)
    fates = Counter((standing.name, standing.state) for standing in battle.standings)
    return Tally(1, Counter([battle.winner]), Counter([battle.rounds]), fates)
