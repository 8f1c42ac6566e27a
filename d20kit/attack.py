"""The attack roll: who is hit, and how often."""

from __future__ import annotations

from enum import Enum

from d20kit.algebra import Number, clamp, minimum, ratio
from d20kit.attack_bonus import (
    base_attack_bonus,
    iterative_attacks,
    melee_bonus,
    multiclass_attack_bonus,
    range_penalty,
    ranged_bonus,
)
from d20kit.check import FACES, modifier, one_modifier, one_whole, refuse, together, whole
from d20kit.language import N_, _
from d20kit.rule import rule
from d20kit.rulesets import COURSE, Ruleset, check_rules

__all__ = [
    "FACES",
    "Outcome",
    "base_attack_bonus",
    "hit_chance",
    "is_hit",
    "is_threat",
    "iterative_attacks",
    "melee_bonus",
    "multiclass_attack_bonus",
    "outcome_chances",
    "range_penalty",
    "ranged_bonus",
    "resolve",
]

_THREAT_FIX = N_("threat is the lowest face of the range: 19 for 19-20")


class Outcome(Enum):
    """What one attack roll comes to.

    >>> [resolve(face, bonus=4, ac=18).value for face in (13, 14, 20)]
    ['miss', 'hit', 'critical']
    """

    MISS = "miss"
    HIT = "hit"
    CRITICAL = "critical"


def _face(name: str, face: int) -> int:
    return one_whole(name, face, 1, FACES, _("it is the number the d20 shows"))


def _threat(threat: Number) -> Number:
    return whole("threat", threat, 2, FACES, _(_THREAT_FIX))


def one_threat(threat: int) -> int:
    """Accept the lowest face of one threat range, neither an array nor a symbol.

    >>> one_threat(19)
    19
    """
    return one_whole("threat", threat, 2, FACES, _(_THREAT_FIX))


def by_itself(face: int) -> bool | None:
    """What the face of an attack roll decides by itself: a natural 1 misses, a natural 20 hits, another says nothing.

    >>> by_itself(1), by_itself(14), by_itself(20)
    (False, None, True)
    """
    return face == FACES if face in (1, FACES) else None


def is_hit(face: int, bonus: int, ac: int) -> bool:
    """Whether a d20 that shows ``face`` hits: by itself, or with its total against AC.

    >>> is_hit(1, 50, 10), is_hit(14, 4, 18), is_hit(20, -5, 40)
    (False, True, True)
    """
    face, bonus, ac = _face("face", face), one_modifier("bonus", bonus), one_modifier("ac", ac)
    decided = by_itself(face)
    return face + bonus >= ac if decided is None else decided


def is_threat(face: int, bonus: int, ac: int, *, threat: int = 20, rules: Ruleset = COURSE) -> bool:
    """Whether an attack roll asks for a second roll that may confirm a critical.

    Never under ``critical="natural-20"`` (COURSE), where a natural 20 needs no confirmation.

    >>> from d20kit import SRD35
    >>> is_threat(19, 7, 18, threat=19, rules=SRD35), is_threat(19, 7, 18, threat=19)
    (True, False)
    """
    face, threat, hits = _face("face", face), one_threat(threat), is_hit(face, bonus, ac)
    return check_rules(rules).critical == "confirm" and face >= threat and hits


@rule(
    title=N_("Reading an attack roll"),
    symbol=r"\text{outcome}",
    why=N_(
        "The total against the armor class decides, except at the two ends of the die: the face 1 misses and the "
        "face 20 hits whatever the numbers say, so nothing is ever certain."
    ),
    source=N_("Automatic Misses and Hits"),
    switches=("critical",),
)
def resolve(
    face: int, bonus: int, ac: int, *, confirm: int | None = None, threat: int = 20, rules: Ruleset = COURSE
) -> Outcome:
    """Read one attack roll.

    Parameters
    ----------
    face : int
        What the d20 shows, 1 to 20.
    bonus : int
        Attack bonus.
    ac : int
        The target's armor class.
    confirm : int, optional
        What the second d20 shows, needed where :func:`is_threat` says so.
    threat : int
        Lowest face of the weapon's threat range, 20 or less.
    rules : Ruleset
        ``critical`` decides whether a natural 20 is a critical by itself or a threat must be confirmed.

    Raises
    ------
    ValueError
        If a face is not on a d20, or a threat has no confirming roll.

    Examples
    --------
    >>> from d20kit import SRD35
    >>> from d20kit.attack import resolve
    >>> resolve(20, 8, 21).value
    'critical'
    >>> resolve(20, 8, 21, confirm=12, rules=SRD35).value
    'hit'
    """
    threatens = is_threat(face, bonus, ac, threat=threat, rules=rules)
    if confirm is not None:
        confirm = _face("confirm", confirm)
    if not is_hit(face, bonus, ac):
        return Outcome.MISS
    if rules.critical == "natural-20":
        return Outcome.CRITICAL if face == FACES else Outcome.HIT
    if not threatens:
        return Outcome.HIT
    if confirm is None:
        raise refuse("confirm", None, _("the face of a second d20, because this roll is a threat"), "confirm=12")
    return Outcome.CRITICAL if is_hit(confirm, bonus, ac) else Outcome.HIT


@rule(
    title=N_("Chance to hit"),
    symbol=r"P(\text{hit})",
    why=N_(
        "Of the twenty faces, those hit whose total reaches the armor class; the natural 20 keeps at least one of "
        "them and the natural 1 takes at least one away, so the line is flat at both ends."
    ),
    source=N_("Attack Roll"),
    units="chance",
)
def hit_chance(bonus: Number, ac: Number) -> Number:
    """Return the chance that an attack roll hits: clamp(21 + bonus - AC, 1, 19) / 20.

    Parameters
    ----------
    bonus : number
        Attack bonus.
    ac : number
        The target's armor class.

    Returns
    -------
    Fraction, array of Fraction or SymPy expression

    Raises
    ------
    ValueError
        If an argument is not whole.

    Examples
    --------
    >>> from d20kit.attack import hit_chance
    >>> hit_chance(bonus=7, ac=18)
    Fraction(1, 2)
    """
    bonus, ac = modifier("bonus", bonus), modifier("ac", ac)
    together(bonus=bonus, ac=ac)
    # The ends are the faces that decide by themselves.
    return ratio(clamp(21 + bonus - ac, 1, FACES - 1), FACES)


@rule(
    title=N_("Chances of miss, hit and critical"),
    symbol=r"\left(P(\text{miss}),\,P(\text{hit}),\,P(\text{critical})\right)",
    why=N_(
        "A critical is part of the hits: the natural 20 alone, or, where a threat must be confirmed, the threatening "
        "faces that hit times the chance that a second roll hits as well."
    ),
    source=N_("Automatic Misses and Hits"),
    switches=("critical",),
    units="chance",
    parts=(N_("miss"), N_("hit"), N_("critical")),
)
def outcome_chances(
    bonus: Number, ac: Number, *, threat: Number = 20, rules: Ruleset = COURSE
) -> tuple[Number, Number, Number]:
    """Return the chances of a miss, of a hit that is no critical, and of a critical.

    Parameters
    ----------
    bonus : number
        Attack bonus.
    ac : number
        The target's armor class.
    threat : number
        Lowest face of the weapon's threat range; it matters only under ``critical="confirm"``.
    rules : Ruleset
        ``critical`` decides.

    Returns
    -------
    tuple of three numbers
        Their sum is 1.

    Examples
    --------
    >>> from d20kit import SRD35
    >>> from d20kit.attack import outcome_chances
    >>> [str(chance) for chance in outcome_chances(4, 15, threat=18, rules=SRD35)]
    ['1/2', '17/40', '3/40']
    """
    threat, bonus, ac = _threat(threat), modifier("bonus", bonus), modifier("ac", ac)
    together(bonus=bonus, ac=ac, threat=threat)
    hit = hit_chance(bonus, ac)
    if check_rules(rules).critical == "natural-20":
        critical = ratio(1, FACES) + 0 * hit
    else:
        critical = minimum(ratio(21 - threat, FACES), hit) * hit
    return 1 - hit, hit - critical, critical
