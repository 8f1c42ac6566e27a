"""``python -m tests.fuzz --examples 100000 [TARGET...]``: very many odd inputs, and a table of what came of them.

From the folder of the sources, in an environment with the test tools, for example that of ``python3 -m d20kit test``.
Every target runs in a process of its own, one after the other. Hypothesis draws the inputs, in batches, the same for
the same seed; a check that fails is noted with its input, and the run goes on. It ends with 1 if something was found:
an exception that is not documented, a property that does not hold, an input that took longer than a second of
processor, or more than a gigabyte held.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from tests.fuzz.run import Tally, fuzz
from tests.fuzz.targets import NAMES

HEAD = ("target", "inputs", "refused", "accepted", "slowest, ms", "peak, MB", "faults")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run some targets, print the table and what was found, and return the exit code."""
    chosen = _options(arguments)
    tallies = []
    for name in chosen.targets or NAMES:
        # A process of its own, so that the peak of its memory is its own.
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
            tallies.append(process.submit(fuzz, name, chosen.examples, chosen.seed).result())
        print(f"{name}: done", file=sys.stderr, flush=True)
    print(table(tallies))
    for tally in tallies:
        print(f"\n{tally.target}, slowest: {tally.slowest_input[:200]}")
    for tally in tallies:
        for place, example in tally.faults.items():
            print(f"\n{tally.target}: {place}\n{example}")
    return int(any(tally.faults for tally in tallies))


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m tests.fuzz", description=(__doc__ or "").split("\n\n")[1])
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"of {', '.join(NAMES)}; all unless given")
    parser.add_argument("--examples", type=int, default=100_000, help="inputs for each target (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of the inputs (default: %(default)s)")
    chosen = parser.parse_args(arguments)
    for name in chosen.targets:
        if name not in NAMES:
            parser.error(f"there is no target {name!r}; the targets are {', '.join(NAMES)}")
    return chosen


def table(tallies: Sequence[Tally]) -> str:
    """Write the tallies as a table in Markdown.

    >>> print(table([Tally("dice", inputs=3, accepted=1, slowest=0.0021, peak=150_000_000)]))
    | target | inputs | refused | accepted | slowest, ms | peak, MB | faults |
    |---|---|---|---|---|---|---|
    | dice | 3 | 2 | 1 | 2 | 150 | 0 |
    """
    rows = [HEAD, ("---",) * len(HEAD), *map(_row, tallies)]
    return "\n".join("| " + " | ".join(row) + " |" if row[0] != "---" else "|---" * len(row) + "|" for row in rows)


def _row(tally: Tally) -> tuple[str, ...]:
    counts = (tally.inputs, tally.refused, tally.accepted, round(1000 * tally.slowest), round(tally.peak / 10**6))
    return (tally.target, *(f"{count:d}" for count in counts), str(len(tally.faults)))


if __name__ == "__main__":
    sys.exit(main())
