"""Read the events of a battle under way: who stands how, whose turn it is, and which die falls next."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from d20kit.attack import Outcome, hit_chance
from d20kit.battle.events import Event
from d20kit.battle.solve.roster import DEAD, STABLE, Blow, Vector
from d20kit.battle.solve.turns import Over, Turns, Weights
from d20kit.damage import critical_damage, hit_damage
from d20kit.dice import Pmf
from d20kit.hit_points import MASSIVE_DAMAGE, State

if TYPE_CHECKING:
    from d20kit.battle.encounter import Encounter

Outcomes = tuple[list[tuple[int, int]], int]


class Position:
    """A battle after some events.

    ``order`` is the order of the round under way, None while initiative is being rolled for it; ``place`` counts who
    has had a turn in it. ``surprised`` is true from the start until the surprise round is over or known to be skipped.

    >>> from d20kit.battle import Encounter
    >>> from d20kit.battle.solve.roster import Roster
    >>> from d20kit.battle.solve.turns import Winner
    >>> duel = Encounter.ready("duel")
    >>> battle, turns = duel.fight(1), Turns(Roster(duel), Winner())
    >>> first_blow = next(k for k, event in enumerate(battle.events) if event.kind == "state change")
    >>> position = Position(duel, turns, battle.events[: first_blow + 1])
    >>> position.order, position.now, position.flat_footed
    ((1, 0), (15, 22), {0})
    """

    def __init__(self, encounter: Encounter, turns: Turns, given: Iterable[Event]) -> None:
        self.turns, self.roster = turns, turns.roster
        self.now: Vector = self.roster.start
        self.flat_footed = set(range(len(self.now)))
        self.faces: dict[int, list[int]] = {who: [] for who in range(len(self.now))}
        self.surprised = True
        self.order: tuple[int, ...] | None = None
        self.place = 0
        self.answer: Over | None = None
        self._who = {one.name: who for who, one in enumerate(encounter.combatants)}
        self._verdict: str | None = None
        self._end_turn()
        for event in given:
            self._read(event)

    def _end_turn(self) -> None:
        self._actor: int | None = None
        self._made = 0
        self._acted = False
        self._bleeds = False
        self._pending: Callable[[], tuple[int, Outcomes]] | None = None

    def _read(self, event: Any) -> None:
        if event.kind in _READERS:
            _READERS[event.kind](self, event)

    def _surprise_skipped(self, event: Any) -> None:
        self.surprised = False

    def _initiative(self, event: Any) -> None:
        self._next_round()
        self.faces[self._who[event.name]].append(event.face)

    def _initiative_order(self, event: Any) -> None:
        self._next_round()
        self.order = tuple(self._who[name] for name in event.order)

    def _next_round(self) -> None:
        """Dice for initiative, or a second order, come after the surprise round."""
        if self.order is not None:
            self.surprised, self.order, self.place = False, None, 0
        self._end_turn()

    def _round(self, event: Any) -> None:
        assert self.order is not None
        self.surprised, self.place = False, 0
        self._end_turn()

    def _begin_turn(self, name: str) -> None:
        assert self.order is not None
        who = self._who[name]
        if who != self._actor:
            self._end_turn()
            self._actor, self.place = who, self.order.index(who) + 1

    def _no_longer_flat_footed(self, event: Any) -> None:
        self._begin_turn(event.name)
        who = self._who[event.name]
        self.flat_footed.discard(who)
        # The turn has begun, and of the dying nothing else is told before the die falls.
        self._bleeds = self.now[who] < 1

    def _attack(self, event: Any) -> None:
        self._begin_turn(event.attacker)
        assert self._actor is not None
        self._which, self._target = self._made, self._who[event.target]
        self._made, self._acted = self._made + 1, True
        if event.outcome is Outcome.MISS:
            self._pending = None
        elif event.threat:
            chance = hit_chance(event.bonus, event.ac)
            self._expect(lambda: Pmf.mixture([(chance, self._damage(True)), (1 - chance, self._damage(False))]))
        else:
            self._expect(lambda: self._damage(event.outcome is Outcome.CRITICAL))

    def _confirmation(self, event: Any) -> None:
        self._expect(lambda: self._damage(event.outcome is Outcome.CRITICAL))

    def _damage(self, critical: bool) -> Pmf:
        assert self._actor is not None
        attack = self.roster.attacks[self._actor][self._which]
        if attack.damage is None:
            return Pmf({0: 1})
        rules, extra = self.roster.rules, attack.extra
        if critical:
            rolled = critical_damage(attack.damage, multiplier=attack.multiplier, extra=extra, rules=rules)
        else:
            rolled = hit_damage(attack.damage, extra=extra, rules=rules)
        return self.roster.saved(attack, self._target, rolled)

    def _expect(self, damage: Callable[[], Pmf]) -> None:
        """Damage is still to be rolled, or, rolled already, to be taken."""
        target, margin = self._target, self.now[self._target]

        def outcomes() -> tuple[int, Outcomes]:
            fallen = damage()
            total = sum(fallen.weights) * self.roster.save_faces(fallen)
            return target, (Blow(self.roster, target, fallen, total).outcomes(margin), total)

        self._pending = outcomes

    def _harmless(self, event: Any) -> None:
        self._pending = None

    def _damage_rolled(self, event: Any) -> None:
        assert self._actor is not None
        self._dealt = event.damage
        attack = self.roster.attacks[self._actor][self._which]
        self._expect(lambda: self.roster.saved(attack, self._target, Pmf({event.damage: 1})))

    def _saving_throw(self, event: Any) -> None:
        self._dealt = event.damage
        self._expect(lambda: Pmf({event.damage: 1}))

    def _hit_points(self, event: Any) -> None:
        who = self._change(event)
        self._pending = None
        if self.roster.rules.massive_damage and self._dealt >= MASSIVE_DAMAGE and event.state is not State.DEAD:
            kills = self.roster.killed_outright(who, self._dealt)
            weights = [(DEAD, kills.numerator), (self.now[who], kills.denominator - kills.numerator)]
            self._pending = lambda: (who, ([pair for pair in weights if pair[1]], kills.denominator))

    def _change(self, event: Any) -> int:
        who = self._who[event.name]
        self._put(who, self.roster.place(who, event.after, event.state))
        return who

    def _put(self, who: int, margin: int) -> None:
        self.now = (*self.now[:who], margin, *self.now[who + 1 :])
        if self._verdict is None:
            self._verdict = self.turns.question.ended(self.roster, self.roster.start, self.now)

    def _massive_save(self, event: Any) -> None:
        who = self._who[event.name]
        self._pending = None if event.success else lambda: (who, ([(DEAD, 1)], 1))

    def _exertion(self, event: Any) -> None:
        self._change(event)
        self._close_turn(event)

    def _close_turn(self, event: Any) -> None:
        """What is told last in a turn."""
        self._begin_turn(event.name)
        self._made, self._acted, self._pending = len(self.roster.attacks[self._who[event.name]]), False, None
        self._bleeds = False

    def _stabilise(self, event: Any) -> None:
        self._begin_turn(event.name)
        who = self._who[event.name]
        tracked = who == self.roster.tracked
        bled = self.roster.lose(who, self.now[who], 1) if tracked else DEAD
        if event.stable and tracked:
            self._put(who, STABLE)
        self._close_turn(event)
        if not event.stable:
            self._pending = lambda: (who, ([(bled, 1)], 1))

    def _bleeding(self, event: Any) -> None:
        self._begin_turn(event.name)
        self._change(event)
        self._close_turn(event)

    def _ends(self, event: Any) -> None:
        if event.winner is None:
            self.answer = Over(None)

    def weights(self) -> tuple[Weights, int]:
        """Return what the turn under way will have led to when it is over."""
        if self.answer is not None:
            return {self.answer: 1}, 1
        if self._bleeds and self._verdict is None and self._actor is not None:
            return self.turns.bleed(self._actor, self.now)
        running: dict[Vector, int] = {}
        decided: dict[tuple[str, Vector], int] = {}
        total = 1
        target, (outcomes, total) = (0, ([(self.now[0], 1)], 1)) if self._pending is None else self._pending()
        if self._verdict is not None:
            for margin, weight in outcomes:
                then = (*self.now[:target], margin, *self.now[target + 1 :])
                decided[self._verdict, then] = decided.get((self._verdict, then), 0) + weight
        else:
            self.turns.hurt(target, self.now, self.now, outcomes, running, decided)
        who = 0 if self._actor is None else self._actor
        attacks = range(self._made, self._attacks_in_turn(who)) if self._turn_goes_on(who) else range(0)
        flat_footed = frozenset(self.flat_footed)
        acted = self._acted or (bool(attacks) and bool(self.roster.targets(who, self.now, flat_footed)))
        weights, more = self.turns.finish(who, self.now, running, decided, flat_footed, attacks, acted)
        return weights, total * more

    def _turn_goes_on(self, who: int) -> bool:
        return self._actor is not None and self.now[who] >= 1

    def _attacks_in_turn(self, who: int) -> int:
        count = len(self.roster.attacks[who])
        return min(1, count) if self.surprised else count


_READERS: dict[str, Callable[[Position, Any], None]] = {
    "surprise round skipped": Position._surprise_skipped,
    "initiative roll": Position._initiative,
    "tie reroll": Position._initiative,
    "initiative order": Position._initiative_order,
    "round begins": Position._round,
    "no longer flat-footed": Position._no_longer_flat_footed,
    "attack roll": Position._attack,
    "confirmation roll": Position._confirmation,
    "damage": Position._damage_rolled,
    "saving throw": Position._saving_throw,
    "harmless hit": Position._harmless,
    "state change": Position._hit_points,
    "massive damage save": Position._massive_save,
    "exertion": Position._exertion,
    "stabilise": Position._stabilise,
    "bleeding": Position._bleeding,
    "inaction": Position._close_turn,
    "battle ends": Position._ends,
}
