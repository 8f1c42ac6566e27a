"""What is fuzzed: where inputs come from, what must hold for each, and how a refusal has to look."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from pathlib import Path
from traceback import walk_tb
from typing import Any, NamedTuple

from hypothesis.strategies import SearchStrategy

import d20kit
import d20widgets

# More of a sentence than anybody reads; the longest ones list every creature of the bestiary.
LONGEST_REFUSAL = 3_000
_KIT = tuple(str(Path(str(module.__file__)).parent) for module in (d20kit, d20widgets))


class Target(NamedTuple):
    """Something that takes what a stranger gives it.

    ``check`` returns whether the input was accepted; it fails where a property does not hold, and passes on whatever
    exception is not documented.
    """

    name: str
    inputs: SearchStrategy[Any]
    check: Callable[[Any], bool]


def refused(error: ValueError, begins: str = "") -> bool:
    """Say that an input was refused, once it is sure that the kit itself did so, in a sentence of one line.

    ``begins`` is what the sentence names first: an argument, or a file.
    """
    frame, line = list(walk_tb(error.__traceback__))[-1]
    file = frame.f_code.co_filename
    raised = linecache.getline(file, line).strip().startswith("raise ")
    assert file.startswith(_KIT), f"not refused by the kit, but by {file}:{line}: {error}"
    assert raised, f"an error of Python's own at {file}:{line}: {error}"
    said = str(error)
    assert 8 <= len(said) <= LONGEST_REFUSAL, f"a refusal of {len(said)} characters"
    assert said.isprintable(), f"a refusal of several lines, or with hidden characters: {said!r}"
    assert said.startswith(begins), f"{begins!r} is not named: {said}"
    within = error.__context__
    if type(within) is ValueError and str(within) and said.endswith(str(within)):
        return refused(within)  # the same refusal, before the place was put in front of it
    return False
