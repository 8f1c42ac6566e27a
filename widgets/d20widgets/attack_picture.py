"""How an attack is drawn: the die's faces as cells, and the curve of the chance to hit."""

from __future__ import annotations

from typing import Any

from d20kit.attack import FACES as SIDES
from d20kit.attack import Outcome, hit_chance
from d20kit.language import _
from d20widgets import style

FACES = range(1, SIDES + 1)
# The armor classes of the curve: an axis that never slides, so that what moves is the mark.
CURVE = range(0, 46)


def attack_figure(bonus: int) -> dict[str, Any]:
    """Return the figure, less what depends on the armor class.

    Trace 0 is the curve, traces 1 to 3 are the faces that miss, hit and are critical, trace 4 is the current point, and
    the faces' numbers stand before them all.
    """
    return {"data": [_curve(bonus), *map(_faces, Outcome), _point(), _face_numbers()], "layout": _layout()}


def _faces(outcome: Outcome) -> dict[str, Any]:
    return {
        "type": "bar",
        "name": _(outcome.value),
        "x": [None],
        "y": [1] * len(FACES),
        "width": 0.94,
        "marker": style.OUTCOMES[outcome].marker(),
        "hovertemplate": "%{x}: " + _(outcome.value) + "<extra></extra>",
    }


def _face_numbers() -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "text",
        "showlegend": False,
        "x": list(FACES),
        "y": [0.5] * len(FACES),
        "text": [str(face) for face in FACES],
        "textfont": {"color": style.INK, "size": 14, "weight": 700},
        "hoverinfo": "skip",
    }


def _curve(bonus: int) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines",
        "name": _("chance to hit"),
        "legendrank": 1001,
        "x": list(CURVE),
        "y": [float(100 * hit_chance(bonus, ac)) for ac in CURVE],
        "xaxis": "x2",
        "yaxis": "y2",
        "line": {"color": style.OUTCOMES[Outcome.HIT].fill, "width": 2},
        "hovertemplate": "AC %{x}: %{y:.0f} %<extra></extra>",
    }


def _point() -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers+text",
        "name": _("now"),
        "x": [0],
        "y": [0],
        "text": [""],
        "xaxis": "x2",
        "yaxis": "y2",
        "marker": {"size": 14, "color": style.POINT, "symbol": "diamond"},
        "textposition": "top right",
        "textfont": {"size": 14},
        "cliponaxis": False,
        "hoverinfo": "skip",
    }


def _layout() -> dict[str, Any]:
    titles = [style.heading(_("Faces of the die"), 1), style.heading(_("Chance to hit by armor class"), 0.7)]
    return style.layout(
        448,
        barmode="overlay",
        annotations=titles,
        xaxis=style.axis(range=[0.5, 20.5], anchor="y", visible=False),
        yaxis=style.axis(range=[0, 1], domain=[0.84, 1], visible=False),
        xaxis2=style.axis(_("AC"), range=[CURVE.start - 1, CURVE.stop], anchor="y2", dtick=5),
        yaxis2=style.axis(range=[0, 120], domain=[0.0, 0.7], anchor="x2", **style.PERCENT),
    )
