"""Exercises on damage."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from d20kit.damage import critical_damage, expected_damage, hit_damage, stack_multipliers, strength_damage
from d20kit.exercises.question import Draw, Exercise, Mistake, Values
from d20kit.expression import parse
from d20kit.language import N_
from d20kit.rulesets import SRD35


def _weapon(draw: Draw) -> dict[str, Any]:
    return {"count": draw.whole(1, 3), "sides": draw.one_of(4, 6, 8, 10, 12), "bonus": draw.whole(1, 6)}


def _dice(values: Values) -> str:
    return f"{values['count']}d{values['sides']}"


def _hit(values: Values) -> dict[str, Any]:
    return {"dice": _dice(values), "bonus": values["bonus"]}


def _half_dice(values: Values) -> Fraction:
    return Fraction(values["count"] * values["sides"], 2)


def _sneak(draw: Draw) -> dict[str, Any]:
    return {**_weapon(draw), "multiplier": draw.one_of(2, 3), "extra": draw.whole(1, 4)}


def _sneak_arguments(values: Values) -> dict[str, Any]:
    return {**_hit(values), "multiplier": values["multiplier"], "extra": f"{values['extra']}d6"}


def _all_multiplied(values: Values) -> Fraction:
    extra = parse(f"{values['extra']}d6").mean()
    return Fraction(critical_damage(**_sneak_arguments(values)).mean() + (values["multiplier"] - 1) * extra)


def _bonus_once(values: Values) -> Fraction:
    return Fraction(critical_damage(**_sneak_arguments(values)).mean() - (values["multiplier"] - 1) * values["bonus"])


def _critical_half_dice(values: Values) -> Fraction:
    weapon = values["multiplier"] * (_half_dice(values) + values["bonus"])
    return Fraction(weapon + values["extra"] * Fraction(6, 2))


def _multipliers(draw: Draw) -> dict[str, Any]:
    return {"one": draw.whole(2, 5), "other": draw.whole(2, 5)}


def _confirmed(draw: Draw) -> dict[str, Any]:
    threat, multiplier = draw.one_of((18, 2), (19, 3), (20, 3), (20, 4), (17, 2))
    bonus = draw.whole(2, 10)
    sides = draw.one_of(4, 6, 8, 10)
    return {
        "bonus_to_hit": bonus,
        "ac": bonus + draw.whole(3, 14),
        "sides": sides,
        "bonus": draw.whole(0, 5),
        "threat": threat,
        "multiplier": multiplier,
    }


def _attack(values: Values) -> dict[str, Any]:
    kept = {name: value for name, value in values.items() if name != "sides"}
    return {**kept, "dice": f"1d{values['sides']}", "rules": SRD35}


def _swapped(values: Values) -> Any:
    swapped = {"threat": 21 - values["multiplier"], "multiplier": 21 - values["threat"]}
    return expected_damage(**{**_attack(values), **swapped})


def _without_critical(values: Values) -> Any:
    return expected_damage(**{**_attack(values), "multiplier": 1})


def _mean_hit(values: Values) -> Fraction:
    return hit_damage(f"1d{values['sides']}", values["bonus"]).mean()


def _arm(draw: Draw) -> dict[str, Any]:
    return {"strength": draw.whole(-5, 7), "grip": draw.one_of(N_("off-hand"), N_("two-handed"))}


def _rounded_up(values: Values) -> int:
    halves = values["strength"] * (1 if values["grip"] == "off-hand" else 3)
    return int(-(-halves // 2))


def _positive(values: Values) -> Any:
    return abs(strength_damage(**values)) if values["strength"] < 0 else None


def _weak(draw: Draw) -> dict[str, Any]:
    return {"sides": draw.one_of(4, 6, 8, 10, 12), "penalty": draw.whole(-4, -1)}


def _weak_hit(values: Values) -> dict[str, Any]:
    return {"dice": f"1d{values['sides']}", "bonus": values["penalty"]}


EXERCISES = (
    Exercise(
        name="mean",
        text=N_("A weapon deals {count}d{sides} and the bonus is {bonus:+d}. What does a hit take on average?"),
        rule=hit_damage,
        draw=_weapon,
        arguments=_hit,
        pick=lambda damage: damage.mean(),
        mistakes=(
            Mistake("half-die", lambda values: _half_dice(values) + values["bonus"]),
            Mistake(
                "bonus-for-each-die",
                lambda values: hit_damage(_dice(values), values["count"] * values["bonus"]).mean(),
            ),
        ),
        hints=(
            N_("The mean of a sum is the sum of the means."),
            N_("The mean of a die lies half-way between its lowest and its highest face."),
            N_("Take {count} times the mean of a d{sides} and add {bonus}."),
        ),
    ),
    Exercise(
        name="critical with bonus dice",
        text=N_(
            "A critical multiplies by {multiplier}. The weapon deals {count}d{sides} with a bonus of {bonus:+d}, and a "
            "sneak attack adds {extra}d6. What does the critical take on average?"
        ),
        rule=critical_damage,
        draw=_sneak,
        arguments=_sneak_arguments,
        pick=lambda damage: damage.mean(),
        mistakes=(
            Mistake("multiplied-bonus-dice", _all_multiplied),
            Mistake("bonus-not-multiplied", _bonus_once),
            Mistake("half-die", _critical_half_dice),
        ),
        hints=(
            N_("Ask of every part whether the weapon deals it."),
            N_("Dice and bonus of the weapon are multiplied, bonus dice are added once."),
            N_("{multiplier} times ({count}d{sides} and {bonus}), then {extra}d6 by themselves, each by its mean."),
        ),
    ),
    Exercise(
        name="multipliers",
        text=N_("Several effects multiply the same damage: x{one} and x{other}. By how much is it multiplied in all?"),
        rule=stack_multipliers,
        draw=_multipliers,
        arguments=lambda values: {"multipliers": [values["one"], values["other"]]},
        mistakes=(
            Mistake("doubled-twice", lambda values: values["one"] * values["other"]),
            Mistake("added-multipliers", lambda values: values["one"] + values["other"]),
        ),
        hints=(
            N_("No multiplier sees what another one has made."),
            N_("Count the original, and the further copies that each multiplier adds."),
            N_("The original, the copies that x{one} adds to it, and the copies that x{other} adds to it."),
        ),
    ),
    Exercise(
        name="expected",
        text=N_(
            "Where a threat must be confirmed: an attack with {bonus_to_hit:+d} against armor class {ac} deals "
            "1d{sides} with a bonus of {bonus:+d}; the weapon threatens on {threat} or more and multiplies by "
            "{multiplier}. What does the attack take on average, misses included?"
        ),
        rule=expected_damage,
        draw=_confirmed,
        arguments=_attack,
        mistakes=(
            Mistake("range-multiplier-swapped", _swapped),
            Mistake("forgotten-critical", _without_critical),
            Mistake("forgotten-miss", _mean_hit),
        ),
        hints=(
            N_("A miss takes nothing, a hit its mean, a critical its mean; weigh each by its chance."),
            N_("A confirmed critical adds further copies of the hit's mean, one fewer than the multiplier says."),
            N_(
                "Chance to hit with {bonus_to_hit:+d} against {ac}; faces from {threat} up; the mean of 1d{sides} and "
                "{bonus}; copies up to x{multiplier}."
            ),
        ),
    ),
    Exercise(
        name="strength",
        text=N_("The Strength modifier is {strength:+d} and the grip {grip}. What does Strength add to damage?"),
        rule=strength_damage,
        draw=_arm,
        mistakes=(
            Mistake("rounded-up", _rounded_up),
            Mistake("unscaled-strength", lambda values: values["strength"]),
            Mistake("sign-twice", _positive),
        ),
        hints=(
            N_("The off hand strikes with half of the arm; two hands with half again as much."),
            N_("Scale the modifier, then round down; a penalty is scaled and rounded down too."),
            N_("Scale {strength} for this grip ({grip}); if a half is left over, go down to the next whole number."),
        ),
    ),
    Exercise(
        name="minimum",
        text=N_(
            "A weak arm deals 1d{sides} with a penalty of {penalty}. What is the chance that a hit takes exactly 1?"
        ),
        rule=hit_damage,
        draw=_weak,
        arguments=_weak_hit,
        pick=lambda damage: damage.pmf(1),
        units="chance",
        mistakes=(Mistake("forgotten-minimum", lambda values: Fraction(1, values["sides"])),),
        hints=(
            N_("A hit always costs at least one hit point."),
            N_("Count every face whose sum with the penalty is at most the smallest damage there is."),
            N_("Go through the faces of the d{sides}, each with {penalty}, and count the low sums too."),
        ),
    ),
)
