"""The order of a battle, as the rules tell it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from d20kit.battle.arena import Arena, Fighter, able_to_act
from d20kit.battle.combatant import Combatant
from d20kit.battle.events import (
    Awareness,
    BattleEnds,
    Event,
    RoundBegins,
    SurpriseRoundBegins,
    SurpriseRoundSkipped,
)
from d20kit.battle.order import roll_initiative
from d20kit.battle.policies import Standing
from d20kit.battle.turn import take_turn
from d20kit.hit_points import State
from d20kit.initiative import surprise_round
from d20kit.randomness import Roller
from d20kit.rulesets import Ruleset

__all__ = ["ROUND_LIMIT", "Story", "able_to_act", "tell"]

# A battle that is still undecided after this many regular rounds ends as a draw.
ROUND_LIMIT = 1_000


class Story(NamedTuple):
    """What :func:`tell` has to say: events, final standings, and the face of every die.

    >>> from d20kit.battle import Encounter, SeededDice
    >>> duel = Encounter.ready("duel")
    >>> story = tell(duel.combatants, duel.rules, SeededDice(1))
    >>> story.standings[0].name, story.standings[0].state.value, story.faces[:2]
    ('Red fighter', 'healthy', (5, 9))
    """

    events: tuple[Event, ...]
    standings: tuple[Standing, ...]
    faces: tuple[int, ...]


def tell(
    combatants: Sequence[Combatant], rules: Ruleset, dice: Roller, watch: Callable[[Event], object] | None = None
) -> Story:
    """Fight one battle: awareness, surprise round, initiative, rounds, until one side is left that can act.

    The moment that leaves only one side able decides; what that blow costs its maker (a disabled one, where acting
    costs a hit point) is told but changes nothing. The dead have no turns and roll no initiative.
    ``watch`` is called with each event as it happens.

    >>> from d20kit.battle import Encounter, SeededDice
    >>> duel, heard = Encounter.ready("duel"), []
    >>> story = tell(duel.combatants, duel.rules, SeededDice(1), watch=heard.append)
    >>> heard == list(story.events), heard[-1].sentence()
    (True, 'blue have nobody left who can act: red win')
    """
    arena = Arena(combatants, rules, dice, watch)
    aware = _awareness(arena)
    _surprise_round(arena, aware)
    rounds = 0
    if arena.winner is None:
        order = roll_initiative(arena, [one for one in arena.fighters if one.state is not State.DEAD])
        while rounds < ROUND_LIMIT and arena.winner is None:
            rounds += 1
            _round(arena, rounds, order)
    _end(arena, rounds)
    standings = tuple(fighter.standing() for fighter in arena.fighters)
    return Story(tuple(arena.events), standings, tuple(arena.dice.faces))


def _awareness(arena: Arena) -> list[Fighter]:
    for fighter in arena.fighters:
        arena.tell(Awareness(fighter.name, fighter.combatant.side, fighter.combatant.aware))
    return [fighter for fighter in arena.fighters if fighter.combatant.aware]


def _surprise_round(arena: Arena, aware: list[Fighter]) -> None:
    """Let the aware act once, if anybody is unaware to be surprised."""
    plan = surprise_round({fighter.name: fighter.combatant.aware for fighter in arena.fighters}, rules=arena.rules)
    if not plan.happens:
        arena.tell(SurpriseRoundSkipped(bool(aware)))
        return
    arena.tell(SurpriseRoundBegins(plan.acting, plan.flat_footed))
    _turns(arena, roll_initiative(arena, aware), first_attack_only=True)


def _round(arena: Arena, number: int, order: list[Fighter]) -> None:
    standings = tuple((one.name, one.combatant.side, one.hp, one.state) for one in arena.fighters)
    arena.tell(RoundBegins(number, standings))
    _turns(arena, order, first_attack_only=False)


def _turns(arena: Arena, order: list[Fighter], first_attack_only: bool) -> None:
    for fighter in order:
        take_turn(arena, fighter, first_attack_only)
        if arena.winner is not None:
            return


def _end(arena: Arena, rounds: int) -> None:
    sides = dict.fromkeys(fighter.combatant.side for fighter in arena.fighters)
    beaten = tuple(side for side in sides if side != arena.winner) if arena.winner is not None else ()
    arena.tell(BattleEnds(arena.winner, beaten, rounds))
