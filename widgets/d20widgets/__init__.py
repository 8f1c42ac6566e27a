"""d20widgets: the pictures. One explorer a topic, to be dragged in a notebook and read without one.

Each is loaded when it is first asked for, so that a lesson's first picture does not wait for all the others.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

# A function of the same name as its module: loaded at once, or the module would stand in its place.
from d20widgets.present import present

if TYPE_CHECKING:
    from d20widgets.armor_class import ArmorClassExplorer
    from d20widgets.attack import AttackExplorer
    from d20widgets.battle import BattlePlayer
    from d20widgets.damage import DamageExplorer
    from d20widgets.dice import DiceExplorer
    from d20widgets.hit_points import HitPointExplorer
    from d20widgets.initiative import InitiativeExplorer
    from d20widgets.quiz import Quiz
    from d20widgets.saves import SaveExplorer

_HOMES = {
    "ArmorClassExplorer": "armor_class",
    "AttackExplorer": "attack",
    "BattlePlayer": "battle",
    "DamageExplorer": "damage",
    "DiceExplorer": "dice",
    "HitPointExplorer": "hit_points",
    "InitiativeExplorer": "initiative",
    "Quiz": "quiz",
    "SaveExplorer": "saves",
}

__all__ = [
    "ArmorClassExplorer",
    "AttackExplorer",
    "BattlePlayer",
    "DamageExplorer",
    "DiceExplorer",
    "HitPointExplorer",
    "InitiativeExplorer",
    "Quiz",
    "SaveExplorer",
    "present",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'd20widgets' has no attribute {name!r}")
    from d20widgets.library import send_library

    send_library()  # the page reads it while the kernel loads what is asked for
    found = getattr(import_module(f"d20widgets.{_HOMES[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
