"""How fast battles are simulated: ``python -m tests.bench simulation``.

Four against four, all different, in processor time: in turns with the narrated engine, which tells every die, and with
a loop in plain Python, which tells nothing.

Telling is much slower than that loop and stays so: each of some ninety events of such a battle asks the public rules,
which check what they are given, and keeps what was rolled and why. Profiled, no rule takes more than a tenth of the
time. Who needs many battles simulates them, who needs a chance solves them; only a story is told.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from tests.bench import plain
from tests.bench.battles import team_battle
from tests.bench.line import BATTLES as UNIT
from tests.bench.line import Line, judged
from tests.bench.measure import medians

LEAST_RATE = 100_000
LEAST_RATIO = 100
BATTLES = 100_000
FEW = 40
HP = 12
PLAIN, NARRATED = "plain Python", "the narrated engine"


def rates() -> dict[str, float]:
    """Return how many battles of four against four each way of fighting them manages in a second."""
    encounter = team_battle(4, 4, HP)
    seeds = count()
    times = medians(
        {
            "simulated": lambda: encounter.simulate(BATTLES, next(seeds)),
            NARRATED: lambda: [encounter.fight(next(seeds)) for _battle in range(FEW)],
            PLAIN: lambda: plain.share(encounter, "red", FEW, next(seeds)),
        }
    )
    return {name: (BATTLES if name == "simulated" else FEW) / seconds for name, seconds in times.items()}


def judgements(found: dict[str, float]) -> Iterator[Line]:
    """Yield the lines for some rates."""
    simulated, narrated = found["simulated"], found[NARRATED]
    title = "4 against 4, 12 HP, simulated"
    yield judged(title, simulated, UNIT, peer=PLAIN, ratio=simulated / found[PLAIN], least=LEAST_RATE)
    beside = simulated / narrated
    yield judged(f"{title}, untold", simulated, UNIT, peer=NARRATED, ratio=beside, least_ratio=LEAST_RATIO)
    yield judged("4 against 4, 12 HP, every die told", narrated, UNIT, peer=PLAIN, ratio=narrated / found[PLAIN])


def lines() -> Iterator[Line]:
    """Measure, and compare."""
    yield from judgements(rates())
