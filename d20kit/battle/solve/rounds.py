"""How long a battle takes: its rounds followed forwards, one by one."""

from __future__ import annotations

import math
from fractions import Fraction

from d20kit.battle.solve.moves import Weights
from d20kit.battle.solve.opening import Line, Opening, Turn


def chances_of_rounds(opening: Opening, most: int) -> list[Fraction]:
    """Return the chance that a battle ends in round 0 (the surprise round), 1, 2, ... up to a last one."""
    chances = [Fraction(0)] * (most + 1)
    for line in opening.lines:
        for number, chance in enumerate(_of_line(opening, line, most)):
            chances[number] += line.chance * chance
    return chances


def _of_line(opening: Opening, line: Line, most: int) -> list[Fraction]:
    """Follow one order; in its surprise round and first round somebody may be flat-footed."""
    surprise = -line.skipped
    rounds = [line.turns[:surprise], line.turns[surprise:]]
    later = tuple((who, False) for who in line.order)
    weights, flat_footed = opening.weights, frozenset(opening.position.flat_footed)
    ended: list[Fraction] = []
    while len(ended) <= most and weights.going:
        turns = rounds[len(ended)] if len(ended) < len(rounds) else later
        weights, flat_footed = _play(opening, turns, weights, flat_footed)
        ended.append(Fraction(sum(weights.over.values()), weights.total))
        common = math.gcd(weights.total, *weights.going.values())
        going = {code: weight // common for code, weight in weights.going.items()}
        weights = Weights(going, {}, weights.total // common)
    return ended


def _play(
    opening: Opening, turns: tuple[Turn, ...], weights: Weights, flat_footed: frozenset[int]
) -> tuple[Weights, frozenset[int]]:
    for who, first_only in turns:
        flat_footed -= {who}
        weights = opening.moves.advance(who, weights, flat_footed, first_only)
    return weights, flat_footed
