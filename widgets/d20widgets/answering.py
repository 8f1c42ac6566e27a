"""How the kernel answers a button that the browser draws: by sentences, and by nothing that can fail silently."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from d20kit.language import _

Said = dict[str, str]


def answer(widget: Any, message: Any, do: Callable[[dict[str, Any]], Said]) -> None:
    """Answer a page's request by what ``do`` returns, or by the sentence with which it refuses.

    Parameters
    ----------
    widget : anywidget.AnyWidget
        Whose page asks.
    message : object
        What came from the page; what is no request is passed by.
    do : callable
        Takes what the request holds besides its number.
    """
    if not isinstance(message, dict) or "request" not in message:
        return
    given = {name: value for name, value in message.items() if name != "request"}
    try:
        said = do(given)
    except ValueError as error:
        said = {"refused": str(error)}
    widget.send({**said, "request": message["request"]})


def silence() -> str:
    """Return the sentence for a button that the kernel does not answer."""
    return _("No answer from the kernel: it is busy or gone. If it is gone, run the cell again.")
