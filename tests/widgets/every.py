"""The explorers that the tests for all of them go through."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import ipywidgets
import pytest

import d20widgets
from d20widgets import mathml, style
from d20widgets.battle_stage import Stage
from d20widgets.controls import Switch, Whole
from d20widgets.detail import Detail, Table
from d20widgets.explorer import Explorer
from d20widgets.unbroken import NO_BREAK, NO_BREAK_HYPHEN

_NAMED = [getattr(d20widgets, name) for name in d20widgets.__all__]
EXPLORERS = [kind for kind in _NAMED if isinstance(kind, type) and issubclass(kind, Explorer)]
SEEDS = range(12)
# Pixels of a window with Lab's file browser open.
NARROWEST = 450
EVIL = '<img src="x" onerror="window.d20Hit=1"><a href="/evil">link</a><script>window.d20Hit=1</script>'


def as_written(text: str) -> str:
    """Return a text of the page as it was before its lines were kept together."""
    return text.replace(NO_BREAK, " ").replace(NO_BREAK_HYPHEN, "-")


class Rude(int):
    """A whole number that becomes none."""

    def __int__(self) -> int:
        raise RuntimeError

    __index__ = __str__ = __repr__ = __int__  # type: ignore[assignment]


class Doubling(Explorer):
    """An explorer as small as one can be: a number, doubled or not, whose detail says whether it is high."""

    title = "Doubling"
    main = "n"
    controls = (Whole("n", "Number", 3, 1, 10), Switch("twice", "twice"), Whole("more", "More", 0, 0, 5))
    groups: ClassVar = {"Rarer": ("more",)}
    detail_title = "In detail"

    def numbers(self, values: Any) -> int:
        """What the values come to."""
        return int(values["n"] * (1 + values["twice"]) + values["more"])

    def picture(self, values: Any, table: Any) -> dict[str, Any]:
        """One bar."""
        axes = {"xaxis": style.axis(range=[0, 2]), "yaxis": style.axis(range=[0, 25])}
        return {"data": [{"type": "bar", "name": "now", "x": [1], "y": [0]}], "layout": style.layout(300, **axes)}

    def frame(self, numbers: int) -> dict[str, Any]:
        """Its height."""
        return {"data.0.y": [numbers], "label": f"a bar of {numbers}"}

    def formula(self, numbers: int) -> str:
        """The number."""
        return mathml.formula(mathml.number(numbers))

    def sentence(self, numbers: int) -> str:
        """The number in words."""
        return f"It is {numbers}."

    def rows(self, numbers: int) -> list[dict[str, Any]]:
        """The number in a table."""
        return [{"number": numbers}]

    def question(self, numbers: int) -> tuple[str, int]:
        """The number asked for."""
        return "What is it?", numbers

    def detail(self, numbers: int) -> list[Table]:
        """A table that depends on the position, and one that does not; both with texts that are not markup."""
        return [
            Table("<b>low or high</b>", ["it is"], [["high" if numbers > 5 else "low"]]),
            Table("always", ["head"], [["<script>"]]),
        ]


def each_of(kind: type[Explorer], settings: Sequence[Any]) -> Any:
    """Return a fixture: an explorer with each of some settings in turn, which every test leaves as it was."""

    @pytest.fixture(scope="module", params=settings, ids=str)
    def explorer(request: pytest.FixtureRequest) -> Iterator[Explorer]:
        made = kind(**request.param)
        before = made.state
        yield made
        assert made.state == before
        made.close()

    return explorer


def run(code: str) -> Any:
    """What copied code builds; it is the kit's own output, and that it runs is what is tested."""
    lines = code.splitlines()
    names: dict[str, Any] = {}
    exec("\n".join(lines[:-1]), names)
    return eval(lines[-1], names)


def widget_of(explorer: Explorer, name: str) -> Any:
    """The widget that a learner moves for a control."""
    return explorer._fields[name].parts[0]


def turn(explorer: Explorer, name: str, value: Any) -> None:
    """Let a learner set a control, in whatever way its widget shows the value."""
    control = explorer._fields[name].control
    widget_of(explorer, name).value = control.shown(value, explorer.values)["value"]


def every_frame(explorer: Explorer) -> tuple[Any, Any, Any]:
    """Picture, formula and sentence of every position of the main control."""
    return explorer.chart.frames, explorer.formula_line.frames, explorer.sentence_line.frames


def sent(explorer: Explorer) -> str:
    """What one table of an explorer is as text; an infinity, which no browser reads, is an error."""
    return json.dumps([explorer.chart.figure, *every_frame(explorer)], allow_nan=False)


def other(explorer: Explorer) -> tuple[str, int]:
    """A number that is not the main one, and another value for it."""
    control = next(one for one in explorer.controls if isinstance(one, Whole) and one.name != explorer.main)
    now = explorer.values[control.name]
    return control.name, now + 1 if now < control.top(explorer.values) else now - 1


def detail_of(explorer: Explorer) -> Detail:
    """The disclosure of an explorer that has one."""
    assert explorer.detail_box is not None
    return explorer.detail_box


def stage_of(player: d20widgets.BattlePlayer) -> Stage:
    """The part of a player that tells the battle; it has one from its first picture on."""
    assert player._stage is not None
    return player._stage


def asked(widget: Any, **request: Any) -> dict[str, Any]:
    """What the kernel answers to a button or a form on the page."""
    answers: list[dict[str, Any]] = []
    widget.send = lambda message, buffers=None: answers.append(message)
    widget._handle_custom_msg({"request": "1", **request}, [])
    del widget.send
    (answer,) = answers
    assert answer.pop("request") == "1"
    json.dumps(answer)
    return answer


def live_widgets() -> int:
    """How many widgets the kernel holds."""
    return len(ipywidgets.widgets.widget._instances)


def chart_state(explorer: Explorer) -> dict[str, Any]:
    """What the page has of an explorer's picture."""
    names = ("figure", "paths", "frames", "first", "trouble")
    return {"slider": "IPY_MODEL_slider", **{name: getattr(explorer.chart, name) for name in names}}
