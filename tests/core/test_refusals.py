"""Every public rule refuses what has no meaning, in a sentence that names the argument."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from decimal import Decimal
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import sympy

from d20kit import COURSE, SRD35, Ruleset, d, explain
from d20kit.abilities import drain
from d20kit.arguments import symbolic_names
from d20kit.armor_class import armor_class_line
from d20kit.attack import hit_chance, is_hit, is_threat
from d20kit.battle import Combatant, Encounter
from d20kit.damage import attack_damage, rolls_needed
from d20kit.hit_points import chain_states, transition_matrix
from d20kit.initiative import roll_order, tie_groups
from d20kit.rule import all_rules
from d20kit.saves import save_succeeds
from d20kit.states import State

X = sympy.Symbol("x", integer=True)


class Mute:
    """Something that cannot even be shown."""

    def __repr__(self) -> str:
        raise RuntimeError


def nothing_in_them() -> dict[str, Any]:
    """Return values that no argument of any rule accepts."""
    return {
        "bytes": b"3", "object": object(), "mute": Mute(), "complex": 1 + 0j, "Decimal": Decimal(3), "function": len,
        "type": int, "date": np.datetime64("2020-01-01"), "dates": np.array(["2020-01-01"], dtype="datetime64[D]"),
        "structures": np.zeros(2, dtype=[("a", int)]), "None in an array": np.array([1, None], dtype=object),
        "masked": np.ma.array([1, 2], mask=[False, True]), "texts": np.array(["3", "4"]), "NaN": float("nan"),
        "infinity": float("inf"), "half": 2.5, "many digits": 10**5000, "huge": 10**400,
        "huge symbol": sympy.Integer(10) ** 400, "complex infinity": sympy.zoo, "no number": sympy.nan,
        "relation": X > 3,
        "set of SymPy": sympy.FiniteSet(1),
        "state": State.DEAD, "generator of texts": (text for text in "ab"), "mapping of nothing": {None: None},
    }  # fmt: skip


def not_one_number() -> dict[str, Any]:
    """Return values that stand for many numbers or any number, where one is meant."""
    return {
        "symbol": X, "array": np.array([2, 3]), "array of one": np.array([3]), "array without a dimension": np.array(3),
        "empty array": np.array([], dtype=int), "truth": True, "text": "three", "None in a list": [None],
    }  # fmt: skip


DAMAGE = attack_damage(4, 15, "1d8", 3)
MATRIX = transition_matrix(2)
# One sound call of every rule, and of what stands beside them without a card of its own.
CALLS: dict[str, dict[str, Any]] = {
    "abilities.ability_modifier": {"score": 10},
    "abilities.drain": {"scores": {"strength": 13}, "strength": 2},
    "abilities.size_modifier": {"size": "small"},
    "armor_class.armor_class": {
        "dexterity": 1, "size": 0, "armor": 2, "shield": 1, "natural": 0, "deflection": 0, "dodge": 0, "other": 0,
        "armor_enhancement": 0, "shield_enhancement": 0, "natural_enhancement": 0, "max_dexterity": 3, "touch": False,
        "flat_footed": False, "uncanny_dodge": False,
    },
    "attack.base_attack_bonus": {"level": 3, "progression": "good"},
    "attack.hit_chance": {"bonus": 3, "ac": 15},
    "attack.iterative_attacks": {"base": 11, "rules": SRD35},
    "attack.melee_bonus": {"base": 1, "strength": 1, "size": 0, "other": 0},
    "attack.multiclass_attack_bonus": {"classes": [("good", 3)]},
    "attack.outcome_chances": {"bonus": 3, "ac": 15, "threat": 19, "rules": SRD35},
    "attack.range_penalty": {"distance": 30, "increment": 30, "kind": "projectile"},
    "attack.ranged_bonus": {"base": 1, "dexterity": 1, "size": 0, "range_penalty": 0, "other": 0},
    "attack.resolve": {"face": 19, "bonus": 3, "ac": 15, "confirm": 12, "threat": 19, "rules": SRD35},
    "damage.attack_damage": {
        "bonus_to_hit": 4, "ac": 14, "dice": "1d8", "bonus": 0, "multiplier": 2, "threat": 20, "extra": "1d6",
        "rules": COURSE,
    },
    "damage.attacks_to_fell": {"damage": DAMAGE, "hp": 10},
    "damage.critical_damage": {"dice": "1d8", "bonus": 0, "multiplier": 2, "extra": "1d6", "rules": SRD35},
    "damage.damage_dealt": {"rolls": 3, "bonus": 1, "multiplier": 1, "extra": 0, "rules": COURSE},
    "damage.duel_chance": {"damage": DAMAGE, "hp": 5, "enemy_damage": DAMAGE, "enemy_hp": 5},
    "damage.expected_damage": {
        "bonus_to_hit": 4, "ac": 14, "dice": "1d8", "bonus": 0, "multiplier": 2, "threat": 20, "extra": "1d6",
        "rules": COURSE,
    },
    "damage.fell_within": {"damage": DAMAGE, "hp": 10, "n": 3},
    "damage.hit_damage": {"dice": "1d8", "bonus": 0, "extra": "1d6", "rules": COURSE},
    "damage.stack_multipliers": {},
    "damage.strength_damage": {"strength": 3, "grip": "two-handed", "light": False, "rating": 1, "rules": COURSE},
    "hit_points.after_constitution_loss": {
        "maximum_hp": 30, "wounds": 3, "hit_dice": 3, "before": 14, "after": 10, "rules": SRD35,
    },
    "hit_points.disabled_attack_cost": {"hp": 0, "constitution": 0, "rules": SRD35},
    "hit_points.disabled_floor": {"constitution": 0, "rules": COURSE},
    "hit_points.expected_dying_rounds": {"hp": -3, "rules": SRD35},
    "hit_points.massive_damage_chance": {"damage": 50, "fortitude": 3, "rules": SRD35},
    "hit_points.rounds_to_death": {"hp": -3, "constitution": 0, "rules": COURSE},
    "hit_points.stabilise_chance": {"hp": -3, "rules": SRD35},
    "hit_points.state": {"hp": 3, "constitution": 0, "stable": False, "rules": COURSE},
    "hit_points.state_chances": {
        "hp": 5, "constitution": 0, "damage": DAMAGE, "rounds": 2, "fortitude": 3, "rules": COURSE,
    },
    "hit_points.survival_chance": {"hp": -3, "rounds": 2, "rules": SRD35},
    "hit_points.transition_matrix": {"maximum": 2, "constitution": 0, "damage": d(2), "hit": 1, "rules": COURSE},
    "initiative.all_tie_chance": {"modifiers": [1, 2]},
    "initiative.expected_dice": {"modifiers": [1, 2], "rules": COURSE},
    "initiative.expected_rerolls": {"a": 1, "b": 2, "rules": COURSE},
    "initiative.first_chance": {"a": 1, "b": 2, "rules": COURSE},
    "initiative.initiative_bonus": {"dexterity": 1, "other": 0},
    "initiative.order_chances": {"modifiers": [1, 2], "rules": COURSE},
    "initiative.pair_chances": {"a": 1, "b": 2},
    "initiative.surprise_round": {"aware": {"hunter": True, "prey": False}, "rules": COURSE},
    "saves.base_save": {"level": 3, "progression": "good"},
    "saves.multiclass_save": {"classes": [("good", 3)]},
    "saves.save_bonus": {"base": 2, "ability": 1, "other": 0},
    "saves.save_chance": {"bonus": 3, "dc": 15, "rules": COURSE},
}  # fmt: skip
BESIDE: dict[Callable[..., Any], dict[str, Any]] = {
    armor_class_line: {"dexterity": 1, "dodge": 0},
    chain_states: {"maximum": 2, "constitution": 0, "rules": COURSE},
    is_hit: {"face": 15, "bonus": 3, "ac": 15},
    is_threat: {"face": 1, "bonus": 3, "ac": 15, "threat": 20, "rules": COURSE},
    roll_order: {"modifiers": {"wolf": 2}, "roll": lambda: 12, "faces": {}, "rules": COURSE},
    rolls_needed: {"multiplier": 2, "rules": COURSE},
    save_succeeds: {"face": 15, "bonus": 3, "dc": 15, "rules": COURSE},
    tie_groups: {"totals": {"wolf": 3}, "modifiers": {"wolf": 1}, "rules": COURSE},
}
EVERY = [(card.function, CALLS.get(name, {})) for name, card in all_rules().items()] + list(BESIDE.items())
ARGUMENTS = [pytest.param(rule, call, name, id=f"{rule.__name__}-{name}") for rule, call in EVERY for name in call]


def test_every_rule_is_walked() -> None:
    """A rule that is missing here would be checked by nobody, and so would an argument of it."""
    for name, card in all_rules().items():
        parameters = inspect.signature(card.function).parameters.values()
        named = {one.name for one in parameters if one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL)}
        assert named <= set(CALLS[name]), name
        card.function(**CALLS[name])


def refusal(rule: Callable[..., Any], call: dict[str, Any]) -> str:
    """Return what a rule says to a call that it refuses, and nothing if it takes it."""
    try:
        rule(**call)
    except ValueError as error:
        return str(error)
    return ""


def takes_one_number(rule: Callable[..., Any], name: str) -> bool:
    """Whether an argument is one whole number and nothing else."""
    one = inspect.signature(rule).parameters.get(name)
    return rule is drain and name == "strength" if one is None else one.annotation in ("int", "int | None")


@pytest.mark.parametrize(("rule", "call", "name"), ARGUMENTS)
def test_what_has_no_meaning_is_refused(rule: Callable[..., Any], call: dict[str, Any], name: str) -> None:
    """Whatever a cell or a file passes on, the reader learns in a sentence which argument to mend."""
    zoo = nothing_in_them()
    if takes_one_number(rule, name):
        zoo |= not_one_number()
    if name == "roll":
        zoo = {kind: value for kind, value in zoo.items() if not callable(value)}
    if name == "faces":
        del zoo["mapping of nothing"]  # faces of somebody else
    for kind, value in zoo.items():
        said = refusal(rule, call | {name: value})
        assert re.match(rf"{name}\b", said), (kind, said)
        assert len(said) < 400, kind


@pytest.mark.parametrize("name", [name for name, call in CALLS.items() if "rules" in call])
@pytest.mark.parametrize("rules", ["SRD35", None, 3, {"critical": "confirm"}, Ruleset])
def test_rules_are_a_rule_set(name: str, rules: object) -> None:
    """The name of a rule set is no rule set; the reader is told where to get one, whichever rule is asked."""
    with pytest.raises(ValueError, match=r"^rules is .* from d20kit import SRD35"):
        all_rules()[name].function(**CALLS[name] | {"rules": rules})


ARRAYS = [
    pytest.param(name, first, second, id=f"{name}-{first}-{second}")
    for name, card in all_rules().items()
    for numbers in [symbolic_names(card.function)]
    for first, second in pairwise(one for one in numbers if one in CALLS[name])
]


@pytest.mark.parametrize(("name", "first", "second"), ARRAYS)
def test_arrays_that_do_not_fit(name: str, first: str, second: str) -> None:
    """Arrays of different lengths, or beside a symbol, are refused in our words and not in those of a library."""
    call, rule = CALLS[name], all_rules()[name].function
    one, other = (np.full(length, call[key]) for length, key in ((2, first), (3, second)))
    with pytest.raises(ValueError, match=rf"^({first}|{second})\b.* fits the shape"):
        rule(**call | {first: one, second: other})
    with pytest.raises(ValueError, match=rf"^({first}|{second})\b.* is an array"):
        rule(**call | {first: one, second: X})


def test_explain_refuses_too() -> None:
    """A masked array would send the writing of a derivation round in circles."""
    with pytest.raises(ValueError, match=r"^bonus is masked_array"):
        explain(hit_chance, bonus=np.ma.array([1, 2], mask=[False, True]), ac=15)


BATTLE: dict[str, tuple[Callable[[], object], str]] = {
    "watch": (lambda: Encounter.ready("duel").fight(1, watch=3), "^watch is 3"),  # type: ignore[arg-type]
    "given": (lambda: Encounter.ready("duel").win_chance("red", given=None), "^given is None"),  # type: ignore[arg-type]
    "fates": (lambda: Encounter.ready("duel").fates(given=3), "^given is 3"),  # type: ignore[arg-type]
    "change": (lambda: Combatant.from_bestiary("goblin", awere=False), "^argument is 'awere'.* 'aware'"),
    "bestiary rules": (lambda: Combatant.from_bestiary("goblin", rules="SRD35"), "^rules is 'SRD35'"),  # type: ignore[arg-type]
    "rules": (lambda: Encounter(Encounter.ready("duel").combatants, "SRD35"), "^rules is 'SRD35'"),  # type: ignore[arg-type]
    "dump": (lambda: Encounter.ready("duel").dump(None), r"^path is None.*encounter\.dump"),  # type: ignore[arg-type]
    "load": (lambda: Encounter.load(None), r"^path is None.*Encounter\.load"),  # type: ignore[arg-type]
    "folder": (lambda: Encounter.ready("duel").dump("no such folder/x.toml"), "no folder .*no such folder"),
    "parts": (lambda: armor_class_line(touch=True), "^part is 'touch'"),
}


@pytest.mark.parametrize("name", BATTLE)
def test_battles_refuse_too(name: str) -> None:
    """The same holds for what a battle is given."""
    make, said = BATTLE[name]
    with pytest.raises(ValueError, match=said):
        make()
