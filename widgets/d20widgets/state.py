"""An explorer's values out and in: as plain data, as code, and back with every value checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from d20kit.check import bare, mapping, one_of, refuse
from d20kit.language import _
from d20widgets.controls import Control

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
    """Return the values as numbers, truths, texts and tables of them only."""
    return {control.name: control.plain(values[control.name]) for control in controls}


def pack(kind: str, controls: Sequence[Control], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return a state: what it is of, its version, and every value; it survives JSON."""
    return {"explorer": kind, "version": VERSION, "values": plain(controls, values)}


def unpack(kind: str, controls: Sequence[Control], state: Any) -> Mapping[str, Any]:
    """Return the values of a state, or refuse what is not a state of this kind.

    A state of an earlier version lacks what came later, which then starts as it does by itself.
    """

    def names(version: int) -> list[str]:
        return [control.name for control in controls if control.since <= version]

    return opened("state", state, kind, VERSION, names)


def opened(name: str, state: Any, kind: str, newest: int, names: Callable[[int], Sequence[str]]) -> dict[str, Any]:
    """Return the values of a state of some kind, or refuse what is none.

    Parameters
    ----------
    name : str
        What a refusal calls it.
    state : mapping
        As :func:`pack` makes it.
    kind : str
        What it is to be of.
    newest : int
        The latest version that is known.
    names : callable
        Returns the names of all values that a version has.

    Raises
    ------
    ValueError
        If it is no state, one of something else or of a later version, or lacks a value or has one too many.
    """
    allowed, fix = _("a dict with explorer, version and values"), _("take it from .state")
    parts = mapping(name, state, allowed, fix)
    if set(parts) != {"explorer", "version", "values"}:
        raise refuse(name, state, allowed, fix)
    if not isinstance(parts["explorer"], str) or bare(parts["explorer"]) != kind:
        fix = _("give the state to the explorer it is of")
        raise refuse(f"{name}['explorer']", parts["explorer"], repr(kind), fix)
    version = parts["version"]
    if type(version) is not int or not 1 <= version <= newest:
        allowed = _("a whole number from {low} to {high}").format(low=1, high=newest) if newest > 1 else "1"
        raise refuse(f"{name}['version']", version, allowed, _("a state of a later version needs a newer kit"))
    known = names(version)
    allowed = _("a dict with {names}").format(names=", ".join(known))
    values = mapping(f"{name}['values']", parts["values"], allowed)
    if set(values) != set(known):
        raise refuse(f"{name}['values']", parts["values"], allowed)
    return values


def arguments(controls: Sequence[Control], values: Mapping[str, Any]) -> str:
    """Write the values as the arguments of a call."""
    return ", ".join(f"{control.name}={control.written(values[control.name])}" for control in controls)


def code(kind: str, controls: Sequence[Control], values: Mapping[str, Any]) -> str:
    """Write the Python that builds the same explorer again."""
    imports = [line for control in controls for line in control.imports(values[control.name])]
    call = f"{kind}({arguments(controls, values)})"
    return "\n".join([*imports, f"from d20widgets import {kind}", "", call])
