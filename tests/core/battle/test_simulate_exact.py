"""Simulated battles end as often in each way as the exact solver says."""

from __future__ import annotations

from fractions import Fraction

import pytest

from d20kit.battle import Encounter
from d20kit.hit_points import State
from tests.core.battle.twenty import TWENTY

pytest.importorskip("numpy", reason="NumPy is not installed; without it battles are told one by one")

BATTLES = 200_000


def standard_errors(share: float, chance: Fraction | float, battles: int = BATTLES) -> float:
    """Return by how many standard errors a share misses a chance."""
    spread = float(chance * (1 - chance) / battles) ** 0.5
    return abs(share - float(chance)) / spread if spread else 0.0 if share == chance else float("inf")


@pytest.mark.parametrize("name", TWENTY)
def test_sides_win_as_often_as_solved(name: str) -> None:
    """Surprise, ties, states, criticals, saves: a rule read differently in arrays would move some of these chances."""
    encounter = TWENTY[name]
    result = encounter.simulate(BATTLES, seed=1)
    for side in encounter.sides:
        chance = encounter.win_chance(side)
        assert isinstance(chance, Fraction)
        assert standard_errors(result.win_chance[side], chance) < 4


@pytest.mark.parametrize("name", ["duel, ambush, SRD35", "a disabled hero"])
def test_everybody_ends_as_often_as_solved(name: str) -> None:
    """Bleeding and stabilising decide no battle, but they decide fates."""
    encounter = TWENTY[name]
    simulated, solved = encounter.simulate(BATTLES, seed=2).fates, encounter.fates()
    for one in encounter.combatants:
        for state in State:
            assert standard_errors(simulated[one.name][state], solved[one.name][state]) < 4


def test_battles_take_as_many_rounds_as_solved() -> None:
    """Round by round, the surprise round included."""
    encounter = TWENTY["duel, ambush, SRD35"]
    result = encounter.simulate(BATTLES, seed=3)
    for rounds, chance in enumerate(encounter.round_chances(8)):
        assert standard_errors(result.rounds.get(rounds, 0), chance) < 4


@pytest.mark.parametrize("name", ["ambush", "last-stand"])
def test_ready_encounters_are_won_as_often_as_solved(name: str) -> None:
    """Five combatants and bands of equals, against floats whose error is far smaller than the simulation's."""
    encounter = Encounter.ready(name)
    result = encounter.simulate(BATTLES, seed=4)
    for side, chance in encounter.odds(exact=False).win_chance.items():
        assert standard_errors(result.win_chance[side], chance) < 4
