"""Exercises on initiative."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from d20kit.exercises.question import Draw, Exercise, Mistake, Values
from d20kit.initiative import expected_rerolls, first_chance, pair_chances
from d20kit.language import N_


def _pair(draw: Draw) -> dict[str, Any]:
    return {"a": draw.whole(-2, 9), "b": draw.whole(-2, 9)}


def _tie(values: Values) -> Any:
    return pair_chances(**values)[1]


def _win(values: Values) -> Any:
    return pair_chances(**values)[0]


EXERCISES = (
    Exercise(
        name="tie",
        text=N_(
            "Two combatants roll initiative with {a:+d} and {b:+d}. What is the chance that their first rolls tie?"
        ),
        rule=pair_chances,
        draw=_pair,
        pick=lambda chances: chances[1],
        units="chance",
        mistakes=(Mistake("one-in-twenty", lambda values: Fraction(1, 20)),),
        hints=(
            N_("Whatever the first die shows, at most one face of the second ties."),
            N_("Count the pairs of faces with equal totals, and divide by the number of all pairs."),
            N_("A difference between {a:+} and {b:+} leaves that many faces without a partner."),
        ),
    ),
    Exercise(
        name="higher",
        text=N_(
            "Two combatants roll initiative with {a:+d} and {b:+d}. What is the chance that the first one's first roll "
            "is higher?"
        ),
        rule=pair_chances,
        draw=_pair,
        pick=lambda chances: chances[0],
        units="chance",
        mistakes=(
            Mistake("ties-as-wins", lambda values: _win(values) + _tie(values)),
            Mistake("lower-not-higher", lambda values: pair_chances(**values)[2]),
        ),
        hints=(
            N_("Draw the pairs of faces as a square; the ties lie on a line across it."),
            N_("Count the pairs on one side of the line: they form a triangle, or the square without one."),
            N_("In which pairs is face {a:+} more than face {b:+}?"),
        ),
    ),
    Exercise(
        name="first",
        text=N_(
            "Two combatants roll initiative with {a:+d} and {b:+d}; ties are rolled again. What is the chance that the "
            "first one acts first?"
        ),
        rule=first_chance,
        draw=_pair,
        units="chance",
        mistakes=(
            Mistake("ties-as-wins", lambda values: _win(values) + _tie(values)),
            Mistake("ties-as-losses", _win),
            Mistake("half-of-ties", lambda values: _win(values) + _tie(values) / 2),
        ),
        hints=(
            N_("A tie decides nothing, so only the rolls that do decide count."),
            N_("Divide the chance of a higher roll by the chance that a roll is no tie."),
            N_("Find the chances of higher, tied and lower for {a:+} against {b:+}, and leave the ties out."),
        ),
    ),
    Exercise(
        name="rerolls",
        text=N_(
            "Two combatants roll initiative with {a:+d} and {b:+d}; ties are rolled again. How often do they roll "
            "again on average?"
        ),
        rule=expected_rerolls,
        draw=_pair,
        mistakes=(
            Mistake("one-reroll-at-most", _tie),
            Mistake("one-in-twenty", lambda values: Fraction(1, 19)),
        ),
        hints=(
            N_("A roll for a tie is just like the first one, and can tie again."),
            N_("Add up the chance of one tie, of two in a row, of three: a geometric series."),
            N_("Find the chance that {a:+} and {b:+} tie; the series divides it by the chance of no tie."),
        ),
    ),
)
