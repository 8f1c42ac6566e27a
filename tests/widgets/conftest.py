"""A page of a Chromium on which one widget's view stands by itself, without a notebook around it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, sync_playwright

from d20kit.launch.browser import find_chromium
from d20widgets import HitPointExplorer
from d20widgets.explorer import Explorer
from d20widgets.follower import STATIC, STYLE
from tests.conftest import NO_BROWSER
from tests.widgets.every import EXPLORERS, NARROWEST

# Models as anywidget hands them over: the widget's own, its slider's and those it refers to. A kernel answers by what
# stands in `answers`, or is gone. The page's library is there already.
PAGE = """<!doctype html><meta charset="utf-8"><style>{style} body {{ width: {width}px; margin: 0 }}</style>
<div class="d20-explorer"><p class="d20-sentence">sentence</p><p class="d20-formula">formula</p><p class="d20-told"></p>
<div class="d20-group"><div id="view"></div><div class="d20-controls"><input type="number"></div></div></div>
<script src="{library}"></script>
<script type="module">
const answers = {answers};
globalThis.asked = [];
class Model {{
  constructor(state) {{
    this.state = state;
    this.heard = {{}};
    this.widget_manager = {{ get_model: async (id) => models[id] }};
  }}
  get(name) {{ return this.state[name]; }}
  set(name, value) {{ this.state[name] = value; this.fire(`change:${{name}}`); }}
  save_changes() {{}}
  on(names, call) {{ names.split(" ").forEach((name) => (this.heard[name] ??= new Set()).add(call)); }}
  off(names, call) {{ names.split(" ").forEach((name) => this.heard[name]?.delete(call)); }}
  fire(name, ...given) {{ [...(this.heard[name] ?? [])].forEach((call) => call(...given)); }}
  send(message) {{
    if (answers === null) throw new Error("the kernel is gone");
    asked.push(message);
    const answer = {{ ...answers[message.do], request: message.request }};
    setTimeout(() => this.fire("msg:custom", answer), 10);
  }}
}}
const models = Object.fromEntries(Object.entries({models}).map(([id, state]) => [id, new Model(state)]));
Object.assign(globalThis, {{ model: models.own, models }});
globalThis.__d20kit_plotly = {{ asked: 0, ready: Promise.resolve(globalThis.Plotly) }};
const script = new Blob([{script}], {{ type: "text/javascript" }});
const {{ default: widget }} = await import(URL.createObjectURL(script));
globalThis.leave = widget.render({{ model, el: document.getElementById("view") }});
document.body.dataset.rendered = true;
</script>"""


@pytest.fixture(params=EXPLORERS, ids=lambda kind: kind.__name__)
def explorer(request: pytest.FixtureRequest) -> Iterator[Explorer]:
    """One explorer of each kind, closed afterwards."""
    made = request.param()
    yield made
    made.close()


@pytest.fixture(scope="module", params=EXPLORERS, ids=lambda kind: kind.__name__)
def shared(request: pytest.FixtureRequest) -> Iterator[Explorer]:
    """One explorer of each kind, for all tests of a module that leave it as it was."""
    made = request.param()
    yield made
    made.close()


@pytest.fixture
def untouched(shared: Explorer) -> Iterator[Explorer]:
    """One explorer of each kind, which the test has to leave as it was."""
    before = shared.state
    yield shared
    assert shared.state == before


@pytest.fixture
def hit_points() -> Iterator[HitPointExplorer]:
    """An explorer with a control that is written, which asks for a chance."""
    made = HitPointExplorer()
    yield made
    made.close()


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    """A page of a Chromium; a module's, for playwright's event loop must not outlive the tests here."""
    chromium = find_chromium()
    if chromium is None:
        pytest.skip(NO_BROWSER)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--disable-gpu"])
        yield browser.new_page()
        browser.close()


@pytest.fixture
def show(page: Page, tmp_path: Path) -> Callable[..., Page]:
    """Render a widget's view on a page as narrow as a window with Lab's file browser leaves it."""

    def shown(
        script: str, state: dict[str, Any], width: int = NARROWEST, answers: Any = (), models: Any = (), slider: int = 0
    ) -> Page:
        words = {"library": (STATIC / "plotly-basic.min.js").as_uri(), "style": STYLE}
        known = {"own": {"slider": "IPY_MODEL_slider", **state}, "slider": {"value": slider}, **dict(models)}
        given = {"models": known, "script": script, "answers": None if answers is None else dict(answers)}
        file = tmp_path / "page.html"
        # A closing tag in a string would close the script of the page.
        embedded = {name: json.dumps(value).replace("</", "<\\/") for name, value in given.items()}
        file.write_text(PAGE.format(width=width, **words, **embedded), encoding="utf-8")
        page.goto(file.as_uri())
        page.wait_for_selector("body[data-rendered]", state="attached")
        return page

    return shown
