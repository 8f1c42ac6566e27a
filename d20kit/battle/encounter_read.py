"""From the tables of an encounter file to combatants and rules, each refusal with the place it is about.

A file holds a table ``[rules]``, which may be left out, and a ``[[combatants]]`` for each combatant, or for several
that differ by name only::

    [rules]
    base = "SRD35"                  # or "COURSE"; then any switch of the rules
    massive_damage = false

    [[combatants]]
    creature = "goblin"             # of the bestiary; whatever else is given replaces its own
    count = 3                       # Goblin A, Goblin B, Goblin C
    attack = "javelin"
    distance = 60
    aware = false

    [[combatants]]
    name = "Rogue"
    side = "heroes"
    hp = 11
    ac = 15
    attacks = [{ name = "rapier", bonus = 4, damage = "1d6+1" }]
"""

from __future__ import annotations

import string
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import MISSING, fields, replace
from typing import Any

from d20kit.battle.attack import Attack, Save
from d20kit.battle.combatant import MOST_ATTACKS, Combatant
from d20kit.battle.validate import LARGEST_DAMAGE, MOST_COMBATANTS
from d20kit.check import one_of, one_whole, refuse
from d20kit.dice import Pmf
from d20kit.language import _
from d20kit.rulesets import Ruleset, from_table

NO_DAMAGE = "none"
_OF_BESTIARY = ("creature", "attack", "distance")
MOST_DIGITS = 1_000


def contents(table: Mapping[str, Any]) -> tuple[tuple[Combatant, ...], Ruleset]:
    """Return the combatants and the rules that the tables of a file describe.

    Raises
    ------
    ValueError
        If a key is unknown, which is answered with the nearest, missing, or its value is not allowed.

    Examples
    --------
    >>> goblins = {"creature": "goblin", "count": 2}
    >>> combatants, rules = contents({"rules": {"base": "SRD35"}, "combatants": [goblins]})
    >>> [one.name for one in combatants], rules
    (['Goblin A', 'Goblin B'], SRD35)
    """
    _known_keys(table, ("rules", "combatants"))
    with about("[rules]"):
        rules = from_table(_table(table.get("rules", {})))
    entries = table.get("combatants")
    if not isinstance(entries, list) or not entries or len(entries) > MOST_COMBATANTS:
        raise _not_so_many(entries)
    combatants: list[Combatant] = []
    for place, entry in enumerate(entries, start=1):
        if len(combatants) == MOST_COMBATANTS:
            raise _not_so_many(entries)
        with about(_combatant_place(place, entry)):
            combatants += _combatants(_table(entry), MOST_COMBATANTS - len(combatants))
    return tuple(combatants), rules


def _not_so_many(entries: Any) -> ValueError:
    allowed = _("tables of together 1 to {most} combatants").format(most=MOST_COMBATANTS)
    return refuse("combatants", entries, allowed, _("begin each with [[combatants]]"))


@contextmanager
def about(place: str) -> Iterator[None]:
    """Put the place in front of what a refusal says.

    >>> with about("combatant 2"):
    ...     raise ValueError("hp is missing")
    Traceback (most recent call last):
    ValueError: combatant 2: hp is missing
    """
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from None


def _combatant_place(place: int, entry: Any) -> str:
    name = entry.get("name", entry.get("creature")) if isinstance(entry, dict) else None
    if isinstance(name, str) and 0 < len(name) <= 60 and name.isprintable():
        return _("combatant {place} ({name})").format(place=place, name=name)
    return _("combatant {place}").format(place=place)


def _table(value: Any) -> dict[str, Any]:
    if isinstance(value, dict):
        return value
    raise refuse("it", value, _("a table of keys and values"), "hp = 5")


def _known_keys(table: Mapping[str, Any], known: tuple[str, ...]) -> None:
    for key in table:
        one_of(_("a key"), key, known)


def _needed_keys(table: Mapping[str, Any], kind: type) -> None:
    for item in fields(kind):
        if not item.kw_only and item.default is MISSING and item.name not in table:
            raise ValueError(_("the key {key!r} is missing").format(key=item.name))


def _names(kind: type) -> tuple[str, ...]:
    return tuple(item.name for item in fields(kind))


def _combatants(table: dict[str, Any], room: int) -> list[Combatant]:
    values = dict(table)
    _known_keys(values, (*_names(Combatant), *_OF_BESTIARY, "count"))
    count = one_whole("count", values.pop("count", None), 1, room) if "count" in values else None
    if "attacks" in values:
        values["attacks"] = _attacks(values["attacks"])
    if "creature" in values:
        first = Combatant.from_bestiary(**values)
    else:
        for key in ("attack", "distance"):
            if key in values:
                raise ValueError(_("the key {key!r} goes with creature = ..., which is missing").format(key=key))
        _needed_keys(values, Combatant)
        first = Combatant(**values)
    if count is None:
        return [first]
    marks = string.ascii_uppercase if count <= 26 else range(1, count + 1)
    return [replace(first, name=f"{first.name} {mark}") for mark in marks[:count]]


def _attacks(entries: Any) -> list[Attack]:
    if not isinstance(entries, list) or len(entries) > MOST_ATTACKS:
        raise refuse(
            "attacks",
            entries,
            _("a list of at most {most} tables").format(most=MOST_ATTACKS),
            '[{ name = "club", bonus = 2, damage = "1d6" }]',
        )
    attacks = []
    for place, entry in enumerate(entries, start=1):
        with about(_("attack {place}").format(place=place)):
            attacks.append(_attack(_table(entry)))
    return attacks


def _attack(table: dict[str, Any]) -> Attack:
    values = dict(table)
    _known_keys(values, _names(Attack))
    _needed_keys(values, Attack)
    values["damage"] = None if values["damage"] == NO_DAMAGE else _dice("damage", values["damage"])
    if "extra" in values:
        values["extra"] = _dice("extra", values["extra"])
    if "save" in values:
        with about("save"):
            values["save"] = _save(_table(values["save"]))
    return Attack(**values)


def _save(table: dict[str, Any]) -> Save:
    _known_keys(table, _names(Save))
    _needed_keys(table, Save)
    return Save(**table)


def _dice(name: str, value: Any) -> Any:
    """Read a distribution, written as pairs of outcome and weight; dice stay as they are written."""
    if not isinstance(value, list):
        return value
    weights: dict[int, int] = {}
    for pair in value:
        if not isinstance(pair, list) or len(pair) != 2:
            raise refuse(name, pair, _("pairs of outcome and weight"), "[[1, 3], [2, 1]]")
        outcome = one_whole(_("an outcome of {name}").format(name=name), pair[0], -LARGEST_DAMAGE, LARGEST_DAMAGE)
        if outcome in weights:
            raise ValueError(_("{name} gives the outcome {outcome} twice").format(name=name, outcome=outcome))
        weights[outcome] = _weight(_("a weight of {name}").format(name=name), pair[1])
    return Pmf(weights)


def _weight(name: str, value: Any) -> int:
    if type(value) is int and 1 <= value < 10**MOST_DIGITS:
        return value
    raise refuse(name, value, _("a whole number, 1 or more, of at most {most} digits").format(most=MOST_DIGITS))
