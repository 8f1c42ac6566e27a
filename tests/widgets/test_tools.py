"""The tools under every explorer: code, state, data, example and language, asked for as the page asks."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from d20kit import language
from d20kit.language import current_language, set_language
from d20widgets import HitPointExplorer
from d20widgets.explorer import Explorer
from d20widgets.spreadsheet import csv_text
from d20widgets.tools import LONGEST_STATE, Tools
from d20widgets.twin import Amount
from tests.catalogue import compile_catalogue
from tests.widgets.every import SEEDS, asked, every_frame


@pytest.fixture
def catalogue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The Indonesian catalogue, compiled; afterwards English again."""
    with monkeypatch.context() as patched:
        patched.setattr(language, "_LOCALE", compile_catalogue(tmp_path))
        set_language("en")
        yield
    set_language("en")


def test_code_and_state_are_handed_out_as_they_are(untouched: Explorer) -> None:
    """What is copied must be what the explorer itself says, or it would build another one."""
    assert asked(untouched.tools, do="code")["text"] == untouched.code
    assert json.loads(asked(untouched.tools, do="state")["text"]) == untouched.state


def test_a_state_goes_from_one_explorer_to_another_as_text(explorer: Explorer) -> None:
    """That is how a learner shows somebody what is on the screen."""
    explorer.random(7)
    text = asked(explorer.tools, do="state")["text"]
    values = dict(explorer.values)
    explorer.reset()
    assert "said" in asked(explorer.tools, do="use", text=text)
    assert json.loads(asked(explorer.tools, do="state")["text"]) == json.loads(text)
    assert explorer.values == values


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "3",
        "null",
        '{"explorer": "Other", "version": 3, "values": {}}',
        "[" * 100_000,
        "9" * 50_000,
        " " * (LONGEST_STATE + 1),
        '<img src="x" onerror="alert(1)">',
        None,
        7,
        ["text"],
    ],
    ids=lambda text: repr(text)[:20],
)
def test_a_broken_state_is_refused_beside_the_box(untouched: Explorer, text: Any) -> None:
    """A text that was cut off on its way must change nothing, and the answer must not carry it back whole."""
    before = every_frame(untouched)
    answer = asked(untouched.tools, do="use", text=text)
    assert set(answer) == {"refused"}
    assert "must be" in answer["refused"]
    assert len(answer["refused"]) < 500
    assert every_frame(untouched) == before


@pytest.mark.parametrize("message", ["text", None, {}, {"do": "code"}, {"kind": "plotly"}])
def test_what_is_no_request_is_passed_by(
    hit_points: HitPointExplorer, message: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other messages may come over the same line; an answer to them would confuse the page."""
    monkeypatch.setattr(Tools, "send", lambda *_given: pytest.fail("answered"))
    hit_points.tools._handle_custom_msg(message, [])


@pytest.mark.parametrize("action", ["explode", None, 3, "__init__"])
def test_an_unknown_button_is_refused(hit_points: HitPointExplorer, action: Any) -> None:
    """A page of an older version may ask for what is no more: it gets a sentence, not silence."""
    assert "action is" in asked(hit_points.tools, do=action)["refused"]


def test_a_random_example_says_its_seed(explorer: Explorer) -> None:
    """The seed that is said must bring the same example back."""
    answer = asked(explorer.tools, do="example")
    seed = int("".join(filter(str.isdigit, answer["said"])))
    shown = explorer.state
    explorer.reset()
    explorer.random(seed)
    assert explorer.state == shown


def test_a_seed_belongs_to_the_example_and_to_nothing_else(hit_points: HitPointExplorer) -> None:
    """A picture that names a seed must be the one that the seed brings: after another move it is not."""
    assert hit_points.tools.seed == ""
    hit_points.random(42)
    assert "42" in hit_points.tools.seed
    assert hit_points.tools.seed_at == hit_points.values["hp"]
    hit_points.move(bonus=3)
    assert (hit_points.tools.seed, hit_points.tools.seed_at) == ("", None)


def test_the_language_is_switched_for_all_that_is_shown(explorer: Explorer, catalogue: None) -> None:
    """Labels, legend, sentence and tools change at once, and the values stay."""
    before = explorer.state, explorer._reset.description, explorer.chart.frames, explorer.chart.figure
    asked(explorer.tools, do="language", language="id")
    assert current_language() == "id"
    assert explorer.tools.language == explorer._access.language == "id"
    assert explorer.state == before[0]
    assert explorer._reset.description == "Atur ulang"
    assert explorer.chart.frames != before[2]
    assert explorer.chart.figure != before[3]
    asked(explorer.tools, do="language", language="en")
    assert (explorer.state, explorer._reset.description, explorer.chart.frames, explorer.chart.figure) == before


def test_an_unknown_language_is_refused(hit_points: HitPointExplorer) -> None:
    """The kit has no catalogue for it, so nothing could change."""
    assert "language is 'fr'" in asked(hit_points.tools, do="language", language="fr")["refused"]
    assert current_language() == "en"


def test_data_are_exact_and_decimal(explorer: Explorer) -> None:
    """A reader computes on with the decimals, and proves with the fractions: both must be the table's."""
    for seed in [None, *SEEDS][:4]:
        if seed is not None:
            explorer.random(seed)
        text = asked(explorer.tools, do="data")["text"]
        head, *lines = csv.reader(io.StringIO(text))
        rows = explorer.table()
        assert len(lines) == len(rows)
        for line, row in zip(lines, rows, strict=True):
            cells = dict(zip(head, line, strict=True))
            for name, value in row.items():
                if isinstance(value, Fraction):
                    assert Fraction(cells[name]) == value
                    assert float(cells[f"{name} (decimal)"]) == float(value)


@pytest.mark.parametrize(
    "name", ["=1+1", "+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", '=HYPERLINK("http://x")']
)
def test_no_cell_begins_a_formula(name: str) -> None:
    """A combatant's name may have been written by somebody who means harm to whoever opens the file."""
    ((head,), (cell,)) = csv.reader(io.StringIO(csv_text([{name: name}])))
    assert head == cell == f"'{name}"


def test_numbers_below_zero_stay_numbers() -> None:
    """An apostrophe before -3 would make a text of it, with which nobody can compute."""
    assert csv_text([{"hp": -3, "mean": Amount(-1, 2)}]).splitlines()[1] == '-3,"-1/2",-0.5'


def test_rows_of_different_columns_stay_in_their_columns() -> None:
    """A cell that slid to the left would be read as something else."""
    lines = list(csv.reader(io.StringIO(csv_text([{"a": 1}, {"b": Fraction(1, 2)}]))))
    assert lines == [["a", "b", "b (decimal)"], ["1", "", ""], ["", "1/2", "0.5"]]


def test_a_fraction_that_python_does_not_write_is_written_short() -> None:
    """Python refuses to write numbers of more than 4300 digits; a table must come all the same."""
    assert csv_text([{"chance": Fraction(1, 3**20_000)}]).splitlines()[1].startswith('"≈ ')
