"""A creature is its components; every number of its stat block is computed from them by the rules."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from d20kit.abilities import ability_modifier, size_modifier
from d20kit.armor_class import armor_class
from d20kit.attack import base_attack_bonus, melee_bonus, range_penalty, ranged_bonus
from d20kit.bestiary.weapon import RANGED_GRIPS, ClassProgression, Weapon
from d20kit.check import one_of, refuse
from d20kit.damage import strength_damage
from d20kit.initiative import initiative_bonus
from d20kit.language import _
from d20kit.rulesets import SRD35, Ruleset
from d20kit.saves import ABILITY, base_save, save_bonus

if TYPE_CHECKING:
    from collections.abc import Mapping

# The readings under which the computed lines equal the published stat blocks: SRD35, but bows and slings printed
# without Strength.
AS_PRINTED = SRD35.replace(projectile_strength="none")


@dataclass(frozen=True)
class AttackLine:
    """One attack of a stat block, with its numbers computed.

    ``damage`` is a dice expression, or None for an attack that does no damage by itself. ``range_increment`` is in
    feet, None in melee.

    >>> from d20kit.bestiary import load
    >>> line = load("goblin").attack("javelin")
    >>> line.bonus, line.damage, line.range_increment
    (3, '1d4', 30)
    """

    name: str
    bonus: int
    damage: str | None
    threat: int = 20
    multiplier: int = 2
    ranged: bool = False
    touch: bool = False
    natural: bool = False
    range_increment: int | None = None

    def __str__(self) -> str:
        return f"{self.name} {self.bonus:+d}" + (f" ({self.damage})" if self.damage else "")


@dataclass(frozen=True)
class _Attack:
    """What a creature's table says about one of its attacks."""

    name: str
    dice: str | None
    grip: str
    threat: int = 20
    multiplier: int = 2
    light: bool = False
    finesse: bool = False
    touch: bool = False
    natural: bool = False
    attack_bonus: int = 0
    range_increment: int | None = None


@dataclass(frozen=True)
class Creature:
    """A creature or hero of the bestiary.

    Abilities map the six names (``strength``, ...) to scores; a missing one is a score it does not have. Armor, shield
    and natural armor are bonuses to armor class. ``turn`` names the attacks of one turn, ``attacks`` all it can make.

    >>> from d20kit.bestiary import load
    >>> ogre = load("ogre")
    >>> ogre.abilities["strength"], ogre.modifier("strength"), ogre.ac, ogre.saves["fortitude"]
    (21, 5, 16, 6)
    >>> print(ogre)
    ogre: 29 hit points, AC 16, initiative -1; greatclub +8 (2d8+7)
    """

    name: str
    size: str
    hit_points: int
    abilities: Mapping[str, int]
    base_attack_bonus: int
    base_saves: Mapping[str, int]
    attacks: tuple[_Attack, ...]
    turn: tuple[str, ...]
    hit_dice: str | None = None
    challenge: str | None = None
    armor: int = 0
    shield: int = 0
    natural: int = 0
    maximum_dexterity: int | None = None
    initiative_bonus: int = 0
    uncanny_dodge: bool = False
    note: str = ""

    def modifier(self, ability: str) -> int:
        """Return the modifier of an ability; 0 for a score the creature does not have."""
        return int(ability_modifier(self.abilities.get(ability)))

    def _armor_class(self, **conditions: bool) -> int:
        ac = armor_class(
            dexterity=self.modifier("dexterity"),
            size=size_modifier(self.size),
            armor=self.armor,
            shield=self.shield,
            natural=self.natural,
            max_dexterity=self.maximum_dexterity,
            **conditions,
        )
        return int(ac)

    @property
    def ac(self) -> int:
        """Armor class."""
        return self._armor_class()

    @property
    def touch_ac(self) -> int:
        """Armor class against touch attacks."""
        return self._armor_class(touch=True)

    @property
    def flat_footed_ac(self) -> int:
        """Armor class without the Dexterity bonus; uncanny dodge is the combatant's own to apply."""
        return self._armor_class(flat_footed=True)

    @property
    def initiative(self) -> int:
        """Initiative modifier: Dexterity and what a feat adds."""
        return int(initiative_bonus(self.modifier("dexterity"), self.initiative_bonus))

    @property
    def saves(self) -> dict[str, int]:
        """Bonuses of the three saving throws."""
        return {
            save: int(save_bonus(self.base_saves[save], self.modifier(ability))) for save, ability in ABILITY.items()
        }

    def attack(self, name: str, rules: Ruleset = AS_PRINTED, *, distance: int | None = None) -> AttackLine:
        """Compute one attack line.

        Parameters
        ----------
        name : str
            One of the creature's attacks.
        rules : Ruleset
            Whose switches for Strength damage apply; the readings of the published stat blocks unless given.
        distance : int, optional
            Feet to the target, for an attack over a distance; the range penalty is in the bonus.

        Raises
        ------
        ValueError
            If the creature has no such attack, where the nearest is offered, or the target is out of its reach.

        Examples
        --------
        >>> from d20kit.bestiary import load
        >>> line = load("ogre").attack("greatclub")
        >>> line.bonus, line.damage
        (8, '2d8+7')
        >>> load("goblin").attack("javelin", distance=60).bonus
        -1
        """
        known = {attack.name: attack for attack in self.attacks}
        attack = known[one_of("attack", name, known)]
        return AttackLine(
            attack.name,
            self._attack_bonus(attack, distance),
            self._damage(attack, rules),
            attack.threat,
            attack.multiplier,
            ranged=attack.grip in RANGED_GRIPS,
            touch=attack.touch,
            natural=attack.natural,
            range_increment=attack.range_increment,
        )

    def _attack_bonus(self, attack: _Attack, distance: int | None) -> int:
        size = size_modifier(self.size)
        penalty = 0 if distance is None else self._range_penalty(attack, distance)
        if attack.grip in RANGED_GRIPS:
            dexterity = self.modifier("dexterity")
            return int(ranged_bonus(self.base_attack_bonus, dexterity, size, penalty, attack.attack_bonus))
        ability = self.modifier("dexterity" if attack.finesse else "strength")
        return int(melee_bonus(self.base_attack_bonus, ability, size, other=attack.attack_bonus))

    def _range_penalty(self, attack: _Attack, distance: int) -> int:
        if attack.range_increment is None:
            ranged = [other.name for other in self.attacks if other.range_increment is not None]
            fix = _("its ranged attacks are {names}").format(names=", ".join(ranged)) if ranged else ""
            allowed = _("left out, because {attack} strikes in melee").format(attack=attack.name)
            raise refuse("distance", distance, allowed, fix)
        kind = "thrown" if attack.grip == "thrown" else "projectile"
        return int(range_penalty(distance, attack.range_increment, kind))

    def _damage(self, attack: _Attack, rules: Ruleset) -> str | None:
        if attack.dice is None:
            return None
        bonus = strength_damage(self.modifier("strength"), attack.grip, light=attack.light, rules=rules)
        return f"{attack.dice}{bonus:+d}" if bonus else attack.dice

    def __str__(self) -> str:
        return _("{name}: {hit_points} hit points, AC {ac}, initiative {initiative:+d}; {attacks}").format(
            name=self.name,
            hit_points=self.hit_points,
            ac=self.ac,
            initiative=self.initiative,
            attacks=", ".join(map(str, map(self.attack, self.turn))),
        )


def _build_attack(row: dict[str, Any], size: str, weapons: Mapping[str, Weapon]) -> _Attack:
    options = {key: row[key] for key in ("finesse", "touch", "attack_bonus") if key in row}
    if "natural" in row:
        return _Attack(row["natural"], row.get("dice"), row.get("grip", "one-handed"), natural=True, **options)
    weapon = weapons[row["weapon"]]
    grip = row.get("grip", weapon.grip)
    return _Attack(
        row.get("name", weapon.name),
        weapon.dice(size),
        grip,
        weapon.threat,
        weapon.multiplier,
        light=weapon.use == "light",
        range_increment=weapon.range_increment if grip in RANGED_GRIPS else None,
        **options,
    )


def _hit_points(row: dict[str, Any]) -> int:
    """Stat blocks print the average of the hit dice, rounded down."""
    if "hit_points" in row:
        return int(row["hit_points"])
    from d20kit.expression import parse

    return int(parse(row["hit_dice"]).mean())


def _progressions(row: dict[str, Any], classes: Mapping[str, ClassProgression]) -> tuple[int, dict[str, int]]:
    if "class" not in row:
        return row["base_attack_bonus"], row["base_saves"]
    career, level = classes[row["class"]], row["level"]
    saves = {save: int(base_save(level, getattr(career, save))) for save in ABILITY}
    return int(base_attack_bonus(level, career.attack)), saves


def build(
    name: str, row: dict[str, Any], weapons: Mapping[str, Weapon], classes: Mapping[str, ClassProgression]
) -> Creature:
    """Make a creature from its table.

    >>> row = {"size": "tiny", "hit_dice": "1d8", "abilities": {"dexterity": 15}, "turn": ["bite"]}
    >>> row |= {"base_attack_bonus": 0, "base_saves": {"fortitude": 2, "reflex": 2, "will": 0}}
    >>> row["attacks"] = [{"natural": "bite", "dice": "1d3", "finesse": True}]
    >>> rat = build("rat", row, {}, {})
    >>> rat.hit_points, rat.ac, rat.attack("bite").bonus
    (4, 14, 4)
    """
    base, saves = _progressions(row, classes)
    parts = ("armor", "shield", "natural", "maximum_dexterity", "initiative_bonus")
    kept = ("hit_dice", "challenge", *parts, "uncanny_dodge", "note")
    return Creature(
        name=name,
        size=row["size"],
        hit_points=_hit_points(row),
        abilities=MappingProxyType(row["abilities"]),
        base_attack_bonus=base,
        base_saves=MappingProxyType(saves),
        attacks=tuple(_build_attack(attack, row["size"], weapons) for attack in row["attacks"]),
        turn=tuple(row["turn"]),
        **{key: row[key] for key in kept if key in row},
    )
