"""Ready creatures, heroes, weapons and classes; their printed numbers are computed by the rules.

The numbers are Open Game Content, see ``OGL.txt`` in this folder.
"""

from d20kit.bestiary.creature import AS_PRINTED, AttackLine, Creature
from d20kit.bestiary.library import class_progression, classes, load, names, weapon, weapons
from d20kit.bestiary.weapon import ClassProgression, Weapon

__all__ = [
    "AS_PRINTED",
    "AttackLine",
    "ClassProgression",
    "Creature",
    "Weapon",
    "class_progression",
    "classes",
    "load",
    "names",
    "weapon",
    "weapons",
]
