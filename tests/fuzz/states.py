"""States of explorers and quizzes: of every kind and version, with slips in the data and in the text."""

from __future__ import annotations

import json
from functools import cache
from random import Random
from typing import Any

from hypothesis import strategies as st

from d20widgets import Quiz
from d20widgets import state as saved
from tests.fuzz import encounters, odd, trees
from tests.fuzz.living import KINDS, alive, hasty, sound
from tests.fuzz.target import Target, refused

_EXAMPLES = 20
# A battle takes as long as many other pictures.
_NAMES = odd.shares(
    (24, st.sampled_from([name for name in KINDS if name != "BattlePlayer"])), (1, st.just("BattlePlayer"))
)


def _state(name: str, seed: int) -> dict[str, Any]:
    """A state of random values, of one of the versions; those of a battle may change its dice."""
    kind = KINDS[name]
    state = saved.pack(name, kind.controls, saved.drawn(kind.controls, Random(seed)))
    version = 1 + seed % saved.VERSION
    values = {one.name: state["values"][one.name] for one in kind.controls if one.since <= version}
    if name == "BattlePlayer" and seed % 2:
        values |= {"what_if": [[9, None, 5]], "position": 1}
    return {**state, "version": version, "values": values}


@cache
def _quizzes() -> list[dict[str, Any]]:
    begun = Quiz("saves", 3, 1)
    begun.answer("0.001")
    begun.hint()
    begun.next()
    return [Quiz("attack", 2, 5).state, Quiz(None, 7, 0).state, begun.state]


@cache
def _bases(name: str) -> list[dict[str, Any]]:
    return _quizzes() if name == "Quiz" else [_state(name, seed) for seed in range(_EXAMPLES)]


_TEXTS = st.deferred(lambda: encounters.TEXTS)
_MIXTURE = {"base": "SRD35", "critical": "natural-20"}
_VALUES = odd.shares(
    (9, odd.json_values), (1, st.sampled_from([[[7, [20], None]], "2d6", "two-handed", "SRD35", _MIXTURE, "good"]))
)


@cache
def _states(name: str) -> st.SearchStrategy[Any]:
    known = sorted({key for base in _bases(name) for _holder, key in trees.places(base) if isinstance(key, str)})
    values = odd.shares((1, _VALUES), (1, _TEXTS)) if name == "BattlePlayer" else _VALUES
    return odd.shares((12, trees.slipped(_bases(name), values, trees.keys(known))), (1, odd.anything))


_WAYS = st.sampled_from(["use"] * 7 + ["text"] * 7 + ["new"])


@st.composite
def _inputs(draw: st.DrawFn) -> tuple[str, int | None, str, Any]:
    """Whose state it is to be, the place of the state before it or None, how it is given, and the state."""
    name = draw(odd.shares((9, _NAMES), (1, st.just("Quiz"))))
    earlier = draw(st.integers(0, _EXAMPLES - 1)) if name == "BattlePlayer" else None
    state = draw(_states(name))
    way = draw(_WAYS)
    if way != "text":
        return name, earlier, way, state
    try:
        text = json.dumps(state)
    except (TypeError, ValueError, RuntimeError):
        return name, earlier, "use", state
    return name, earlier, way, odd.slip(draw, text) if draw(st.booleans()) else text


def check(given: tuple[str, int | None, str, Any]) -> bool:
    """Give a state to a living explorer; a refusal leaves it as it was, anything else makes it the state's."""
    name, earlier, way, state = given
    one = alive(name)
    with hasty():
        if earlier is not None:
            one.use(_bases(name)[earlier])
        before = one.state
        try:
            shown = _give(one, way, state)
        except ValueError as error:
            assert one.state == before, "a refused state has changed something"
            return refused(error)
    _is_what_was_given(one, shown, json.loads(state) if isinstance(state, str) else state)
    return True


def _give(one: Any, way: str, state: Any) -> Any:
    """Return the state that comes of it."""
    if way == "new":
        made = type(one).from_state(state)
        shown = made.state
        made.close()
        return shown
    if isinstance(one, Quiz):
        one.load(state)
    elif way == "text":
        one.tools.do("use", text=state)
    else:
        one.use(state)
    return one.state


def _is_what_was_given(one: Any, shown: Any, state: Any) -> None:
    if isinstance(one, Quiz):
        assert shown["values"] == state["values"], "another state than was given"
        assert Quiz.from_state(json.dumps(shown)).state == shown
        return
    values = saved.checked(one.controls, saved.unpack(type(one).__name__, one.controls, state))
    assert shown["values"] == saved.plain(one.controls, values), "another state than was given"
    sound(one)


INPUTS = _inputs()
STATES = Target("states", INPUTS, check)
