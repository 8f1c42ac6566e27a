"""What a widget needs that stands in a cell by itself, with no explorer around it."""

from __future__ import annotations

import anywidget


class Alone(anywidget.AnyWidget):
    """A widget by itself, which frees its layout as well when it is closed."""

    def close(self) -> None:
        """Free the widget, in the kernel and on the page."""
        if self.comm is None:
            return
        self.layout.close()
        super().close()
        del self._repr_mimebundle_  # ipywidgets put None over it, which a notebook would then call
