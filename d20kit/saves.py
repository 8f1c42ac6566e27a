"""Saving throws: Fortitude, Reflex and Will against a difficulty class."""

from __future__ import annotations

from collections.abc import Iterable

from d20kit.algebra import Number, clamp, floor_div, ratio
from d20kit.check import FACES, modifier, one_modifier, one_of, one_whole, together, whole
from d20kit.classes import MAX_LEVEL, class_levels
from d20kit.language import N_
from d20kit.rule import rule
from d20kit.rulesets import COURSE, Ruleset, check_rules

PROGRESSIONS = ("good", "poor")
# save -> what it is called, a message
NAMES = {"fortitude": N_("Fortitude"), "reflex": N_("Reflex"), "will": N_("Will")}
# save -> the ability whose modifier is added
ABILITY = {"fortitude": "constitution", "reflex": "dexterity", "will": "wisdom"}


@rule(
    title=N_("Base save"),
    symbol=r"\text{base save}",
    why=N_("A class is good at some saves, which start at 2 and gain a point every other level, and poor at the rest."),
    source=N_("Saving throws"),
)
def base_save(level: Number, progression: str = "good") -> Number:
    """Return the base save bonus of a class level.

    Parameters
    ----------
    level : number
        Levels in that class, 0 or more; without a level there is no base save.
    progression : {"good", "poor"}
        2 + level/2, or level/3, rounded down.

    Raises
    ------
    ValueError
        If the level is negative or not whole, or the progression unknown.

    Examples
    --------
    >>> from d20kit.saves import base_save
    >>> base_save(5), base_save(5, "poor")
    (4, 1)
    """
    level = whole("level", level, 0, MAX_LEVEL)
    progression = one_of("progression", progression, PROGRESSIONS)
    return 2 + floor_div(level, 2) if progression == "good" else floor_div(level, 3)


@rule(
    title=N_("Base save of several classes"),
    symbol=r"\text{base save}",
    why=N_("Each class is rounded down by itself before the parts are added."),
    source=N_("Saving throws"),
)
def multiclass_save(classes: Iterable[tuple[str, int]]) -> int:
    """Add the base saves of several classes, each rounded by itself.

    Parameters
    ----------
    classes : iterable of (progression, level)

    Examples
    --------
    >>> from d20kit.saves import multiclass_save
    >>> multiclass_save([("good", 5), ("poor", 3)])
    5
    """
    return sum(base_save(level, progression) for progression, level in class_levels(classes, PROGRESSIONS))


@rule(
    title=N_("Save bonus"),
    symbol=r"\text{save bonus}",
    why=N_("Training gives the base; Constitution helps Fortitude, Dexterity Reflex, and Wisdom Will."),
    source=N_("Saving throws"),
)
def save_bonus(base: Number, ability: Number, other: Number = 0) -> Number:
    """Add up the bonus of a saving throw.

    Parameters
    ----------
    base : number
        Base save.
    ability : number
        Modifier of the ability that :data:`ABILITY` names for the save.
    other : number
        Everything else.

    Examples
    --------
    >>> from d20kit.saves import save_bonus
    >>> save_bonus(base=2, ability=1)
    3
    """
    base, ability, other = modifier("base", base), modifier("ability", ability), modifier("other", other)
    together(base=base, ability=ability, other=other)
    return base + ability + other


@rule(
    title=N_("Chance to save"),
    symbol=r"P(\text{save})",
    why=N_(
        "Of the twenty faces, those succeed whose total reaches the difficulty class. No face is special unless the "
        "rules in use make a natural 1 fail and a natural 20 succeed."
    ),
    source=N_("Saving throws"),
    switches=("save_naturals",),
    units="chance",
)
def save_chance(bonus: Number, dc: Number, *, rules: Ruleset = COURSE) -> Number:
    """Return the chance that a saving throw succeeds.

    Parameters
    ----------
    bonus : number
        Save bonus.
    dc : number
        Difficulty class.
    rules : Ruleset
        ``save_naturals`` decides whether the faces 1 and 20 are special.

    Examples
    --------
    >>> from d20kit import SRD35
    >>> from d20kit.saves import save_chance
    >>> save_chance(6, 15), save_chance(19, 15), save_chance(19, 15, rules=SRD35)
    (Fraction(3, 5), Fraction(1, 1), Fraction(19, 20))
    """
    low, high = (1, FACES - 1) if check_rules(rules).save_naturals else (0, FACES)
    bonus, dc = modifier("bonus", bonus), modifier("dc", dc)
    together(bonus=bonus, dc=dc)
    return ratio(clamp(21 + bonus - dc, low, high), FACES)


def save_succeeds(face: int, bonus: int, dc: int, *, rules: Ruleset = COURSE) -> bool:
    """Whether a save whose d20 shows ``face`` succeeds.

    >>> save_succeeds(20, 0, 25), save_succeeds(20, 0, 25, rules=COURSE.replace(save_naturals=True))
    (False, True)
    """
    face, bonus, dc = one_whole("face", face, 1, FACES), one_modifier("bonus", bonus), one_modifier("dc", dc)
    if check_rules(rules).save_naturals and face in (1, FACES):
        return face == FACES
    return face + bonus >= dc
