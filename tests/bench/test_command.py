"""The command runs every bench by itself, keeps what it can, and writes what it found; no timing is judged here."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tests.bench import __main__ as command
from tests.bench import gate, report
from tests.bench.fake_benches import GOOD, SLOW
from tests.bench.line import Line
from tests.bench.measure import ROOT, facts
from tests.bench.parts import PARTS, Part, run
from tests.bench.report import Run, as_json, for_readme, put_into

FAKES = "tests.bench.fake_benches"
FACTS = {
    "processor": "abacus",
    "cores": 1,
    "system": "Linux",
    "python": "CPython 3.11",
    "packages": {"dyce": "1"},
    "commit": "1234567",
    "date": "2026-01-02",
}


def fake(name: str, patience: float = 60) -> list[Line]:
    """Run one of the fakes as the command does."""
    return run(name, Part(f"{FAKES}:{name}", patience))


@pytest.fixture
def fakes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Let the command know nothing but two fakes, and floors of its own."""
    parts = {"good": Part(f"{FAKES}:good"), "later": Part(f"{FAKES}:broken", long=True)}
    for module in (command, report):
        monkeypatch.setattr(module, "PARTS", parts, raising=False)
    monkeypatch.setattr(gate, "EXPECTED", tmp_path / "expected.json")
    monkeypatch.setattr(command, "circumstances", lambda: FACTS)
    return tmp_path


def test_lines_arrive_as_they_were_measured() -> None:
    """What a bench prints beside its lines must not disturb them."""
    assert fake("good") == [GOOD, SLOW]


@pytest.mark.parametrize(
    ("name", "reason"),
    [("broken", "RuntimeError: out of dice"), ("killed", "ended with code 3"), ("endless", "took longer than 3 s")],
)
def test_a_broken_bench_is_a_line(name: str, reason: str) -> None:
    """However a bench ends, its earlier lines stay, and the last says why there are no more."""
    before, last = fake(name, 3 if name == "endless" else 60)
    assert before == GOOD
    assert (last.name, last.figure, last.met, last.note) == (name, None, False, reason)


def test_a_bench_without_lines_is_broken() -> None:
    """A bench that measures nothing any more would otherwise look as if all were well."""
    (line,) = fake("empty")
    assert (line.met, line.note) == (False, "no lines")


def test_missing_module_is_said() -> None:
    """A peer that is not installed is named in the table."""
    (line,) = run("gone", Part("tests.bench.no_such_bench:lines"))
    assert line.note == "ModuleNotFoundError: No module named 'tests.bench.no_such_bench'"


def test_every_part_can_be_found() -> None:
    """A renamed function would only be missed in the next long run."""
    for part in PARTS.values():
        module, _colon, function = part.source.partition(":")
        source = Path(*module.split(".")).with_suffix(".py")
        assert f"def {function}(" in (ROOT / source).read_text(encoding="utf-8")


@pytest.mark.usefixtures("fakes")
def test_short_parts_run_without_a_name(capsys: pytest.CaptureFixture[str]) -> None:
    """The long ones wait until they are asked for, and a missed line makes the code 1."""
    assert command.main([]) == 1
    said = capsys.readouterr()
    assert "counting" in said.out
    assert "MISSED  good: waiting" in said.err
    assert "later" not in said.err


@pytest.mark.usefixtures("fakes")
def test_long_parts_run_when_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    """Both ways of asking reach the long part, and its break is a line of the table."""
    for arguments in (["--long"], ["later"]):
        assert command.main(arguments) == 1
        assert "out of dice" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [["nothing"], ["good", "--readme"]])
def test_wrong_arguments_are_refused(fakes: Path, arguments: Sequence[str], capsys: pytest.CaptureFixture[str]) -> None:
    """A part that does not exist is named; a README with a part of its table is not written."""
    with pytest.raises(SystemExit, match="2"):
        command.main(arguments)
    assert arguments[0] in capsys.readouterr().err or "--readme" in arguments


def test_gate_counts_ratios_only(fakes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Seconds that are missed on a slow machine pass the gate; a ratio below its floor does not."""
    assert command.main(["good", "--expect", "--gate"]) == 0
    assert json.loads((fakes / "expected.json").read_text()) == {"good: adding": 12}
    (fakes / "expected.json").write_text('{"good: adding": 21}')
    assert command.main(["good", "--gate"]) == 1
    assert "FELL  good: adding is only 20 times as fast as counting, but was at least 21" in capsys.readouterr().err


@pytest.mark.usefixtures("fakes")
def test_gate_does_not_pass_a_broken_bench(capsys: pytest.CaptureFixture[str]) -> None:
    """A bench that no longer runs has no ratio that could fall."""
    assert command.main(["later", "--expect", "--gate"]) == 1
    assert "FELL  later: RuntimeError: out of dice" in capsys.readouterr().err


def test_gate_misses_lines_that_are_gone_and_new_ones() -> None:
    """A line without a floor, and a floor without its line, would both guard nothing."""
    lines = {"dice": [GOOD, Line("png", 0.1, peer="painter", note="painter is not installed")]}
    floors = {"dice: png": 2.0, "dice: gone": 2.0, "other: not run": 2.0}
    assert gate.fallen(lines, floors) == [
        "dice: gone was not measured",
        "dice: adding has no floor yet; --expect writes it",
    ]


def test_floors_of_parts_that_did_not_run_are_kept(tmp_path: Path) -> None:
    """One part can be measured anew without measuring all."""
    path = tmp_path / "expected.json"
    path.write_text('{"good: adding": 1, "good: gone": 1, "other: kept": 5}')
    gate.save({"good": [GOOD]}, path)
    assert gate.load(path) == {"good: adding": 12, "other: kept": 5}


def test_committed_floors_belong_to_parts() -> None:
    """A renamed part would leave its floors behind, never looked at."""
    floors = gate.load(gate.EXPECTED)
    assert floors
    assert {key.partition(":")[0] for key in floors} <= set(PARTS)
    assert all(floor > 0 for floor in floors.values())


@pytest.mark.usefixtures("fakes")
def test_json_tells_machine_and_lines(tmp_path: Path) -> None:
    """Figures mean something only with the machine and the versions they were measured with."""
    command.main(["good", "--out", str(tmp_path / "found.json")])
    found = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))
    assert {key: found[key] for key in FACTS} == FACTS
    assert Line(**found["lines"]["good"][0]) == GOOD
    assert as_json(Run(FACTS, {"good": [GOOD]})).endswith("}\n")


def test_circumstances_name_what_is_there() -> None:
    """The date, the commit and the installed packages come from where they are, not from a text."""
    known = report.circumstances()
    assert set(known) == set(FACTS)
    assert "sympy" in known["packages"]
    assert "no-such-package" not in facts("no-such-package")["packages"]


def test_readme_shows_peers_and_folds_the_rest() -> None:
    """Lines with a peer and missed ones are in sight; one without either is folded, none is lost."""
    quiet, missed = replace(SLOW, name="quiet", met=True), replace(SLOW, name="missed")
    seen, _fold, folded = for_readme(Run(FACTS, {"good": [GOOD, quiet, missed]})).partition("<details>")
    assert "adding" in seen
    assert "**missed**: at most 1 s" in seen
    assert "quiet" not in seen
    assert "quiet" in folded
    assert "abacus" in folded


def test_readme_of_the_project_has_its_marks() -> None:
    """Without them the table could not be written."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert put_into(text, "here").count("\n\nhere\n\n") == 1


@pytest.mark.parametrize("text", ["", report.START, f"{report.END}{report.START}", f"{report.START}{report.END}" * 2])
def test_a_readme_without_marks_is_refused(text: str) -> None:
    """Rather than lose words of it."""
    with pytest.raises(ValueError, match="once each"):
        put_into(text, "new")


def test_update_readme_writes_between_the_marks(tmp_path: Path) -> None:
    """Everything else of the README stays, however often it is written."""
    readme = tmp_path / "README.md"
    readme.write_text(f"before\n{report.START}\nold\n{report.END}\nafter\n", encoding="utf-8")
    for _time in range(2):
        report.update_readme(Run(FACTS, {"good": [GOOD]}), readme)
    text = readme.read_text(encoding="utf-8")
    assert text.startswith("before\n")
    assert text.endswith("\nafter\n")
    assert "old" not in text
    assert text.count("adding") == 1
