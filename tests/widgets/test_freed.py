"""Explorers come and go: what is moved for hours stays small, and what is closed is gone."""

from __future__ import annotations

import copy
import gc
import json
import pickle
import weakref
from typing import Any

import pytest

from d20widgets.explorer import Explorer
from tests.widgets.every import EXPLORERS, SEEDS, Doubling, every_frame, live_widgets


@pytest.mark.parametrize("kind", EXPLORERS)
def test_a_closed_explorer_is_freed(kind: Any) -> None:
    """A notebook that runs a cell a hundred times must not keep a hundred explorers."""
    gc.collect()
    before = live_widgets()
    made = kind()
    made.random(2)
    made.prediction.start()
    if made.detail_box:
        made.detail_box.opened = True
    trace = weakref.ref(made)
    made.close()
    del made
    gc.collect()
    assert trace() is None
    assert live_widgets() == before


def test_many_moves_leave_nothing_behind(explorer: Explorer, monkeypatch: pytest.MonkeyPatch) -> None:
    """A learner who plays for an hour must not fill the kernel, nor make each move heavier than the one before."""
    weights = []
    for widget in (explorer.chart, explorer.formula_line, explorer.sentence_line, explorer.tools):
        monkeypatch.setattr(
            type(widget), "_send", lambda _self, message, buffers=None: weights.append(len(json.dumps(message)))
        )
    per_round = []
    for _round in range(3):
        gc.collect()
        weights.clear()
        for seed in SEEDS[:3]:
            explorer.random(seed)
        per_round.append((live_widgets(), sum(weights)))
    (widgets, weight), (widgets_then, weight_then) = per_round[1:]
    assert widgets_then == widgets
    # a battle's odds may be known more closely the second time
    assert weight_then < 1.05 * weight


def test_five_hundred_moves_of_every_slider_keep_the_number_of_widgets() -> None:
    """What grows by one a move is not seen in ten moves."""
    explorer = Doubling()
    before = live_widgets()
    sliders = [field.parts[0] for field in explorer._fields.values()][::2]
    for slider in sliders:
        for i in range(500):
            slider.value = slider.min + i % (slider.max - slider.min + 1)
    assert live_widgets() == before
    assert [len(frames) for frames in every_frame(explorer)] == [10, 10, 10]
    explorer.close()


def test_closing_twice_is_harmless(explorer: Explorer) -> None:
    """Python closes a widget again when it frees it."""
    explorer.close()
    explorer.close()
    assert explorer.comm is None


def test_a_closed_explorer_still_tells_its_numbers(explorer: Explorer) -> None:
    """A notebook may show the name of an explorer that was closed: words, then, and no view that is gone."""
    before = repr(explorer)
    explorer.close()
    shown = explorer._repr_mimebundle_()
    assert set(shown) == {"text/plain", "text/html"}
    assert shown["text/plain"] == before


@pytest.mark.parametrize("act", [copy.copy, copy.deepcopy, pickle.dumps], ids=["copy", "deepcopy", "pickle"])
def test_an_explorer_is_not_copied(untouched: Explorer, act: Any) -> None:
    """A copy would share the page's widgets with the first one; the refusal says how to get a second explorer."""
    with pytest.raises(TypeError, match=rf"{type(untouched).__name__}\.from_state\(explorer\.state\)"):
        act(untouched)
