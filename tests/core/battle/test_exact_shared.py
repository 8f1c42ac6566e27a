"""One solution answers all questions about who wins, and whoever waits for it at a terminal sees how far it is."""

from __future__ import annotations

import sys
import threading
from fractions import Fraction
from io import StringIO
from typing import Any

import pytest

from d20kit import COURSE, SRD35, Ruleset
from d20kit.attack import hit_chance
from d20kit.battle import Attack, Combatant, Encounter, exact
from d20kit.battle.bar import Bar
from d20kit.battle.solve import estimate
from d20kit.battle.solve.limits import TooMuchWorkError
from d20kit.hit_points import State


def brawl(sides: tuple[str, ...], hp: int = 6, rules: Ruleset = COURSE) -> Encounter:
    """Return an encounter with one combatant for each side, no two alike."""
    return Encounter(
        [
            Combatant(side, side, hp + place, 12 + place, Attack("blow", 4, "1d4+1"), initiative=place)
            for place, side in enumerate(sides)
        ],
        rules,
    )


@pytest.fixture(autouse=True)
def _nothing_solved() -> None:
    """Let every test begin with nothing solved."""
    exact.forget()


@pytest.mark.parametrize("way", [True, False], ids=["exact", "float"])
@pytest.mark.parametrize("sides", [("red", "blue"), ("red", "blue", "green")], ids=len)
@pytest.mark.parametrize("first", [0, -1], ids=["first side", "last side"])
def test_one_solution_answers_for_all_sides(way: bool, sides: tuple[str, ...], first: int) -> None:
    """Whichever side is asked about first, nothing is left to solve for the others, the odds, or the odds again."""
    encounter, steps = brawl(sides), []

    def progress(*step: int) -> None:
        steps.append(step)

    encounter.win_chance(sides[first], exact=way, progress=progress)
    assert steps[-1][0] == steps[-1][1] > 0
    steps.clear()
    chances = {side: encounter.win_chance(side, exact=way, progress=progress) for side in sides}
    odds = encounter.odds(exact=way, progress=progress)
    assert steps == []
    assert odds.win_chance == chances
    assert odds.draw == 0


def test_later_moments_of_a_duel_are_looked_up() -> None:
    """Its turns go round in one cycle, so whatever is told of it, all that can follow has been solved."""
    encounter, steps = brawl(("red", "blue")), []
    encounter.win_chance("blue")
    battle = encounter.fight(3)
    for told in range(len(battle.events) + 1):
        encounter.win_chance("red", given=battle.events[:told], progress=lambda *step: steps.append(step))
    assert steps == []


def test_the_last_of_the_floats_is_within_the_bound() -> None:
    """What floats leave of 1 is no further from the fraction than the odds say, also where it is next to nothing."""
    strong = Combatant("Ann", "red", 60, 18, Attack("axe", 12, "2d6+6"))
    encounter = Encounter([strong, Combatant("Bob", "blue", 5, 10, Attack("club", 0, "1d4"))])
    odds, floats = encounter.odds(), encounter.odds(exact=False)
    assert 0 < odds.win_chance["blue"] < Fraction(1, 10**6)
    for side, chance in odds.win_chance.items():
        assert floats.win_chance[side] >= 0
        assert abs(Fraction(floats.win_chance[side]) - Fraction(chance)) <= Fraction(floats.error)


@pytest.mark.parametrize("way", [True, False], ids=["exact", "float"])
@pytest.mark.parametrize("turned", [False, True], ids=["others last", "attacker last"])
def test_a_battle_that_may_never_end_is_solved_for_all_sides(way: bool, turned: bool) -> None:
    """Ann strikes once, at Bob, and collapses: what the others leave then is the draw, not the last side's chance."""
    ann = Combatant("Ann", "red", 0, 12, Attack("blow", 4, "10"))
    people = [ann, *(Combatant(name, name, 1, 15, [], constitution=0) for name in ("Bob", "Cid"))]
    encounter = Encounter([*people[1:], ann] if turned else people, SRD35)
    hit = hit_chance(4, 15)
    expected = {"red": 0, "Bob": 0, "Cid": hit}
    last = encounter.sides[-1]
    assert encounter.win_chance(last, exact=way) == pytest.approx(expected[last], abs=1e-12)
    odds = encounter.odds(exact=way)
    assert odds.win_chance == pytest.approx(expected, abs=1e-12)
    assert odds.draw == pytest.approx(1 - hit, abs=1e-12)
    if way:
        assert (odds.win_chance["Cid"], odds.draw) == (hit, 1 - hit)


def test_one_of_several_sides_may_be_little_enough_to_solve(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where all sides together are above the limit, one alone is still answered if it is not."""
    encounter = brawl(("red", "blue", "green"))
    expected = encounter.odds()
    both = exact.estimated_work(encounter) * 2 // 3  # for two of the three
    monkeypatch.setattr(estimate, "MAX_EXACT_STEPS", both - 1)
    with pytest.raises(TooMuchWorkError):
        encounter.odds()
    assert {side: encounter.win_chance(side) for side in encounter.sides} == expected.win_chance


def test_the_blow_decides_before_it_is_paid_for() -> None:
    """A disabled attacker who fells the last enemy has won, though the hit point it costs leaves it dying."""
    ann = Combatant("Ann", "red", 0, 30, Attack("blow", 20, "10"), initiative=50)
    encounter = Encounter([ann, Combatant("Bob", "blue", 1, 1, Attack("blow", 0, "1"), constitution=0)], SRD35)
    chance, fates = encounter.win_chance("red"), encounter.fates()["Ann"]
    assert chance > Fraction(9, 10)
    assert fates[State.DYING] >= chance


class Terminal(StringIO):
    """Text that is written to a terminal."""

    def isatty(self) -> bool:
        """Say so."""
        return True


QUESTIONS = {
    "win_chance": lambda encounter, **more: encounter.win_chance("red", **more),
    "odds": lambda encounter, **more: encounter.odds(**more),
    "fates": lambda encounter, **more: encounter.fates(**more),
    "first_to_fall": lambda encounter, **more: encounter.first_to_fall(**more),
    "round_chances": lambda encounter, **more: encounter.round_chances(3, **more),
}


@pytest.fixture
def _all_is_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take any work for long."""
    monkeypatch.setattr(estimate, "LONG_EXACT_STEPS", 0)


@pytest.mark.usefixtures("_all_is_long")
@pytest.mark.parametrize("question", QUESTIONS)
def test_long_work_is_shown_on_a_terminal(monkeypatch: pytest.MonkeyPatch, question: str) -> None:
    """A bar goes up to 100 % on one line, which is empty again at the end."""
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    QUESTIONS[question](brawl(("red", "blue")))
    said = screen.getvalue()
    assert said.split("\r")[1].endswith("[..............................] 0 %"), "nothing is seen at first"
    assert "[##############################] 100 %" in said
    assert "\n" not in said
    assert said.endswith("\r")
    assert said.split("\r")[-2].strip() == ""


@pytest.mark.usefixtures("_all_is_long")
@pytest.mark.parametrize("question", QUESTIONS)
def test_nothing_is_shown_anywhere_else(monkeypatch: pytest.MonkeyPatch, question: str) -> None:
    """What a notebook or a file stores stays as it is, and whoever is told of progress shows it themselves."""
    screen = StringIO()
    monkeypatch.setattr(sys, "stderr", screen)
    QUESTIONS[question](brawl(("red", "blue")))
    assert screen.getvalue() == ""
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    steps = []
    QUESTIONS[question](brawl(("red", "blue"), hp=7), progress=lambda *step: steps.append(step))
    assert steps[-1][0] == steps[-1][1] > 0
    assert screen.getvalue() == ""


@pytest.mark.usefixtures("_all_is_long")
def test_threads_do_not_write_over_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the thread that has the terminal to itself draws on it."""
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    found = []
    thread = threading.Thread(target=lambda: found.append(brawl(("red", "blue")).odds()))
    thread.start()
    thread.join()
    assert len(found) == 1
    assert screen.getvalue() == ""


@pytest.mark.usefixtures("_all_is_long")
@pytest.mark.parametrize("gone", [None, "closed"])
def test_where_there_is_no_standard_error_there_is_no_bar(monkeypatch: pytest.MonkeyPatch, gone: str | None) -> None:
    """A program without a console has none, or a closed one, and still wants its answer."""
    closed = Terminal()
    closed.close()
    monkeypatch.setattr(sys, "stderr", closed if gone else None)
    assert sum(brawl(("red", "blue")).odds().win_chance.values()) == 1


def test_short_work_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer that is there at once needs no bar."""
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    brawl(("red", "blue")).odds()
    assert screen.getvalue() == ""


@pytest.mark.usefixtures("_all_is_long")
def test_a_stop_wipes_the_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    """The prompt that comes next begins an empty line."""
    terminal = Terminal()

    def interrupted(text: str) -> int:
        count = StringIO.write(terminal, text)
        if "100 %" in text:
            raise KeyboardInterrupt
        return count

    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(terminal, "write", interrupted, raising=False)
    with pytest.raises(KeyboardInterrupt):
        brawl(("red", "blue")).win_chance("red")
    assert terminal.getvalue().split("\r")[-2].strip() == ""


def test_swings_pass_over_moments_that_are_too_much_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """A battle of many can be solved only once its initiative is known; the moments before are left out."""
    battle = Encounter.ready("duel").fight(1)
    solved = exact.win_chance

    def limited(encounter: Encounter, side: str, *, given: Any, exact: bool) -> Any:
        if len(given) < 3:
            raise TooMuchWorkError("too much")
        return solved(encounter, side, given=given, exact=exact)

    monkeypatch.setattr(exact, "win_chance", limited)
    found = exact.swings(battle, "red")
    assert [told for told, _chance in found] == list(range(3, len(battle.events) + 1))
    assert found[-1][1] == int(battle.winner == "red")


def test_rounds_of_a_battle_that_is_surely_over() -> None:
    """Under SRD35 whoever attacks at 0 hit points is dying afterwards, so two of them are done in the first round."""
    worn = [
        Combatant(side, side, 0, 15, Attack("blow", 4, "1d4+1"), initiative=place)
        for place, side in enumerate(("red", "blue"))
    ]
    assert Encounter(worn, SRD35).round_chances(3) == [0, 1, 0, 0]


def test_bar_is_written_only_when_it_changes() -> None:
    """Thousands of equal lines would slow a terminal down."""
    out = StringIO()
    bar = Bar(out)
    bar(1, 1000)
    once = out.getvalue()
    bar(1, 1000)
    assert out.getvalue() == once != ""


def test_bar_is_seen_at_once() -> None:
    """A line without an end stays in the buffer until it is flushed, and a bar that comes at the end is of no use."""
    seen = []

    class Terminal(StringIO):
        def flush(self) -> None:
            seen.append(self.getvalue())

    bar = Bar(Terminal())
    bar(1, 2)
    assert "50 %" in seen[-1]
    bar.clear()
    assert seen[-1].endswith(" \r")


def test_bar_that_showed_nothing_wipes_nothing() -> None:
    """Work that was quick leaves a terminal as it was."""
    out = StringIO()
    Bar(out).clear()
    assert out.getvalue() == ""
