"""Whole numbers on their way to the page: it tells those beyond 2**53 not apart, and the static site sends none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from ipywidgets import Widget
from ipywidgets.widgets.widget import _instances

import d20widgets
from d20kit.battle import Encounter
from d20kit.randomness import LARGEST_SEED
from d20widgets import BattlePlayer, Quiz
from d20widgets.explorer import Explorer

EXACT = 2**53 - 1
KINDS: dict[str, Callable[[], Any]] = {
    **{
        name: kind
        for name in d20widgets.__all__
        if isinstance(kind := getattr(d20widgets, name), type) and issubclass(kind, Explorer)
    },
    "largest seed": lambda: BattlePlayer("duel", seed=LARGEST_SEED, what_if=[(5, None, LARGEST_SEED)]),
    "Quiz": lambda: Quiz("attack", seed=LARGEST_SEED),
    "a crowd": lambda: BattlePlayer(Encounter.ready("kobolds")),
}


def inexact(value: Any) -> Iterator[int]:
    """Every whole number in a message that a page would round."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        for one in value:
            yield from inexact(one)
    elif isinstance(value, int) and abs(value) > EXACT:
        yield value


@pytest.mark.parametrize("build", KINDS.values(), ids=KINDS)
def test_no_number_is_too_large_for_a_page(build: Callable[[], Any]) -> None:
    """One of them, sent by the kernel of the static site, and the whole widget stays away."""
    before: dict[str, Widget] = dict(_instances)
    shown = build()
    sent = {name: one.get_state() for name, one in _instances.items() if name not in before}
    assert sent
    assert not {name: found for name, state in sent.items() if (found := list(inexact(state)))}
    shown.close()


def test_a_seed_is_typed_to_the_last_digit() -> None:
    """A battle found among many thousand simulated ones has a seed of 63 bits; what is no seed is refused beside it."""
    player = BattlePlayer("duel", seed=1)
    box, error = player._fields["seed"].parts
    box.value = str(LARGEST_SEED)
    assert (player.values["seed"], player.state["values"]["seed"], error.value) == (LARGEST_SEED, LARGEST_SEED, "")
    for wrong in ("", "-1", "1.5", str(LARGEST_SEED + 1), "9" * 5000, "\N{SUPERSCRIPT TWO}", "seven"):
        box.value = wrong
        assert "seed" in error.value
        assert player.values["seed"] == LARGEST_SEED
    box.value = " 12 "
    assert (player.values["seed"], error.value) == (12, "")
    player.close()
