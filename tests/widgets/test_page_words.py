"""Where the words of every picture stand on a page: inside it, off each other and off the curves, in both languages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from d20kit import language
from d20widgets import ArmorClassExplorer, DiceExplorer, mathml
from d20widgets.chart import Chart
from d20widgets.detail import Detail
from d20widgets.explorer import Explorer
from d20widgets.text import Formula
from tests.catalogue import compile_catalogue
from tests.widgets.every import EXPLORERS, NARROWEST, chart_state

# Pixels of a cell: in half a window, and in a whole one.
NARROW, WIDE = 400, 1000
# The widest letters that a page of JupyterLab has, where its machine has one of these fonts.
WIDEST = """(fonts) => {
  document.body.style.setProperty("--jp-ui-font-family", fonts);
  document.body.dataset.jpThemeName = "wide";
  return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50))));
}"""
FONTS = '"DejaVu Sans", Verdana, system-ui'

# The words with their places; what lies within the pictures' bars and on the faces of dice belongs to them.
WORDS = """() => {
  const box = (node) => {
    const { left, right, top, bottom } = node.getBoundingClientRect();
    return { text: node.textContent, left, right, top, bottom };
  };
  const boxes = (wanted) => [...document.querySelectorAll(wanted)].filter((one) => one.textContent.trim()).map(box);
  const axes = [1, 2, 3, 4, 5, 6].map((n) => (n === 1 ? "" : n));
  const back = (kind) => axes.map((n) => `.d20-back .${kind.replace("*", n)}`).join(", ");
  return {
    chart: box(document.querySelector(".d20-chart")),
    headings: boxes(".d20-back .annotation-text"),
    axes: boxes([back("x*tick text"), back("y*tick text"), back("x*title"), back("y*title")].join(", ")),
    legend: boxes(".d20-back .legendtext"),
    live: boxes(".d20-live .textpoint text"),
    bars: [...document.querySelectorAll(".d20-live .bars .point path")].map(box),
    curves: [...document.querySelectorAll(".d20-back .x2y2 .scatterlayer .js-line")].map(box),
  };
}"""


@pytest.fixture(params=["en", "id"])
def spoken(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Each language, Indonesian from a catalogue compiled for the test."""
    before = language.current_language()
    with monkeypatch.context() as patched:
        patched.setattr(language, "_LOCALE", compile_catalogue(tmp_path))
        yield language.set_language(request.param)
    language.set_language(before)


@pytest.fixture
def words(show: Callable[..., Page]) -> Callable[..., dict[str, Any]]:
    """Draw an explorer's picture at a position and tell where its words are."""

    def placed(explorer: Explorer, width: int = NARROWEST, position: int | None = None) -> dict[str, Any]:
        at = explorer.values[explorer.main] if position is None else position
        page = show(Chart._esm.default_value, chart_state(explorer), width, slider=at)
        explorer.close()
        page.wait_for_selector(".d20-live svg", state="attached")
        page.evaluate(WIDEST, FONTS)
        return page.evaluate(WORDS)  # type: ignore[no-any-return]

    return placed


def lie_on_each_other(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether two words share more than the space around their letters."""
    across = min(one["right"], other["right"]) - max(one["left"], other["left"])
    down = min(one["bottom"], other["bottom"]) - max(one["top"], other["top"])
    return bool(across > 1 and down > 4)


@pytest.mark.parametrize("width", [NARROW, WIDE])
@pytest.mark.parametrize("kind", EXPLORERS)
def test_no_word_is_cut_or_covered(
    words: Callable[..., dict[str, Any]], spoken: str, kind: type[Explorer], width: int
) -> None:
    """A heading that loses its end at the edge, or lies on another, is read as something else."""
    found = words(kind(), width)
    still = [*found["headings"], *found["axes"], *found["legend"]]
    chart = found["chart"]
    assert len(still) > 5
    assert [one for one in still if one["left"] < chart["left"] or one["right"] > chart["right"]] == []
    assert [pair for pair in combinations(still, 2) if lie_on_each_other(*pair)] == []


@pytest.mark.parametrize("kind", EXPLORERS)
def test_the_legend_stands_close_below_the_axis(words: Callable[..., dict[str, Any]], kind: type[Explorer]) -> None:
    """In a wide window a legend of one line must not stand alone below empty space."""
    found = words(kind(), WIDE)
    lowest = max(one["bottom"] for one in found["axes"])
    assert min(one["top"] for one in found["legend"]) - lowest < 45


@pytest.mark.parametrize(
    ("dice", "target"), [("2d6", 2), ("2d6", 7), ("2d6", 12), ("1d20", 1), ("1d20", 11), ("1d20", 20), ("3d100", 298)]
)
def test_chances_of_the_target_stand_above_the_curves(
    words: Callable[..., dict[str, Any]], spoken: str, dice: str, target: int
) -> None:
    """Two curves cross where the words are wanted most: on them no number could be read."""
    found = words(DiceExplorer(dice=dice), position=target)
    assert len(found["curves"]) == len(found["live"]) == 2
    assert max(one["bottom"] for one in found["live"]) <= min(one["top"] for one in found["curves"])
    assert min(one["left"] for one in found["live"]) >= found["chart"]["left"]
    assert max(one["right"] for one in found["live"]) <= found["chart"]["right"]
    assert not lie_on_each_other(*found["live"])


def test_names_of_armor_classes_stand_beside_their_bars(words: Callable[..., dict[str, Any]]) -> None:
    """A name between two rows belongs to neither."""
    found = words(ArmorClassExplorer())
    (name,) = (
        one for one in found["axes"][:14] if one["text"] == "touch" and one["top"] < found["chart"]["bottom"] / 2
    )
    middle = (name["top"] + name["bottom"]) / 2
    assert [bar for bar in found["bars"] if abs((bar["top"] + bar["bottom"]) / 2 - middle) < 3]


def test_words_below_a_formula_stand_on_one_line(show: Callable[..., Page]) -> None:
    """Names with and without tall letters, below numbers and below parentheses, must not dance up and down."""
    explorer = ArmorClassExplorer()
    markup = explorer.formula(explorer.numbers(explorer.values))
    page = show(Formula._esm.default_value, {"frames": [markup], "first": 0})
    explorer.close()
    lower = page.eval_on_selector_all(
        "munder mtext", "(all) => all.map((one) => one.parentElement.getBoundingClientRect().bottom)"
    )
    assert len(lower) == 5
    assert max(lower) - min(lower) < 2


def test_a_formula_that_is_too_wide_is_scrolled_by_keyboard(show: Callable[..., Page]) -> None:
    """Lab's command mode would take the arrow keys for a move to another cell."""
    markup = mathml.formula(*[mathml.number(12345)] * 60)
    page = show(Formula._esm.default_value, {"frames": [markup], "first": 0})
    line = page.wait_for_selector("#view .d20-formula[tabindex='0']")
    assert line is not None
    assert line.get_attribute("data-lm-suppress-shortcuts") == "true"


def test_a_caption_is_as_wide_as_its_words(show: Callable[..., Page]) -> None:
    """A narrow table must not break its caption into a column of words, nor a long caption leave the cell."""
    captions = ["Orders of the party, likeliest first", "Orders of the party " * 10]
    tables = [{"caption": caption, "head": ["a"], "rows": [["1"]]} for caption in captions]
    state = {"title": "In detail", "opened": True, "tables": [tables], "frames": [0], "first": 0, "silent": ""}
    page = show(Detail._esm.default_value, state)
    page.evaluate("document.getElementById('view').classList.add('d20-detail')")
    page.wait_for_selector("caption")
    short, long = page.locator("caption").all()
    line = short.evaluate("(node) => node.getBoundingClientRect().height")
    assert line < 1.9 * short.evaluate("(node) => parseFloat(getComputedStyle(node).fontSize)")
    assert long.evaluate("(node) => node.getBoundingClientRect().height") > 1.5 * line
    assert long.evaluate("(node) => node.getBoundingClientRect().right") <= NARROWEST
