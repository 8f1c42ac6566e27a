"""What a class brings into a real JupyterLab: names of its own, answers to a quiz, and a projector for the slides."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from d20kit.amounts import fraction_text
from d20kit.language import set_language
from d20kit.launch.lab import Server
from d20widgets import BattlePlayer, Quiz
from d20widgets.unbroken import unbroken
from tests.browser.gallery import (
    NAMES,
    REFUSED_NAMES,
    SLIDES,
    unchanged,
    write_hostile,
    write_quiz,
    write_slides,
)
from tests.browser.lab_page import ANSWER, PANEL, SCREENSHOTS, Lab, Notebook
from tests.browser.lab_server import LESSONS
from tests.browser.on_page import complaints_of_axe, inert, tabbed, words
from tests.widgets.every import EVIL

PRESENTING = ".d20-presenting, .d20-bar, .d20-off, [popover]"
# What presenter mode may not have changed when it has been left.
# A panel whose children are no wider than it is, and whose toolbar has more than its menu.
FITS = """(panel) => {
    const [one] = document.querySelectorAll(panel);
    const { right, bottom } = one.getBoundingClientRect();
    const inside = [...one.children].map((child) => child.getBoundingClientRect());
    return inside.every((box) => box.right <= right + 1 && box.bottom <= bottom + 1);
}"""
LEFT = """() => {
    const panel = d20Panel.node;
    const told = (node) => [...node.attributes].map(({ name, value }) => `${name}=${value}`).sort().join(" ");
    const cells = [...panel.querySelectorAll(".jp-Cell")].map((cell) => [...cell.classList].sort().join(" "));
    return { panel: told(panel), cells, sheets: document.head.querySelectorAll("style").length,
        kept: Object.keys(globalThis).filter((name) => name.startsWith("__d20kit_leave")) };
}"""

expect.set_options(timeout=ANSWER)


@pytest.fixture(scope="module")
def battle(opened_lab: Lab, server: Server) -> Iterator[Notebook]:
    """A notebook with a battle of hostile names."""
    write_hostile(server.root / LESSONS / "hostile-battle.ipynb")
    with opened_lab.notebook("hostile-battle") as notebook:
        yield notebook


@pytest.fixture(scope="module")
def quiz_notebook(opened_lab: Lab, server: Server, catalogue: Path) -> Iterator[Notebook]:
    """A notebook with a quiz, and how a class answered it."""
    write_quiz(server.root / LESSONS / "quiz.ipynb", catalogue)
    with opened_lab.notebook("quiz") as notebook:
        yield notebook


@pytest.fixture
def quiz(quiz_notebook: Notebook) -> Locator:
    """The quiz with nothing answered yet."""
    root = quiz_notebook.cell("Quiz()").locator(".d20-quiz")
    share = root.locator("details")
    if share.get_attribute("open") is None:
        share.locator("summary").press("Enter")
    root.get_by_role("combobox").select_option("en")
    root.locator("textarea").fill(json.dumps(Quiz().state))
    root.get_by_role("button", name="Load what is written here").press("Enter")
    expect(root.get_by_role("status")).to_have_text(unbroken(Quiz().summary))
    expect(root.get_by_role("button", name="Hint 1 of 3", exact=True)).to_be_enabled()
    return root


@pytest.fixture(scope="module")
def slides(opened_lab: Lab, server: Server) -> Iterator[Notebook]:
    """A notebook that presents itself."""
    write_slides(server.root / LESSONS / "slides.ipynb")
    with opened_lab.notebook("slides") as notebook:
        yield notebook


def test_hostile_names_are_shown_literally(battle: Notebook) -> None:
    """Combatants are named by people: on the stage, in the table, in the picture and the log a name is only a name."""
    root = battle.cell("names =").locator(".d20-explorer")
    root.locator(".d20-still svg").first.wait_for()
    root.locator(".d20-fold").press("Enter")
    assert sorted(root.locator(".d20-chip-name").all_text_contents()) == sorted(NAMES)
    boxes = root.locator(".d20-cell-name input")
    assert [box.input_value() for box in boxes.all()] == list(NAMES)
    root.get_by_role("button", name="To the end", exact=True).press("Enter")
    log = root.locator(".d20-log")
    for name in NAMES:
        expect(log).to_contain_text(name)
    assert any(text.startswith("<script>") for text in root.locator(".d20-chart text").all_text_contents())
    inert(root)
    assert complaints_of_axe(root) == []
    with battle.lab.high_window():
        battle.lab.keep_picture(root, SCREENSHOTS / "hostile-battle.png")


def test_a_refused_name_comes_back_as_it_was_typed(battle: Notebook) -> None:
    """Names that are too long or turn the text around are refused beside their cell, and stay there to be mended."""
    root = battle.cell("names =").locator(".d20-explorer")
    box = root.locator(".d20-cell-name input").first
    error = root.locator(f"[id='{box.get_attribute('aria-describedby')}']")
    for name in REFUSED_NAMES:
        box.fill(name)
        box.press("Tab")
        expect(box).to_have_attribute("aria-invalid", "true")
        expect(error).to_contain_text(name[:3])
        assert box.input_value() == name
    box.fill(EVIL[:59])
    box.press("Tab")
    expect(box).to_have_attribute("aria-invalid", "false")
    expect(root.locator(".d20-chip-name").filter(has_text=EVIL[:59])).to_have_count(1)
    inert(root)


def test_a_shorter_battle_is_shown_at_its_own_step(battle: Notebook) -> None:
    """From far along in a long battle to a step of a short one: the slider may not stop at the shorter one's end."""
    root = battle.cell("names =").locator(".d20-explorer")
    step = root.get_by_role("spinbutton", name="Step", exact=True)
    root.get_by_role("button", name="To the end", exact=True).press("Enter")
    root.locator(".d20-tools summary").press("Enter")
    box = root.locator(".d20-tools textarea")
    short = BattlePlayer("duel", position=3)

    def heard() -> None:
        root.get_by_role("button", name="Copy state", exact=True).press("Enter")
        expect(box).to_have_value(re.compile('"version"'), timeout=1000)
        position = json.loads(box.input_value())["values"]["position"]
        assert position > short.chart.first + len(short.chart.frames)

    # A step of which the kernel has not heard yet would come after the state, and hold.
    battle.lab.eventually(heard)
    box.fill(json.dumps(short.state))
    root.get_by_role("button", name="Use this state", exact=True).press("Enter")
    expect(root.locator(".d20-sentence")).to_have_text(unbroken(short.summary))
    expect(step).to_have_value("3")
    short.close()


def test_quiz_is_answered_by_keyboard(quiz: Locator, quiz_notebook: Notebook) -> None:
    """Enter checks and leads on, in Lab too, which keeps Enter for itself elsewhere."""
    twin, before = Quiz(), quiz_notebook.place
    box, said = quiz.get_by_role("textbox", name="Your answer", exact=True), quiz.get_by_role("status")
    box.fill(EVIL[:60])
    box.press("Enter")
    expect(box).to_have_attribute("aria-invalid", "true")
    expect(said).to_contain_text(EVIL[:40])
    inert(quiz)
    right = fraction_text(twin._run.question.answer)
    box.fill(right)
    box.press("Enter")
    expect(said).to_have_text(twin.answer(right))
    expect(quiz.get_by_role("button", name="Next question", exact=True)).to_be_focused()
    quiz_notebook.page.keyboard.press("Enter")
    twin.next()
    expect(box).to_be_focused()
    expect(quiz.locator(".d20-quiz-progress").first).to_contain_text("Question 2 of 7")
    assert json.loads(quiz.locator("textarea").input_value()) == twin.state
    assert quiz_notebook.place == before


def test_quiz_answers_to_the_mouse(quiz: Locator) -> None:
    """Hints come one by one at a click, and none is counted that was not asked for."""
    twin = Quiz()
    quiz.get_by_role("button", name="Hint 1 of 3", exact=True).click()
    expect(quiz.get_by_role("status")).to_have_text(twin.hint())
    quiz.get_by_role("button", name="Hint 2 of 3", exact=True).click()
    expect(quiz.get_by_role("status")).to_have_text(twin.hint())
    assert json.loads(quiz.locator("textarea").input_value()) == twin.state


def test_quiz_leaves_no_english(quiz: Locator) -> None:
    """Switched live, question and labels are the catalogue's, and what the learner has done stays."""
    twin = Quiz()
    hint = twin.hint()
    quiz.get_by_role("button", name="Hint 1 of 3", exact=True).press("Enter")
    expect(quiz.get_by_role("status")).to_have_text(hint)
    english = words(quiz)
    quiz.get_by_role("combobox").select_option("id")
    set_language("id")
    expect(quiz.locator(".d20-quiz-question")).to_have_text(Quiz().view["question"])
    indonesian = words(quiz)
    set_language("en")
    assert sorted(text for text in english & indonesian if not unchanged(text)) == []
    assert json.loads(quiz.locator("textarea").input_value()) == twin.state


def test_quiz_and_tally_are_open_to_everybody(quiz: Locator, quiz_notebook: Notebook, lab: Lab) -> None:
    """Tab leads to every control, and axe finds nothing, at the quiz and at the picture of a class."""
    every, reached = tabbed(quiz)
    assert len(every) > 8
    assert reached == every
    tally = quiz_notebook.cell("Quiz.tally(").locator(".d20-explorer")
    tally.locator(".d20-still svg").first.wait_for()
    for theme in ("Light", "Dark"):
        with lab.theme(theme):
            for name, shown in (("Quiz", quiz), ("Tally", tally)):
                lab.keep_picture(shown, SCREENSHOTS / f"{name}-{theme.lower()}.png")
                assert complaints_of_axe(shown) == [], name


def test_slides_lead_forward_and_back(slides: Notebook) -> None:
    """One key leads on, over all slides, those out of Lab's sight included; the code is hidden."""
    bar = slides.page.locator(".d20-bar")
    told = bar.get_by_role("status")
    expect(told).to_have_text(f"Slide 1 of {SLIDES}")
    assert complaints_of_axe(bar) == []
    for number in range(1, SLIDES + 1):
        expect(told).to_have_text(f"Slide {number} of {SLIDES}")
        expect(slides.page.get_by_role("heading", name=f"Slide {number}")).to_have_count(1)
        expect(slides.page.locator(f"{PANEL} .jp-InputArea-editor:visible")).to_have_count(0)
        turn(slides, "PageDown")
    turn(slides, "PageUp")
    expect(told).to_have_text(f"Slide {SLIDES - 1} of {SLIDES}")


def turn(slides: Notebook, key: str) -> None:
    """Press a key until another slide comes, or three times: a slide longer than the screen is scrolled first."""
    told = slides.page.locator(".d20-bar [role=status]")
    before = told.inner_text()
    for _press in range(3):
        slides.page.keyboard.press(key)
        if told.inner_text() != before:
            return


def test_slides_leave_nothing_behind(slides: Notebook) -> None:
    """After Escape the page is as it was, also when presenter mode was begun by its button."""
    slides.page.keyboard.press("Escape")
    expect(slides.page.locator(PRESENTING)).to_have_count(0)
    cell = slides.cell("present()")
    before, place = left(slides), slides.place
    cell.get_by_role("button", name="Present", exact=True).press("Enter")
    expect(slides.page.locator(".d20-bar")).to_have_count(1)
    slides.page.keyboard.press("d")
    slides.page.keyboard.press("d")
    slides.page.keyboard.press("Escape")
    expect(slides.page.locator(PRESENTING)).to_have_count(0)
    assert left(slides) == before
    assert slides.place == place


def left(slides: Notebook) -> Any:
    """What presenter mode has left behind, once Lab has laid the page out for its own room again."""
    slides.page.wait_for_function("() => document.getElementById('main').style.right === ''")
    slides.page.wait_for_timeout(500)
    return slides.page.evaluate(LEFT)


def test_slides_leave_the_room_as_it_was(slides: Notebook) -> None:
    """Lab lays toolbar and cells out for the whole window meanwhile; afterwards they fit into their panel again."""
    slides.page.keyboard.press("Escape")
    expect(slides.page.locator(PRESENTING)).to_have_count(0)
    slides.page.wait_for_function(FITS, arg=PANEL)
    shown = slides.page.locator(f"{PANEL} .jp-NotebookPanel-toolbar > *:visible").count()
    size = slides.page.viewport_size
    assert size is not None
    slides.page.set_viewport_size({**size, "width": size["width"] - 40})
    slides.page.set_viewport_size(size)
    expect(slides.page.locator(f"{PANEL} .jp-NotebookPanel-toolbar > *:visible")).to_have_count(shown)
