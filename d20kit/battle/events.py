"""Everything that can happen in a battle, each a small record that explains itself in a sentence."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import Enum
from fractions import Fraction
from typing import Any, ClassVar

from d20kit.attack import Outcome
from d20kit.battle.wording import (
    defence_words,
    join_names,
    outcome_words,
    roll_text,
    save_word,
    saved_words,
    state_word,
)
from d20kit.hit_points import State
from d20kit.language import _, ngettext


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened; ``kind`` names it in records."""

    kind: ClassVar[str]

    def sentence(self) -> str:
        """Say what happened, with the rule that decided it, in the language in use."""
        raise NotImplementedError

    def dice(self) -> tuple[int, ...]:
        """Return the faces of the dice it tells, in the order they were rolled; all together tell the battle again."""
        return (self.face,) if hasattr(self, "face") else ()

    def record(self) -> dict[str, Any]:
        """Return the event as a dictionary of plain values, ready for JSON."""
        told = {item.name: _plain(getattr(self, item.name)) for item in fields(self)}
        return {"event": self.kind} | told | ({"total": self.total} if hasattr(self, "total") else {})


def _plain(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.name.lower()
    if isinstance(value, Fraction):
        return str(value)
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


@dataclass(frozen=True, slots=True)
class Awareness(Event):
    """Whether a combatant knows of the enemy as the battle begins."""

    kind = "awareness"
    name: str
    side: str
    aware: bool

    def sentence(self) -> str:
        text = _("{name} ({side}) is aware of the enemy") if self.aware else _("{name} ({side}) is not aware")
        return text.format(name=self.name, side=self.side)


@dataclass(frozen=True, slots=True)
class SurpriseRoundBegins(Event):
    """A surprise round, in which only the aware act."""

    kind = "surprise round begins"
    acting: tuple[str, ...]
    waiting: tuple[str, ...]

    def sentence(self) -> str:
        return _("unaware: {waiting}; in the surprise round {acting} may attack once").format(
            waiting=join_names(self.waiting), acting=join_names(self.acting)
        )


@dataclass(frozen=True, slots=True)
class SurpriseRoundSkipped(Event):
    """No surprise round: everybody is aware, or nobody is."""

    kind = "surprise round skipped"
    anybody_aware: bool

    def sentence(self) -> str:
        if self.anybody_aware:
            return _("everybody is aware: no surprise round")
        return _("nobody is aware, so nobody could act in a surprise round: it is skipped")


@dataclass(frozen=True, slots=True)
class InitiativeRoll(Event):
    """A combatant's first initiative roll."""

    kind = "initiative roll"
    name: str
    face: int
    modifier: int

    @property
    def total(self) -> int:
        """Face plus modifier."""
        return self.face + self.modifier

    def sentence(self) -> str:
        return _("{name} rolls initiative: {roll}").format(name=self.name, roll=roll_text(self.face, self.modifier))


@dataclass(frozen=True, slots=True)
class TieReroll(InitiativeRoll):
    """Another roll of a combatant who is tied; it decides only among the tied."""

    kind = "tie reroll"
    tied_with: tuple[str, ...]

    def sentence(self) -> str:
        return _("{name}, tied with {others}, rolls again: {roll}").format(
            name=self.name, others=join_names(self.tied_with), roll=roll_text(self.face, self.modifier)
        )


@dataclass(frozen=True, slots=True)
class InitiativeOrder(Event):
    """The order of turns from here on, highest first."""

    kind = "initiative order"
    order: tuple[str, ...]

    def sentence(self) -> str:
        return _("order: {names}").format(names=", ".join(self.order))


@dataclass(frozen=True, slots=True)
class RoundBegins(Event):
    """A round, with everybody's name, side, hit points and state as it begins."""

    kind = "round begins"
    number: int
    standings: tuple[tuple[str, str, int, State], ...]

    def sentence(self) -> str:
        return _("round {number}").format(number=self.number)


@dataclass(frozen=True, slots=True)
class NoLongerFlatFooted(Event):
    """A combatant's first turn, which ends being flat-footed, whatever is done with it."""

    kind = "no longer flat-footed"
    name: str

    def sentence(self) -> str:
        return _("{name} takes a first turn and is no longer flat-footed").format(name=self.name)


@dataclass(frozen=True, slots=True)
class AttackRoll(Event):
    """An attack roll against an armor class."""

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
    """The second roll that a threat needs to become a critical."""

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
    """What a hit deals before any save; ``rolls`` spells out the dice."""

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
    """A save against the damage of a hit; ``damage`` is what is left of it."""

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
    """A hit by an attack that does no damage by itself."""

    kind = "harmless hit"
    attacker: str
    target: str

    def sentence(self) -> str:
        return _("this attack does no damage by itself")


@dataclass(frozen=True, slots=True)
class HitPointChange(Event):
    """Hit points before and after, and the state they mean."""

    kind = "state change"
    name: str
    before: int
    after: int
    state_before: State
    state: State

    def sentence(self) -> str:
        return _("{name}: {before} -> {after} hit points, {state}").format(
            name=self.name, before=self.before, after=self.after, state=state_word(self.state)
        )


@dataclass(frozen=True, slots=True)
class Exertion(HitPointChange):
    """What acting costs the disabled, where it costs something."""

    kind = "exertion"

    def sentence(self) -> str:
        return _("{name} acted while disabled: {before} -> {after} hit points, {state}").format(
            name=self.name, before=self.before, after=self.after, state=state_word(self.state)
        )


@dataclass(frozen=True, slots=True)
class Bleeding(HitPointChange):
    """The hit point the dying lose at their own turn."""

    kind = "bleeding"

    def sentence(self) -> str:
        return _("{name} is dying and bleeds: {before} -> {after} hit points, {state}").format(
            name=self.name, before=self.before, after=self.after, state=state_word(self.state)
        )


@dataclass(frozen=True, slots=True)
class StabiliseRoll(Event):
    """The percentile roll by which the dying may become stable."""

    kind = "stabilise"
    name: str
    face: int
    needed: int
    stable: bool

    def sentence(self) -> str:
        verdict = _("stable") if self.stable else _("not yet stable")
        return _("{name} tries to stabilise: d100 {face}, needs {needed} or less: {verdict}").format(
            name=self.name, face=self.face, needed=self.needed, verdict=verdict
        )


@dataclass(frozen=True, slots=True)
class MassiveDamageSave(Event):
    """The Fortitude save that one very heavy hit calls for."""

    kind = "massive damage save"
    name: str
    damage: int
    face: int
    bonus: int
    dc: int
    success: bool

    def sentence(self) -> str:
        verdict = _("survives") if self.success else _("dies of it")
        return _("massive damage, {damage} in one hit: {name} saves on Fortitude, {roll} vs DC {dc}: {verdict}").format(
            damage=self.damage, name=self.name, roll=roll_text(self.face, self.bonus), dc=self.dc, verdict=verdict
        )


@dataclass(frozen=True, slots=True)
class Inaction(Event):
    """A turn in which nothing is done."""

    kind = "inaction"
    name: str
    state: State

    def sentence(self) -> str:
        if self.state.can_act:
            return _("{name} does nothing (inaction uses the turn)").format(name=self.name)
        return _("{name} is {state} and cannot act").format(name=self.name, state=state_word(self.state))


@dataclass(frozen=True, slots=True)
class BattleEnds(Event):
    """The end: a side has nobody left who can act, or the round limit is reached."""

    kind = "battle ends"
    winner: str | None
    beaten: tuple[str, ...]
    rounds: int

    def sentence(self) -> str:
        if self.winner is None:
            return ngettext(
                "a draw: after {rounds} round, the limit, both sides can still act",
                "a draw: after {rounds} rounds, the limit, both sides can still act",
                self.rounds,
            ).format(rounds=self.rounds)
        return _("{beaten} have nobody left who can act: {winner} win").format(
            beaten=join_names(self.beaten), winner=self.winner
        )
