"""Combatants as the solver sees them: one number each, and what every attack does to it.

The number is the *margin*: the hit points a combatant can lose before it can no longer act, plus one; 1 is the lowest
margin that still acts. Whoever can no longer act never can again, so all that bleeding, stabilising and death do to
it changes nothing about who wins: it is put down as ``DEAD`` at once, and a battle has few states. Only where the fate
of one combatant is asked for, the *tracked* one, its margin goes on below 1 until it is ``STABLE`` or ``DEAD``.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from d20kit.battle.arena import attacks_of_a_turn
from d20kit.battle.policies import RANDOM, Standing, choose
from d20kit.damage import attack_damage
from d20kit.dice import Pmf
from d20kit.hit_points import (
    MASSIVE_DAMAGE,
    State,
    disabled_attack_cost,
    disabled_floor,
    massive_damage_chance,
    state,
)
from d20kit.saves import save_chance
from d20kit.states import DEATH

if TYPE_CHECKING:
    from d20kit.battle.attack import Attack
    from d20kit.battle.encounter import Encounter

Vector = tuple[int, ...]

# Below every margin, of which the lowest is that of -9 hit points, so that whatever happens makes a number smaller.
STABLE = -11
DEAD = -12
_SAVE_FACES = 20


class Roster:
    """The combatants of an encounter by their place in its list, and what they do to each other's margins.

    >>> from d20kit.battle import Encounter
    >>> roster = Roster(Encounter.ready("duel"))
    >>> roster.start, roster.targets(0, roster.start, frozenset()), roster.lose(1, 6, 5), roster.lose(1, 6, 6) == DEAD
    ((22, 22), [1], 1, True)
    """

    def __init__(self, encounter: Encounter, tracked: int | None = None) -> None:
        self.combatants, self.rules, self.tracked = encounter.combatants, encounter.rules, tracked
        everybody = range(len(self.combatants))
        self.sides = [one.side for one in self.combatants]
        self.floors = [int(disabled_floor(one.constitution, rules=self.rules)) for one in self.combatants]
        self.attacks = [attacks_of_a_turn(one, self.rules) for one in self.combatants]
        self.enemies = [[j for j in everybody if self.sides[j] != self.sides[i]] for i in everybody]
        self.start: Vector = tuple(
            self.place(i, one.hp, state(one.hp, one.constitution, rules=self.rules))
            for i, one in enumerate(self.combatants)
        )
        self._costs: dict[tuple[int, int], int] = {}
        self._blows: dict[tuple[int, int, int, bool], Blow] = {}
        self._totals: dict[tuple[int, int], int] = {}

    def place(self, who: int, hp: int, now: State) -> int:
        """Return the number of a combatant with these hit points in this state."""
        if now.can_act or (who == self.tracked and now is State.DYING):
            return hp - self.floors[who] + 1
        return STABLE if who == self.tracked and now is State.STABLE else DEAD

    def fate(self, who: int, margin: int) -> State:
        """Return the state that a number stands for."""
        if margin <= STABLE:
            return State.STABLE if margin == STABLE else State.DEAD
        return state(self._hp(who, margin), self.combatants[who].constitution, rules=self.rules)

    def _hp(self, who: int, margin: int) -> int:
        return margin + self.floors[who] - 1

    def lose(self, who: int, margin: int, points: int) -> int:
        """Take hit points away."""
        left = margin - points
        if left >= 1 or (who == self.tracked and self._hp(who, left) > DEATH):
            return left
        return DEAD

    def pay(self, who: int, margin: int) -> int:
        """Take away what acting costs the disabled."""
        if not self.rules.disabled_attack_cost or margin < 1:
            return margin
        if (who, margin) not in self._costs:
            cost = disabled_attack_cost(self._hp(who, margin), self.combatants[who].constitution, rules=self.rules)
            self._costs[who, margin] = int(cost)
        return self.lose(who, margin, self._costs[who, margin])

    def targets(self, who: int, now: Vector, flat_footed: frozenset[int]) -> list[int]:
        """Return whom a combatant's policy may attack, each as likely."""
        policy = self.combatants[who].policy
        able = [j for j in self.enemies[who] if now[j] >= 1]
        if policy == RANDOM or not able:
            return able
        if policy == "first-able":
            return able[:1]
        standings = {j: self._standing(j, now[j], j in flat_footed) for j in able}
        chosen = choose(policy, self._standing(who, now[who], who in flat_footed), tuple(standings.values()))
        return [j for j, standing in standings.items() if standing is chosen]

    def spread(self, who: int) -> int:
        """Return what the number of targets always divides."""
        return math.lcm(*range(1, len(self.enemies[who]) + 1)) if self.combatants[who].policy == RANDOM else 1

    def _standing(self, who: int, margin: int, flat_footed: bool) -> Standing:
        one = self.combatants[who]
        return Standing(one.name, one.side, self._hp(who, margin), self.fate(who, margin), flat_footed, one)

    def blow(self, who: int, which: int, target: int, flat_footed: bool) -> Blow:
        """Return what one attack of a combatant does to a target; all targets share one denominator."""
        key = (who, which, target, flat_footed)
        if key not in self._blows:
            attack = self.attacks[who][which]
            damage = self.damage(attack, target, flat_footed)
            self._blows[key] = Blow(self, target, damage, self.total(who, which) // self.spread(who))
        return self._blows[key]

    def total(self, who: int, which: int) -> int:
        """Return the denominator of all that one attack can do, its target included."""
        if (who, which) not in self._totals:
            attack = self.attacks[who][which]
            damages = [self.damage(attack, j, flat) for j in self.enemies[who] for flat in (False, True)]
            least = math.lcm(*(sum(one.weights) * self.save_faces(one) for one in damages))
            self._totals[who, which] = least * self.spread(who)
        return self._totals[who, which]

    def damage(self, attack: Attack, target: int, flat_footed: bool) -> Pmf:
        """Return the distribution of what an attack takes from a target, misses included."""
        if attack.damage is None:
            return Pmf({0: 1})
        ac = self.combatants[target].defence(attack, flat_footed).ac
        rolled = attack_damage(
            attack.bonus,
            ac,
            attack.damage,
            multiplier=attack.multiplier,
            threat=attack.threat,
            extra=attack.extra,
            rules=self.rules,
        )
        return self.saved(attack, target, rolled)

    def saved(self, attack: Attack, target: int, damage: Pmf) -> Pmf:
        """Return what the saving throw against an attack leaves of its damage."""
        if attack.save is None:
            return damage
        bonus = self.combatants[target].save_bonus(attack.save.kind)
        return attack.save.saved(damage, save_chance(bonus, attack.save.dc, rules=self.rules))

    def sensitive(self, attacker: int, target: int) -> bool:
        """Whether it matters to any attack of one combatant that another is flat-footed."""
        one = self.combatants[target]
        return any(one.defence(attack, True).ac != one.defence(attack, False).ac for attack in self.attacks[attacker])

    def save_faces(self, damage: Pmf) -> int:
        """Return the faces of the die that massive damage can call for, 1 if it cannot."""
        return _SAVE_FACES if self.rules.massive_damage and damage.support()[1] >= MASSIVE_DAMAGE else 1

    def killed_outright(self, target: int, damage: int) -> Any:
        """Return the chance that massive damage kills a target that the hit itself has not."""
        fortitude = self.combatants[target].save_bonus("fortitude")
        return massive_damage_chance(damage, fortitude, rules=self.rules)

    def sole_side(self, now: Vector) -> str | None:
        """Return the only side that can still act, None while there are several."""
        able = {side for side, margin in zip(self.sides, now, strict=True) if margin >= 1}
        return able.pop() if len(able) == 1 else None


class Blow:
    """What one attack makes of a target's margin, as whole-number weights of one total.

    >>> from d20kit.battle import Encounter
    >>> roster = Roster(Encounter.ready("duel"))
    >>> blow = Blow(roster, 1, Pmf({0: 1, 4: 2, 8: 1}), total=4)
    >>> blow.outcomes(6)  # a miss, a wound, and a blow after which nobody acts
    [(6, 1), (2, 2), (-12, 1)]
    """

    def __init__(self, roster: Roster, target: int, damage: Pmf, total: int) -> None:
        self.roster, self.target = roster, target
        scale = total // sum(damage.weights)
        self._damage = [(points, weight * scale) for points, weight in enumerate(damage.weights, damage.support()[0])]
        self._outcomes: dict[int, list[tuple[int, int]]] = {}

    def outcomes(self, margin: int) -> list[tuple[int, int]]:
        """Return the margins afterwards with their weights; a margin of all blows that fell is one entry."""
        if margin not in self._outcomes:
            sums: dict[int, int] = {}
            for points, weight in self._damage:
                left = self.roster.lose(self.target, margin, points) if points else margin
                killing = 0
                if points >= MASSIVE_DAMAGE and left != DEAD:
                    killing = int(weight * self.roster.killed_outright(self.target, points))
                    sums[DEAD] = sums.get(DEAD, 0) + killing
                sums[left] = sums.get(left, 0) + weight - killing
            self._outcomes[margin] = [(left, weight) for left, weight in sums.items() if weight]
        return self._outcomes[margin]
