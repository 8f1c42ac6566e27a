"""Battles in plain Python, as somebody would write them who needs one answer and no kit: the peer of the simulator.

COURSE rules, everybody aware, nobody with uncanny dodge, one attack a turn with damage like "1d8+2".
"""

from __future__ import annotations

from random import Random

from d20kit.battle import Combatant, Encounter

ROUNDS = 1_000


class Fighter:
    """A combatant in a battle, with its numbers at hand."""

    def __init__(self, one: Combatant) -> None:
        attack = one.attacks[0]
        dice, _plus, bonus = str(attack.damage).partition("+")
        self.side, self.hp, self.ac, self.flat_footed_ac = one.side, one.hp, one.ac, one.flat_footed_ac
        self.initiative, self.floor = one.initiative, -max(0, one.constitution)
        self.bonus, self.multiplier = attack.bonus, attack.multiplier
        self.sides, self.damage_bonus = int(dice.removeprefix("1d")), int(bonus or 0)
        self.moved = False


def battle(encounter: Encounter, random: Random) -> str | None:
    """Fight once; return the side that wins."""
    fighters = [Fighter(one) for one in encounter.combatants]
    order = in_order(fighters, random)
    for _round in range(ROUNDS):
        for fighter in order:
            fighter.moved = True
            if fighter.hp < fighter.floor:
                fighter.hp -= fighter.hp > -10
                continue
            enemies = [one for one in fighters if one.side != fighter.side and one.hp >= one.floor]
            attack(fighter, enemies[0], random)
            if enemies[0].hp < enemies[0].floor and len(enemies) == 1:
                return fighter.side
    return None


def in_order(fighters: list[Fighter], random: Random) -> list[Fighter]:
    """Roll initiative, and again among the tied."""
    if len(fighters) < 2:
        return fighters
    groups: dict[int, list[Fighter]] = {}
    for fighter in fighters:
        groups.setdefault(fighter.initiative + random.randint(1, 20), []).append(fighter)
    return [fighter for total in sorted(groups, reverse=True) for fighter in in_order(groups[total], random)]


def attack(fighter: Fighter, target: Fighter, random: Random) -> None:
    """Roll to hit, and for damage."""
    face = random.randint(1, 20)
    if face != 20 and (face == 1 or face + fighter.bonus < (target.ac if target.moved else target.flat_footed_ac)):
        return
    damage = random.randint(1, fighter.sides) + fighter.damage_bonus
    target.hp -= max(1, damage * fighter.multiplier if face == 20 else damage)


def share(encounter: Encounter, side: str, battles: int, seed: int) -> float:
    """Return a side's share of many battles."""
    random = Random(seed)
    return sum(battle(encounter, random) == side for _battle in range(battles)) / battles
