"""The bonus of an attack roll: training, ability, size, range, and how many attacks a turn has."""

from __future__ import annotations

from collections.abc import Iterable

from d20kit.algebra import Number, clamp, floor_div, is_array, is_symbolic
from d20kit.check import MODIFIER_LIMIT, modifier, one_modifier, one_of, refuse, together, whole
from d20kit.classes import MAX_LEVEL, class_levels
from d20kit.language import N_, _
from d20kit.rule import rule
from d20kit.rulesets import SRD35, Ruleset, check_rules

PROGRESSIONS = ("good", "average", "poor")
# kind of ranged weapon -> how many increments it reaches
REACH = {"thrown": 5, "projectile": 10}
LONGEST_INCREMENT = 10_000
_SIZE_FIX = N_('d20kit.abilities.size_modifier("small") gives the number of a size')


@rule(
    title=N_("Base attack bonus"),
    symbol=r"\text{BAB}",
    why=N_(
        "Training shows in the attack roll: warriors gain a point every level, others three points in four levels or "
        "one in two, always rounded down."
    ),
    source=N_("Base Attack Bonus"),
    topic="attack",
)
def base_attack_bonus(level: Number, progression: str = "good") -> Number:
    """Return the base attack bonus of a class level.

    Parameters
    ----------
    level : number
        Levels in that class, 0 or more.
    progression : {"good", "average", "poor"}
        How the class gains: the level, three quarters of it, or half of it, rounded down.

    Raises
    ------
    ValueError
        If the level is negative or not whole, or the progression unknown.

    Examples
    --------
    >>> from d20kit.attack import base_attack_bonus
    >>> [base_attack_bonus(5, progression) for progression in ("good", "average", "poor")]
    [5, 3, 2]
    """
    level = whole("level", level, 0, MAX_LEVEL)
    progression = one_of("progression", progression, PROGRESSIONS)
    if progression == "good":
        return level
    return floor_div(3 * level, 4) if progression == "average" else floor_div(level, 2)


@rule(
    title=N_("Base attack bonus of several classes"),
    symbol=r"\text{BAB}",
    why=N_("Each class is rounded down by itself before the parts are added, so halves of two classes never join."),
    source=N_("Base Attack Bonus"),
    topic="attack",
)
def multiclass_attack_bonus(classes: Iterable[tuple[str, int]]) -> int:
    """Add the base attack bonuses of several classes, each rounded by itself.

    Parameters
    ----------
    classes : iterable of (progression, level)
        For example ``[("good", 5), ("poor", 3)]``.

    Examples
    --------
    >>> from d20kit.attack import multiclass_attack_bonus
    >>> multiclass_attack_bonus([("average", 1), ("average", 1), ("poor", 1)])
    0
    """
    return sum(base_attack_bonus(level, progression) for progression, level in class_levels(classes, PROGRESSIONS))


@rule(
    title=N_("Melee attack bonus"),
    symbol=r"\text{attack bonus}",
    why=N_("In close combat training and muscle drive the blow, and size makes the target larger or smaller."),
    source=N_("Attack Bonus"),
    topic="attack",
)
def melee_bonus(base: Number, strength: Number, size: Number = 0, other: Number = 0) -> Number:
    """Add up the attack bonus of a melee weapon.

    Parameters
    ----------
    base : number
        Base attack bonus.
    strength : number
        Strength modifier.
    size : number
        Size modifier, see :func:`d20kit.abilities.size_modifier`.
    other : number
        Everything else, such as a weapon's enhancement. Penalties are negative and are added.

    Examples
    --------
    >>> from d20kit.attack import melee_bonus
    >>> melee_bonus(base=1, strength=0, size=1)
    2
    """
    base, strength = modifier("base", base), modifier("strength", strength)
    size, other = modifier("size", size, _(_SIZE_FIX)), modifier("other", other)
    together(base=base, strength=strength, size=size, other=other)
    return base + strength + size + other


@rule(
    title=N_("Ranged attack bonus"),
    symbol=r"\text{attack bonus}",
    why=N_("At a distance aim replaces muscle, and every full range increment makes the aim worse."),
    source=N_("Attack Bonus"),
    topic="attack",
)
def ranged_bonus(
    base: Number, dexterity: Number, size: Number = 0, range_penalty: Number = 0, other: Number = 0
) -> Number:
    """Add up the attack bonus of a ranged weapon; a thrown one attacks with Dexterity too.

    Parameters
    ----------
    base : number
        Base attack bonus.
    dexterity : number
        Dexterity modifier.
    size : number
        Size modifier.
    range_penalty : number
        0 or negative, see :func:`range_penalty`; it is added.
    other : number
        Everything else.

    Examples
    --------
    >>> from d20kit.attack import range_penalty, ranged_bonus
    >>> ranged_bonus(base=1, dexterity=1, size=1, range_penalty=range_penalty(45, 30, "thrown"))
    1
    """
    penalty = whole("range_penalty", range_penalty, -MODIFIER_LIMIT, 0, _("a penalty is a negative number"))
    base, dexterity = modifier("base", base), modifier("dexterity", dexterity)
    size, other = modifier("size", size, _(_SIZE_FIX)), modifier("other", other)
    together(base=base, dexterity=dexterity, size=size, range_penalty=penalty, other=other)
    return base + dexterity + size + penalty + other


@rule(
    title=N_("Range penalty"),
    symbol=r"\text{range penalty}",
    why=N_("Each full range increment up to the target costs two points of aim; below one increment nothing."),
    source=N_("Attack Bonus"),
    topic="attack",
)
def range_penalty(distance: Number, increment: Number, kind: str = "projectile") -> Number:
    """Return the penalty for distance: -2 for each full range increment.

    Parameters
    ----------
    distance : number
        Feet to the target, 0 or more.
    increment : number
        The weapon's range increment in feet, 1 or more.
    kind : {"projectile", "thrown"}
        Projectiles reach ten increments, thrown weapons five.

    Raises
    ------
    ValueError
        If the target is out of range.

    Examples
    --------
    >>> from d20kit.attack import range_penalty
    >>> [range_penalty(distance, 10) for distance in (9, 10, 19, 20)]
    [0, -2, -2, -4]
    """
    increment = whole("increment", increment, 1, LONGEST_INCREMENT)
    reach = REACH[one_of("kind", kind, REACH)]
    one = not (is_array(increment) or is_symbolic(increment))
    limit = reach * (increment if one else LONGEST_INCREMENT)
    far = _("a {kind} weapon reaches {reach} increments").format(kind=kind, reach=reach)
    distance = whole("distance", distance, 0, limit, far)
    together(distance=distance, increment=increment)
    if is_array(increment) and not is_symbolic(distance) and (distance > reach * increment).any():
        raise refuse("distance", distance, _("within {reach} increments").format(reach=reach), far)
    return -2 * floor_div(distance, increment)


@rule(
    title=N_("Iterative attacks"),
    symbol=r"\text{attacks}",
    why=N_("Skill buys further attacks: one more when the base attack bonus reaches 6, 11 and 16, each five lower."),
    source=N_("d20 system reference"),
    switches=("full_attack",),
    topic="attack",
)
def iterative_attacks(base: int, *, rules: Ruleset = SRD35) -> tuple[int, ...]:
    """Return the base attack bonus of every attack of a full attack, best first.

    Parameters
    ----------
    base : int
        Base attack bonus.
    rules : Ruleset
        With ``full_attack="listed"`` (COURSE) a high bonus gives no further attack of itself.

    Examples
    --------
    >>> from d20kit import COURSE
    >>> from d20kit.attack import iterative_attacks
    >>> iterative_attacks(11), iterative_attacks(11, rules=COURSE)
    ((11, 6, 1), (11,))
    """
    base = one_modifier("base", base)
    count = 1 if check_rules(rules).full_attack == "listed" else clamp((base - 1) // 5 + 1, 1, 4)
    return tuple(base - 5 * step for step in range(count))
