"""The control for the rules: both readings, and rules of one's own where an explorer was given such."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from d20kit.check import bare, one_of
from d20kit.language import N_, _
from d20kit.randomness import draw_below
from d20kit.rulesets import RULESETS, Ruleset, as_table, check_rules, from_table, nearest
from d20widgets.controls import Chosen, Values

# What rules that are neither reading are called where a name must be short.
OWN = N_("your own rules")


def called(rules: Ruleset) -> str:
    """Return ``"COURSE"``, ``"SRD35"`` or, for a mixture of their switches, the message ``OWN``.

    >>> from d20kit import SRD35
    >>> called(SRD35), called(SRD35.replace(full_attack="listed"))
    ('SRD35', 'your own rules')
    """
    return next((name for name, each in RULESETS.items() if each == rules), OWN)


def beside(rules: Ruleset) -> dict[str, Ruleset]:
    """Return both readings and, where they are neither, the rules in force, by what they are called.

    >>> from d20kit import SRD35
    >>> [*beside(SRD35)], [*beside(SRD35.replace(full_attack="listed"))]
    (['COURSE', 'SRD35'], ['COURSE', 'SRD35', 'your own rules'])
    """
    return {**RULESETS, called(rules): rules}


def compared(rules: Ruleset) -> str:
    """Return the name of the reading that rules are compared with: the other one, or the nearer one to a mixture.

    >>> from d20kit import COURSE, SRD35
    >>> compared(COURSE), compared(SRD35.replace(full_attack="listed"))
    ('SRD35', 'SRD35')
    """
    near, changed = nearest(rules)
    return near if changed else next(name for name in RULESETS if name != near)


@dataclass(frozen=True)
class RulesChoice(Chosen):
    """A drop-down of both readings, in which rules of one's own stay once they were chosen.

    A saved state holds the name of a reading, or a mixture as the table that encounter files have.
    """

    def initial(self, values: Values) -> Ruleset:
        return next(iter(RULESETS.values()))

    def draw(self, rng: Random, values: Values) -> Ruleset:
        readings = list(RULESETS.values())
        return readings[draw_below(rng, len(readings))]

    def check(self, value: Any, values: Values) -> Ruleset:
        given = bare(value)
        if isinstance(given, str):
            return RULESETS[one_of(self.name, given, RULESETS)]
        rules = from_table(given) if isinstance(given, dict) else check_rules(given)
        return RULESETS.get(called(rules), rules)

    def plain(self, value: Ruleset) -> str | dict[str, Any]:
        name = called(value)
        return name if name in RULESETS else as_table(value)

    def written(self, value: Ruleset) -> str:
        return value.name

    def imports(self, value: Ruleset) -> list[str]:
        fractions = ["from fractions import Fraction"] if "Fraction(" in value.name else []
        return [*fractions, f"from d20kit import {nearest(value)[0]}"]

    def shown(self, value: Ruleset, values: Values) -> dict[str, Any]:
        return {"options": _options(beside(value)), "value": value, "description": _(self.label)}

    def put(self, parts: tuple[Any, ...], value: Ruleset, values: Values) -> None:
        before = {called(rules): rules for _name, rules in parts[0].options}
        parts[0].options = _options({**before, **beside(value)})
        parts[0].value, parts[0].description = value, _(self.label)


def _options(rules: Mapping[str, Ruleset]) -> list[tuple[str, Ruleset]]:
    return [(_(name), each) for name, each in rules.items()]
