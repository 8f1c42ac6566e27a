"""Distributions against icepool and dyce: ``python -m tests.bench distributions``.

The median of every line for every library, measured in turns in one run; the peer is the better of the two others.
What each line measures, and how nothing is looked up that was worked out before, stands in
:mod:`tests.bench.contenders`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tests.bench import contenders
from tests.bench.contenders import Contenders
from tests.bench.line import Line, judged
from tests.bench.measure import medians, start_up

KIT, PEERS = "d20kit", ("icepool", "dyce")
MOST_START_UP = 0.060


@dataclass(frozen=True)
class Required:
    """What d20kit must reach: so many times as fast as the better peer, and at most so many seconds."""

    ratio: float = 1
    most: float | None = None


def questions() -> dict[str, tuple[Contenders, Required]]:
    """Return every question that is asked of all libraries, with what is required of d20kit."""
    return {
        "2d6+3": (contenders.dice(2, 6, 3), Required()),
        "8d6": (contenders.dice(8, 6), Required()),
        "20d20": (contenders.dice(20, 20), Required()),
        "100d6": (contenders.dice(100, 6), Required(10, most=0.001)),
        "one attack": (contenders.attack(), Required()),
        "1 to 50 attacks added up, all kept": (contenders.sums(), Required(10)),
        "rounds until 60 HP are gone, 60 rounds": (contenders.rounds(), Required(10, most=0.002)),
    }


def _check_agreement(name: str, libraries: Contenders) -> None:
    answers = {library: work() for library, work in libraries.items()}
    for peer in PEERS:
        if answers[peer] != answers[KIT]:
            raise SystemExit(f"{name}: {peer} and {KIT} give different chances")


def lines() -> Iterator[Line]:
    """Measure every question, and how much the kit delays the start of Python."""
    for name, (libraries, required) in questions().items():
        _check_agreement(name, libraries)
        times = medians(libraries)
        peer = min(PEERS, key=times.__getitem__)
        ratio = times[peer] / times[KIT]
        yield judged(name, times[KIT], peer=peer, ratio=ratio, most=required.most, least_ratio=required.ratio)
    yield judged("import d20kit, above bare Python", start_up("import d20kit"), most=MOST_START_UP)
