"""What is left of a battle's one-off beginning: the turn under way, a surprise round, the first round.

Until everybody has had a turn somebody may be flat-footed, so these turns are not yet part of the rounds that repeat.
They are followed forwards: weights of all vectors they lead to, along every order of turns that initiative can give,
orders sharing what they have in common. As soon as nobody's being flat-footed matters, the chain of rounds takes over.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from d20kit.battle.solve.cycles import Cycle
from d20kit.battle.solve.moves import Moves, Weights
from d20kit.battle.solve.orders import chances_of_orders
from d20kit.battle.solve.position import Position
from d20kit.battle.solve.turns import Over
from d20kit.initiative import surprise_round

if TYPE_CHECKING:
    from d20kit.battle.encounter import Encounter

# A combatant's turn, and whether it is one of the surprise round.
Turn = tuple[int, bool]


class Line(NamedTuple):
    """One order that initiative can give: its chance, the turns of the beginning, and how the rounds go on.

    ``ready`` counts the turns after which nobody's being flat-footed matters; ``skipped`` is what has to be added to
    a count of turns to find the next one's place in the order.
    """

    chance: Fraction
    turns: tuple[Turn, ...]
    order: Cycle
    ready: int
    skipped: int

    def order_after(self, done: int) -> Cycle:
        """Return the order of turns from then on."""
        place = (done + self.skipped) % len(self.order)
        return self.order[place:] + self.order[:place]


class Leaf(NamedTuple):
    """Where the beginning has led, how many turns it took, and the lines that share it."""

    weights: Weights
    done: int
    lines: list[Line]


class Opening:
    """The beginning of a battle, from some moment of it."""

    def __init__(self, encounter: Encounter, moves: Moves, position: Position) -> None:
        self.moves, self.roster, self.position = moves, moves.roster, position
        self.weights = self._first_weights()
        self.vectors = [moves.vector(code) for code in self.weights.going]
        self._active = sorted({who for now in self.vectors for who in moves.turns.active(now)})
        self._plan = surprise_round({one.name: one.aware for one in encounter.combatants}, rules=encounter.rules)
        self._acting = [who for who, one in enumerate(encounter.combatants) if one.name in self._plan.acting]
        self.lines = [self._line(chance, order) for order, chance in self._orders().items()] if self.vectors else []

    def _first_weights(self) -> Weights:
        weights, total = self.position.weights()
        going = {self.moves.code(now): weight for now, weight in weights.items() if not isinstance(now, Over)}
        over = {end.answer: weight for end, weight in weights.items() if isinstance(end, Over)}
        return Weights(going, over, total)

    @property
    def orders(self) -> list[Cycle]:
        """All orders that are still possible."""
        return [line.order for line in self.lines]

    def _orders(self) -> dict[Cycle, Fraction]:
        """Return the orders of the coming rounds: one that is known, or all of those whose turns still matter."""
        position = self.position
        if position.order is not None and not self._surprise_round_goes_on:
            return {position.order: Fraction(1)}
        modifiers = {who: self.roster.combatants[who].initiative for who in self._active}
        return chances_of_orders(modifiers, position.faces, self.roster.rules)

    @property
    def _surprise_round_goes_on(self) -> bool:
        return self.position.surprised and self._plan.happens

    def _line(self, chance: Fraction, order: Cycle) -> Line:
        position, surprise, done = self.position, (), 0
        if self._surprise_round_goes_on:
            acting = [who for who in order if who in self._acting]
            if position.order is not None:
                acting = [who for who in position.order[position.place :] if who in self._active]
            surprise = tuple((who, True) for who in acting)
        elif position.order is not None:
            done = position.place
        turns = (*surprise, *((who, False) for who in order[done:]))
        return Line(chance, turns, order, self._ready(turns, len(surprise)), done - len(surprise))

    def _ready(self, turns: tuple[Turn, ...], least: int) -> int:
        """Find the last turn in which an attack may meet somebody flat-footed to whom it matters."""
        awake = set(self._active)
        for done in range(len(turns), least, -1):
            who = turns[done - 1][0]
            if who not in awake:
                continue
            flat_footed = self.position.flat_footed - {other for other, _first in turns[:done]}
            if any(self.roster.sensitive(who, j) for j in self.roster.enemies[who] if j in flat_footed & awake):
                return done
        return least

    def leaves(self) -> Iterator[Leaf]:
        """Follow the beginning along all orders."""
        if self.lines:
            yield from self._follow(self.lines, 0, self.weights, frozenset(self.position.flat_footed))
        else:
            yield Leaf(self.weights, 0, [])

    def _follow(self, lines: list[Line], done: int, weights: Weights, flat_footed: frozenset[int]) -> Iterator[Leaf]:
        ready = [line for line in lines if line.ready <= done]
        if ready:
            yield Leaf(weights, done, ready)
        branches: dict[Turn, list[Line]] = {}
        for line in lines:
            if line.ready > done:
                branches.setdefault(line.turns[done], []).append(line)
        for (who, first_only), some in branches.items():
            left = flat_footed - {who}
            yield from self._follow(some, done + 1, self.moves.advance(who, weights, left, first_only), left)
