"""The table of combatants: typed cells and their refusals, the bestiary, and files that are never lost."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from traitlets import TraitError

from d20kit import COURSE, SRD35
from d20kit.battle import Attack, Combatant, Encounter
from d20kit.battle.encounter_file import LARGEST_FILE, read_bytes
from d20kit.dice import d
from d20widgets import BattlePlayer, battle_file
from d20widgets.battle_roster import Roster
from d20widgets.battle_sides import doubtful
from d20widgets.battle_table import Cell, edited, free_name, rows


@pytest.fixture
def player() -> Iterator[BattlePlayer]:
    """A duel, whose table is to be edited."""
    made = BattlePlayer("duel", seed=1)
    yield made
    made.close()


@pytest.fixture
def roster(player: BattlePlayer) -> Roster:
    """The table of the duel."""
    found: Roster = player._fields["encounter"].parts[0]
    return found


def ask(roster: Roster, kind: str, **request: Any) -> None:
    """Do what the page asks for, as a message from it."""
    roster._handle_custom_msg({"kind": kind, **request}, [])


def type_in(roster: Roster, place: str, text: str) -> None:
    """Type into a cell given as the page knows it."""
    row, attack, key = place.split(".")
    ask(roster, "edit", row=int(row), attack=int(attack) if attack else None, key=key, text=text)


def test_a_side_that_looks_like_another_is_named(roster: Roster, tmp_path: Path) -> None:
    """A slip of the pen makes enemies of friends, and the battle would not say so."""
    ask(roster, "add", creature="goblin")
    type_in(roster, "0..side", "heroes")
    assert roster.said["text"] == ""
    type_in(roster, "2..side", "heros")
    asked = 'Sides "heroes" and "heros" are enemies: if they are one side, write both alike.'
    assert roster.said == {"text": asked, "refused": False}
    path = str(tmp_path / "two.toml")
    ask(roster, "save", path=path, replace=False)
    ask(roster, "load", path=path)
    assert roster.said["text"] == f"Loaded {path}. {asked}"
    type_in(roster, "2..side", "heroes")
    assert roster.said["text"] == ""


@pytest.mark.parametrize(
    "sides", [("Team A", "Team B"), ("side 1", "side 12"), ("red", "blue"), ("Orcs", "Elves"), ("x" * 60, "y" * 60)]
)
def test_sides_that_only_sound_alike_are_let_be(sides: tuple[str, str]) -> None:
    """A doubt about every second encounter would soon be read over."""
    assert doubtful(sides) == ""


def test_very_many_sides_are_only_looked_through_for_capital_letters() -> None:
    """Two hundred long names would be compared for ten seconds at every cell that is typed."""
    random = Random(1)
    sides = ["".join(random.choices("abc", k=60)) for _side in range(199)]
    assert doubtful(sides) == ""
    assert doubtful([*sides, sides[100].upper()]).startswith(f'Sides "{sides[100]}" and ')


@pytest.mark.parametrize("name", Encounter.ready_names())
def test_a_table_typed_as_it_stands_changes_nothing(name: str) -> None:
    """Whatever the table shows it must also read, or a click into a cell would be a change."""
    encounter = Encounter.ready(name)
    texts = {
        Cell(row, attack, key): text
        for row, shown in enumerate(rows(encounter))
        for attack, cells in [(None, shown["own"]), *enumerate(shown["attacks"])]
        for key, text in cells.items()
    }
    assert edited(encounter, texts) == encounter


@pytest.mark.parametrize(
    ("place", "text", "read"),
    [
        ("0..name", "Ann", lambda one: one.name == "Ann"),
        ("0..hp", " 30 ", lambda one: one.hp == 30),
        ("0..initiative", "+4", lambda one: one.initiative == 4),
        ("0..constitution", "−1", lambda one: one.constitution == -1),
        ("0..aware", "no", lambda one: not one.aware),
        ("0..policy", "weakest", lambda one: one.policy == "weakest"),
        ("0..ac", "20", lambda one: (one.ac, one.flat_footed_ac, one.touch_ac) == (20, 19, 13)),
        ("0.0.damage", "2d6+1", lambda one: one.attacks[0].damage == "2d6+1"),
        ("0.0.damage", "-", lambda one: one.attacks[0].damage is None),
        ("0.0.bonus", "9", lambda one: one.attacks[0].bonus == 9),
    ],
)
def test_what_is_typed_is_fought_with(
    player: BattlePlayer, roster: Roster, place: str, text: str, read: Callable[..., Any]
) -> None:
    """A cell that looks changed while the battle is the old one would be a lie."""
    type_in(roster, place, text)
    assert roster.errors == {}
    assert read(player.values["encounter"].combatants[0])
    assert player.battle.encounter == player.values["encounter"]


@pytest.mark.parametrize(
    ("place", "text", "complaint"),
    [
        ("0..name", "Blue fighter", "two combatants are named"),
        ("0..name", "", "name is ''"),
        ("0..side", "blue", "all combatants are on side"),
        ("0..hp", "many", "hp is 'many', but must be a whole number from"),
        ("0..hp", "-5", "everybody of side"),
        ("0..hp", "99999", "hp is 99999"),
        ("0..ac", "1e3", "ac is '1e3'"),
        ("0..touch_ac", "40", "touch_ac is 40"),
        ("0..aware", "maybe", "aware is 'maybe'"),
        ("0..policy", "kind", "policy is 'kind'"),
        ("0.0.damage", "1d", "damage"),
        ("0.0.damage", "__import__('os')", "damage"),
        ("0.0.threat", "1", "threat is 1"),
    ],
)
def test_a_refusal_stands_beside_its_cell_and_nothing_changes(
    player: BattlePlayer, roster: Roster, place: str, text: str, complaint: str
) -> None:
    """The learner sees at once what is wrong and where, and the battle goes on as it was."""
    before = player.state
    type_in(roster, place, text)
    (refused,) = roster.errors.items()
    assert refused[0] == place
    assert refused[1][0] == text
    assert complaint in refused[1][1]
    assert player.state == before


def test_a_refused_cell_is_taken_when_another_makes_it_fit(player: BattlePlayer, roster: Roster) -> None:
    """Two names can be exchanged only by way of two that are alike."""
    type_in(roster, "0..name", "Blue fighter")
    type_in(roster, "1..name", "Red fighter")
    assert roster.errors == {}
    assert [one.name for one in player.values["encounter"].combatants] == ["Blue fighter", "Red fighter"]


def test_a_refused_cell_goes_with_its_combatant(player: BattlePlayer, roster: Roster) -> None:
    """Another encounter may be set from Python while a refused text still stands in a row that it does not have."""
    ask(roster, "ready", name="ambush")
    type_in(roster, "3..hp", "many")
    assert "3..hp" in roster.errors
    roster.value = Encounter.ready("duel")
    assert player.values["encounter"] == Encounter.ready("duel")
    assert roster.errors == {}


def test_one_refused_cell_does_not_hold_up_the_others(player: BattlePlayer, roster: Roster) -> None:
    """A half-typed number in one row must not freeze the whole table."""
    type_in(roster, "0..hp", "x")
    type_in(roster, "1..hp", "40")
    assert list(roster.errors) == ["0..hp"]
    assert player.values["encounter"].combatants[1].hp == 40
    type_in(roster, "0..hp", "7")
    assert roster.errors == {}
    assert player.values["encounter"].combatants[0].hp == 7


@pytest.mark.parametrize(
    "message",
    [
        None,
        {"kind": "edit"},
        {"kind": "edit", "row": 9, "attack": None, "key": "hp", "text": "1"},
        {"kind": "edit", "row": 0, "attack": None, "key": "__class__", "text": "1"},
        {"kind": "edit", "row": "0", "attack": None, "key": "hp", "text": "1"},
        {"kind": "remove", "row": 7},
        {"kind": "_become", "encounter": None},
    ],
)
def test_messages_about_nothing_change_nothing(
    player: BattlePlayer, roster: Roster, message: dict[str, Any] | None
) -> None:
    """A page may lag behind, or send nonsense: nothing but what the table has may be changed."""
    before = player.state
    roster._handle_custom_msg(message, [])
    assert player.state == before


def test_creatures_are_added_copied_and_removed(player: BattlePlayer, roster: Roster) -> None:
    """From a picker to a battle in a few clicks; every name stays its own."""
    for _twice in range(2):
        ask(roster, "add", creature="goblin")
    ask(roster, "copy", row=0)
    names = [one.name for one in player.values["encounter"].combatants]
    assert names == ["Red fighter", "Red fighter B", "Blue fighter", "Goblin", "Goblin B"]
    ask(roster, "remove", row=0)
    assert [row["own"]["name"] for row in roster.rows] == names[1:]


def test_the_last_of_a_side_cannot_go(player: BattlePlayer, roster: Roster) -> None:
    """A battle needs two sides; the sentence below the table says so."""
    ask(roster, "remove", row=0)
    assert roster.said["refused"]
    assert "all combatants are on side" in roster.said["text"]
    assert len(player.values["encounter"].combatants) == 2


def test_ready_encounters_and_rules_are_a_click_away(player: BattlePlayer, roster: Roster) -> None:
    """A lesson begins with a ready encounter and then changes the rules."""
    ask(roster, "ready", name="ambush")
    assert player.values["encounter"] == Encounter.ready("ambush")
    ask(roster, "rules", name="SRD35")
    assert player.values["encounter"].rules == SRD35
    ask(roster, "ready", name="nowhere")
    assert "name is 'nowhere'" in roster.said["text"]


def test_what_cannot_be_typed_is_fixed() -> None:
    """A distribution or a function has no text from which it could be read again."""
    one = Combatant("Ann", "a", 5, 12, Attack("x", 1, d(4) + d(4)), policy=lambda me, enemies: enemies[0])
    player = BattlePlayer(Encounter([one, Combatant("Bob", "b", 5, 12, Attack("y", 1, "1d4"))]))
    roster = player._fields["encounter"].parts[0]
    assert roster.rows[0]["fixed"] == ["policy", "0.damage"]
    before = player.values["encounter"]
    type_in(roster, "0.0.damage", "1d4")
    type_in(roster, "0..policy", "weakest")
    assert player.values["encounter"] == before
    player.close()


def test_a_file_goes_out_and_in(player: BattlePlayer, roster: Roster, tmp_path: Path) -> None:
    """What is saved is what is loaded, and the page says where it went."""
    path = tmp_path / "mine.toml"
    type_in(roster, "0..hp", "33")
    saved = player.values["encounter"]
    ask(roster, "save", path=f" {path} ", replace=False)
    assert roster.said == {"text": f"Saved to {path}.", "refused": False}
    ask(roster, "ready", name="boss")
    ask(roster, "load", path=str(path))
    assert player.values["encounter"] == saved == Encounter.load(path)
    assert roster.said["text"] == f"Loaded {path}."


def test_a_file_that_is_there_is_never_lost_unasked(roster: Roster, tmp_path: Path) -> None:
    """Saving over somebody's notes takes a tick; a refusal leaves every byte as it was."""
    path = tmp_path / "notes.toml"
    path.write_text("# a year of work\n")
    for replace in (False, None, 1, "yes"):
        ask(roster, "save", path=str(path), replace=replace)
        assert roster.said["refused"]
        assert "tick the box to replace it" in roster.said["text"]
        assert path.read_text() == "# a year of work\n"
    ask(roster, "save", path=str(path), replace=True)
    assert Encounter.load(path) == Encounter.ready("duel")
    assert os.listdir(tmp_path) == ["notes.toml"]


def test_a_dangling_link_is_a_file_too(tmp_path: Path) -> None:
    """Writing through it would make a file where nobody looks for it."""
    link = tmp_path / "link.toml"
    link.symlink_to(tmp_path / "elsewhere" / "real.toml")
    with pytest.raises(ValueError, match="already"):
        battle_file.save(Encounter.ready("duel"), str(link), replace=False)


@pytest.mark.parametrize("path", ["", "   ", "no/such/folder/x.toml", ".", "a\0b", "x" * 5000])
def test_a_path_that_leads_nowhere_is_refused_below_the_table(
    player: BattlePlayer, roster: Roster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    """Every way to miss a file gets a sentence, and the encounter stays."""
    monkeypatch.chdir(tmp_path)
    before = player.state
    for kind in ("load", "save"):
        ask(roster, kind, path=path, replace=True)
        assert roster.said["refused"]
        assert roster.said["text"]
    assert player.state == before


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("combatants = 3", "<b>.toml: combatants is 3"),
        ("this is no TOML", "<b>.toml: this is no TOML"),
        ("#" * (LARGEST_FILE + 1), "more than"),
        ("a = " + "[" * 5000, "<b>.toml: "),
        ('[[combatants]]\ncreature = "goblim"', "goblin"),
    ],
)
def test_an_uploaded_file_is_read_with_the_same_care(
    player: BattlePlayer, roster: Roster, text: str, complaint: str
) -> None:
    """It comes from anywhere: the refusal names file and place, and the encounter stays."""
    before = player.state
    ask(roster, "take", text=text, name="<b>.toml")
    assert complaint in roster.said["text"]
    assert roster.said["refused"]
    assert player.state == before


def test_an_upload_and_a_download_are_one_file(player: BattlePlayer, roster: Roster) -> None:
    """On a server without a folder of one's own the page is the only way in and out."""
    sent = []
    roster.send = lambda message, buffers=None: sent.append(message)
    ask(roster, "ready", name="kobolds")
    ask(roster, "download")
    del roster.send
    (message,) = sent
    ask(roster, "ready", name="duel")
    ask(roster, "take", text=message["text"], name=message["name"])
    assert player.values["encounter"] == Encounter.ready("kobolds")


def test_bytes_are_read_as_the_file_would_be() -> None:
    """The kit's reader of bytes and of files must not part ways."""
    combatants, rules = read_bytes(battle_file.give(Encounter.ready("boss")).encode(), "boss")
    assert Encounter(combatants, rules) == Encounter.ready("boss")
    assert rules == COURSE
    with pytest.raises(ValueError, match="boss: line 1 is not UTF-8"):
        read_bytes(b"\xff", "boss")


def test_reset_and_examples_show_in_the_table(player: BattlePlayer, roster: Roster) -> None:
    """Whatever changes the encounter, the table shows it."""
    type_in(roster, "0..hp", "x")
    player.move(encounter="boss")
    assert roster.errors == {}
    assert [row["own"]["name"] for row in roster.rows] == [one.name for one in Encounter.ready("boss").combatants]
    player.reset()
    assert len(roster.rows) == 2


@pytest.mark.parametrize("odd", [5, "duel", [], Combatant])
def test_the_table_holds_an_encounter_and_nothing_else(roster: Roster, odd: Any) -> None:
    """A table of what is no encounter would fail at the next button that is pressed."""
    before = roster.value
    with pytest.raises(TraitError, match="Encounter"):
        roster.value = odd
    assert roster.value is before
    ask(roster, "remove", row=1)
    assert roster.said["refused"]


def test_free_names_never_run_out() -> None:
    """Many goblins, each with a name of its own, none longer than a name may be."""
    taken: dict[str, Any] = {}
    for _goblin in range(60):
        name = free_name("G" * 60, taken)
        assert name not in taken
        assert len(name) <= 60
        taken[name] = True
