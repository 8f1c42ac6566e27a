"""What the scripts do on a page: drawn by a real Chromium, without a notebook around them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, sync_playwright

from d20kit import SRD35
from d20kit.launch.browser import find_chromium
from d20widgets import AttackExplorer, HitPointExplorer
from d20widgets.access import Access
from d20widgets.chart import Chart
from d20widgets.explorer import Explorer
from d20widgets.follower import STATIC, STYLE

CHROMIUM = find_chromium()
NARROWEST = 450
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium found: what scripts do on a page is not tested")

# A model as anywidget hands it over, less the messages; the page's library is there already.
PAGE = """<!doctype html><meta charset="utf-8"><style>{style} body {{ width: {width}px; margin: 0 }}</style>
<div class="d20-explorer"><div class="d20-controls"><input type="number"></div><div id="view"></div></div>
<script src="{library}"></script>
<script type="module">
const state = {state};
const slider = {{ get: () => state.position, on() {{}}, off() {{}} }};
const model = {{
  get: (name) => state[name], on() {{}}, off() {{}}, send() {{}},
  widget_manager: {{ get_model: async () => slider }},
}};
globalThis.__d20kit_plotly = {{ asked: 0, ready: Promise.resolve(globalThis.Plotly) }};
const script = new Blob([{script}], {{ type: "text/javascript" }});
const {{ default: widget }} = await import(URL.createObjectURL(script));
widget.render({{ model, el: document.getElementById("view") }});
document.body.dataset.rendered = true;
</script>"""
BOXES = """() => {
  const boxes = (wanted) => [...document.querySelectorAll(wanted)].filter((node) => node.textContent).map((node) => {
    const { left, right, top, bottom } = node.getBoundingClientRect();
    return { text: node.textContent, left, right, top, bottom };
  });
  return { faces: boxes(".d20-front .textpoint text"), ticks: boxes(".d20-back .x2tick text"),
    name: boxes(".d20-back .x2title"), legend: boxes(".d20-back .legendtext"),
    marks: boxes(".d20-live .textpoint text"),
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


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    """A page of a Chromium; a module's, for playwright's event loop must not outlive the tests here."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--disable-gpu"])
        yield browser.new_page()
        browser.close()


@pytest.fixture
def show(page: Page, tmp_path: Path) -> Callable[..., Page]:
    """Render a widget's view on a page as narrow as a window with Lab's file browser leaves it."""

    def shown(script: str, state: dict[str, Any]) -> Page:
        words = {"library": (STATIC / "plotly-cartesian.min.js").as_uri(), "style": STYLE}
        embedded = {"state": json.dumps(state), "script": json.dumps(script)}
        file = tmp_path / "page.html"
        file.write_text(PAGE.format(width=NARROWEST, **words, **embedded), encoding="utf-8")
        page.goto(file.as_uri())
        return page

    return shown


@pytest.fixture
def drawn(show: Callable[..., Page]) -> Callable[..., dict[str, Any]]:
    """Draw an explorer's picture and tell where its words are."""

    def boxes(explorer: Explorer) -> dict[str, Any]:
        chart = explorer.chart
        state = {name: getattr(chart, name) for name in ("figure", "paths", "frames", "first", "trouble")}
        place = {"slider": "IPY_MODEL_1", "position": explorer.values[explorer.main]}
        page = show(Chart._esm.default_value, {**state, **place})
        explorer.close()
        page.wait_for_selector(".d20-front svg", state="attached")
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
    (mark,) = boxes["marks"]
    assert mark["text"].endswith(f"AC against this attack: {ac - 5}")
    assert mark["left"] >= 0
    assert mark["right"] <= boxes["right"]


def test_a_number_box_shows_what_is_computed_with(show: Callable[..., Page]) -> None:
    """A box that says 12.5 while everything else says 12 makes a learner doubt the rule."""
    page = show(Access._esm.default_value, {"title": "Attack roll"})
    page.wait_for_selector(".d20-explorer[role=group]")
    assert page.evaluate(TYPED) == ["12", "-3", "7", ""]
