"""Tables behind a disclosure: asked for when it is open, and sent once where they are the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.widgets.every import EXPLORERS, Doubling, detail_of


class Counted(Doubling):
    """Counts how often it is asked for its tables."""

    calls = 0

    def detail(self, numbers: Any) -> Any:
        """The tables, counted."""
        type(self).calls += 1
        return super().detail(numbers)


class Plain(Doubling):
    """An explorer with no detail."""

    detail_title = ""


@pytest.fixture
def explorer() -> Iterator[Counted]:
    """An explorer with a detail, closed afterwards."""
    Counted.calls = 0
    made = Counted()
    yield made
    made.close()


def test_nothing_is_computed_while_it_is_closed(explorer: Counted) -> None:
    """A matrix for every position is work that most readers never need."""
    explorer.move(twice=True)
    assert Counted.calls == 0
    assert detail_of(explorer).frames == []
    assert detail_of(explorer).title == "In detail"


def test_opening_brings_the_tables_of_every_position(explorer: Counted) -> None:
    """The browser looks them up by position, like the picture."""
    box = detail_of(explorer)
    box.opened = True
    assert box.first == explorer.chart.first
    assert [box.tables[place][0]["rows"] for place in box.frames] == [[["low"]]] * 5 + [[["high"]]] * 5


def test_equal_tables_are_sent_once(explorer: Counted) -> None:
    """A matrix that is the same at eighty positions would weigh eighty times as much."""
    detail_of(explorer).opened = True
    assert len(detail_of(explorer).tables) == 2


def test_texts_stay_texts(explorer: Counted) -> None:
    """The page gets them as they are and sets them as text."""
    detail_of(explorer).opened = True
    first, second = detail_of(explorer).tables[0]
    assert first["caption"] == "<b>low or high</b>"
    assert second["rows"] == [["<script>"]]


def test_a_move_renews_what_is_open_and_forgets_what_is_closed(explorer: Counted) -> None:
    """A table of the values before would be read as one of the values now."""
    detail_of(explorer).opened = True
    before = Counted.calls
    explorer.move(twice=True)
    assert Counted.calls == 2 * before
    assert detail_of(explorer).tables[detail_of(explorer).frames[2]][0]["rows"] == [["high"]]
    detail_of(explorer).opened = False
    assert detail_of(explorer).frames == []
    explorer.move(more=4)
    assert Counted.calls == 2 * before


def test_an_explorer_without_a_detail_has_none() -> None:
    """An empty disclosure would promise something."""
    explorer = Plain()
    assert explorer.detail_box is None
    explorer.close()


@pytest.mark.parametrize("kind", [kind for kind in EXPLORERS if kind.detail_title])
def test_every_table_is_whole(kind: Any) -> None:
    """Each row has a cell for each column, all of them texts, or a reader looks under the wrong head."""
    explorer = kind()
    detail_of(explorer).opened = True
    assert len(detail_of(explorer).frames) == len(explorer.chart.frames)
    for tables in detail_of(explorer).tables:
        assert tables
        for table in tables:
            assert table["caption"]
            assert {len(row) for row in table["rows"]} == {len(table["head"])}
            assert all(isinstance(text, str) for row in [table["head"], *table["rows"]] for text in row)
    explorer.close()
