"""What controls send to the page when they are set from the kernel, and which versions of states know them."""

from __future__ import annotations

from typing import Any

import pytest

from d20widgets import HitPointExplorer
from d20widgets.controls import Slider
from d20widgets.state import VERSION
from tests.widgets.every import EXPLORERS, SEEDS


@pytest.mark.parametrize("kind", EXPLORERS, ids=lambda kind: kind.__name__)
def test_the_ends_of_a_slider_come_before_its_value(kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page holds a value between the ends it knows, and tells the kernel: old ends would make another one of it."""
    sent: list[dict[str, Any]] = []
    monkeypatch.setattr(Slider, "_send", lambda _slider, message, buffers=None: sent.append(message["state"]))
    explorer = kind()
    for seed in SEEDS:
        explorer.random(seed)
    explorer.close()
    assert [[*state][-1] for state in sent if "value" in state] == ["value" for state in sent if "value" in state]
    if kind is HitPointExplorer:
        assert any({"max", "value"} <= state.keys() for state in sent)


@pytest.mark.parametrize("kind", EXPLORERS, ids=lambda kind: kind.__name__)
def test_no_control_is_newer_than_the_version_of_states(kind: Any) -> None:
    """The version says which values a state has: one that is not raised refuses the very states that it packs."""
    assert {control.name: control.since for control in kind.controls if not 1 <= control.since <= VERSION} == {}
