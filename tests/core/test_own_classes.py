"""Classes of the reader's own: what derives from a text, a number, a list or a dict may raise anything when asked.

It ends in a result or in the sentence that every other refusal is, never in an error of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from functools import partial
from typing import Any

import pytest

from d20kit import COURSE, Pmf, d, explain, parse, set_language
from d20kit.armor_class import armor_class
from d20kit.attack import base_attack_bonus, hit_chance
from d20kit.battle import Attack, Combatant, Encounter, PromptDice, Save, ScriptedDice, grid, sweep
from d20kit.battle.simulation import wilson
from d20kit.check import bare, mapping, members, one_of, shown
from d20kit.damage import attacks_to_fell, hit_damage, stack_multipliers, strength_damage
from d20kit.exercises import ask, questions, read
from d20kit.expression import distribution
from d20kit.initiative import order_chances, surprise_round
from d20kit.rulesets import SWITCHES
from d20kit.saves import multiclass_save
from tests.core.hostile import HostileDict, HostileFraction, HostileInt, HostileList, HostileStr, HostileTuple, hostile
from tests.core.test_refusals import ARGUMENTS

CLUB = Attack("club", 2, "1d6")
DUEL = Encounter.ready("duel")
BATTLE = DUEL.fight(1)
DIE = d(6)


def _switched(name: str, value: Any) -> object:
    return COURSE.replace(**{name: value})


def _combatant(name: str, value: Any) -> object:
    return Combatant(**{"name": "Ann", "side": "red", "hp": 5, "ac": 12, "attacks": CLUB, name: value})


def _attack(name: str, value: Any) -> str:
    return str(Attack(**{"name": "club", "bonus": 2, "damage": "1d6", name: value}))


def _of_bestiary(name: str, value: Any) -> object:
    return Combatant.from_bestiary(**{"creature": "goblin", name: value})


_ARGUMENTS: dict[Callable[[str, Any], object], tuple[str, ...]] = {
    _switched: tuple(SWITCHES),
    _combatant: ("name", "side", "hp", "ac", "attacks", "aware", "policy", "fortitude", "touch_ac"),
    _attack: ("name", "bonus", "damage", "extra", "threat", "save", "ranged"),
    _of_bestiary: ("creature", "name", "side", "attack", "distance"),
}
TAKEN: dict[str, Callable[[Any], object]] = {
    **{f"{made.__name__} {name}": partial(made, name) for made, names in _ARGUMENTS.items() for name in names},
    "weights": Pmf,
    "weight": lambda value: Pmf({1: value}),
    "parts": Pmf.mixture,
    "part": lambda value: Pmf.mixture([value]),
    "chance of a part": lambda value: Pmf.mixture([(value, DIE), (Fraction(1, 2), 0)]),
    "image": lambda value: DIE.map(lambda _face: value),
    "clip": lambda value: DIE.clip(low=value),
    "quantile": DIE.ppf,
    "attacks": attacks_to_fell(DIE, 5).ppf,
    "outcome": DIE.pmf,
    "generating function": DIE.generating_function,
    "sides": d,
    "count": DIE.__rmatmul__,
    "sum": DIE.__add__,
    "product": DIE.__mul__,
    "text": parse,
    "dice": lambda value: distribution("dice", value),
    "language": set_language,
    "rule": explain,
    "topic": lambda value: ask(value, 1),
    "seed of a question": lambda value: ask("saves", value),
    "how many questions": lambda value: questions("saves", value, 1),
    "answer": read,
    "kind of a save": lambda value: Save(value, 15),
    "what a save leaves": lambda value: Save("reflex", 15, value),
    "combatants": Encounter,
    "ready encounter": Encounter.ready,
    "path": Encounter.load,
    "seed": DUEL.fight,
    "side": DUEL.win_chance,
    "events": lambda value: DUEL.win_chance("red", given=value),
    "event": lambda value: BATTLE.branch(value, 20),
    "other faces": lambda value: BATTLE.branch(5, value),
    "script": ScriptedDice,
    "face": lambda value: ScriptedDice([value]),
    "typed": lambda value: PromptDice(lambda _question: value).die(20),
    "encounters": sweep,
    "labels": lambda value: sweep([(value, DUEL)]),
    "method": lambda value: sweep([DUEL], method=value),
    "values": lambda value: list(grid(lambda hp: DUEL, hp=value)),
    "confidence": lambda value: wilson(3, 5, value),
}  # fmt: skip


@pytest.fixture(autouse=True)
def english() -> Any:
    """A text that happens to be a language is no reason to speak it in the tests to come."""
    yield
    set_language("en")


@pytest.mark.parametrize("name", TAKEN)
def test_nothing_ends_in_an_error_of_its_own(name: str) -> None:
    """Whoever catches what is documented, a ValueError, must have caught everything."""
    for value in hostile():
        with suppress(ValueError):
            TAKEN[name](value)


@pytest.mark.parametrize(("rule", "call", "name"), ARGUMENTS)
def test_no_rule_ends_in_an_error_of_its_own(rule: Callable[..., Any], call: dict[str, Any], name: str) -> None:
    """The same of every argument of every rule."""
    for value in hostile():
        with suppress(ValueError):
            rule(**{**call, name: value})


@pytest.mark.parametrize(
    ("rule", "name", "call"),
    [
        (hit_chance, "bonus", {"ac": 15}),
        (stack_multipliers, "multipliers", {}),
        (hit_damage, "dice", {}),
        (strength_damage, "grip", {"strength": 3}),
        (armor_class, "armor", {"dexterity": 2}),
        (order_chances, "modifiers", {}),
        (surprise_round, "aware", {}),
        (multiclass_save, "classes", {}),
    ],
)
def test_no_derivation_ends_in_an_error_of_its_own(rule: Callable[..., Any], name: str, call: dict[str, Any]) -> None:
    """A derivation looks at its arguments in ways of its own, and writes them."""
    for value in hostile():
        with suppress(ValueError):
            str(explain(rule, **call, **{name: value}))


def test_what_is_inside_counts() -> None:
    """A text is a text and a list a list, whatever the class around it would say of itself."""
    assert one_of("progression", HostileStr("good"), ("good", "poor")) == "good"
    assert base_attack_bonus(5, HostileStr("poor")) == 2
    assert strength_damage(3, HostileStr("off-hand")) == 1
    assert members("rolls", HostileList([3, 4]), "a list") == [3, 4] == members("rolls", HostileTuple((3, 4)), "a list")
    assert mapping("totals", HostileDict({"wolf": 12}), "a mapping") == {"wolf": 12}
    assert DIE.ppf(HostileFraction(1, 2)) == 3
    assert Pmf({1: HostileFraction(1, 2), 2: HostileFraction(1, 2)}) == d(2) == parse(HostileStr("1d2"))
    assert COURSE.replace(stabilise_chance=HostileFraction(1, 10)).stabilise_chance == Fraction(1, 10)
    assert str(Attack(HostileStr("club"), 2, HostileStr("1d6"))) == "club +2 (1d6, 20/x2)"
    assert shown(HostileInt(10**5000)) == "a number of 5001 digits"


def test_own_kinds_stay_as_they_are() -> None:
    """Only what is derived is turned into what it derives from: True stays no number, and an array an array."""
    for value in (True, None, 3, "bow", [1], (1,), {1: 2}, 0.5, Fraction(1, 2), DIE, object()):
        assert bare(value) is value
