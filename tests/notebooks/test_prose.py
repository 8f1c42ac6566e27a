"""Prose in which a number keeps what belongs to it, and Markdown stays what it was."""

from __future__ import annotations

import re

import pytest

from notebooks import lesson
from notebooks.prose import bound

MARKUP = re.compile(r"```.*?```|`[^`]*`|\$[^$]*\$|\]\([^)]*\)|^ *(?:[-*+>]|\d+\.|#+) ", flags=re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize(
    ("markdown", "shown"),
    [
        ("with 95 % against AC 15", "with 95_% against AC_15"),
        ("against AC\n15", "against AC_15"),
        ("- against AC\n  15", "- against AC_15"),
        ("- 20 hits\n- 1 misses", "- 20 hits\n- 1 misses"),
        ("1. 20 pairs of 400", "1. 20_pairs of_400"),
        ("`AC 15` and $2 + 3$", "`AC 15` and $2 + 3$"),
        ("the sum =\n\n5 of 6", "the sum =\n\n5_of_6"),
    ],
)
def test_numbers_are_bound_and_markup_is_not(markdown: str, shown: str) -> None:
    """A no-break space in code, in mathematics or behind a bullet is another code, and no list."""
    assert bound(markdown).replace("\N{NO-BREAK SPACE}", "_") == shown


@pytest.mark.parametrize("name", lesson.names())
def test_lessons_say_the_same(name: str) -> None:
    """Only spaces change, and none of them in what Markdown takes for markup."""
    for block in lesson.load(name).blocks:
        if block.language:
            after = bound(block.text)
            assert after.split() == block.text.split()
            assert MARKUP.findall(after) == MARKUP.findall(block.text)
