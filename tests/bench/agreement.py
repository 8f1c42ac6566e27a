"""Narrated, simulated and exact battles side by side: ``python -m tests.bench agreement``.

For each of the twenty encounters of the tests: by how many standard errors the share that the first side wins of
200,000 simulated and of 20,000 narrated battles misses the exact chance. It takes some minutes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor

from d20kit.battle import Encounter
from d20kit.battle.simulate import count_block
from d20kit.battle.simulation import Tally
from d20kit.battle.spread import spread
from tests.bench.line import Line, judged
from tests.core.battle.twenty import TWENTY

SIMULATED, NARRATED, BLOCK = 200_000, 20_000, 250
MOST_ERRORS = 4


def narrated(encounter: Encounter, executor: Executor) -> Tally:
    """Tell many battles one by one, and count."""
    counts = Tally()
    blocks = [(encounter, 1, block, BLOCK, "policy") for block in range(NARRATED // BLOCK)]
    for _number, tally in spread(count_block, blocks, executor):
        counts.add(tally)
    return counts


def errors(won: int, battles: int, chance: float) -> float:
    """Return by how many standard errors a share misses a chance.

    >>> errors(60, 100, 0.5)
    2.0
    """
    return round(abs(won / battles - chance) / math.sqrt(chance * (1 - chance) / battles), 2)


def lines() -> Iterator[Line]:
    """Fight every encounter in both ways."""
    with ProcessPoolExecutor(2) as two:
        for name, encounter in TWENTY.items():
            side = encounter.sides[0]
            chance = float(encounter.win_chance(side))
            ways = {"simulated": encounter.simulate(SIMULATED, 1, two).counts, "narrated": narrated(encounter, two)}
            for way, counts in ways.items():
                off = errors(counts.winners[side], counts.battles, chance)
                title = f"{name}: {counts.battles:,} battles {way}, off the exact chance"
                yield judged(title, off, "standard errors", most=MOST_ERRORS)
