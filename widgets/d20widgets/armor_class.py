"""Armor class to drag: its parts, what a touch and a surprised combatant lose of them, and the chance to hit each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar

from d20kit.abilities import Size, size_modifier
from d20kit.amounts import faces_text, number_text, short_percent_text, signed_text, term_text
from d20kit.armor_class import ArmorClasses, armor_class, armor_class_line
from d20kit.attack import FACES, hit_chance
from d20kit.language import N_, _
from d20widgets import mathml
from d20widgets.armor_class_picture import (
    CHANCES,
    KINDS,
    PARTS,
    armor_class_figure,
    rows_frame,
    shown_parts,
)
from d20widgets.controls import OneOf, Switch, Whole
from d20widgets.explorer import Explorer

SIZES = {
    "fine": N_("fine"),
    "diminutive": N_("diminutive"),
    "tiny": N_("tiny"),
    "small": N_("small"),
    "medium": N_("medium"),
    "large": N_("large"),
    "huge": N_("huge"),
    "gargantuan": N_("gargantuan"),
    "colossal": N_("colossal"),
}
assert {size.upper() for size in SIZES} == {size.name for size in Size}
# Touch, flat-footed: the switches of the four armor classes, in the order of ``ArmorClasses``.
SWITCHES = ((False, False), (True, False), (False, True), (True, True))
# What the rules take as two arguments and a table shows as one part.
ENHANCED = ("armor", "shield", "natural")


@dataclass(frozen=True)
class Numbers:
    """One combatant: its parts, the four armor classes, what counts in each and what does not, the chances to hit."""

    bonus: int
    dexterity: int
    most: int | None
    uncanny_dodge: bool
    parts: Mapping[str, int]
    classes: ArmorClasses
    counted: tuple[Mapping[str, int], ...]
    dropped: tuple[Mapping[str, int], ...]
    chances: tuple[Fraction, ...]


class ArmorClassExplorer(Explorer):
    """Drag a Dexterity modifier and see which of the four armor classes it changes.

    Parameters
    ----------
    dexterity : int
        Dexterity modifier, -5 to 10. It is the main slider.
    limited : bool
        Whether the armor limits the Dexterity bonus.
    max_dexterity : int
        The most Dexterity bonus it allows then, 0 to 8.
    armor, shield, natural : int
        Bonuses of armor, 0 to 10, shield, 0 to 4, and natural armor, 0 to 15.
    armor_enhancement, shield_enhancement, natural_enhancement : int
        Their enhancements, 0 to 5.
    size : str
        From ``"fine"`` to ``"colossal"``.
    deflection : int
        Deflection bonus, 0 to 5.
    dodge, other : int
        Dodge bonus or penalty, -5 to 6, and everything else, -5 to 10.
    uncanny_dodge : bool
        Whether Dexterity and dodge are kept while flat-footed.
    bonus : int
        Attack bonus of the attacks that it is to withstand, -5 to 25.

    Raises
    ------
    ValueError
        If a value is not allowed; the message says what is.

    Examples
    --------
    >>> tuple(row["AC"] for row in ArmorClassExplorer(armor=8, shield=0, dodge=0, max_dexterity=1).table())
    (19, 11, 18, 10)
    """

    title = N_("Armor class")
    main = "dexterity"
    controls = (
        Whole("dexterity", N_("Dexterity modifier"), 3, -5, 10),
        Whole("armor", N_("Armor"), 4, 0, 10),
        Switch("limited", N_("armor limits Dexterity"), True),
        Whole("max_dexterity", N_("Maximum Dexterity"), 4, 0, 8),
        Whole("shield", N_("Shield"), 1, 0, 4),
        OneOf("size", N_("Size"), SIZES, "medium"),
        Whole("natural", N_("Natural armor"), 0, 0, 15),
        Whole("deflection", N_("Deflection"), 0, 0, 5),
        Whole("dodge", N_("Dodge"), 1, -5, 6),
        Switch("uncanny_dodge", N_("uncanny dodge")),
        Whole("bonus", N_("Attack bonus"), 7, -5, 25),
        Whole("armor_enhancement", N_("Armor enhancement"), 0, 0, 5),
        Whole("shield_enhancement", N_("Shield enhancement"), 0, 0, 5),
        Whole("natural_enhancement", N_("Natural enhancement"), 0, 0, 5),
        Whole("other", N_("Everything else"), 0, -5, 10),
    )
    groups: ClassVar[Mapping[str, Sequence[str]]] = {
        N_("Enhancement and everything else"): (
            "armor_enhancement",
            "shield_enhancement",
            "natural_enhancement",
            "other",
        )
    }

    def numbers(self, values: Mapping[str, Any]) -> Numbers:
        given = _arguments(values)
        brought = _brought(given)
        classes = armor_class_line(**given)
        counted = tuple(_counted(given, touch, flat_footed) for touch, flat_footed in SWITCHES)
        return Numbers(
            bonus=values["bonus"],
            dexterity=values["dexterity"],
            most=given["max_dexterity"],
            uncanny_dodge=values["uncanny_dodge"],
            parts=brought,
            classes=classes,
            counted=counted,
            dropped=tuple({part: brought[part] - one[part] for part in PARTS} for one in counted),
            chances=tuple(hit_chance(values["bonus"], ac) for ac in classes),
        )

    def picture(self, values: Mapping[str, Any], table: Sequence[Numbers]) -> dict[str, Any]:
        shown = shown_parts(table[0].parts)
        return armor_class_figure([one.counted for one in table], [one.dropped for one in table], shown)

    def frame(self, numbers: Numbers) -> dict[str, Any]:
        pairs = list(zip(numbers.counted, numbers.dropped, strict=True))
        return {
            **rows_frame(shown_parts(numbers.parts), pairs, numbers.classes),
            f"data.{CHANCES}.x": [float(100 * chance) for chance in numbers.chances],
            f"data.{CHANCES}.text": [f"{short_percent_text(one)} ({_faces(one)})" for one in numbers.chances],
            "label": _label(numbers),
        }

    def formula(self, numbers: Numbers) -> str:
        sum_of = [mathml.under(mathml.number(numbers.parts["ten"]), _(PARTS["ten"][0]))]
        for part, (name, _paint) in PARTS.items():
            if part == "ten" or not numbers.parts[part]:
                continue
            term = mathml.number(numbers.counted[0][part], enclose=True)
            if part == "dexterity" and numbers.most is not None:
                term = mathml.call("min", mathml.number(numbers.dexterity), mathml.number(numbers.most))
            sum_of += [mathml.sign("+"), mathml.under(term, _(name))]
        total = mathml.number(numbers.classes.normal)
        return mathml.formula(mathml.words(_("AC")), mathml.sign("="), *sum_of, mathml.sign("="), total)

    def sentence(self, numbers: Numbers) -> str:
        parts = (_sum_sentence(numbers), _cap_sentence(numbers), _touch_sentence(numbers), _flat_sentence(numbers))
        return " ".join(part for part in (*parts, _hit_sentence(numbers)) if part)

    def question(self, numbers: Numbers) -> tuple[str, int]:
        return _("What is the armor class while flat-footed?"), int(numbers.classes.flat_footed)

    def rows(self, numbers: Numbers) -> list[dict[str, Any]]:
        shown = [part for part in PARTS if numbers.parts[part]]
        return [
            {
                N_("against it"): _(kind),
                **{PARTS[part][0]: counted[part] for part in shown},
                N_("AC"): ac,
                N_("faces"): _faces(chance),
                N_("chance to hit"): chance,
            }
            for kind, counted, ac, chance in zip(KINDS, numbers.counted, numbers.classes, numbers.chances, strict=True)
        ]


def _arguments(values: Mapping[str, Any]) -> dict[str, Any]:
    """What the rule takes, of all that is set."""
    given = {name: value for name, value in values.items() if name not in ("bonus", "limited")}
    if not values["limited"]:
        given["max_dexterity"] = None
    return {**given, "size": size_modifier(values["size"])}


def _brought(given: Mapping[str, Any]) -> dict[str, int]:
    """What each part would give if nothing were dropped."""
    return {
        "ten": armor_class(),
        **{
            part: given[part] + (given[f"{part}_enhancement"] if part in ENHANCED else 0)
            for part in PARTS
            if part != "ten"
        },
    }


def _counted(given: Mapping[str, Any], touch: bool, flat_footed: bool) -> dict[str, int]:
    """What each part gives in one of the four armor classes: the rule is asked for every part by itself."""
    held = {"max_dexterity": given["max_dexterity"], "uncanny_dodge": given["uncanny_dodge"]}
    counted: dict[str, int] = {"ten": armor_class()}
    for part in PARTS:
        if part == "ten":
            continue
        alone = {name: given[name] for name in (part, f"{part}_enhancement") if name in given}
        counted[part] = _gives(touch, flat_footed, **alone, **held) - counted["ten"]
    return counted


@lru_cache(maxsize=4096)
def _gives(touch: bool, flat_footed: bool, **given: Any) -> int:
    """The armor class of one part alone. At every position of the slider most parts are the same."""
    return int(armor_class(**given, touch=touch, flat_footed=flat_footed))


def _faces(chance: Fraction) -> str:
    """The faces that hit: the highest ones, for every point of bonus adds the next lower one."""
    return faces_text(range(FACES + 1 - int(chance * FACES), FACES + 1))


def _sum_sentence(numbers: Numbers) -> str:
    counted = numbers.counted[0]
    terms = [
        f"{term_text(counted[part])} {_(name)}"
        for part, (name, _paint) in PARTS.items()
        if part != "ten" and counted[part]
    ]
    total = " ".join([str(counted["ten"]), *terms])
    return _("AC {ac} = {sum}.").format(ac=number_text(numbers.classes.normal), sum=total)


def _cap_sentence(numbers: Numbers) -> str:
    if not numbers.dropped[0]["dexterity"]:
        return ""
    return _("Of the Dexterity bonus +{bonus} the armor allows +{most}.").format(
        bonus=numbers.dexterity, most=numbers.most
    )


def _touch_sentence(numbers: Numbers) -> str:
    ac, lost = number_text(numbers.classes.touch), _lost(numbers, 1)
    if not lost:
        return _("Touch AC {ac}: there is no armor to pass by.").format(ac=ac)
    return _("Touch AC {ac}, without {parts}.").format(ac=ac, parts=lost)


def _flat_sentence(numbers: Numbers) -> str:
    ac, lost = number_text(numbers.classes.flat_footed), _lost(numbers, 2)
    both = number_text(numbers.classes.flat_footed_touch)
    if lost:
        said = _("Flat-footed AC {ac}, without {parts}; touched as well {both}.")
    elif numbers.uncanny_dodge:
        said = _("Flat-footed AC {ac}: uncanny dodge keeps Dexterity and dodge; touched as well {both}.")
    else:
        said = _("Flat-footed AC {ac}: there is no bonus to lose; touched as well {both}.")
    kept = _("The Dexterity penalty stays.") if numbers.dexterity < 0 else ""
    return f"{said.format(ac=ac, parts=lost, both=both)} {kept}".strip()


def _lost(numbers: Numbers, kind: int) -> str:
    """The parts that count against an ordinary attack and not in this kind."""
    normal, counted = numbers.counted[0], numbers.counted[kind]
    return ", ".join(
        f"{normal[part] - counted[part]} {_(name)}"
        for part, (name, _paint) in PARTS.items()
        if normal[part] != counted[part]
    )


def _hit_sentence(numbers: Numbers) -> str:
    return _(
        "An attack of {bonus} hits with {normal}, a touch with {touch}; flat-footed {flat_footed} and {both}."
    ).format(
        bonus=signed_text(numbers.bonus),
        **dict(zip(("normal", "touch", "flat_footed", "both"), map(short_percent_text, numbers.chances), strict=True)),
    )


def _label(numbers: Numbers) -> str:
    """The words that stand for the picture."""
    each = "; ".join(
        _("{kind}: AC {ac}, hit with {chance}").format(
            kind=_(kind), ac=number_text(ac), chance=short_percent_text(chance)
        )
        for kind, ac, chance in zip(KINDS, numbers.classes, numbers.chances, strict=True)
    )
    return _("The four armor classes and the chance to hit each. {each}.").format(each=each)
