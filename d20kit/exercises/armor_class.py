"""Exercises on armor class."""

from __future__ import annotations

from typing import Any

from d20kit.armor_class import armor_class
from d20kit.exercises.question import Draw, Exercise, Mistake, Values
from d20kit.language import N_


def _surprised(draw: Draw) -> dict[str, Any]:
    return {"dexterity": draw.whole(-3, 5), "armor": draw.whole(0, 8), "dodge": draw.whole(1, 2)}


def _flat_footed(values: Values) -> dict[str, Any]:
    return {**values, "flat_footed": True}


def _without_penalty(values: Values) -> Any:
    return armor_class(**_flat_footed({**values, "dexterity": max(0, values["dexterity"])}))


def _with_dodge(values: Values) -> Any:
    return armor_class(**_flat_footed(values)) + values["dodge"]


def _touched(draw: Draw) -> dict[str, Any]:
    most = draw.whole(0, 4)
    return {
        "dexterity": draw.whole(1, 6),
        "max_dexterity": most,
        "armor": draw.whole(2, 8),
        "natural": draw.whole(1, 3),
        "dodge": draw.whole(1, 2),
    }


def _touch(values: Values) -> dict[str, Any]:
    return {**values, "touch": True}


def _untouched_natural(values: Values) -> Any:
    return armor_class(**_touch(values)) + values["natural"]


def _uncapped(values: Values) -> Any:
    return armor_class(**_touch({**values, "max_dexterity": None}))


def _worn(draw: Draw) -> dict[str, Any]:
    return {
        "dexterity": draw.whole(-2, 3),
        "size": draw.one_of(-1, 0, 1),
        "armor": draw.whole(2, 8),
        "ring": draw.whole(1, 4),
        "spell": draw.whole(1, 4),
    }


def _protected(values: Values) -> dict[str, Any]:
    kept = {name: values[name] for name in ("dexterity", "size", "armor")}
    return {**kept, "deflection": [values["ring"], values["spell"]]}


def _stacked(values: Values) -> Any:
    return armor_class(**{**_protected(values), "deflection": values["ring"] + values["spell"]})


def _sign_twice(values: Values) -> Any:
    parts = _protected(values)
    return armor_class(**{**parts, "dexterity": abs(parts["dexterity"]), "size": abs(parts["size"])})


EXERCISES = (
    Exercise(
        name="flat-footed",
        text=N_(
            "A combatant has Dexterity modifier {dexterity:+d}, armor bonus {armor:+d} and dodge bonus {dodge:+d}. "
            "What is its armor class while flat-footed?"
        ),
        rule=armor_class,
        draw=_surprised,
        arguments=_flat_footed,
        mistakes=(
            Mistake("lost-dexterity-penalty", _without_penalty),
            Mistake("kept-dexterity", lambda values: armor_class(**values)),
            Mistake("kept-dodge", _with_dodge),
        ),
        hints=(
            N_("Who does not see the blow coming loses what needs agility, but never its clumsiness."),
            N_("Start at ten; bonuses of Dexterity and dodge are lost, a penalty stays, armor stays."),
            N_("Is the Dexterity modifier {dexterity:+d} a bonus or a penalty? The armor's {armor:+d} counts."),
        ),
    ),
    Exercise(
        name="touch",
        text=N_(
            "A combatant has Dexterity modifier {dexterity:+d}, armor bonus {armor:+d} with a maximum Dexterity bonus "
            "of {max_dexterity:+d}, natural armor {natural:+d} and dodge bonus {dodge:+d}. What is its armor class "
            "against a touch attack?"
        ),
        rule=armor_class,
        draw=_touched,
        arguments=_touch,
        mistakes=(
            Mistake("max-dexterity-ignored", _uncapped),
            Mistake("armor-on-touch", lambda values: armor_class(**values)),
            Mistake("natural-armor-on-touch", _untouched_natural),
            Mistake("lost-dodge", lambda values: armor_class(**_touch({**values, "dodge": 0}))),
        ),
        hints=(
            N_("A touch needs no force, so what only stops a blow does not count."),
            N_("Armor and natural armor drop out, but worn armor still limits Dexterity; dodge counts."),
            N_("Add to ten the smaller of {dexterity} and {max_dexterity}, and the dodge bonus of {dodge}."),
        ),
    ),
    Exercise(
        name="one type",
        text=N_(
            "A combatant has Dexterity modifier {dexterity:+d}, size modifier {size:+d} and armor bonus {armor:+d}. A "
            "ring gives a deflection bonus of {ring:+d} and a spell one of {spell:+d}. What is its armor class?"
        ),
        rule=armor_class,
        draw=_worn,
        arguments=_protected,
        mistakes=(Mistake("stacked-same-type", _stacked), Mistake("sign-twice", _sign_twice)),
        hints=(
            N_("Ring and spell deflect the same blow."),
            N_("Of two bonuses of one type the larger counts; everything else is added to ten."),
            N_("Of {ring} and {spell} take the larger; then add {armor}, {dexterity:+} and {size:+} to ten."),
        ),
    ),
)
