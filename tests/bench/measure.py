"""Time the same work done by several libraries, side by side in one run, and print it as a table."""

from __future__ import annotations

import gc
import os
import platform
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any

Work = Callable[[], object]

# One measurement repeats its work for at least this long, so that the clock and cold caches do not count.
_BLOCK = 0.01
_LEAST_ROUNDS = 5
ROOT = Path(__file__).parents[2]


def medians(contenders: Mapping[str, Work], seconds: float = 2.0) -> dict[str, float]:
    """Return the median duration of each piece of work, in seconds.

    Processor time is counted, not the time that other programs take. The contenders take turns, each round in another
    order, so that whatever else the machine does meets them all alike; the cyclic garbage collector waits meanwhile.
    """
    calls = {name: _calls_in_a_block(work) for name, work in contenders.items()}
    durations: dict[str, list[float]] = {name: [] for name in contenders}
    order = list(contenders)
    gc.collect()
    gc.disable()
    try:
        end = perf_counter() + seconds
        while perf_counter() < end or len(durations[order[0]]) < _LEAST_ROUNDS:
            for name in order:
                durations[name].append(_block(contenders[name], calls[name]) / calls[name])
            order.append(order.pop(0))
    finally:
        gc.enable()
    return {name: median(times) for name, times in durations.items()}


def _block(work: Work, calls: int) -> float:
    start = process_time()
    for _call in range(calls):
        work()
    return process_time() - start


def _calls_in_a_block(work: Work) -> int:
    """Double the calls until a block is long enough; this also warms up imports and grammars."""
    work()
    calls = 1
    while _block(work, calls) < _BLOCK:
        calls *= 2
    return calls


def start_up(code: str, pairs: int = 15) -> float:
    """Return by how many seconds of processor time a statement delays a fresh interpreter.

    The median difference of pairs of runs, one with the statement and one without.
    """
    _run(code)  # writes the bytecode
    return median(_run(code) - _run("pass") for _pair in range(pairs))


def _run(code: str) -> float:
    """Let a fresh interpreter say how much processor time it took from its start to the end of the code."""
    program = f"import time\n{code}\nprint(time.process_time())"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True, capture_output=True, text=True)
    return float(done.stdout)


def duration(seconds: float) -> str:
    """Write a duration with the unit that suits it.

    >>> duration(3.056), duration(0.0123), duration(0.0000456)
    ('3.06 s', '12.3 ms', '45.6 µs')
    """
    for unit, name in ((1, "s"), (1e-3, "ms")):
        if seconds >= unit:
            return f"{seconds / unit:,.3g} {name}"
    return f"{seconds * 1e6:,.3g} µs"


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write a Markdown table, its first column to the left and the others to the right.

    >>> print(table(["line", "time"], [["2d6", "9 µs"]]))
    | line | time |
    |:-----|-----:|
    | 2d6  | 9 µs |
    """
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    rule = [":" + "-" * (widths[0] + 1), *("-" * (width + 1) + ":" for width in widths[1:])]
    lines = ["|" + "|".join(rule) + "|"]
    for row in [heads, *rows]:
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        lines.append("| " + " | ".join(cells) + " |")
    lines[:2] = reversed(lines[:2])
    return "\n".join(lines)


def machine(*packages: str) -> str:
    """Name the processor, the system, Python and the versions of some packages."""
    known = facts(*packages)
    versions = [f"{name} {number}" for name, number in known["packages"].items()]
    return ", ".join([known["processor"], known["system"], known["python"], *versions])


def facts(*packages: str) -> dict[str, Any]:
    """Return the processor, its cores, the system, Python, and the versions of those packages that are installed."""
    versions = {}
    for name in packages:
        with suppress(PackageNotFoundError):
            versions[name] = version(name)
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.release()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "packages": versions,
    }


def _processor() -> str:
    listed = Path("/proc/cpuinfo")
    if listed.exists():
        for line in listed.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
