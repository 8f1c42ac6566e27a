"""Armor class: what an attack roll must reach."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from d20kit.algebra import Number, maximum, minimum
from d20kit.check import MODIFIER_LIMIT, bare, members, modifier, one_of, together, truth, whole
from d20kit.language import N_, _
from d20kit.rule import rule


class ArmorClasses(NamedTuple):
    """The four armor classes of one combatant.

    >>> armor_class_line(dexterity=1, size=1, armor=2, shield=1)
    ArmorClasses(normal=15, touch=12, flat_footed=14, flat_footed_touch=11)
    """

    normal: Number
    touch: Number
    flat_footed: Number
    flat_footed_touch: Number


_WORN = ("armor", "armor_enhancement", "shield", "shield_enhancement", "natural", "natural_enhancement")
_FIX = N_("give a whole number, or a list of them")


def _listed(**parts: Any) -> dict[str, Any]:
    """Take what an iterator gives, which it gives only once, as a list."""
    return {
        name: members(name, value, _("a list of whole numbers"), _(_FIX)) if isinstance(value, Iterator) else value
        for name, value in parts.items()
    }


def _many(name: str, value: Any) -> list[Any]:
    fix = _(_FIX)
    many = isinstance(value, (list, tuple))
    values = members(name, value, _("a list of whole numbers"), fix) if many else [value]
    return [modifier(name, one, fix) for one in values]


def _flat(**parts: Any) -> dict[str, Any]:
    """Name every member of a list by its place."""
    listed = {name: bare(value) for name, value in parts.items() if isinstance(value, (list, tuple))}
    flat = {name: value for name, value in parts.items() if name not in listed}
    return flat | {f"{name}[{place}]": one for name, value in listed.items() for place, one in enumerate(value)}


def _largest(name: str, value: Any) -> Number:
    """The largest bonus of one type; penalties have no type in common and all count."""
    values = _many(name, value)
    if len(values) == 1:
        return values[0]
    best: Any = 0
    penalties: Any = 0
    for one in values:
        best = maximum(best, one)
        penalties = penalties + minimum(one, 0)
    return best + penalties


def _dodge(value: Any, denied: bool) -> Number:
    values = _many("dodge", value)
    return sum(minimum(one, 0) for one in values) if denied else sum(values)


def _dexterity(value: Number, most: Number | None, denied: bool) -> Number:
    value = modifier("dexterity", value)
    if most is not None:
        value = minimum(value, whole("max_dexterity", most, 0, MODIFIER_LIMIT))
    return minimum(value, 0) if denied else value


@rule(
    title=N_("Armor class"),
    symbol=r"\text{AC}",
    why=N_(
        "Ten is the middle of the die; everything that stops, turns or dodges a blow is added to it. A touch needs no "
        "force, so armor, shield and hide do not count; a combatant who does not see the blow coming loses what "
        "needs agility, but never its clumsiness."
    ),
    source=N_("Armor Class"),
)
def armor_class(
    *,
    dexterity: Number = 0,
    size: Number = 0,
    armor: Number | Iterable[Number] = 0,
    shield: Number | Iterable[Number] = 0,
    natural: Number | Iterable[Number] = 0,
    deflection: Number | Iterable[Number] = 0,
    dodge: Number | Iterable[Number] = 0,
    other: Number | Iterable[Number] = 0,
    armor_enhancement: Number | Iterable[Number] = 0,
    shield_enhancement: Number | Iterable[Number] = 0,
    natural_enhancement: Number | Iterable[Number] = 0,
    max_dexterity: Number | None = None,
    touch: bool = False,
    flat_footed: bool = False,
    uncanny_dodge: bool = False,
) -> Number:
    """Add up an armor class.

    Parameters
    ----------
    dexterity, size : number
        Modifiers.
    armor, shield, natural, deflection : number or list of numbers
        Bonuses of one type do not stack: of a list the largest bonus counts (penalties all do).
    dodge, other : number or list of numbers
        These stack: a list is added up.
    armor_enhancement, shield_enhancement, natural_enhancement : number or list of numbers
        Enhancement of the armor, the shield and the natural armor, each a type of its own.
    max_dexterity : number, optional
        The most Dexterity bonus the armor allows. It caps a bonus (for touch attacks too), never softens a penalty
        and does not limit dodge.
    touch : bool
        Against a touch attack: armor, shield and natural armor with their enhancement do not count.
    flat_footed : bool
        Denied Dexterity: its bonus and dodge bonuses are lost, penalties of both stay.
    uncanny_dodge : bool
        Keeps Dexterity and dodge while flat-footed.

    Returns
    -------
    number

    Raises
    ------
    ValueError
        If a number is not whole, ``max_dexterity`` is negative or a switch is not True or False.

    Examples
    --------
    >>> from d20kit.armor_class import armor_class
    >>> goblin = dict(dexterity=1, size=1, armor=2, shield=1)
    >>> armor_class(**goblin), armor_class(**goblin, touch=True), armor_class(**goblin, flat_footed=True)
    (15, 12, 14)
    """
    lists = _listed(
        armor=armor,
        shield=shield,
        natural=natural,
        deflection=deflection,
        dodge=dodge,
        other=other,
        armor_enhancement=armor_enhancement,
        shield_enhancement=shield_enhancement,
        natural_enhancement=natural_enhancement,
    )
    together(**_flat(dexterity=dexterity, max_dexterity=max_dexterity, size=size, **lists))
    kept, touched = truth("uncanny_dodge", uncanny_dodge), truth("touch", touch)
    denied = truth("flat_footed", flat_footed) and not kept
    worn: Any = sum(_largest(name, lists[name]) for name in _WORN)
    agile: Any = _dexterity(dexterity, max_dexterity, denied) + _dodge(lists["dodge"], denied)
    rest: Any = (
        modifier("size", size) + _largest("deflection", lists["deflection"]) + sum(_many("other", lists["other"]))
    )
    return 10 + agile + rest + (0 if touched else worn)


_PARTS = [name for name in armor_class.__kwdefaults__ or () if name not in ("touch", "flat_footed")]


def armor_class_line(**parts: Any) -> ArmorClasses:
    """Return the four armor classes of one combatant: normal, touch, flat-footed, and touch while flat-footed.

    Parameters
    ----------
    **parts
        What :func:`armor_class` takes, without ``touch`` and ``flat_footed``.

    Examples
    --------
    >>> from d20kit.armor_class import armor_class_line
    >>> tuple(armor_class_line(dexterity=3, armor=8, max_dexterity=1))
    (19, 11, 18, 10)
    """
    for name in parts:
        one_of("part", name, _PARTS)
    parts = _listed(**parts)
    return ArmorClasses(
        armor_class(**parts),
        armor_class(**parts, touch=True),
        armor_class(**parts, flat_footed=True),
        armor_class(**parts, touch=True, flat_footed=True),
    )
