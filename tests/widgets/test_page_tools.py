"""What the scripts of tools, predictions, details and groups do on a page, by keyboard and with hostile texts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Page

from d20widgets import AttackExplorer
from d20widgets.detail import Detail
from d20widgets.panel import Fold
from d20widgets.prediction import Prediction
from d20widgets.text import Sentence
from d20widgets.tools import Tools
from tests.widgets.every import EVIL, chart_state

LISTENERS = """() => Object.values(models).flatMap(({ heard }) => Object.values(heard))
  .reduce((count, { size }) => count + size, 0)"""


def test_the_live_region_is_one_node_and_forgets_what_is_over(show: Callable[..., Page]) -> None:
    """What a tool had to say about another picture must not stand there, nor be read again, after the next move."""
    page = show(Sentence._esm.default_value, {"frames": ["first", "50 % more"], "first": 0})
    region = page.locator("#view [aria-live]")
    region.evaluate("(node) => { node.d20Mine = true; node.querySelector('.d20-told').textContent = 'copied'; }")
    assert region.inner_text().split() == ["first", "copied"]
    page.evaluate("models.slider.set('value', 1)")
    page.wait_for_function("document.querySelector('#view .d20-told').textContent === ''")
    assert region.inner_text() == "50 % more"
    assert region.evaluate_all("(nodes) => nodes.map((node) => node.d20Mine)") == [True]


DETAIL = {
    "title": "In detail",
    "opened": False,
    "silent": "no answer",
    "tables": [[{"caption": EVIL, "head": [EVIL], "rows": [[EVIL]]}]],
    "frames": [0],
    "first": 0,
}


def test_a_detail_opens_by_keyboard_and_shows_texts_literally(show: Callable[..., Page]) -> None:
    """Tables hold names that others wrote; on the page they are characters."""
    page = show(Detail._esm.default_value, DETAIL)
    assert page.locator("table").count() == 0
    page.locator("summary").press("Enter")
    page.wait_for_function("model.get('opened')")
    page.evaluate("model.fire('change:frames')")
    for cell in ("caption", "th", "td"):
        assert page.locator(cell).text_content() == EVIL
    assert inert(page)
    assert page.get_by_role("region", name=EVIL).get_attribute("tabindex") == "0"
    page.locator("summary").press("Enter")
    page.wait_for_function("!model.get('opened')")
    assert page.locator("table").count() == 0


def test_a_group_opens_and_closes_by_keyboard(show: Callable[..., Page]) -> None:
    """Rarer controls are out of the way, and one key away."""
    page = show(Fold._esm.default_value, {"title": EVIL})
    knob = page.locator("button")
    controls = page.locator(".d20-controls")
    assert knob.text_content() == EVIL
    for key, is_open in (("Enter", True), ("Space", False)):
        knob.press(key)
        assert knob.get_attribute("aria-expanded") == str(is_open).lower()
        assert controls.is_visible() is is_open
    assert inert(page)


PREDICTION = {
    "phase": "off",
    "feedback": "",
    "count": "",
    "frames": ["What is it?", EVIL],
    "first": 0,
    "words": {"lock": "Lock in", "another": "Next", "stop": "Stop", "silent": "no answer", "answer": "Your prediction"},
}


def hidden(page: Page) -> list[bool]:
    """Whether sentence and formula are hidden, for eyes and ears alike."""
    look = "(name) => getComputedStyle(document.querySelector(name)).visibility === 'hidden'"
    return [page.evaluate(look, name) for name in (".d20-sentence", ".d20-formula")]


def test_a_prediction_hides_asks_and_reveals(show: Callable[..., Page]) -> None:
    """The whole way by keyboard: the question has the focus, Enter locks in, and the answer is shown and said."""
    page = show(Prediction._esm.default_value, PREDICTION, answers={"lock": {"said": "5 points off."}})
    assert not page.locator("form").is_visible()
    assert hidden(page) == [False, False]
    page.evaluate("model.set('phase', 'asking')")
    assert hidden(page) == [True, True]
    box = page.get_by_role("textbox", name="What is it?")
    assert box.evaluate("(node) => node === document.activeElement")
    page.keyboard.type("50 %")
    page.keyboard.press("Enter")
    page.wait_for_function("asked.length === 1")
    assert page.evaluate("[asked[0].do, asked[0].answer]") == ["lock", "50 %"]
    for name, value in (("feedback", "5 points off."), ("count", "1 of 1."), ("phase", "revealed")):
        page.evaluate("([name, value]) => model.set(name, value)", [name, value])
    assert hidden(page) == [False, False]
    assert page.locator(".d20-feedback").inner_text() == "5 points off. 1 of 1."
    page.wait_for_function("document.querySelector('.d20-told').textContent.startsWith('5 points off.')")
    page.evaluate("models.slider.set('value', 1)")
    page.wait_for_function("document.querySelector('.d20-question').textContent.includes('<')")
    assert inert(page)


def test_a_second_click_locks_nothing_in(show: Callable[..., Page]) -> None:
    """The first one has locked in by then: a refusal would stand beside an answer that was taken."""
    page = show(Prediction._esm.default_value, {**PREDICTION, "phase": "asking"}, answers={"lock": {"said": "right"}})
    page.get_by_role("button", name="Lock in").evaluate("(node) => { node.click(); node.click(); }")
    page.wait_for_timeout(50)
    assert page.evaluate("asked.length") == 1
    page.get_by_role("button", name="Lock in").click()
    page.wait_for_function("asked.length === 2")


def test_a_refused_prediction_is_refused_beside_the_box(show: Callable[..., Page]) -> None:
    """The sentence belongs to the box, for those who see it and for those who hear it."""
    page = show(Prediction._esm.default_value, {**PREDICTION, "phase": "asking"}, answers={"lock": {"refused": EVIL}})
    page.get_by_role("textbox").press("Enter")
    page.wait_for_function("document.querySelector('.d20-error').textContent !== ''")
    box = page.get_by_role("textbox")
    assert box.get_attribute("aria-invalid") == "true"
    assert page.locator(f"#{box.get_attribute('aria-describedby')}").text_content() == EVIL
    assert inert(page)


def test_without_a_kernel_a_hidden_picture_comes_back(show: Callable[..., Page]) -> None:
    """A kernel that dies between question and answer must not keep the picture."""
    page = show(Prediction._esm.default_value, {**PREDICTION, "phase": "asking"}, answers=None)
    page.get_by_role("textbox").press("Enter")
    page.wait_for_function("document.querySelector('.d20-error').textContent === 'no answer'")
    assert hidden(page) == [True, True]
    page.get_by_role("button", name="Stop").click()
    assert hidden(page) == [False, False]


WORDS = {name: name for name in ("tools", "example", "code", "state", "use", "text", "png", "svg", "data", "predict")}
TOOLS = {
    "chart": "IPY_MODEL_chart",
    "sentence": "IPY_MODEL_sentence",
    "prediction": "IPY_MODEL_prediction",
    "title": EVIL,
    "file": "AttackExplorer",
    "language": "en",
    "languages": {"en": "English", "id": "Bahasa Indonesia"},
    "version": "d20kit 0.0.1",
    "seed": "seed 42",
    "seed_at": 18,
    "words": {**WORDS, "language": "language", "saved": "saved", "failed": "failed", "silent": "no answer"},
}


@pytest.fixture
def tools(show: Callable[..., Page]) -> Callable[..., Page]:
    """The open row of tools of an attack explorer."""

    def shown(answers: Any, position: int = 18) -> Page:
        explorer = AttackExplorer()
        models = {
            "chart": chart_state(explorer),
            "sentence": {"frames": explorer.sentence_line.frames},
            "prediction": {"phase": "off"},
        }
        page = show(Tools._esm.default_value, TOOLS, answers=answers, models=models, slider=position)
        explorer.close()
        page.locator("summary").press("Enter")
        return page

    return shown


def told(page: Page, text: str) -> None:
    """Wait until the live region says a text."""
    page.wait_for_function("(text) => document.querySelector('.d20-told').textContent === text", arg=text)


def test_the_picture_is_saved_with_a_caption_of_texts(tools: Callable[..., Page], tmp_path: Path) -> None:
    """On a worksheet it must say what it shows and where it comes from; a hostile title stays a title."""
    page = tools(answers=None)
    with page.expect_download() as download:
        page.get_by_role("button", name="svg").press("Enter")
    told(page, "saved")
    download.value.save_as(tmp_path / "picture.svg")
    root = ElementTree.parse(tmp_path / "picture.svg").getroot()
    texts = [node.text for node in root if node.tag.endswith("}text")]
    expected = AttackExplorer()
    shown = "".join(map(str, texts)).replace(" ", "")
    assert shown == f"{EVIL}{expected.summary}d20kit 0.0.1, seed 42".replace(" ", "")
    expected.close()
    assert not [node.tag for node in root.iter() if node.tag.endswith(("}script", "}img", "}a", "}foreignObject"))]
    assert "100 %" in "".join(root.itertext())
    assert inert(page)


def test_a_seed_is_not_claimed_for_another_position(tools: Callable[..., Page], tmp_path: Path) -> None:
    """Moved on by hand, the picture is no longer the one that the seed brings."""
    page = tools(answers=None, position=19)
    with page.expect_download() as download:
        page.get_by_role("button", name="svg").press("Enter")
    download.value.save_as(tmp_path / "picture.svg")
    assert "seed" not in (tmp_path / "picture.svg").read_text(encoding="utf-8")


def test_the_picture_is_saved_as_pixels(tools: Callable[..., Page], tmp_path: Path) -> None:
    """A slide takes a PNG: twice the width of the page, so that it stays sharp, and on white whatever the theme."""
    page = tools(answers=None)
    with page.expect_download() as download:
        page.get_by_role("button", name="png").press("Enter")
    download.value.save_as(tmp_path / "picture.png")
    data = (tmp_path / "picture.png").read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(data[16:20], "big") == 2000
    assert len(data) > 20_000


def test_what_needs_the_kernel_says_so_without_one(tools: Callable[..., Page]) -> None:
    """A button that does nothing makes a learner press it ten times."""
    page = tools(answers=None)
    for name in ("example", "predict", "data", "code", "state", "use", "Bahasa Indonesia"):
        page.evaluate("document.querySelector('.d20-told').textContent = ''")
        page.get_by_role("button", name=name).press("Enter")
        told(page, "no answer")


def test_texts_come_and_go_by_the_box(tools: Callable[..., Page]) -> None:
    """What was copied stands there marked, in case the browser forbids copying; what is refused is explained there."""
    page = tools(answers={"code": {"text": EVIL, "said": "copied"}, "use": {"refused": EVIL}})
    page.get_by_role("button", name="code").press("Enter")
    page.wait_for_function("document.querySelector('textarea').value !== ''")
    box = page.get_by_role("textbox", name="text")
    assert box.input_value() == EVIL
    page.get_by_role("button", name="use").press("Enter")
    page.wait_for_function("document.querySelector('.d20-tools .d20-error, #view .d20-error').textContent !== ''")
    assert page.evaluate("asked.at(-1).text") == EVIL
    assert box.get_attribute("aria-invalid") == "true"
    assert inert(page)


def test_data_are_saved_as_they_come(tools: Callable[..., Page], tmp_path: Path) -> None:
    """The file is the kernel's text, byte for byte."""
    page = tools(answers={"data": {"text": "a,−1\n", "said": "saved"}})
    with page.expect_download() as download:
        page.get_by_role("button", name="data").press("Enter")
    assert download.value.suggested_filename == "AttackExplorer.csv"
    download.value.save_as(tmp_path / "data.csv")
    assert (tmp_path / "data.csv").read_text(encoding="utf-8") == "a,−1\n"


@pytest.mark.parametrize(
    ("widget", "state"), [(Detail, DETAIL), (Prediction, PREDICTION), (Tools, TOOLS), (Fold, {"title": "Rarer"})]
)
def test_a_view_that_is_taken_away_stops_listening(
    show: Callable[..., Page], widget: Any, state: dict[str, Any]
) -> None:
    """A cell that is run again and again must not leave listeners behind."""
    page = show(widget._esm.default_value, state, models={"prediction": {"phase": "off"}})
    page.wait_for_timeout(50)
    assert page.evaluate(LISTENERS) > 0
    page.evaluate("leave()")
    page.wait_for_timeout(50)
    assert page.evaluate(LISTENERS) == 0


def inert(page: Page) -> bool:
    """Whether nothing that was written as text has become an element or has run."""
    return page.locator("#view :is(img, a, script)").count() == 0 and page.evaluate("window.d20Hit") is None
