"""The narration: every roll is in it, with the rule that uses it, and it reads the same every time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from d20kit import COURSE, SRD35, Ruleset
from d20kit.amounts import WIDEST_LINE
from d20kit.battle import Attack, Combatant, Encounter, wording

GOLDEN = Path(__file__).with_name("golden_battle.txt")


def four_against_five(rules: Ruleset = COURSE) -> Encounter:
    """The battle of the lesson: four heroes come upon five monsters, some of whom look the other way."""
    party = ("fighter", "rogue", "cleric", "wizard")
    heroes = [Combatant.from_bestiary(name, aware=name != "wizard") for name in party]
    goblins = [Combatant.from_bestiary("goblin", name=f"Goblin {mark}", aware=mark == "A") for mark in "ABC"]
    monsters = [*goblins, Combatant.from_bestiary("orc"), Combatant.from_bestiary("wolf", aware=False)]
    return Encounter(heroes + monsters, rules)


def test_one_whole_battle_word_for_word() -> None:
    """Any change of an engine rule, of a die or of a sentence shows here and must be meant."""
    assert str(four_against_five().fight(20)) + "\n" == GOLDEN.read_text(encoding="utf-8")


@pytest.mark.parametrize("rules", [COURSE, SRD35], ids=["COURSE", "SRD35"])
@pytest.mark.parametrize("seed", range(8))
def test_every_roll_is_told(rules: Ruleset, seed: int) -> None:
    """Each d20 appears with face, modifier and total, each damage with its sum, and nothing is told twice."""
    battle = four_against_five(rules).fight(seed)
    text = str(battle)
    unfolded = text.replace("\n" + " " * 10, " ")
    for event in battle.events:
        if event.kind == "round begins":
            continue
        assert event.sentence() in unfolded
    d20s = sum(
        event.kind in ("initiative roll", "tie reroll", "attack roll", "confirmation roll", "massive damage save")
        for event in battle.events
    )
    assert text.count("d20 ") == d20s
    assert all(not line.endswith(" ") for line in text.splitlines())


def test_hit_points_stay_in_their_columns() -> None:
    """Whoever follows one combatant down the page finds it in the same place at each round."""
    told = str(four_against_five().fight(20)).splitlines()
    places = [number for number, line in enumerate(told) if line.startswith("  heroes    Fighter ")]
    assert len(places) > 2
    columns = {(told[number].index("Fighter"), told[number + 1].index("Wizard")) for number in places}
    assert columns == {(12, 12)}


def test_a_narration_fits_the_page() -> None:
    """A notebook breaks a longer line anywhere, in the middle of a number too."""
    telling = str(four_against_five().fight(20))
    assert max(map(len, telling.splitlines())) <= WIDEST_LINE
    assert "\n" + " " * 10 in telling


@pytest.mark.parametrize("fold", [wording.fold, wording.fold_evenly])
def test_folded_lines_are_as_wide_as_they_may_be(fold: Callable[..., str]) -> None:
    """One character more, and it is another line; one less, and it was not."""
    for width, lines in ((9, 1), (8, 2)):
        folded = fold("abc, defg", width, 2).split("\n")
        assert (len(folded), max(map(len, folded))) == (lines, 9 if lines == 1 else 6)


def test_wide_and_combining_letters_keep_the_columns() -> None:
    """A terminal shows some letters two columns wide and some none; the columns count what is shown."""
    wide, narrow = Combatant("剣士", "赤", 5, 12, Attack("剣", 2, "1d6")), Combatant("Zoq\u0301", "b", 5, 12, ())
    told = str(Encounter([wide, narrow]).fight(1)).splitlines()
    first, second = (line for line in told[-2:])
    assert first.startswith("  赤  剣士 ")
    assert second.startswith("  b   Zoq\u0301  ")


def test_names_are_never_interpreted() -> None:
    """Braces, percent signs and markup in a name come out as they went in."""
    odd = Combatant("{attacker} %s <b>", "{side}", 5, 12, Attack("{weapon}", 2, "1d6"))
    text = str(Encounter([odd, Combatant("Bob", "blue", 5, 12, ())]).fight(1))
    assert "{attacker} %s <b> attacks Bob with {weapon}: d20" in text


def test_a_notebook_shows_the_narration() -> None:
    """A cell that ends in a battle tells it."""
    shown: list[Any] = []

    class Printer:
        text = staticmethod(shown.append)

    battle = four_against_five().fight(20)
    battle._repr_pretty_(Printer(), cycle=False)
    assert shown == [str(battle)]


def test_even_lines_are_found_without_trying_every_width(monkeypatch: pytest.MonkeyPatch) -> None:
    """A long battle has thousands of lines: each may be laid out only a few times, and the result is the narrowest."""
    text = "  " + ", ".join(f"part {number} of a line: said" for number in range(12))
    tried: list[int] = []
    usual = wording._filled

    def counted(pieces: Sequence[str], width: int, indent: int) -> list[str]:
        tried.append(width)
        return usual(pieces, width, indent)

    monkeypatch.setattr(wording, "_filled", counted)
    folded = wording.fold_evenly(text, 90).splitlines()
    assert len(tried) < 12
    pieces = wording._MORE_BREAKS.split(text)
    every = [usual(pieces, width, 4) for width in range(1, 91)]
    fewest = min(map(len, every))
    assert folded == next(lines for lines in every if len(lines) == fewest)
    assert fewest > 1
    tried.clear()
    assert wording.fold_evenly("short: one, two", 90) == "short: one, two"
    assert tried == [90]
