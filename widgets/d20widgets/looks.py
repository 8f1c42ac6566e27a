"""Layouts and styles that the controls of an explorer share."""

from __future__ import annotations

from typing import Any

import ipywidgets

LABEL = "10em"


class Looks:
    """The layouts and styles of one explorer's controls.

    Each is a message to the page and a model on it; of an explorer's widgets they would be the greater half. Widgets
    that look alike share one, as long as all of them are closed together.

    Examples
    --------
    >>> looks = Looks()
    >>> looks.of(ipywidgets.Checkbox, width="auto")["layout"] is looks.of(ipywidgets.Button, width="auto")["layout"]
    True
    """

    def __init__(self) -> None:
        self._held: dict[tuple[Any, ...], ipywidgets.Widget] = {}

    def of(self, kind: type[ipywidgets.DOMWidget], width: str | None = None, label: bool = False) -> dict[str, Any]:
        """Return the layout, and the style where such a widget has one, for its construction.

        Parameters
        ----------
        kind : type
            The class of the widget.
        width : str, optional
            How wide the widget is, in CSS; by default as the page has it.
        label : bool
            Whether the label before it is as wide as those of the other controls.
        """
        styled = kind.class_traits().get("style")
        traits = {"description_width": LABEL} if label else {}
        style = {} if styled is None else {"style": self._one(styled.klass, **traits)}
        return {"layout": self._one(ipywidgets.Layout, **({"width": width} if width else {})), **style}

    def _one(self, kind: type[ipywidgets.Widget], **traits: str) -> ipywidgets.Widget:
        key = (kind, *sorted(traits.items()))
        if key not in self._held:
            self._held[key] = kind(**traits)
        return self._held[key]
