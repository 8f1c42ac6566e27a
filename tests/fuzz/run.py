"""Run a target on very many inputs, measure each, and keep what went wrong."""

from __future__ import annotations

import sys
import time
import traceback
import warnings
from dataclasses import dataclass, field

from hypothesis import HealthCheck, Phase, given, seed, settings

from d20kit.language import set_language
from tests.fuzz.target import Target
from tests.fuzz.targets import load

try:
    import resource
except ImportError:  # Windows has none
    resource = None  # type: ignore[assignment]

# Seconds of processor that one input may take.
SLOWEST = 1.0
# Bytes that the process of a target may ever hold: the kit with its widgets, and what it keeps to be quick.
MOST_MEMORY = 1_000_000_000
# Inputs before the search begins anew: what it remembers of its inputs is the fuzzer's own memory.
BATCH = 1_000
_LONGEST_SHOWN = 2_000


@dataclass
class Tally:
    """What came of the inputs of one target: times in seconds, memory in bytes, an example for each fault."""

    target: str
    inputs: int = 0
    accepted: int = 0
    failed: int = 0
    slowest: float = 0.0
    slowest_input: str = ""
    peak: int = 0
    faults: dict[str, str] = field(default_factory=dict)

    @property
    def refused(self) -> int:
        """How many inputs were neither accepted nor a fault's."""
        return self.inputs - self.accepted - self.failed


def fuzz(name: str, examples: int, first_seed: int) -> Tally:
    """Run the target of a name, in a process that does nothing else."""
    warnings.simplefilter("ignore")  # of libraries, about what strangers give them
    set_language("en")
    return run(load(name), examples, first_seed)


def run(target: Target, examples: int, first_seed: int) -> Tally:
    """Give a target so many inputs, the same for a seed; a fault is noted and the run goes on."""
    tally = Tally(target.name)
    batch = 0
    while tally.inputs < examples:
        _batch(target, tally, min(BATCH, examples - tally.inputs), f"{first_seed}/{batch}")
        batch += 1
    tally.peak = _peak()
    if tally.peak > MOST_MEMORY:
        tally.faults[f"more than {MOST_MEMORY} bytes were held"] = f"{tally.peak} bytes"
    return tally


def _batch(target: Target, tally: Tally, size: int, first_seed: str) -> None:
    @seed(first_seed)
    @settings(
        max_examples=size,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(target.inputs)
    def every(value: object) -> None:
        _one(target, tally, value)

    every()


def _one(target: Target, tally: Tally, value: object) -> None:
    tally.inputs += 1
    begun = time.process_time()
    try:
        tally.accepted += target.check(value)
    except Exception as error:
        tally.failed += 1
        tally.faults.setdefault(_place(error), f"{_shown(value)}\n{''.join(traceback.format_exception(error))}")
    took = time.process_time() - begun
    if took > tally.slowest:
        tally.slowest, tally.slowest_input = took, _shown(value)
    if took > SLOWEST:
        tally.faults.setdefault(f"slower than {SLOWEST} s", f"{took:.2f} s: {_shown(value)}")


def _place(error: BaseException) -> str:
    """Where it was raised, and where that which was looked at then: two refusals that are none are two faults."""
    where = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{type(error).__name__} at {where.filename}:{where.lineno}"
    return place if error.__context__ is None else f"{place}, after {_place(error.__context__)}"


def _shown(value: object) -> str:
    try:
        text = ascii(value)
    except Exception:  # a hostile input's own code
        text = f"a {type(value).__name__} that cannot be shown"
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}... of {len(text)} characters"


def _peak() -> int:
    """The most memory that this process has ever held, in bytes; 0 where the system does not tell."""
    if resource is None:
        return 0
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
