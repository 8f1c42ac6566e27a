"""How much work a question will be, known before any of it is done."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import combinations, product

from d20kit.battle.policies import RANDOM
from d20kit.battle.solve.limits import (
    LONG_EXACT_STEPS,
    LONG_FLOAT_STEPS,
    MAX_EXACT_STEPS,
    MAX_FLOAT_STEPS,
    TooMuchWorkError,
)
from d20kit.battle.solve.opening import Opening
from d20kit.battle.solve.roster import Roster
from d20kit.language import _

# An exact step with numbers of so many bits costs twice one with small numbers.
_BITS = 4_000
# What one combatant's states below 0 multiply the work by, where its fate is asked for.
_TRACKED = 5


def check_work(opening: Opening, answers: int, exact: bool) -> bool:
    """Refuse a question that would take too long; return whether it takes so long that its progress should be seen.

    Raises
    ------
    TooMuchWorkError
        If the estimate is above ``MAX_EXACT_STEPS`` or ``MAX_FLOAT_STEPS``.

    Examples
    --------
    >>> from d20kit.battle import Encounter
    >>> from d20kit.battle.solve.moves import Moves
    >>> from d20kit.battle.solve.position import Position
    >>> from d20kit.battle.solve.turns import Turns, Winner
    >>> duel = Encounter.ready("duel")
    >>> moves = Moves(Turns(Roster(duel), Winner()))
    >>> check_work(Opening(duel, moves, Position(duel, moves.turns, ())), answers=2, exact=True)
    False
    """
    advice = _("write exact=False, or use simulate()") if exact else _("use simulate()")
    steps = estimated_steps(opening, answers, exact)
    _check(steps, MAX_EXACT_STEPS if exact else MAX_FLOAT_STEPS, advice)
    # whoever asks for one fate asks for all
    questions = 1 if opening.roster.tracked is None else len(opening.roster.combatants)
    return steps * questions > (LONG_EXACT_STEPS if exact else LONG_FLOAT_STEPS)


def check_rounds(opening: Opening, rounds: int) -> bool:
    """Refuse to follow too many rounds; return whether it takes so long that its progress should be seen.

    Raises
    ------
    TooMuchWorkError
        If the estimate is above ``MAX_EXACT_STEPS``.

    Examples
    --------
    >>> from d20kit.battle import Encounter
    >>> from d20kit.battle.solve.moves import Moves
    >>> from d20kit.battle.solve.position import Position
    >>> from d20kit.battle.solve.turns import Turns, Winner
    >>> duel = Encounter.ready("duel")
    >>> moves = Moves(Turns(Roster(duel), Winner()))
    >>> opening = Opening(duel, moves, Position(duel, moves.turns, ()))
    >>> check_rounds(opening, 10), check_rounds(opening, 100)
    (False, True)
    >>> try:
    ...     check_rounds(opening, 10**6)
    ... except TooMuchWorkError as error:
    ...     print(str(error).partition(" about ")[0])
    this battle would take
    """
    margins = _most(opening)
    vectors = sum(vectors * active for vectors, active in _blocks(opening.roster, margins))
    steps = len(opening.lines) * rounds * vectors * _outcomes(opening.roster, margins)
    _check(steps, MAX_EXACT_STEPS, _("ask for fewer rounds, or use simulate()"))
    return steps > LONG_EXACT_STEPS


def _check(steps: int, most: int, advice: str) -> None:
    if steps > most:
        raise TooMuchWorkError(
            _(
                "this battle would take about {steps} million steps to solve, but at most {most} million are allowed; "
                "{advice}, or give the events of a battle whose initiative has been rolled, given=battle.events[:k]"
            ).format(steps=round(steps / 10**6), most=most // 10**6, advice=advice)
        )


def estimated_steps(opening: Opening, answers: int, exact: bool) -> int:
    """Estimate the steps of a question.

    >>> from d20kit.battle import Encounter
    >>> from d20kit.battle.solve.moves import Moves
    >>> from d20kit.battle.solve.position import Position
    >>> from d20kit.battle.solve.turns import Turns, Winner
    >>> duel = Encounter.ready("duel")
    >>> moves = Moves(Turns(Roster(duel), Winner()))
    >>> opening = Opening(duel, moves, Position(duel, moves.turns, ()))
    >>> 1_000 < estimated_steps(opening, answers=2, exact=False) < MAX_FLOAT_STEPS
    True
    """
    if not opening.lines:
        return 0
    roster, orders = opening.roster, len(opening.lines)
    margins = _most(opening)
    entries = sum(
        vectors * active * min(orders, math.factorial(active - 1)) for vectors, active in _blocks(roster, margins)
    )
    beginning = orders * max((vectors for vectors, _active in _blocks(roster, margins)), default=0)
    steps = (entries * answers + beginning) * _outcomes(roster, margins)
    if roster.tracked is not None:
        steps *= _TRACKED
    if exact:
        steps += steps * _bits(roster, margins) // _BITS
    return steps


def _most(opening: Opening) -> dict[int, int]:
    """Return the largest margin of each combatant that can still act."""
    most = {who: max(now[who] for now in opening.vectors) for who in range(len(opening.roster.sides))}
    return {who: margin for who, margin in most.items() if margin >= 1}


def _blocks(roster: Roster, margins: dict[int, int]) -> Iterator[tuple[int, int]]:
    """Yield, for every set of combatants that may be left, the number of vectors and of those left.

    Where everybody attacks the first enemy that can act, only one of each side is ever hurt: those before it are out
    and those after it are whole.
    """
    sides: dict[str, list[int]] = {}
    for who, margin in margins.items():
        sides.setdefault(roster.sides[who], []).append(margin)
    if all(roster.combatants[who].policy in ("first-able", "inaction") for who in margins):
        choices: Iterable[list[tuple[int, int]]] = (
            [(margin, len(side) - place) for place, margin in enumerate(side)] for side in sides.values()
        )
    else:
        choices = (
            [(math.prod(some), count) for count in range(1, len(side) + 1) for some in combinations(side, count)]
            for side in sides.values()
        )
    alternatives = [[(1, 0), *some] for some in choices]
    for left in product(*alternatives):
        if sum(count > 0 for _vectors, count in left) > 1:
            yield math.prod(vectors for vectors, _count in left), sum(count for _vectors, count in left)


def _outcomes(roster: Roster, margins: dict[int, int]) -> int:
    """Return the mean number of things a turn can lead to, as far as that matters."""
    counts = []
    for who in margins:
        most = sum(margins[j] for j in roster.enemies[who] if j in margins)
        targets = len(roster.enemies[who]) if roster.combatants[who].policy == RANDOM else 1
        widths = [
            len(roster.damage(attack, roster.enemies[who][0], False).weights) * targets
            for attack in roster.attacks[who]
        ]
        counts.append(min(most, sum(widths)) + 1)
    return 1 + sum(counts) // max(1, len(counts))


def _bits(roster: Roster, margins: dict[int, int]) -> int:
    """Estimate the length of the largest denominator."""
    totals = [roster.total(who, which).bit_length() for who in margins for which in range(len(roster.attacks[who]))]
    return sum(totals) * sum(margins.values()) // 2
