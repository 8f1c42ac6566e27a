"""Ability scores, their modifiers, what a lost point changes, and size."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from d20kit.algebra import Number, floor_div
from d20kit.amounts import WIDEST_LINE, amount
from d20kit.check import bare, mapping, one_of, one_whole, refuse, whole
from d20kit.language import N_, _
from d20kit.rule import rule

MAX_SCORE = 1000

# ability -> what its modifier is part of
ABILITIES: dict[str, tuple[str, ...]] = {
    "strength": (N_("melee attack bonus"), N_("melee and thrown damage")),
    "dexterity": (N_("ranged attack bonus"), N_("armor class"), N_("Reflex saves"), N_("initiative")),
    "constitution": (N_("Fortitude saves"), N_("the disabled band of hit points")),
    "intelligence": (),
    "wisdom": (N_("Will saves"),),
    "charisma": (),
}
_SHORT = {ability[:3]: ability for ability in ABILITIES}


class Size(Enum):
    """The nine sizes; the value is the modifier to attack and to armor class alike.

    >>> Size.SMALL.value, Size["HUGE"].value
    (1, -2)
    """

    COLOSSAL = -8
    GARGANTUAN = -4
    HUGE = -2
    LARGE = -1
    MEDIUM = 0
    SMALL = 1
    TINY = 2
    DIMINUTIVE = 4
    FINE = 8


@rule(
    title=N_("Ability modifier"),
    symbol=r"\text{modifier}",
    why=N_(
        "An average score of 10 gives nothing; every two points above or below it are worth one step, and an odd "
        "point is lost because the half is rounded down."
    ),
    source=N_("Attack Bonus"),
)
def ability_modifier(score: Number | None) -> Number:
    """Return the modifier of an ability score: floor((score - 10) / 2).

    Parameters
    ----------
    score : number or None
        0 or more. A missing score (a skeleton's Constitution) is None and counts as modifier 0.

    Returns
    -------
    number
        Of the same kind and shape as ``score``.

    Raises
    ------
    ValueError
        If the score is negative or not whole.

    Examples
    --------
    >>> from d20kit.abilities import ability_modifier
    >>> [ability_modifier(score) for score in (1, 9, 10, 17, None)]
    [-5, -1, 0, 3, 0]
    """
    if score is None:
        return 0
    return floor_div(whole("score", score, 0, MAX_SCORE) - 10, 2)


@rule(
    title=N_("Size modifier"),
    symbol=r"\text{size}",
    why=N_(
        "A small body is hard to hit and strikes at bodies that look large to it; the same number therefore helps "
        "attack and armor class alike, and two creatures of one size cancel it."
    ),
    source=N_("Size Modifiers"),
)
def size_modifier(size: str | Size) -> int:
    """Return the modifier of a size, to attack and to armor class alike.

    Parameters
    ----------
    size : str or Size
        "colossal", "gargantuan", "huge", "large", "medium", "small", "tiny", "diminutive" or "fine"; capitals do
        not matter.

    Raises
    ------
    ValueError
        If there is no such size; the nearest is offered.

    Examples
    --------
    >>> from d20kit.abilities import size_modifier
    >>> size_modifier("small"), size_modifier("large")
    (1, -1)
    """
    if isinstance(size, Size):
        return size.value
    return Size[one_of("size", _lowered(size), (member.name.lower() for member in Size)).upper()].value


def _lowered(name: Any) -> Any:
    """A name in small letters; what is no text is left for others to refuse."""
    given = bare(name)
    return given.lower() if isinstance(given, str) else given


@dataclass(frozen=True)
class AbilityChange:
    """What a loss did to one ability: the scores, the modifiers, and what the modifier is part of.

    >>> change = AbilityChange("constitution", 13, 11, 1, 0, ("Fortitude saves",))
    >>> change.modifier_change
    -1
    >>> print(change)
    constitution 13 -> 11, modifier +1 -> +0; -1 to Fortitude saves
    """

    ability: str
    score_before: int | None
    score: int | None
    modifier_before: int
    modifier: int
    changes: tuple[str, ...]

    @property
    def modifier_change(self) -> int:
        """How far the modifier fell, 0 or negative."""
        return self.modifier - self.modifier_before

    def __str__(self) -> str:
        text = _("{ability} {before} -> {after}, modifier {modifier_before:+d} -> {modifier:+d}").format(
            ability=_(self.ability),
            before=amount(self.score_before),
            after=amount(self.score),
            modifier_before=self.modifier_before,
            modifier=self.modifier,
        )
        if not self.modifier_change or not self.changes:
            return text
        touched = ", ".join(_(change) for change in self.changes)
        changed = _("{change:+d} to {touched}").format(change=self.modifier_change, touched=touched)
        fits = len(f"{text}; {changed}") <= WIDEST_LINE
        return f"{text}; {changed}" if fits else f"{text};\n    {changed}"


def ability_name(name: Any, argument: str = "ability") -> str:
    """Return the full name of an ability given in full or by its first three letters.

    >>> ability_name("str")
    'strength'
    """
    given = _lowered(name)
    return one_of(argument, _SHORT.get(given, given) if isinstance(given, str) else given, ABILITIES)


@rule(
    title=N_("Attribute damage"),
    symbol=r"\Delta\,\text{modifier}",
    why=N_(
        "Poison and some magic take ability points instead of hit points; the wound shows only when the modifier "
        "falls, and then everywhere that modifier is added."
    ),
    source=N_("Attribute Damage"),
)
def drain(scores: Mapping[str, int | None], **loss: int) -> dict[str, AbilityChange]:
    """Take points from ability scores and say what that changes.

    Parameters
    ----------
    scores : mapping of str to int or None
        Scores by ability, full names or their first three letters. None is a missing score, which loses nothing.
    **loss : int
        Points lost by ability, 0 or more. A score never falls below 0.

    Returns
    -------
    dict of str to AbilityChange
        One entry for each ability named in ``loss``. Hit points lost with Constitution are a matter of the rules in
        use: see :func:`d20kit.hit_points.after_constitution_loss`.

    Raises
    ------
    ValueError
        If an ability is unknown, has no entry in ``scores`` or is named twice, or a loss is negative.

    Examples
    --------
    >>> from d20kit.abilities import drain
    >>> print(drain({"str": 13, "dex": 15}, strength=2)["strength"])
    strength 13 -> 11, modifier +1 -> +0; -1 to melee attack bonus, melee and thrown damage
    """
    given = mapping("scores", scores, _("a mapping of abilities to scores"), _("write scores={'strength': 13}"))
    known = {ability_name(name, "scores"): score for name, score in given.items()}
    if len(known) < len(given):
        raise refuse("scores", given, _("a mapping that has each ability once"))
    changes = {}
    for name, points in loss.items():
        ability = ability_name(name)
        if ability not in known:
            raise refuse("scores", given, _("a mapping that holds {ability}").format(ability=ability))
        changes[ability] = _change(ability, known[ability], one_whole(name, points, 0, MAX_SCORE))
    if len(changes) < len(loss):
        raise refuse("loss", loss, _("a mapping that has each ability once"))
    return changes


def _change(ability: str, before: int | None, points: int) -> AbilityChange:
    before = None if before is None else one_whole(f"scores[{ability!r}]", before, 0, MAX_SCORE)
    after = None if before is None else max(0, before - points)
    return AbilityChange(ability, before, after, ability_modifier(before), ability_modifier(after), ABILITIES[ability])
