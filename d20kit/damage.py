"""Damage: what one hit takes, what a critical multiplies, how many attacks an enemy stands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from d20kit.algebra import Number, floor_div, maximum, minimum
from d20kit.attack import one_threat, outcome_chances
from d20kit.check import members, modifier, one_modifier, one_of, one_whole, refuse, together, truth, whole
from d20kit.dice import Pmf
from d20kit.duel import duel_chance
from d20kit.expression import MAX_NUMBER, distribution, naming
from d20kit.felling import AttacksToFell, attacks_to_fell, fell_within
from d20kit.language import N_, _
from d20kit.rule import rule
from d20kit.rulesets import COURSE, Ruleset, check_rules

__all__ = [
    "GRIPS",
    "AttacksToFell",
    "attack_damage",
    "attacks_to_fell",
    "critical_damage",
    "damage_dealt",
    "duel_chance",
    "expected_damage",
    "fell_within",
    "hit_damage",
    "rolls_needed",
    "stack_multipliers",
    "strength_damage",
]

GRIPS = ("one-handed", "off-hand", "two-handed", "thrown", "bow", "composite-bow", "crossbow", "sling")
MAX_MULTIPLIER = 20
MAX_MULTIPLIERS = 20
MINIMUM = 1
_MELEE = GRIPS[:4]


@rule(
    title=N_("Strength damage"),
    symbol=r"\text{Strength damage}",
    why=N_(
        "A blow carries the strength of the arm behind it: all of it with one hand or a throw, half in the off hand, "
        "half again as much when both hands drive a weapon that is not light."
    ),
    source=N_("Strength Bonus"),
    switches=("strength_scaling", "projectile_strength"),
    units="hit points",
)
def strength_damage(
    strength: Number, grip: str, *, light: bool = False, rating: Number | None = None, rules: Ruleset = COURSE
) -> Number:
    """Return the part of the Strength modifier that is added to damage.

    Parameters
    ----------
    strength : number
        Strength modifier.
    grip : str
        "one-handed", "off-hand", "two-handed", "thrown", "bow", "composite-bow", "crossbow" or "sling".
    light : bool
        A light weapon gains nothing from a second hand.
    rating : number, optional
        The Strength bonus a composite bow was built for, 0 if not given.
    rules : Ruleset
        ``strength_scaling`` decides whether a penalty is halved and multiplied too; ``projectile_strength`` whether
        bows and slings use Strength at all.

    Returns
    -------
    number
        Rounded down once, here, before anything is multiplied.

    Raises
    ------
    ValueError
        If the grip is unknown or a number is not whole.

    Examples
    --------
    >>> from d20kit import SRD35
    >>> from d20kit.damage import strength_damage
    >>> strength_damage(5, "two-handed"), strength_damage(-1, "off-hand")
    (7, -1)
    >>> strength_damage(-3, "off-hand"), strength_damage(-3, "off-hand", rules=SRD35)
    (-2, -3)
    """
    strength = modifier("strength", strength)
    grip = one_of("grip", grip, GRIPS)
    light = truth("light", light)
    most = 0 if rating is None else whole("rating", rating, 0, 1000)
    together(strength=strength, rating=most)
    check_rules(rules)
    if grip == "off-hand":
        return _scaled(strength, 1, rules)
    if grip == "two-handed" and not light:
        return _scaled(strength, 3, rules)
    if grip in _MELEE:
        return strength
    if rules.projectile_strength == "none" or grip == "crossbow":
        return 0 * strength
    if grip == "sling":
        return strength
    return minimum(strength, most if grip == "composite-bow" else 0)


def _scaled(strength: Any, halves: int, rules: Ruleset) -> Number:
    if rules.strength_scaling == "modifier":
        return floor_div(halves * strength, 2)
    return floor_div(halves * maximum(strength, 0), 2) + minimum(strength, 0)


@rule(
    title=N_("Several multipliers"),
    symbol=r"\text{multiplier}",
    why=N_(
        "Each multiplier adds further copies of the original damage and never copies of copies, so doubled twice is "
        "three times, not four."
    ),
    source=N_("Multiplying Damage"),
)
def stack_multipliers(*multipliers: Number) -> Number:
    """Join several multipliers into one: 1 + sum(m - 1).

    Parameters
    ----------
    *multipliers : number
        Each 1 or more, at most ``MAX_MULTIPLIERS`` of them.

    Examples
    --------
    >>> from d20kit.damage import stack_multipliers
    >>> stack_multipliers(2, 2), stack_multipliers(3, 3)
    (3, 5)
    """
    if len(multipliers) > MAX_MULTIPLIERS:
        raise refuse("multipliers", multipliers, _("at most {most} multipliers").format(most=MAX_MULTIPLIERS))
    total: Any = 1
    for multiplier in multipliers:
        total = total + whole("multiplier", multiplier, 1, MAX_MULTIPLIER) - 1
    return total


def _multiplier(value: int) -> int:
    return one_whole("multiplier", value, 1, MAX_MULTIPLIER)


def rolls_needed(multiplier: int, *, rules: Ruleset = COURSE) -> int:
    """How often the damage dice are rolled for a hit that is multiplied.

    >>> rolls_needed(3), rolls_needed(3, rules=COURSE.replace(critical_damage="roll-again"))
    (1, 3)
    """
    multiplier = _multiplier(multiplier)
    return 1 if check_rules(rules).critical_damage == "multiply" else multiplier


@rule(
    title=N_("Damage dealt"),
    symbol=r"\text{damage}",
    why=N_(
        "What the weapon itself deals is multiplied, bonus dice are added once afterwards, and a hit always costs at "
        "least one hit point."
    ),
    source=N_("Multiplying Damage"),
    switches=("critical_damage",),
    units="hit points",
)
def damage_dealt(
    rolls: int | Sequence[int], bonus: int = 0, *, multiplier: int = 1, extra: int = 0, rules: Ruleset = COURSE
) -> int:
    """Return what one hit takes, from dice that have been rolled.

    Parameters
    ----------
    rolls : int or sequence of int
        Totals of the damage dice: one, or as many as :func:`rolls_needed` says.
    bonus : int
        Strength, enhancement and whatever else is multiplied.
    multiplier : int
        1 for a hit, the weapon's multiplier for a critical.
    extra : int
        Total of the bonus dice, which are never multiplied.
    rules : Ruleset
        ``critical_damage`` decides whether one roll is multiplied or the rolls are added.

    Examples
    --------
    >>> from d20kit.damage import damage_dealt
    >>> damage_dealt(3, 3, multiplier=2, extra=10)
    22
    """
    needed, multiplier = rolls_needed(multiplier, rules=rules), _multiplier(multiplier)
    allowed = _("the rolled total of the dice, or a list of totals")
    totals = members("rolls", rolls, allowed) if isinstance(rolls, Iterable) else [rolls]
    bonus, extra = one_modifier("bonus", bonus), one_whole("extra", extra, -MAX_NUMBER, MAX_NUMBER)
    if len(totals) != needed:
        raise refuse("rolls", rolls, _("{needed} rolled totals").format(needed=needed))
    totals = [one_whole("rolls", total, -MAX_NUMBER, MAX_NUMBER) for total in totals]
    weapon = sum(totals) * (multiplier if needed == 1 else 1)
    return max(MINIMUM, weapon + multiplier * bonus + extra)


@rule(
    title=N_("Damage of a hit"),
    symbol=r"\text{damage}",
    why=N_("Dice, bonus and bonus dice are added; however weak the arm, a hit takes at least one hit point."),
    source=N_("Minimum Damage"),
    units="hit points",
)
def hit_damage(dice: str | Pmf, bonus: int = 0, *, extra: str | Pmf | None = None, rules: Ruleset = COURSE) -> Pmf:
    """Return the distribution of a hit's damage.

    Parameters
    ----------
    dice : str or Pmf
        The weapon's dice, such as "1d8".
    bonus : int
        Strength, enhancement and whatever else is added.
    extra : str or Pmf, optional
        Bonus dice, such as a sneak attack's.
    rules : Ruleset
        A hit is the same under all rules; accepted so that every damage call reads alike.

    Examples
    --------
    >>> from d20kit.damage import hit_damage
    >>> dict(hit_damage("1d4", -2).items())
    {1: Fraction(3, 4), 2: Fraction(1, 4)}
    """
    check_rules(rules)
    return _dealt(distribution("dice", dice), bonus, 1, extra)


@rule(
    title=N_("Damage of a critical"),
    symbol=r"\text{critical damage}",
    why=N_(
        "A critical counts the weapon's damage several times; rolling once and multiplying keeps the mean of rolling "
        "several times but spreads it wider. Bonus dice stay single."
    ),
    source=N_("Multiplying Damage"),
    switches=("critical_damage",),
    units="hit points",
)
def critical_damage(
    dice: str | Pmf,
    bonus: int = 0,
    *,
    multiplier: int = 2,
    extra: str | Pmf | None = None,
    rules: Ruleset = COURSE,
) -> Pmf:
    """Return the distribution of a critical's damage.

    Parameters
    ----------
    dice : str or Pmf
        The weapon's dice.
    bonus : int
        Strength, enhancement and whatever else is multiplied with them.
    multiplier : int
        The weapon's multiplier, from 1 (no critical damage) up.
    extra : str or Pmf, optional
        Bonus dice, added once afterwards.
    rules : Ruleset
        ``critical_damage`` decides between one roll multiplied and as many rolls added.

    Examples
    --------
    >>> from d20kit import SRD35
    >>> from d20kit.damage import critical_damage
    >>> critical_damage("2d6", multiplier=2).var(), critical_damage("2d6", multiplier=2, rules=SRD35).var()
    (Fraction(70, 3), Fraction(35, 3))
    """
    weapon = distribution("dice", dice)
    multiplier = _multiplier(multiplier)
    weapon = weapon * multiplier if rolls_needed(multiplier, rules=rules) == 1 else multiplier @ weapon
    return _dealt(weapon, bonus, multiplier, extra)


def _dealt(weapon: Pmf, bonus: int, multiplier: int, extra: str | Pmf | None) -> Pmf:
    total = weapon + multiplier * one_modifier("bonus", bonus)
    if extra is not None:
        total = total + distribution("extra", extra)
    return total.clip(low=MINIMUM)


@rule(
    title=N_("Damage of an attack"),
    symbol=r"\text{damage}",
    why=N_("An attack misses, hits or is a critical; its damage mixes 0, a hit's and a critical's by their chances."),
    source=N_("Damage"),
    switches=("critical", "critical_damage"),
    units="hit points",
)
def attack_damage(
    bonus_to_hit: int,
    ac: int,
    dice: str | Pmf,
    bonus: int = 0,
    *,
    multiplier: int = 2,
    threat: int = 20,
    extra: str | Pmf | None = None,
    rules: Ruleset = COURSE,
) -> Pmf:
    """Return the distribution of what one attack takes, misses included.

    Parameters
    ----------
    bonus_to_hit : int
        Attack bonus.
    ac : int
        The target's armor class.
    dice, bonus, multiplier, extra
        As in :func:`critical_damage`.
    threat : int
        Lowest face of the weapon's threat range.
    rules : Ruleset
        ``critical`` and ``critical_damage`` decide.

    Examples
    --------
    >>> from d20kit.damage import attack_damage
    >>> attack_damage(4, 14, "1d8", 3).pmf(0)
    Fraction(9, 20)
    """
    bonus_to_hit, ac = one_modifier("bonus_to_hit", bonus_to_hit), one_modifier("ac", ac)
    miss, hit, critical = outcome_chances(bonus_to_hit, ac, threat=one_threat(threat), rules=rules)
    of_hit = hit_damage(dice, bonus, extra=extra, rules=rules)
    of_critical = critical_damage(dice, bonus, multiplier=multiplier, extra=extra, rules=rules)
    try:
        return Pmf.mixture([(miss, 0), (hit, of_hit), (critical, of_critical)])
    except ValueError as error:  # a large constant between 0 and itself has too many outcomes
        raise naming("damage", error) from None


@rule(
    title=N_("Expected damage"),
    symbol=r"E[\text{damage}]",
    why=N_(
        "The mean of a hit counts as often as hits happen and the mean of a critical as often as criticals do; it is "
        "what an attack takes on average, misses included."
    ),
    source=N_("Damage"),
    switches=("critical", "critical_damage"),
    units="hit points",
)
def expected_damage(
    bonus_to_hit: Number,
    ac: Number,
    dice: str | Pmf,
    bonus: int = 0,
    *,
    multiplier: int = 2,
    threat: Number = 20,
    extra: str | Pmf | None = None,
    rules: Ruleset = COURSE,
) -> Number:
    """Return the mean of what one attack takes, misses included.

    Parameters
    ----------
    bonus_to_hit, ac, threat : number
        As in :func:`d20kit.attack.outcome_chances`.
    dice, bonus, multiplier, extra
        As in :func:`critical_damage`.
    rules : Ruleset
        ``critical`` and ``critical_damage`` decide.

    Returns
    -------
    Fraction, array of Fraction or SymPy expression

    Examples
    --------
    >>> from d20kit.damage import expected_damage
    >>> expected_damage(4, 14, "1d8", 3, multiplier=3)
    Fraction(39, 8)
    """
    bonus_to_hit, ac = modifier("bonus_to_hit", bonus_to_hit), modifier("ac", ac)
    together(bonus_to_hit=bonus_to_hit, ac=ac, threat=threat)
    _miss, hit, critical = outcome_chances(bonus_to_hit, ac, threat=threat, rules=rules)
    of_hit = hit_damage(dice, bonus, extra=extra, rules=rules).mean()
    of_critical = critical_damage(dice, bonus, multiplier=multiplier, extra=extra, rules=rules).mean()
    return hit * of_hit + critical * of_critical
