"""Rolling initiative in many battles: those who have no roll yet, and whoever is tied."""

from __future__ import annotations

from typing import Any

import numpy as np

from d20kit.battle.vector.arena import Arena

# Below every total that can be rolled.
_ABSENT = -(1 << 20)


class Initiative:
    """Everybody's initiative rolls in a block of battles.

    Places are counted from the first to act; the tied share a place until they have rolled again. The first tied
    place of each battle is settled before the next, as at the table, so that the dice fall in the same order.

    >>> from d20kit.battle import Encounter
    >>> from d20kit.battle.vector.faces import RandomFaces
    >>> from d20kit.battle.vector.roster import Roster
    >>> arena = Arena(Roster(Encounter.ready("duel")), 1_000, RandomFaces(1, 0))
    >>> order = Initiative(arena).roll(np.ones((2, 1_000), bool))
    >>> order.shape, sorted(set(order.sum(axis=0).tolist()))  # both have a place in every battle
    ((2, 1000), [1])
    """

    def __init__(self, arena: Arena) -> None:
        self.arena, self.count = arena, arena.roster.count
        # faces[depth][who, battle]: the first roll, the second for a tie, ...; 0 where there was none
        self._faces: list[Any] = []

    def roll(self, present: Any) -> Any:
        """Give a place to those who are present, keeping earlier rolls; return who is at each place of each battle."""
        place, tied = self._first_rolls(present)
        compared = np.ones(present.shape, np.int16)
        battles = np.flatnonzero(tied.any(axis=0))
        while battles.size:
            place[:, battles], tied[:, battles], compared[:, battles] = self._settle(
                place[:, battles], tied[:, battles], compared[:, battles], battles
            )
            battles = battles[tied[:, battles].any(axis=0)]
        order = np.empty(present.shape, np.intp)
        everywhere = np.arange(present.shape[1])
        for who in range(self.count):
            order[place[who], everywhere] = who
        return order

    def _first_rolls(self, present: Any) -> tuple[Any, Any]:
        """Roll for those who have no roll yet; return everybody's place and whether it is shared."""
        rules, initiative = self.arena.roster.rules, self.arena.roster.initiative[:, None]
        everywhere = np.arange(present.shape[1])
        for who in range(self.count):
            self._rolled(0, who, everywhere[present[who]])
        total = self._faces[0] + initiative
        if rules.initiative_ties == "modifier":
            total = total * (1 << 12) + initiative
        # the absent come last, each at a place of its own
        total = np.where(present, total, _ABSENT * (1 << 8) - np.arange(self.count, dtype=np.int32)[:, None])
        return _places(total)

    def _settle(self, place: Any, tied: Any, compared: Any, battles: Any) -> tuple[Any, Any, Any]:
        """Let the first tied group of each of these battles roll again, and share out its places."""
        first = np.where(tied, place, self.count).min(axis=0)
        group = tied & (place == first)
        total = np.full(place.shape, _ABSENT, np.int32)
        for who in np.flatnonzero(group.any(axis=1)):
            rolling = np.flatnonzero(group[who])
            total[who, rolling] = self._again(who, battles[rolling], compared[who, rolling])
        above, shared = _places(total)
        return place + np.where(group, above, 0), np.where(group, shared, tied), compared + group

    def _again(self, who: Any, battles: Any, depths: Any) -> Any:
        """Return the totals of further rolls, kept ones where there are any."""
        total = np.empty(len(battles), np.int32)
        for depth in np.unique(depths):
            alike = depths == depth
            total[alike] = self._rolled(int(depth), who, battles[alike])
        return total + self.arena.roster.initiative[who]

    def _rolled(self, depth: int, who: Any, battles: Any) -> Any:
        """Return faces of one depth, rolling what is missing."""
        while len(self._faces) <= depth:
            self._faces.append(np.zeros((self.count, self.arena.battles), np.int8))
        kept = self._faces[depth][who]
        missing = battles[kept[battles] == 0]
        kept[missing] = self.arena.faces.roll(missing, 1, 20)[0]
        return kept[battles]


def _places(total: Any) -> tuple[Any, Any]:
    """Return how many totals are higher than each, and whether another is equal.

    >>> place, tied = _places(np.array([[9], [12], [9]]))
    >>> place.ravel().tolist(), tied.ravel().tolist()
    ([1, 0, 1], [True, False, True])
    """
    higher = np.zeros(total.shape, np.int16)
    equal = np.zeros(total.shape, np.int16)
    for row in total:
        higher += row > total
        equal += row == total
    return higher, equal > 1
