"""The pictures of an exported page: of each explorer what its main slider moves."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

_STATE = "application/vnd.jupyter.widget-state+json"
_REFERENCE = "IPY_MODEL_"
# Of a part's state these and the names that begin with an underscore are for the notebook alone.
_NOTEBOOK = ("slider", "layout", "tabbable", "tooltip")
_SLIDER = ("value", "min", "max", "description")


class Explorers:
    """The explorers of a lesson that has run, read from the state of its widgets.

    >>> slider = {"value": 1, "min": 0, "max": 2, "description": "bonus"}
    >>> sentence = {"_esm": "export default {}", "_css": "p {}", "frames": ["a", "b", "c"], "first": 0,
    ...             "slider": "IPY_MODEL_s"}
    >>> states = {"s": slider, "t": sentence, "box": {"children": ["IPY_MODEL_s", "IPY_MODEL_t"]}}
    >>> widgets = {_STATE: {"state": {name: {"state": state} for name, state in states.items()}}}
    >>> explorers = Explorers(widgets)
    >>> explorers.place("box", "<p>a</p>")
    '<div class="explorer" data-explorer="0"><p>a</p></div>'
    >>> explorers.style
    'p {}'
    """

    def __init__(self, widgets: Mapping[str, Any]) -> None:
        models = widgets.get(_STATE, {}).get("state", {})
        self._states: dict[str, dict[str, Any]] = {name: model["state"] for name, model in models.items()}
        self._scripts: dict[str, int] = {}
        self._styles: dict[str, None] = {}
        self.found: list[dict[str, Any]] = []

    def place(self, root: str, twin: str) -> str:
        """Return the place of an explorer on the page; the twin stands there until it is drawn, or for ever."""
        parts = [state for state in self._inside(root) if state.get("frames") and "_esm" in state]
        sliders = {state["slider"].removeprefix(_REFERENCE) for state in parts}
        if len(sliders) != 1:  # a quiz, or a battle: all that they do needs Python
            return twin
        for state in parts:
            self._styles[state.get("_css", "")] = None
        slider = self._states[sliders.pop()]
        self.found.append({"slider": _some(slider, _SLIDER), "parts": [self._part(state) for state in parts]})
        return f'<div class="explorer" data-explorer="{len(self.found) - 1}">{twin}</div>'

    def _part(self, state: dict[str, Any]) -> dict[str, Any]:
        return {"script": self._scripts.setdefault(state["_esm"], len(self._scripts)), "state": _own(state)}

    def _inside(self, name: str) -> Iterator[dict[str, Any]]:
        state = self._states.get(name, {})
        yield state
        for child in state.get("children", ()):
            yield from self._inside(child.removeprefix(_REFERENCE))

    @property
    def style(self) -> str:
        """The style sheets of all explorers."""
        return "\n".join(self._styles).replace("</", "<\\/")

    def data(self) -> str:
        """Return everything as JSON that can stand in a script element, whatever words are in it."""
        return json.dumps({"explorers": self.found, "scripts": list(self._scripts)}).replace("<", "\\u003c")


def _own(state: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in state.items() if not name.startswith("_") and name not in _NOTEBOOK}


def _some(state: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: state[name] for name in names if name in state}
