"""A sweep is a table of what each encounter answers by itself, however it is asked."""

from __future__ import annotations

import json
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from d20kit.battle import Attack, Combatant, Encounter, sweeps
from d20kit.battle.solve.limits import TooMuchWorkError
from d20kit.battle.sweeps import Sweep, grid, sweep
from d20kit.language import current_language, set_language


def duel(hp: int, bonus: int) -> Encounter:
    """A duel in which one thing and another can be changed."""
    ann = Combatant("Ann", "red", hp, 15, Attack("club", bonus, "1d6+1"), initiative=1)
    return Encounter([ann, Combatant("Bob", "blue", 9, 14, Attack("club", 2, "1d6"))])


POINTS = {"hp": [5, 9, 13], "bonus": [0, 4]}


def test_a_grid_holds_every_combination() -> None:
    """The last name changes fastest, and each encounter is made of its labels."""
    made = list(grid(duel, **POINTS))
    assert [tuple(labels.values()) for labels, _encounter in made] == [
        (h, b) for h in POINTS["hp"] for b in POINTS["bonus"]
    ]
    assert all(encounter == duel(**labels) for labels, encounter in made)


def test_exact_answers_are_those_of_each_encounter() -> None:
    """Fractions, without any error, in the order of the grid."""
    rows = sweep(grid(duel, **POINTS)).rows
    assert len(rows) == 12
    for row in rows:
        assert row["chance"] == row["low"] == row["high"] == duel(row["hp"], row["bonus"]).win_chance(row["side"])
        assert isinstance(row["chance"], Fraction)
        assert row["method"] == "exact"


def test_floats_hold_the_exact_chance_between_their_ends() -> None:
    """The bound that the solver proves is what the table shows."""
    exact, floats = sweep(grid(duel, **POINTS)).rows, sweep(grid(duel, **POINTS), method="float").rows
    for one, other in zip(exact, floats, strict=True):
        assert other["low"] <= one["chance"] <= other["high"]
        assert isinstance(other["chance"], float)


def test_simulated_answers_are_those_of_each_encounter() -> None:
    """Any row can be had again by itself, with the same seed."""
    pytest.importorskip("numpy", reason="NumPy is not installed; without it battles are told one by one")
    for row in sweep(grid(duel, **POINTS), method="simulated", battles=2_000, seed=4).rows:
        result = duel(row["hp"], row["bonus"]).simulate(2_000, 4)
        assert row["chance"] == result.win_chance[row["side"]]
        assert (row["low"], row["high"]) == result.interval[row["side"]]


@pytest.mark.parametrize("pool", [ThreadPoolExecutor, ProcessPoolExecutor])
@pytest.mark.parametrize("how", [{}, {"method": "simulated", "battles": 1_000, "seed": 1}], ids=["exact", "simulated"])
def test_every_executor_gives_the_same_table(pool: Any, how: dict[str, Any]) -> None:
    """Encounters are answered in any order; the table has the order in which they were given."""
    with pool(2) as executor:
        assert sweep(grid(duel, **POINTS), executor=executor, **how) == sweep(grid(duel, **POINTS), **how)


def test_a_dask_cluster_gives_the_same_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Encounters and rows travel to a cluster and back."""
    distributed = pytest.importorskip("distributed", reason="distributed is not installed; it is in the extra dask")
    monkeypatch.chdir(tmp_path)
    with (
        distributed.LocalCluster(2, threads_per_worker=1, processes=False, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
        client.get_executor(pure=False) as executor,
    ):
        assert sweep(grid(duel, **POINTS), executor=executor) == sweep(grid(duel, **POINTS))


def test_too_large_encounters_are_simulated_if_battles_are_given(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sweep of many sizes solves what can be solved; without battles it says which one is too large."""
    monkeypatch.setattr("d20kit.battle.solve.estimate.MAX_EXACT_STEPS", 1)
    with pytest.raises(ValueError, match=r"encounter 'even': .* steps") as caught:
        sweep({"even": duel(9, 2)})
    assert isinstance(caught.value.__cause__, TooMuchWorkError)
    rows = sweep({"even": duel(9, 2)}, battles=500, seed=1).rows
    assert {row["method"] for row in rows} == {"simulated"}


def test_policies_of_ones_own_are_simulated_if_battles_are_given() -> None:
    """They cannot be solved, only fought."""
    ann = Combatant("Ann", "red", 5, 12, Attack("club", 2, "1d6"), policy=lambda actor, enemies: enemies[0])
    own = Encounter([ann, duel(5, 5).combatants[1]])
    assert {row["method"] for row in sweep([own], battles=100, seed=1).rows} == {"simulated"}
    with pytest.raises(ValueError, match="encounter 0: the policy of Ann is a function"):
        sweep([own])


def test_draws_are_shown() -> None:
    """A battle that never ends is nobody's, whether solved or simulated."""
    idle = [Combatant(name, name, 5, 12, (), policy="inaction") for name in ("Ann", "Bob")]
    for how in ({}, {"method": "float"}, {"method": "simulated", "battles": 50, "seed": 1}):
        assert [(row["chance"], row["draw"]) for row in sweep([Encounter(idle)], **how).rows] == [(0, 1), (0, 1)]


def test_progress_is_told() -> None:
    """Whoever waits sees how many encounters are done."""
    told = []
    sweep(grid(duel, **POINTS), progress=lambda done, total: told.append((done, total)))
    assert told == [(done, 6) for done in range(1, 7)]


def test_the_table_fits_json_and_prints() -> None:
    """Fractions become floats in the table; the text has a line for each row under the names."""
    found = sweep(grid(duel, **POINTS))
    rows = json.loads(json.dumps(found.table()))
    assert rows[0]["chance"] == pytest.approx(float(found.rows[0]["chance"]))
    lines = str(found).splitlines()
    assert lines[0].split() == ["hp", "bonus", "side", "chance", "low", "high", "draw", "method"]
    assert len(lines) == 1 + len(rows)
    assert str(Sweep(())).split() == list(sweeps._COLUMNS)


def test_the_printed_table_speaks_the_language_in_use() -> None:
    """What is read is translated; what a program asks for, and the names that somebody gave, are not."""
    found = sweep([({"high score": "exact"}, duel(5, 2))])
    before = current_language()
    set_language("id")
    heads, first, _second = str(found).splitlines()
    set_language(before)
    assert heads.split() == ["high", "score", "pihak", "peluang", "bawah", "atas", "seri", "cara"]
    assert (first.split()[0], first.split()[-1]) == ("exact", "eksak")
    assert (list(found.table()[0])[-1], found.table()[0]["method"]) == ("method", "exact")


@pytest.mark.parametrize(
    ("encounters", "how", "message"),
    [
        ("duel", {}, "encounters is 'duel'"),
        (7, {}, "encounters is 7"),
        ([7], {}, "encounters is 7"),
        ([({"side": 1}, duel(5, 5))], {}, "labels is 'side', but must be none of the columns"),
        ([duel(5, 5), ({"hp": 5}, duel(5, 5))], {}, "labelled alike, by encounter"),
        ([duel(5, 5)], {"method": "guess"}, "method is 'guess'"),
        ([duel(5, 5)], {"method": "simulated"}, "battles is None"),
        ([duel(5, 5)], {"battles": 10}, "seed is None"),
        ([duel(5, 5)], {"battles": 0, "seed": 1}, "battles is 0"),
        ([duel(5, 5)], {"executor": 1}, "executor is 1"),
    ],
)
def test_odd_arguments_are_refused(encounters: Any, how: dict[str, Any], message: str) -> None:
    """Each error names the argument and what is allowed, before any work is done."""
    with pytest.raises(ValueError, match=message):
        sweep(encounters, **how)


def test_a_notebook_shows_the_table() -> None:
    """A cell that ends in a sweep prints its table."""
    shown: list[Any] = []

    class Printer:
        text = staticmethod(shown.append)

    found = sweep([duel(5, 2)])
    found._repr_pretty_(Printer(), cycle=False)
    assert shown == [str(found)]


def test_too_many_values_are_refused_before_anything_is_made() -> None:
    """A range that was meant to have another end must not fill the memory."""

    def never(hp: int) -> Encounter:
        raise AssertionError(hp)

    with pytest.raises(ValueError, match="must be at most 100000 of them"):
        list(grid(never, hp=range(100_001)))
