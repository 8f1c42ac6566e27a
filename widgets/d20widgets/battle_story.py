"""A battle as positions of a slider: who stands how after each step, whose turn it is, and what was said."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

from d20kit.battle import Battle, Encounter, events, narrate
from d20kit.battle.arena import Fighter
from d20kit.battle.policies import Standing
from d20kit.language import N_, _
from d20widgets.battle_names import told
from d20widgets.battle_odds import Chances
from d20widgets.chart import MOST_FRAMES

# An event, the face or faces that its dice show instead, and the seed of all later dice.
Change = tuple[int, tuple[int, ...] | None, int | None]

# What one step of the slider is, the finest first: a battle of too many events takes the first that is coarse enough.
GRAINS = {
    "event": N_("each step is one event"),
    "roll": N_("each step is one roll and what comes of it"),
    "turn": N_("each step is one turn"),
    "round": N_("each step is one round"),
    "stretch": N_("each step is several rounds"),
}
# Events that a page can still be sent, each counted as often as it has dice: with more it would wait for seconds.
MOST_EVENTS = 10_000
# Lines that the log shows of one step at most.
MOST_LINES = 8

_OWN = (
    events.Awareness,
    events.InitiativeRoll,
    events.NoLongerFlatFooted,
    events.Exertion,
    events.Bleeding,
    events.StabiliseRoll,
    events.Inaction,
)
_FOLLOWING = (events.HitPointChange, events.SavingThrow, events.MassiveDamageSave)
_HEADED = (events.SurpriseRoundBegins, events.RoundBegins, events.BattleEnds)


@dataclass(frozen=True)
class Scene:
    """A position: how many events have been told, how everybody stands, in which order, and who acts on whom.

    ``round`` is None before the first; 0 is the surprise round.
    """

    told: int
    standings: tuple[Standing, ...]
    order: tuple[str, ...] = ()
    actor: str | None = None
    target: str | None = None
    round: int | None = None


class Story:
    """A battle that has been fought, cut into steps, with the chances of its sides at each.

    Attributes
    ----------
    battle : Battle
        All of it.
    grain : str
        What one step is, one of :data:`GRAINS`.
    scenes : list of Scene
        One for each position, that before the first event among them.
    chances : Chances
        What is known so far of the chances at each position.
    """

    def __init__(self, battle: Battle, seed: int) -> None:
        self.battle = battle
        acting = list(_acting(battle.events))
        self.grain, ends = _cut(battle.events, acting)
        self.scenes = list(_scenes(battle, acting, ends))
        self.chances = Chances(battle, [scene.told for scene in self.scenes], seed)

    @property
    def last(self) -> int:
        """The last position."""
        return len(self.scenes) - 1

    def events(self, position: int) -> tuple[events.Event, ...]:
        """Return what happens in the step that leads to a position."""
        if position == 0:
            return ()
        return self.battle.events[self.scenes[position - 1].told : self.scenes[position].told]

    def rolled(self, position: int) -> int | None:
        """Return the place in the battle of the step's first roll, None where no die falls."""
        first = self.scenes[max(0, position - 1)].told
        return next((first + k for k, event in enumerate(self.events(position)) if event.dice()), None)

    def position(self, told: int) -> int:
        """Return the first position at which so many events have been told."""
        return next((k for k, scene in enumerate(self.scenes) if scene.told >= told), self.last)

    def rounds(self) -> list[tuple[int, int]]:
        """Return position and number of the beginning of each round; number 0 is the surprise round."""
        pairs = pairwise(enumerate(self.scenes))
        starts = [(k, now.round) for (_k, before), (k, now) in pairs if now.round != before.round]
        return [(k, number) for k, number in starts if number is not None]

    def log(self) -> list[list[tuple[int, str]]]:
        """Return the lines of each step, in the language in use, each after its depth: 0 a heading, 2 a consequence."""
        narrator = narrate.Narrator()
        return [_shortened([line for event in self.events(k) for line in _lines(narrator, event)]) for k in self]

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.scenes)))


@lru_cache(maxsize=4)
def story(encounter: Encounter, seed: int, what_if: tuple[Change, ...]) -> Story:
    """Fight an encounter, with some dice changed, and cut it into steps; the last few are kept.

    Raises
    ------
    ValueError
        If the battle comes to more than ``MOST_EVENTS``, or the dice cannot be changed so.
    """
    battle = encounter.fight(seed, watch=_Counter())
    for index, faces, later in what_if:
        battle = battle.branch(index, faces, seed=later, watch=_Counter())
    return Story(battle, seed)


class _Counter:
    """Counts the events of a battle as it is fought, and ends it where they become too many to be shown."""

    def __init__(self) -> None:
        self._left = MOST_EVENTS

    def __call__(self, event: events.Event) -> None:
        self._left -= max(1, len(event.dice()))
        if self._left < 0:
            raise ValueError(
                _(
                    "this battle goes on for more than {most} events and dice, too many to be shown; take fewer "
                    "combatants, or some who hurt each other sooner"
                ).format(most=MOST_EVENTS)
            )


def _lines(narrator: narrate.Narrator, event: events.Event) -> Iterator[tuple[int, str]]:
    """The heading where a section begins, and the event's sentence unless the heading says it."""
    body = narrate.event_lines(event)
    opening = narrator.lines(event)[: -len(body)]
    heading = next((line for line in opening if line), "")
    if heading:
        yield 0, heading
    if not isinstance(event, events.RoundBegins):
        yield 1 + body[0].startswith(" " * 6), told(event)


def _shortened(lines: list[tuple[int, str]]) -> list[tuple[int, str]]:
    return lines if len(lines) <= MOST_LINES else [*lines[: MOST_LINES - 1], (2, "…")]


def _acting(happened: Sequence[events.Event]) -> Iterator[tuple[str | None, str | None]]:
    """For each event, who acts and on whom."""
    now: tuple[str | None, str | None] = (None, None)
    for event in happened:
        now = _who(event, now)
        yield now


def _who(event: Any, now: tuple[str | None, str | None]) -> tuple[str | None, str | None]:
    if hasattr(event, "attacker"):
        return event.attacker, event.target
    if isinstance(event, _OWN):
        return event.name, None
    return now if isinstance(event, _FOLLOWING) else (None, None)


def _cut(happened: Sequence[events.Event], acting: Sequence[tuple[str | None, str | None]]) -> tuple[str, list[int]]:
    """Choose the finest grain of which there are frames enough; return it, and the events told at each position."""
    actors = [actor for actor, _target in acting]
    begins: dict[str, Callable[[int], bool]] = {
        "event": lambda k: True,
        "roll": lambda k: bool(happened[k].dice()) or isinstance(happened[k], _HEADED),
        "turn": lambda k: actors[k] != actors[k - 1] or isinstance(happened[k], _HEADED),
        "round": lambda k: isinstance(happened[k], _HEADED),
    }
    for grain, begin in begins.items():
        ends = [0, *(k for k in range(1, len(happened)) if begin(k)), len(happened)]
        if len(ends) <= MOST_FRAMES:
            return grain, ends
    stride = -(-len(ends) // (MOST_FRAMES - 1))
    return "stretch", [*ends[:-1:stride], ends[-1]]


def _scenes(battle: Battle, acting: Sequence[tuple[str | None, str | None]], ends: Sequence[int]) -> Iterator[Scene]:
    encounter = battle.encounter
    yield Scene(0, tuple(Fighter(one, encounter.rules).standing() for one in encounter.combatants))
    order: tuple[str, ...] = ()
    number: int | None = None
    wanted = set(ends)
    for moment in battle.replay():
        event = moment.event
        if isinstance(event, events.InitiativeOrder):
            order = event.order
        elif isinstance(event, events.SurpriseRoundBegins):
            number = 0
        elif isinstance(event, events.RoundBegins):
            number = event.number
        if moment.place + 1 in wanted:
            yield Scene(moment.place + 1, moment.standings, order, *acting[moment.place], number)
