"""What is said about hit points: the state and why, the countdown, and what the attacks make of it."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from d20kit.amounts import number_text, short_percent_text, signed_text
from d20kit.hit_points import DEATH, State
from d20kit.language import _, ngettext
from d20kit.rulesets import Ruleset
from d20widgets import mathml
from d20widgets.hit_points_body import Body

if TYPE_CHECKING:
    from d20widgets.hit_points import Numbers


def formula(numbers: Numbers) -> str:
    """Return the sum that leads to the hit points, where there is one, and the comparison that decides the state."""
    return mathml.formula(*_condition(numbers), mathml.sign("⟹"), mathml.words(_(numbers.state.value)))


def sentence(numbers: Numbers) -> str:
    """Return what the picture shows: what happened, how the combatant stands, and what lies ahead."""
    rounds = len(numbers.chances) - 1
    after = ngettext("After {n} round: {chances}.", "After {n} rounds: {chances}.", rounds)
    parts = [
        _lost_sentence(numbers.body),
        _blow_sentence(numbers.body),
        _now_sentence(numbers),
        _("One attack a round hits with {chance}.").format(chance=short_percent_text(numbers.hit)),
        after.format(n=rounds, chances=chances_text(numbers.chances[-1])),
        _felled_sentence(numbers.felled),
    ]
    if numbers.massive:
        parts.append(_("The saving throw against 50 or more damage at once is left out."))
    return " ".join(filter(None, parts))


def label(numbers: Numbers) -> str:
    """Return the words that stand for the picture."""
    after = ". ".join(
        _("Round {n}: {chances}").format(n=i, chances=chances_text(chances))
        for i, chances in enumerate(numbers.chances)
    )
    parts = (_lost_sentence(numbers.body), _blow_sentence(numbers.body), _now_sentence(numbers), f"{after}.")
    return " ".join(filter(None, parts))


def chances_text(chances: Mapping[State, Fraction]) -> str:
    """Write each state with its chance."""
    return ", ".join(f"{_(one.value)} {short_percent_text(chance)}" for one, chance in chances.items())


def decimal(value: Fraction) -> str:
    """Write a mean with one decimal, halves rounded up.

    >>> decimal(Fraction(29, 10)), decimal(Fraction(1, 3))
    ('2.9', '0.3')
    """
    tenths = int(10 * value + Fraction(1, 2))
    return f"{tenths // 10}.{tenths % 10}"


def _condition(numbers: Numbers) -> tuple[str, ...]:
    """The comparison that decides the state."""
    hp, death, floor = _hit_points(numbers.body), mathml.number(DEATH), mathml.number(numbers.floor)
    if numbers.state is State.HEALTHY:
        return *hp, mathml.sign(">"), mathml.number(0)
    if numbers.state is State.DEAD:
        return *hp, mathml.sign("≤"), death
    if numbers.state is State.DYING:
        return death, mathml.sign("<"), *hp, mathml.sign("<"), *_floor(numbers), floor
    return *_floor(numbers), floor, mathml.sign("≤"), *hp, mathml.sign("≤"), mathml.number(0)


def _hit_points(body: Body) -> tuple[str, ...]:
    """How the hit points follow from the blow and the healing, where there are any."""
    hp = mathml.number(body.hp)
    steps: list[str] = []
    if body.blow:
        steps += [mathml.sign("−"), mathml.number(body.blow)]
    if body.hp > body.struck:
        steps += [mathml.sign("+"), mathml.number(body.healing)]
    if not steps:
        return (hp,)
    total = mathml.row(mathml.number(body.weakened), *steps)
    if body.struck + body.healing > body.maximum and body.hp > body.struck:
        total = mathml.call("min", mathml.number(body.maximum), total)
    return total, mathml.sign("="), hp


def _floor(numbers: Numbers) -> tuple[str, ...]:
    """How the lowest disabled hit points follow from Constitution, where they do."""
    if numbers.rules.disabled_band != "constitution":
        return ()
    held = mathml.call("max", mathml.number(0), mathml.number(numbers.body.constitution))
    if numbers.body.constitution > -numbers.floor >= 0 and numbers.floor:
        held = mathml.call("min", mathml.number(-numbers.floor), held)
    return mathml.sign("−"), held, mathml.sign("=")


def _lost_sentence(body: Body) -> str:
    if not body.lost:
        return ""
    if body.constitution == body.constitution_before:
        same = _("Constitution {before} loses {points}: the modifier is the same.")
        return same.format(before=body.score, points=body.lost)
    said = _("Constitution {before} loses {points}: modifier {modifier} instead of {modifier_before}.").format(
        before=body.score,
        points=body.lost,
        modifier=signed_text(body.constitution),
        modifier_before=signed_text(body.constitution_before),
    )
    if body.maximum == body.full:
        return said
    taken = _("That takes {points} hit points: {hp} of {maximum} are left.").format(
        points=body.full - body.maximum, hp=number_text(body.weakened), maximum=body.maximum
    )
    return f"{said} {taken}"


def _blow_sentence(body: Body) -> str:
    if not (body.blow or body.healing):
        return ""
    parts = [_("{hp} hit points").format(hp=number_text(body.weakened))]
    if body.blow:
        parts.append(_("minus {damage} damage").format(damage=body.blow))
    if body.healing and body.struck > DEATH:
        parts.append(_("plus {healing} healing").format(healing=body.healing))
    said = [", ".join(parts) + "."]
    if body.healing and body.struck <= DEATH:
        said.append(_("The dead are not healed."))
    elif body.struck + body.healing > body.maximum:
        said.append(_("Healing ends at the maximum."))
    return " ".join(said)


def _now_sentence(numbers: Numbers) -> str:
    now = _("{hp} of {maximum} hit points: {state}").format(
        hp=number_text(numbers.hp), maximum=numbers.body.maximum, state=_(numbers.state.value)
    )
    if numbers.rounds_left is None:
        return f"{now}."
    return f"{now}, {_countdown(numbers.rounds_left, numbers.rules)}."


def _countdown(rounds: int, rules: Ruleset) -> str:
    """How long the bleeding can last: who may stabilise may be spared the end of it."""
    if rules.stabilise_chance:
        left = ngettext("at most {n} round to death", "at most {n} rounds to death", rounds)
    else:
        left = ngettext("{n} round to death", "{n} rounds to death", rounds)
    return left.format(n=rounds)


def _felled_sentence(felled: Fraction | None) -> str:
    if felled is None:
        return ""
    return _("On average {rounds} rounds bring it to 0 or less.").format(rounds=decimal(felled))
