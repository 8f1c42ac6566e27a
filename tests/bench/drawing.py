"""Pictures of dice against those of dyce: ``python -m tests.bench drawing``.

From new dice to the text that a notebook sends to its page: the chances of each total beside those of other dice, and
the chances of at least and of at most so much. The kit's picture also has the comparison of both dice. dyce writes
figures for plotly, too; its other pictures are drawn by matplotlib, which sends one finished PNG, where ours is drawn
by the page (``tests.bench.latency`` measures that). Without matplotlib, which the kit does not need and does not
install, that line says so. icepool draws nothing.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from io import BytesIO
from typing import Any

from d20kit import Pmf, d
from d20widgets.dice_picture import dice_figure
from tests.bench.line import Line, judged
from tests.bench.measure import medians

KIT, PLOTLY, MATPLOTLIB = "d20kit", "dyce's plotly view", "dyce's matplotlib view"
OTHER = 12


def kit_figure(count: int, sides: int) -> dict[str, Any]:
    """Draw dice beside one other die as the dice explorer does."""
    dice, other = count @ d(sides), d(OTHER)
    return dice_figure((f"{count}d{sides}", f"1d{OTHER}"), (dice, other), _compared(dice, other), {})


def _compared(dice: Pmf, other: Pmf) -> list[Any]:
    more, equal = dice.chance_above(other), dice.chance_equal(other)
    return [more, equal, 1 - more - equal]


def plotly_figures(count: int, sides: int) -> list[dict[str, Any]]:
    """Draw the same chances with dyce: bars of both dice, and the two running sums."""
    from dyce import H
    from dyce.viz import GraphType
    from dyce.viz.plotly import bar_spec, line_spec

    dice, other = count @ H(sides), H(OTHER)
    sums = [line_spec(dice, graph_type=kind) for kind in (GraphType.AT_LEAST, GraphType.AT_MOST)]
    return [spec.as_dict() for spec in (bar_spec(dice, other), *sums)]


def matplotlib_picture(count: int, sides: int) -> bytes:
    """Draw the same chances with dyce and matplotlib, as the PNG that a notebook shows."""
    from dyce import H
    from dyce.viz import GraphType
    from dyce.viz.matplotlib import plot_bar, plot_line
    from matplotlib.figure import Figure  # type: ignore[import-not-found, unused-ignore]

    dice, other, figure, png = count @ H(sides), H(OTHER), Figure(), BytesIO()
    above, below = figure.subplots(2)
    plot_bar(dice, other, ax=above)
    for kind in (GraphType.AT_LEAST, GraphType.AT_MOST):
        plot_line(dice, graph_type=kind, ax=below)
    figure.savefig(png, format="png")
    return png.getvalue()


def contenders(count: int, sides: int) -> dict[str, Callable[[], object]]:
    """Return what is timed for some dice; matplotlib only where it is installed."""
    drawn: dict[str, Callable[[], object]] = {
        KIT: lambda: json.dumps(kit_figure(count, sides)),
        PLOTLY: lambda: json.dumps(plotly_figures(count, sides)),
    }
    if find_spec("matplotlib"):
        drawn[MATPLOTLIB] = lambda: matplotlib_picture(count, sides)
    return drawn


def lines() -> Iterator[Line]:
    """Draw few dice and many."""
    warnings.simplefilter("ignore")  # dyce says at each call that its views may change
    for count, sides in ((8, 6), (100, 6)):
        name = f"picture of {count}d{sides}"
        times = medians(contenders(count, sides))
        for peer in (PLOTLY, MATPLOTLIB):
            title = name if peer == PLOTLY else f"{name}, beside a PNG"
            if peer in times:
                yield judged(title, times[KIT], peer=peer, ratio=times[peer] / times[KIT], least_ratio=1)
            else:
                yield Line(title, times[KIT], peer=peer, note="matplotlib is not installed")
