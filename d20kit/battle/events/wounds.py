"""What becomes of the wounded: hit points, bleeding, stabilising, massive damage."""

from __future__ import annotations

from dataclasses import dataclass

from d20kit.battle.events.event import Event
from d20kit.battle.wording import roll_text, state_word
from d20kit.hit_points import State
from d20kit.language import _


@dataclass(frozen=True, slots=True)
class HitPointChange(Event):
    """Hit points before and after, and the state they mean.

    >>> HitPointChange("Bob", 5, -2, State.HEALTHY, State.DYING).sentence()
    'Bob: 5 -> -2 hit points, dying'
    """

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
    """What acting costs the disabled, where it costs something.

    >>> Exertion("Bob", 0, -1, State.DISABLED, State.DYING).sentence()
    'Bob acted while disabled: 0 -> -1 hit points, dying'
    """

    kind = "exertion"

    def sentence(self) -> str:
        return _("{name} acted while disabled: {before} -> {after} hit points, {state}").format(
            name=self.name, before=self.before, after=self.after, state=state_word(self.state)
        )


@dataclass(frozen=True, slots=True)
class Bleeding(HitPointChange):
    """The hit point the dying lose at their own turn.

    >>> Bleeding("Bob", -9, -10, State.DYING, State.DEAD).sentence()
    'Bob is dying and bleeds: -9 -> -10 hit points, dead'
    """

    kind = "bleeding"

    def sentence(self) -> str:
        return _("{name} is dying and bleeds: {before} -> {after} hit points, {state}").format(
            name=self.name, before=self.before, after=self.after, state=state_word(self.state)
        )


@dataclass(frozen=True, slots=True)
class StabiliseRoll(Event):
    """The percentile roll by which the dying may become stable.

    >>> StabiliseRoll("Bob", 34, 10, stable=False).sentence()
    'Bob tries to stabilise: d100 34, needs 10 or less: not yet stable'
    """

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
    """The Fortitude save that one very heavy hit calls for.

    >>> MassiveDamageSave("Bob", 53, 8, 6, 15, success=False).sentence()
    'massive damage, 53 in one hit: Bob saves on Fortitude, d20 8 + 6 = 14 vs DC 15: dies of it'
    """

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
