"""How the time grows with hit points, combatants and battles: ``python -m tests.bench scaling``.

Solved battles are processor time of one question asked once; rates of simulated ones are wall time, alone and with
two processes. Nothing is required of them: they show where the kit reaches its end.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import partial
from time import perf_counter

from d20kit.battle import Encounter
from tests.bench.battles import Question, rolled, seconds, team_battle, warm_up
from tests.bench.line import BATTLES as UNIT
from tests.bench.line import Line, judged
from tests.bench.simulation import HP


def solved() -> Iterator[Question]:
    """Yield questions that grow in hit points, then in combatants."""
    for hp in (10, 20, 40, 80):
        duel, pairs = team_battle(1, 1, hp), team_battle(2, 2, hp)
        yield Question(f"exact duel, {hp} HP each", duel, partial(duel.win_chance, "red"))
        yield Question(f"float 2 against 2, {hp} HP", pairs, partial(pairs.win_chance, "red", exact=False))
    for red, blue in ((1, 2), (2, 3), (3, 3)):
        battle = team_battle(red, blue, 10)
        yield Question(f"float {red} against {blue}, 10 HP", battle, partial(battle.win_chance, "red", exact=False))
    for red, blue in ((2, 2), (3, 3), (4, 4), (6, 6)):
        battle = team_battle(red, blue, 10)
        ask = partial(battle.win_chance, "red", given=rolled(battle))
        yield Question(f"exact {red} against {blue}, 10 HP, order rolled", battle, ask)


def simulated() -> Iterator[tuple[str, Encounter, int]]:
    """Yield what grows: battles, combatants, hit points."""
    for battles in (1_000, 10_000, 100_000, 1_000_000):
        yield f"4 against 4, {HP} HP, {battles:,} battles", team_battle(4, 4, HP), battles
    for each in (1, 2, 8, 16):
        yield f"{each} against {each}, {HP} HP, 100,000 battles", team_battle(each, each, HP), 100_000
    for hp in (24, 48):
        yield f"4 against 4, {hp} HP, 100,000 battles", team_battle(4, 4, hp), 100_000


def _rate(encounter: Encounter, battles: int, executor: Executor | None) -> float:
    begun = perf_counter()
    encounter.simulate(battles, 1, executor=executor)
    return battles / (perf_counter() - begun)


def lines() -> Iterator[Line]:
    """Measure everything once."""
    warm_up()
    for one in solved():
        yield judged(one.title, seconds(one.ask, 1))
    with ProcessPoolExecutor(2) as two:
        list(two.map(abs, range(2)))
        for title, encounter, battles in simulated():
            yield judged(title, _rate(encounter, battles, None), UNIT)
            yield judged(f"{title}, two processes", _rate(encounter, battles, two), UNIT)
