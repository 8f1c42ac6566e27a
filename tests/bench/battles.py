"""How fast battles are solved: ``python -m tests.bench battles``.

Every line is one question asked of combatants that are all different, three times, and nothing is kept from one time
to the next; the median counts. Fractions are exact, floats off by less than the bound that ``Encounter.odds`` gives.
Seconds are processor time of the one thread that works, so that other programs do not count. No other library solves
such battles; beside stands the simulation that somebody would write instead, in plain Python (``tests.bench.plain``),
of ``BATTLES`` battles, which still leaves a chance uncertain by 0.3 percentage points. Its time is that of ``FEW``.

The line nearest to the peer is the largest: its time goes evenly into finding the vectors, solving each by some sums,
and adding up what all orders of turns lead to; none of these is more than a fifth of it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from statistics import median
from typing import Any, NamedTuple

from d20kit.battle import Attack, Combatant, Encounter, exact
from tests.bench import plain
from tests.bench.line import Line, judged

Events = tuple[Any, ...]
TIMES = 3
BATTLES, FEW = 100_000, 4_000
PEER = f"plain Python, {BATTLES:,} battles"


def team_battle(red: int, blue: int, hp: int) -> Encounter:
    """Return an encounter of two sides whose members differ in armor, attack, damage and initiative."""

    def member(side: str, place: int) -> Combatant:
        sword = Attack("sword", 4 + place + (side == "blue"), f"1d8+{place + 1}")
        return Combatant(
            f"{side} {place}", side, hp, 14 + place % 3, (sword,), initiative=place, flat_footed_ac=13, constitution=-1
        )

    sides = (("red", red), ("blue", blue))
    return Encounter(tuple(member(side, place) for side, count in sides for place in range(count)))


def rolled(encounter: Encounter) -> Events:
    """Return the events of a battle up to its order of turns."""
    events = encounter.fight(1).events
    return events[: 1 + next(place for place, event in enumerate(events) if event.kind == "initiative order")]


class Question(NamedTuple):
    """One question, and the seconds it may take, None where that is not promised."""

    title: str
    encounter: Encounter
    ask: Callable[[], Fraction | float]
    most: float | None = None


def questions() -> Iterator[Question]:
    """Yield what is measured."""
    duel, pairs, triples = team_battle(1, 1, 30), team_battle(2, 2, 10), team_battle(3, 3, 20)
    many = team_battle(4, 5, 12)
    events = rolled(many)
    yield Question("exact duel, 30 HP each", duel, partial(duel.win_chance, "red"), 0.2)
    yield Question("exact 2 against 2, 10 HP", pairs, partial(pairs.win_chance, "red"), 3)
    yield Question("float 3 against 3, 20 HP", triples, partial(triples.win_chance, "red", exact=False), 3)
    ask = partial(many.win_chance, "red", given=events)
    yield Question("float 4 against 5, 12 HP, order rolled", many, partial(ask, exact=False), 1)
    yield Question("exact 4 against 5, 12 HP, order rolled", many, ask)


def seconds(ask: Callable[[], object], times: int = TIMES) -> float:
    """Return the median processor time of a question that is asked several times, each time anew."""
    took = []
    for _time in range(times):
        exact.forget()
        begun = time.process_time()
        ask()
        took.append(time.process_time() - begun)
    return median(took)


def warm_up() -> None:
    """Load the libraries that the first battle loads; that is no part of any line."""
    for kind in (True, False):
        team_battle(1, 1, 1).win_chance("red", exact=kind)


def lines() -> Iterator[Line]:
    """Measure every question beside the simulation of its battle."""
    warm_up()
    for one in questions():
        took = seconds(one.ask)
        simulated = seconds(partial(plain.share, one.encounter, "red", FEW, 1)) * BATTLES / FEW
        yield judged(one.title, took, peer=PEER, ratio=simulated / took, most=one.most)
