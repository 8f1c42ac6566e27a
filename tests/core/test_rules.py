"""Every public rule: one definition serves numbers, formulas and arrays, and carries what a learner is told."""

from __future__ import annotations

import inspect
import re
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any, ClassVar

import numpy as np
import pytest
import sympy

from d20kit import COURSE, SRD35, Ruleset, d, symbols
from d20kit.attack_bonus import PROGRESSIONS
from d20kit.damage import GRIPS
from d20kit.rule import TOPICS, all_rules, card_of
from d20kit.rulesets import SWITCHES
from tests.core.test_refusals import CALLS
from tests.core.variants import variants

RULES = all_rules()
# Words in symbols that players say in English whatever they speak.
TERMS = {
    "AC", "BAB", "attack bonus", "base save", "critical", "damage", "hit", "initiative", "miss", "modifier",
    "multiplier", "range penalty", "save", "save bonus", "size", "surprise round",
}  # fmt: skip
# What each symbolic parameter may range over, by its name; everything else is a modifier.
RANGES: dict[str, tuple[int, int]] = {
    "score": (0, 40),
    "level": (0, 20),
    "range_penalty": (-10, 0),
    "distance": (0, 90),
    "increment": (20, 60),
    "ac": (0, 40),
    "dc": (0, 40),
    "threat": (15, 20),
    "rating": (0, 5),
    "max_dexterity": (0, 6),
    "hp": (-12, 8),
    "rounds": (0, 12),
    "damage": (0, 80),
    "maximum_hp": (20, 90),
    "wounds": (0, 90),
    "hit_dice": (1, 9),
    "before": (16, 22),
    "after": (3, 15),
    "multipliers": (1, 5),
}
DYING = ("hit_points.stabilise_chance", "hit_points.survival_chance", "hit_points.expected_dying_rounds")
# Choices for the parameters no symbol can stand for.
CHOICES: dict[str, tuple[Any, ...]] = {
    "kind": ("projectile",),
    "grip": GRIPS,
    "dice": ("1d8",),
    "light": (False, True),
    "touch": (False, True),
    "flat_footed": (False, True),
    "uncanny_dodge": (False, True),
}


def symbolic(function: Any) -> list[inspect.Parameter]:
    """Parameters that a symbol may stand for."""
    return [p for p in inspect.signature(function).parameters.values() if str(p.annotation).startswith("Number")]


def span(argument: str, rule: str) -> tuple[int, int]:
    name = re.sub(r"_\d$", "", argument)
    if name == "hp" and rule in DYING:
        return (-10, -1)
    return RANGES.get(name, (-4, 12))


def call(function: Any, values: dict[str, Any], fixed: dict[str, Any]) -> Any:
    """Call a rule by keyword; a rule of any number of arguments gets them in order."""
    if any(p.kind is p.VAR_POSITIONAL for p in symbolic(function)):
        return function(*values.values(), **fixed)
    return function(**values, **fixed)


def plain(value: Any) -> Any:
    """Numbers of SymPy and NumPy as Python's own; a formula without value as None."""
    if isinstance(value, tuple):
        return tuple(plain(one) for one in value)
    if isinstance(value, sympy.Basic):
        assert value.is_number, f"{value} still has symbols"
        return None if value is sympy.nan else Fraction(int(value.p), int(value.q))
    return value


def parts(result: Any) -> tuple[Any, ...]:
    return result if isinstance(result, tuple) else (result,)


def settings_of(name: str, function: Any, random: Random) -> dict[str, Any]:
    """A choice for every parameter that is not a number."""
    fixed: dict[str, Any] = {}
    for parameter in inspect.signature(function).parameters.values():
        if parameter.name == "rules":
            fixed["rules"] = random.choice((COURSE, SRD35))
        elif parameter.name == "progression":
            fixed["progression"] = random.choice(("good", "poor") if name.startswith("saves") else PROGRESSIONS)
        elif parameter.name in CHOICES:
            fixed[parameter.name] = random.choice(CHOICES[parameter.name])
    return fixed


def names(function: Any) -> list[str]:
    given = symbolic(function)
    if any(p.kind is p.VAR_POSITIONAL for p in given):
        return ["multipliers_1", "multipliers_2", "multipliers_3"]
    return [p.name for p in given]


NUMERIC = {name: card.function for name, card in RULES.items() if symbolic(card.function)}


@pytest.mark.parametrize("name", NUMERIC)
def test_one_definition_serves_three_kinds(name: str) -> None:
    """A rule called with ints, its formula with those ints put in, and the array's element are the same number."""
    function, random = NUMERIC[name], Random(name)
    wanted = names(function)
    symbols = {one: sympy.Symbol(one, integer=True) for one in wanted}
    for _setting in range(6):
        fixed = settings_of(name, function, random)
        points = [{one: random.randint(*span(one, name)) for one in wanted} for _point in range(12)]
        arrays = {one: np.array([point[one] for point in points]) for one in wanted}
        formula = parts(call(function, symbols, fixed))
        curve = parts(call(function, arrays, fixed))
        for index, point in enumerate(points):
            value = parts(call(function, point, fixed))
            substituted = tuple(
                plain(sympy.sympify(part).subs({symbols[one]: point[one] for one in wanted})) for part in formula
            )
            assert substituted == value, (point, fixed)
            assert tuple(np.broadcast_to(part, len(points))[index] for part in curve) == value, (point, fixed)


@pytest.mark.parametrize("name", NUMERIC)
def test_chances_are_exact(name: str) -> None:
    """A rule never lets a float slip in: its numbers are ints and Fractions."""
    function, random = NUMERIC[name], Random(name)
    for _point in range(8):
        point = {one: random.randint(*span(one, name)) for one in names(function)}
        for part in parts(call(function, point, settings_of(name, function, random))):
            assert part is None or type(part) in (int, Fraction)


def test_words_of_symbols_are_translated_or_terms() -> None:
    """A symbol in English stands out in a lesson that is not, and no word is translated for nobody."""
    words = {word.strip() for card in RULES.values() for word in re.findall(r"\\text\{([^{}]+)\}", card.symbol)}
    assert words - symbols.WORDS == TERMS
    assert words >= symbols.WORDS


@pytest.mark.parametrize("name", RULES)
def test_card(name: str) -> None:
    """Every rule says what it is called, why it is so, where it comes from and which switches change it."""
    card = RULES[name]
    assert name.partition(".")[0] in TOPICS
    assert card.title
    assert card.symbol
    assert len(card.why.split()) >= 8
    assert card.why.rstrip().endswith(".")
    assert card.source
    assert set(card.switches) <= set(SWITCHES)
    assert card_of(card.function) is card
    if card.switches:
        assert "rules" in inspect.signature(card.function).parameters or name == "abilities.drain"


# The first word of a rule's symbol -> what its numbers are; everything else is a modifier or a name.
UNITS = {
    "damage": "hit points", "critical damage": "hit points", "Strength damage": "hit points", "maximum": "hit points",
    "cost": "hit points", "lowest disabled hp": "hit points", "rounds": "rounds", "dice": "dice", "rerolls": "rerolls",
}  # fmt: skip


@pytest.mark.parametrize("name", RULES)
def test_units_are_those_of_the_symbol(name: str) -> None:
    """A chance is shown in per cent and damage in hit points: a rule that does not say which is shown bare."""
    card = RULES[name]
    word = next(iter(re.findall(r"\\text\{([^{}]+)\}", card.symbol)), card.symbol)
    chance = "P(" in card.symbol or card.symbol == "T"
    assert card.units == ("chance" if chance else {**UNITS, "N": "attacks"}.get(word, ""))


@pytest.mark.parametrize("name", RULES)
def test_what_is_not_given_is_nothing(name: str) -> None:
    """A modifier left out is 0, a chance certain; a weapon left alone threatens on a 20 and doubles its criticals."""
    usual = {"threat": 20, "multiplier": 1 if name == "damage.damage_dealt" else 2, "hit": 1}
    for parameter in inspect.signature(RULES[name].function).parameters.values():
        if type(parameter.default) is int:
            assert parameter.default == usual.get(parameter.name, 0), parameter


@pytest.mark.parametrize("name", CALLS)
def test_every_number_of_a_result_has_a_name(name: str) -> None:
    """Three chances side by side mean nothing until each is called something."""
    result = RULES[name].function(**CALLS[name])
    as_many_as_it_takes = name == "attack.iterative_attacks"
    assert len(RULES[name].parts) == (len(result) if isinstance(result, tuple) and not as_many_as_it_takes else 0)


# Rules that look at one switch or another, depending on the case.
ANOTHER_CASE: dict[str, dict[str, Any]] = {
    "damage.strength_damage": {"grip": "bow"},
    "hit_points.state_chances": {"damage": d(60)},
}


class Watched(Ruleset):
    """Rules that note which of their switches are looked at; as a key of a cache they are only themselves."""

    looked_at: ClassVar[set[str]] = set()
    __hash__ = object.__hash__
    __eq__ = object.__eq__

    def __getattribute__(self, name: str) -> Any:
        if name in SWITCHES:
            self.looked_at.add(name)
        return super().__getattribute__(name)


def looked_at(name: str) -> set[str]:
    """Which switches a rule looks at, whatever the others are set to."""
    found: set[str] = set()
    for values, others in product(variants().values(), ({}, ANOTHER_CASE.get(name, {}))):
        rules = Watched(**{switch: getattr(values, switch) for switch in SWITCHES})
        Watched.looked_at.clear()
        RULES[name].function(**{**CALLS[name], **others, "rules": rules})
        found |= Watched.looked_at
    return found


@pytest.mark.parametrize("name", [name for name in CALLS if "rules" in CALLS[name]])
def test_a_card_names_the_switches_its_rule_looks_at(name: str) -> None:
    """A learner tries the switches a card names: one left out is never found, one too many changes nothing."""
    assert set(RULES[name].switches) == looked_at(name)


@pytest.mark.parametrize("name", RULES)
def test_docstring(name: str) -> None:
    """A docstring gives meaning, parameters and an example that runs."""
    text = inspect.getdoc(RULES[name].function) or ""
    assert re.match(r"[A-Z].*\.", text)
    assert "Parameters\n----------" in text
    assert "Examples\n--------" in text
    assert ">>>" in text


def test_every_switch_changes_some_rule() -> None:
    """A switch that no rule names could not be taught."""
    assert {switch for card in RULES.values() for switch in card.switches} == set(SWITCHES)


def test_a_plain_function_is_no_rule() -> None:
    """Asking for the card of anything else gives nothing instead of a wrong card."""
    assert card_of(len) is None
