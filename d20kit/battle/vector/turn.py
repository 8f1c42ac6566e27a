"""One turn in each of many battles: the attacks of those who can act, the bleeding of those who cannot."""

from __future__ import annotations

from typing import Any

import numpy as np

from d20kit.battle.vector.arena import UNDECIDED, Arena
from d20kit.battle.vector.policies import choose
from d20kit.battle.vector.roster import DISABLED, DYING, STABLE, Squad
from d20kit.battle.vector.strike import strike


def take_turns(arena: Arena, who: Any, battles: Any, first_attack_only: bool) -> None:
    """Let one combatant in each of these battles have its turn, whatever it can still do with it.

    >>> from d20kit.battle import Encounter
    >>> from d20kit.battle.vector.faces import RandomFaces
    >>> from d20kit.battle.vector.roster import Roster
    >>> arena = Arena(Roster(Encounter.ready("duel")), 4, RandomFaces(1, 0))
    >>> take_turns(arena, np.array([0, 1]), np.array([2, 3]), first_attack_only=False)
    >>> arena.flat_footed.reshape(2, -1).tolist()
    [[True, True, False, True], [True, True, True, False]]
    """
    at = arena.at(who, battles)
    arena.flat_footed[at] = False
    state = arena.state[at]
    dying = np.flatnonzero(state == DYING)
    if dying.size:
        _bleed(arena, who[dying], battles[dying])
    able = np.flatnonzero(state <= DISABLED)
    who, battles = who[able], battles[able]
    # those who do the same with their turns come to stand together
    squads = arena.roster.squad_of[who]
    together = np.argsort(squads, kind="stable")
    ends = np.searchsorted(squads[together], np.arange(len(arena.roster.squads) + 1))
    for squad, start, end in zip(arena.roster.squads, ends[:-1], ends[1:], strict=True):
        if start < end:
            acting = together[start:end]
            _act(arena, squad, who[acting], battles[acting], first_attack_only)


def _act(arena: Arena, squad: Squad, who: Any, battles: Any, first_attack_only: bool) -> None:
    """Make the attacks of the turn, the disabled too, who pay afterwards, and once, where acting costs them."""
    if not squad.attacks:
        return
    going = battles
    for number, blow in enumerate(squad.blows[:1] if first_attack_only else squad.blows):
        if number:
            going = going[arena.winner[going] == UNDECIDED]
        if going.size:
            strike(arena, blow, choose(arena, squad, going), going)
    cost = arena.roster.rules.disabled_attack_cost
    if cost:
        paying = np.flatnonzero(arena.state[arena.at(who, battles)] == DISABLED)
        arena.lose(who[paying], battles[paying], cost)


def _bleed(arena: Arena, who: Any, battles: Any) -> None:
    needed = int(100 * arena.roster.rules.stabilise_chance)
    if needed:
        stable = arena.faces.roll(battles, 1, 100)[0] <= needed
        arena.become(who[stable], battles[stable], np.full(stable.sum(), STABLE))
        who, battles = who[~stable], battles[~stable]
    arena.lose(who, battles, 1)
