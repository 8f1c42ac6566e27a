"""How long a battle takes: its rounds followed forwards, one by one."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

from d20kit.battle.solve.chain import Progress
from d20kit.battle.solve.moves import Lanes
from d20kit.battle.solve.opening import Line, Opening, Turn


def chances_of_rounds(opening: Opening, most: int, progress: Progress | None = None) -> list[Fraction]:
    """Return the chance that a battle ends in round 0 (the surprise round), 1, 2, ... up to a last one.

    >>> from d20kit.battle import Attack, Combatant, Encounter
    >>> from d20kit.battle.solve.moves import Moves
    >>> from d20kit.battle.solve.position import Position
    >>> from d20kit.battle.solve.roster import Roster
    >>> from d20kit.battle.solve.turns import Turns, Winner
    >>> ann, bob = (Combatant(name, name, 1, 11, Attack("dagger", 0, "1d4+1")) for name in ("Ann", "Bob"))
    >>> duel = Encounter([ann, bob])
    >>> moves = Moves(Turns(Roster(duel), Winner()))
    >>> chances_of_rounds(Opening(duel, moves, Position(duel, moves.turns, ())), most=2)
    [Fraction(0, 1), Fraction(3, 4), Fraction(3, 16)]
    """
    chances = [Fraction(0)] * (most + 1)
    total = len(opening.lines) * len(chances)
    for place, line in enumerate(opening.lines):
        for number, chance in enumerate(_of_line(opening, line, most)):
            chances[number] += line.chance * chance
            if progress is not None:
                progress(place * len(chances) + number, total)
    if progress is not None:
        progress(total, total)
    return chances


def _of_line(opening: Opening, line: Line, most: int) -> Iterator[Fraction]:
    """Follow one order, round by round; in its surprise round and first round somebody may be flat-footed."""
    surprise = -line.skipped
    rounds = [line.turns[:surprise], line.turns[surprise:]]
    later = tuple((who, False) for who in line.order)
    lanes, flat_footed = opening.start, frozenset(opening.position.flat_footed)
    for number in range(most + 1):
        if not lanes.going:
            return
        turns = rounds[number] if number < len(rounds) else later
        lanes, flat_footed = _play(opening, turns, lanes, flat_footed)
        yield Fraction(sum(weight for (weight,) in lanes.over.values()), lanes.total)
        common = math.gcd(lanes.total, *(weight for (weight,) in lanes.going.values()))
        going = {code: [weight // common] for code, (weight,) in lanes.going.items()}
        lanes = Lanes(going, {}, lanes.total // common)


def _play(
    opening: Opening, turns: tuple[Turn, ...], lanes: Lanes, flat_footed: frozenset[int]
) -> tuple[Lanes, frozenset[int]]:
    for who, first_only in turns:
        flat_footed -= {who}
        lanes = opening.moves.advance(who, lanes, flat_footed, first_only)
    return lanes, flat_footed
