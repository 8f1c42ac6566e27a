"""The outcome of many battles: its parts fit together, its intervals hold, and it reads well."""

from __future__ import annotations

import json
from math import comb
from statistics import NormalDist
from typing import Any

import pytest

from d20kit.battle import Attack, Combatant, Encounter
from d20kit.battle.simulation import Simulation, wilson


@pytest.fixture
def result(arrays: Any) -> Simulation:
    """The simulation whose parts are looked at."""
    return Encounter.ready("last-stand").simulate(4_000, 3)


def test_the_parts_of_a_result_fit_together(result: Simulation) -> None:
    """Sides, rounds and each combatant's states share out all battles, and intervals hold their shares."""
    assert sum(result.win_chance.values()) + result.draw == pytest.approx(1)
    assert sum(result.rounds.values()) == pytest.approx(1)
    assert result.mean_rounds == pytest.approx(sum(rounds * share for rounds, share in result.rounds.items()))
    for states in result.fates.values():
        assert sum(states.values()) == pytest.approx(1)
    for side, (low, high) in result.interval.items():
        assert low < result.win_chance[side] < high


def test_the_table_holds_all_of_it_and_fits_json(result: Simulation) -> None:
    """One row for each thing counted; whoever draws needs nothing else."""
    rows = json.loads(json.dumps(result.table()))
    assert {row["counted"] for row in rows} == {"winner", "rounds", "fate"}
    for counted in ("winner", "rounds"):
        assert sum(row["battles"] for row in rows if row["counted"] == counted) == 4_000
    for one in result.encounter.combatants:
        assert sum(row["battles"] for row in rows if row["of"] == one.name) == 4_000
    assert all(row["low"] <= row["chance"] <= row["high"] for row in rows)
    assert [row["chance"] for row in rows if row["counted"] == "winner"] == list(result.win_chance.values())


def test_a_result_prints_what_matters(result: Simulation) -> None:
    """Number of battles, seed, each side with its interval, and everybody's fate."""
    lines = str(result).splitlines()
    assert lines[0].startswith("  4 000 battles of seed 3, all at once, with NumPy; ")
    assert len(lines) == 1 + len(result.encounter.sides) + len(result.encounter.combatants)
    assert f"{100 * result.win_chance['heroes']:.3f} %" in lines[1]


def test_wilson_intervals_hold_the_true_chance_as_often_as_promised() -> None:
    """Over all outcomes of a hundred trials, weighted by their exact chances; a plain interval fails this at 2 %."""
    for chance in (0.02, 0.3, 0.5, 0.97):
        held = sum(
            comb(100, k) * chance**k * (1 - chance) ** (100 - k)
            for k in range(101)
            if wilson(k, 100)[0] <= chance <= wilson(k, 100)[1]
        )
        assert 0.92 < held < 0.99


@pytest.mark.parametrize(("successes", "trials"), [(0, 1), (1, 1), (3, 7), (7, 7), (0, 49), (49, 49), (20, 1000)])
def test_wilson_intervals_end_where_the_score_is_the_quantile(successes: int, trials: int) -> None:
    """That is how they are defined: at each end the share is as far off as 99 % of all shares are at most."""
    z = NormalDist().inv_cdf(0.995)
    low, high = wilson(successes, trials, 0.99)
    for end in {low, high} - {0.0, 1.0}:
        assert (successes / trials - end) ** 2 == pytest.approx(z * z * end * (1 - end) / trials)
    assert (low == 0, high == 1) == (successes == 0, successes == trials)


def test_columns_are_as_wide_as_the_longest_name() -> None:
    """Numbers under each other can be compared at a glance."""
    sides = [Combatant(side, side, 3, 12, Attack("club", 2, "1d6")) for side in ("Z", "a long name")]
    lines = str(Encounter(sides).simulate(10, 1)).splitlines()[1:3]
    assert len({line.index(" %") for line in lines}) == 1


@pytest.mark.parametrize(
    ("arguments", "name"),
    [((1, 0), "trials"), ((5, 4), "successes"), ((1, 4, 1.0), "confidence"), ((1, 4, "x"), "confidence")],
)
def test_intervals_of_nothing_are_refused(arguments: Any, name: str) -> None:
    """No trials, or more successes than trials, say nothing."""
    with pytest.raises(ValueError, match=f"{name} is"):
        wilson(*arguments)


def test_a_notebook_shows_the_result(result: Simulation) -> None:
    """A cell that ends in a simulation prints it."""
    shown: list[Any] = []

    class Printer:
        text = staticmethod(shown.append)

    result._repr_pretty_(Printer(), cycle=False)
    assert shown == [str(result)]
