"""An explorer's values out and in: as plain data, as code, and back with every value checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from d20kit.check import one_of, refuse
from d20kit.language import _
from d20widgets.controls import Choice, Control

VERSION = 3


def named(kind: str, controls: Sequence[Control], unnamed: Sequence[Any]) -> None:
    """Refuse values that are given without their names."""
    if unnamed:
        first = controls[0].name
        fix = _("write {kind}({name}=...)").format(kind=kind, name=first)
        raise refuse("argument", unnamed[0], _("given by name"), fix)


def checked(
    controls: Sequence[Control], given: Mapping[str, Any], before: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return all values: those given, checked; the others as before, or as they start, and so that they fit."""
    for name in given:
        one_of("argument", name, [control.name for control in controls])
    values: dict[str, Any] = {}
    for control in controls:
        if control.name in given:
            values[control.name] = control.check(given[control.name], values)
        else:
            kept = before[control.name] if before else control.initial(values)
            values[control.name] = control.fit(kept, values)
    return values


def drawn(controls: Sequence[Control], rng: Random) -> dict[str, Any]:
    """Return a random value for every control, each allowed beside those before it."""
    values: dict[str, Any] = {}
    for control in controls:
        values[control.name] = control.check(control.draw(rng, values), values)
    return values


def plain(controls: Sequence[Control], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values as numbers, truths and texts only."""
    return {control.name: control.plain(values[control.name]) for control in controls}


def pack(kind: str, controls: Sequence[Control], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return a state: what it is of, its version, and every value; it survives JSON."""
    return {"explorer": kind, "version": VERSION, "values": plain(controls, values)}


def unpack(kind: str, controls: Sequence[Control], state: Any) -> Mapping[str, Any]:
    """Return the values of a state, or refuse what is not a state of this kind.

    A state of an earlier version lacks what came later, which then starts as it does by itself.
    """
    if not isinstance(state, Mapping) or set(state) != {"explorer", "version", "values"}:
        raise refuse("state", state, _("a dict with explorer, version and values"), _("take it from .state"))
    if not isinstance(state["explorer"], str) or state["explorer"] != kind:
        raise refuse("state['explorer']", state["explorer"], repr(kind), _("give the state to the explorer it is of"))
    version = state["version"]
    if type(version) is not int or not 1 <= version <= VERSION:
        allowed = _("a whole number from {low} to {high}").format(low=1, high=VERSION)
        raise refuse("state['version']", version, allowed, _("a state of a later version needs a newer kit"))
    names = [control.name for control in controls if control.since <= version]
    if not isinstance(state["values"], Mapping) or set(state["values"]) != set(names):
        raise refuse("state['values']", state["values"], _("a dict with {names}").format(names=", ".join(names)))
    return state["values"]


def arguments(controls: Sequence[Control], values: Mapping[str, Any]) -> str:
    """Write the values as the arguments of a call."""
    written = plain(controls, values)
    return ", ".join(
        f"{control.name}={written[control.name] if isinstance(control, Choice) else repr(written[control.name])}"
        for control in controls
    )


def code(kind: str, controls: Sequence[Control], values: Mapping[str, Any]) -> str:
    """Write the Python that builds the same explorer again."""
    written = plain(controls, values)
    names = [written[control.name] for control in controls if isinstance(control, Choice)]
    imports = [f"from d20kit import {', '.join(names)}"] if names else []
    call = f"{kind}({arguments(controls, values)})"
    return "\n".join([*imports, f"from d20widgets import {kind}", "", call])
