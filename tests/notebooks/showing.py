"""Which switches a lesson shows: its own calls of rules, written down while its cells run."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from d20kit import Ruleset, amounts, explain
from d20kit.rule import Card, card_of
from d20kit.rulesets import SWITCHES


@dataclass(frozen=True)
class Call:
    """A rule that a lesson calls: with what, under which rules, and what it would come to under others.

    An explanation tells what every value of a switch comes to, a call what those of its rules do.
    """

    card: Card
    given: str
    rules: Ruleset
    under: Callable[[Ruleset], Any]
    explained: bool = False


class _WrittenDown(ast.NodeTransformer):
    """Hands every call of a program to a function that makes it, and may look at it."""

    def visit_Call(self, node: ast.Call) -> ast.Call:
        """``f(x, y=1)`` becomes ``_called(f, x, y=1)``."""
        self.generic_visit(node)
        made = ast.Call(ast.Name("_called", ast.Load()), [node.func, *node.args], node.keywords)
        return ast.copy_location(made, node)


def calls_of(code: str) -> list[Call]:
    """Run a program, and return its calls of rules that depend on a switch."""
    found: list[Call] = []

    def called(function: Any, *values: Any, **named: Any) -> Any:
        result = function(*values, **named)
        if function is explain and result.rules is not None:
            found.append(Call(result.card, repr(named), result.rules, result.under, explained=True))
        elif (card := card_of(function)) and card.switches:
            found.append(_call(card, values, named))
        return result

    program = ast.fix_missing_locations(_WrittenDown().visit(ast.parse(code)))
    exec(compile(program, "lesson", "exec"), {"_called": called})
    return found


def _call(card: Card, values: Sequence[Any], named: dict[str, Any]) -> Call:
    bound = inspect.signature(card.function).bind(*values, **named)
    bound.apply_defaults()
    rules = bound.arguments.pop("rules")

    def under(others: Ruleset) -> Any:
        return card.function(*bound.args, **bound.kwargs, rules=others)

    return Call(card, repr(bound), rules, under)


def shows(calls: Sequence[Call], switch: str, *, matters: bool = True) -> bool:
    """Return whether calls show what each value of a switch comes to.

    They do where a rule that names the switch is called with the same numbers under each of its values, or explained,
    and those numbers let it matter: the switch alone, set to another value than that of ``COURSE``, changes the result.
    """
    choices = SWITCHES[switch].choices
    asked = [call for call in calls if switch in call.card.switches]
    for call in asked:
        alike = [one for one in asked if (one.card, one.given) == (call.card, call.given)]
        if call.explained or {getattr(one.rules, switch) for one in alike} == set(choices):
            usual, *others = (call.under(call.rules.replace(**{switch: choice})) for choice in choices)
            if not matters or not any(amounts.same(usual, other) for other in others):
                return True
    return False
