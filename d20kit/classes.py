"""The classes of one character: how each of them gains, and its level."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from d20kit.check import members, one_of, one_whole, refuse
from d20kit.language import _

MAX_LEVEL = 1000


def class_levels(classes: Any, progressions: Sequence[str]) -> list[tuple[str, int]]:
    """Accept an iterable of pairs of a progression and a level.

    >>> class_levels([("good", 5), ("poor", 3.0)], ("good", "poor"))
    [('good', 5), ('poor', 3)]
    """
    allowed, fix = _("a list of pairs of a progression and a level"), 'classes=[("good", 5), ("poor", 3)]'
    one_allowed = _("a pair of a progression and a level")
    found = []
    for place, pair in enumerate(members("classes", classes, allowed, fix)):
        name = f"classes[{place}]"
        both = members(name, pair, one_allowed, fix)
        if len(both) != 2:
            raise refuse(name, pair, one_allowed, fix)
        found.append((one_of(name, both[0], progressions), one_whole(name, both[1], 0, MAX_LEVEL)))
    return found
