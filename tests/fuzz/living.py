"""Explorers that live through many inputs, and what must hold of one at any time."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import d20widgets.battle
from d20kit.language import set_language
from d20widgets import Quiz
from d20widgets import state as saved
from d20widgets.battle import BattlePlayer
from d20widgets.battle_controls import Seed
from d20widgets.controls import Typed
from d20widgets.explorer import Explorer
from tests.widgets.every import EXPLORERS

KINDS = {kind.__name__: kind for kind in EXPLORERS}
# Inputs before an explorer is built anew.
LIFETIME = 400
_alive: dict[str, tuple[Any, int]] = {}


def alive(name: str) -> Any:
    """Return the explorer, or the quiz, of a name, as the inputs before have left it; now and then a new one."""
    one, served = _alive.get(name, (None, LIFETIME))
    if served >= LIFETIME:
        if one is not None:
            one.close()
        one, served = (Quiz("saves", 3, 1) if name == "Quiz" else KINDS[name]()), 0
    _alive[name] = one, served + 1
    return one


def forget() -> None:
    """Close all of them."""
    for one, _served in _alive.values():
        one.close()
    _alive.clear()
    set_language("en")


@contextmanager
def hasty() -> Iterator[None]:
    """Let battles begin without the moment in which chances are computed: each input would wait for it."""
    usual = d20widgets.battle.AT_FIRST
    d20widgets.battle.AT_FIRST = 0.0
    try:
        yield
    finally:
        d20widgets.battle.AT_FIRST = usual


def sound(explorer: Explorer) -> None:
    """Fail unless every value is allowed, shown, and kept by state and code."""
    values, controls = dict(explorer.values), explorer.controls
    state = explorer.state
    assert json.loads(json.dumps(state)) == state, "the state does not survive JSON"
    again = saved.checked(controls, saved.unpack(type(explorer).__name__, controls, state))
    assert again == values, f"state and values differ: {state}"
    for control in controls:
        part = explorer._fields[control.name].parts[0]
        refused = isinstance(control, Typed) and explorer._fields[control.name].parts[1].value
        value = values[control.name]
        itself = isinstance(explorer, BattlePlayer) and not isinstance(control, Seed)
        shown = value if itself else control.shown(value, values)["value"]
        assert refused or part.value == shown, f"{control.name} is {shown!r}, but {part.value!r} is shown"
    main = explorer._fields[explorer.main].parts[0]
    assert len(explorer.chart.frames) == main.max - main.min + 1
    ast.parse(explorer.code)
