"""The moving parts of many battles under way: who stands how in each of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from d20kit.battle.vector.faces import Faces
from d20kit.battle.vector.roster import DISABLED, HEALTHY, Roster

UNDECIDED = -1


class Arena:
    """A block of battles of one encounter.

    ``hp``, ``state`` and ``flat_footed`` hold the first combatant in every battle, then the second in every battle,
    and so on; :meth:`at` says where. ``front`` holds for each side and battle the first of the list who can still act,
    ``winner`` the side that won a battle or ``UNDECIDED``, ``rounds`` how many regular rounds were begun.

    >>> from d20kit.battle import Encounter
    >>> from d20kit.battle.vector.faces import RandomFaces
    >>> arena = Arena(Roster(Encounter.ready("duel")), 3, RandomFaces(1, 0))
    >>> states = arena.lose(np.array([1, 1]), np.array([0, 2]), np.array([30, 4]))
    >>> arena.hp.reshape(-1, 3).tolist(), arena.winner.tolist()
    ([[19, 19, 19], [-11, 19, 15]], [0, -1, -1])
    """

    def __init__(self, roster: Roster, battles: int, faces: Faces) -> None:
        self.roster, self.faces, self.battles = roster, faces, battles
        self.hp = np.repeat(roster.hp, battles)
        start = roster.states(np.arange(roster.count), roster.hp)
        # nobody, who comes after everybody, counts as able: the search for the next of a side ends there
        self.state = np.repeat(np.append(start, np.int8(HEALTHY)), battles)
        self.flat_footed = np.ones(len(self.hp), bool)
        self.front = np.repeat(roster.first_of_side[:, None], battles, axis=1)
        self.winner = np.full(battles, UNDECIDED, np.int16)
        self.rounds = np.zeros(battles, np.int32)
        for side in range(len(roster.sides)):
            self._advance(np.full(battles, side), np.arange(battles))

    def at(self, who: Any, battles: Any) -> Any:
        """Return the places of combatants in ``hp`` and its like."""
        return who * self.battles + battles

    def states(self) -> Any:
        """Return the state of each combatant, a row, in each battle, a column."""
        return self.state[: len(self.hp)].reshape(-1, self.battles)

    def undecided(self) -> Any:
        """Return the battles that no side has won."""
        return np.flatnonzero(self.winner == UNDECIDED)

    def lose(self, who: Any, battles: Any, points: Any) -> Any:
        """Take hit points away from one combatant in each of these battles; return their new states."""
        at = self.at(who, battles)
        hp = self.hp[at] - points
        self.hp[at] = hp
        new = self.roster.states(who, hp)
        self.become(who, battles, new)
        return new

    def become(self, who: Any, battles: Any, new: Any) -> None:
        """Put combatants in a state; the first moment that leaves only one side able to act decides a battle."""
        at = self.at(who, battles)
        fallen = np.flatnonzero((new > DISABLED) & (self.state[at] <= DISABLED))
        self.state[at] = new
        if fallen.size:
            self._fall(self.roster.side_of[who[fallen]], battles[fallen])

    def _fall(self, sides: Any, battles: Any) -> None:
        self._advance(sides, battles)
        beaten = battles[self.front[sides, battles] == self.roster.nobody]
        standing = self.front[:, beaten] < self.roster.nobody
        only = standing.sum(axis=0) == 1
        self.winner[beaten[only]] = standing[:, only].argmax(axis=0)

    def _advance(self, sides: Any, battles: Any) -> None:
        """Let the first of the list who can act be in front of its side again."""
        while battles.size:
            front = self.front[sides, battles]
            down = np.flatnonzero(self.state[self.at(front, battles)] > DISABLED)
            sides, battles = sides[down], battles[down]
            self.front[sides, battles] = self.roster.next_of_side[front[down]]
