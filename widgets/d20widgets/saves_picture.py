"""How a saving throw is drawn: the die's faces under both rule sets, the bonus in parts, and the chance by DC."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from d20kit.language import N_, _
from d20kit.rulesets import RULESETS, Ruleset
from d20kit.saves import save_chance
from d20widgets import stack, style
from d20widgets.style import FACES

DCS = range(1, 41)
# Where each rule set's row of faces begins, the first on top, and how far above that the middle of a face is.
ROWS = {"COURSE": 1, "SRD35": 0}
MIDDLE = 0.45
SAVED, FAILED = style.Paint("#56b4e9", "/"), style.Paint("#c3c7cc", "")
PARTS = {
    "base": (N_("base"), style.Paint("#2fb68d", "\\")),
    "ability": (N_("ability"), style.Paint("#f0d24a", "|")),
    "other": (N_("other"), style.Paint("#a3a08c", "")),
}
DASHES = {"COURSE": "solid", "SRD35": "dash"}
LINES = {"COURSE": "#56b4e9", "SRD35": "#e69f00"}
# The traces that follow the DC: in each row the faces that save and those that fail, the rings, the mark.
SAVES, FAILS = {"COURSE": 9, "SRD35": 10}, {"COURSE": 11, "SRD35": 12}
NATURALS, NOW = 13, 14


def save_figure(
    title: str, parts: Mapping[str, int], lost: Mapping[str, int], bonus: int, before: int, rules: Ruleset
) -> dict[str, Any]:
    """Return the figure, less what depends on the difficulty class.

    Parameters
    ----------
    title : str
        Words above the bonus.
    parts, lost : mapping of str to int
        What each part of the bonus gives, and what attribute damage has taken from it.
    bonus, before : int
        Save bonus now and before any attribute damage.
    rules : Ruleset
        Those of the curve before the damage.
    """
    curves = [_curve(name, bonus, each) for name, each in RULESETS.items()]
    data = [*curves, _before(before, rules, before != bonus), *_bonus(parts, lost, bonus)]
    low, high = stack.span([[*parts.values()], [stack.end([*parts.values(), *lost.values()])]])
    numbers = style.face_numbers(*(row + MIDDLE for row in ROWS.values()))
    return {
        "data": [*data, *_faces(), style.point("x3", "y3", name=_("now")), numbers],
        "layout": _layout(title, low, high),
    }


def _curve(name: str, bonus: int, rules: Ruleset) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name,
        "x": list(DCS),
        "y": [float(100 * save_chance(bonus, dc, rules=rules)) for dc in DCS],
        "xaxis": "x3",
        "yaxis": "y3",
        "line": {"color": LINES[name], "width": 2.5, "dash": DASHES[name]},
        "hoverinfo": "skip",
    }


def _before(bonus: int, rules: Ruleset, shown: bool) -> dict[str, Any]:
    """The chance without the attribute damage."""
    curve = _curve("COURSE", bonus, rules)
    line = {"color": stack.CROSSED, "width": 2, "dash": "dot"}
    return {**curve, "name": _("without loss"), "line": line, "visible": shown}


def _bonus(parts: Mapping[str, int], lost: Mapping[str, int], bonus: int) -> list[dict[str, Any]]:
    """The parts of the bonus, what is lost of them, and the total."""
    axes: dict[str, Any] = {"xaxis": "x2", "yaxis": "y2"}
    bars = [
        {
            **stack.bar(_(name), paint, **axes, showlegend=part != "other" or parts[part] != 0),
            **stack.filled([piece], [parts[part]]),
        }
        for piece, (part, (name, paint)) in zip(stack.pieces([*parts.values()]), PARTS.items(), strict=True)
    ]
    start = stack.end([*parts.values()])
    taken = sum(lost.values())
    ghost = stack.ghost(_("lost"), **axes, showlegend=taken > 0)
    place = {"x": [start + taken / 2], "y": [0.13]}
    crossed = style.words(**axes, **place, text=[str(taken) if taken else ""], cliponaxis=False)
    return [
        *bars,
        {**ghost, "x": [taken or None], "base": [start], "hovertext": [f"{_('lost')}: {taken}"]},
        crossed,
        stack.totals(_("Save bonus"), **axes, x=[bonus]),
    ]


def _faces() -> list[dict[str, Any]]:
    """The faces that save and those that fail, in both rows, and a ring around those that are special."""
    kinds = ((_("saves"), SAVED), (_("fails"), FAILED))
    cells = [
        {
            "type": "bar",
            "name": name,
            "legendgroup": name,
            "showlegend": row == max(ROWS.values()),
            "x": [None],
            "y": [2 * MIDDLE] * len(FACES),
            "base": row,
            "width": 0.94,
            "marker": paint.marker(),
            "hovertemplate": "%{x}: " + name + "<extra></extra>",
        }
        for name, paint in kinds
        for row in ROWS.values()
    ]
    ring = {
        "type": "scatter",
        "mode": "markers",
        "name": _("natural"),
        "x": [None],
        "y": [None],
        "marker": {"symbol": "circle-open", "size": 19, "color": style.POINT, "line": {"width": 3}},
        "hoverinfo": "skip",
    }
    return [*cells, ring]


def _layout(title: str, low: int, high: int) -> dict[str, Any]:
    names: dict[str, Any] = {
        "tickvals": [row + MIDDLE for row in ROWS.values()],
        "ticktext": list(ROWS),
        "showgrid": False,
        **style.APART,
    }
    headings = [
        style.heading(_("Faces of the die"), 1),
        style.heading(title, 0.72),
        style.heading(_("Chance to save by difficulty class"), 0.46),
    ]
    return style.layout(
        426 + style.BELOW,
        margin=style.margin(66),
        barmode="overlay",
        annotations=headings,
        xaxis=style.axis(range=[0.5, 20.5], anchor="y", visible=False),
        yaxis=style.axis(range=[0, 2], domain=[0.84, 1], **names),
        xaxis2=style.axis(range=[low - 0.3, high + 0.3], anchor="y2", dtick=5 if high - low > 20 else 2),
        yaxis2=style.axis(range=[-0.46, 0.44], domain=[0.6, 0.72], visible=False, anchor="x2"),
        xaxis3=style.axis(_("DC"), range=[DCS.start - 0.5, DCS.stop - 0.5], anchor="y3", dtick=5),
        yaxis3=style.axis(range=[0, 122], domain=[0, 0.46], anchor="x3", **style.PERCENT),
    )
