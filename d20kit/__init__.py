"""d20kit: d20 battle rules as exact numbers, formulas and explanations.

Names load on first use, so ``import d20kit`` stays light: neither SymPy nor NumPy is loaded by it, and the
commands of ``python3 -m d20kit`` run on a machine that has nothing but Python.
"""

import importlib

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

__all__ = sorted(_HOME) + list(_TOPICS)


def __getattr__(name):
    if name in _HOME:
        value = getattr(importlib.import_module("." + _HOME[name], __name__), name)
        globals()[name] = value
        return value
    if name in _TOPICS:
        return importlib.import_module("." + name, __name__)
    raise AttributeError("module 'd20kit' has no attribute %r" % name)  # noqa: UP031


def __dir__():
    return sorted(set(globals()) | set(__all__))
