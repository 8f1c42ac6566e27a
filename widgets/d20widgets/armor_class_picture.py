"""How an armor class is drawn: its parts stacked in four rows, and the chance to hit each of the four."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from d20kit.amounts import number_text
from d20kit.attack import Outcome
from d20kit.language import N_, _
from d20widgets import stack, style
from d20widgets.unbroken import NO_BREAK

PARTS = {
    "ten": (N_("base"), style.Paint("#c3c7cc", "")),
    "armor": (N_("armor"), style.Paint("#56b4e9", "/")),
    "shield": (N_("shield"), style.Paint("#2fb68d", "\\")),
    "natural": (N_("natural armor"), style.Paint("#d9703a", "+")),
    "dexterity": (N_("Dexterity"), style.Paint("#f0d24a", "|")),
    "size": (N_("size"), style.Paint("#cc79a7", ".")),
    "deflection": (N_("deflection"), style.Paint("#7f9fd8", "-")),
    "dodge": (N_("dodge"), style.Paint("#e69f00", "x")),
    "other": (N_("other"), style.Paint("#a3a08c", "")),
}
KINDS = (N_("normal"), N_("touch"), N_("flat-footed"), N_("flat-footed, touch"))
# The first row lies on top.
ROWS = tuple(range(len(KINDS)))[::-1]
# The legend's entries stand still, so that what moves is few traces: each costs the same again at every step.
PIECES, WORDS, TOTAL, CHANCES = range(len(PARTS) + 1, len(PARTS) + 5)
# No picture has more crossed-out pieces.
MOST_CROSSED = len(PARTS) * len(KINDS)
# Numbers stand in the middle of the upper lane, or of the lower one.
MIDDLE, BELOW = 0.13, -0.31
# Room for the total's number behind the longest row, as a share of the axis.
ROOM = 0.1


def shown_parts(parts: Mapping[str, int]) -> list[str]:
    """Return the parts that have pieces, the same at every position of the slider.

    >>> shown_parts({**dict.fromkeys(PARTS, 0), "ten": 10})
    ['ten', 'dexterity']
    """
    return [part for part in PARTS if parts[part] or part == "dexterity"]


def armor_class_figure(
    sums: Sequence[Sequence[Mapping[str, int]]], dropped: Sequence[Sequence[Mapping[str, int]]], shown: Sequence[str]
) -> dict[str, Any]:
    """Return the figure, less what depends on Dexterity.

    Traces 0 to 9 are the legend's: the parts and what does not count. Then come the pieces of all rows, the numbers
    of what does not count and of the totals, the totals, and the chances to hit.

    Parameters
    ----------
    sums, dropped : sequence of sequences of mappings
        For every position and each of the four rows: the parts that count, and those that do not.
    shown : sequence of str
        The parts that have pieces.
    """
    low, high = stack.span([[*counted.values()] for position in sums for counted in position], step=1)
    behind = [
        stack.end([*counted.values(), *lost.values()])
        for position, losses in zip(sums, dropped, strict=True)
        for counted, lost in zip(position, losses, strict=True)
    ]
    high = max(high, *behind)
    legend = [stack.bar(_(label), paint, x=[None], showlegend=part in shown) for part, (label, paint) in PARTS.items()]
    moving = [_pieces(shown), _words(), stack.totals(_("armor class"), y=list(ROWS)), _chances()]
    return {
        "data": [*legend, stack.ghost(_("does not count")), *moving],
        "layout": _layout(low, high),
    }


def _pieces(shown: Sequence[str]) -> dict[str, Any]:
    """Every part in every row as one trace, part by part, and after them what does not count."""
    paints = [PARTS[part][1] for part in shown for _row in ROWS]
    return stack.bar(
        _("armor class"),
        paints[0],
        marker=stack.markers(paints, MOST_CROSSED),
        hovertext=[""],
        hovertemplate="%{hovertext}<extra></extra>",
        hoverlabel={"bgcolor": [paint.fill for paint in paints] + [stack.CROSSED] * MOST_CROSSED},
        showlegend=False,
    )


def _words() -> dict[str, Any]:
    """The totals' numbers, large, then those beside the penalties, and after them those of what does not count."""
    rows = len(ROWS)
    others = rows + MOST_CROSSED
    return style.words(
        cliponaxis=False,
        textposition=["middle right"] * 2 * rows + ["middle center"] * MOST_CROSSED,
        textfont={"size": [16] * rows + [13] * others, "weight": [700] * rows + [400] * others},
    )


def rows_frame(
    shown: Sequence[str], pairs: Sequence[tuple[Mapping[str, int], Mapping[str, int]]], totals: Sequence[int]
) -> dict[str, Any]:
    """Return what one position puts into the rows of parts.

    Parameters
    ----------
    shown : sequence of str
        The parts that have pieces.
    pairs : sequence of pairs of mappings
        For each row the parts that count, and those that do not.
    totals : sequence of int
        The armor class of each row.
    """
    counted, crossed = _counted(shown, [counted for counted, _lost in pairs]), _crossed(pairs)
    ends = [stack.end([*counted.values(), *lost.values()]) for counted, lost in pairs]
    behind = [stack.end([*counted.values()]) for counted, _lost in pairs]
    return {
        **{f"data.{PIECES}.{name}": values for name, values in stack.filled_all(counted, crossed).items()},
        f"data.{WORDS}.x": [*ends, *behind, *(one.start + one.length / 2 for _row, one, _value, _name in crossed)],
        f"data.{WORDS}.y": [
            *(row + lane for lane in (MIDDLE, BELOW) for row in ROWS),
            *(row + MIDDLE for row, *_rest in crossed),
        ],
        f"data.{WORDS}.text": [
            *(f"{NO_BREAK}{number_text(total)}" for total in totals),
            *(f"{NO_BREAK}{stack.unwritten(counted.values())}" for counted, _lost in pairs),
            *(number_text(value) for _row, _piece, value, _name in crossed),
        ],
        f"data.{TOTAL}.x": list(totals),
    }


def _counted(shown: Sequence[str], rows: Sequence[Mapping[str, int]]) -> list[stack.Laid]:
    """What counts lies in its row part by part, with nothing where a part gives nothing."""
    laid = [dict(zip(row, stack.pieces([*row.values()]), strict=True)) for row in rows]
    return [
        stack.Laid(place, pieces[part], row[part], _(PARTS[part][0]))
        for part in shown
        for place, row, pieces in zip(ROWS, rows, laid, strict=True)
    ]


def _crossed(pairs: Sequence[tuple[Mapping[str, int], Mapping[str, int]]]) -> list[stack.Laid]:
    """What does not count in a row lies behind what does, one piece a part."""
    crossed = []
    for place, (counted, lost) in zip(ROWS, pairs, strict=True):
        start = stack.end([*counted.values()])
        for part, value in lost.items():
            if value:
                crossed.append(stack.Laid(place, stack.Piece(start, value), value, _(PARTS[part][0])))
                start += value
    return crossed


def _chances() -> dict[str, Any]:
    return {
        "type": "bar",
        "orientation": "h",
        "name": _("chance to hit"),
        "x": [0] * len(ROWS),
        "y": list(ROWS),
        "text": [""] * len(ROWS),
        "textposition": "outside",
        "constraintext": "none",
        "cliponaxis": False,
        "xaxis": "x2",
        "yaxis": "y2",
        "width": 0.62,
        "marker": style.OUTCOMES[Outcome.HIT].marker(),
        "hoverinfo": "skip",
        "showlegend": False,
    }


def _layout(low: int, high: int) -> dict[str, Any]:
    names: dict[str, Any] = {
        "tickvals": list(ROWS),
        "ticktext": [_(kind).replace(", ", ",<br>") for kind in KINDS],
        "showgrid": False,
        **style.APART,
    }
    beside = {"tickvals": [row + MIDDLE for row in ROWS]}
    return style.layout(
        416 + style.BELOW,
        margin=style.margin(88),
        barmode="overlay",
        annotations=[
            style.heading(_("Armor class and its parts"), 1.0),
            style.heading(_("Chance to hit each, and the faces that hit"), 0.34),
        ],
        xaxis=style.axis(range=[low - 0.3, high + ROOM * (high - low)], anchor="y", dtick=5),
        yaxis=style.axis(range=[-0.5, len(ROWS) - 0.5], domain=[0.46, 1], **(names | beside)),
        # Room for the words behind the longest bar.
        xaxis2=style.axis(range=[0, 138], anchor="y2", **style.QUARTERS),
        yaxis2=style.axis(range=[-0.5, len(ROWS) - 0.5], domain=[0, 0.34], anchor="x2", **names),
    )
