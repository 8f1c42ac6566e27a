"""Two lessons in a real JupyterLab: their explorers answer to the keyboard, and tell what the rules tell."""

from __future__ import annotations

from collections.abc import Iterator

import nbformat
import pytest
from playwright.sync_api import Locator, expect

from d20kit.launch.checkout import PACKAGE
from d20kit.launch.lab import Server
from tests.browser.drawing import Shape, drawn
from tests.browser.expected import CALL, Twin, attack_agrees, hit_points_agree, mark
from tests.browser.lab_page import ANSWER, SCREENSHOTS, Lab, Notebook
from tests.browser.lab_server import LESSONS
from tests.browser.on_page import inert
from tests.widgets.every import EVIL

AGREES = {"01-attack": attack_agrees, "04-hit-points": hit_points_agree}
# Plotly keeps a colour's opacity elsewhere.
COLOUR = "(node) => getComputedStyle(node).color.match(/[0-9]+/g).slice(0, 3).join(', ')"
HOSTILE = f"""
from dataclasses import replace
from d20widgets import AttackExplorer, mathml

evil = {EVIL!r}

class Hostile(AttackExplorer):
    title = evil
    controls = tuple(replace(control, label=evil) for control in AttackExplorer.controls)

    def sentence(self, numbers):
        return evil

    def formula(self, numbers):
        return mathml.formula(mathml.words(evil))

    def frame(self, numbers):
        return {{**super().frame(numbers), "label": evil}}

Hostile()
"""

expect.set_options(timeout=ANSWER)
each_explorer = pytest.mark.parametrize("lesson", AGREES, indirect=True)


@pytest.fixture
def twin(lesson: Notebook) -> Iterator[Twin]:
    """What the lesson's explorer has to show."""
    made = Twin.of_lesson(PACKAGE.parent / LESSONS / f"{lesson.name}.ipynb")
    yield made
    made.explorer.close()


@pytest.fixture
def explorer(lesson: Notebook) -> Locator:
    """The lesson's explorer on the page, drawn and in view, its cell selected."""
    lesson.select(CALL)
    lesson.explorer.locator(".d20-still svg").first.wait_for()
    return lesson.explorer


def handle(explorer: Locator, name: str) -> Locator:
    """Return a slider's handle by its accessible name."""
    return explorer.get_by_role("slider", name=name, exact=True)


def check(lesson: Notebook, explorer: Locator, twin: Twin, position: int) -> tuple[float, Shape]:
    """Wait until all shows this place of the main slider; return how high the mark should be, and where it is."""
    expect(explorer.get_by_role("status")).to_have_text(twin.sentence(position))
    expect(explorer.locator("math")).to_have_text(twin.formula(position))
    expect(explorer.get_by_role("spinbutton", name=twin.main_label, exact=True)).to_have_value(str(position))
    expect(explorer.locator("[role=img]")).to_have_attribute("aria-label", twin.words(position))

    def picture() -> tuple[float, Shape]:
        traces = drawn(explorer)
        return AGREES[lesson.name](twin.values(position), traces), mark(traces)[0]

    found: tuple[float, Shape] = lesson.lab.eventually(picture)
    return found


@each_explorer
def test_lesson_runs(lesson: Notebook) -> None:
    """What fails or grumbles on the way would fail the tests below for no clear reason; test_course.py has them all."""
    assert lesson.finished is True
    outputs = lesson.outputs()
    assert len(outputs) > 5
    assert [output for output in outputs if output["output_type"] == "error" or output.get("name") == "stderr"] == []


@each_explorer
def test_keys_move_picture_sentence_and_formula(lesson: Notebook, explorer: Locator, twin: Twin) -> None:
    """The main slider is the lesson: each key leads where it should, and all that it moves tells one story."""
    knob = handle(explorer, twin.main_label)
    places = {}
    for key, position in twin.presses():
        knob.press(key)
        places[position] = check(lesson, explorer, twin, position)
    (low, left), (high, right) = places[twin.low], places[twin.high]
    assert right.x - left.x > 300
    for position, (height, shape) in places.items():
        along = (position - twin.low) / (twin.high - twin.low)
        assert shape.x == pytest.approx(left.x + along * (right.x - left.x), abs=1)
        assert (shape.y - left.y) * (high - low) == pytest.approx((height - low) * (right.y - left.y), abs=1)


@each_explorer
def test_other_sliders_bring_a_new_table(lesson: Notebook, explorer: Locator, twin: Twin) -> None:
    """Every other control asks the kernel; the live region that is read aloud stays the same node, and the only one."""
    region = explorer.get_by_role("status")
    region.evaluate("(node) => { node.d20Mine = true; }")
    main, bonus = handle(explorer, twin.main_label), handle(explorer, twin.label("bonus"))
    main.press("Home")
    for key, change in (("ArrowRight", 1), ("ArrowLeft", -1)):
        twin.explorer.move(bonus=twin.explorer.values["bonus"] + change)
        bonus.press(key)
        check(lesson, explorer, twin, twin.low)
    main.press("End")
    check(lesson, explorer, twin, twin.high)
    assert explorer.locator("[aria-live]").evaluate_all("(nodes) => nodes.map((node) => node.d20Mine)") == [True]


@each_explorer
def test_picture_takes_the_colours_of_the_theme(lesson: Notebook, explorer: Locator, twin: Twin, lab: Lab) -> None:
    """Words in the picture are as readable on a dark page as on a light one; the screenshots are for people."""
    box = explorer.get_by_role("spinbutton", name=twin.main_label, exact=True)
    box.fill(str(twin.start))
    box.blur()
    check(lesson, explorer, twin, twin.start)
    colours = set()
    for theme in ("Light", "Dark"):
        with lab.theme(theme):
            page = explorer.locator(".d20-chart").evaluate(COLOUR)
            expect(explorer.locator(".d20-still .annotation-text").first).to_have_css("fill", f"rgb({page})")
            colours.add(page)
            lab.keep_picture(explorer, SCREENSHOTS / f"{lesson.name}-{theme.lower()}.png")
    assert len(colours) == 2


# Last of the lesson's tests, since the lesson is good for little afterwards.
@each_explorer
def test_main_slider_needs_no_kernel(lesson: Notebook, explorer: Locator, twin: Twin, lab: Lab) -> None:
    """The table lies in the page: a slow line, or a kernel that has died, must not stop the slider."""
    lesson.stop_kernel()
    knob = handle(explorer, twin.main_label)
    for key, position in (("Home", twin.low), ("ArrowRight", twin.low + 1), ("End", twin.high)):
        knob.press(key)
        check(lesson, explorer, twin, position)
    # Each move is also meant for the kernel, and ipywidgets notes that nobody is there.
    assert all("Cannot send" in complaint for complaint in lab.complaints)
    lab.complaints.clear()


def test_titles_and_labels_stay_text(server: Server, lab: Lab) -> None:
    """An explorer shows words that others wrote; none of them may become part of the page."""
    lessons = server.root / LESSONS
    hostile = nbformat.read(lessons / "00-start.ipynb", as_version=4)
    hostile.cells = [nbformat.v4.new_code_cell(HOSTILE)]
    nbformat.write(hostile, lessons / "hostile.ipynb")
    with lab.notebook("hostile") as notebook:
        explorer = notebook.explorer
        expect(explorer.get_by_role("status")).to_have_text(EVIL)
        expect(explorer.locator("math")).to_have_text(EVIL)
        expect(explorer.locator("[role=img]")).to_have_attribute("aria-label", EVIL)
        expect(explorer).to_have_attribute("aria-label", EVIL)
        expect(explorer.locator(".widget-label").first).to_have_text(EVIL)
        inert(explorer)


def test_guard_hears_of_a_request_that_leaves(lab: Lab) -> None:
    """Every test here trusts the guard, so it must hear of an address elsewhere, and nothing may get there."""
    outcome = lab.page.evaluate("() => fetch('http://d20kit.invalid/').then(() => 'got there', () => 'stopped')")
    assert outcome == "stopped"
    assert lab.abroad == ["http://d20kit.invalid/"]
    assert len(lab.complaints) == 1
    lab.abroad.clear()
    lab.complaints.clear()
