"""Hit points: states, bleeding, stabilising, massive damage and lost Constitution."""

from __future__ import annotations

import sys
from typing import Any

from d20kit.abilities import MAX_SCORE, ability_modifier
from d20kit.algebra import Number, is_symbolic, maximum, minimum, power, ratio, where
from d20kit.chains import absorption, chain_states, expected_rounds, state_chances, transition_matrix
from d20kit.check import modifier, refuse, together, whole
from d20kit.language import N_, _
from d20kit.rule import rule
from d20kit.rulesets import COURSE, SRD35, Ruleset, check_rules
from d20kit.saves import save_chance
from d20kit.states import (
    DEATH,
    HP_LIMIT,
    MASSIVE_DAMAGE,
    MASSIVE_DAMAGE_DC,
    State,
    disabled_floor,
    hit_points,
    state,
)

__all__ = [
    "DEATH",
    "MASSIVE_DAMAGE",
    "MASSIVE_DAMAGE_DC",
    "State",
    "absorption",
    "after_constitution_loss",
    "chain_states",
    "disabled_attack_cost",
    "disabled_floor",
    "expected_dying_rounds",
    "expected_rounds",
    "massive_damage_chance",
    "rounds_to_death",
    "stabilise_chance",
    "state",
    "state_chances",
    "survival_chance",
    "transition_matrix",
]


def _dying(hp: Number) -> Number:
    return whole("hp", hp, DEATH, -1, _("only a combatant below 0 is dying"))


@rule(
    title=N_("Rounds to death"),
    symbol=r"\text{rounds}",
    why=N_("A dying combatant loses one hit point at each of its turns, so the rounds left are the points above -10."),
    source=N_("Hit Points"),
    switches=("disabled_band",),
    units="rounds",
)
def rounds_to_death(hp: Number, constitution: Number = 0, *, rules: Ruleset = COURSE) -> Number | None:
    """Return how many own turns a dying combatant has until it bleeds to death.

    Parameters
    ----------
    hp : number
        Current hit points.
    constitution : number
        Constitution modifier.
    rules : Ruleset
        ``disabled_band`` decides who is dying.

    Returns
    -------
    number or None
        None for a combatant that is not dying (in an array too; NaN in a formula).

    Examples
    --------
    >>> from d20kit.hit_points import rounds_to_death
    >>> rounds_to_death(-3), rounds_to_death(-2, constitution=2)
    (7, None)
    """
    hp, constitution = hit_points("hp", hp), modifier("constitution", constitution)
    together(hp=hp, constitution=constitution)
    floor = disabled_floor(constitution, rules=rules)
    dying: Any = (hp < floor) & (hp > DEATH)
    nothing = sys.modules["sympy"].nan if is_symbolic(dying) else None
    return where(dying, hp - DEATH, nothing)


@rule(
    title=N_("Chance to stabilise"),
    symbol=r"P(\text{stable})",
    why=N_("Each round before death is one more try; all of them fail together only if each of them fails."),
    source=N_("d20 system reference"),
    switches=("stabilise_chance",),
    units="chance",
)
def stabilise_chance(hp: Number, *, rules: Ruleset = SRD35) -> Number:
    """Return the chance that a dying combatant stabilises by itself before it dies.

    Parameters
    ----------
    hp : number
        Current hit points, from -1 down to -10.
    rules : Ruleset
        ``stabilise_chance`` is the chance of each round; COURSE has none.

    Raises
    ------
    ValueError
        If the hit points are not those of a dying combatant.

    Examples
    --------
    >>> from d20kit.hit_points import stabilise_chance
    >>> stabilise_chance(-8)
    Fraction(19, 100)
    """
    return 1 - power(1 - check_rules(rules).stabilise_chance, _dying(hp) - DEATH)


@rule(
    title=N_("Chance to be alive when help comes"),
    symbol=r"P(\text{alive})",
    why=N_("Help that comes before the last point is gone is in time; later only those live who have stabilised."),
    source=N_("d20 system reference"),
    switches=("stabilise_chance",),
    units="chance",
)
def survival_chance(hp: Number, rounds: Number, *, rules: Ruleset = SRD35) -> Number:
    """Return the chance that a dying combatant is alive after some rounds.

    Parameters
    ----------
    hp : number
        Current hit points, from -1 down to -10.
    rounds : number
        Own turns that pass, 0 or more.
    rules : Ruleset
        ``stabilise_chance`` is the chance of each round.

    Examples
    --------
    >>> from d20kit.hit_points import survival_chance
    >>> survival_chance(-6, 3), survival_chance(-6, 4)
    (Fraction(1, 1), Fraction(3439, 10000))
    """
    rounds = whole("rounds", rounds, 0, HP_LIMIT)
    hp = _dying(hp)
    together(hp=hp, rounds=rounds)
    left = hp - DEATH
    return where(rounds < left, ratio(1, 1), stabilise_chance(hp, rules=rules))


@rule(
    title=N_("Expected rounds dying"),
    symbol=r"E[\text{rounds}]",
    why=N_("A round is spent dying whenever all rounds before it have failed; the chances of that are added."),
    source=N_("d20 system reference"),
    switches=("stabilise_chance",),
    units="rounds",
)
def expected_dying_rounds(hp: Number, *, rules: Ruleset = SRD35) -> Number:
    """Return the mean number of own turns until a dying combatant is stable or dead.

    Parameters
    ----------
    hp : number
        Current hit points, from -1 down to -10.
    rules : Ruleset
        ``stabilise_chance`` is the chance of each round.

    Examples
    --------
    >>> from d20kit import COURSE
    >>> from d20kit.hit_points import expected_dying_rounds
    >>> expected_dying_rounds(-2 - 6), expected_dying_rounds(-1, rules=COURSE)
    (Fraction(19, 10), Fraction(9, 1))
    """
    if check_rules(rules).stabilise_chance:
        return ratio(stabilise_chance(hp, rules=rules), rules.stabilise_chance)
    return ratio(_dying(hp) - DEATH, 1)


@rule(
    title=N_("Attack while disabled"),
    symbol=r"\text{cost}",
    why=N_("Striking while disabled is allowed; some rules make the effort itself cost a hit point afterwards."),
    source=N_("Hit Points"),
    switches=("disabled_attack_cost", "disabled_band"),
    units="hit points",
)
def disabled_attack_cost(hp: Number, constitution: Number = 0, *, rules: Ruleset = COURSE) -> Number:
    """Return the hit points an attack costs its maker afterwards: nothing unless it is disabled.

    Parameters
    ----------
    hp : number
        Current hit points of the attacker.
    constitution : number
        Its Constitution modifier.
    rules : Ruleset
        ``disabled_attack_cost`` and ``disabled_band`` decide.

    Examples
    --------
    >>> from d20kit import SRD35
    >>> from d20kit.hit_points import disabled_attack_cost
    >>> disabled_attack_cost(0), disabled_attack_cost(0, rules=SRD35), disabled_attack_cost(1, rules=SRD35)
    (0, 1, 0)
    """
    hp, constitution = hit_points("hp", hp), modifier("constitution", constitution)
    together(hp=hp, constitution=constitution)
    disabled: Any = (hp <= 0) & (hp >= disabled_floor(constitution, rules=rules))
    return where(disabled, rules.disabled_attack_cost, 0)


@rule(
    title=N_("Massive damage"),
    symbol=r"P(\text{killed outright})",
    why=N_("A single hit of 50 or more can stop the heart of anyone: a Fortitude save against 15 decides."),
    source=N_("d20 system reference"),
    switches=("massive_damage", "save_naturals"),
    units="chance",
)
def massive_damage_chance(damage: Number, fortitude: Number, *, rules: Ruleset = SRD35) -> Number:
    """Return the chance that one hit kills outright, whatever hit points are left.

    Parameters
    ----------
    damage : number
        What the hit takes, 0 or more.
    fortitude : number
        The Fortitude save bonus.
    rules : Ruleset
        ``massive_damage`` decides whether the rule is in use, ``save_naturals`` how the save is read.

    Examples
    --------
    >>> from d20kit.hit_points import massive_damage_chance
    >>> massive_damage_chance(49, 4), massive_damage_chance(50, 4)
    (Fraction(0, 1), Fraction(1, 2))
    """
    damage, fortitude = whole("damage", damage, 0, HP_LIMIT), modifier("fortitude", fortitude)
    together(damage=damage, fortitude=fortitude)
    fails = 1 - save_chance(fortitude, MASSIVE_DAMAGE_DC, rules=rules)
    if not rules.massive_damage:
        return 0 * fails + 0 * damage
    return where(damage >= MASSIVE_DAMAGE, fails, ratio(0, 1))


@rule(
    title=N_("Lost Constitution"),
    symbol=r"(\text{maximum},\ \text{hp})",
    why=N_(
        "Where Constitution feeds hit points, each step of the modifier takes one point from every hit die; the "
        "wounds stay, so a hero can die without being touched. No die falls below one point."
    ),
    source=N_("Attribute Damage"),
    switches=("constitution_loss",),
    units="hit points",
    parts=(N_("maximum"), N_("hit points")),
)
def after_constitution_loss(
    maximum_hp: Number, wounds: Number, hit_dice: Number, before: Number, after: Number, *, rules: Ruleset = COURSE
) -> tuple[Number, Number]:
    """Return maximum and current hit points after Constitution is lost.

    Parameters
    ----------
    maximum_hp : number
        Maximum before the loss.
    wounds : number
        Damage taken so far.
    hit_dice : number
        Number of hit dice.
    before, after : number
        The Constitution scores.
    rules : Ruleset
        ``constitution_loss`` decides whether hit points follow or only score and modifier change.

    Raises
    ------
    ValueError
        If Constitution rises, or a number is negative or not whole.

    Examples
    --------
    >>> from d20kit import SRD35
    >>> from d20kit.hit_points import after_constitution_loss
    >>> after_constitution_loss(79, 40, 8, before=18, after=4, rules=SRD35)
    (23, -17)
    """
    most = whole("maximum_hp", maximum_hp, 1, HP_LIMIT)
    taken = whole("wounds", wounds, 0, HP_LIMIT)
    dice = whole("hit_dice", hit_dice, 1, HP_LIMIT)
    had, kept = whole("before", before, 0, MAX_SCORE), whole("after", after, 0, MAX_SCORE)
    together(maximum_hp=most, wounds=taken, hit_dice=dice, before=had, after=kept)
    steps: Any = ability_modifier(had) - ability_modifier(kept)
    if not is_symbolic(had, kept) and (steps < 0 if type(steps) is int else (steps < 0).any()):
        raise refuse("after", after, _("at most before, which is {before}").format(before=had))
    if check_rules(rules).constitution_loss == "hit-points":
        most = minimum(most, maximum(most - steps * dice, dice))
    return most, most - taken
