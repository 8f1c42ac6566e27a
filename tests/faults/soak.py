"""``python -m tests.faults.soak --minutes 30``: random moves on every widget, and whether the kernel grows.

Every explorer, the battle player and the quiz live side by side in one process, as in one notebook, each moved at
random from its own seed. At every mark all are put back to how their cells first showed them, every cache that has an
end is emptied, and what is still held is counted: a leak is what grows from mark to mark. What the caches held is said
beside it. The memory of the process follows its allocator, so it is said but judged by nobody.
"""

from __future__ import annotations

import argparse
import asyncio
import functools
import gc
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import ipywidgets

from d20kit import language
from d20kit.language import set_language
from tests.catalogue import compile_catalogue
from tests.faults.learner import KINDS, Learner

# Moves between two marks, and between two looks at what else there is to do.
BETWEEN = 1_000
ROUND = 25


@dataclass(frozen=True)
class Mark:
    """What the process holds after so many moves: blocks of memory, objects, widgets; blocks in caches; bytes.

    >>> here = Mark(moves=2_000, blocks=100, objects=10, widgets=5, cached=7, resident=1_000)
    >>> here.growth_since(Mark(moves=0, blocks=80, objects=10, widgets=5, cached=0, resident=900))
    (10.0, 0.0, 0.0)
    """

    moves: int
    blocks: int
    objects: int
    widgets: int
    cached: int
    resident: int

    def growth_since(self, before: Mark) -> tuple[float, float, float]:
        """Return by how many blocks, objects and widgets the process has grown for every 1,000 moves."""
        pairs = ((self.blocks, before.blocks), (self.objects, before.objects), (self.widgets, before.widgets))
        now, then, widgets = (1_000 * (one - other) / (self.moves - before.moves) for one, other in pairs)
        return now, then, widgets


class Class:
    """A learner for each kind of widget, who take turns.

    Parameters
    ----------
    seed : int
        Of all their moves.
    kinds : tuple of type
        What they play with.
    """

    def __init__(self, seed: int, kinds: tuple[type, ...] = KINDS) -> None:
        self.moves = 0
        self.learners = [Learner(kind, Random(f"{seed} {kind.__name__}")) for kind in kinds]

    def play(self, moves: int) -> None:
        """Let each learner in turn make a move."""
        for _move in range(moves):
            self.learners[self.moves % len(self.learners)].move()
            self.moves += 1

    async def play_in_a_loop(self, moves: int) -> None:
        """Do the same as in a notebook, where the battle player computes now and then between two moves."""
        for done in range(0, moves, ROUND):
            self.play(min(ROUND, moves - done))
            await asyncio.sleep(0)

    def rest(self) -> None:
        """Put everything back to how it was at first."""
        set_language("en")
        for learner in self.learners:
            learner.rest()

    def mark(self) -> Mark:
        """Count what is held now."""
        with_caches = _blocks()
        empty_caches()
        blocks = _blocks()
        live = len(ipywidgets.widgets.widget._instances)
        return Mark(self.moves, blocks, len(gc.get_objects()), live, with_caches - blocks, resident())

    def close(self) -> None:
        """Close every widget."""
        for learner in self.learners:
            learner.close()


def _blocks() -> int:
    gc.collect()
    # Python keeps the last names that were looked up in classes, some thousands; traitlets makes names anew each time.
    (getattr(sys, "_clear_internal_caches", None) or sys._clear_type_cache)()
    return sys.getallocatedblocks()


def empty_caches() -> None:
    """Empty every cache of this process that forgets something when it is full; one without an end may be a leak.

    >>> @functools.lru_cache(maxsize=3)
    ... def double(n):
    ...     return 2 * n
    >>> double(4)
    8
    >>> empty_caches()
    >>> double.cache_info().currsize
    0
    """
    for one in gc.get_objects():
        if isinstance(one, functools._lru_cache_wrapper) and one.cache_info().maxsize is not None:
            one.cache_clear()


def resident() -> int:
    """Return the bytes of memory that the process has, or 0 where the system does not tell."""
    try:
        import psutil
    except ImportError:
        return 0
    return int(psutil.Process().memory_info().rss)


async def soak(seconds: float, seed: int, tell: Callable[[Mark], None], between: int = BETWEEN) -> list[Mark]:
    """Play for so long and return the marks; the first ones belong to the warm-up.

    >>> marks = asyncio.run(soak(0, 1, lambda mark: None, between=9))
    >>> [mark.moves for mark in marks]
    [9, 18, 27]
    """
    there, marks, end = Class(seed), list[Mark](), time.monotonic() + seconds
    while len(marks) < 3 or time.monotonic() < end:
        await there.play_in_a_loop(between)
        there.rest()
        await asyncio.sleep(0.1)  # what was computing for a player that is gone ends now
        marks.append(there.mark())
        tell(marks[-1])
    there.close()
    return marks


def report(marks: list[Mark]) -> Iterator[str]:
    """Say what came of it, after the warm-up of a first mark."""
    first, last = marks[1], marks[-1]
    blocks, objects, widgets = last.growth_since(first)
    yield f"{last.moves:,} moves on {len(KINDS)} kinds of widgets, judged from move {first.moves:,} on"
    yield f"growth per 1,000 moves: {blocks:+.1f} blocks, {objects:+.1f} objects, {widgets:+.2f} widgets"
    yield f"caches held at most {max(mark.cached for mark in marks):,} blocks"
    yield f"memory: {first.resident / 1e6:.0f} MB then, {last.resident / 1e6:.0f} MB now"


def main() -> None:
    """Play as long as the command line says, and print the marks and the growth."""
    options = argparse.ArgumentParser(prog="python -m tests.faults.soak", description=__doc__)
    options.add_argument("--minutes", type=float, default=30)
    options.add_argument("--seed", type=int, default=0)
    given = options.parse_args()
    print(f"{'moves':>10} {'blocks':>12} {'objects':>10} {'widgets':>8} {'in caches':>12} {'MB':>7}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        # As in an installed kit: without its texts the second language would be the first.
        language._LOCALE = compile_catalogue(Path(folder))
        marks = asyncio.run(soak(60 * given.minutes, given.seed, _print))
    print("\n".join(report(marks)))


def _print(mark: Mark) -> None:
    row = f"{mark.moves:>10,} {mark.blocks:>12,} {mark.objects:>10,} {mark.widgets:>8,} {mark.cached:>12,}"
    print(f"{row} {mark.resident / 1e6:>7.0f}", flush=True)


if __name__ == "__main__":
    main()
