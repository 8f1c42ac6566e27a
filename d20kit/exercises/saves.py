"""Exercises on saving throws."""

from __future__ import annotations

from typing import Any

from d20kit.algebra import clamp, ratio
from d20kit.exercises.question import Draw, Exercise, Mistake, Values
from d20kit.language import N_
from d20kit.rulesets import SRD35
from d20kit.saves import base_save, save_bonus, save_chance


def _trained(draw: Draw) -> dict[str, Any]:
    return {
        "level": draw.whole(1, 20),
        "progression": draw.one_of(N_("good"), N_("poor")),
        "ability": draw.whole(-3, 5),
    }


def _bonus(values: Values) -> dict[str, Any]:
    return {"base": base_save(values["level"], values["progression"]), "ability": values["ability"]}


def _from_zero(values: Values) -> int | None:
    return values["level"] // 2 + values["ability"] if values["progression"] == "good" else None


def _rounded_up(values: Values) -> int:
    level = values["level"]
    base = 2 - (-level // 2) if values["progression"] == "good" else -(-level // 3)
    return int(base + values["ability"])


def _sign_twice_sum(values: Values) -> Any:
    parts = _bonus(values)
    return parts["base"] - parts["ability"] if parts["ability"] < 0 else None


def _throw(draw: Draw) -> dict[str, Any]:
    bonus = draw.whole(-3, 12)
    return {"bonus": bonus, "dc": max(5, bonus + draw.whole(0, 23))}


def _faces(values: Values, low: int, high: int, more: int = 0) -> Any:
    return ratio(clamp(21 + values["bonus"] - values["dc"] - more, low, high), 20)


def _sign_twice(values: Values) -> Any:
    return save_chance(-values["bonus"], values["dc"]) if values["bonus"] < 0 else None


def _naturals(values: Values) -> dict[str, Any]:
    return {**values, "rules": SRD35}


EXERCISES = (
    Exercise(
        name="bonus",
        text=N_(
            "A character of level {level} has a {progression} save and the ability modifier {ability:+d}. What is the "
            "save bonus?"
        ),
        rule=save_bonus,
        draw=_trained,
        arguments=_bonus,
        mistakes=(
            Mistake("save-starts-at-zero", _from_zero),
            Mistake("rounded-up", _rounded_up),
            Mistake("sign-twice", _sign_twice_sum),
        ),
        hints=(
            N_("Training gives the base, the body gives the rest."),
            N_("A good save is two more than half the level, a poor one a third of the level, rounded down."),
            N_("Find the base of a {progression} save at level {level} and add ({ability})."),
        ),
    ),
    Exercise(
        name="save",
        text=N_("A saving throw with {bonus:+d} meets difficulty {dc}. What is the chance that it succeeds?"),
        rule=save_chance,
        draw=_throw,
        units="chance",
        mistakes=(
            Mistake("attack-naturals", lambda values: _faces(values, 1, 19)),
            Mistake("greater-not-equal", lambda values: _faces(values, 0, 20, more=1)),
            Mistake("sign-twice", _sign_twice),
            Mistake("opposite-chance", lambda values: 1 - save_chance(**values)),
        ),
        hints=(
            N_("Count the faces of the d20 that succeed, and divide by the number of faces."),
            N_("A face succeeds if face and bonus together reach the difficulty; no face is special."),
            N_("The lowest face that succeeds is {dc} - ({bonus}); count it and all faces above it, if there are any."),
        ),
    ),
    Exercise(
        name="save with naturals",
        text=N_(
            "Where a natural 1 fails and a natural 20 succeeds: a saving throw with {bonus:+d} meets difficulty {dc}. "
            "What is the chance that it succeeds?"
        ),
        rule=save_chance,
        draw=_throw,
        arguments=_naturals,
        units="chance",
        mistakes=(
            Mistake("forgotten-natural-1", lambda values: _faces(values, 1, 20)),
            Mistake("forgotten-natural-20", lambda values: _faces(values, 0, 19)),
            Mistake("greater-not-equal", lambda values: _faces(values, 1, 19, more=1)),
            Mistake("opposite-chance", lambda values: 1 - save_chance(**_naturals(values))),
        ),
        hints=(
            N_("Count the faces of the d20 that succeed, and divide by the number of faces."),
            N_("The lowest face never succeeds and the highest always does; between them the total decides."),
            N_("The lowest face that succeeds by its total is {dc} - ({bonus}); then look at the two ends of the die."),
        ),
    ),
)
