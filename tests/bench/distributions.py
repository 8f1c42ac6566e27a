"""Distributions against icepool and dyce: ``python -m tests.bench.distributions``.

Prints the median of every line for every library, measured in turns in one run, and how many times faster d20kit is
than the better of the two others. Ends with code 1 if a line is slower than it must be, and with 2 if one of the
libraries is not installed. What each line measures, and how nothing is looked up that was worked out before, stands
in :mod:`tests.bench.contenders`.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from importlib.util import find_spec

from tests.bench import contenders
from tests.bench.contenders import Line
from tests.bench.measure import duration, machine, medians, start_up, table

KIT, PEERS = "d20kit", ("icepool", "dyce")
MOST_START_UP = 0.060


@dataclass(frozen=True)
class Required:
    """What d20kit must reach on a line: more than ``ratio`` times the better peer, and less than ``under`` seconds."""

    ratio: float = 1
    under: float = float("inf")

    def misses(self, kit: float, best: float) -> list[str]:
        """Say what is missed.

        >>> Required(10, 0.001).misses(0.002, 0.03)
        ['takes 2 ms, but must stay under 1 ms']
        """
        found = []
        if best / kit <= self.ratio:
            found.append(f"is {best / kit:.1f} times as fast as the better peer, but must be more than {self.ratio:g}")
        if kit >= self.under:
            found.append(f"takes {duration(kit)}, but must stay under {duration(self.under)}")
        return found


def lines() -> dict[str, tuple[Line, Required]]:
    """Return every line that is measured, with what is required of it."""
    return {
        "2d6+3": (contenders.dice(2, 6, 3), Required()),
        "8d6": (contenders.dice(8, 6), Required()),
        "20d20": (contenders.dice(20, 20), Required()),
        "100d6": (contenders.dice(100, 6), Required(10, under=0.001)),
        "one attack": (contenders.attack(), Required()),
        "1 to 50 attacks added up, all kept": (contenders.sums(), Required(10)),
        "rounds until 60 HP are gone, 60 rounds": (contenders.rounds(), Required(10, under=0.002)),
    }


def _check_agreement(name: str, line: Line) -> None:
    answers = {library: work() for library, work in line.items()}
    for peer in PEERS:
        if answers[peer] != answers[KIT]:
            raise SystemExit(f"{name}: {peer} and {KIT} give different chances")


def _measured() -> tuple[list[list[str]], list[str]]:
    rows, missed = [], []
    for name, (line, required) in lines().items():
        _check_agreement(name, line)
        times = medians(line)
        best = min(times[peer] for peer in PEERS)
        rows.append([name, *(duration(times[library]) for library in (KIT, *PEERS)), f"{best / times[KIT]:.1f}"])
        missed += [f"{name}: {KIT} {what}" for what in required.misses(times[KIT], best)]
    return rows, missed


def main() -> int:
    """Measure, print, and return the exit code."""
    absent = [name for name in (KIT, *PEERS) if find_spec(name) is None]
    if absent:
        print(f"not installed: {', '.join(absent)}; they belong to the dependency group bench", file=sys.stderr)
        return 2
    rows, missed = _measured()
    delay = start_up("import d20kit")
    if delay > MOST_START_UP:
        missed.append(f"import d20kit takes {duration(delay)}, but at most {duration(MOST_START_UP)} is allowed")
    print(table(["medians", KIT, *PEERS, "times as fast as the better peer"], rows))
    print(f"\nimport d20kit: {delay * 1e3:.1f} ms above a bare interpreter")
    print(machine("python-flint", *PEERS))
    for sentence in missed:
        print(f"MISSED  {sentence}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
