"""An encounter refuses what could not be fought; a battle is the same every time."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from d20kit import SRD35
from d20kit.battle import Combatant, Encounter, ScriptedDice, SeededDice
from tests.core.battle.hands import Warrior

CODE = """
from d20kit.battle import Combatant, Encounter
heroes = [Combatant.from_bestiary(name) for name in ("rogue", "cleric")]
goblins = [Combatant.from_bestiary("goblin", name=f"Goblin {letter}", aware=False) for letter in "ABC"]
print(Encounter(heroes + goblins).fight(11))
"""


def test_what_could_not_be_fought_is_refused(warrior: Warrior) -> None:
    """Each refusal says what is wrong and what to write."""
    ann, bob = warrior("Ann", "red"), warrior("Bob", "blue")
    down = warrior("Cid", "blue", hp=-3)
    with pytest.raises(ValueError, match="combatants is"):
        Encounter([])
    with pytest.raises(ValueError, match="combatants is"):
        Encounter([ann, "Bob"])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="combatants is"):
        Encounter("Ann and Bob")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="all combatants are on side 'red'"):
        Encounter([ann, warrior("Eve", "red")])
    with pytest.raises(ValueError, match=r"two combatants are named 'Ann'.*call one 'Ann B'"):
        Encounter([ann, warrior("Ann", "blue")])
    with pytest.raises(ValueError, match="everybody of side 'blue' is already down"):
        Encounter([ann, down])
    with pytest.raises(ValueError, match="rules is 'COURSE'"):
        Encounter([ann, bob], "COURSE")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="at most 200"):
        Encounter([warrior(f"W{number}", "red" if number % 2 else "blue") for number in range(201)])


def test_who_is_down_depends_on_the_rules(warrior: Warrior) -> None:
    """At -1 with Constitution 2 COURSE calls a combatant disabled, SRD35 dying."""
    ann, bob = warrior("Ann", "red"), warrior("Bob", "blue", hp=-1, constitution=2)
    assert Encounter([ann, bob]).sides == ("red", "blue")
    with pytest.raises(ValueError, match="already down"):
        Encounter([ann, bob], SRD35)


@pytest.mark.parametrize("seed", [None, "1", 1.5, -1, True])
def test_fight_refuses_a_missing_or_odd_seed(warrior: Warrior, seed: Any) -> None:
    """Without a clear seed nobody could tell the battle again."""
    with pytest.raises(ValueError, match=r"seed is .* write fight\(1\)"):
        Encounter([warrior("Ann", "red"), warrior("Bob", "blue")]).fight(seed)


def test_fight_refuses_two_kinds_of_dice_and_what_cannot_roll(warrior: Warrior) -> None:
    """Only one of them can roll, and it must be able to."""
    encounter = Encounter([warrior("Ann", "red"), warrior("Bob", "blue")])
    with pytest.raises(ValueError, match="both seed and dice"):
        encounter.fight(1, dice=SeededDice(1))
    with pytest.raises(ValueError, match=r"dice is \[14\]"):
        encounter.fight(dice=[14])  # type: ignore[arg-type]


def test_dice_of_ones_own_must_give_faces(warrior: Warrior) -> None:
    """A face that no die has must not reach the battle."""

    class Loaded:
        def die(self, sides: int) -> int:
            return 21

    with pytest.raises(ValueError, match="die is 21, but must be a whole number from 1 to 20"):
        Encounter([warrior("Ann", "red"), warrior("Bob", "blue")]).fight(dice=Loaded())


def test_the_faces_of_a_battle_tell_it_again() -> None:
    """A battle's own faces are a script; only how it was rolled differs."""
    rogue, goblin = Combatant.from_bestiary("rogue"), Combatant.from_bestiary("goblin", aware=False)
    battle = Encounter([rogue, goblin], SRD35).fight(5)
    again = battle.encounter.fight(dice=ScriptedDice(battle.faces))
    assert (again.events, again.faces, str(again)) == (battle.events, battle.faces, str(battle))


def test_the_same_seed_is_the_same_battle_in_every_process() -> None:
    """Hash randomisation must not reach the order of anything."""
    told = {
        subprocess.run(
            [sys.executable, "-c", CODE],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": hash_seed, "PYTHONPATH": ":".join(filter(None, sys.path)), "PYTHONUTF8": "1"},
        ).stdout
        for hash_seed in ("0", "1", "4711")
    }
    assert len(told) == 1


def test_records_are_ready_for_json() -> None:
    """Records survive JSON unchanged, one for each event, and name their kind."""
    rogue, goblin = Combatant.from_bestiary("rogue"), Combatant.from_bestiary("goblin", aware=False)
    for rules in (SRD35, SRD35.replace(critical_damage="multiply")):
        battle = Encounter([rogue, goblin], rules).fight(3)
        records = battle.to_records()
        assert json.loads(json.dumps(records)) == records
        assert [record["event"] for record in records] == [event.kind for event in battle.events]
        attacks = [record for record in records if record["event"] == "attack roll"]
        assert all(record["total"] == record["face"] + record["bonus"] for record in attacks)


def test_an_encounter_is_shown_by_who_fights(warrior: Warrior) -> None:
    """Printed, an encounter is the list of its combatants, the same lines that each of them prints."""
    ann, bob = warrior("Ann", "red"), warrior("Bob", "blue", aware=False)
    assert str(Encounter([ann, bob])) == f"{ann}\n{bob}"
