"""Battles solved exactly: who wins, how everybody ends, who falls first, how long it takes.

A battle is a chain: what can happen next depends only on how everybody stands and whose turn it is. Three facts make
it small enough to solve, over all dice and all orders of initiative.

1. Hit points only fall. Ordered by the hit points that are left, every state leads to states already solved, or back
   to itself, through a round in which nobody hit: a geometric series with a closed sum. See ``solve/chain.py``.
2. Whoever can no longer act never acts again, and everybody attacks the first enemy that can act. So on each side
   only one combatant is partly hurt, and few states can be reached at all.
3. Only until everybody has had one turn can somebody be flat-footed. These turns and the surprise round come once, and
   are followed forwards, order by order: see ``solve/opening.py``. From then on orders count only as cycles.

Everything is a whole number over a common denominator until the end, so the answers are exact fractions.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from d20kit.battle.bar import bar_on_terminal
from d20kit.battle.policies import POLICY_NAMES
from d20kit.battle.solve.arithmetic import Exact, Floating, error_bound
from d20kit.battle.solve.chain import Chain, Progress, Spots
from d20kit.battle.solve.cycles import Cycle, Cycles, from_lowest
from d20kit.battle.solve.estimate import check_rounds, check_work, estimated_steps
from d20kit.battle.solve.given import check_events
from d20kit.battle.solve.limits import MOST_ROUNDS, TooMuchWorkError
from d20kit.battle.solve.moves import Moves
from d20kit.battle.solve.opening import Opening, Part
from d20kit.battle.solve.position import Position
from d20kit.battle.solve.roster import Roster
from d20kit.battle.solve.rounds import chances_of_rounds
from d20kit.battle.solve.turns import Fate, FirstFall, Turns, Winner
from d20kit.battle.spread import check_progress
from d20kit.check import one_of, one_whole, refuse, truth
from d20kit.hit_points import State
from d20kit.language import _

if TYPE_CHECKING:
    from d20kit.battle.battle import Battle
    from d20kit.battle.encounter import Encounter
    from d20kit.battle.events import Event

Chance = Fraction | float


@dataclass(frozen=True)
class Odds:
    """The chance of every end of a battle.

    ``win_chance`` maps each side to its chance to win, ``draw`` is the chance that the battle never ends, and no
    chance is further from the truth than ``error``, which is 0 where they are exact fractions.

    >>> from d20kit.battle import Encounter
    >>> odds(Encounter.ready("duel"))
    Odds(win_chance={'red': Fraction(1, 2), 'blue': Fraction(1, 2)}, draw=Fraction(0, 1), error=0.0)
    """

    win_chance: dict[str, Chance]
    draw: Chance
    error: float


def win_chance(
    encounter: Encounter,
    side: str,
    *,
    given: Iterable[Event] = (),
    exact: bool = True,
    progress: Progress | None = None,
) -> Chance:
    """Return the chance that a side wins; see :meth:`Encounter.win_chance`.

    >>> from d20kit.battle import Attack, Combatant, Encounter
    >>> dagger = Attack("dagger", 0, "1d4+1")
    >>> ann, bob = (Combatant(name, name, 1, 11, dagger, aware=name == "Ann") for name in ("Ann", "Bob"))
    >>> win_chance(Encounter([ann, bob]), "Ann")  # half the surprise attacks fell Bob, and then the two are even
    Fraction(3, 4)
    """
    side = one_of("side", side, encounter.sides)
    told = _told(encounter, given)
    sides = encounter.sides
    try:
        others = _solve(encounter, Winner(), sides[:-1], told, exact, progress)
    except TooMuchWorkError:
        if len(sides) == 2:
            raise
        # of several sides one alone may be little enough
        return _solve(encounter, Winner(), (side,), told, exact, progress).chances[0]
    if side != sides[-1]:
        return others.chances[sides.index(side)]
    return _last_side(encounter, others, told, exact, progress)


def odds(
    encounter: Encounter, *, given: Iterable[Event] = (), exact: bool = True, progress: Progress | None = None
) -> Odds:
    """Return the chance of each side to win, and of a draw; see :meth:`Encounter.odds`.

    >>> from d20kit.battle import Encounter
    >>> found = odds(Encounter.ready("duel"), exact=False)
    >>> abs(found.win_chance["red"] - 0.5) <= found.error < 1e-10
    True
    """
    sides, told = encounter.sides, _told(encounter, given)
    others = _solve(encounter, Winner(), sides[:-1], told, exact, progress)
    chances = [*others.chances, _last_side(encounter, others, told, exact, progress)]
    draw = _left(chances) if others.endless else 0 * chances[0]
    return Odds(dict(zip(sides, chances, strict=True)), draw, others.error * len(sides))


def _last_side(
    encounter: Encounter, others: _Solved, told: tuple[Event, ...], exact: bool, progress: Progress | None
) -> Chance:
    """Return the last side's chance: what the others leave, unless the battle may never end."""
    if others.endless:
        return _solve(encounter, Winner(), encounter.sides[-1:], told, exact, progress).chances[0]
    return _left(others.chances)


def _left(chances: list[Chance]) -> Chance:
    """Return what chances leave of 1.

    Floats are each off by a share of themselves, so n of them that are parts of 1 are off by no more than one may be;
    their sum and the difference add n roundings. The bound of each, times n + 1, is more than that.
    """
    return max(0 * chances[0], 1 - sum(chances))


def fates(
    encounter: Encounter, *, given: Iterable[Event] = (), exact: bool = True, progress: Progress | None = None
) -> dict[str, dict[State, Chance]]:
    """Return each combatant's chance to end in each state; see :meth:`Encounter.fates`.

    Each combatant is a question of its own: only the one that is asked about is followed while it bleeds, which keeps
    the states few. Asking for k of them is solving k times.

    >>> from d20kit.battle import Attack, Combatant, Encounter
    >>> ann, bob = (Combatant(name, name, 1, 11, Attack("dagger", 0, "1d4+1")) for name in ("Ann", "Bob"))
    >>> {state.value: str(chance) for state, chance in fates(Encounter([ann, bob]))["Ann"].items() if chance}
    {'healthy': '1/2', 'dying': '1/2'}
    """
    told = _told(encounter, given)
    return {
        one.name: dict(
            zip(State, _solve(encounter, Fate(who), tuple(State), told, exact, progress).chances, strict=True)
        )
        for who, one in enumerate(encounter.combatants)
    }


def first_to_fall(
    encounter: Encounter, *, given: Iterable[Event] = (), exact: bool = True, progress: Progress | None = None
) -> dict[str, Chance]:
    """Return each combatant's chance to be the first that can no longer act; see :meth:`Encounter.first_to_fall`.

    >>> from d20kit.battle import Attack, Combatant, Encounter
    >>> dagger = Attack("dagger", 0, "1d4+1")
    >>> ann, bob = (Combatant(name, name, 1, 11, dagger, aware=name == "Ann") for name in ("Ann", "Bob"))
    >>> first_to_fall(Encounter([ann, bob]))
    {'Ann': Fraction(1, 4), 'Bob': Fraction(3, 4)}
    """
    names = tuple(one.name for one in encounter.combatants)
    told = _told(encounter, given)
    return dict(zip(names, _solve(encounter, FirstFall(), names, told, exact, progress).chances, strict=True))


def round_chances(encounter: Encounter, most: int, *, progress: Progress | None = None) -> list[Fraction]:
    """Return the chance that a battle ends in each round; see :meth:`Encounter.round_chances`.

    >>> from d20kit.battle import Attack, Combatant, Encounter
    >>> dagger = Attack("dagger", 0, "1d4+1")
    >>> ann, bob = (Combatant(name, name, 1, 11, dagger, aware=name == "Ann") for name in ("Ann", "Bob"))
    >>> [str(chance) for chance in round_chances(Encounter([ann, bob]), 2)]  # round 0 is the surprise round
    ['1/2', '3/8', '3/32']
    """
    most = one_whole("most", most, 0, MOST_ROUNDS)
    check_progress(progress)
    _check_policies(encounter)
    moves = _moves(encounter, Winner())
    opening = Opening(encounter, moves, Position(encounter, moves.turns, ()))
    with _seen(progress, check_rounds(opening, most)) as seen:
        return chances_of_rounds(opening, most, seen)


def swings(battle: Battle, side: str, *, exact: bool = True) -> list[tuple[int, Chance]]:
    """Return the chance that a side wins, event by event.

    Parameters
    ----------
    battle : Battle
        A battle that has been fought.
    side : str
        One of its sides.
    exact : bool
        Exact fractions, or floats.

    Returns
    -------
    list of (int, chance)
        How many events have been told, and the chance given these: from none of them on, or, in a battle of many,
        from the moment at which enough of the initiative is known.

    Examples
    --------
    >>> from d20kit.battle import Encounter
    >>> from d20kit.battle.exact import swings
    >>> battle = Encounter.ready("duel").fight(1)
    >>> chances = [chance for _told, chance in swings(battle, battle.winner)]
    >>> print(*(f"{float(chance):.2f}" for chance in (chances[0], chances[8], chances[-1])))
    0.50 0.44 1.00
    """
    from d20kit.battle.battle import Battle

    if not isinstance(battle, Battle):
        raise refuse("battle", battle, _("a battle that has been fought"), "encounter.fight(1)")
    found: list[tuple[int, Chance]] = []
    for told in range(len(battle.events) + 1):
        try:
            found.append((told, win_chance(battle.encounter, side, given=battle.events[:told], exact=exact)))
        except TooMuchWorkError:
            continue
    return found


def estimated_work(encounter: Encounter, *, given: Iterable[Event] = (), exact: bool = True) -> int:
    """Return about how many steps :func:`odds` takes at most, which is found without taking them.

    A battle that always ends takes fewer, as the last side's chance is what the others leave.

    Raises
    ------
    TooMuchWorkError
        A ValueError: initiative can still fall in too many orders.
    ValueError
        If ``given`` is of another battle, or somebody's policy is a function.

    Examples
    --------
    >>> from d20kit.battle import Encounter
    >>> from d20kit.battle.exact import estimated_work
    >>> estimated_work(Encounter.ready("duel")) < estimated_work(Encounter.ready("boss"))
    True
    """
    told = _told(encounter, given)
    moves = _moves(encounter, Winner())
    opening = Opening(encounter, moves, Position(encounter, moves.turns, told))
    return estimated_steps(opening, len(encounter.sides), exact)


class _Solved(NamedTuple):
    chances: list[Chance]
    error: float
    endless: bool


def _solve(
    encounter: Encounter,
    question: Winner,
    answers: tuple[Any, ...],
    given: tuple[Event, ...],
    exact: bool,
    progress: Progress | None,
) -> _Solved:
    """Answer a question: follow the beginning, solve the rounds it leads to, and put the two together."""
    truth("exact", exact)
    check_progress(progress)
    moves = _moves(encounter, question)
    opening = Opening(encounter, moves, Position(encounter, moves.turns, given))
    long = check_work(opening, len(answers), exact)
    chain = _chain(encounter, question, answers, frozenset(map(from_lowest, opening.orders)), exact)
    with _seen(progress, long) as seen:
        leaves = list(opening.leaves(not exact))
        codes = {code for _done, part in leaves for code in part.lanes.going}
        chain.solve(codes, seen)
    chances = [chain.arithmetic.mean(terms) for terms in _terms(leaves, chain)]
    endless = chain.endless or any(None in part.lanes.over for _done, part in leaves)
    if exact:
        return _Solved(chances, 0.0, endless)
    # on top of both parts: a share, two products, and the sum over lines and vectors
    roundings = max(map(chain.roundings, codes), default=0) + max(part.lanes.roundings for _done, part in leaves)
    return _Solved(chances, error_bound(roundings + len(opening.lines) + 8), endless)


def _seen(progress: Progress | None, long: bool) -> AbstractContextManager[Progress | None]:
    """Return whoever is told of progress; long work of which nobody is told is shown where somebody waits for it."""
    return bar_on_terminal() if progress is None and long else nullcontext(progress)


def _terms(leaves: list[tuple[int, Part]], chain: Chain) -> list[list[tuple[Any, Any, Any]]]:
    """Return, for each answer, the weighted values of everything the beginning has led to."""
    answers, arithmetic = chain.cycles.answers, chain.arithmetic
    terms: list[list[tuple[Any, Any, Any]]] = [[] for _answer in answers]
    scale = arithmetic.scale([line.chance for _done, part in leaves for lines in part.lines for line in lines])
    for done, part in leaves:
        orders = [
            (lane, arithmetic.share(line.chance, scale), line.order_after(done))
            for lane, lines in enumerate(part.lines)
            for line in lines
        ]
        total = part.lanes.total * scale
        for answer, found in zip(answers, terms, strict=True):
            if answer in part.lanes.over:
                weights = part.lanes.over[answer]
                shares = [(lane, share) for lane, share, _order in orders] or [(0, scale)]
                found.append((sum(weights[lane] * share for lane, share in shares), total, 1))
        spots: dict[Cycle, Spots] = {}
        for code, weights in part.lanes.going.items():
            active = chain.active(code)
            if active not in spots:
                spots[active] = chain.spots(active, orders)
            numerators, denominator = chain.values(code, weights, spots[active])
            for found, numerator in zip(terms, numerators, strict=True):
                found.append((numerator, total, denominator))
    return terms


def _told(encounter: Encounter, given: Iterable[Event]) -> tuple[Event, ...]:
    _check_policies(encounter)
    return check_events(encounter, given)


def _check_policies(encounter: Encounter) -> None:
    for one in encounter.combatants:
        if callable(one.policy):
            raise ValueError(
                _(
                    "the policy of {name} is a function of its own, which only a battle that is fought can ask; "
                    "choose one of {known} for an exact answer, or use simulate()"
                ).format(name=one.name, known=", ".join(map(repr, POLICY_NAMES)))
            )


def forget() -> None:
    """Let go of everything that has been solved, for measurements or for memory.

    >>> from d20kit.battle import Encounter
    >>> duel = Encounter.ready("duel")
    >>> before = odds(duel)
    >>> forget()
    >>> odds(duel) == before
    True
    """
    _moves.cache_clear()
    _chain.cache_clear()


# Answers to one battle, and to its later moments, share what has been solved; the last few battles are kept.
@lru_cache(maxsize=4)
def _moves(encounter: Encounter, question: Winner) -> Moves:
    return Moves(Turns(Roster(encounter, question.tracked), question))


@lru_cache(maxsize=4)
def _chain(
    encounter: Encounter, question: Winner, answers: tuple[Any, ...], cycles: frozenset[Cycle], exact: bool
) -> Chain:
    return Chain(_moves(encounter, question), Cycles(cycles, answers), Exact() if exact else Floating())
