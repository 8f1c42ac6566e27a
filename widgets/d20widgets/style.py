"""Colours, patterns and figure layout, in one place.

The colours are Okabe and Ito's, which stay apart for every kind of colour vision; each also has a pattern of its own,
so that a picture printed in grey or seen in a single hue says the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from d20kit.attack import FACES as SIDES
from d20kit.attack import Outcome
from d20kit.hit_points import State

# Text and patterns on any of the fills, in light and dark pages alike.
INK = "#000000"
POINT = "#cc3d8f"
# Keeps an upright axis's numbers off what is drawn, and off the first number of the axis below.
APART: dict[str, Any] = {"ticks": "outside", "ticklen": 4, "tickcolor": "rgba(0,0,0,0)"}
# Of an axis of chances in percent.
PERCENT: dict[str, Any] = {"ticksuffix": " %", "dtick": 25, **APART}
_QUARTERS = (0, 25, 50, 75, 100)
# Of one that goes on above 100 %, for words.
QUARTERS: dict[str, Any] = {"tickvals": [*_QUARTERS], "ticktext": [f"{quarter} %" for quarter in _QUARTERS], **APART}
# Pixels below the lowest axis: for its numbers, its name and a legend of one line. The page adds room for more lines.
BELOW = 68
FACES = range(1, SIDES + 1)


@dataclass(frozen=True)
class Paint:
    """How a kind of thing is drawn: its fill and its plotly pattern."""

    fill: str
    pattern: str

    def marker(self) -> dict[str, Any]:
        """Return the plotly marker of a bar painted so."""
        pattern = {"shape": self.pattern, "fillmode": "overlay", "fgcolor": INK, "fgopacity": 0.28, "size": 7}
        return {"color": self.fill, "pattern": pattern, "line": {"width": 0}}


OUTCOMES = {
    Outcome.MISS: Paint("#c3c7cc", ""),
    Outcome.HIT: Paint("#56b4e9", "/"),
    Outcome.CRITICAL: Paint("#e69f00", "x"),
}
STATES = {
    State.HEALTHY: Paint("#2fb68d", ""),
    State.DISABLED: Paint("#f0d24a", "/"),
    State.DYING: Paint("#d9703a", "\\"),
    State.STABLE: Paint("#7cc4ee", "-"),
    State.DEAD: Paint("#85827f", "x"),
}


def axis(title: str = "", **settings: Any) -> dict[str, Any]:
    """Return a plotly axis that nobody can drag by accident."""
    name = {"text": title, "standoff": 4, "font": {"size": 13}}
    return {"title": name, "fixedrange": True, "zeroline": False, "automargin": False, **settings}


def heading(text: str, y: float) -> dict[str, Any]:
    """Return a panel's heading, set at the left above its plotting area that ends at ``y``."""
    place = {"x": 0, "y": y, "xref": "paper", "yref": "paper", "xanchor": "left", "yanchor": "bottom", "yshift": 5}
    return {"text": text, "showarrow": False, "align": "left", "font": {"size": 13}, **place}


def words(**settings: Any) -> dict[str, Any]:
    """Return the trace of words that stand on the page's own ground, in its own colour.

    >>> words(x=[3], y=[1], text=["three"])["text"]
    ['three']
    """
    return {
        "type": "scatter",
        "mode": "text",
        "showlegend": False,
        "x": [0],
        "y": [0],
        "text": [""],
        "textfont": {"size": 13},
        "hoverinfo": "skip",
        **settings,
    }


def face_numbers(*heights: float) -> dict[str, Any]:
    """Return the trace of the numbers on the faces of a d20, once at each height.

    >>> face_numbers(0.5, 1.5)["text"][-1]
    '20'
    """
    return words(
        x=[*FACES] * len(heights),
        y=[height for height in heights for _face in FACES],
        text=[str(face) for face in FACES] * len(heights),
        textfont={"color": INK, "size": 14, "weight": 700},
    )


def point(xaxis: str, yaxis: str, **settings: Any) -> dict[str, Any]:
    """Return the trace that marks where the main control stands on a curve, with words beside it.

    >>> point("x2", "y2", name="now")["marker"]["symbol"]
    'diamond'
    """
    return {
        "type": "scatter",
        "mode": "markers+text",
        "x": [0],
        "y": [0],
        "text": [""],
        "xaxis": xaxis,
        "yaxis": yaxis,
        "marker": {"size": 14, "color": POINT, "symbol": "diamond"},
        "textposition": "top right",
        "textfont": {"size": 14},
        "cliponaxis": False,
        "hoverinfo": "skip",
        **settings,
    }


def margin(left: int = 52, below: int = BELOW) -> dict[str, Any]:
    """Return the room around the axes, in pixels, which no word on them moves."""
    return {"l": left, "r": 16, "t": 30, "b": below, "autoexpand": False}


def layout(height: int, **settings: Any) -> dict[str, Any]:
    """Return the layout that every picture shares: no drag, no background, one horizontal legend below."""
    return {
        "height": height,
        # Below there is room for the lower axis's name and a legend of two lines, as in a narrow window.
        "margin": margin(below=84),
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"size": 13},
        "dragmode": False,
        "hovermode": "closest",
        "legend": {
            "orientation": "h",
            "x": 0,
            "y": 0,
            "yref": "container",
            "yanchor": "bottom",
            "itemclick": False,
            "itemdoubleclick": False,
            "traceorder": "normal",
        },
        **settings,
    }
