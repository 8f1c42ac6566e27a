"""Hours of play leave nothing behind: the same moves, made again, find everything in place already."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

import pytest

from d20kit.language import set_language
from tests.faults.learner import KINDS, Learner
from tests.faults.soak import Class

MOVES = 25
TIMES = 4


class Leaking(Learner):
    """Somebody whose kernel keeps a little of every move."""

    def __init__(self, kind: Any, rng: Random, kept: list[Any]) -> None:
        super().__init__(kind, rng)
        self.kept = kept

    def move(self) -> None:
        """Make a move, and keep what came of it."""
        super().move()
        self.kept.append([len(self.kept)])


def grown(made: Class, moves: int) -> int:
    """Play the same moves again and again, and return how many blocks a time has left at least.

    The first time brings what is lazy, and Python itself takes a block now and then; a leak leaves its own every time.
    """
    marks = []
    for _time in range(TIMES):
        for learner in made.learners:
            learner.rng.seed(4)
        made.play(moves)
        made.rest()
        marks.append(made.mark())
    assert len({mark.widgets for mark in marks}) == 1
    return min(later.blocks - before.blocks for before, later in pairwise(marks[1:]))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_random_moves_leave_no_blocks_behind(kind: Any) -> None:
    """Less than a block for every second move: what a single forgotten object a move would leave is twice as much."""
    there = Class(4, (kind,))
    try:
        assert grown(there, MOVES) < MOVES / 2
    finally:
        there.close()
        set_language("en")


def test_a_leak_would_be_seen() -> None:
    """The test above could not fail if what is counted did not grow with what is kept."""
    there, kept = Class(4, ()), list[Any]()
    there.learners = [Leaking(KINDS[-1], Random(4), kept)]
    try:
        assert grown(there, MOVES) >= MOVES
    finally:
        there.close()


def test_every_widget_has_its_learner() -> None:
    """A widget that is added later must be played with, too."""
    assert {kind.__name__ for kind in KINDS} >= {"AttackExplorer", "BattlePlayer", "Quiz"}
    assert len(KINDS) == 9
