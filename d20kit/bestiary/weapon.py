"""Weapons and classes as the tables give them."""

from __future__ import annotations

from dataclasses import dataclass

from d20kit.check import one_of

# How a weapon is used -> the grip that decides its Strength damage.
GRIPS = {
    "light": "one-handed",
    "one-handed": "one-handed",
    "two-handed": "two-handed",
    "thrown": "thrown",
    "bow": "bow",
    "composite-bow": "composite-bow",
    "crossbow": "crossbow",
    "sling": "sling",
}
RANGED_GRIPS = frozenset({"thrown", "bow", "composite-bow", "crossbow", "sling"})
_SIZES = ("small", "medium", "large")


@dataclass(frozen=True)
class Weapon:
    """One line of the weapon tables.

    ``damage`` holds dice for a small, a medium and a large wielder; ``range_increment`` is in feet, None for a weapon
    that only strikes in melee.

    >>> from d20kit.bestiary import weapon
    >>> rapier = weapon("rapier")
    >>> rapier.damage, rapier.threat, rapier.multiplier, rapier.grip
    (('1d4', '1d6', '1d8'), 18, 2, 'one-handed')
    """

    name: str
    training: str
    use: str
    damage: tuple[str, str, str]
    threat: int
    multiplier: int
    damage_type: str
    range_increment: int | None = None

    def dice(self, size: str) -> str:
        """Return the damage dice in the hands of a small, medium or large wielder.

        Raises
        ------
        ValueError
            If the size is none of the three that the tables have.

        Examples
        --------
        >>> from d20kit.bestiary import weapon
        >>> weapon("greatclub").dice("large")
        '2d8'
        """
        return self.damage[_SIZES.index(one_of("size", size, _SIZES))]

    @property
    def grip(self) -> str:
        """How it is held unless the wielder says otherwise; one of the grips of ``strength_damage``."""
        return GRIPS[self.use]


@dataclass(frozen=True)
class ClassProgression:
    """How fast a class gains: its hit die and the progressions of base attack bonus and base saves.

    >>> from d20kit.bestiary import class_progression
    >>> class_progression("rogue")
    ClassProgression(name='rogue', hit_die=6, attack='average', fortitude='poor', reflex='good', will='poor')
    """

    name: str
    hit_die: int
    attack: str
    fortitude: str
    reflex: str
    will: str
