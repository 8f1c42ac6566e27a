"""What is left of a battle's one-off beginning: the turn under way, a surprise round, the first round.

Until everybody has had a turn somebody may be flat-footed, so these turns are not yet part of the rounds that repeat.
They are followed forwards: weights of all vectors they lead to, along every order of turns that initiative can give.
Histories of the same turns in other orders are led side by side, as lanes: what a turn can do is the same in all of
them, only the weights differ. As soon as nobody's being flat-footed matters, the chain of rounds takes over.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from d20kit.battle.solve.cycles import Cycle
from d20kit.battle.solve.moves import Lanes, Moves
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

    >>> line = Line(Fraction(1, 2), ((1, True), (0, False), (1, False)), order=(0, 1), ready=1, skipped=-1)
    >>> line.order_after(1), line.order_after(2)
    ((0, 1), (1, 0))
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


class Part(NamedTuple):
    """Histories in which the same turns have been had, one a lane, and the lines that go on from each.

    >>> line = Line(Fraction(1), ((0, False), (1, False)), order=(0, 1), ready=1, skipped=0)
    >>> part = Part(Lanes({7: [1]}, {}, 1), [[line]])
    >>> len(part.lines), part.acted
    (1, frozenset())
    """

    lanes: Lanes
    lines: list[list[Line]]
    acted: frozenset[Turn] = frozenset()


class Opening:
    """The beginning of a battle, from some moment of it.

    >>> from d20kit.battle import Encounter
    >>> from d20kit.battle.solve.roster import Roster
    >>> from d20kit.battle.solve.turns import Turns, Winner
    >>> duel = Encounter.ready("duel")
    >>> moves = Moves(Turns(Roster(duel), Winner()))
    >>> opening = Opening(duel, moves, Position(duel, moves.turns, ()))
    >>> {line.order: line.chance for line in opening.lines}
    {(0, 1): Fraction(1, 2), (1, 0): Fraction(1, 2)}
    """

    def __init__(self, encounter: Encounter, moves: Moves, position: Position) -> None:
        self.moves, self.roster, self.position = moves, moves.roster, position
        self.start = self._start()
        self.vectors = [moves.vector(code) for code in self.start.going]
        self._active = sorted({who for now in self.vectors for who in moves.turns.active(now)})
        self._plan = surprise_round({one.name: one.aware for one in encounter.combatants}, rules=encounter.rules)
        self._acting = [who for who, one in enumerate(encounter.combatants) if one.name in self._plan.acting]
        self.lines = [self._line(chance, order) for order, chance in self._orders().items()] if self.vectors else []

    def _start(self) -> Lanes:
        weights, total = self.position.weights()
        going = {self.moves.code(now): [weight] for now, weight in weights.items() if not isinstance(now, Over)}
        over = {end.answer: [weight] for end, weight in weights.items() if isinstance(end, Over)}
        return Lanes(going, over, total)

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
        position, done = self.position, 0
        surprise: tuple[Turn, ...] = ()
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

    def leaves(self, floating: bool) -> Iterator[tuple[int, Part]]:
        """Follow the beginning along all orders; yield where lines are ready, with the number of turns it took."""
        start = _as_floats(self.start) if floating else self.start
        parts, done = [Part(start, [self.lines])], 0
        if not self.lines:
            yield done, parts[0]
            return
        while parts:
            for part in parts:
                ready = [[line for line in lines if line.ready == done] for lines in part.lines]
                if any(ready):
                    yield done, part._replace(lines=ready)
            parts, done = list(self._advance(parts, done, floating)), done + 1

    def _advance(self, parts: list[Part], done: int, floating: bool) -> Iterator[Part]:
        """Give everybody whose turn it may be that turn; histories of the same turns take it side by side."""
        alike: dict[frozenset[Turn], list[Part]] = {}
        for part in parts:
            alike.setdefault(part.acted, []).append(part)
        for acted, some in alike.items():
            part = _joined(some)
            branches: dict[Turn, dict[int, list[Line]]] = {}
            for lane, lines in enumerate(part.lines):
                for line in lines:
                    if line.ready > done:
                        branches.setdefault(line.turns[done], {}).setdefault(lane, []).append(line)
            for turn, by_lane in branches.items():
                who, first_only = turn
                flat_footed = self.position.flat_footed - {other for other, _first in (*acted, turn)}
                lanes = _chosen(part.lanes, list(by_lane))
                after = self.moves.advance(who, lanes, frozenset(flat_footed), first_only, floating)
                yield Part(after, list(by_lane.values()), acted | {turn})


def _as_floats(lanes: Lanes) -> Lanes:
    going = {code: [weight / lanes.total for weight in weights] for code, weights in lanes.going.items()}
    over = {answer: [weight / lanes.total for weight in weights] for answer, weights in lanes.over.items()}
    return Lanes(going, over, 1.0, lanes.roundings + 1)


def _chosen(lanes: Lanes, chosen: list[int]) -> Lanes:
    """Keep some lanes, and the vectors that have weight in them."""
    going = {code: [weights[lane] for lane in chosen] for code, weights in lanes.going.items()}
    over = {answer: [weights[lane] for lane in chosen] for answer, weights in lanes.over.items()}
    return lanes._replace(going={code: weights for code, weights in going.items() if any(weights)}, over=over)


def _joined(parts: list[Part]) -> Part:
    """Put the lanes of several parts side by side."""
    if len(parts) == 1:
        return parts[0]
    width = sum(len(part.lines) for part in parts)
    going: dict[int, list[Any]] = {}
    over: dict[Any, list[Any]] = {}
    first = 0
    for part in parts:
        last = first + len(part.lines)
        for sums, those in ((going, part.lanes.going), (over, part.lanes.over)):
            for key, weights in those.items():
                if key not in sums:
                    sums[key] = [0] * width
                sums[key][first:last] = weights
        first = last
    roundings = max(part.lanes.roundings for part in parts)
    lines = [some for part in parts for some in part.lines]
    return Part(Lanes(going, over, parts[0].lanes.total, roundings), lines, parts[0].acted)
