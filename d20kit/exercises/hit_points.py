"""Exercises on hit points."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from d20kit.damage import fell_within
from d20kit.exercises.question import Draw, Exercise, Mistake, Values
from d20kit.expression import parse
from d20kit.hit_points import disabled_floor, rounds_to_death, stabilise_chance
from d20kit.language import N_
from d20kit.rulesets import SRD35


def _dying(draw: Draw) -> dict[str, Any]:
    return {"hp": draw.whole(-9, -3), "constitution": draw.whole(-1, 2)}


def _tough(draw: Draw) -> dict[str, Any]:
    return {"constitution": draw.one_of(-4, -3, -2, -1, 1, 2, 3, 4, 5, 6, 10, 11, 12)}


def _bleeding(draw: Draw) -> dict[str, Any]:
    return {"hp": draw.whole(-8, -1)}


def _alone(values: Values) -> dict[str, Any]:
    return {**values, "rules": SRD35}


def _blows(draw: Draw) -> dict[str, Any]:
    sides = draw.one_of(4, 6, 8, 10)
    return {"sides": sides, "hp": draw.whole(3, 2 * sides - 1)}


def _two_blows(values: Values) -> dict[str, Any]:
    return {"damage": parse(f"1d{values['sides']}"), "hp": values["hp"], "n": 2}


def _one_more_point(values: Values) -> Fraction:
    return fell_within(**{**_two_blows(values), "hp": values["hp"] + 1})


def _added(values: Values) -> Fraction | None:
    one = fell_within(**{**_two_blows(values), "n": 1})
    return 2 * one if one else None


EXERCISES = (
    Exercise(
        name="rounds to death",
        text=N_(
            "A dying combatant has {hp} hit points and Constitution modifier {constitution:+d}, and nobody helps. At "
            "which of its turns, counted from now, does it die?"
        ),
        rule=rounds_to_death,
        draw=_dying,
        mistakes=(
            Mistake("dead-too-early", lambda values: values["hp"] + 9),
            Mistake("from-zero", lambda values: -values["hp"]),
            Mistake("wrong-direction", lambda values: 10 - values["hp"]),
        ),
        hints=(
            N_("Every own turn costs one hit point."),
            N_("Count the steps from the hit points of now down to death, which is ten below zero."),
            N_("How many steps is it from {hp} down to ten below zero?"),
        ),
    ),
    Exercise(
        name="disabled band",
        text=N_(
            "The Constitution modifier is {constitution:+d}. What are the lowest hit points at which the combatant is "
            "disabled and not yet dying?"
        ),
        rule=disabled_floor,
        draw=_tough,
        mistakes=(
            Mistake("negative-reserve", lambda values: max(0, -values["constitution"]) or None),
            Mistake(
                "reserve-past-death", lambda values: -values["constitution"] if values["constitution"] > 9 else None
            ),
            Mistake("no-reserve", lambda values: 0),
            Mistake("above-zero", lambda values: values["constitution"] if values["constitution"] > 0 else None),
        ),
        hints=(
            N_("A tough body stays on its feet below zero, a weak one does not fall earlier."),
            N_("The reserve is the Constitution bonus; a penalty counts as none, and death ends every reserve."),
            N_("Go down from zero by what {constitution:+d} allows, but never as far as death."),
        ),
    ),
    Exercise(
        name="stabilise",
        text=N_(
            "Where a dying combatant stabilises with a chance of 10 % each round: it has {hp} hit points and nobody "
            "helps. What is the chance that it lives?"
        ),
        rule=stabilise_chance,
        draw=_bleeding,
        arguments=_alone,
        units="chance",
        mistakes=(
            Mistake("added-chances", lambda values: Fraction(10 + values["hp"], 10)),
            Mistake("dead-too-early", lambda values: 1 - Fraction(9, 10) ** (9 + values["hp"])),
            Mistake("one-round-only", lambda values: Fraction(1, 10)),
            Mistake("opposite-chance", lambda values: Fraction(9, 10) ** (10 + values["hp"])),
        ),
        hints=(
            N_("It dies only if every single try fails."),
            N_("Raise the chance of one failure to the number of tries, and subtract from certainty."),
            N_("From {hp} to death there is one try for every hit point."),
        ),
    ),
    Exercise(
        name="two blows",
        text=N_(
            "A combatant has {hp} hit points. Two blows that cannot miss take 1d{sides} each. What is the chance that "
            "they bring it to 0 or less?"
        ),
        rule=fell_within,
        draw=_blows,
        arguments=_two_blows,
        units="chance",
        mistakes=(
            Mistake("greater-not-equal", _one_more_point),
            Mistake("added-chances", _added),
            Mistake("opposite-chance", lambda values: 1 - fell_within(**_two_blows(values))),
        ),
        hints=(
            N_("Only the sum of the two blows matters."),
            N_("Count the pairs of faces whose sum reaches the hit points, and divide by the number of pairs."),
            N_("Of all pairs of faces of two d{sides}, which have a sum of at least {hp}?"),
        ),
    ),
)
