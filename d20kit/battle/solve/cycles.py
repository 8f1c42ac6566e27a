"""Turn orders as cycles: who acts after whom, among those whose turns still change something.

From the second round on it does not matter who acted first, only who follows whom. Orders that differ in nobody
active are then one and the same, so as combatants fall the many orders of a battle merge into few cycles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from operator import itemgetter
from typing import Any, NamedTuple

Cycle = tuple[int, ...]
Pick = Callable[[list[Any]], "tuple[Any, ...]"]


class Table(NamedTuple):
    """The cycles of some active combatants; a row has one entry for each answer and cycle.

    ``actors[j]`` says who is j-th in each entry; ``gather[j]`` picks what belongs to them from the rows of all active,
    laid end to end, and ``scatter[i]`` picks the row of the i-th active from the values of all places, laid so too.

    >>> table = Cycles([(0, 1, 2), (0, 2, 1)], ("red", "blue")).table((0, 2))
    >>> table.cycles, table.entries
    ([(0, 2)], 2)
    """

    active: Cycle
    cycles: list[Cycle]
    places: dict[Cycle, int]
    entries: int
    actors: list[list[int]]
    gather: list[Pick]
    scatter: list[Pick]


def from_lowest(order: Cycle) -> Cycle:
    """Turn a cycle so that its lowest member comes first.

    >>> from_lowest((2, 0, 1))
    (0, 1, 2)
    """
    place = order.index(min(order))
    return order[place:] + order[:place]


def picker(places: list[int]) -> Pick:
    """Return what picks several places of a list at once.

    >>> picker([2, 0])(["Ann", "Bob", "Cid"])
    ('Cid', 'Ann')
    """
    if len(places) > 1:
        return itemgetter(*places)
    return lambda values: (values[places[0]],)


class Cycles:
    """All cycles of the orders in which a battle may be fought, and of what is left of them.

    >>> Cycles([(0, 1, 2), (1, 2, 0), (0, 2, 1)], ("red", "blue")).table((0, 1, 2)).cycles
    [(0, 1, 2), (0, 2, 1)]
    """

    def __init__(self, orders: Iterable[Cycle], answers: tuple[Any, ...]) -> None:
        self._all = {from_lowest(order) for order in orders}
        self.answers = answers
        self.table = cache(self._table)
        self.carry = cache(self._carry)
        self.place = cache(self._place)

    def _table(self, active: Cycle) -> Table:
        kept = set(active)
        left = {tuple(one for one in cycle if one in kept) for cycle in self._all}
        cycles = sorted({from_lowest(cycle) for cycle in left})
        every = cycles * len(self.answers)
        width = len(every)
        rank = {who: place for place, who in enumerate(active)}
        positions = range(len(active))
        gather = [picker([rank[cycle[j]] * width + entry for entry, cycle in enumerate(every)]) for j in positions]
        # what the i-th active leaves behind is found by the one after it in the cycle
        after = [[(cycle.index(who) + 1) % len(active) for cycle in every] for who in active]
        scatter = [picker([j * width + entry for entry, j in enumerate(places)]) for places in after]
        actors = [[cycle[j] for cycle in every] for j in positions]
        places = {cycle: place for place, cycle in enumerate(cycles)}
        return Table(active, cycles, places, width, actors, gather, scatter)

    def _carry(self, actor: int, active: Cycle, left: Cycle) -> list[tuple[int, int]]:
        """Return, for each entry, where its value is found once the actor's turn has left only some active.

        The first number is the combatant before the one who acts next, the second the place of the entry.
        """
        here, there = self.table(active), self.table(left)
        pairs = []
        for cycle in here.cycles:
            start = cycle.index(actor)
            pairs.append(self._found(there, cycle[start + 1 :] + cycle[: start + 1]))
        shift = len(there.cycles)
        return [(before, place + answer * shift) for answer in range(len(self.answers)) for before, place in pairs]

    def _found(self, table: Table, sequence: Cycle) -> tuple[int, int]:
        kept = set(table.active)
        left = tuple(one for one in sequence if one in kept)
        return left[-1], table.places[from_lowest(left)]

    def _place(self, active: Cycle, sequence: Cycle) -> tuple[int, int]:
        """Return where the values are found if the active act as in a sequence: who acted last, and the entry."""
        return self._found(self.table(active), sequence)
