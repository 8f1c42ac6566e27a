"""How hit points are drawn: the line of states, and the chance of each state after each attack."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from d20kit.amounts import number_text
from d20kit.hit_points import DEATH, State, state
from d20kit.language import _
from d20kit.rulesets import Ruleset
from d20widgets import style
from d20widgets.hit_points_body import Body

# How many numbers find room on the line in a narrow window.
MOST_NUMBERS = 24
LEVEL = 1.12


def hit_point_figure(values: Mapping[str, Any], now: Body, rules: Ruleset, shown: Sequence[State]) -> dict[str, Any]:
    """Return the figure, less what depends on the hit points now.

    The shown states' stretches of the line come first, then their stacks, a step for each round, then the countdown,
    the ways of damage and healing, and last the mark on the line.
    """
    bands = [_band(one, now, rules) for one in shown]
    stacks = [_stack(one, values["rounds"]) for one in shown]
    damage = _way(_("damage now"), style.POINT, "solid", shown=now.blow > 0)
    healing = _way(_("healing"), style.STATES[State.HEALTHY].fill, "dot", shown=now.healing > 0)
    return {"data": [*bands, *stacks, _countdown(), damage, healing, _now()], "layout": _layout(values, now)}


def moving(now: Body, rounds_left: int | None, chances: Sequence[Mapping[State, Fraction]]) -> dict[str, Any]:
    """Return what one position puts into the figure, path to value."""
    shown = list(chances[0])
    stacks = {
        f"data.{i}.y": [round(float(100 * after[one]), 2) for after in chances]
        for i, one in enumerate(shown, start=len(shown))
    }
    first = 2 * len(shown)
    counted = _counted(now, rounds_left)
    place = max(now.hp, DEATH)
    healed = now.hp > now.struck
    return {
        **stacks,
        f"data.{first}.x": [hp for hp, _left in counted] or [None],
        f"data.{first}.text": [str(left) for _hp, left in counted] or [""],
        f"data.{first + 1}.x": [now.weakened, max(now.struck, DEATH)] if now.blow else [None, None],
        f"data.{first + 2}.x": [now.struck, place] if healed else [None, None],
        f"data.{first + 3}.x": [place],
        f"data.{first + 3}.text": [number_text(now.hp)],
    }


def _counted(now: Body, rounds_left: int | None) -> list[tuple[int, int]]:
    """The hit points of each own turn to come and its number, thinned out on a long line; the last one stays."""
    if rounds_left is None:
        return []
    step = -(-(now.full - DEATH + 1) // MOST_NUMBERS)
    return [(now.hp - left, left) for left in range(rounds_left, 0, -step)]


def _band(one: State, now: Body, rules: Ruleset) -> dict[str, Any]:
    """One state's stretch of the line, as one wide bar; without a point on it, only its place in the legend."""
    line = range(DEATH, now.maximum + 1)
    points = [hp for hp in line if state(hp, now.constitution, rules=rules) is one]
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


def _countdown() -> dict[str, Any]:
    """The number of each own turn until the bleeding ends, where it will find the combatant."""
    bold = {"size": 12, "weight": 700}
    return style.words(x=[None], y=[0.5] * MOST_NUMBERS, textfont=bold, cliponaxis=False)


def _way(name: str, colour: str, dash: str, *, shown: bool) -> dict[str, Any]:
    """How far one blow or the healing moved the mark; in the legend only where there is some."""
    line = {"color": colour, "width": 3, "dash": dash}
    level = LEVEL if dash == "solid" else LEVEL + 0.14
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name,
        "showlegend": shown,
        "x": [None, None],
        "y": [level, level],
        "line": line,
        "hoverinfo": "skip",
    }


def _now() -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers+text",
        "showlegend": False,
        "x": [0],
        "y": [LEVEL],
        "text": [""],
        "marker": {"size": 14, "color": style.POINT, "symbol": "triangle-down"},
        "textposition": "top center",
        "textfont": {"size": 15},
        "cliponaxis": False,
        "hoverinfo": "skip",
    }


def _layout(values: Mapping[str, Any], now: Body) -> dict[str, Any]:
    ends = [DEATH - 0.5, values["maximum"] + 0.5]
    return style.layout(
        468,
        barmode="stack",
        bargap=0,
        annotations=[
            style.heading(_("Hit points"), 1.0),
            style.heading(_("Chance of each state after each round"), 0.62),
        ],
        xaxis=style.axis(range=ends, anchor="y", showgrid=False, nticks=12),
        yaxis=style.axis(range=[0, 1.9], domain=[0.81, 1], visible=False),
        xaxis2=style.axis(_("rounds"), range=[-0.5, values["rounds"] + 0.5], anchor="y2", dtick=1, showgrid=False),
        yaxis2=style.axis(range=[0, 100], domain=[0, 0.62], anchor="x2", **style.PERCENT),
    )
