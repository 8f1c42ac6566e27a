"""Benches for the tests of the command: each ends in a moment, and in another way."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

from tests.bench.line import Line, judged

GOOD = judged("adding", 0.001, peer="counting", ratio=20, least_ratio=2)
SLOW = judged("waiting", 2.0, most=1)


def good() -> Iterator[Line]:
    """Measure two lines, and say more than is asked on the way."""
    print("measuring")
    yield GOOD
    yield SLOW


def broken() -> Iterator[Line]:
    """Fail after the first line."""
    yield GOOD
    raise RuntimeError("out of dice")


def killed() -> Iterator[Line]:
    """End at once, without a word, as a crash in a library does."""
    yield GOOD
    os._exit(3)


def empty() -> Iterator[Line]:
    """Measure nothing."""
    yield from ()


def endless() -> Iterator[Line]:
    """Hang after the first line."""
    yield GOOD
    time.sleep(600)
