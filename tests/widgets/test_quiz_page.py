"""What the quiz does on a page: drawn by a real Chromium, without a notebook around it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from d20widgets import Quiz
from d20widgets.follower import STATIC
from d20widgets.quiz import _heard

EVIL = "<img src=x onerror=window.hit=1>"
PAGE = """<!doctype html><meta charset="utf-8"><style>{style}</style><div id="view"></div>
<script type="module">
const heard = {{}};
globalThis.sent = [];
globalThis.view = {view};
const model = {{
  get: () => globalThis.view, on: (name, does) => (heard[name] = does), off() {{}},
  send: (message) => globalThis.sent.push(message),
}};
globalThis.change = (view) => {{ globalThis.view = view; heard["change:view"](); }};
const script = new Blob([{script}], {{ type: "text/javascript" }});
const {{ default: widget }} = await import(URL.createObjectURL(script));
widget.render({{ model, el: document.getElementById("view") }});
document.body.dataset.rendered = true;
</script>"""

LINES = """(nodes) => nodes.map((node) => {
  const range = document.createRange();
  range.selectNodeContents(node);
  return range.getClientRects().length;
})"""


@pytest.fixture
def quiz() -> Iterator[Quiz]:
    """A quiz of all topics."""
    made = Quiz()
    yield made
    made.close()


def right(quiz: Quiz) -> str:
    """The exact answer to the question of now, as it would be typed."""
    return str(quiz._run.question.answer)


def shown(page: Page, quiz: Quiz, tmp_path: Path) -> Page:
    """Show a quiz on a page without a notebook; what the page sends is kept in ``sent``."""
    file = tmp_path / "page.html"
    given = {"view": json.dumps(quiz.view), "script": json.dumps(Quiz._esm.default_value)}
    file.write_text(PAGE.format(style=(STATIC / "quiz.css").read_text(encoding="utf-8"), **given), encoding="utf-8")
    page.goto(file.as_uri())
    page.wait_for_selector("body[data-rendered]")
    return page


def test_a_keyboard_alone_leads_through_the_quiz(page: Page, quiz: Quiz, tmp_path: Path) -> None:
    """Enter checks; the focus then waits where the learner goes on, and the live region stays one node."""
    shown(page, quiz, tmp_path)
    page.get_by_role("textbox", name="Your answer").focus()
    page.evaluate("() => { document.querySelector('[role=status]').mine = true; }")
    page.keyboard.type(right(quiz))
    page.keyboard.press("Enter")
    assert page.evaluate("sent") == [{"kind": "check", "text": right(quiz)}]
    quiz.answer(page.evaluate("sent")[0]["text"])
    page.evaluate("change", quiz.view)
    assert page.evaluate("document.activeElement.textContent") == "Next question"
    page.keyboard.press("Enter")
    assert page.evaluate("sent").pop()["kind"] == "next"
    quiz.next()
    page.evaluate("change", quiz.view)
    assert page.evaluate("[document.activeElement.tagName, document.activeElement.value]") == ["INPUT", ""]
    assert page.evaluate("[...document.querySelectorAll('[aria-live]')].map((node) => node.mine)") == [True]


def test_the_solution_takes_the_place_of_the_hints(page: Page, quiz: Quiz, tmp_path: Path) -> None:
    """After the last hint there is one way on, and whoever took it goes on with the keyboard."""
    shown(page, quiz, tmp_path)
    for number in (1, 2, 3):
        assert not page.get_by_role("button", name="Show the solution").is_visible()
        page.get_by_role("button", name=f"Hint {number} of 3").click()
        assert page.evaluate("sent").pop()["kind"] == "hint"
        quiz.hint()
        page.evaluate("change", quiz.view)
    assert not page.get_by_role("button", name="Hint").is_visible()
    page.get_by_role("button", name="Show the solution").press("Enter")
    assert page.evaluate("sent").pop()["kind"] == "solution"
    quiz.solution()
    page.evaluate("change", quiz.view)
    assert page.evaluate("document.activeElement.textContent") == "Next question"
    told = page.locator("dl.d20-quiz-solution").evaluate("(node) => [...node.children].map((one) => one.textContent)")
    assert told == [text for step in quiz.view["solution"] for text in step]


def test_the_labels_of_a_solution_have_their_column(page: Page, tmp_path: Path) -> None:
    """In Lab a label would have a fifth of its column, and be broken at every word."""
    quiz = Quiz("saves")
    quiz.solution()
    shown(page, quiz, tmp_path)
    page.add_style_tag(content="dt { float: left; width: 20%; } dd { float: left; width: 80%; }")
    lines = page.locator(".d20-quiz-solution dt").evaluate_all(LINES)
    assert lines == [1] * len(quiz.view["solution"])
    quiz.close()


def test_a_wide_result_scrolls_by_itself(page: Page, tmp_path: Path) -> None:
    """In a narrow window the page must not become wider than it, and the last columns must be within a key's reach."""
    quiz = Quiz(n=7, seed=5)
    while not quiz.finished:
        quiz.answer("98765")
        quiz.next()
    page.set_viewport_size({"width": 320, "height": 600})
    shown(page, quiz, tmp_path)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    room = page.get_by_role("region", name="How it went")
    assert room.evaluate("(node) => node.scrollWidth > node.clientWidth && node.tabIndex === 0")
    assert room.get_attribute("data-lm-suppress-shortcuts") == "true"
    quiz.close()


def test_every_control_has_a_name_and_keeps_its_keys(page: Page, quiz: Quiz, tmp_path: Path) -> None:
    """Lab's command mode takes keys from whatever does not claim them, and a screen reader needs a name."""
    shown(page, quiz, tmp_path)
    page.locator("summary").click()
    kept = "(nodes) => nodes.every((node) => node.getAttribute('data-lm-suppress-shortcuts') === 'true')"
    assert page.locator("input, button, select, textarea, summary").evaluate_all(kept)
    for role, name in (
        ("textbox", "Your answer"),
        ("button", "Check"),
        ("button", "Hint 1 of 3"),
        ("button", "Next question"),
        ("combobox", "Language"),
        ("textbox", "Your answers as text"),
    ):
        assert page.get_by_role(role, name=name, exact=True).count() == 1  # type: ignore[arg-type]


def test_pasted_answers_are_not_swept_away(page: Page, quiz: Quiz, tmp_path: Path) -> None:
    """Another language may arrive between pasting and pressing; only other answers take the text's place."""
    shown(page, quiz, tmp_path)
    page.locator("summary").click()
    box = page.get_by_role("textbox", name="Your answers as text")
    box.fill("pasted")
    quiz.redraw("something else is said")
    page.evaluate("change", quiz.view)
    assert box.input_value() == "pasted"
    quiz.hint()
    page.evaluate("change", quiz.view)
    assert json.loads(box.input_value()) == quiz.state


def test_a_refused_text_stays_text_on_the_page(page: Page, quiz: Quiz, tmp_path: Path) -> None:
    """What comes back in a refusal was written by somebody: it must come back as characters."""
    _heard(quiz, {"kind": "check", "text": EVIL}, [])
    shown(page, quiz, tmp_path)
    assert EVIL in page.get_by_role("status").inner_text()
    assert page.locator("img").count() == 0
    assert page.get_by_role("textbox", name="Your answer").get_attribute("aria-invalid") == "true"
