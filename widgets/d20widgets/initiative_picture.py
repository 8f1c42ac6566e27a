"""How initiative is drawn: pairs of faces, the chance to act first, the tree of rerolls, and the likeliest orders."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from typing import Any, NamedTuple

from d20kit.amounts import short_percent_text
from d20kit.initiative import first_chance
from d20kit.language import N_, _
from d20kit.rulesets import RULESETS
from d20widgets import style
from d20widgets.style import FACES

MODIFIERS = range(-5, 16)
DASHES = {"COURSE": "solid", "SRD35": "dash"}
LINES = {"COURSE": "#2fb68d", "SRD35": "#cc79a7"}
FIRST, TIED, SECOND = N_("A first"), N_("tied"), N_("B first")
# Each with its place across the tree and its mark there.
RESULTS = {
    FIRST: (style.Paint("#56b4e9", "/"), 1, "circle"),
    TIED: (style.Paint("#f0d24a", "x"), 0, "diamond"),
    SECOND: (style.Paint("#d9703a", "\\"), -1, "square"),
}
# Rolls that the tree shows, and orders that the picture has room for.
DEPTH = 3
MOST_ORDERS = 6
# A chance that rounds to no tenth of a percent.
SMALL = Fraction(1, 2000)
# The traces that follow the first modifier: the regions, the tree's branches, its nodes, the mark on the curve.
REGIONS, BRANCHES, NODES, NOW = range(4, 7), 7, range(8, 11), 11


class Node(NamedTuple):
    """One end of a roll in the tree: after how many rolls, how it ended, and its chance seen from the start."""

    roll: int
    result: str
    chance: Fraction
    by_modifier: bool = False

    @property
    def place(self) -> float:
        """Where it lies along the tree: a tie that nobody rolls again is decided before the next roll."""
        return self.roll + 0.6 if self.by_modifier else self.roll

    @property
    def before(self) -> int:
        """Where its branch begins."""
        return self.roll if self.by_modifier else self.roll - 1

    @property
    def words(self) -> str:
        """Its chance, short enough to stand beside another."""
        return short_percent_text(self.chance) if not 0 < self.chance < SMALL else "< 0.1 %"


def initiative_figure(
    second: int, tie_rerolled: bool, orders: Sequence[tuple[str, Fraction]], count: int
) -> dict[str, Any]:
    """Return the figure, less what depends on the first modifier.

    Parameters
    ----------
    second : int
        Modifier of B.
    tie_rerolled : bool
        Whether every tie is rolled again.
    orders : sequence of pairs of str and Fraction
        The likeliest orders and their chances.
    count : int
        How many orders there are.
    """
    still = [*_curves(second), *_orders(orders)]
    moving = [*map(_region, RESULTS), _branches(), *map(_nodes, RESULTS), style.point("x2", "y2", name=_("now"))]
    return {"data": [*still, *moving, _grid()], "layout": _layout(tie_rerolled, orders, count)}


def regions(gap: int) -> dict[str, list[int]]:
    """Return for every face of A how many faces of B lie in each region, from below.

    Parameters
    ----------
    gap : int
        By how much A's modifier is higher.
    """
    lower = [sum(face + gap > other for other in FACES) for face in FACES]
    tied = [sum(face + gap == other for other in FACES) for face in FACES]
    higher = [len(FACES) - below - level for below, level in zip(lower, tied, strict=True)]
    return {FIRST: lower, TIED: tied, SECOND: higher}


def region_values(gap: int) -> dict[str, Any]:
    """Return what the traces of the regions get: heights, and where they begin."""
    heights = regions(gap)
    stacked = zip(*heights.values(), strict=True)
    begins = zip(*([0, *accumulate(column[:-1])] for column in stacked), strict=True)
    values: dict[str, Any] = {}
    for trace, height, base in zip(REGIONS, heights.values(), begins, strict=True):
        values |= {f"data.{trace}.y": height, f"data.{trace}.base": [0.5 + one for one in base]}
    return values


def tree_values(nodes: Sequence[Node]) -> dict[str, Any]:
    """Return what the traces of the tree get: branches from each tie to what follows it, and the nodes."""
    across = {result: place for result, (_paint, place, _symbol) in RESULTS.items()}
    branches: dict[str, list[float | None]] = {"x": [], "y": []}
    for node in nodes:
        branches["x"] += [node.before, node.place, None]
        branches["y"] += [0, across[node.result], None]
    values: dict[str, Any] = {f"data.{BRANCHES}.{axis}": places for axis, places in branches.items()}
    for trace, result in zip(NODES, RESULTS, strict=True):
        mine = [node for node in nodes if node.result == result]
        values[f"data.{trace}.x"] = [node.place for node in mine] or [None]
        values[f"data.{trace}.y"] = [across[result]] * len(mine) or [None]
        values[f"data.{trace}.text"] = [node.words for node in mine] or [""]
    return values


def _region(result: str) -> dict[str, Any]:
    paint = RESULTS[result][0]
    return {
        "type": "bar",
        "name": _(result),
        "x": list(FACES),
        "y": [0] * len(FACES),
        "base": [0.5] * len(FACES),
        "width": 1,
        "marker": paint.marker(),
        "hovertemplate": "A %{x}: " + _(result) + "<extra></extra>",
    }


def _grid() -> dict[str, Any]:
    """Lines between the cells, over the regions."""
    ends = (0.5, len(FACES) + 0.5)
    x: list[float | None] = []
    y: list[float | None] = []
    for face in FACES[:-1]:
        x += [face + 0.5, face + 0.5, None, *ends, None]
        y += [*ends, None, face + 0.5, face + 0.5, None]
    line_style = {"color": "rgba(0,0,0,0.35)", "width": 0.7}
    return {
        "type": "scatter",
        "mode": "lines",
        "showlegend": False,
        "x": x,
        "y": y,
        "line": line_style,
        "hoverinfo": "skip",
    }


def _curves(second: int) -> list[dict[str, Any]]:
    return [
        {
            "type": "scatter",
            "mode": "lines",
            "name": name,
            "x": list(MODIFIERS),
            "y": [round(float(100 * first_chance(first, second, rules=rules)), 2) for first in MODIFIERS],
            "xaxis": "x2",
            "yaxis": "y2",
            "line": {"color": LINES[name], "width": 2.5, "dash": DASHES[name]},
            "hoverinfo": "skip",
        }
        for name, rules in RULESETS.items()
    ]


def _orders(orders: Sequence[tuple[str, Fraction]]) -> list[dict[str, Any]]:
    """A bar for each order, and its words above the bar."""
    places = list(range(len(orders)))[::-1]
    axes: dict[str, Any] = {"xaxis": "x4", "yaxis": "y4", "showlegend": False, "hoverinfo": "skip"}
    bars = {
        "type": "bar",
        "orientation": "h",
        "x": [round(float(100 * chance), 2) for _order, chance in orders],
        "y": [place - 0.2 for place in places],
        "width": 0.34,
        "marker": {"color": LINES["COURSE"], "line": {"width": 0}},
    }
    words = style.words(
        x=[0] * len(orders),
        y=[place + 0.24 for place in places],
        text=[f"{short_percent_text(chance)}: {order}" for order, chance in orders],
        textposition="middle right",
        textfont={"size": 11},
        cliponaxis=False,
    )
    return [{**bars, **axes}, {**words, **axes}]


def _branches() -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines",
        "showlegend": False,
        "x": [None],
        "y": [None],
        "xaxis": "x3",
        "yaxis": "y3",
        "line": {"color": "#808080", "width": 1.5},
        "hoverinfo": "skip",
    }


def _nodes(result: str) -> dict[str, Any]:
    paint, place, symbol = RESULTS[result]
    return {
        "type": "scatter",
        "mode": "markers+text",
        "showlegend": False,
        "x": [None],
        "y": [None],
        "text": [""],
        "xaxis": "x3",
        "yaxis": "y3",
        "marker": {"size": 13, "color": paint.fill, "symbol": symbol, "line": {"width": 1, "color": style.INK}},
        "textposition": "bottom center" if place < 0 else "top center",
        "textfont": {"size": 11},
        "cliponaxis": False,
        "hoverinfo": "skip",
    }


def _layout(tie_rerolled: bool, orders: Sequence[tuple[str, Fraction]], count: int) -> dict[str, Any]:
    left, right = [0, 0.43], [0.57, 1]
    upper, lower = [0.56, 1], [0, 0.41]
    rerolls = _("Ties are rolled again") if tie_rerolled else _("Ties go by modifier")
    shown = _("Likeliest of {count} orders").format(count=count) if count > len(orders) else _("All orders")
    headings = [
        style.heading(_("Faces: A across, B up"), upper[1]),
        {**style.heading(_("A first, by A's modifier"), upper[1]), "x": right[0]},
        style.heading(rerolls, lower[1]),
        {**style.heading(shown, lower[1]), "x": right[0]},
    ]
    faces: dict[str, Any] = {"range": [0.5, len(FACES) + 0.5], "tickvals": [1, 5, 10, 15, 20], "showgrid": False}
    longest = max(float(100 * chance) for _order, chance in orders)
    return style.layout(
        500 + style.BELOW,
        margin=style.margin(34),
        barmode="overlay",
        annotations=headings,
        xaxis=style.axis(domain=left, anchor="y", **faces),
        yaxis=style.axis(domain=upper, anchor="x", **faces, **style.APART),
        xaxis2=style.axis(range=[MODIFIERS.start - 0.6, MODIFIERS.stop + 1.6], domain=right, anchor="y2", dtick=5),
        yaxis2=style.axis(range=[0, 122], domain=upper, anchor="x2", **style.PERCENT),
        xaxis3=style.axis(
            _("roll"),
            range=[-0.15, DEPTH + 0.45],
            domain=left,
            anchor="y3",
            tickvals=[*range(1, DEPTH + 1)],
            showgrid=False,
        ),
        yaxis3=style.axis(range=[-1.5, 1.5], domain=lower, anchor="x3", visible=False),
        xaxis4=style.axis(range=[0, longest], domain=right, anchor="y4", visible=False),
        yaxis4=style.axis(
            range=[len(orders) - MOST_ORDERS - 0.5, len(orders) - 0.5], domain=lower, anchor="x4", visible=False
        ),
    )
