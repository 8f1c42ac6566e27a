"""An encounter as a table of texts, and back: each cell checked by the rules of a combatant."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from d20kit.battle import Attack, Combatant, Encounter
from d20kit.check import refuse
from d20kit.dice import Pmf
from d20kit.language import N_, _

NO_DAMAGE = "-"
YES, NO = "yes", "no"
_WHOLE = re.compile(r"[+\-−]?\d{1,9}")
_NUMBERS = frozenset(
    {"hp", "ac", "flat_footed_ac", "touch_ac", "initiative", "constitution", "bonus", "threat", "multiplier"}
)


# Name of a policy -> whom it attacks.
WHOM = {
    "first-able": N_("the first who can act"),
    "weakest": N_("the weakest"),
    "strongest": N_("the strongest"),
    "inaction": N_("nobody"),
    "random": N_("anybody, at random"),
}


class Column(NamedTuple):
    """A column: field of a combatant or an attack, its heading, and the texts to choose from, if it is a choice."""

    key: str
    heading: str
    options: Mapping[str, str] = {}


COMBATANT = (
    Column("name", N_("name")),
    Column("side", N_("side")),
    Column("hp", N_("hit points")),
    Column("ac", N_("AC")),
    Column("flat_footed_ac", N_("flat-footed AC")),
    Column("touch_ac", N_("touch AC")),
    Column("initiative", N_("initiative")),
    Column("constitution", N_("Constitution")),
    Column("aware", N_("aware"), {YES: N_("yes"), NO: N_("no")}),
    Column("policy", N_("attacks whom"), WHOM),
)
ATTACK = (
    Column("name", N_("attack")),
    Column("bonus", N_("bonus")),
    Column("damage", N_("damage")),
    Column("threat", N_("threat from")),
    Column("multiplier", N_("multiplier")),
)


class Cell(NamedTuple):
    """A place in the table: which combatant, which of its attacks or None for itself, and the column's key."""

    row: int
    attack: int | None
    key: str

    @property
    def place(self) -> str:
        """The place as the page knows it.

        >>> Cell(0, None, "hp").place, Cell(0, 1, "bonus").place
        ('0..hp', '0.1.bonus')
        """
        return f"{self.row}.{'' if self.attack is None else self.attack}.{self.key}"

    def is_in(self, encounter: Encounter) -> bool:
        """Whether an encounter has the place.

        >>> duel = Encounter.ready("duel")
        >>> Cell(1, 0, "bonus").is_in(duel), Cell(1, 1, "bonus").is_in(duel), Cell(2, None, "hp").is_in(duel)
        (True, False, False)
        """
        if self.row >= len(encounter.combatants):
            return False
        return self.attack is None or self.attack < len(encounter.combatants[self.row].attacks)


def rows(encounter: Encounter) -> list[dict[str, Any]]:
    """Return a row for each combatant: its texts by column, and those of each of its attacks.

    Examples
    --------
    >>> from d20kit.battle import Encounter
    >>> row = rows(Encounter.ready("duel"))[0]
    >>> row["own"]["hp"], row["attacks"][0]["damage"]
    ('19', '1d8+3')
    """
    return [
        {
            "own": {column.key: _text(getattr(one, column.key)) for column in COMBATANT},
            "attacks": [
                {column.key: _text(getattr(attack, column.key)) for column in ATTACK} for attack in one.attacks
            ],
            "fixed": _fixed(one),
        }
        for one in encounter.combatants
    ]


def edited(encounter: Encounter, texts: Mapping[Cell, str]) -> Encounter:
    """Return the encounter with some cells as they were typed.

    Raises
    ------
    ValueError
        If a text has no meaning in its cell, or the combatants no longer fit together.

    Examples
    --------
    >>> from d20kit.battle import Encounter
    >>> edited(Encounter.ready("duel"), {Cell(0, None, "hp"): "30"}).combatants[0].hp
    30
    """
    combatants = list(encounter.combatants)
    for cell, text in texts.items():
        combatants[cell.row] = _changed(combatants[cell.row], cell, text)
    return replace(encounter, combatants=tuple(combatants))


def free_name(name: str, taken: Mapping[str, Any]) -> str:
    """Return a name like this one that nobody has.

    >>> free_name("Goblin", {"Goblin": 0, "Goblin B": 0})
    'Goblin C'
    """
    if name not in taken:
        return name
    stem = re.sub(r" ([A-Z]|\d+)$", "", name)[:56]
    marks = [*"ABCDEFGHIJKLMNOPQRSTUVWXYZ", *map(str, range(27, 1000))]
    first = 0 if re.search(r" [A-Z]$", name) else 1
    return next(free for mark in marks[first:] if (free := f"{stem} {mark}") not in taken)


def _text(value: Any) -> str:
    if value is None:
        return NO_DAMAGE
    if isinstance(value, bool):
        return YES if value else NO
    if callable(value):
        return getattr(value, "__name__", type(value).__name__)
    return str(value) if isinstance(value, (int, str)) else _("a distribution")


def _fixed(one: Combatant) -> list[str]:
    """Which cells cannot be typed: policies of one's own, and damage that is no dice."""
    fixed = ["policy"] if callable(one.policy) else []
    return fixed + [f"{k}.damage" for k, attack in enumerate(one.attacks) if isinstance(attack.damage, Pmf)]


def _changed(one: Combatant, cell: Cell, text: str) -> Combatant:
    value = _value(cell.key, text)
    if cell.attack is None:
        return _with_armor_class(one, value) if cell.key == "ac" else replace(one, **{cell.key: value})
    attacks: list[Attack] = list(one.attacks)
    attacks[cell.attack] = replace(attacks[cell.attack], **{cell.key: value})
    return replace(one, attacks=tuple(attacks))


def _with_armor_class(one: Combatant, ac: Any) -> Combatant:
    """Another armor class; what is lost of it while flat-footed, and against a touch, stays the same."""
    checked = replace(one, ac=ac, flat_footed_ac=None, touch_ac=None).ac  # type: ignore[arg-type]
    gain = checked - one.ac
    return replace(one, ac=checked, flat_footed_ac=one.flat_footed_ac + gain, touch_ac=one.touch_ac + gain)


def _value(key: str, text: str) -> Any:
    """Read a cell; what is no number where one is needed stays a text, which the combatant refuses."""
    typed = text.strip()
    if key == "aware":
        if typed not in (YES, NO):
            raise refuse(key, typed, _("one of {choices}").format(choices=f"{YES!r}, {NO!r}"))
        return typed == YES
    if key == "damage":
        return None if typed in ("", NO_DAMAGE) else typed
    if key in _NUMBERS and _WHOLE.fullmatch(typed):
        return int(typed.replace("−", "-"))
    return typed
