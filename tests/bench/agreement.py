"""Narrated, simulated and exact battles side by side: ``python -m tests.bench.agreement``.

For each of the twenty encounters of the tests, the share that the first side wins of 200,000 simulated and of 20,000
narrated battles, and by how many standard errors each misses the exact chance. It takes some minutes. Ends with code
1 if one of them is off by four standard errors or more.
"""

from __future__ import annotations

import sys
from concurrent.futures import Executor, ProcessPoolExecutor

from d20kit.battle import Encounter
from d20kit.battle.simulate import count_block
from d20kit.battle.simulation import Tally
from d20kit.battle.spread import spread
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
    return round((won / battles - chance) / (chance * (1 - chance) / battles) ** 0.5, 2)


def main() -> int:
    """Fight, print a line for each encounter when it is done, and return the exit code."""
    print(f"| first side wins | exact | {SIMULATED:,} simulated | errors | {NARRATED:,} narrated | errors |")
    print("|---|---|---|---|---|---|", flush=True)
    worst = 0.0
    with ProcessPoolExecutor(2) as two:
        for name, encounter in TWENTY.items():
            side = encounter.sides[0]
            chance = float(encounter.win_chance(side))
            cells = [name, f"{chance:.6f}"]
            for counts in (encounter.simulate(SIMULATED, 1, two).counts, narrated(encounter, two)):
                off = errors(counts.winners[side], counts.battles, chance)
                worst = max(worst, abs(off))
                cells += [f"{counts.winners[side] / counts.battles:.6f}", f"{off:+.2f}"]
            print(f"| {' | '.join(cells)} |", flush=True)
    return 1 if worst >= MOST_ERRORS else 0


if __name__ == "__main__":
    sys.exit(main())
