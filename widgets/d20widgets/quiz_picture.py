"""How a quiz is drawn: a cell for each question, and the answers of a class as a bar for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from d20kit.language import _
from d20widgets import style
from d20widgets.quiz_run import Standing

STANDINGS = {
    Standing.RIGHT: style.Paint("#2fb68d", ""),
    Standing.ALMOST: style.Paint("#f0d24a", "/"),
    Standing.MISTAKE: style.Paint("#d9703a", "\\"),
    Standing.WRONG: style.Paint("#85827f", "x"),
    Standing.OPEN: style.Paint("#c3c7cc", "."),
}


def progress_figure(standings: Sequence[Standing]) -> dict[str, Any]:
    """Return a row of cells, one for each question, coloured by how its first answer was."""
    cells = {one: [i for i, found in enumerate(standings, start=1) if found is one] for one in Standing}
    # A lone None keeps a trace, and so its place in the legend, where no question belongs to it.
    data = [_bar(one, places or [None], [1] * len(places or [None])) for one, places in cells.items()]
    axes = {
        "xaxis": _questions(len(standings)),
        "yaxis": style.axis(range=[0, 1], visible=False),
    }
    return {"data": data, "layout": style.layout(200, barmode="overlay", **axes)}


def tally_figure(counts: Sequence[Mapping[Standing, int]], learners: int) -> dict[str, Any]:
    """Return a bar for each question, stacked by how the learners' first answers were."""
    places = list(range(1, len(counts) + 1))
    data = [_bar(one, places, [count[one] for count in counts]) for one in Standing]
    axes = {
        "xaxis": _questions(len(counts)),
        "yaxis": style.axis(_("learners"), range=[0, learners * 1.05], tickformat="d", nticks=min(learners, 6) + 1),
    }
    return {"data": data, "layout": style.layout(380, barmode="stack", bargap=0.25, **axes)}


def _bar(one: Standing, places: Sequence[int | None], heights: Sequence[int]) -> dict[str, Any]:
    name = _(one.value)
    return {
        "type": "bar",
        "name": name,
        "x": list(places),
        "y": list(heights),
        "width": 0.94 if len(places) < 8 else 0.86,
        "marker": STANDINGS[one].marker(),
        "hovertemplate": "%{x}: " + name + " %{y}<extra></extra>",
    }


def _questions(n: int) -> dict[str, Any]:
    step = 1 if n <= 20 else 5
    return style.axis(_("question"), range=[0.4, n + 0.6], tick0=1 if step == 1 else 0, dtick=step, showgrid=False)
