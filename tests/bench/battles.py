"""How fast battles are solved: ``python -m tests.bench.battles``.

Every line is one question asked once, in this process, of combatants that are all different; nothing is kept from one
line to the next. Fractions are exact, floats off by less than the bound that ``Encounter.odds`` gives. Seconds are
processor time of the one thread that works, so that other programs do not count; wall time stands beside it. The
rates of simulated battles follow, see ``tests.bench.simulation``. Ends with code 1 if a promise is broken.
"""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

from d20kit.battle import Attack, Combatant, Encounter, exact

Events = tuple[Any, ...]


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


class Line(NamedTuple):
    """One question, and the seconds it may take, None where that is not promised."""

    title: str
    ask: Callable[[], Fraction | float]
    most: float | None


def promised() -> Iterator[Line]:
    """Yield the questions whose time is promised."""
    duel, pairs, triples, many = (
        team_battle(1, 1, 30),
        team_battle(2, 2, 10),
        team_battle(3, 3, 20),
        team_battle(4, 5, 12),
    )
    events = rolled(many)
    yield Line("exact duel, 30 HP each", partial(duel.win_chance, "red"), 0.2)
    yield Line("exact 2 against 2, 10 HP", partial(pairs.win_chance, "red"), 3)
    yield Line("float 3 against 3, 20 HP", partial(triples.win_chance, "red", exact=False), 3)
    yield Line("float 4 against 5, 12 HP, order rolled", partial(many.win_chance, "red", given=events, exact=False), 1)
    yield Line("exact 4 against 5, 12 HP, order rolled", partial(many.win_chance, "red", given=events), None)


def scaling() -> Iterator[Line]:
    """Yield questions that grow in hit points, then in combatants."""
    for hp in (10, 20, 40, 80):
        duel, pairs = team_battle(1, 1, hp), team_battle(2, 2, hp)
        yield Line(f"exact duel, {hp} HP each", partial(duel.win_chance, "red"), None)
        yield Line(f"float 2 against 2, {hp} HP", partial(pairs.win_chance, "red", exact=False), None)
    for red, blue in ((1, 2), (2, 2), (2, 3), (3, 3)):
        battle = team_battle(red, blue, 10)
        yield Line(f"float {red} against {blue}, 10 HP", partial(battle.win_chance, "red", exact=False), None)
    for red, blue in ((2, 2), (3, 3), (4, 4), (6, 6)):
        battle = team_battle(red, blue, 10)
        events = rolled(battle)
        yield Line(
            f"exact {red} against {blue}, 10 HP, order rolled",
            partial(battle.win_chance, "red", given=events),
            None,
        )


def report(title: str, lines: Iterator[Line]) -> bool:
    """Print a table; return whether every promise was kept."""
    print(f"\n## {title}\n\n| question | seconds | wall | at most | answer |\n|---|---|---|---|---|")
    kept = True
    for line in lines:
        exact.forget()
        begun, begun_wall = time.process_time(), time.perf_counter()
        chance = line.ask()
        seconds, wall = time.process_time() - begun, time.perf_counter() - begun_wall
        kept = kept and (line.most is None or seconds < line.most)
        kind = "fraction" if isinstance(chance, Fraction) else "float"
        most = "" if line.most is None else f"{line.most:g}"
        print(f"| {line.title} | {seconds:.3f} | {wall:.3f} | {most} | {float(chance):.6f} ({kind}) |", flush=True)
    return kept


def main() -> int:
    """Print all tables; return 1 if a promise was broken."""
    print(
        f"{platform.python_implementation()} {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores"
    )
    # the libraries load with the first battle; that is not part of any line
    team_battle(1, 1, 1).win_chance("red")
    kept = report("Battles solved", promised())
    report("Scaling", scaling())
    from tests.bench import simulation  # here, because it uses the encounters of this module

    return 0 if simulation.report() and kept else 1


if __name__ == "__main__":
    raise SystemExit(main())
