"""What a page, a learner and a program may do to an explorer or a quiz: each control, each message, any value."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import traitlets
from hypothesis import strategies as st

from d20kit.battle import Encounter
from d20kit.language import set_language
from d20kit.rulesets import COURSE, RULESETS, as_table
from d20widgets import battle_roster, battle_stage, prediction, quiz, tools
from d20widgets.controls import OneOf, Switch, Whole, Written
from d20widgets.explorer import Explorer
from d20widgets.rules_choice import RulesChoice
from tests.fuzz import messages, odd
from tests.fuzz.dice import expressions
from tests.fuzz.living import KINDS, alive, hasty, sound
from tests.fuzz.target import Target, refused

_MIXTURE = COURSE.replace(critical="confirm", stabilise_chance=Fraction(1, 10))
# A battle takes as long as many other pictures.
_NAMES = odd.shares(
    (30, st.sampled_from([name for name in KINDS if name != "BattlePlayer"])),
    (2, st.just("BattlePlayer")),
    (3, st.just("Quiz")),
)


def _of_control(control: Any) -> st.SearchStrategy[Any]:
    """Values for a control: mostly of its own kind, allowed or not."""
    return odd.shares((6, _own(control)), (1, odd.anything))


def _of_page(control: Any) -> st.SearchStrategy[Any]:
    """Values for the widget of a control: what JSON can say; to the table of combatants the page sends messages."""
    if control.name == "encounter":
        return st.sampled_from(Encounter.ready_names()).map(Encounter.ready)
    return odd.shares((6, _own(control)), (1, odd.json_values))


def _own(control: Any) -> st.SearchStrategy[Any]:
    own: st.SearchStrategy[Any]
    if isinstance(control, Whole):
        own = st.one_of(st.integers(-12, 40), st.integers(-12, 40).map(float))
    elif isinstance(control, Switch):
        own = st.booleans()
    elif isinstance(control, OneOf):
        own = st.sampled_from([*control.options])
    elif isinstance(control, RulesChoice):
        own = st.sampled_from([*RULESETS, *RULESETS.values(), _MIXTURE, as_table(_MIXTURE)])
    elif control.name == "encounter":
        own = messages.encounters
    elif isinstance(control, Written):
        texts = [control.default, *control.examples, "2,1,0", "1d6-1"]
        own = odd.shares((2, st.sampled_from(texts)), (1, odd.spoilt(st.sampled_from(texts))), (1, expressions))
    else:
        own = messages.changes
    return own


@cache
def _moves(name: str) -> st.SearchStrategy[Any]:
    controls = KINDS[name].controls
    one = odd.shares(*((1, st.tuples(st.just(control.name), _of_control(control))) for control in controls))
    names = odd.shares((20, one), (1, st.tuples(odd.texts, odd.anything)))
    move = st.lists(names, min_size=1, max_size=3).map(lambda pairs: ("move", dict(pairs)))
    # What no page can send, a widget of the library may fail on in a way of its own.
    boxes = odd.shares(
        *((1, st.tuples(st.just(control.name), _of_page(control))) for control in controls if control.name != "what_if")
    )
    field, page = boxes.map(lambda pair: ("field", *pair)), boxes.map(lambda pair: ("page", *pair))
    start = st.one_of(st.integers(0, 99).map(lambda seed: ("random", seed)), st.just(("reset",)))
    sent = messages.of_battle if name == "BattlePlayer" else messages.of_any
    return odd.shares((6, move), (3, field), (2, page), (1, start), (3, sent))


@st.composite
def _inputs(draw: st.DrawFn) -> tuple[str, Any]:
    """Whom it is done to, and what."""
    name = draw(_NAMES)
    return name, draw(messages.of_quiz if name == "Quiz" else _moves(name))


def check(given: tuple[str, Any]) -> bool:
    """Do one thing to a living explorer; what is refused leaves everything as it was."""
    name, move = given
    one = alive(name)
    before = one.state
    try:
        with hasty():
            return _done(one, before, move)
    except Exception as error:
        error.add_note(f"the state before: {before}")
        raise
    finally:
        set_language("en")


def _done(one: Any, before: Any, move: Any) -> bool:
    try:
        _do(one, *move)
    except ValueError as error:
        assert one.state == before, "a refused value has changed something"
        taken = refused(error)
    except traitlets.TraitError:  # what a widget of the library itself cannot hold
        assert move[0] in ("field", "page")
        assert one.state == before
        taken = False
    else:
        taken = True
    if isinstance(one, Explorer):
        sound(one)
    return taken


def _do(one: Any, way: str, *given: Any) -> None:
    if way == "move":
        one.move(**given[0])
    elif way == "field":
        one._fields[given[0]].parts[0].value = given[1]
    elif way == "page":
        one._fields[given[0]].parts[0].set_state({"value": given[1]})
    elif way == "random":
        one.random(given[0])
    elif way == "reset":
        one.reset()
    else:
        _HEARD[way](one, given[0])


_HEARD = {
    "tools": lambda one, message: tools._answer(one.tools, message, []),
    "prediction": lambda one, message: prediction._answer(one.prediction, message, []),
    "roster": lambda one, message: battle_roster._hear(one._fields["encounter"].parts[0], message, []),
    "stage": lambda one, message: battle_stage._hear(one._stage, message, []),
    "quiz": lambda one, message: quiz._heard(one, message, []),
}

WIDGETS = Target("widgets", _inputs(), check)
