"""A battle that has been fought: its events, its outcome, its narration."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from d20kit.battle import narrate
from d20kit.battle.events import BattleEnds, Event, InitiativeOrder, RoundBegins, SurpriseRoundBegins
from d20kit.battle.policies import Standing
from d20kit.battle.replay import Moment, branch, moments
from d20kit.hit_points import State

if TYPE_CHECKING:
    from d20kit.battle.encounter import Encounter


@dataclass(frozen=True)
class Battle:
    """One battle, told from awareness to its end.

    ``str(battle)`` is the narration. ``events`` are the records it is made of, ``faces`` the face of every die in the
    order they were rolled (a script that tells the battle again), ``standings`` how everybody stood at the end, in
    the order of the encounter's list, and ``seed`` what it was fought with, None for scripted dice. ``choices`` is the
    seed of the policy "random", and ``changed`` holds position and face of every die that a branch changed.

    Examples
    --------
    >>> from d20kit.battle import Attack, Combatant, Encounter
    >>> one = Combatant("Ann", "red", 5, 12, Attack("club", 2, "1d6"))
    >>> two = Combatant("Bob", "blue", 5, 12, Attack("club", 2, "1d6"))
    >>> battle = Encounter([one, two]).fight(1)
    >>> battle.winner in ("red", "blue"), battle == Encounter([one, two]).fight(1)
    (True, True)
    """

    encounter: Encounter = field(repr=False)
    events: tuple[Event, ...] = field(repr=False)
    standings: tuple[Standing, ...] = field(repr=False)
    faces: tuple[int, ...] = field(repr=False)
    seed: int | None = None
    choices: int = field(default=0, repr=False)
    changed: tuple[tuple[int, int], ...] = field(default=(), repr=False)

    @property
    def _end(self) -> BattleEnds:
        end = self.events[-1]
        assert isinstance(end, BattleEnds)
        return end

    @property
    def winner(self) -> str | None:
        """The side that won, or None for a draw."""
        return self._end.winner

    @property
    def rounds(self) -> int:
        """How many regular rounds were begun; the surprise round is not counted."""
        return self._end.rounds

    @property
    def orders(self) -> dict[str, tuple[str, ...]]:
        """Orders of turns, first to act first: "surprise" and "regular", each where the battle came to it."""
        orders: dict[str, tuple[str, ...]] = {}
        surprise = False
        for event in self.events:
            if isinstance(event, SurpriseRoundBegins):
                surprise = True
            elif isinstance(event, InitiativeOrder):
                orders["surprise" if surprise and not orders else "regular"] = event.order
            elif isinstance(event, RoundBegins):
                break
        return orders

    @property
    def survivors(self) -> tuple[str, ...]:
        """Names of everybody who is not dead, the dying included, in the order of the encounter's list."""
        return tuple(standing.name for standing in self.standings if standing.state is not State.DEAD)

    def replay(self) -> Iterator[Moment]:
        """Step through the battle: yield each event with how everybody stands after it.

        Examples
        --------
        >>> from d20kit.battle import Encounter
        >>> battle = Encounter.ready("duel").fight(1)
        >>> for moment in battle.replay():
        ...     if moment.event.kind == "state change":
        ...         break
        >>> moment.event.sentence()
        'Red fighter: 19 -> 12 hit points, healthy'
        """
        return moments(self)

    def branch(
        self,
        index: int,
        face: int | tuple[int, ...] | None = None,
        *,
        seed: int | None = None,
        watch: Callable[[Event], object] | None = None,
    ) -> Battle:
        """Tell what would have come of other dice, from one event on.

        Everything before the event is as it was. Without a seed all later dice fall as those of this battle's seed
        would have fallen; with a seed they are that seed's, those of the event too where no face is given.

        Parameters
        ----------
        index : int
            Place of the event in ``events``, from 0.
        face : int or tuple of int, optional
            What the event's die shows instead; as many faces as it has dice.
        seed : int, optional
            Where later dice come from.
        watch : callable, optional
            Called with each event as it happens, those before the change too.

        Returns
        -------
        Battle
            Itself ready for another branch.

        Raises
        ------
        ValueError
            If the event has no such dice, nothing would be different, or a policy does not repeat itself.

        Examples
        --------
        >>> from d20kit.battle import Encounter
        >>> battle = Encounter.ready("duel").fight(1)
        >>> index = next(k for k, event in enumerate(battle.events) if event.kind == "attack roll")
        >>> battle.events[index].outcome.value, battle.branch(index, face=20).events[index].outcome.value
        ('hit', 'critical')
        """
        return branch(self, index, face, seed, watch)

    def to_records(self) -> list[dict[str, Any]]:
        """Return the events as dictionaries of plain values, ready for JSON."""
        return [event.record() for event in self.events]

    def to_json_lines(self) -> str:
        """Return the records as JSON, one on each line."""
        return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in self.to_records())

    def __str__(self) -> str:
        return narrate.text(self.events, self.standings)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Show the narration where a notebook cell ends in a battle."""
        printer.text(str(self))
