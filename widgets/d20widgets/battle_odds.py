"""The chances of the sides at each position of a battle: exact where that is affordable, and found little by little."""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from enum import Enum
from fractions import Fraction
from functools import cached_property
from math import inf
from typing import NamedTuple

from d20kit.battle import Battle
from d20kit.battle.events import InitiativeOrder, RoundBegins
from d20kit.battle.exact import estimated_work, odds
from d20kit.battle.simulate import choose_method
from d20kit.battle.solve.limits import MAX_FLOAT_STEPS, TooMuchWorkError
from d20kit.language import N_

# Steps of the solver up to which fractions are worth their time, about a second; above it floats, off by 1e-9 at most.
EXACT_STEPS = 3_000_000
# Steps up to which a battle is solved at once, of at most so many positions: some tenths of a second.
SMALL_STEPS = 100_000
FEW_POSITIONS = 100
# Of more combatants the orders that initiative can still give are too many to go through one by one.
MOST_ROLLING = 6
SIMULATED = 20_000
SIMULATED_ONE_BY_ONE = 300
# A battle's work grows with the square of its combatants: beyond eight of them there are fewer battles, as many as take
# a second or so, and the interval says how much less that tells.
SIMULATED_PAIRS = 64 * SIMULATED
FEWEST_SIMULATED = 400
# Turns of the battle that is told beyond which many like it would take too long.
MOST_TURNS = 5_000
# Seconds of the solver at a time, after its first report; twice as many at each new try, so that it gets on.
SLICE = 0.06


class Missing(Enum):
    """Why a chance is not shown."""

    WAITING = N_("not computed yet")
    ROLLING = N_("not known until everybody has rolled initiative")
    TOO_MUCH = N_("too much work to compute")


class Known(NamedTuple):
    """The chance of each side to win, that of a draw, how far off they may be, and intervals if simulated."""

    chances: tuple[Fraction, ...]
    draw: Fraction
    error: float
    intervals: tuple[tuple[float, float], ...] = ()
    battles: int = 0


class _PauseError(Exception):
    """A slice of time is over."""


class Chances:
    """What is known of the chances of a battle's sides.

    Parameters
    ----------
    battle : Battle
        All of it.
    told : sequence of int
        How many events have been told at each position.
    seed : int
        For what can only be simulated.
    """

    def __init__(self, battle: Battle, told: Sequence[int], seed: int) -> None:
        self._battle, self._told, self._seed = battle, told, seed
        self.found: list[Known | Missing] = [Missing.WAITING] * len(told)
        self._slice = SLICE
        happened = battle.events
        rounds = [k for k, event in enumerate(happened) if isinstance(event, RoundBegins)]
        orders = [k for k, event in enumerate(happened) if isinstance(event, InitiativeOrder)]
        self._ordered = orders[-1] if rounds and orders else len(happened) - 1
        self._rolled = next((k for k, event in enumerate(happened) if event.dice()), len(happened))

    def __getitem__(self, position: int) -> Known | Missing:
        return self.found[position]

    @cached_property
    def _small(self) -> bool:
        try:
            return estimated_work(self._battle.encounter) <= SMALL_STEPS and len(self._told) <= FEW_POSITIONS
        except ValueError:
            return False

    @property
    def done(self) -> int:
        """At how many positions the question is settled, one way or the other."""
        return sum(one is not Missing.WAITING for one in self.found)

    @property
    def complete(self) -> bool:
        """Whether it is settled everywhere."""
        return Missing.WAITING not in self.found

    def settle(self, position: int) -> Known | Missing:
        """Find the chances at one position now, however long that takes."""
        while self.found[position] is Missing.WAITING:
            self._try(position)
        return self.found[position]

    def work(self, seconds: float, first: int = 0) -> None:
        """Go on for about so long: at one position first, then from the end, where least is left to happen, back.

        A small battle is solved at once, however slow the machine is.
        """
        until = time.monotonic() + (inf if self._small else seconds)
        for position in (first, *reversed(range(len(self.found)))):
            while self.found[position] is Missing.WAITING:
                if time.monotonic() >= until:
                    return
                self._try(position)

    def _try(self, position: int) -> None:
        try:
            self.found[position] = self._find(self._told[position])
            self._slice = SLICE
        except _PauseError:
            self._slice *= 2

    def _find(self, told: int) -> Known | Missing:
        encounter = self._battle.encounter
        given = self._battle.events[:told]
        if told == len(self._battle.events):
            return self._over()
        if told <= self._ordered and len(encounter.combatants) > MOST_ROLLING:
            return self._simulated() if told <= self._rolled else Missing.ROLLING
        try:
            steps = estimated_work(encounter, given=given)
            if min(steps, estimated_work(encounter, given=given, exact=False)) > MAX_FLOAT_STEPS:
                raise TooMuchWorkError
            found = odds(encounter, given=given, exact=steps <= EXACT_STEPS, progress=_Pauser(self._slice))
        except ValueError:  # too much work, or a policy that is a function
            return self._simulated() if told <= self._rolled else Missing.TOO_MUCH
        chances = tuple(Fraction(one) for one in found.win_chance.values())
        return Known(chances, Fraction(found.draw), found.error)

    def _over(self) -> Known:
        winner = self._battle.winner
        chances = tuple(Fraction(side == winner) for side in self._battle.encounter.sides)
        return Known(chances, Fraction(winner is None), 0.0)

    def _simulated(self) -> Known | Missing:
        """Simulate from the start: until the first die falls nothing has been decided."""
        encounter = self._battle.encounter
        if self._battle.rounds * len(encounter.combatants) > MOST_TURNS:
            return Missing.TOO_MUCH
        affordable = max(FEWEST_SIMULATED, min(SIMULATED, SIMULATED_PAIRS // len(encounter.combatants) ** 2))
        battles = affordable if choose_method(encounter) == "arrays" else min(affordable, SIMULATED_ONE_BY_ONE)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that NumPy is missing; the number of battles says enough
            result = encounter.simulate(battles, self._seed)
        sides = encounter.sides
        chances = tuple(Fraction(result.counts.winners[side], battles) for side in sides)
        draw = Fraction(result.counts.winners[None], battles)
        known = Known(chances, draw, 0.0, tuple(result.interval[side] for side in sides), battles)
        for position, told in enumerate(self._told):
            if told <= self._rolled and self.found[position] is Missing.WAITING:
                self.found[position] = known
        return known


class _Pauser:
    """Progress that ends a slice of time; what the solver has found by then is kept."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._until: float | None = None

    def __call__(self, done: int, total: int) -> None:
        if self._until is None:
            self._until = time.monotonic() + self._seconds
        elif done < total and time.monotonic() >= self._until:
            raise _PauseError
