"""How dice are drawn: chances of each total, the two running sums, a comparison, and rolls on top of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import Any

from d20kit import Pmf
from d20kit.amounts import number_text, short_percent_text
from d20kit.language import _
from d20widgets import style
from d20widgets.unbroken import NO_BREAK

# More totals than these are drawn as one stepped area: bars would run into each other in a narrow window.
MOST_BARS = 60
# Okabe and Ito's again, for what is neither an outcome of an attack nor a state.
FIRST = style.Paint("#56b4e9", "")
SECOND = "#d55e00"
AT_LEAST = "#e69f00"
AT_MOST = "#009e73"
COMPARED = (style.Paint("#56b4e9", "/"), style.Paint("#c3c7cc", ""), style.Paint("#d55e00", "x"))
# How much higher than the highest chance the axis of chances reaches.
ROOM = 1.15
LONGEST_NAME = 24
# In percent, above both running sums: how high the words at the target stand, and where their axis ends.
WORDS = (129, 111)
SUMS_END = 140


def percents(chances: Sequence[Any], digits: int = 3) -> list[float]:
    """Turn exact chances into the percent that a picture needs.

    >>> from fractions import Fraction
    >>> percents([Fraction(1, 3), Fraction(0)])
    [33.333, 0.0]
    """
    return [round(float(100 * chance), digits) for chance in chances]


def every_chance(pmf: Pmf, low: int | None = None, high: int | None = None, digits: int = 3) -> list[float]:
    """Return the chances of all totals between two ends, in percent; those of the support if no ends are given.

    >>> from d20kit import d
    >>> every_chance(d(4), 0, 4)
    [0.0, 25.0, 25.0, 25.0, 25.0]
    """
    lowest, highest = pmf.support()
    chances = dict(enumerate(shares(pmf.weights, sum(pmf.weights), digits), start=lowest))
    ends = range(lowest if low is None else low, 1 + (highest if high is None else high))
    return [chances.get(total, 0.0) for total in ends]


def shares(weights: Sequence[int], every: int, digits: int = 3) -> list[float]:
    """Turn whole-number weights into percent of their sum.

    Thousands of reduced Fractions would be most of the work of a picture.

    >>> shares([1, 2], 3)
    [33.333, 66.667]
    """
    return [round(100 * weight / every, digits) for weight in weights]


def columns(name: str, paint: style.Paint, count: int, axes: str = "", **settings: Any) -> dict[str, Any]:
    """Return a trace for the chances of ``count`` totals side by side, less the totals and the chances.

    It is drawn from ``x0``, the lowest total, and ``y``; as bars, or as a stepped area where there are many.
    """
    place = {"xaxis": f"x{axes}", "yaxis": f"y{axes}", "x0": 0, "dx": 1, "y": [None]}
    hover = {"hovertemplate": "%{x}: %{y:.2f} %<extra></extra>"}
    if count <= MOST_BARS:
        return {"type": "bar", "name": name, "width": 0.9, "marker": paint.marker(), **place, **hover, **settings}
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name,
        "line": {"shape": "hvh", "width": 1, "color": paint.fill},
        "fill": "tozeroy",
        "fillcolor": paint.fill,
        **place,
        **hover,
        **settings,
    }


def outline(name: str, colour: str, axes: str = "", **settings: Any) -> dict[str, Any]:
    """Return a dashed, stepped line to lay over columns, less the totals and the chances."""
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name,
        "x0": 0,
        "dx": 1,
        "y": [None],
        "xaxis": f"x{axes}",
        "yaxis": f"y{axes}",
        "line": {"shape": "hvh", "width": 2, "color": colour, "dash": "4px,2px"},
        "hovertemplate": "%{x}: %{y:.2f} %<extra></extra>",
        **settings,
    }


def ticks(low: int, high: int) -> dict[str, Any]:
    """Return the settings of an axis of whole numbers, with ticks that have room in a narrow window.

    >>> ticks(0, 20), ticks(0, 3)
    ({'tick0': 0, 'dtick': 2}, {'tick0': 0, 'dtick': 1})
    """
    most = 12 if max(len(str(low)), len(str(high))) <= 3 else 6
    steps = (step * 10**power for power in range(7) for step in (1, 2, 5))
    return {"tick0": 0, "dtick": next(step for step in steps if (high - low) / step <= most)}


def short_name(text: str) -> str:
    """Cut a long dice expression for a heading or a legend.

    >>> short_name("1d6"), short_name("+".join(["1d6"] * 9))
    ('1d6', '1d6+1d6+1d6+1d6+1d6+1d6…')
    """
    return text if len(text) <= LONGEST_NAME else text[: LONGEST_NAME - 1] + "…"


def highest_chance(*pmfs: Pmf) -> float:
    """Return the greatest chance of any total in some distributions, in percent.

    >>> from d20kit import d
    >>> highest_chance(d(20), d(4))
    25.0
    """
    return max(float(100 * max(pmf.weights) / sum(pmf.weights)) for pmf in pmfs)


def top(pmfs: Sequence[Pmf]) -> float:
    """Return where the axis of chances ends, in percent."""
    return ROOM * highest_chance(*pmfs)


def dice_figure(
    names: tuple[str, str], pmfs: tuple[Pmf, Pmf], compared: Sequence[Any], rolled: Mapping[int, int]
) -> dict[str, Any]:
    """Return the figure, less what depends on the target number.

    Traces 0 and 1 are the chances of the dice and of what they are compared with, 2 and 3 the running sums, 4 to 6 the
    comparison, 7 is what was rolled; 8 is the shade over the totals that reach the target, 9 the two marks and a line
    from them to their words.
    """
    pmf = pmfs[0]
    low, high = pmf.support()
    chances = columns(short_name(names[0]), FIRST, high - low + 1) | {"x0": low, "y": every_chance(pmf)}
    still = [chances, _second(names[1], pmfs[1]), *_running_sums(pmf), *_compared(compared), _rolled(rolled, top(pmfs))]
    return {"data": [*still, _shade(), _marks()], "layout": _layout(names, pmfs, compared)}


def target_frame(target: int, chances: Sequence[Fraction], pmfs: tuple[Pmf, Pmf], highest: float) -> dict[str, Any]:
    """Return what one target number puts into the figure.

    Parameters
    ----------
    target : int
        The target number.
    chances : sequence of Fraction
        The chances of at least so much and of at most so much.
    pmfs : pair of Pmf
        The dice, and what they are compared with.
    highest : float
        Where the axis of chances ends, in percent.
    """
    end = pmfs[0].support()[1]
    low, high = _ends(pmfs)
    words = [
        _("at least {n}: {chance}").format(n=number_text(target), chance=short_percent_text(chances[0])),
        _("at most {n}: {chance}").format(n=number_text(target), chance=short_percent_text(chances[1])),
    ]
    return {
        "data.8.x": [target - 0.5, target - 0.5, end + 0.5],
        "data.8.y": [0, highest, highest],
        "data.9.x": [target] * 4,
        "data.9.y": [*percents(chances), *WORDS],
        # No-break spaces keep the words off their line.
        "data.9.text": ["", "", *(f"{NO_BREAK}{word}{NO_BREAK}" for word in words)],
        "data.9.textposition": f"middle {'right' if 2 * target <= low + high else 'left'}",
    }


def _ends(pmfs: tuple[Pmf, Pmf]) -> tuple[int, int]:
    """Where the axis of totals begins and ends."""
    lows, highs = zip(*(pmf.support() for pmf in pmfs), strict=True)
    return min(lows) - 1, max(highs) + 1


def _second(name: str, pmf: Pmf) -> dict[str, Any]:
    low, high = pmf.support()
    steps = outline(short_name(name), SECOND)
    return steps | {"x0": low - 1, "y": every_chance(pmf, low - 1, high + 1)}


def _running_sums(pmf: Pmf) -> list[dict[str, Any]]:
    low, high = pmf.support()
    totals = range(low, high + 1)
    upwards = list(accumulate(pmf.weights))
    downwards = list(accumulate(reversed(pmf.weights)))[::-1]
    sums = (
        (_("at least"), AT_LEAST, "solid", downwards),
        (_("at most"), AT_MOST, "8px,3px", upwards),
    )
    return [
        {
            "type": "scatter",
            "mode": "lines+markers" if len(totals) <= MOST_BARS else "lines",
            "name": name,
            "x0": low,
            "dx": 1,
            "y": shares(weights, upwards[-1]),
            "xaxis": "x2",
            "yaxis": "y2",
            "line": {"color": colour, "width": 2, "dash": dash},
            "marker": {"size": 5, "color": colour},
        }
        for name, colour, dash, weights in sums
    ]


def _compared(chances: Sequence[Any]) -> list[dict[str, Any]]:
    """One lying bar, shared out between more, equal and less."""
    names = (_("more"), _("equal"), _("less"))
    return [
        {
            "type": "bar",
            "orientation": "h",
            "name": name,
            "showlegend": False,
            "x": [share],
            "y": [0],
            "xaxis": "x3",
            "yaxis": "y3",
            "width": 1,
            "marker": paint.marker(),
        }
        for name, paint, share in zip(names, COMPARED, percents(chances), strict=True)
    ]


def _shade() -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines",
        "showlegend": False,
        "x": [None],
        "y": [None],
        "line": {"width": 2, "color": AT_LEAST},
        "fill": "tozeroy",
        "fillcolor": "rgba(230, 159, 0, 0.2)",
        "hoverinfo": "skip",
    }


def _marks() -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines+markers+text",
        "showlegend": False,
        "x": [None],
        "y": [None],
        "text": [""],
        "textposition": "middle right",
        "xaxis": "x2",
        "yaxis": "y2",
        "line": {"width": 1, "color": style.POINT, "dash": "dot"},
        # Markers of many sizes would be half transparent, with a rim.
        "marker": {
            "size": [12, 12, 0, 0],
            "color": style.POINT,
            "symbol": "diamond",
            "opacity": 1,
            "line": {"width": 0},
        },
        "textfont": {"size": 13},
        "cliponaxis": False,
        "hoverinfo": "skip",
    }


def _rolled(counts: Mapping[int, int], highest: float) -> dict[str, Any]:
    """How often each total was rolled; what no longer fits is a triangle at the upper edge."""
    percent = {total: 100 * count / sum(counts.values()) for total, count in sorted(counts.items())}
    return {
        "type": "scatter",
        "mode": "markers",
        "name": _("rolled"),
        "showlegend": bool(counts),
        "x": list(percent) or [None],
        "y": [round(min(share, highest), 3) for share in percent.values()] or [None],
        # Without a colour of its own it takes that of the page's words.
        "marker": {
            "size": 8,
            "line": {"width": 2},
            "symbol": ["circle-open" if share <= highest else "triangle-up" for share in percent.values()],
        },
        "cliponaxis": False,
        "hoverinfo": "skip",
    }


def _comparison(names: tuple[str, str], chances: Sequence[Any]) -> str:
    more, equal, less = map(short_percent_text, chances)
    said = _("{dice} against {other}: more {more}, equal {equal}, less {less}").format(
        dice=short_name(names[0]), other=short_name(names[1]), more=more, equal=equal, less=less
    )
    # A narrow window has no room for the dice and the chances on one line.
    return said.replace(": ", ":<br>", 1)


def _layout(names: tuple[str, str], pmfs: tuple[Pmf, Pmf], compared: Sequence[Any]) -> dict[str, Any]:
    ends = _ends(pmfs)
    totals = {"range": list(ends), "showgrid": False, **ticks(*ends)}
    headings = [
        style.heading(_("Chance of each total"), 1),
        style.heading(_comparison(names, compared), 0.48),
        style.heading(_("Chance of at least and of at most so much"), 0.35),
    ]
    return style.layout(
        544,
        margin=style.margin(),
        barmode="stack",
        annotations=headings,
        xaxis=style.axis(anchor="y", **totals),
        yaxis=style.axis(range=[0, top(pmfs)], domain=[0.62, 1], nticks=5, ticksuffix=" %", **style.APART),
        xaxis2=style.axis(_("total"), anchor="y2", **totals),
        yaxis2=style.axis(range=[0, SUMS_END], domain=[0, 0.35], anchor="x2", **style.QUARTERS),
        xaxis3=style.axis(range=[0, 100], anchor="y3", visible=False),
        yaxis3=style.axis(range=[-0.5, 0.5], domain=[0.42, 0.48], anchor="x3", visible=False),
    )
