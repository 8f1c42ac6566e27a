"""One attack of a combatant, and the saving throw that its target may have against it."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from d20kit.battle.validate import dice, label, set_checked
from d20kit.battle.wording import save_word
from d20kit.check import named_arguments, one_modifier, one_of, one_whole, refuse, truth
from d20kit.dice import Pmf
from d20kit.language import _
from d20kit.saves import ABILITY

LARGEST_MULTIPLIER = 20
SUCCESSES = ("half", "none")


@named_arguments
@dataclass(frozen=True)
class Save:
    """A saving throw against the damage of a hit.

    Parameters
    ----------
    kind : {"fortitude", "reflex", "will"}
        Which of the three saves.
    dc : int
        Difficulty class.
    success : {"half", "none"}
        How much of the damage is left when it succeeds: half of it, rounded down but at least 1, or nothing.

    Raises
    ------
    ValueError
        If a value or an argument is unknown, or a value out of its range.

    Examples
    --------
    >>> from d20kit.battle import Attack, Save
    >>> print(Attack("burning oil", 4, "2d6", touch=True, save=Save("reflex", 15)))
    burning oil +4 (touch, 2d6, 20/x2, Reflex DC 15 for half damage)
    """

    kind: str
    dc: int
    success: str = "half"

    def __post_init__(self) -> None:
        set_checked(
            self,
            kind=one_of("kind", self.kind, ABILITY),
            dc=one_modifier("dc", self.dc),
            success=one_of("success", self.success, SUCCESSES),
        )

    def left_of(self, damage: int) -> int:
        """Return what a successful save leaves of the damage.

        >>> Save("reflex", 15).left_of(7), Save("reflex", 15).left_of(1), Save("will", 15, "none").left_of(7)
        (3, 1, 0)
        """
        return min(damage, max(1, damage // 2)) if self.success == "half" else 0

    def saved(self, damage: Pmf, chance: Fraction) -> Pmf:
        """Return the distribution of damage after a save that succeeds with this chance; a miss stays 0.

        >>> from fractions import Fraction
        >>> from d20kit import d
        >>> Save("reflex", 15).saved(d(2) * 4, Fraction(1, 4)).pmf(4)
        Fraction(1, 2)
        """
        return Pmf.mixture([(chance, damage.map(self.left_of)), (1 - chance, damage)])

    def __str__(self) -> str:
        text = _("{save} DC {dc} for half damage") if self.success == "half" else _("{save} DC {dc} for no damage")
        return text.format(save=save_word(self.kind), dc=self.dc)


@named_arguments
@dataclass(frozen=True)
class Attack:
    """One attack of a combatant's turn.

    Parameters
    ----------
    name : str
        The weapon, as the narration calls it.
    bonus : int
        Attack bonus, everything included.
    damage : str, Pmf or None
        What a hit deals and a critical multiplies: ``"1d8+3"``, or a distribution, or None for an attack that does
        no damage by itself.
    multiplier : int
        Critical multiplier of the weapon.
    threat : int
        Lowest face of the threat range; read where criticals are confirmed.
    extra : str, Pmf or None
        Bonus dice, added once and never multiplied.
    ranged, touch, natural : bool
        Whether it is a ranged attack; whether it is made against touch armor class; whether it is a natural attack,
        which a high base attack bonus does not repeat.
    save : Save, optional
        A saving throw by which the target of a hit may escape half of its damage, or all.

    Raises
    ------
    ValueError
        If a value is out of its range, the dice cannot be read or an argument is unknown.

    Examples
    --------
    >>> from d20kit.battle import Attack
    >>> print(Attack("longsword", 5, "1d8+3", threat=19))
    longsword +5 (1d8+3, 19-20/x2)
    """

    name: str
    bonus: int
    damage: str | Pmf | None
    multiplier: int = field(default=2, kw_only=True)
    threat: int = field(default=20, kw_only=True)
    extra: str | Pmf | None = field(default=None, kw_only=True)
    ranged: bool = field(default=False, kw_only=True)
    touch: bool = field(default=False, kw_only=True)
    natural: bool = field(default=False, kw_only=True)
    save: Save | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        set_checked(
            self,
            name=label("name", self.name),
            bonus=one_modifier("bonus", self.bonus),
            damage=dice("damage", self.damage),
            multiplier=one_whole("multiplier", self.multiplier, 1, LARGEST_MULTIPLIER),
            threat=one_whole("threat", self.threat, 2, 20),
            extra=dice("extra", self.extra),
            ranged=truth("ranged", self.ranged),
            touch=truth("touch", self.touch),
            natural=truth("natural", self.natural),
            save=self._checked_save(),
        )

    def _checked_save(self) -> Save | None:
        if self.save is None or (isinstance(self.save, Save) and self.damage is not None):
            return self.save
        allowed = _("a Save, for an attack that does damage, or None")
        raise refuse("save", self.save, allowed, 'save=Save("reflex", 15)')

    def __str__(self) -> str:
        damage = _("no damage") if self.damage is None else _written(self.damage)
        extra = f" + {_written(self.extra)}" if self.extra is not None else ""
        faces = "20" if self.threat == 20 else f"{self.threat}-20"
        touch = _("touch") + ", " if self.touch else ""
        save = f", {self.save}" if self.save is not None else ""
        return f"{self.name} {self.bonus:+d} ({touch}{damage}{extra}, {faces}/x{self.multiplier}{save})"


def _written(damage: str | Pmf) -> str:
    return damage if isinstance(damage, str) else repr(damage)
