"""``fight`` tells a battle and its odds, as text or JSON, and says in a sentence what is wrong."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from d20kit import SRD35
from d20kit.battle import Encounter, exact, report
from d20kit.battle.ready import READY
from d20kit.launch import command, fight
from d20kit.launch.checkout import PACKAGE


def fight_lines(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    """Run the command, which must succeed, and return what it printed."""
    assert command.run(["fight", *arguments]) == 0
    return capsys.readouterr().out.splitlines()


def fight_records(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    """Run the command with ``--json`` and return the objects."""
    return [json.loads(line) for line in fight_lines(capsys, *arguments, "--json")]


def test_a_battle_is_told_with_its_odds(capsys: pytest.CaptureFixture[str]) -> None:
    """Who fights, every roll of that seed, how it ended, and the exact chances."""
    printed = "\n".join(fight_lines(capsys, "duel", "--seed", "3"))
    assert str(Encounter.ready("duel").fight(3)) in printed
    assert printed.startswith("A duel: two fighters of equal strength")
    assert "Rules: COURSE\nDice: seed 3; --seed 3 tells it again\n" in printed
    assert printed.endswith("Exact odds\n  red    50.000 %  = 1/2\n  blue   50.000 %  = 1/2")


def test_a_file_is_fought(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One's own file works like a ready encounter, and the rules can be replaced."""
    Encounter.ready("duel").dump(tmp_path / "mine.toml")
    monkeypatch.chdir(tmp_path)
    printed = "\n".join(fight_lines(capsys, "mine.toml", "--seed", "3", "--rules", "SRD35"))
    duel = Encounter(Encounter.ready("duel").combatants, SRD35)
    assert str(duel.fight(3)) in printed
    assert "Rules: SRD35" in printed


def test_a_drawn_seed_tells_the_battle_again(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a seed one is drawn and said, so that nothing is lost."""
    first = fight_records(capsys, "last-stand")
    assert fight_records(capsys, "last-stand", "--seed", str(first[0]["seed"])) == first


def test_json_is_one_object_on_each_line(capsys: pytest.CaptureFixture[str]) -> None:
    """A program gets who fights, the events, the end, and chances that add up exactly."""
    records = fight_records(capsys, "last-stand", "--seed", "5")
    battle = Encounter.ready("last-stand").fight(5)
    assert records[0] == {
        "event": "encounter",
        "seed": 5,
        "rules": "COURSE",
        "sides": {"heroes": ["Barbarian"], "monsters": ["Goblin A", "Goblin B"]},
    }
    assert records[1:-2] == battle.to_records()
    assert [row["hp"] for row in records[-2]["standings"]] == [one.hp for one in battle.standings]
    odds = records[-1]
    assert sum(map(Fraction, odds["win_chance"].values())) + Fraction(odds["draw"]) == 1
    assert odds["error"] == 0


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_each_event_is_seen_as_it_happens(options: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever reads a battle through a pipe follows it; a buffer would keep it back until it is over."""

    seen: list[str] = []

    class Pipe(io.StringIO):
        def flush(self) -> None:
            seen.append(self.getvalue())

    monkeypatch.setattr(sys, "stdout", Pipe())
    assert command.run(["fight", "duel", "--seed", "3", *options]) == 0
    assert len(seen) > len(Encounter.ready("duel").fight(3).events)
    assert seen[0].splitlines()[-1].startswith('{"event": "encounter"') if options else seen[0].endswith("again\n\n")


def test_letters_from_everywhere_are_written_as_they_are(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A name in JSON is read by people, too."""
    entry = '[[combatants]]\nname = "剣士{0}"\nside = "{0}"\nhp = 1\nac = 10\nattacks = []\n'
    (tmp_path / "far.toml").write_text(entry.format("a") + entry.format("b"), encoding="utf-8")
    told = fight_lines(capsys, str(tmp_path / "far.toml"), "--seed", "1", "--json")
    assert all("剣士a" in line for line in (told[0], told[1], told[-2]))


@pytest.mark.parametrize(("options", "shown"), [(["--json"], "剣士a"), ([], "??a")])
def test_an_output_that_knows_few_letters_gets_what_it_can_show(
    options: list[str], shown: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Text has question marks for what is missing there; JSON is always UTF-8."""
    entry = '[[combatants]]\nname = "剣士{0}"\nside = "{0}"\nhp = 1\nac = 10\nattacks = []\n'
    (tmp_path / "far.toml").write_text(entry.format("a") + entry.format("b"), encoding="utf-8")
    told = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(told, encoding="ascii"))
    assert command.run(["fight", str(tmp_path / "far.toml"), "--seed", "1", *options]) == 0
    sys.stdout.flush()
    assert shown in told.getvalue().decode()


def test_odds_that_are_too_much_work_are_explained(capsys: pytest.CaptureFixture[str]) -> None:
    """A mass of kobolds is fought all the same."""
    printed = fight_lines(capsys, "kobolds", "--seed", "1")
    assert "simulate()" in printed[-1]
    assert "Exact odds" in printed
    assert "simulate()" in fight_records(capsys, "kobolds", "--seed", "1")[-1]["refused"]


def test_odds_in_floats_say_how_far_they_are_off(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where exact fractions are too much work the bound of the error stands beside the chances."""
    real = exact.odds

    def slow(encounter: Encounter, *, exact: bool, progress: Any) -> object:
        if exact:
            raise ValueError("too much work")
        return real(encounter, exact=exact, progress=progress)

    monkeypatch.setattr(report, "odds", slow)
    printed = fight_lines(capsys, "duel", "--seed", "1")
    assert printed[-4] == "Odds"
    assert printed[-1].startswith("  each off by ")
    record = fight_records(capsys, "duel", "--seed", "1")[-1]
    assert abs(record["win_chance"]["red"] - 0.5) <= record["error"] < 1e-9


def test_a_battle_without_end_is_a_draw(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Where nobody attacks, the odds have a third line."""
    names = '[[combatants]]\nname = "{0}"\nside = "{0}"\nhp = 1\nac = 10\nattacks = []\n'
    (tmp_path / "idle.toml").write_text(names.format("red") + names.format("blue"))
    printed = fight_lines(capsys, str(tmp_path / "idle.toml"), "--seed", "1")
    assert printed[-1].split() == ["draw", "100.000", "%", "=", "1"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["duell"], r"Did you mean 'duel'?"),
        (["duell"], "the ready ones are duel, ambush"),
        (["gone.toml"], "gone.toml: there is no such file"),
        (["broken.toml"], "broken.toml: this is no TOML"),
        (["folder"], "folder: this is a folder"),
        (["down.toml", "--rules", "srd35"], "everybody of side 'red' is already down"),
    ],
)
def test_what_is_wrong_with_the_encounter_is_a_sentence(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    said: str,
) -> None:
    """One line on standard error, nothing on standard output, and exit code 1."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "broken.toml").write_text("hp =")
    red = '[[combatants]]\nname = "Ann"\nside = "red"\nhp = -1\nconstitution = 2\nac = 10\nattacks = []\n'
    (tmp_path / "down.toml").write_text(red + red.replace("Ann", "Bob").replace("red", "blue").replace("-1", "5"))
    assert command.run(["fight", *arguments]) == 1
    printed = capsys.readouterr()
    assert said in printed.err
    assert printed.err.count("\n") == 1
    assert printed.out == ""


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["duel", "--seed", "-1"],
        ["duel", "--seed", "x" * 99],
        ["duel", "--seed", "²"],
        ["duel", "--seed", str(2**63)],
        ["duel", "--simulate", "0"],
        ["duel", "--rules", "house"],
        ["duel", "--seed", "1", "--typed"],
        ["duel", "ambush"],
    ],
)
def test_a_wrong_command_line_is_exit_code_2(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    """Usage is told apart from what is wrong with an encounter."""
    with pytest.raises(SystemExit) as stop:
        command.run(["fight", *arguments])
    assert stop.value.code == 2
    assert "usage: python3 -m d20kit fight" in capsys.readouterr().err


def test_a_missing_encounter_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever does not know yet what there is gets a line to type, and every ready encounter."""
    with pytest.raises(SystemExit):
        command.run(["fight"])
    said = capsys.readouterr().err
    assert "for example: python3 -m d20kit fight ambush" in said
    assert all(name in said for name in READY)
    assert "python3 -m d20kit fight [-h]" in said
    assert "[FILE]" not in said


def test_dice_can_be_typed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Questions go beside the story, which is told as it happens."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("20\n10\n9\n20\n12\n2\n20\n12\n"))
    records = fight_records(capsys, "last-stand", "--typed")
    assert records[0]["seed"] is None
    assert [r["face"] for r in records if r["event"] == "initiative roll"] == [20, 10, 9]
    monkeypatch.setattr(sys, "stdin", io.StringIO("20\n"))
    assert command.run(["fight", "last-stand", "--typed"]) == 1
    printed = capsys.readouterr()
    assert printed.err.endswith("the typed dice ended before the battle did\n")
    assert "initiative of Barbarian, d20: " in printed.err


def test_simulation_reports_progress_and_a_result(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many battles of the same seed, beside the exact odds."""
    printed = fight_lines(capsys, "duel", "--seed", "3", "--simulate", "2000")
    simulated = Encounter.ready("duel").simulate(2000, 3)
    assert "\n".join(printed).endswith(f"Simulated\n{simulated}")
    record = fight_records(capsys, "duel", "--seed", "3", "--simulate", "2000")[-1]
    assert (record["event"], record["battles"], record["seed"]) == ("simulation", 2000, 3)
    assert record["table"] == json.loads(json.dumps(simulated.table()))


def test_the_bar_fills() -> None:
    """A passing line says how much is done, of nothing too."""
    said: list[str] = []

    class Shown:
        detail = staticmethod(said.append)

    bar = report._Bar(Shown(), "simulating")
    bar(0, 0)
    bar(15, 30)
    bar(30, 30)
    assert said == [
        f"simulating [{'.' * 30}] 0 %",
        f"simulating [{'#' * 15}{'.' * 15}] 50 %",
        f"simulating [{'#' * 30}] 100 %",
    ]


def run_process(*arguments: str, **settings: Any) -> subprocess.Popen[bytes]:
    """Start the command in a process of its own."""
    env = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    words = [sys.executable, "-m", "d20kit", "fight", *arguments]
    started: subprocess.Popen[bytes] = subprocess.Popen(
        words, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **settings
    )
    return started


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such pipes")
def test_a_broken_pipe_is_quiet() -> None:
    """``fight ... | head -1`` ends without a word."""
    with run_process("kobolds", "--seed", "1") as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == b""
        assert process.wait() == 141


def test_a_poor_terminal_gets_what_it_can_show(tmp_path: Path) -> None:
    """Names from everywhere are told even where they cannot be shown; JSON is always UTF-8."""
    entry = '[[combatants]]\nname = "剣士{0}"\nside = "{0}"\nhp = 1\nac = 10\nattacks = []\n'
    (tmp_path / "far.toml").write_text(entry.format("a") + entry.format("b"), encoding="utf-8")
    for options, shown in ((["--json"], "剣士a".encode()), ([], b"??a")):
        env = {"PYTHONIOENCODING": "ascii", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        words = [sys.executable, "-m", "d20kit", "fight", "far.toml", "--seed", "1", *options]
        told = subprocess.run(words, cwd=tmp_path, env=os.environ | env, capture_output=True, check=True).stdout
        assert shown in told


def test_a_bare_checkout_prepares_its_environment_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where the kit's packages are missing, the command runs in the kit's own environment, in the same folder."""
    (tmp_path / "python").write_text('#!/bin/sh\necho "$@" > seen.txt\nexit 7\n')
    (tmp_path / "python").chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(fight, "_NEEDED", ("no_such_package",))
    monkeypatch.setattr(fight, "ensure", lambda checkout, profile, progress: tmp_path / "python")
    if sys.platform == "win32":
        pytest.skip("Windows runs no such script")
    assert command.run(["fight", "duel", "--seed", "3"]) == 7
    assert (tmp_path / "seen.txt").read_text() == "-m d20kit fight duel --seed 3\n"


def test_an_installed_kit_without_its_packages_says_so(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a checkout there is no environment to prepare."""
    monkeypatch.setattr(fight, "_NEEDED", ("no_such_package",))
    monkeypatch.setattr(fight, "find_checkout", lambda: None)
    assert command.run(["fight", "duel"]) == 1
    assert "pip install d20kit" in capsys.readouterr().err


def test_help_needs_no_packages() -> None:
    """Help comes at once from a bare checkout: only the standard library is loaded for it."""
    missing = "import sys; sys.modules.update(flint=None, lark=None, sympy=None, numpy=None); "
    code = missing + "import d20kit.__main__ as kit; kit.main(['fight', '--help'])"
    run = subprocess.run([sys.executable, "-c", code], cwd=PACKAGE.parent, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert "nobody-aware" in run.stdout
