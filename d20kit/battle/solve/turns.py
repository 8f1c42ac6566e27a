"""What one turn can lead to, and the questions that decide when a battle is over for the one who asks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from d20kit.battle.solve.roster import STABLE, Roster, Vector
from d20kit.hit_points import State

Weights = dict["Vector | Over", int]
NOBODY: frozenset[int] = frozenset()


class Over(NamedTuple):
    """The battle is over, with an answer to the question that was asked; None if it stopped undecided.

    >>> Over("red").answer
    'red'
    """

    answer: str | State | None


@dataclass(frozen=True)
class Winner:
    """Which side wins?

    >>> from d20kit.battle import Encounter
    >>> roster = Roster(Encounter.ready("duel"))
    >>> Winner().ended(roster, roster.start, (0, 7)), Winner().ended(roster, roster.start, (3, 7))
    ('blue', None)
    """

    tracked: int | None = None

    def ended(self, roster: Roster, before: Vector, now: Vector) -> str | None:
        """Return what decides the question at this moment of a turn that began with ``before``; None if nothing."""
        return roster.sole_side(now)

    def answer(self, roster: Roster, verdict: str, final: Vector) -> str | State:
        """Return the answer, once the turn that decided it is over."""
        return verdict


@dataclass(frozen=True)
class Fate(Winner):
    """In which state does one combatant, the tracked one, end?

    >>> from d20kit.battle import Encounter
    >>> roster = Roster(Encounter.ready("duel"), tracked=0)
    >>> Fate(0).answer(roster, "blue", (STABLE, 7))
    <State.STABLE: 'stable'>
    """

    def answer(self, roster: Roster, verdict: str, final: Vector) -> str | State:
        """Return its state after the turn that ended the battle."""
        assert self.tracked is not None
        return roster.fate(self.tracked, final[self.tracked])


@dataclass(frozen=True)
class FirstFall(Winner):
    """Who is the first that can no longer act?

    >>> from d20kit.battle import Encounter
    >>> roster = Roster(Encounter.ready("duel"))
    >>> FirstFall().ended(roster, roster.start, (0, 7))
    'Red fighter'
    """

    def ended(self, roster: Roster, before: Vector, now: Vector) -> str | None:
        """Return the name of whoever has fallen."""
        fallen = (i for i, margin in enumerate(now) if margin < 1 <= before[i])
        return next((roster.combatants[i].name for i in fallen), None)


class Turns:
    """The turns of an encounter, as whole-number weights of the vectors they lead to.

    >>> from fractions import Fraction
    >>> from d20kit.battle import Attack, Combatant, Encounter
    >>> ann, bob = (Combatant(name, name, 1, 11, Attack("dagger", 0, "1d4+1")) for name in ("Ann", "Bob"))
    >>> turns = Turns(Roster(Encounter([ann, bob])), Winner())
    >>> weights, total = turns.turn(0, turns.roster.start, NOBODY, [0])
    >>> {then: Fraction(weight, total) for then, weight in weights.items()}
    {Over(answer='Ann'): Fraction(1, 2), (2, 2): Fraction(1, 2)}
    """

    def __init__(self, roster: Roster, question: Winner) -> None:
        self.roster, self.question = roster, question

    def active(self, now: Vector) -> tuple[int, ...]:
        """Return whose turns still change something: who can act, and the tracked one while it is dying."""
        return tuple(i for i, margin in enumerate(now) if margin > STABLE)

    def turn(self, who: int, now: Vector, flat_footed: frozenset[int], attacks: Sequence[int]) -> tuple[Weights, int]:
        """Return where a turn with these attacks leads, and the total of the weights.

        The attacks are made one after the other, each at an enemy that can still act; the first moment that decides
        the question ends it, and what acting costs the disabled is paid last, and once.
        """
        if now[who] < 1:
            return self.bleed(who, now)
        acted = bool(attacks) and bool(self.roster.targets(who, now, flat_footed))
        return self.finish(who, now, {now: 1}, {}, flat_footed, attacks, acted)

    def finish(
        self,
        who: int,
        before: Vector,
        running: dict[Vector, int],
        decided: dict[tuple[str, Vector], int],
        flat_footed: frozenset[int],
        attacks: Sequence[int],
        acted: bool,
    ) -> tuple[Weights, int]:
        """Return where the rest of a turn leads, from weights of what it has led to so far."""
        total = 1
        for which in attacks:
            one = self.roster.total(who, which)
            total *= one
            decided = {key: weight * one for key, weight in decided.items()}
            running = self._strike(who, which, before, running, decided, flat_footed)
        return self._settle(who, before, running, decided, acted), total

    def _strike(
        self,
        who: int,
        which: int,
        before: Vector,
        running: dict[Vector, int],
        decided: dict[tuple[str, Vector], int],
        flat_footed: frozenset[int],
    ) -> dict[Vector, int]:
        after: dict[Vector, int] = {}
        for now, weight in running.items():
            targets = self.roster.targets(who, now, flat_footed)
            if not targets:
                after[now] = after.get(now, 0) + weight * self.roster.total(who, which)
            share = weight * self.roster.spread(who) // max(1, len(targets))
            for target in targets:
                outcomes = self.roster.blow(who, which, target, target in flat_footed).outcomes(now[target])
                shares = [(margin, share * chance) for margin, chance in outcomes]
                self.hurt(target, before, now, shares, after, decided)
        return after

    def hurt(
        self,
        target: int,
        before: Vector,
        now: Vector,
        outcomes: list[tuple[int, int]],
        running: dict[Vector, int],
        decided: dict[tuple[str, Vector], int],
    ) -> None:
        """Add what may become of a target: to the battles that go on, or to those that are decided."""
        head, tail = now[:target], now[target + 1 :]
        for margin, weight in outcomes:
            then = (*head, margin, *tail)
            verdict = self.question.ended(self.roster, before, then) if margin < 1 else None
            if verdict is None:
                running[then] = running.get(then, 0) + weight
            else:
                decided[verdict, then] = decided.get((verdict, then), 0) + weight

    def _settle(
        self, who: int, before: Vector, running: dict[Vector, int], decided: dict[tuple[str, Vector], int], acted: bool
    ) -> Weights:
        """End a turn: pay for acting, and tell battles that go on from those that are over."""
        after: Weights = {}
        for (verdict, now), weight in decided.items():
            answer = Over(self.question.answer(self.roster, verdict, self._paid(who, now, acted)))
            after[answer] = after.get(answer, 0) + weight
        for now, weight in running.items():
            paid = self._paid(who, now, acted)
            ended = None if paid is now else self.question.ended(self.roster, before, paid)
            then = paid if ended is None else Over(self.question.answer(self.roster, ended, paid))
            after[then] = after.get(then, 0) + weight
        return after

    def _paid(self, who: int, now: Vector, acted: bool) -> Vector:
        left = self.roster.pay(who, now[who]) if acted else now[who]
        return now if left == now[who] else (*now[:who], left, *now[who + 1 :])

    def bleed(self, who: int, now: Vector) -> tuple[Weights, int]:
        """Return where the turn of the tracked one leads while it is dying; anybody else's who is out leads nowhere."""
        if now[who] <= STABLE:
            return {now: 1}, 1
        succeed = self.roster.rules.stabilise_chance
        bled = (*now[:who], self.roster.lose(who, now[who], 1), *now[who + 1 :])
        stable = (*now[:who], STABLE, *now[who + 1 :])
        weights: Weights = {bled: succeed.denominator - succeed.numerator, stable: succeed.numerator}
        return {then: weight for then, weight in weights.items() if weight}, succeed.denominator
