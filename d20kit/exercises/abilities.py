"""Exercises on ability scores."""

from __future__ import annotations

from typing import Any

from d20kit.abilities import ability_modifier, drain
from d20kit.exercises.question import Draw, Exercise, Mistake, Values
from d20kit.language import N_


def _score(draw: Draw) -> dict[str, Any]:
    return {"score": draw.whole(1, 30)}


def _loss(draw: Draw) -> dict[str, Any]:
    score = draw.whole(8, 24)
    return {"score": score, "loss": draw.whole(1, 7)}


def _drained(values: Values) -> dict[str, Any]:
    return {"scores": {"strength": values["score"]}, "strength": values["loss"]}


def _halved(values: Values) -> int:
    """The half of an odd loss that the two modifiers do not give."""
    return int(-values["loss"] - drain(**_drained(values))["strength"].modifier_change)


EXERCISES = (
    Exercise(
        name="modifier",
        text=N_("An ability score is {score}. What is its modifier?"),
        rule=ability_modifier,
        draw=_score,
        mistakes=(
            Mistake("rounded-up", lambda values: -((10 - values["score"]) // 2)),
            Mistake("forgotten-ten", lambda values: values["score"] // 2),
            Mistake("whole-loss", lambda values: values["score"] - 10),
        ),
        hints=(
            N_("The modifier says how far the score is from an average score."),
            N_("Subtract ten from the score, halve what is left, and round down."),
            N_("Halve {score} - 10; if a half is left over, go down to the next whole number."),
        ),
    ),
    Exercise(
        name="drain",
        text=N_(
            "Poison takes {loss} points of Strength from a creature with Strength {score}. By how much does its "
            "Strength modifier change? (A fall is a negative number.)"
        ),
        rule=drain,
        draw=_loss,
        arguments=_drained,
        pick=lambda changes: changes["strength"].modifier_change,
        mistakes=(
            Mistake("whole-loss", lambda values: -values["loss"]),
            Mistake("halved-loss", _halved),
        ),
        hints=(
            N_("A modifier falls only when the score passes an even number."),
            N_("Take the modifier before and the modifier after, each rounded by itself, and subtract."),
            N_("Compare the modifier of {score} with the modifier of {score} - {loss}."),
        ),
    ),
)
