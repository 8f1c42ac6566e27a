"""The one picture widget."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

import ipywidgets
import traitlets

from d20kit.check import refuse
from d20kit.language import _
from d20widgets.follower import Follower, script
from d20widgets.library import library, send_library

# A page gets 1.2 MB of library from each kernel once; what an explorer may add for its table of frames stays far below
# that.
MOST_FRAMES = 400


def put(figure: Any, path: str, value: Any) -> None:
    """Put a value into a figure at a path such as ``"data.1.x"``.

    >>> figure = {"data": [{"x": [1]}], "layout": {}}
    >>> put(figure, "data.0.x", [2])
    >>> figure["data"][0]["x"]
    [2]
    """
    *keys, last = path.split(".")
    for key in keys:
        figure = figure[int(key) if isinstance(figure, list) else key]
    figure[last] = value


class Chart(Follower):
    """A plotly figure of bars and scatter traces that a slider moves in the browser.

    Frames are sent once; moving the slider looks one up, puts its values into the figure and redraws the traces they
    belong to, without the kernel. The figure takes the light or dark colours of the page and the width of its cell;
    its axes need fixed ranges, for nothing but traces is redrawn.

    Parameters
    ----------
    slider : ipywidgets.IntSlider
        The slider whose position chooses the frame.
    **traits
        What else an ipywidget may be given, such as a layout that it shares.

    Examples
    --------
    >>> import ipywidgets
    >>> chart = Chart(ipywidgets.IntSlider(value=1, min=0, max=2))
    >>> chart.show({"data": [{"type": "bar", "x": ["hit"], "y": [0]}], "layout": {}},
    ...            [{"label": f"{n} hits", "data.0.y": [n]} for n in range(3)], first=0)
    >>> chart.at(1)["data"][0]["y"]
    [1]
    """

    _esm = traitlets.Unicode(script("quick", "layers", "loading", "chart")).tag(sync=True)
    figure: Any = traitlets.Dict({"data": [], "layout": {"height": 400}}).tag(sync=True)
    paths: Any = traitlets.List().tag(sync=True)
    trouble = traitlets.Unicode().tag(sync=True)

    def __init__(self, slider: ipywidgets.Widget, **traits: Any) -> None:
        send_library()
        super().__init__(slider, **traits)
        self.on_msg(_answer)

    def show(self, figure: Any, frames: Sequence[Mapping[str, Any]], first: int) -> None:  # type: ignore[override]
        """Send a figure and its frames, in one message.

        Parameters
        ----------
        figure : plotly.graph_objects.Figure or dict
            What is drawn, less what the frames put into it.
        frames : sequence of mappings
            One for each position of the slider: path in the figure to value, the same paths in each, and under
            ``"label"`` the words that stand for the picture. Lists must be plain lists of numbers and strings.
        first : int
            The slider's position that shows the first frame.

        Raises
        ------
        ValueError
            If there are no frames or too many, or they do not put values at the same paths.
        """
        if not 1 <= len(frames) <= MOST_FRAMES:
            raise refuse("frames", len(frames), _("1 to {most} frames").format(most=MOST_FRAMES))
        paths = [path for path in frames[0] if path != "label"]
        if any(set(frame) != {"label", *paths} for frame in frames):
            raise refuse("frames", frames[0], _("mappings with a label and the same paths in each"))
        elsewhere = [path for path in paths if not path.startswith("data.")]
        if elsewhere:
            raise refuse("path", elsewhere[0], _("a path into a trace, such as 'data.0.x'"))
        with self.hold_sync():
            self.trouble = _("The picture could not be loaded yet. Run this cell again; the sentence says the same.")
            self.figure = _plain(figure)
            self.paths = paths
            super().show(
                [{"label": frame["label"], "values": [frame[path] for path in paths]} for frame in frames], first
            )

    def at(self, position: int) -> dict[str, Any]:
        """Return the figure as it is drawn at a position of the slider, as a dict for ``plotly.graph_objects``."""
        figure: dict[str, Any] = copy.deepcopy(self.figure)
        for path, value in zip(self.paths, self.frames[position - self.first]["values"], strict=True):
            put(figure, path, value)
        return figure


def _answer(chart: Chart, message: Any, _buffers: Any) -> None:
    if isinstance(message, dict) and message.get("kind") == "plotly":
        chart.send({"kind": "plotly"}, [library()])


def _plain(figure: Any) -> dict[str, Any]:
    """A figure as a dict with a height, less its template: the page's theme takes that place."""
    given = figure if isinstance(figure, Mapping) else figure.to_plotly_json()
    layout = {key: value for key, value in given["layout"].items() if key != "template"}
    return {"data": list(given["data"]), "layout": {"height": 400, **layout}}
