"""How hit points are drawn: the line of states, and the chance of each state after each attack."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from d20kit.hit_points import DEATH, State, state
from d20kit.language import _
from d20widgets import style


def hit_point_figure(values: Mapping[str, Any], shown: Sequence[State]) -> dict[str, Any]:
    """Return the figure, less what depends on the hit points now.

    The shown states' stretches of the line come first, then their stacks, a bar for each round, and last the mark on
    the line.
    """
    bands = [_band(one, values) for one in shown]
    stacks = [_stack(one, values["rounds"]) for one in shown]
    return {"data": [*bands, *stacks, _now()], "layout": _layout(values)}


def _band(one: State, values: Mapping[str, Any]) -> dict[str, Any]:
    """One state's stretch of the line, as one wide bar; without a point on it, only its place in the legend."""
    line = range(DEATH, values["maximum"] + 1)
    points = [hp for hp in line if state(hp, values["constitution"], rules=values["rules"]) is one]
    return {
        "type": "bar",
        "name": _(one.value),
        "legendgroup": one.value,
        "x": [(points[0] + points[-1]) / 2] if points else [None],
        "width": [len(points)],
        "y": [1],
        "marker": style.STATES[one].marker(),
        "hovertemplate": _(one.value) + "<extra></extra>",
    }


def _stack(one: State, rounds: int) -> dict[str, Any]:
    return {
        "type": "bar",
        "name": _(one.value),
        "legendgroup": one.value,
        "showlegend": False,
        "x": list(range(rounds + 1)),
        "y": [0] * (rounds + 1),
        "xaxis": "x2",
        "yaxis": "y2",
        "marker": style.STATES[one].marker(),
        "hovertemplate": _(one.value) + ": %{y:.1f} %<extra></extra>",
    }


def _now() -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers+text",
        "showlegend": False,
        "x": [0],
        "y": [1.12],
        "text": [""],
        "marker": {"size": 14, "color": style.POINT, "symbol": "triangle-down"},
        "textposition": "top center",
        "textfont": {"size": 15},
        "cliponaxis": False,
        "hoverinfo": "skip",
    }


def _layout(values: Mapping[str, Any]) -> dict[str, Any]:
    ends = [DEATH - 0.5, values["maximum"] + 0.5]
    return style.layout(
        468,
        barmode="stack",
        bargap=0.25,
        annotations=[
            style.heading(_("Hit points"), 1.0),
            style.heading(_("Chance of each state after each round"), 0.62),
        ],
        xaxis=style.axis(range=ends, anchor="y", showgrid=False, nticks=12),
        yaxis=style.axis(range=[0, 1.9], domain=[0.81, 1], visible=False),
        xaxis2=style.axis(_("rounds"), range=[-0.5, values["rounds"] + 0.5], anchor="y2", dtick=1, showgrid=False),
        yaxis2=style.axis(range=[0, 100], domain=[0, 0.62], anchor="x2", **style.PERCENT),
    )
