"""How damage is drawn: a hit, a critical read in two ways, and what one attack deals, above one axis of damage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from d20kit import Pmf
from d20kit.amounts import short_percent_text
from d20kit.attack import Outcome
from d20kit.language import _
from d20kit.magnitudes import root_text, significant
from d20widgets import style
from d20widgets.dice_picture import columns, every_chance, highest_chance, outline, percents, ticks
from d20widgets.unbroken import NO_BREAK

ONE_ATTACK = style.Paint("#2fb68d", "")
# How much higher than its columns a panel is.
ROOM = 1.1
# Size of the marker at the end of a whisker, which makes it 10 pixels high.
WHISKER = 7
# In paper coordinates: panel by panel, where its columns begin and end, and where the marks of means above them end.
PANELS = ((0.78, 0.94, 1.0), (0.36, 0.6, 0.71), (0.0, 0.22, 0.29))


class Damages(NamedTuple):
    """What a hit, a critical of one multiplied roll, a critical of several rolls, and one attack deal."""

    hit: Pmf
    multiplied: Pmf
    again: Pmf
    attack: Pmf


def axis_end(table: Sequence[Damages]) -> int:
    """Return the greatest damage at any position of the slider."""
    return max(int(pmf.support()[1]) for damages in table for pmf in damages)


def heights(table: Sequence[Damages]) -> tuple[float, float]:
    """Return how high the columns of a hit and of a critical reach, in percent.

    Where a minimum of 1 point bites, the totals below it pile up there: that column may be cut off, with its chance
    written beside it, or it would flatten those of every other position.
    """
    hit, once, again = (
        min(highest_chance(pmf) for pmf in pmfs)
        for pmfs in zip(*((one.hit, one.multiplied, one.again) for one in table), strict=True)
    )
    return ROOM * hit, ROOM * max(once, again)


def damage_figure(table: Sequence[Damages]) -> dict[str, Any]:
    """Return the figure, less what depends on Strength.

    Traces 0 to 3 are a hit, a critical multiplied, a critical rolled again, and the chance that one attack deals at
    least so much; 4 to 7 are their means, with a standard deviation to either side; 8 and 9 tell what is cut off.
    """
    end = axis_end(table)
    # As the axis of the lowest multiplier would have it: a picture that keeps its kind while the multiplier moves is
    # redrawn quickly.
    count = 2 * max(damages.hit.support()[1] for damages in table)
    hit, critical = style.OUTCOMES[Outcome.HIT], style.OUTCOMES[Outcome.CRITICAL]
    means = [
        _mean("", 1, hit.fill),
        _mean("2", 1, critical.fill),
        _mean("2", 2, style.POINT),
        _mean("3", 1, ONE_ATTACK.fill),
    ]
    shown = [
        columns(_("hit"), hit, count, showlegend=False),
        columns(_("one roll, multiplied"), critical, count, "2"),
        outline(_("rolled again"), style.POINT, "2"),
        _one_attack(),
    ]
    tops = heights(table)
    cut = [_cut_off(axes, top) for axes, top in zip(("", "2"), tops, strict=True)]
    return {"data": [*shown, *means, *cut], "layout": _layout(end, tops)}


def _one_attack() -> dict[str, Any]:
    steps = outline(_("one attack"), ONE_ATTACK.fill, "3", fill="tozeroy", showlegend=False)
    return {**steps, "line": {**steps["line"], "dash": "solid"}}


def _mean(xaxis: str, place: int, colour: str) -> dict[str, Any]:
    """The mark of a mean between the ends of its whiskers.

    A line with ends of its own, for plotly's error bars are not among what a quick redraw knows.
    """
    return {
        "type": "scatter",
        "mode": "lines+markers+text",
        "showlegend": False,
        "x": [None, None, None],
        "y": [place] * 3,
        "text": ["", "", ""],
        "xaxis": f"x{xaxis}",
        "yaxis": f"y{int(xaxis or 1) + 3}",
        "line": {"width": 2, "color": colour},
        "marker": {
            "size": [WHISKER, 10, WHISKER],
            "color": colour,
            "symbol": ["line-ns", "diamond", "line-ns"],
            "opacity": 1,
            "line": {"width": [2, 1, 2], "color": [colour, "#ffffff", colour]},
        },
        "textposition": ["middle left", "middle center", "middle right"],
        "textfont": {"size": 12},
        "cliponaxis": False,
        "hoverinfo": "skip",
    }


def _cut_off(axes: str, top: float) -> dict[str, Any]:
    place = {"x": [1.5], "y": [top], "xaxis": f"x{axes}", "yaxis": f"y{axes}"}
    return style.words(**place, textposition="bottom right", textfont={"size": 12})


def damage_frame(damages: Damages, tops: tuple[float, float], end: int) -> dict[str, Any]:
    """Return what one Strength puts into the figure."""
    hit, multiplied, again, attack = damages
    frame: dict[str, Any] = {}
    for trace, pmf in enumerate((hit, multiplied, again)):
        low, high = pmf.support()
        frame |= {f"data.{trace}.x0": low - 1, f"data.{trace}.y": every_chance(pmf, low - 1, high + 1)}
    frame["data.3.x0"] = 1
    frame["data.3.y"] = percents([attack.sf(least - 1) for least in range(1, attack.support()[1] + 2)])
    for trace, pmf in enumerate(damages, start=4):
        frame |= _mean_frame(trace, pmf, end)
    return {**frame, "data.8.text": [_piled(tops[0], hit)], "data.9.text": [_piled(tops[1], multiplied, again)]}


def _mean_frame(trace: int, pmf: Pmf, end: int) -> dict[str, Any]:
    mean, spread = float(pmf.mean()), pmf.std()
    # No-break spaces keep the words off the whisker.
    words = f"{NO_BREAK}{significant(pmf.mean(), 3)} ± {root_text(pmf.var(), 3)}{NO_BREAK}"
    # At the end of the whisker on the side where the axis has room.
    at_right = mean + spread < 0.7 * end or not spread
    return {
        f"data.{trace}.x": [round(one, 3) for one in (mean - spread, mean, mean + spread)],
        f"data.{trace}.text": ["", "", words] if at_right else [words, "", ""],
    }


def _piled(top: float, *pmfs: Pmf) -> str:
    """Write the chances of 1 point where its column is higher than the panel."""
    chances = [pmf.pmf(1) for pmf in pmfs]
    if 100 * max(chances) <= top:
        return ""
    return f"1: {', '.join(map(short_percent_text, chances))}"


def _layout(end: int, tops: tuple[float, float]) -> dict[str, Any]:
    # No heading holds a number: plotly works out the whole picture anew when a text in it changes.
    headings = (
        _("Damage of a hit, its mean ± standard deviation"),
        _("A critical: one roll multiplied, or rolled again"),
        _("Chance that one attack deals at least so much"),
    )
    damage: dict[str, Any] = {"range": [0, end + 1], **ticks(0, end + 1)}
    percent: dict[str, Any] = {"ticksuffix": " %", "nticks": 4, "showgrid": False, **style.APART}
    marks: dict[str, Any] = {"visible": False, "range": [0.3, 1.7]}
    (low, middle, high), (low2, middle2, high2), (low3, middle3, high3) = PANELS
    return style.layout(
        560,
        annotations=[style.heading(words, panel[-1]) for words, panel in zip(headings, PANELS, strict=True)],
        xaxis=style.axis(anchor="y", showticklabels=False, **damage),
        yaxis=style.axis(anchor="x", range=[0, tops[0]], domain=[low, middle], **percent),
        xaxis2=style.axis(anchor="y2", showticklabels=False, **damage),
        yaxis2=style.axis(anchor="x2", range=[0, tops[1]], domain=[low2, middle2], **percent),
        xaxis3=style.axis(_("damage"), anchor="y3", **damage),
        yaxis3=style.axis(anchor="x3", range=[0, 100], domain=[low3, middle3], **(style.PERCENT | {"dtick": 50})),
        yaxis4=style.axis(anchor="x", domain=[middle, high], **marks),
        yaxis5=style.axis(anchor="x2", domain=[middle2, high2], **(marks | {"range": [0.4, 2.6]})),
        yaxis6=style.axis(anchor="x3", domain=[middle3, high3], **marks),
    )
