"""d20kit: d20 battle rules as exact numbers, formulas and explanations.

Names load on first use, so ``import d20kit`` stays light: neither SymPy nor NumPy is loaded by it, and the
commands of ``python3 -m d20kit`` run on a machine that has nothing but Python.
"""

import importlib

TYPE_CHECKING = False  # True for a type checker, which the loading on first use tells nothing
if TYPE_CHECKING:
    from d20kit import (
        abilities,
        armor_class,
        attack,
        battle,
        bestiary,
        damage,
        exercises,
        hit_points,
        initiative,
        saves,
    )
    from d20kit.derivation import explain
    from d20kit.dice import Pmf, d
    from d20kit.expression import parse
    from d20kit.language import set_language
    from d20kit.rulesets import COURSE, SRD35, Ruleset

__version__ = "0.1.0"

# Where each public name lives; read by __getattr__ below. Plain syntax only: an old Python must be able to
# read this file, so that the commands can say in a sentence that it is too old.
_HOME = {
    "COURSE": "rulesets",
    "SRD35": "rulesets",
    "Ruleset": "rulesets",
    "Pmf": "dice",
    "d": "dice",
    "parse": "expression",
    "explain": "derivation",
    "set_language": "language",
}
_TOPICS = (
    "abilities",
    "armor_class",
    "attack",
    "damage",
    "hit_points",
    "initiative",
    "saves",
    "battle",
    "bestiary",
    "exercises",
)

__all__ = [
    "COURSE",
    "SRD35",
    "Pmf",
    "Ruleset",
    "abilities",
    "armor_class",
    "attack",
    "battle",
    "bestiary",
    "d",
    "damage",
    "exercises",
    "explain",
    "hit_points",
    "initiative",
    "parse",
    "saves",
    "set_language",
]


def __getattr__(name):  # type: (str) -> object
    if name in _HOME:
        value = getattr(importlib.import_module("." + _HOME[name], __name__), name)
        globals()[name] = value
        return value
    if name in _TOPICS:
        return importlib.import_module("." + name, __name__)
    raise AttributeError("module 'd20kit' has no attribute %r" % name)  # noqa: UP031


def __dir__():  # type: () -> list[str]
    return sorted(set(globals()) | set(__all__))
