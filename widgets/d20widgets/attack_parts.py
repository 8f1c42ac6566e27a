"""What an attack bonus and an armor class are made of, and what a weapon's grip decides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from d20kit.abilities import size_modifier
from d20kit.armor_class import armor_class
from d20kit.attack import melee_bonus, range_penalty, ranged_bonus
from d20kit.attack_bonus import REACH
from d20kit.damage import strength_damage
from d20kit.language import N_
from d20kit.rulesets import Ruleset
from d20widgets.controls import Values, Whole

THROWN = "thrown"
MELEE = ("one-handed", "off-hand", "two-handed")
# What a part of the armor class is called -> the rule's argument.
_ARMOR = {
    N_("armor"): "armor",
    N_("shield"): "shield",
    N_("natural armor"): "natural",
    N_("Dexterity"): "dexterity",
    N_("size"): "size",
    N_("deflection"): "deflection",
    N_("dodge"): "dodge",
    N_("other"): "other",
}


class Part(NamedTuple):
    """One part of a sum: its name, a catalogue message, and its value."""

    name: str
    value: int


@dataclass(frozen=True)
class Distance(Whole):
    """Feet to the target: as far as the weapon in its grip reaches."""

    def top(self, values: Values) -> int:
        return REACH[_kind(values)] * int(values["increment"])


@dataclass(frozen=True)
class Training(Whole):
    """A base attack bonus, which starts so that it makes the attack bonus together with Strength."""

    def initial(self, values: Values) -> int:
        return self.fit(values["bonus"] - values["strength"], values)


def is_melee(values: Mapping[str, Any]) -> bool:
    """Whether the grip is one of close combat, where Strength drives the attack roll and distance does not count."""
    return values["grip"] in MELEE


def penalty(values: Mapping[str, Any]) -> int:
    """Return the range penalty, 0 in close combat."""
    if is_melee(values):
        return 0
    return int(range_penalty(values["distance"], values["increment"], _kind(values)))


def _kind(values: Mapping[str, Any]) -> str:
    """What the rules of range call a weapon in this grip."""
    return THROWN if values["grip"] == THROWN else "projectile"


def made_bonus(values: Mapping[str, Any]) -> int:
    """Return the attack bonus that the named parts make."""
    base, size = values["base"], size_modifier(values["attacker_size"])
    if is_melee(values):
        return int(melee_bonus(base, values["strength"], size))
    return int(ranged_bonus(base, values["attacker_dexterity"], size, penalty(values)))


def bonus_parts(values: Mapping[str, Any]) -> list[Part]:
    """Return what the attack bonus is made of; what the named parts leave is other."""
    ability = (
        Part(N_("Strength"), values["strength"])
        if is_melee(values)
        else Part(N_("Dexterity"), values["attacker_dexterity"])
    )
    return [
        Part(N_("base attack bonus"), values["base"]),
        ability,
        Part(N_("size"), size_modifier(values["attacker_size"])),
        Part(N_("range"), penalty(values)),
        Part(N_("other"), values["bonus"] - made_bonus(values)),
    ]


def _armor_parts(values: Mapping[str, Any]) -> dict[str, int]:
    names = ("armor", "shield", "natural", "dexterity", "deflection", "dodge")
    return {**{name: values[name] for name in names}, "size": size_modifier(values["target_size"])}


def made_armor_class(values: Mapping[str, Any]) -> int:
    """Return the armor class that ten and the named parts make against an ordinary attack."""
    return _armor_class(**_armor_parts(values))


@lru_cache(maxsize=64)
def _armor_class(**parts: Any) -> int:
    """One table asks for the same parts at every position."""
    return int(armor_class(**parts))


def armor_class_in_force(values: Mapping[str, Any]) -> int:
    """Return the armor class against this attack, less what a touch passes by and who is flat-footed loses."""
    kept = _armor_class(**_armor_parts(values), touch=values["touch"], flat_footed=values["flat_footed"])
    # What the named parts leave is other, and always counts.
    return kept + int(values["ac"]) - made_armor_class(values)


def armor_parts(values: Mapping[str, Any]) -> list[Part]:
    """Return what the armor class is made of besides ten; what the named parts leave is other."""
    parts = {**_armor_parts(values), "other": values["ac"] - made_armor_class(values)}
    return [Part(name, parts[argument]) for name, argument in _ARMOR.items()]


def counting(values: Mapping[str, Any], part: Part) -> int:
    """Return how much of a part of the armor class counts against this attack: what is left of it by the rule."""
    alone = {_ARMOR[part.name]: part.value}
    return _armor_class(**alone, touch=values["touch"], flat_footed=values["flat_footed"]) - _armor_class()


def weapon_bonus(values: Mapping[str, Any], rules: Ruleset) -> int:
    """Return what is added to the weapon's dice: Strength as the grip has it, and what else there is."""
    grip, light, rating = values["grip"], values["light"], values["rating"]
    strength = strength_damage(values["strength"], grip, light=light, rating=rating, rules=rules)
    return int(strength) + int(values["damage_bonus"])
