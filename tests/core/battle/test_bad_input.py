"""Whatever a notebook cell passes to a battle: it is answered, or refused in a sentence that names the argument."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from fractions import Fraction
from itertools import repeat
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy

from d20kit import COURSE, SRD35, Ruleset
from d20kit.battle import (
    Attack,
    Battle,
    Combatant,
    Encounter,
    PromptDice,
    Save,
    ScriptedDice,
    SeededDice,
    grid,
    sweep,
)
from d20kit.battle.exact import swings
from d20kit.battle.simulation import wilson
from d20kit.check import shown
from tests.core.test_refusals import not_one_number, nothing_in_them, refusal

DUEL = Encounter.ready("duel")
BATTLE = DUEL.fight(1)
BLOW = Attack("club", 2, "1d6")
ROLL = next(k for k, event in enumerate(BATTLE.events) if event.kind == "attack roll")


def zoo() -> dict[str, Any]:
    """Return values that nobody means, and some that only one argument or another accepts."""
    itself: list[Any] = []
    itself.append(itself)
    return nothing_in_them() | not_one_number() | {
        "None": None, "itself": itself, "endless": repeat(1), "endless combatants": repeat(DUEL.combatants[0]),
        "endless attacks": repeat(BLOW), "-1": -1, "0": 0, "3.0": 3.0, "10**13": 10**13, "no text": "", "empty": [],
        "long text": "x" * 10**6, "nothing": {}, "encounter": DUEL, "combatant": DUEL.combatants[0], "attack": BLOW,
        "event": BATTLE.events[0], "half a character": "\ud800", "NUL": "a\0b", "no": False, "int8": np.int8(3),
        "Fraction": Fraction(3), "SymPy": sympy.Integer(3),
    }  # fmt: skip


def told_by_prompt(**arguments: Any) -> Battle:
    """Fight with typed dice."""
    typed = map(str, BATTLE.faces)
    return DUEL.fight(dice=PromptDice(**{"ask": lambda question: next(typed)} | arguments))


# What is called, with arguments that it takes.
CALLS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "Attack": (
        Attack,
        {"name": "a", "bonus": 1, "damage": "1d6", "multiplier": 2, "threat": 20, "extra": None, "ranged": False,
         "touch": False, "natural": False, "save": None},
    ),
    "Save": (Save, {"kind": "reflex", "dc": 15, "success": "half"}),
    "Combatant": (
        Combatant,
        {"name": "A", "side": "s", "hp": 5, "ac": 12, "attacks": BLOW, "constitution": 0, "initiative": 0,
         "flat_footed_ac": 10, "touch_ac": 10, "aware": True, "uncanny_dodge": False, "fortitude": 0, "reflex": 0,
         "will": 0, "base_attack_bonus": 0, "policy": "first-able"},
    ),
    "from_bestiary": (
        Combatant.from_bestiary,
        {"creature": "goblin", "name": "G", "side": "m", "attack": "javelin", "distance": 30, "rules": COURSE, "hp": 3},
    ),
    "Encounter": (Encounter, {"combatants": DUEL.combatants, "rules": SRD35}),
    "ready": (Encounter.ready, {"name": "duel"}),
    "fight": (DUEL.fight, {"seed": 1}),
    "win_chance": (DUEL.win_chance, {"side": "red", "given": (), "exact": True, "progress": None}),
    "odds": (DUEL.odds, {"given": (), "exact": False, "progress": None}),
    "fates": (DUEL.fates, {"given": (), "exact": False, "progress": None}),
    "first_to_fall": (DUEL.first_to_fall, {"given": (), "exact": False, "progress": None}),
    "round_chances": (DUEL.round_chances, {"most": 3, "progress": None}),
    "simulate": (DUEL.simulate, {"n": 9, "seed": 1, "executor": None, "progress": None}),
    "branch": (BATTLE.branch, {"index": ROLL, "seed": 3}),
    "branch with a face": (lambda face: BATTLE.branch(ROLL, face), {"face": 20}),
    "sweep": (
        sweep,
        {"encounters": [DUEL], "method": "exact", "battles": 9, "seed": 1, "executor": None, "progress": None},
    ),
    "grid": (lambda make, hp: list(grid(make, hp=hp)), {"make": lambda hp: DUEL, "hp": [1]}),
    "ScriptedDice": (ScriptedDice, {"faces": [1], "choices": 0}),
    "SeededDice": (SeededDice, {"seed": 1}),
    "PromptDice": (told_by_prompt, {"choices": 0}),
    "swings": (swings, {"battle": BATTLE, "side": "red", "exact": False}),
    "wilson": (wilson, {"successes": 1, "trials": 3, "confidence": 0.9}),
}  # fmt: skip
ARGUMENTS = [(name, argument) for name, (_function, call) in CALLS.items() for argument in call]
FUNCTIONS = ("watch", "progress", "make", "policy", "ask")


@pytest.mark.parametrize("name", CALLS)
def test_the_sound_calls_are_answered(name: str) -> None:
    """A walk of refusals would find nothing if everything were refused."""
    function, call = CALLS[name]
    function(**call)


@pytest.mark.parametrize(("name", "argument"), ARGUMENTS)
def test_odd_values_are_refused_by_name(name: str, argument: str) -> None:
    """Each argument, given what it is not for, is what the sentence is about."""
    function, call = CALLS[name]
    # what somebody's function does is theirs
    values = {kind: value for kind, value in zoo().items() if argument not in FUNCTIONS or not callable(value)}
    said = {kind: refusal(function, call | {argument: value}) for kind, value in values.items()}
    refused = {kind: sentence for kind, sentence in said.items() if sentence}
    assert len(refused) > 20
    for kind, sentence in refused.items():
        assert argument in sentence, kind
        assert len(sentence) < 700, kind


def somebody(name: str, side: str, hp: int, ac: int, attacks: Any = BLOW, **more: Any) -> Combatant:
    """Return a combatant, most of them with a club."""
    return Combatant(name, side, hp, ac, attacks, **more)


WALKS = {
    "surprise round": Encounter(
        (
            somebody("Ann", "red", 8, 13),
            somebody("Bob", "blue", 7, 12, flat_footed_ac=10, aware=False),
            somebody("Cid", "blue", 6, 12, initiative=2),
        )
    ),
    "saves": Encounter(
        (
            somebody("Ann", "red", 9, 13, Attack("fire", 5, "2d6", save=Save("reflex", 14)), aware=False),
            somebody("Bob", "blue", 12, 12, [BLOW, BLOW], initiative=2, constitution=1),
            somebody("Cid", "blue", 4, 12, Attack("bite", 3, "1d4", extra="1d6"), policy="random"),
        ),
        SRD35,
    ),
    "three sides": Encounter(tuple(somebody(name, name, 6, 12, policy="random") for name in "ABC")),
}


@pytest.mark.parametrize("name", WALKS)
def test_every_moment_of_a_battle_has_its_odds(name: str) -> None:
    """Chances from the first event to the last are chances, and the last one is the outcome; draws of a policy too."""
    encounter = WALKS[name]
    for seed in range(3):
        battle = encounter.fight(seed)
        for told in range(len(battle.events) + 1):
            odds = encounter.odds(given=battle.events[:told])
            assert sum(odds.win_chance.values()) + odds.draw == 1
        assert [side for side, chance in odds.win_chance.items() if chance == 1] == [battle.winner]


ODD: tuple[Any, ...] = (None, -3, 21, "x", [], (3,), 1.5, float("nan"), np.array([1, 2]), object(), 10**5000)


def changed() -> Iterator[tuple[Any, ...]]:
    """Yield the events of a battle with one field of one event changed to something odd."""
    events = WALKS["saves"].fight(2).events
    for place, event in enumerate(events):
        for item in fields(event):
            for odd in ODD:
                if shown(getattr(event, item.name)) != shown(odd):
                    yield (*events[:place], replace(event, **{item.name: odd}), *events[place + 1 :])


def test_events_made_by_hand_are_refused() -> None:
    """Whatever somebody wrote into a record, the solver neither breaks nor believes it."""
    count = 0
    for events in changed():
        with pytest.raises(ValueError, match=r"^given\b"):
            WALKS["saves"].win_chance("red", given=events)
        count += 1
    assert count > 1000


@pytest.mark.parametrize("exact", [True, False])
def test_a_battle_out_of_order_is_refused(exact: bool) -> None:
    """Events left out, doubled, turned round or of another battle would give odds of no battle."""
    events = BATTLE.events
    for wrong in (events[1:], events[:5] + events[6:], events[:4] * 2, events[::-1], (*events, events[-1])):
        with pytest.raises(ValueError, match=r"^given\[\d+\] is .* battle of this encounter; given=battle"):
            DUEL.odds(given=wrong, exact=exact)


def test_an_unfinished_iterator_of_events() -> None:
    """Events may come one by one."""
    assert DUEL.win_chance("red", given=iter(BATTLE.events[:9])) == DUEL.win_chance("red", given=BATTLE.events[:9])


def policy_of(answer: Callable[[Any, Any], Any]) -> Encounter:
    """Return a battle in which Ann chooses as a function of the reader's says."""
    others = (somebody("Bob", "blue", 30, 12), somebody("Cid", "blue", 30, 12))
    return Encounter((somebody("Ann", "red", 30, 12, policy=answer), *others))


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda actor, enemies: 1 / 0, "raised ZeroDivisionError: division by zero; a policy returns one of"),
        (lambda actor: None, "raised TypeError"),
        (lambda actor, enemies: actor, r"is 'Ann, healthy', but must be an enemy that can act, or None; choose one of"),
        (lambda actor, enemies: "Bob", "is 'Bob', but must be an enemy that can act"),
        (lambda actor, enemies: enemies, "but must be an enemy that can act"),
        (lambda actor, enemies: enemies[0]._replace(hp=-20), "but must be an enemy that can act"),
        (lambda actor, enemies: True, "is True, but must be an enemy that can act"),
    ],
)
def test_policies_that_misbehave(answer: Any, said: str) -> None:
    """Told or simulated, the reader learns whose policy it was and what it may return."""
    encounter = policy_of(answer)
    for ask in (lambda: encounter.fight(1), lambda: encounter.simulate(3, 1)):
        with pytest.raises(ValueError, match=said) as refused:
            ask()
        assert "the policy <lambda> of Ann" in str(refused.value)


def says(answer: Any) -> Callable[[str], Any]:
    """Return somebody who types the same again and again."""
    return lambda question: answer


def test_typed_dice_end_somewhere() -> None:
    """A function at the prompt may know no face, no text, or nothing more."""
    answers: list[tuple[Any, str]] = [("x", "no face of a d20 was typed in 100 tries"), (None, "what ask returned is")]
    for answer, said in answers:
        with pytest.raises(ValueError, match=said):
            DUEL.fight(dice=PromptDice(says(answer)))
    with pytest.raises(ValueError, match=r"^ask is 3"):
        PromptDice(3)  # type: ignore[arg-type]
    for script in ([], [20], [20, 1, 15], BATTLE.faces[:-1]):
        with pytest.raises(ValueError, match=r"the script has \d+ faces, but a d\d+ is rolled after the last"):
            DUEL.fight(dice=ScriptedDice(script))
    assert DUEL.fight(dice=ScriptedDice(BATTLE.faces)).events == BATTLE.events


def test_functions_that_are_none() -> None:
    """What is to be called must be callable, and what it returns must be what was asked for."""
    with pytest.raises(ValueError, match=r"^dice is 3, but must be an object with die\(sides\)"):
        DUEL.fight(dice=3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^watch is 3"):
        DUEL.fight(1, watch=3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^make is 3"):
        list(grid(3, hp=[1]))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^what make returned is 3, but must be an Encounter"):
        sweep(grid(lambda hp: 3, hp=[1]))  # type: ignore[arg-type, return-value]


def test_a_sweep_without_an_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Encounters are gathered before the first is answered, so somewhere there must be a last one."""
    monkeypatch.setattr("d20kit.battle.sweeps.MOST_ENCOUNTERS", 3)
    with pytest.raises(ValueError, match=r"^encounters is repeat\(.* at most 3 of them"):
        sweep(repeat(DUEL))
    assert len(sweep(repeat(DUEL, 3)).rows) == 6


@pytest.mark.parametrize(
    "text",
    [
        "x" * 10_000_000,
        "a = " + "[" * 5000 + "]" * 5000,
        "[" + "a." * 5000 + "a]",
        "[[combatants]]\nhp = 1" + "0" * 5000,
        "[[combatants]]\nhp = nan",
        "[[combatants]]\nname = 2020-01-01\nside = 'a'\nhp = 1\nac = 1\nattacks = []",
        "combatants = 3",
        "combatants = [[]]",
        "rules = []\n",
        "[rules]\nbase = {}\n",
        "\x00",
        "",
    ],
)
def test_files_that_are_no_encounter(tmp_path: Path, text: str) -> None:
    """Large, deep or full of odd types: the sentence begins with the file's name, and comes at once."""
    file = tmp_path / "odd.toml"
    file.write_text(text)
    with pytest.raises(ValueError, match=r"^odd\.toml: ") as refused:
        Encounter.load(file)
    assert len(str(refused.value)) < 500


def test_a_path_as_long_as_a_book() -> None:
    """It names no file on any system, and is not repeated in full."""
    with pytest.raises(ValueError, match=re.escape("xxx..., but must be the path of a file")):
        Encounter.load("x" * 10**6)


@pytest.mark.parametrize(
    ("made", "nearest"),
    [
        (lambda: Attack("club", 2, "1d6", treat=19), "threat"),  # type: ignore[call-arg]
        (lambda: Attack("club", 2, "1d6", foo=1), None),  # type: ignore[call-arg]
        (lambda: Save("will", 15, succes="none"), "success"),  # type: ignore[call-arg]
        (lambda: Combatant("Ann", "red", 5, 15, (), initiativ=2), "initiative"),  # type: ignore[call-arg]
        (lambda: replace(DUEL.combatants[0], flatfooted_ac=9), "flat_footed_ac"),  # type: ignore[call-arg]
        (lambda: Ruleset(critcal="confirm"), "critical"),  # type: ignore[call-arg]
    ],
)
def test_an_unknown_argument_is_answered_with_the_nearest(made: Callable[[], Any], nearest: str | None) -> None:
    """A slip in a name is a reader's mistake like any other: a sentence, not Python's own words."""
    with pytest.raises(ValueError, match=r"^argument is '\w+', but must be one of '\w+', .*") as refused:
        made()
    assert str(refused.value).endswith(f"did you mean {nearest!r}?") is (nearest is not None)


def test_known_arguments_still_do_what_they_did() -> None:
    """The check of names must lose neither an argument, nor a default, nor what help() shows."""
    assert replace(BLOW, threat=19) == Attack(name="club", bonus=2, damage="1d6", threat=19)
    assert list(inspect.signature(Attack).parameters) == [one.name for one in fields(Attack)]
    with pytest.raises(TypeError, match="missing"):
        Attack("club")  # type: ignore[call-arg]
