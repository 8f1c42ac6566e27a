"""What the page sends, always JSON: requests of tools, predictions, the table of combatants, the stage and the quiz."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

from d20kit import bestiary
from d20kit.battle import Encounter
from d20widgets.battle_table import ATTACK, COMBATANT
from tests.fuzz import odd
from tests.fuzz.dice import expressions
from tests.fuzz.encounters import TEXTS, Folder
from tests.fuzz.states import INPUTS

_ROWS = odd.shares((8, st.integers(0, 4)), (1, odd.json_values))
_TYPED = odd.shares(
    (3, st.integers(-20, 60).map(str)),
    (2, expressions),
    (2, odd.texts),
    (1, st.sampled_from(["yes", "no", "-", "−3", "random", "inaction", "heroes", "red", "٣", "1d6", "9" * 400])),
)
_FACES = st.one_of(st.integers(1, 20).map(str), st.lists(st.integers(-1, 25), max_size=3).map(str), odd.texts)
encounters = odd.shares((4, st.sampled_from(Encounter.ready_names())), (2, st.deferred(lambda: TEXTS)), (1, odd.texts))
changes = st.lists(
    st.tuples(
        st.integers(-1, 30),
        st.none() | st.lists(st.integers(-1, 22), max_size=2) | st.integers(1, 20),
        st.none() | st.integers(-1, 99),
    ),
    max_size=2,
)


def _inside(name: str) -> str:
    """A path in the folder of the run, whatever was typed: nothing else of this computer is written to or read."""
    kept = "".join(sign for sign in name if sign not in "/\\~:")
    return str(Folder.path() / f"typed{kept}")


_PATHS = odd.texts.map(_inside) | st.just("typed.toml").map(_inside)


def _message(**parts: Any) -> st.SearchStrategy[Any]:
    """Messages of these parts, each a strategy or the value itself; sometimes one part is lost or odd."""
    fixed = {name: part if isinstance(part, st.SearchStrategy) else st.just(part) for name, part in parts.items()}
    whole = st.fixed_dictionaries(fixed)
    odder = st.fixed_dictionaries({name: odd.shares((3, part), (1, odd.json_values)) for name, part in fixed.items()})
    lost = st.builds(_without, whole, st.sampled_from([*parts]))
    return odd.shares((10, whole), (1, odder), (1, lost))


def _without(message: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in message.items() if name != key}


def _sent(to: str, *told: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    every = odd.shares(*((4, one) for one in told), (1, odd.json_values))
    return every.map(lambda message: (to, message))


def _as_text(given: Any) -> Any:
    state = given[-1]
    try:
        return state if isinstance(state, str) else json.dumps(state)
    except (TypeError, ValueError, RuntimeError):  # none that JSON can say
        return state


_states = INPUTS.map(_as_text)
# Whatever draws a fresh seed of its own would make a run differ from the next one.
_tools = _sent(
    "tools",
    _message(request=1, do=st.sampled_from(["code", "state", "data", "predict"])),
    _message(request=2, do="language", language=st.sampled_from(["en", "id", "xx"])),
    _message(request=3, do="use", text=_states),
)
_guesses = _sent(
    "prediction", _message(request=1, do="lock", answer=st.sampled_from(["1/2", "0.55", "55 %", "7"]) | odd.texts)
)
of_any = odd.shares((2, _tools), (1, _guesses))
_roster = _sent(
    "roster",
    _message(
        kind="edit", row=_ROWS, attack=st.none(), key=st.sampled_from([one.key for one in COMBATANT]), text=_TYPED
    ),
    _message(
        kind="edit", row=_ROWS, attack=st.integers(0, 2), key=st.sampled_from([one.key for one in ATTACK]), text=_TYPED
    ),
    _message(kind="add", creature=st.sampled_from(bestiary.names()) | odd.texts),
    _message(kind=st.sampled_from(["copy", "remove"]), row=_ROWS),
    _message(kind="ready", name=st.sampled_from(Encounter.ready_names()) | odd.texts),
    _message(kind="rules", name=st.sampled_from(["COURSE", "SRD35", ""])),
    _message(kind="take", text=st.deferred(lambda: TEXTS), name=odd.texts),
    _message(kind="download"),
)
# Never with a part that is odd: a path stays inside the folder.
_files = st.one_of(
    st.fixed_dictionaries({"kind": st.just("load"), "path": _PATHS}),
    st.fixed_dictionaries({"kind": st.just("save"), "path": _PATHS, "replace": st.booleans()}),
).map(lambda message: ("roster", message))
_stage = _sent(
    "stage",
    _message(kind="what if", at=_ROWS, text=_FACES),
    _message(kind="anew", at=_ROWS),
    _message(kind="undo"),
)
of_battle = odd.shares((1, of_any), (6, _roster), (1, _files), (3, _stage))
of_quiz = _sent(
    "quiz",
    _message(kind="check", text=st.sampled_from(["11/20", "0.55", "55 %", "1,000", "6"]) | odd.texts),
    _message(kind=st.sampled_from(["hint", "next", "again"])),
    _message(kind="load", text=_states),
    _message(kind="language", text=st.sampled_from(["en", "id", "xx"])),
)
