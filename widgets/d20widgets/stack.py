"""How a sum with penalties is stacked: bonuses side by side, penalties back from their end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from d20kit.amounts import number_text
from d20widgets import style

# A row's two lanes, as offset and width around its place: bonuses above, and below them the penalties.
BONUS = (-0.16, 0.58)
PENALTY = (-0.44, 0.26)
# What is crossed out, on light and dark pages alike.
CROSSED = "#808080"
CLEAR = "rgba(0,0,0,0)"
LANES = {False: BONUS, True: PENALTY}
# Points of a penalty that have room for its number and its sign in a narrow window.
LEAST = 3


class Piece(NamedTuple):
    """One part of a sum as it lies on the axis."""

    start: int
    length: int


class Laid(NamedTuple):
    """A piece in its row: what it is worth and what it is called."""

    row: int
    piece: Piece
    value: int
    name: str


def pieces(parts: Sequence[int]) -> list[Piece]:
    """Lay out the parts of a sum, so that the last penalty ends at the total.

    >>> pieces([10, 4, -2])
    [Piece(start=0, length=10), Piece(start=10, length=4), Piece(start=12, length=2)]
    """
    up, down = 0, end(parts)
    laid = []
    for part in parts:
        if part >= 0:
            laid.append(Piece(up, part))
            up += part
        else:
            down += part
            laid.append(Piece(down, -part))
    return laid


def end(parts: Sequence[int]) -> int:
    """Return where the bonuses end.

    >>> end([10, 4, -2])
    14
    """
    return sum(part for part in parts if part > 0)


def span(rows: Sequence[Sequence[int]], step: int = 5) -> tuple[int, int]:
    """Return ends of an axis on which all rows and their totals lie, each a multiple of a step.

    >>> span([[10, 4, -2], [0, -3]])
    (-5, 15)
    """
    low = min(0, *(sum(row) for row in rows), 0)
    high = max(end(row) for row in rows)
    return step * (low // step), step * -(-max(high, 1) // step)


def bar(name: str, paint: style.Paint, **settings: Any) -> dict[str, Any]:
    """Return the trace of one part in every row, less its pieces."""
    return {
        "type": "bar",
        "orientation": "h",
        "name": name,
        "x": [None],
        "y": [0],
        "base": [0],
        "text": [""],
        "textposition": "inside",
        "insidetextanchor": "middle",
        "textangle": 0,
        "constraintext": "none",
        "insidetextfont": {"color": style.INK, "size": 13},
        "offset": BONUS[0],
        "width": BONUS[1],
        "marker": {**paint.marker(), "line": {"width": 1, "color": style.INK}},
        "hovertemplate": name + ": %{text}<extra></extra>",
        **settings,
    }


def filled(laid: Sequence[Piece], parts: Sequence[int]) -> dict[str, Any]:
    """Return what a part's trace gets: its piece in each row; one sign in all rows decides the lane."""
    offset, width = LANES[any(part < 0 for part in parts)]
    return {
        "x": [piece.length or None for piece in laid],
        "base": [piece.start for piece in laid],
        "text": [number_text(part) if part else "" for part in parts],
        "offset": offset,
        "width": width,
    }


def filled_all(counted: Sequence[Laid], crossed: Sequence[Laid]) -> dict[str, Any]:
    """Return what one trace of all parts in all rows gets: what counts, and after it what does not.

    >>> one = filled_all([Laid(3, Piece(0, 10), 10, "base")], [Laid(3, Piece(10, 2), 2, "dodge")])
    >>> one["x"], one["base"], one["text"], one["hovertext"]
    ([10, 2], [0, 10], ['10', ''], ['base: 10', 'dodge: 2'])
    """
    every = [*counted, *crossed]
    lanes = [LANES[one.value < 0] for one in counted] + [BONUS] * len(crossed)
    return {
        "x": [one.piece.length or None for one in every],
        "y": [one.row for one in every],
        "base": [one.piece.start for one in every],
        "text": [_written(one.value) for one in counted] + [""] * len(crossed),
        "hovertext": [f"{one.name}: {number_text(one.value)}" if one.value else "" for one in every],
        "offset": [offset for offset, _width in lanes],
        "width": [width for _offset, width in lanes],
    }


def _written(value: int) -> str:
    return number_text(value) if value > 0 or value <= -LEAST else ""


def unwritten(parts: Iterable[int]) -> str:
    """Return the sum of the penalties, to stand beside them, where one of them is too small to hold its number.

    >>> unwritten([10, -1, -2]), unwritten([10, -4])
    ('−3', '')
    """
    penalties = [part for part in parts if part < 0]
    return "" if all(map(_written, penalties)) else number_text(sum(penalties))


def markers(paints: Sequence[style.Paint], crossed: int) -> dict[str, Any]:
    """Return the marker of one trace of many pieces: a paint for each that counts, then so many crossed out.

    The fills are those of patterns, for plotly makes the patterns of many markers' colours in colours of its own; a
    piece without a pattern has one that cannot be seen.
    """
    patterns = [paint.marker()["pattern"] for paint in paints]
    return {
        "color": CLEAR,
        "pattern": {
            "shape": [one["shape"] or "/" for one in patterns] + ["x"] * crossed,
            "bgcolor": [paint.fill for paint in paints] + [CLEAR] * crossed,
            "fgcolor": [_faded(one) if one["shape"] else CLEAR for one in patterns] + [CROSSED] * crossed,
            "size": [one["size"] for one in patterns] + [8] * crossed,
            "fgopacity": 1,
        },
        "line": {
            "width": [1] * len(paints) + [1.5] * crossed,
            "color": [style.INK] * len(paints) + [CROSSED] * crossed,
        },
    }


def _faded(pattern: Mapping[str, Any]) -> str:
    """A pattern's colour with its opacity, of which plotly knows only one a trace."""
    red, green, blue = (int(pattern["fgcolor"][i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},{pattern['fgopacity']})"


def ghost(name: str, **settings: Any) -> dict[str, Any]:
    """Return the trace of what does not count: crossed out, behind what does."""
    crossed = {"shape": "x", "fgcolor": CROSSED, "bgcolor": CLEAR, "fgopacity": 1, "size": 8}
    marker = {"color": "rgba(128,128,128,0.15)", "pattern": crossed, "line": {"width": 1.5, "color": CROSSED}}
    shown = {"marker": marker, "hovertemplate": "%{hovertext}<extra></extra>", "textposition": "none"}
    return bar(name, style.Paint(CROSSED, "x"), **{**shown, **settings})


def totals(name: str, **settings: Any) -> dict[str, Any]:
    """Return the trace that marks the total in every row across both lanes."""
    return {
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "showlegend": False,
        "x": [0],
        "y": [0],
        "marker": {"symbol": "line-ns", "size": 33, "color": style.POINT, "line": {"width": 3, "color": style.POINT}},
        "hovertemplate": name + ": %{x}<extra></extra>",
        "cliponaxis": False,
        **settings,
    }
