"""An encounter as the text of a file: everything that differs from what a file leaves out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import MISSING, fields
from typing import TYPE_CHECKING, Any

from d20kit.battle.attack import Attack, Save
from d20kit.battle.combatant import Combatant
from d20kit.battle.encounter_read import NO_DAMAGE
from d20kit.check import refuse
from d20kit.dice import Pmf
from d20kit.language import _
from d20kit.rulesets import as_table

if TYPE_CHECKING:
    from d20kit.battle.encounter import Encounter


def toml_text(encounter: Encounter) -> str:
    """Write an encounter in TOML.

    Raises
    ------
    ValueError
        If somebody's policy is a function, which no file can hold.

    Examples
    --------
    >>> from d20kit.battle import Encounter
    >>> toml_text(Encounter.ready("duel")).splitlines()[:5]
    ['[rules]', 'base = "COURSE"', '', '[[combatants]]', 'name = "Red fighter"']
    """
    rules = as_table(encounter.rules)
    lines = ["[rules]", *(f"{name} = {_value(value)}" for name, value in rules.items())]
    for combatant in encounter.combatants:
        lines += ["", "[[combatants]]", *_combatant(combatant)]
    return "\n".join(lines) + "\n"


def _combatant(combatant: Combatant) -> Iterator[str]:
    if callable(combatant.policy):
        raise refuse(
            _("the policy of {name}").format(name=combatant.name),
            combatant.policy,
            _("one of the ready policies to be written into a file"),
            'policy="weakest"',
        )
    for name, value in _told(combatant):
        if name == "attacks":
            yield "attacks = [" + "".join(f"\n    {_inline(attack)}," for attack in value) + ("\n]" if value else "]")
        else:
            yield f"{name} = {_value(value)}"


def _told(thing: Combatant | Attack | Save) -> Iterator[tuple[str, Any]]:
    """Yield what has no default, and what differs from its default."""
    for item in fields(thing):
        value = getattr(thing, item.name)
        same = item.name in ("flat_footed_ac", "touch_ac") and value == getattr(thing, "ac", None)
        if not same and (item.default is MISSING or value != item.default):
            yield item.name, value


def _inline(thing: Attack | Save) -> str:
    return "{ " + ", ".join(f"{name} = {_value(value)}" for name, value in _told(thing)) + " }"


def _value(value: Any) -> str:
    if value is None:
        return _value(NO_DAMAGE)
    if isinstance(value, Save):
        return _inline(value)
    if isinstance(value, Pmf):
        low = value.support()[0]
        pairs = ((low + step, weight) for step, weight in enumerate(value.weights) if weight)
        return "[" + ", ".join(f"[{outcome}, {weight}]" for outcome, weight in pairs) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    # what JSON escapes in a text TOML escapes alike
    return str(value) if type(value) is int else json.dumps(str(value), ensure_ascii=False)
