"""What ipywidgets leave out for those who use a keyboard or a screen reader."""

from __future__ import annotations

from typing import Any

import anywidget
import traitlets

from d20kit.language import current_language
from d20widgets.follower import source


class Access(anywidget.AnyWidget):
    """Unseen child of an explorer: names its handles, says refusals aloud, keeps arrow keys from Lab's command mode."""

    _esm = traitlets.Unicode(source("parts.js", "access.js")).tag(sync=True)
    title = traitlets.Unicode().tag(sync=True)
    language = traitlets.Unicode().tag(sync=True)

    def __init__(self, **traits: Any) -> None:
        super().__init__(**traits, _dom_classes=["d20-access"])

    def renew(self, title: str) -> None:
        """Send the explorer's name, and the language in which it speaks."""
        with self.hold_sync():
            self.title, self.language = title, current_language()
