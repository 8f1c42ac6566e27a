"""Every lesson in a real JupyterLab, in both languages: it runs, it is drawn, it fits the page; pictures for people."""

from __future__ import annotations

import ast
import re
import shutil
from collections.abc import Iterator
from math import ceil
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbconvert.filters import markdown2html
from playwright.sync_api import Browser, FloatRect, Locator, ViewportSize, expect

import d20widgets
from d20kit.language import LANGUAGES
from d20kit.launch.checkout import PACKAGE
from d20kit.launch.lab import Server
from tests.browser.lab_page import ANSWER, PANEL, SCREENSHOTS, VIEWPORT, Lab, Notebook
from tests.browser.lab_server import LESSONS

NOTEBOOKS = PACKAGE.parent / "notebooks"
COURSE = [f"{language}/{path.stem}" for path in sorted((NOTEBOOKS / "en").glob("*.ipynb")) for language in LANGUAGES]
DARK = ("en/00-start", "en/03-damage", "en/07-surprise-round-battle", "id/05-saves-and-attribute-damage")
# A small laptop's, less what the desktop and the browser take.
WINDOW: ViewportSize = {"width": 1366, "height": 650}
# No part of a screenshot is higher, so that a person can read it without zooming.
PART = 1300
PAGE = f"{PANEL} .jp-WindowedPanel-outer"
EXPLORERS, QUIZZES = ".d20-explorer", ".d20-quiz"
FORMULA = re.compile(r"\$[^$]+\$")
KINDS = set(d20widgets.__all__) - {"present"}
# What a kernel does when it starts, for a catalogue that lies elsewhere than in an installed kit.
STARTUP = """from pathlib import Path

from d20kit import language

language._LOCALE = Path({folder!r})
"""
# Lab shows only what is in sight; a window as high as the notebook shows all of it, and how high that is, is known
# only when all has been in sight. Below the last cell Lab leaves the window's height free.
_MISSING = """() => {
    const page = d20Panel.content.node.querySelector(".jp-WindowedPanel-outer");
    page.scrollTop = 0;
    const [last] = [...page.querySelectorAll(".jp-Cell")].slice(-1);
    return Math.ceil(last.getBoundingClientRect().bottom - page.getBoundingClientRect().bottom) + 20;
}"""
# Everything that ends to the right of the notebook's page, or of the box in which it is cut off or scrolls.
_TOO_WIDE = """(page) => {
    const told = (node) => `${node.nodeName.toLowerCase()}.${node.getAttribute("class") ?? ""}`;
    const right = page.getBoundingClientRect().left + page.clientWidth;
    const ignored = "mjx-assistive-mml, .d20-unseen, .cm-announced";
    const parts = [...page.querySelectorAll(".jp-InputArea-editor *, .jp-RenderedMarkdown *, .jp-OutputArea-output *")]
        .filter((node) => node.checkVisibility({ visibilityProperty: true }) && !node.closest(ignored));
    const outside = parts.filter((node) => node.getBoundingClientRect().right > right + 1);
    const boxes = ".jp-OutputArea-output, .cm-scroller, pre, .d20-explorer, .d20-quiz";
    const scrolls = [page, ...page.querySelectorAll(boxes)]
        .filter((node) => node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).display !== "inline");
    return [...outside.map((node) => `outside: ${told(node)}`), ...scrolls.map((node) => `scrolls: ${told(node)}`)];
}"""
# Words of a picture that its own edges cut off.
_CUT = """(root) => [...root.querySelectorAll(".d20-chart svg text")].filter((text) => {
    const { left, right, top, bottom, width } = text.getBoundingClientRect();
    const around = text.ownerSVGElement.getBoundingClientRect();
    return width > 0 && (left < around.left - 1 || right > around.right + 1
        || top < around.top - 1 || bottom > around.bottom + 1);
}).map((text) => text.textContent)"""

expect.set_options(timeout=ANSWER)
SHORTER_SIDES = """(nodes) => nodes.map((node) => {
    const { width, height } = node.getBoundingClientRect();
    return Math.min(width, height);
})"""


@pytest.fixture(scope="module")
def both_languages(server: Server, catalogue: Path) -> Iterator[None]:
    """Serve the lessons of every language, to kernels that speak it."""
    for language in LANGUAGES:
        shutil.copytree(NOTEBOOKS / language, server.root / LESSONS / language)
    startup = server.root.parent / "home/.ipython/profile_default/startup/00-catalogue.py"
    startup.parent.mkdir(parents=True, exist_ok=True)
    startup.write_text(STARTUP.format(folder=str(catalogue)), encoding="utf-8")
    yield
    startup.unlink()


@pytest.fixture(scope="module", params=COURSE)
def lesson(opened_lab: Lab, both_languages: None, request: pytest.FixtureRequest) -> Iterator[Notebook]:
    """Open a lesson, run all its cells, and make the window so high that all of it is shown."""
    with opened_lab.notebook(request.param) as notebook:
        show_all(notebook)
        yield notebook
        notebook.page.set_viewport_size(VIEWPORT)


def show_all(lesson: Notebook) -> None:
    """Make the window so high that the whole lesson is in sight, drawn."""
    page, height = lesson.page, WINDOW["height"]
    page.set_viewport_size(WINDOW)
    for _try in range(3):
        height += page.evaluate(_MISSING)
        page.set_viewport_size({**WINDOW, "height": height})
        for explorer in shown(lesson, EXPLORERS).all():
            explorer.locator(".d20-still svg").first.wait_for()


def shown(lesson: Notebook, wanted: str) -> Locator:
    """Return the parts of the open lesson that a selector names."""
    return lesson.page.locator(f"{PANEL} :is({wanted})")


def code_cells(lesson: Notebook) -> list[Any]:
    """Return the code cells of the lesson as they are stored."""
    cells = nbformat.read(NOTEBOOKS / f"{lesson.name}.ipynb", as_version=4).cells
    return [cell for cell in cells if cell.cell_type == "code"]


def best(data: dict[str, Any]) -> str:
    """Return what Lab shows of an output, as far as formulas may be in it: HTML, or else LaTeX."""
    return "".join(data.get("text/html", data.get("text/latex", "")))


def test_runs_from_the_top(lesson: Notebook) -> None:
    """A learner's first act is to run everything: no cell may be left out, fail or grumble on the way."""
    assert lesson.finished is True
    outputs = lesson.outputs()
    assert len(outputs) > 5
    assert [output for output in outputs if output["output_type"] == "error" or output.get("name") == "stderr"] == []
    counts = lesson.page.evaluate("() => d20Panel.content.widgets.map((cell) => cell.model.executionCount ?? 0)")
    assert len([count for count in counts if count]) == len(code_cells(lesson))


def test_every_explorer_is_drawn(lesson: Notebook) -> None:
    """Where a cell builds an explorer, a player or a quiz, there is one: its picture with its words, not a gap."""
    trees = [ast.parse(cell.source) for cell in code_cells(lesson)]
    calls = [node.func for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)]
    built = [call.id for call in calls if isinstance(call, ast.Name) and call.id in KINDS]
    expect(shown(lesson, QUIZZES)).to_have_count(built.count("Quiz"))
    expect(shown(lesson, EXPLORERS)).to_have_count(len(built) - built.count("Quiz"))
    for explorer in shown(lesson, EXPLORERS).all():
        box = explorer.locator(".d20-chart svg").first.bounding_box()
        assert box is not None
        assert box["width"] > 300
        assert explorer.locator(".d20-chart svg :is(path.point, .point > path)").count() > 0
        assert explorer.get_by_role("status").first.inner_text().strip() != ""
        assert explorer.evaluate(_CUT) == []
    for quiz in shown(lesson, QUIZZES).all():
        assert quiz.locator(".d20-quiz-question").inner_text().strip() != ""
    assert shown(lesson, ".jupyter-widgets-disconnected, .jp-mod-error").count() == 0


def test_every_formula_is_set(lesson: Notebook) -> None:
    """A formula that stays its own source, or is set with an error in it, teaches backslashes."""
    written = [text for output in lesson.outputs() for text in FORMULA.findall(best(output.get("data", {})))]
    found = shown(lesson, ".jp-OutputArea mjx-container")
    expect(found).to_have_count(len(written))
    # All at once: while a battle's odds are found its formula is written anew again and again.
    sides = shown(lesson, f".jp-OutputArea mjx-container, {EXPLORERS} math").evaluate_all(SHORTER_SIDES)
    assert len(sides) >= len(written)
    assert min(sides, default=9) > 8
    assert shown(lesson, "mjx-merror, merror").count() == 0


def test_nothing_is_wider_than_the_page(lesson: Notebook) -> None:
    """Nobody finds what lies to the right of the page, and a line that must be scrolled is not read."""
    assert lesson.page.locator(PAGE).evaluate(_TOO_WIDE) == []


def test_pictures_for_people(lesson: Notebook, lab: Lab) -> None:
    """What only eyes can judge; the picture of a page of which nothing was shown would be small."""
    themes = ("Light", "Dark") if lesson.name in DARK else ("Light",)
    for theme in themes:
        with lab.theme(theme):
            assert sum(file.stat().st_size for file in take(lesson, theme.lower())) > 100_000


def take(lesson: Notebook, theme: str) -> list[Path]:
    """Save screenshots of the whole lesson, from top to bottom."""
    folder = SCREENSHOTS / "course"
    folder.mkdir(parents=True, exist_ok=True)
    box = lesson.page.locator(PAGE).bounding_box()
    assert box is not None
    files = []
    for number in range(ceil(box["height"] / PART)):
        top = box["y"] + number * PART
        height = min(PART, box["y"] + box["height"] - top)
        clip: FloatRect = {"x": box["x"], "y": top, "width": box["width"], "height": height}
        files.append(folder / f"{lesson.name.replace('/', '-')}-{theme}-{number + 1}.png")
        lesson.page.screenshot(path=files[-1], clip=clip)
    return files


@pytest.mark.parametrize("language", LANGUAGES)
def test_handout_prints_on_two_pages(browser: Browser, language: str) -> None:
    """One sheet a learner, printed on both sides; its title says two pages, too."""
    text = (NOTEBOOKS / language / "handout.md").read_text(encoding="utf-8")
    page = browser.new_page()
    page.set_content(f"<!doctype html><html lang='{language}'><body>{markdown2html(text)}</body></html>")
    margin = dict.fromkeys(("top", "bottom", "left", "right"), "15mm")
    printed = page.pdf(format="A4", margin=margin)  # type: ignore[arg-type]
    page.close()
    assert len(re.findall(rb"/Type ?/Page\b", printed)) == 2
