"""Presenter mode: slides by heading, keys that lead, and a page that is afterwards as it was before."""

from __future__ import annotations

import gc
import json
import weakref
from pathlib import Path
from typing import Any

import ipywidgets
import pytest
from playwright.sync_api import Page

import d20kit
from d20kit import set_language
from d20widgets import present
from d20widgets.present import Presenter

# As a browser writes it again.
STYLE = "position: absolute; contain: strict; top: 32px; width: 400px; height: 200px;"
TALL = "<div style='height: 3000px'>long</div>"
# As JupyterLab has it around a notebook: boxes that hold what is in them, so that nothing could be larger than they.
CELLS = [
    "<div class='jp-Cell jp-MarkdownCell'><h1>One</h1></div>",
    "<div class='jp-Cell jp-CodeCell'><div class='jp-Cell-inputWrapper'><input id='code'></div>out</div>",
    "<div class='jp-Cell jp-MarkdownCell'><h2>Two</h2></div>",
    "<div class='jp-Cell jp-CodeCell' id='mine'><div id='view'></div><input id='slider' type='range'>"
    "<div class='d20-explorer' id='explorer' style='height: 200px'></div></div>",
    "<div class='jp-Cell jp-MarkdownCell'><h3>Two, continued</h3></div>",
    f"<div class='jp-Cell jp-MarkdownCell'><h2>Three</h2>{TALL}</div>",
    "<div class='jp-Cell jp-MarkdownCell'><h2>Four</h2></div>",
]
PAGE = """<!doctype html><meta charset="utf-8"><title>page</title>
<div style="contain: strict; width: 500px; height: 300px; overflow: hidden">
<div class="jp-NotebookPanel" style="{style}">
<div class="jp-Toolbar">tools</div><div class="jp-Notebook jp-mod-commandMode">
<div class="jp-WindowedPanel-outer" style="overflow: auto; height: 150px"><div class="jp-WindowedPanel-inner">
<div class="jp-WindowedPanel-viewport">{cells}</div></div></div></div></div></div>
<script type="module">
const heard = {{}};
const state = {state};
globalThis.lab = [];
document.addEventListener("keydown", (event) => globalThis.lab.push(event.key), true);
const model = {{
  get: (name) => state[name], set: (name, value) => (state[name] = value), save_changes() {{}},
  on: (name, does) => (heard[name] = does), off() {{}},
}};
globalThis.state = state;
globalThis.change = (name, value) => {{ state[name] = value; heard[`change:${{name}}`](); }};
globalThis.before = document.documentElement.outerHTML.length;
const script = new Blob([{script}], {{ type: "text/javascript" }});
const {{ default: widget }} = await import(URL.createObjectURL(script));
globalThis.close = widget.render({{ model, el: document.getElementById("view") }});
document.body.dataset.rendered = true;
</script>"""
SEEN = """() => [...document.querySelectorAll("h1, h2, h3")]
  .filter((one) => one.checkVisibility()).map((one) => one.textContent)"""
LEFT_BEHIND = """() => [
  document.querySelectorAll(".d20-off, .d20-presenting, .d20-bar, [popover], head style").length,
  document.querySelector(".jp-NotebookPanel").getAttribute("style"),
  "__d20kit_leave" in window,
]"""


@pytest.fixture
def page(page: Page, tmp_path: Path) -> Page:
    """A page with a notebook whose second slide has the button, presenting already."""
    presenter = present()
    state = {name: getattr(presenter, name) for name in ("style_sheet", "words", "on")}
    presenter.close()
    script = Presenter._esm.default_value
    file = tmp_path / "page.html"
    text = PAGE.format(cells="".join(CELLS), style=STYLE, state=json.dumps(state), script=json.dumps(script))
    file.write_text(text, encoding="utf-8")
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(file.as_uri())
    page.wait_for_selector(".d20-bar")
    return page


def told(page: Page) -> str:
    """Return what the live region says."""
    return page.locator(".d20-bar [role=status]").inner_text()


def test_it_says_its_keys_where_there_is_no_page() -> None:
    """A stored notebook shows the text: it must say what the cell would do."""
    presenter = present()
    assert repr(presenter).startswith("present(): PageDown")
    data, _metadata = presenter._repr_mimebundle_()
    assert presenter.summary in data["text/html"]
    assert data["application/vnd.jupyter.widget-view+json"]["model_id"] == presenter._model_id
    presenter.close()


def test_the_words_change_with_the_language(monkeypatch: pytest.MonkeyPatch) -> None:
    """An instructor speaks the language of the class, and so must the bar."""
    presenter = present()
    set_language("en")
    monkeypatch.setattr(d20kit.language._catalogue, "gettext", lambda message: f"<{message}>")
    presenter.redraw()
    assert presenter.words["leave"] == "<Leave>"
    presenter.close()


def test_a_closed_presenter_is_freed_and_can_still_be_shown() -> None:
    """The cell is run again before every class."""
    gc.collect()
    before = len(ipywidgets.widgets.widget._instances)
    presenter = present()
    trace = weakref.ref(presenter)
    presenter.close()
    presenter.close()
    data, _metadata = presenter._repr_mimebundle_()
    assert "text/plain" in data
    del presenter
    gc.collect()
    assert trace() is None
    assert len(ipywidgets.widgets.widget._instances) == before


def test_it_starts_where_its_button_is_and_fills_the_window(page: Page) -> None:
    """Whatever boxes the page has around the notebook, the slide is as large as the projector."""
    assert page.evaluate(SEEN) == ["Two", "Two, continued"]
    assert told(page) == "Slide 2 of 4"
    box = page.locator(".jp-NotebookPanel").bounding_box()
    assert box == {"x": 0, "y": 0, "width": 1280, "height": 800}
    for hidden in (".jp-Toolbar", ".jp-Cell-inputWrapper", ".d20-present"):
        assert not page.locator(hidden).first.is_visible()


def test_pictures_fill_the_screen(page: Page) -> None:
    """What is 200 px high in a cell must be seen from the last row."""
    page.wait_for_function("() => document.getElementById('explorer').getBoundingClientRect().height > 400")


@pytest.mark.parametrize(("forward", "back"), [("PageDown", "PageUp"), ("ArrowRight", "ArrowLeft")])
def test_one_key_leads_forward_and_back(page: Page, forward: str, back: str) -> None:
    """A remote control has two keys; a slide longer than the screen is read to its end first."""
    page.keyboard.press(forward)
    assert page.evaluate(SEEN) == ["Three"]
    pressed = 0
    while told(page) == "Slide 3 of 4":
        page.keyboard.press(forward)
        pressed += 1
    assert 3 < pressed < 8
    assert page.evaluate(SEEN) == ["Four"]
    page.keyboard.press(forward)
    assert told(page) == "Slide 4 of 4"
    page.keyboard.press(back)
    assert told(page) == "Slide 3 of 4"
    for _time in range(pressed + 2):
        page.keyboard.press(back)
    assert page.evaluate(SEEN) == ["One"]
    assert page.evaluate("globalThis.lab") == []


def test_tables_are_large_too(page: Page) -> None:
    """What explains a formula is read from the last row of a class; Lab writes tables in the letters of its menus."""
    page.add_style_tag(content=".jp-RenderedHTMLCommon table { font-size: 13px; }")
    table = "<div class='jp-RenderedHTMLCommon'><table><tr><td>formula</td></tr></table></div>"
    page.locator("#mine").evaluate("(cell, table) => cell.insertAdjacentHTML('beforeend', table)", table)
    assert page.locator("#mine td").evaluate("(one) => parseFloat(getComputedStyle(one).fontSize)") >= 20


def test_home_and_end_lead_to_the_first_and_the_last_slide(page: Page) -> None:
    """A question at the end often leads back to the beginning, and nobody wants to press a key eleven times."""
    page.locator("#slider").focus()
    page.keyboard.press("End")
    assert told(page) == "Slide 2 of 4", "the slider's own key has turned the slide"
    page.locator("#slider").blur()
    page.keyboard.press("End")
    assert told(page) == "Slide 4 of 4"
    page.keyboard.press("Home")
    assert told(page) == "Slide 1 of 4"


def test_arrow_keys_stay_with_a_control_that_uses_them(page: Page) -> None:
    """A slider is turned in front of the class: its arrow keys must not turn the slide, PageDown still must."""
    page.locator("#slider").focus()
    value = page.locator("#slider").input_value()
    page.keyboard.press("ArrowRight")
    assert told(page) == "Slide 2 of 4"
    assert page.locator("#slider").input_value() != value
    page.keyboard.press("PageDown")
    assert told(page) == "Slide 3 of 4"


def test_letters_do_not_reach_lab(page: Page) -> None:
    """In Lab's command mode a letter cuts or inserts cells: a slip on the projector must not change the notebook."""
    for key in ("x", "d", "b", "Enter"):
        page.keyboard.press(key)
    assert [key for key in page.evaluate("globalThis.lab") if key != "Enter"] == []


@pytest.mark.parametrize("way", ["Escape", "button", "kernel", "closed", "print"])
def test_nothing_stays_behind(page: Page, way: str) -> None:
    """Afterwards the page is as it was: no class, no style, no listener, whichever way one leaves."""
    leaving: dict[str, Any] = {
        "Escape": lambda: page.keyboard.press("Escape"),
        "button": lambda: page.get_by_role("button", name="Leave").click(),
        "kernel": lambda: page.evaluate("change('on', false)"),
        "closed": lambda: page.evaluate("globalThis.close()"),
        "print": lambda: page.evaluate("() => { window.dispatchEvent(new Event('beforeprint')); }"),
    }
    leaving[way]()
    assert page.evaluate(LEFT_BEHIND) == [0, STYLE, False]
    assert page.evaluate("globalThis.state.on") is False
    page.keyboard.press("x")
    assert page.evaluate("globalThis.lab").count("x") == 1


def test_the_button_starts_again(page: Page) -> None:
    """After a look at the code the talk goes on."""
    page.keyboard.press("Escape")
    page.locator(".d20-present button").evaluate("(button) => button.click()")
    assert told(page) == "Slide 2 of 4"
    assert page.evaluate("globalThis.state.on") is True


def test_the_bar_changes_its_words_while_it_presents(page: Page) -> None:
    """An instructor who changes the language in the middle of a talk goes on in it."""
    words = {name: f"<{name}>" for name in page.evaluate("globalThis.state.words")}
    page.evaluate("(words) => change('words', words)", words | {"slide": "{number} / {n}"})
    bar = page.locator(".d20-bar")
    assert bar.locator("button").all_text_contents() == ["<back>", "<next>", "<leave>"]
    assert bar.get_attribute("aria-label") == "<bar>"
    assert told(page) == "2 / 4"


def test_the_button_is_not_printed(page: Page) -> None:
    """A printed notebook is for reading: what only works on a screen has no place on it."""
    page.keyboard.press("Escape")
    page.emulate_media(media="print")
    shown = page.locator(".d20-present").evaluate("(node) => getComputedStyle(node).display")
    page.emulate_media(media="screen")
    assert shown == "none"


def test_the_script_uses_no_html_from_strings() -> None:
    """Only textContent and attributes: the ways in which a text cannot become a script."""
    source = Presenter._esm.default_value
    for way in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
        assert way not in source
