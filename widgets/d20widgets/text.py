"""The two lines of words under a picture: a sentence that is also read aloud, and a formula."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import traitlets

from d20widgets.follower import Follower, script
from d20widgets.unbroken import unbroken


class Sentence(Follower):
    """The summary, in the explorer's one live region. Frames are plain text and are shown literally."""

    _esm = traitlets.Unicode(script("sentence")).tag(sync=True)

    def show(self, frames: Sequence[Any], first: int) -> None:
        """Send the sentences, in one message."""
        super().show([unbroken(sentence) for sentence in frames], first)


class Formula(Follower):
    """The formula with the numbers in it. Frames are MathML made by :mod:`d20widgets.mathml`."""

    _esm = traitlets.Unicode(script("formula")).tag(sync=True)
