"""Who acts when: awareness, the surprise round, initiative, rounds and the end of the battle."""

from __future__ import annotations

from dataclasses import dataclass

from d20kit.battle.events.event import Event
from d20kit.battle.wording import join_names, roll_text, state_word
from d20kit.hit_points import State
from d20kit.language import _, ngettext


@dataclass(frozen=True, slots=True)
class Awareness(Event):
    """Whether a combatant knows of the enemy as the battle begins.

    >>> Awareness("Ann", "red", aware=False).sentence()
    'Ann (red) is not aware'
    """

    kind = "awareness"
    name: str
    side: str
    aware: bool

    def sentence(self) -> str:
        text = _("{name} ({side}) is aware of the enemy") if self.aware else _("{name} ({side}) is not aware")
        return text.format(name=self.name, side=self.side)


@dataclass(frozen=True, slots=True)
class SurpriseRoundBegins(Event):
    """A surprise round, in which only the aware act.

    >>> SurpriseRoundBegins(("Goblin A", "Goblin B"), ("Ann",)).sentence()
    'unaware: Ann; in the surprise round Goblin A and Goblin B may attack once'
    """

    kind = "surprise round begins"
    acting: tuple[str, ...]
    waiting: tuple[str, ...]

    def sentence(self) -> str:
        return _("unaware: {waiting}; in the surprise round {acting} may attack once").format(
            waiting=join_names(self.waiting), acting=join_names(self.acting)
        )


@dataclass(frozen=True, slots=True)
class SurpriseRoundSkipped(Event):
    """No surprise round: everybody is aware, or nobody is.

    >>> SurpriseRoundSkipped(anybody_aware=True).sentence()
    'everybody is aware: no surprise round'
    """

    kind = "surprise round skipped"
    anybody_aware: bool

    def sentence(self) -> str:
        if self.anybody_aware:
            return _("everybody is aware: no surprise round")
        return _("nobody is aware, so nobody could act in a surprise round: it is skipped")


@dataclass(frozen=True, slots=True)
class InitiativeRoll(Event):
    """A combatant's first initiative roll.

    >>> roll = InitiativeRoll("Ann", 14, -1)
    >>> roll.sentence(), roll.total
    ('Ann rolls initiative: d20 14 - 1 = 13', 13)
    """

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
    """Another roll of a combatant who is tied; it decides only among the tied.

    >>> TieReroll("Ann", 9, 2, ("Bob", "Cid")).sentence()
    'Ann, tied with Bob and Cid, rolls again: d20 9 + 2 = 11'
    """

    kind = "tie reroll"
    tied_with: tuple[str, ...]

    def sentence(self) -> str:
        return _("{name}, tied with {others}, rolls again: {roll}").format(
            name=self.name, others=join_names(self.tied_with), roll=roll_text(self.face, self.modifier)
        )


@dataclass(frozen=True, slots=True)
class InitiativeOrder(Event):
    """The order of turns from here on, highest first.

    >>> InitiativeOrder(("Bob", "Ann")).sentence()
    'order: Bob, Ann'
    """

    kind = "initiative order"
    order: tuple[str, ...]

    def sentence(self) -> str:
        return _("order: {names}").format(names=", ".join(self.order))


@dataclass(frozen=True, slots=True)
class RoundBegins(Event):
    """A round, with everybody's name, side, hit points and state as it begins.

    >>> begun = RoundBegins(2, (("Ann", "red", 5, State.HEALTHY), ("Bob", "blue", 0, State.DISABLED)))
    >>> begun.record()["standings"]
    [['Ann', 'red', 5, 'healthy'], ['Bob', 'blue', 0, 'disabled']]
    """

    kind = "round begins"
    number: int
    standings: tuple[tuple[str, str, int, State], ...]

    def sentence(self) -> str:
        return _("round {number}").format(number=self.number)


@dataclass(frozen=True, slots=True)
class NoLongerFlatFooted(Event):
    """A combatant's first turn, which ends being flat-footed, whatever is done with it.

    >>> NoLongerFlatFooted("Ann").sentence()
    'Ann takes a first turn and is no longer flat-footed'
    """

    kind = "no longer flat-footed"
    name: str

    def sentence(self) -> str:
        return _("{name} takes a first turn and is no longer flat-footed").format(name=self.name)


@dataclass(frozen=True, slots=True)
class Inaction(Event):
    """A turn in which nothing is done.

    >>> Inaction("Ann", State.STABLE).sentence()
    'Ann is stable and cannot act'
    """

    kind = "inaction"
    name: str
    state: State

    def sentence(self) -> str:
        if self.state.can_act:
            return _("{name} does nothing (inaction uses the turn)").format(name=self.name)
        return _("{name} is {state} and cannot act").format(name=self.name, state=state_word(self.state))


@dataclass(frozen=True, slots=True)
class BattleEnds(Event):
    """The end: a side has nobody left who can act, or the round limit is reached.

    >>> BattleEnds("red", ("blue",), 3).sentence()
    'blue have nobody left who can act: red win'
    >>> BattleEnds(None, (), 1000).sentence()
    'a draw: after 1000 rounds, the limit, both sides can still act'
    """

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
