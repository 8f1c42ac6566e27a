"""The targets by name, each loaded when it is asked for."""

from __future__ import annotations

from importlib import import_module

from tests.fuzz.target import Target

NAMES = ("dice", "encounters", "states", "widgets", "answers")


def load(name: str) -> Target:
    """Return the target of a name.

    >>> load("dice").name
    'dice'
    """
    target: Target = getattr(import_module(f"tests.fuzz.{name}"), name.upper())
    return target
