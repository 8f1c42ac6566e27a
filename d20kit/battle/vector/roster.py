"""An encounter as tables: what the rules say of every face and every hit point, asked once and looked up later."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from d20kit.attack import FACES, Outcome, is_threat, resolve
from d20kit.battle.arena import attacks_of_a_turn
from d20kit.battle.attack import Attack, Save
from d20kit.battle.combatant import Combatant
from d20kit.battle.encounter import Encounter
from d20kit.battle.validate import LARGEST_DAMAGE, expression
from d20kit.dice import Pmf
from d20kit.hit_points import DEATH, MASSIVE_DAMAGE_DC, State, state
from d20kit.rulesets import Ruleset
from d20kit.saves import save_succeeds

# A state, and what an attack roll comes to, are small numbers in arrays.
STATES = tuple(State)
HEALTHY, DISABLED, DYING, STABLE, DEAD = range(len(STATES))
MISS, HIT, CRITICAL, THREAT = range(4)
_CODES = {Outcome.MISS: MISS, Outcome.HIT: HIT, Outcome.CRITICAL: CRITICAL}
# All hit points above this leave a combatant as it is; so do all below DEATH.
_HALE = 1


@dataclass(frozen=True)
class Blow:
    """One attack of a turn, as tables.

    ``outcomes`` holds what each face comes to, target by target, not flat-footed and flat-footed; ``saved`` whether
    a face saves each target, and ``left`` what a save leaves of each damage, both None where there is no save.

    >>> from d20kit.battle import Encounter
    >>> roster = Roster(Encounter.ready("duel"))
    >>> blow = roster.squads[0].blows[0]
    >>> blow.outcome(np.array([1, 1]), False, np.array([1, 20])).tolist() == [MISS, CRITICAL]
    True
    """

    attack: Attack
    outcomes: Any
    saved: Any
    left: Any

    def outcome(self, targets: Any, flat_footed: Any, faces: Any) -> Any:
        """Return what attack rolls come to."""
        return self.outcomes[(targets * 2 + flat_footed) * (FACES + 1) + faces]


@dataclass(frozen=True)
class Squad:
    """Combatants of one side who do the same with their turns: the same attacks, the same policy.

    >>> from d20kit.battle import Encounter
    >>> squads = Roster(Encounter.ready("kobolds")).squads
    >>> [(len(squad.enemies), squad.attacks) for squad in squads]
    [(12, True), (12, True), (12, True), (3, True)]
    """

    policy: str
    enemies: tuple[int, ...]
    enemy_sides: tuple[int, ...]
    blows: tuple[Blow, ...]

    @property
    def attacks(self) -> bool:
        """Whether its turns are used for anything."""
        return self.policy != "inaction" and bool(self.blows)

    def harmless(self, rules: Ruleset) -> bool:
        """Whether none of its turns ever changes anything, be it for an enemy or for itself."""
        damage = any(blow.attack.damage is not None for blow in self.blows)
        return not self.attacks or not (damage or rules.disabled_attack_cost)


class Roster:
    """Everything about an encounter that never changes in it.

    ``side_of`` and ``squad_of`` hold the number of each combatant's side and squad, ``next_of_side`` who of its side
    comes after it in the list, and ``first_of_side`` who comes first; nobody is the number after the last combatant.

    >>> from d20kit.battle import Encounter
    >>> roster = Roster(Encounter.ready("duel"))
    >>> [STATES[code].value for code in roster.states(np.array([0, 0, 0]), np.array([19, -5, -10]))]
    ['healthy', 'dying', 'dead']
    """

    def __init__(self, encounter: Encounter) -> None:
        self.rules, self.combatants = encounter.rules, encounter.combatants
        self.count = self.nobody = len(self.combatants)
        self.sides = encounter.sides
        sides = [self.sides.index(one.side) for one in self.combatants]
        self.side_of = np.array(sides)
        self.first_of_side = np.array([sides.index(side) for side in range(len(self.sides))])
        later = [[j for j in range(who + 1, self.count) if sides[j] == side] for who, side in enumerate(sides)]
        self.next_of_side = np.array([min(others, default=self.nobody) for others in later])
        self.initiative = np.array([one.initiative for one in self.combatants], np.int32)
        self.hp = np.array([one.hp for one in self.combatants], np.int32)
        self._states = np.array([_states(one, self.rules) for one in self.combatants], np.int8).ravel()
        self.massive_saves = _saves(self.combatants, Save("fortitude", MASSIVE_DAMAGE_DC), self.rules)
        self._set_squads()

    def _set_squads(self) -> None:
        kinds: dict[tuple[Any, ...], int] = {}
        number = []
        for one in self.combatants:
            kind = (one.side, one.policy, attacks_of_a_turn(one, self.rules))
            number.append(kinds.setdefault(kind, len(kinds)))
        self.squad_of = np.array(number, np.uint8)
        self.squads = tuple(self._squad(*kind) for kind in kinds)
        self.harmless = np.array([self.squads[each].harmless(self.rules) for each in number])

    def _squad(self, side: str, policy: str, attacks: tuple[Attack, ...]) -> Squad:
        enemies = tuple(who for who, one in enumerate(self.combatants) if one.side != side)
        others = tuple(number for number, name in enumerate(self.sides) if name != side)
        return Squad(policy, enemies, others, tuple(self._blow(attack) for attack in attacks))

    def _blow(self, attack: Attack) -> Blow:
        outcomes = [
            _outcomes(attack.bonus, one.defence(attack, flat_footed).ac, attack.threat, self.rules)
            for one in self.combatants
            for flat_footed in (False, True)
        ]
        save = attack.save
        saved = None if save is None else _saves(self.combatants, save, self.rules)
        left = None if save is None else np.array([save.left_of(damage) for damage in range(_most(attack) + 1)])
        return Blow(attack, np.array(outcomes, np.int8).ravel(), saved, left)

    def states(self, who: Any, hp: Any) -> Any:
        """Return the states that hit points put combatants in."""
        return self._states[who * (_HALE - DEATH + 1) + (np.minimum(np.maximum(hp, DEATH), _HALE) - DEATH)]


def _states(one: Combatant, rules: Ruleset) -> list[int]:
    return [STATES.index(state(hp, one.constitution, rules=rules)) for hp in range(DEATH, _HALE + 1)]


@lru_cache(maxsize=4096)
def _outcomes(bonus: int, ac: int, threat: int, rules: Ruleset) -> tuple[int, ...]:
    """Return what each face comes to; there is no face 0, so its place is never looked at."""
    read = [
        THREAT
        if is_threat(face, bonus, ac, threat=threat, rules=rules)
        else _CODES[resolve(face, bonus, ac, threat=threat, rules=rules)]
        for face in range(1, FACES + 1)
    ]
    return (MISS, *read)


def _saves(combatants: tuple[Combatant, ...], save: Save, rules: Ruleset) -> Any:
    """Return for each combatant and each face whether it saves; there is no face 0."""
    bonuses = [one.save_bonus(save.kind) for one in combatants]
    faces = range(1, FACES + 1)
    return np.array(
        [[False, *(save_succeeds(face, bonus, save.dc, rules=rules) for face in faces)] for bonus in bonuses]
    )


def _most(attack: Attack) -> int:
    """Return the largest damage of an attack."""
    weapon, extra = (0 if dice is None else _high(dice) for dice in (attack.damage, attack.extra))
    return max(1, attack.multiplier * weapon + extra, weapon + extra)


def _high(damage: str | Pmf) -> int:
    high = damage.support()[1] if isinstance(damage, Pmf) else expression(damage).span().high
    return min(high, LARGEST_DAMAGE)


@lru_cache(maxsize=8)
def roster_of(encounter: Encounter) -> Roster:
    """Return the tables of an encounter; those of the last few are kept.

    >>> from d20kit.battle import Encounter
    >>> roster_of(Encounter.ready("duel")) is roster_of(Encounter.ready("duel"))
    True
    """
    return Roster(encounter)
