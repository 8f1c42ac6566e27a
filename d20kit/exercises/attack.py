"""Exercises on the attack roll."""

from __future__ import annotations

from typing import Any

from d20kit.algebra import clamp, ratio
from d20kit.attack import hit_chance, melee_bonus, outcome_chances, range_penalty, ranged_bonus
from d20kit.damage import attack_damage, fell_within
from d20kit.exercises.question import Draw, Exercise, Mistake, Values
from d20kit.language import N_
from d20kit.rulesets import SRD35


def _roll(draw: Draw) -> dict[str, Any]:
    bonus = draw.whole(-4, 14)
    return {"bonus": bonus, "ac": max(3, bonus + draw.whole(-1, 23))}


def _ends(values: Values, low: int, high: int, more: int = 0) -> Any:
    return ratio(clamp(21 + values["bonus"] - values["ac"] - more, low, high), 20)


def _sign_twice(values: Values) -> Any:
    return hit_chance(-values["bonus"], values["ac"]) if values["bonus"] < 0 else None


def _melee(draw: Draw) -> dict[str, Any]:
    return {"base": draw.whole(0, 12), "strength": draw.whole(-4, 5), "size": draw.one_of(-2, -1, 1, 2)}


def _shot(draw: Draw) -> dict[str, Any]:
    increment = draw.one_of(10, 20, 30, 50)
    distance = draw.whole(1, 9) * increment // 2
    return {"base": draw.whole(0, 12), "dexterity": draw.whole(0, 5), "increment": increment, "distance": distance}


def _shot_arguments(values: Values) -> dict[str, Any]:
    penalty = range_penalty(values["distance"], values["increment"])
    return {"base": values["base"], "dexterity": values["dexterity"], "range_penalty": penalty}


def _shot_with(values: Values, penalty: int) -> int:
    return int(values["base"] + values["dexterity"] + penalty)


def _begun_increments(values: Values) -> int:
    return _shot_with(values, 2 * (-values["distance"] // values["increment"]))


def _shot_sign_twice(values: Values) -> Any:
    return _shot_with(values, -range_penalty(values["distance"], values["increment"]))


def _threat(draw: Draw) -> dict[str, Any]:
    bonus = draw.whole(0, 12)
    return {"bonus": bonus, "ac": bonus + draw.whole(8, 20), "threat": draw.one_of(17, 18, 19)}


def _threat_arguments(values: Values) -> dict[str, Any]:
    return {**values, "rules": SRD35}


def _unconfirmed(values: Values) -> Any:
    return min(ratio(21 - values["threat"], 20), hit_chance(values["bonus"], values["ac"]))


def _range_times_hits(values: Values) -> Any:
    return ratio(21 - values["threat"], 20) * hit_chance(values["bonus"], values["ac"])


def _twice(values: Values) -> dict[str, Any]:
    return {"damage": attack_damage(values["bonus"], values["ac"], "1d6"), "hp": 1, "n": 2}


EXERCISES = (
    Exercise(
        name="hit",
        text=N_("An attack with a bonus of {bonus:+d} meets armor class {ac}. What is the chance that it hits?"),
        rule=hit_chance,
        draw=_roll,
        units="chance",
        mistakes=(
            Mistake("forgotten-natural-1", lambda values: _ends(values, 1, 20)),
            Mistake("forgotten-natural-20", lambda values: _ends(values, 0, 19)),
            Mistake("greater-not-equal", lambda values: _ends(values, 1, 19, more=1)),
            Mistake("sign-twice", _sign_twice),
            Mistake("opposite-chance", lambda values: 1 - hit_chance(**values)),
        ),
        hints=(
            N_("Count the faces of the d20 that hit, and divide by the number of faces."),
            N_(
                "A face hits if face and bonus together reach the armor class; the lowest face always misses and the "
                "highest always hits."
            ),
            N_("The lowest face that hits by its total is {ac} - ({bonus}); count it and all faces above it."),
        ),
    ),
    Exercise(
        name="melee",
        text=N_(
            "A fighter has base attack bonus {base:+d}, Strength modifier {strength:+d} and size modifier {size:+d}. "
            "What is the attack bonus with a sword?"
        ),
        rule=melee_bonus,
        draw=_melee,
        mistakes=(
            Mistake("sign-twice", lambda values: values["base"] + abs(values["strength"]) + abs(values["size"])),
            Mistake("size-twice", lambda values: melee_bonus(**values) + values["size"]),
        ),
        hints=(
            N_("Training, muscle and size all speak at once."),
            N_("Base attack bonus, Strength modifier and size modifier are added; a penalty is negative already."),
            N_("Work out ({base}) + ({strength}) + ({size})."),
        ),
    ),
    Exercise(
        name="range",
        text=N_(
            "An archer with base attack bonus {base:+d} and Dexterity modifier {dexterity:+d} shoots at a target "
            "{distance} feet away; the bow's range increment is {increment} feet. What is the attack bonus?"
        ),
        rule=ranged_bonus,
        draw=_shot,
        arguments=_shot_arguments,
        mistakes=(
            Mistake("forgotten-range", lambda values: _shot_with(values, 0)),
            Mistake("part-increment", _begun_increments),
            Mistake("sign-twice", _shot_sign_twice),
        ),
        hints=(
            N_("Aim replaces muscle, and distance makes it worse."),
            N_("Every full range increment costs two; one that is only begun costs nothing."),
            N_("Add {base} and {dexterity}, then take two away for each time {increment} fits into {distance}."),
        ),
    ),
    Exercise(
        name="critical",
        text=N_(
            "Where a threat must be confirmed: a weapon threatens on {threat} or more, its attack bonus is "
            "{bonus:+d}, the armor class {ac}. What is the chance that one attack is a critical?"
        ),
        rule=outcome_chances,
        draw=_threat,
        arguments=_threat_arguments,
        pick=lambda chances: chances[2],
        units="chance",
        mistakes=(
            Mistake("forgotten-confirmation", _unconfirmed),
            Mistake("threat-beyond-hits", _range_times_hits),
            Mistake("natural-20-only", lambda values: ratio(1, 20)),
        ),
        hints=(
            N_("Two things must happen: a face that threatens and hits, and a second roll that hits."),
            N_("Multiply the chance of a threatening face that hits by the chance to hit."),
            N_("Which faces from {threat} up reach {ac} with {bonus:+d}? Then roll again against the same {ac}."),
        ),
    ),
    Exercise(
        name="two attacks",
        text=N_(
            "An enemy has its last hit point left. Two attacks, each with {bonus:+d} against armor class {ac}, are "
            "made at it. What is the chance that it falls?"
        ),
        rule=fell_within,
        draw=_roll,
        arguments=_twice,
        units="chance",
        mistakes=(
            Mistake("added-chances", lambda values: 2 * hit_chance(**values)),
            Mistake("both-needed", lambda values: hit_chance(**values) ** 2),
            Mistake("opposite-chance", lambda values: (1 - hit_chance(**values)) ** 2),
        ),
        hints=(
            N_("It stands only if both attacks miss."),
            N_("Multiply the chance to miss by itself and subtract from certainty."),
            N_("Find the chance that {bonus:+d} misses {ac}, and use it for both attacks."),
        ),
    ),
)
