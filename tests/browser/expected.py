"""What an explorer on the page has to show at a place of its main slider, by the rules."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any, Self
from xml.etree import ElementTree

import nbformat
import pytest

import d20widgets
from d20kit.amounts import number_text, percent_text
from d20kit.attack import Outcome, hit_chance, outcome_chances
from d20kit.damage import attack_damage
from d20kit.hit_points import State, state_chances
from d20kit.language import _
from d20widgets.explorer import Explorer
from d20widgets.unbroken import unbroken
from tests.browser.drawing import Shape, Trace

CALL = "Explorer("
# A press and how far it goes.
_STEPS = {"ArrowRight": 1, "PageUp": 5, "ArrowUp": 1, "ArrowLeft": -1, "PageDown": -5, "ArrowDown": -1}


class Twin:
    """An explorer on the page once more, built here: what it has to show."""

    def __init__(self, explorer: Explorer) -> None:
        self.explorer = explorer
        self.low = self.explorer.chart.first
        self.start = self.explorer.values[self.explorer.main]
        self.high = self.low + len(self.explorer.chart.frames) - 1

    @classmethod
    def of_lesson(cls, notebook: Path) -> Self:
        """Build it by the code of the lesson's own cell."""
        cells = nbformat.read(notebook, as_version=4).cells
        source = next(cell.source for cell in cells if cell.cell_type == "code" and CALL in cell.source)
        return cls(
            eval(
                ast.unparse(ast.parse(source).body[-1]),
                {name: getattr(d20widgets, name) for name in d20widgets.__all__},
            )
        )

    def label(self, name: str) -> str:
        """Return what stands beside a control, in the language in use."""
        return _(next(control.label for control in self.explorer.controls if control.name == name))

    @property
    def main_label(self) -> str:
        """What stands beside the main slider."""
        return self.label(self.explorer.main)

    def values(self, position: int) -> dict[str, Any]:
        """Return all values with the main slider at a place."""
        return {**self.explorer.values, self.explorer.main: position}

    def sentence(self, position: int) -> str:
        """Return the summary for a place of the main slider, as the page writes it."""
        return unbroken(self.explorer.sentence(self.explorer.numbers(self.values(position))))

    def words(self, position: int) -> str:
        """Return the words that stand for the picture at a place of the main slider."""
        return str(self.explorer.frame(self.explorer.numbers(self.values(position)))["label"])

    def formula(self, position: int) -> str:
        """Return the characters of the formula for a place of the main slider."""
        markup = self.explorer.formula(self.explorer.numbers(self.values(position)))
        return "".join(ElementTree.fromstring(markup).itertext())

    def presses(self) -> Iterator[tuple[str, int]]:
        """Yield keys that walk over the main slider, and where each leads."""
        yield from (("End", self.high), ("Home", self.low))
        yield from ((key, self.low + gone) for key, gone in zip(_STEPS, accumulate(_STEPS.values()), strict=True))


def mark(traces: Sequence[Trace]) -> tuple[Shape, str]:
    """Return the first mark, where it is and what it says; a picture may have others on other curves."""
    return next((shape, trace.text) for trace in traces for shape in trace.marks)


def bars(traces: Sequence[Trace], name: str) -> tuple[Shape, ...]:
    """Return the bars of the traces with a name; a trace of nothing may not be drawn at all."""
    return tuple(bar for trace in traces if trace.name == name for bar in trace.bars)


def attack_agrees(values: Mapping[str, Any], traces: Sequence[Trace]) -> float:
    """Check that each outcome has its faces, in order, and the mark its chance; return how high the mark must be."""
    chances = outcome_chances(values["bonus"], values["ac"], rules=values["rules"])
    faces = [bars(traces, outcome.value) for outcome in Outcome]
    assert [len(one) for one in faces] == [chance * 20 for chance in chances]
    places = [bar.x for one in faces for bar in one]
    assert places == sorted(places)
    hit = hit_chance(values["bonus"], values["ac"])
    assert mark(traces)[1] == percent_text(hit)
    return float(hit)


def hit_points_agree(values: Mapping[str, Any], traces: Sequence[Trace]) -> float:
    """Check that each state has its share of every round's bar, and the mark its number; its height never changes."""
    damage = attack_damage(values["bonus"], values["ac"], values["damage"], rules=values["rules"])
    ahead = state_chances(values["hp"], values["constitution"], damage, values["rounds"], rules=values["rules"])
    states = [one for one in State if one is not State.STABLE]
    rounds = list(zip(*(bars(traces, one.value) for one in states), strict=True))
    assert len(rounds) == len(ahead)
    for chances, stack in zip(ahead, rounds, strict=True):
        height = sum(bar.height for bar in stack)
        shares = [bar.height / height for bar in stack]
        assert shares == pytest.approx([float(chances[one]) for one in states], abs=0.01)
    assert mark(traces)[1] == number_text(values["hp"])
    return 0
