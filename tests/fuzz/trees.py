"""Data as files and states hold it, with slips: a value replaced, a key lost, misspelt or added, an item doubled."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from typing import Any

from hypothesis import strategies as st

from tests.fuzz import odd

Tree = Any
_HOW_MANY = st.sampled_from([0, 1, 1, 1, 1, 2, 3])


@st.composite
def slipped(
    draw: st.DrawFn, bases: Sequence[Tree], values: st.SearchStrategy[Any], keys: st.SearchStrategy[str]
) -> Tree:
    """A copy of one of the trees with some slips in it, or none; ``values`` and ``keys`` are what is put in."""
    tree = copy.deepcopy(bases[draw(st.integers(0, len(bases) - 1))])
    for _slip in range(draw(_HOW_MANY)):
        held = [*places(tree)]
        if not held:
            break
        parent, key = held[draw(st.integers(0, len(held) - 1))]
        _change(draw, parent, key, values, keys)
    return tree


def _change(
    draw: st.DrawFn, parent: Any, key: Any, values: st.SearchStrategy[Any], keys: st.SearchStrategy[str]
) -> None:
    kind = draw(st.integers(0, 7))
    if type(parent[key]) is int and kind < 4:
        parent[key] += draw(st.integers(-6, 6))
    elif kind < 5:
        parent[key] = copy.deepcopy(draw(values))  # a later slip may be inside it
    elif kind == 5:
        del parent[key]
    elif isinstance(parent, list):
        parent.insert(key, copy.deepcopy(parent[key]))
    elif kind == 6:
        parent[draw(keys)] = parent.pop(key)
    else:
        parent[draw(keys)] = copy.deepcopy(draw(values))


def places(tree: Tree) -> Iterator[tuple[Any, Any]]:
    """Yield every place of a tree: what holds it, and its key or number there.

    >>> [key for _holder, key in places({"a": [5], "b": 1})]
    ['a', 0, 'b']
    """
    items = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, value in items:
        yield tree, key
        yield from places(value)


def keys(known: list[str]) -> st.SearchStrategy[str]:
    """Known keys, known ones misspelt, and any text."""
    return st.one_of(st.sampled_from(known), odd.spoilt(st.sampled_from(known), 1), odd.texts)
