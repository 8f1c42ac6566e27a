"""What the scripts do on a page: drawn by a real Chromium, without a notebook around them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Page

from d20kit import SRD35
from d20widgets import AttackExplorer, HitPointExplorer
from d20widgets.access import Access
from d20widgets.chart import Chart
from d20widgets.explorer import Explorer
from tests.widgets.every import EXPLORERS, NARROWEST, chart_state, other

BOXES = """() => {
  const boxes = (wanted) => [...document.querySelectorAll(wanted)].filter((node) => node.textContent).map((node) => {
    const { left, right, top, bottom } = node.getBoundingClientRect();
    return { text: node.textContent, left, right, top, bottom };
  });
  return { faces: boxes(".d20-front .textpoint text"), ticks: boxes(".d20-back .x2tick text"),
    name: boxes(".d20-back .x2title"), legend: boxes(".d20-back .legendtext"),
    marks: boxes(".d20-live .textpoint text"),
    everyTick: boxes(".d20-back .xtick text, .d20-back .x2tick text, .d20-back .x3tick text"),
    everyName: boxes(".d20-back .xtitle, .d20-back .x2title, .d20-back .x3title"),
    right: document.querySelector(".d20-chart").getBoundingClientRect().right };
}"""
TYPED = """() => {
  const box = document.querySelector("input");
  return ["12.5", "-3.9", "7", ""].map((typed) => {
    box.value = typed;
    box.dispatchEvent(new Event("change", { bubbles: true }));
    return box.value;
  });
}"""
REFUSED = """() => {
  const control = document.createElement("div");
  control.className = "d20-control";
  control.innerHTML = '<input type="text"><div class="d20-error">dice is 2x</div>';
  document.querySelector(".d20-controls").append(control);
}"""


@pytest.fixture
def drawn(show: Callable[..., Page]) -> Callable[..., dict[str, Any]]:
    """Draw an explorer's picture and tell where its words are."""

    def boxes(explorer: Explorer, width: int = NARROWEST) -> dict[str, Any]:
        state, position = chart_state(explorer), explorer.values[explorer.main]
        page = show(Chart._esm.default_value, state, width, slider=position)
        explorer.close()
        page.wait_for_selector(".d20-live svg", state="attached")
        return page.evaluate(BOXES)  # type: ignore[no-any-return]

    return boxes


def apart(words: list[dict[str, Any]], space: float) -> bool:
    """Whether there is so much space between each of some words on a line and the next."""
    return all(one["right"] + space <= other["left"] for one, other in pairwise(words))


def test_faces_of_the_die_stay_apart(drawn: Callable[..., dict[str, Any]]) -> None:
    """In a narrow window twenty numbers must not run together into one."""
    faces = drawn(AttackExplorer())["faces"]
    assert [face["text"] for face in faces] == [str(face) for face in range(1, 21)]
    assert apart(faces, space=3)


@pytest.mark.parametrize(
    ("explorer", "settings"), [(AttackExplorer, {}), (HitPointExplorer, {"rules": SRD35, "rounds": 15})]
)
def test_the_axis_s_name_has_a_line_of_its_own(
    drawn: Callable[..., dict[str, Any]], explorer: type[Explorer], settings: dict[str, Any]
) -> None:
    """Between the ticks it reads as one of them, and in the legend as a thing that is drawn."""
    boxes = drawn(explorer(**settings))
    (name,) = boxes["name"]
    assert len(boxes["ticks"]) > 3
    assert len({word["top"] for word in boxes["legend"]}) == 2
    assert max(tick["bottom"] for tick in boxes["ticks"]) <= name["top"] + 2
    assert name["bottom"] <= min(word["top"] for word in boxes["legend"]) + 2


@pytest.mark.parametrize("ac", [7, 27, 28, 32, 45])
def test_words_at_the_mark_stay_in_the_picture(drawn: Callable[..., dict[str, Any]], ac: int) -> None:
    """Where an attack meets another armor class the mark says so, wherever on the axis it stands."""
    boxes = drawn(AttackExplorer(ac=ac, armor=3, dexterity=2, touch=True, flat_footed=True))
    (mark,) = (mark for mark in boxes["marks"] if "AC against this attack" in mark["text"])
    assert mark["text"].endswith(f"AC against this attack: {ac - 5}")
    assert mark["left"] >= 0
    assert mark["right"] <= boxes["right"]


def test_a_number_box_shows_what_is_computed_with(show: Callable[..., Page]) -> None:
    """A box that says 12.5 while everything else says 12 makes a learner doubt the rule."""
    page = show(Access._esm.default_value, {"title": "Attack roll", "language": "en"})
    page.wait_for_selector(".d20-explorer[role=group]")
    assert page.evaluate(TYPED) == ["12", "-3", "7", ""]


def test_a_refusal_is_said_aloud_once(show: Callable[..., Page]) -> None:
    """Whoever does not see the sentence beside the box would think that the text was taken."""
    page = show(Access._esm.default_value, {"title": "Attack roll", "language": "en"})
    page.wait_for_selector(".d20-explorer[role=group]")
    page.evaluate(REFUSED)
    page.wait_for_selector(".d20-told.d20-unseen:text-is('dice is 2x')", state="attached")
    box = page.locator("input[type=text]")
    assert box.get_attribute("aria-invalid") == "true"
    assert page.locator(f"#{box.get_attribute('aria-describedby')}").text_content() == "dice is 2x"
    page.evaluate("document.querySelector('.d20-told').textContent = ''")
    page.evaluate("model.fire('change:title')")
    page.wait_for_timeout(300)
    assert page.locator(".d20-told").text_content() == ""


@pytest.mark.parametrize("kind", EXPLORERS)
def test_a_legend_of_many_lines_stays_off_the_axis(drawn: Callable[..., dict[str, Any]], kind: type[Explorer]) -> None:
    """In a narrow cell the legend grows downwards, and the picture with it."""
    boxes = drawn(kind(), width=400)
    above = [*boxes["everyTick"], *boxes["everyName"]]
    assert max(word["bottom"] for word in above) <= min(word["top"] for word in boxes["legend"]) + 1


# Plotly numbers its patterns and clips anew for each graph.
DRAWN = """() => document.querySelector(".d20-live .main-svg").outerHTML.replaceAll(/(id|clip-path|fill)="[^"]*"/g, "")
  .replaceAll(/fill: url[^;]*;/g, "")"""


# Counts how often plotly draws a whole figure.
COUNT = """() => {
  const { react } = Plotly;
  globalThis.reacted = 0;
  Plotly.react = (...given) => { globalThis.reacted += 1; return react(...given); };
}"""
NEXT_FRAME = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


@pytest.mark.parametrize("kind", EXPLORERS)
def test_a_quick_redraw_draws_what_plotly_would(show: Callable[..., Page], kind: type[Explorer]) -> None:
    """While the slider moves only the traces are drawn anew: to the last point as if the whole figure were."""
    explorer = kind()
    state, first = chart_state(explorer), explorer.chart.first
    last = first + len(explorer.chart.frames) - 1
    page = show(Chart._esm.default_value, state, 700, slider=explorer.values[explorer.main])
    explorer.close()
    page.wait_for_selector(".d20-live svg", state="attached")
    page.evaluate(COUNT)
    before = page.evaluate(DRAWN)
    for count, place in enumerate((first, (first + last) // 2, last, first + 1), start=1):
        page.evaluate("(place) => models.slider.set('value', place)", place)
        page.evaluate(NEXT_FRAME)
        quick = page.evaluate(DRAWN)
        assert quick != before
        assert page.evaluate("reacted") == (count - 1 if is_quick(state["paths"]) else count)
        page.wait_for_timeout(600)
        assert page.evaluate("reacted") == count
        assert page.evaluate(DRAWN) == quick
        before = quick


def is_quick(paths: list[str]) -> bool:
    """Whether frames change only what a quick redraw knows."""
    known = {"x", "x0", "y", "text", "hovertext", "textposition", "base", "offset", "width"}
    known |= {"marker.symbol"}
    return {path.split(".", 2)[2] for path in paths} <= known


NEXT_TABLE = """(state) => {
  Object.assign(models.own.state, state);
  models.own.fire("change:figure");
}"""


@pytest.mark.parametrize("kind", EXPLORERS)
def test_another_table_is_drawn_as_on_a_new_page(show: Callable[..., Page], kind: type[Explorer]) -> None:
    """Where a control changes little only that is drawn anew, and nothing of the table before is left."""
    tables = walked(kind())
    new = [look(on_page(show, table)) for table in tables]
    page = on_page(show, tables[0])
    for table, wanted in zip(tables[1:], new[1:], strict=True):
        page.evaluate(NEXT_TABLE, table)
        page.evaluate(NEXT_FRAME)
        assert look(page) == wanted


@pytest.mark.parametrize("kind", [AttackExplorer, HitPointExplorer])
def test_a_step_of_a_slider_needs_no_new_figure(show: Callable[..., Page], kind: type[Explorer]) -> None:
    """Other numbers on the same axes, or the same axes grown by one, are drawn in a third of the time of a figure."""
    before, after = walked(kind())[:2]
    page = on_page(show, before)
    page.evaluate(COUNT)
    page.evaluate(NEXT_TABLE, after)
    page.evaluate(NEXT_FRAME)
    assert page.evaluate("reacted") == 0


def walked(explorer: Explorer) -> list[dict[str, Any]]:
    """The tables of some random examples, with one step of another slider after each; the main one keeps its place."""
    start = explorer.values[explorer.main]
    tables = []
    for seed in range(2):
        explorer.random(seed)
        tables.append(chart_state(explorer))
        explorer.move(**dict([other(explorer)]))
        tables.append(chart_state(explorer))
    explorer.close()
    return [{**table, "first": start - len(table["frames"]) // 2} for table in tables]


def on_page(show: Callable[..., Page], table: dict[str, Any]) -> Page:
    """Draw a table on a new page, the slider at its middle."""
    page = show(Chart._esm.default_value, table, 700, slider=table["first"] + len(table["frames"]) // 2)
    page.wait_for_selector(".d20-live svg", state="attached")
    return page


def look(page: Page) -> bytes:
    """All three layers as they are seen."""
    return page.locator(".d20-chart").screenshot()
