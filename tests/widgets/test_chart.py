"""The picture widget: what it sends, what it refuses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import ipywidgets
import plotly.graph_objects
import pytest

from d20widgets.chart import MOST_FRAMES, Chart
from d20widgets.library import library


@pytest.fixture
def chart() -> Iterator[Chart]:
    """A chart of one bar whose height follows a slider from 2 to 4."""
    made = Chart(ipywidgets.IntSlider(value=3, min=2, max=4))
    figure = {"data": [{"type": "bar", "x": ["hit"], "y": [0]}], "layout": {"height": 300}}
    made.show(figure, [{"label": f"{n} hits", "data.0.y": [n]} for n in (2, 3, 4)], first=2)
    yield made
    made.close()


def sent_by(widget: Chart, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Record what a widget sends to the page."""
    messages = []
    monkeypatch.setattr(type(widget), "_send", lambda _self, message, buffers=None: messages.append((message, buffers)))
    return messages


def test_each_position_has_its_own_picture(chart: Chart) -> None:
    """The frame found at a position must be that position's, counted from the slider's lowest value."""
    assert [chart.at(position)["data"][0]["y"] for position in (2, 3, 4)] == [[2], [3], [4]]


def test_looking_at_a_position_leaves_the_base_figure_alone(chart: Chart) -> None:
    """A figure handed out is a copy: a caller who changes it must not change what the page shows."""
    chart.at(4)["data"][0]["x"].append("changed")
    assert chart.figure["data"][0]["x"] == ["hit"]


def test_a_plotly_figure_is_taken_as_well_as_a_dict(chart: Chart) -> None:
    """Readers know graph_objects, so that is what they will hand over; its template gives way to the page's theme."""
    chart.show(plotly.graph_objects.Figure(plotly.graph_objects.Bar(x=["a"], y=[1])), [{"label": "one"}], first=0)
    assert chart.figure["data"][0]["x"] == ["a"]
    assert "template" not in chart.figure["layout"]


def test_a_new_table_is_one_message(chart: Chart, monkeypatch: pytest.MonkeyPatch) -> None:
    """Figure and frames that arrive apart would be drawn together wrongly in between."""
    messages = sent_by(chart, monkeypatch)
    figure = {"data": [{"type": "bar", "x": ["miss"], "y": [0]}], "layout": {}}
    chart.show(figure, [{"label": "one", "data.0.y": [1]}], first=0)
    assert len(messages) == 1
    assert {"figure", "frames", "first"} <= set(messages[0][0]["state"])


def test_a_chart_sends_the_library_only_when_the_page_asks(chart: Chart, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sending 1.2 MB with every chart is what made other designs slow."""
    messages = sent_by(chart, monkeypatch)
    chart._handle_custom_msg({"kind": "something else"}, [])
    chart._handle_custom_msg("not a dict", [])
    assert messages == []
    chart._handle_custom_msg({"kind": "plotly"}, [])
    ((message, buffers),) = messages
    assert message["content"] == {"kind": "plotly"}
    assert buffers == [library()]


@pytest.mark.parametrize(
    ("frames", "complaint"),
    [
        ([], "frames is 0"),
        ([{"label": "x"}] * (MOST_FRAMES + 1), f"1 to {MOST_FRAMES}"),
        ([{"label": "x", "data.0.y": [1]}, {"label": "x", "data.0.x": [1]}], "same paths"),
        ([{"data.0.y": [1]}], "label"),
        ([{"label": "x", "layout.title": "t"}], "into a trace"),
    ],
)
def test_frames_that_cannot_be_drawn_are_refused(chart: Chart, frames: Any, complaint: str) -> None:
    """A picture that silently stays blank in the browser is far harder to mend than an error here."""
    with pytest.raises(ValueError, match=complaint):
        chart.show({"data": [{}], "layout": {}}, frames, first=0)
