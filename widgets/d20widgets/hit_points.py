"""Hit points to drag: the line from the maximum to -10, and what a stream of attacks makes of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from d20kit import COURSE, SRD35, Pmf
from d20kit.amounts import number_text, short_percent_text
from d20kit.attack import hit_chance
from d20kit.check import refuse
from d20kit.damage import attack_damage
from d20kit.expression import parse
from d20kit.hit_points import DEATH, MASSIVE_DAMAGE, State, disabled_floor, rounds_to_death, state, state_chances
from d20kit.language import N_, _, ngettext
from d20kit.rulesets import Ruleset
from d20widgets import mathml
from d20widgets.controls import Choice, Whole, Written
from d20widgets.explorer import Explorer
from d20widgets.hit_points_picture import hit_point_figure


@dataclass(frozen=True)
class Numbers:
    """One number of hit points: its state and why, and the chance of every state after each attack."""

    hp: int
    maximum: int
    constitution: int
    rules: Ruleset
    state: State
    floor: int
    rounds_left: int | None
    hit: Fraction
    massive: bool
    chances: Sequence[Mapping[State, Fraction]]


RULES = {"COURSE": COURSE, "SRD35": SRD35}


def read_damage(text: str) -> None:
    """Refuse dice that mean nothing as damage, or with which some attack would be too much work."""
    if parse(text).support()[1] < 1:
        raise refuse("damage", text, _("dice that can come to 1 or more"), _("write dice like 2d4+4"))
    for rules in RULES.values():
        # A chance of 9/20: no other makes the fractions longer.
        attack_damage(0, 12, text, rules=rules)


class HitPointExplorer(Explorer):
    """Drag the hit points of a combatant under attack and see what becomes of it.

    Parameters
    ----------
    maximum : int
        Hit points when unhurt, 1 to 80.
    hp : int
        Hit points now, -10 to the maximum, where it starts. It is the main slider.
    constitution : int
        Constitution modifier, -5 to 10.
    bonus, ac : int
        Attack bonus of the attacks, -5 to 25, and the armor class they meet, 5 to 45.
    damage : str
        Damage of a hit as a dice expression, such as ``"1d8+3"``.
    rounds : int
        Rounds looked ahead, one attack in each, 1 to 15.
    rules : Ruleset
        ``COURSE`` or ``SRD35``, by itself or by name.

    Raises
    ------
    ValueError
        If a value is not allowed; the message says what is.

    Examples
    --------
    >>> HitPointExplorer(maximum=12, hp=7).table()[0]
    {'round': 0, 'healthy': Fraction(1, 1), 'disabled': Fraction(0, 1), 'dying': Fraction(0, 1), 'dead': Fraction(0, 1)}
    """

    title = N_("Hit points")
    main = "hp"
    controls = (
        Whole("maximum", N_("Maximum"), 12, 1, 80),
        Whole("hp", N_("Hit points now"), "maximum", DEATH, "maximum"),
        Whole("constitution", N_("Constitution modifier"), 2, -5, 10),
        Whole("bonus", N_("Attack bonus"), 4, -5, 25),
        Whole("ac", N_("Armor class"), 15, 5, 45),
        Whole("rounds", N_("Rounds ahead"), 5, 1, 15),
        Written("damage", N_("Damage dice"), "1d8+3", read_damage),
        Choice("rules", N_("Rules"), RULES),
    )

    def numbers(self, values: Mapping[str, Any]) -> Numbers:
        hp, constitution, rules = values["hp"], values["constitution"], values["rules"]
        damage = _damage(values["bonus"], values["ac"], values["damage"], rules)
        massive = rules.massive_damage and damage.support()[1] >= MASSIVE_DAMAGE
        # The saving throw is not this explorer's: the sentence says that it is left out.
        ahead = state_chances(hp, constitution, damage, values["rounds"], rules=rules.replace(massive_damage=False))
        return Numbers(
            hp=hp,
            maximum=values["maximum"],
            constitution=constitution,
            rules=rules,
            state=state(hp, constitution, rules=rules),
            floor=disabled_floor(constitution, rules=rules),
            rounds_left=rounds_to_death(hp, constitution, rules=rules),
            hit=hit_chance(values["bonus"], values["ac"]),
            massive=massive,
            chances=[_shown(chances, rules) for chances in ahead],
        )

    def picture(self, values: Mapping[str, Any], table: Sequence[Numbers]) -> dict[str, Any]:
        return hit_point_figure(values, list(table[0].chances[0]))

    def frame(self, numbers: Numbers) -> dict[str, Any]:
        shown = list(numbers.chances[0])
        stacks = {
            f"data.{i}.y": [round(float(100 * chances[one]), 2) for chances in numbers.chances]
            for i, one in enumerate(shown, start=len(shown))
        }
        mark = f"data.{2 * len(shown)}"
        return {**stacks, f"{mark}.x": [numbers.hp], f"{mark}.text": [str(numbers.hp)], "label": _label(numbers)}

    def formula(self, numbers: Numbers) -> str:
        return mathml.formula(*_condition(numbers), mathml.sign("⟹"), mathml.words(_(numbers.state.value)))

    def sentence(self, numbers: Numbers) -> str:
        rounds = len(numbers.chances) - 1
        after = ngettext("After {n} round: {chances}.", "After {n} rounds: {chances}.", rounds)
        parts = [
            _now_sentence(numbers),
            _("One attack a round hits with {chance}.").format(chance=short_percent_text(numbers.hit)),
            after.format(n=rounds, chances=_chances_text(numbers.chances[-1])),
        ]
        if numbers.massive:
            parts.append(_("The saving throw against 50 or more damage at once is left out."))
        return " ".join(parts)

    def rows(self, numbers: Numbers) -> list[dict[str, Any]]:
        return [
            {N_("round"): i, **{one.value: chance for one, chance in chances.items()}}
            for i, chances in enumerate(numbers.chances)
        ]


@lru_cache(maxsize=64)
def _damage(bonus: int, ac: int, dice: str, rules: Ruleset) -> Pmf:
    """One table asks for the same damage at every position."""
    return attack_damage(bonus, ac, dice, rules=rules)


def _shown(chances: Mapping[State, Fraction], rules: Ruleset) -> dict[State, Fraction]:
    """Leave out the stable state where nobody can come into it by chance."""
    return {one: chance for one, chance in chances.items() if one is not State.STABLE or rules.stabilise_chance}


def _condition(numbers: Numbers) -> tuple[str, ...]:
    """The comparison that decides the state."""
    hp, death, floor = mathml.number(numbers.hp), mathml.number(DEATH), mathml.number(numbers.floor)
    if numbers.state is State.HEALTHY:
        return hp, mathml.sign(">"), mathml.number(0)
    if numbers.state is State.DEAD:
        return hp, mathml.sign("≤"), death
    if numbers.state is State.DYING:
        return death, mathml.sign("<"), hp, mathml.sign("<"), *_floor(numbers), floor
    return *_floor(numbers), floor, mathml.sign("≤"), hp, mathml.sign("≤"), mathml.number(0)


def _floor(numbers: Numbers) -> tuple[str, ...]:
    """How the lowest disabled hit points follow from Constitution, where they do."""
    if numbers.rules.disabled_band != "constitution":
        return ()
    held = mathml.call("max", mathml.number(0), mathml.number(numbers.constitution))
    if numbers.constitution > -numbers.floor >= 0 and numbers.floor:
        held = mathml.call("min", mathml.number(-numbers.floor), held)
    return mathml.sign("−"), held, mathml.sign("=")


def _now_sentence(numbers: Numbers) -> str:
    now = _("{hp} of {maximum} hit points: {state}").format(
        hp=number_text(numbers.hp), maximum=numbers.maximum, state=_(numbers.state.value)
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


def _chances_text(chances: Mapping[State, Fraction]) -> str:
    return ", ".join(f"{_(one.value)} {short_percent_text(chance)}" for one, chance in chances.items())


def _label(numbers: Numbers) -> str:
    """The words that stand for the picture."""
    after = ". ".join(
        _("Round {n}: {chances}").format(n=i, chances=_chances_text(chances))
        for i, chances in enumerate(numbers.chances)
    )
    return f"{_now_sentence(numbers)} {after}."
