"""The two lines of words under a picture: a sentence that is also read aloud, and a formula."""

from __future__ import annotations

import traitlets

from d20widgets.follower import Follower, script


class Sentence(Follower):
    """The summary, in the explorer's one live region. Frames are plain text and are shown literally."""

    _esm = traitlets.Unicode(script("sentence")).tag(sync=True)


class Formula(Follower):
    """The formula with the numbers in it. Frames are MathML made by :mod:`d20widgets.mathml`."""

    _esm = traitlets.Unicode(script("formula")).tag(sync=True)
