"""What one attack rolls: to hit, to confirm, damage, and the save against it."""

from __future__ import annotations

from dataclasses import dataclass

from d20kit.attack import Outcome
from d20kit.battle.events.event import Event
from d20kit.battle.wording import defence_words, outcome_words, roll_text, save_word, saved_words
from d20kit.language import _


@dataclass(frozen=True, slots=True)
class AttackRoll(Event):
    """An attack roll against an armor class.

    >>> roll = AttackRoll("Ann", "Bob", "club", 13, 2, 15, False, True, False, Outcome.HIT)
    >>> roll.sentence()
    'Ann attacks Bob with club: d20 13 + 2 = 15 vs AC 15 flat-footed (no Dex): hit'
    """

    kind = "attack roll"
    attacker: str
    target: str
    attack: str
    face: int
    bonus: int
    ac: int
    touch: bool
    flat_footed: bool
    uncanny_dodge: bool
    outcome: Outcome
    threat: bool = False

    @property
    def total(self) -> int:
        """Face plus bonus."""
        return self.face + self.bonus

    def sentence(self) -> str:
        return _("{attacker} attacks {target} with {attack}: {roll} vs AC {defence}: {outcome}").format(
            attacker=self.attacker,
            target=self.target,
            attack=self.attack,
            roll=roll_text(self.face, self.bonus),
            defence=defence_words(self.ac, self.touch, self.flat_footed, self.uncanny_dodge),
            outcome=outcome_words(self.face, self.outcome, self.threat),
        )


@dataclass(frozen=True, slots=True)
class ConfirmationRoll(Event):
    """The second roll that a threat needs to become a critical.

    >>> ConfirmationRoll("Ann", "Bob", 9, 2, 15, Outcome.HIT).sentence()
    'to confirm: d20 9 + 2 = 11 vs AC 15: not confirmed, a plain hit'
    """

    kind = "confirmation roll"
    attacker: str
    target: str
    face: int
    bonus: int
    ac: int
    outcome: Outcome

    def sentence(self) -> str:
        confirmed = self.outcome is Outcome.CRITICAL
        verdict = _("confirmed, a critical hit") if confirmed else _("not confirmed, a plain hit")
        return _("to confirm: {roll} vs AC {ac}: {verdict}").format(
            roll=roll_text(self.face, self.bonus), ac=self.ac, verdict=verdict
        )


@dataclass(frozen=True, slots=True)
class DamageRoll(Event):
    """What a hit deals before any save; ``rolls`` spells out the dice.

    >>> DamageRoll("Ann", "Bob", "1d4 (1) - 2", -1, 1, False, (1,)).sentence()
    'damage 1d4 (1) - 2 = -1, but a hit deals at least 1'
    """

    kind = "damage"
    attacker: str
    target: str
    rolls: str
    rolled: int
    damage: int
    critical: bool
    faces: tuple[int, ...]

    def dice(self) -> tuple[int, ...]:
        """Return the faces of the damage dice."""
        return self.faces

    def sentence(self) -> str:
        text = _("critical damage {rolls} = {rolled}") if self.critical else _("damage {rolls} = {rolled}")
        said = text.format(rolls=self.rolls, rolled=self.rolled)
        if self.damage == self.rolled:
            return said
        return _("{said}, but a hit deals at least {damage}").format(said=said, damage=self.damage)


@dataclass(frozen=True, slots=True)
class SavingThrow(Event):
    """A save against the damage of a hit; ``damage`` is what is left of it.

    >>> SavingThrow("Bob", "reflex", 11, 4, 15, success=True, damage=3).sentence()
    'Bob saves on Reflex: d20 11 + 4 = 15 vs DC 15: succeeds, 3 damage'
    """

    kind = "saving throw"
    name: str
    save: str
    face: int
    bonus: int
    dc: int
    success: bool
    damage: int

    @property
    def total(self) -> int:
        """Face plus bonus."""
        return self.face + self.bonus

    def sentence(self) -> str:
        return _("{name} saves on {save}: {roll} vs DC {dc}: {verdict}, {damage} damage").format(
            name=self.name,
            save=save_word(self.save),
            roll=roll_text(self.face, self.bonus),
            dc=self.dc,
            verdict=saved_words(self.face, self.success, self.total >= self.dc),
            damage=self.damage,
        )


@dataclass(frozen=True, slots=True)
class HarmlessHit(Event):
    """A hit by an attack that does no damage by itself.

    >>> HarmlessHit("Ann", "Bob").sentence()
    'this attack does no damage by itself'
    """

    kind = "harmless hit"
    attacker: str
    target: str

    def sentence(self) -> str:
        return _("this attack does no damage by itself")
