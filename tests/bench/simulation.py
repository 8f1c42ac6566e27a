"""How fast battles are simulated: ``python -m tests.bench.simulation``.

Four against four, all different, is measured in turns with the narrated engine and with a loop in plain Python, in
processor time. How the rate grows with the number of battles, with combatants and with hit points is wall time, alone
and with two processes. Ends with code 1 if the rate is lower than it must be.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from itertools import count
from time import perf_counter

from d20kit.battle import Encounter
from tests.bench import plain
from tests.bench.battles import team_battle
from tests.bench.measure import machine, medians, table

LEAST_RATE = 100_000
LEAST_RATIO = 100
BATTLES = 100_000
FEW = 40
HP = 12


def rates() -> dict[str, float]:
    """Return how many battles of four against four each way of fighting them manages in a second."""
    encounter = team_battle(4, 4, HP)
    seeds = count()
    times = medians(
        {
            "simulated": lambda: encounter.simulate(BATTLES, next(seeds)),
            "narrated": lambda: [encounter.fight(next(seeds)) for _battle in range(FEW)],
            "plain Python": lambda: plain.share(encounter, "red", FEW, next(seeds)),
        }
    )
    return {name: (BATTLES if name == "simulated" else FEW) / seconds for name, seconds in times.items()}


def missed(found: dict[str, float]) -> list[str]:
    """Say what is too slow.

    >>> missed({"simulated": 2e5, "narrated": 4e3, "plain Python": 1e4})
    ['50 times as fast as the narrated engine, but must be 100']
    """
    sentences = []
    if found["simulated"] < LEAST_RATE:
        sentences.append(f"{found['simulated']:,.0f} battles a second, but must be {LEAST_RATE:,}")
    ratio = found["simulated"] / found["narrated"]
    if ratio < LEAST_RATIO:
        sentences.append(f"{ratio:.0f} times as fast as the narrated engine, but must be {LEAST_RATIO}")
    return sentences


def scaling() -> Iterator[tuple[str, Encounter, int]]:
    """Yield what grows: battles, combatants, hit points."""
    for battles in (1_000, 10_000, 100_000, 1_000_000):
        yield f"4 against 4, {HP} HP, {battles:,} battles", team_battle(4, 4, HP), battles
    for each in (1, 2, 8, 16):
        yield f"{each} against {each}, {HP} HP, 100,000 battles", team_battle(each, each, HP), 100_000
    for hp in (24, 48):
        yield f"4 against 4, {hp} HP, 100,000 battles", team_battle(4, 4, hp), 100_000


def _rate(encounter: Encounter, battles: int, executor: Executor | None) -> str:
    begun = perf_counter()
    encounter.simulate(battles, 1, executor=executor)
    return f"{battles / (perf_counter() - begun):,.0f}"


def report() -> bool:
    """Print both tables; return whether simulation is as fast as it must be."""
    found = rates()
    rows = [[name, f"{rate:,.0f}", f"{found['simulated'] / rate:.0f}"] for name, rate in found.items()]
    print(table(["4 against 4", "battles a second", "simulated is faster by"], rows))
    with ProcessPoolExecutor(2) as two:
        list(two.map(abs, range(2)))
        rows = [
            [title, _rate(encounter, battles, None), _rate(encounter, battles, two)]
            for title, encounter, battles in scaling()
        ]
    print("\n" + table(["battles a second, wall time", "alone", "two processes"], rows))
    sentences = missed(found)
    for sentence in sentences:
        print(f"MISSED  simulated: {sentence}")
    return not sentences


def main() -> int:
    """Measure, print, and return the exit code."""
    kept = report()
    print(machine("numpy"))
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
