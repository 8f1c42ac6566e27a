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
    found = []
    for place, pair in enumerate(members("classes", classes, allowed, fix)):
        both = members(f"classes[{place}]", pair, _("a pair of a progression and a level"), fix)
        if len(both) != 2:
            raise refuse(f"classes[{place}]", pair, _("a pair of a progression and a level"), fix)
        progression = one_of(f"classes[{place}]", both[0], progressions)
        found.append((progression, one_whole(f"classes[{place}]", both[1], 0, MAX_LEVEL)))
    return found
