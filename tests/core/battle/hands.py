"""What the fixtures of these tests hand over (see conftest.py)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from d20kit.battle import Battle, Combatant

Warrior = Callable[..., Combatant]
Scripted = Callable[..., Battle]
Happened = Callable[[Battle, str], list[Any]]


def fields_of(battle: Battle) -> tuple[Any, ...]:
    """The events of a battle for whoever reads their fields, which differ from kind to kind."""
    return battle.events
