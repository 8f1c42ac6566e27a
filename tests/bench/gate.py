"""No ratio to a peer may fall: what each must at least be stands in ``expected.json``.

Ratios are compared, not seconds: both were measured in one run, so that a slow or busy machine slows both. Each floor
is ``ROOM`` of what was once measured; a change that costs a line more than the rest is no noise.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.bench.line import Line

EXPECTED = Path(__file__).with_name("expected.json")
ROOM = 0.6
Floors = Mapping[str, float]
Lines = Mapping[str, Sequence[Line]]


def floors_of(lines: Lines, room: float = ROOM) -> dict[str, float]:
    """Return the floor for each line that has a ratio.

    >>> floors_of({"dice": [Line("8d6", 1e-5, peer="dyce", ratio=36.3), Line("start-up", 0.01)]})
    {'dice: 8d6': 21.8}
    """
    return {
        f"{part}: {line.name}": float(f"{room * line.ratio:.3g}")
        for part, measured in lines.items()
        for line in measured
        if line.ratio is not None
    }


def fallen(lines: Lines, floors: Floors) -> list[str]:
    """Say which lines of the parts that ran are below their floor, are gone, or have none.

    A line that says itself why it has no ratio, for want of an optional peer, is let through.

    >>> fallen({"dice": [Line("8d6", 1e-5, peer="dyce", ratio=9)]}, {"dice: 8d6": 21.8, "battles: duel": 3})
    ['dice: 8d6 is only 9 times as fast as dyce, but was at least 21.8']
    """
    measured = {f"{part}: {line.name}": line for part, those in lines.items() for line in those}
    sentences = []
    for key, floor in floors.items():
        line = measured.get(key)
        if key.partition(":")[0] not in lines or (line and line.ratio is None and line.met and line.note):
            continue
        if line is None or line.ratio is None:
            sentences.append(f"{key} was not measured")
        elif line.ratio < floor:
            sentences.append(f"{key} is only {line.ratio:.3g} times as fast as {line.peer}, but was at least {floor:g}")
    new = [key for key in floors_of(lines) if key not in floors]
    return sentences + [f"{key} has no floor yet; --expect writes it" for key in new]


def load(path: Path) -> dict[str, float]:
    """Read the floors."""
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else {}


def save(lines: Lines, path: Path) -> None:
    """Write the floors anew for the parts that ran, and keep the others."""
    kept = {key: floor for key, floor in load(path).items() if key.partition(":")[0] not in lines}
    floors = dict(sorted({**kept, **floors_of(lines)}.items()))
    path.write_text(json.dumps(floors, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
