"""An explorer on a page of JupyterLab, as the tests for all explorers see and touch it."""

from __future__ import annotations

import json
import re
from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Locator, expect

from d20kit.language import set_language
from tests.browser.expected import Twin
from tests.browser.lab_page import Notebook

CONTROLS = "[role=slider], input, select, textarea, button, summary, [tabindex='0']"
# Each of them that can be reached now, given a number to know it by.
_NUMBER = """(root, wanted) => [...root.querySelectorAll(wanted)]
    .filter((node) => node.checkVisibility({ visibilityProperty: true }) && !node.disabled && node.tabIndex >= 0)
    .map((node, i) => (node.dataset.d20Number = String(i)))"""
_FOCUSED = "() => document.activeElement?.dataset.d20Number ?? ''"
_OPEN_ALL = """(root) => {
    root.querySelectorAll(".d20-fold[aria-expanded=false]").forEach((knob) => knob.click());
    root.querySelectorAll("details:not([open]) > summary").forEach((summary) => summary.click());
}"""
# All that is there to be read or heard, less what a learner can type himself and the names of functions.
_WORDS = """(root) => {
    const texts = new Set();
    const add = (text) => text?.trim() && texts.add(text.replaceAll("\u00a0", " ").replaceAll("\u2011", "-").trim());
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        if (!walker.currentNode.parentElement.closest("style, script, textarea, mi")) add(walker.currentNode.data);
    }
    root.querySelectorAll("[aria-label]").forEach((node) => add(node.getAttribute("aria-label")));
    root.querySelectorAll("[title]").forEach((node) => add(node.title));
    root.querySelectorAll("optgroup").forEach((node) => add(node.label));
    return [...texts];
}"""
_AXE = """async ([root, only]) => {
    const wanted = { resultTypes: ["violations"], ...(only ? { runOnly: only } : {}) };
    const { violations } = await axe.run(root, wanted);
    return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(" ")}`);
}"""


class OnPage:
    """An explorer in a cell of its own, and its twin, which says what it has to show."""

    def __init__(self, notebook: Notebook, twin: Twin) -> None:
        self.notebook, self.twin = notebook, twin
        self.page = notebook.page
        self.kind = type(twin.explorer)
        self.call = f"{self.kind.__name__}()"
        self.root = notebook.cell(self.call).locator(".d20-explorer")
        self.root.locator(".d20-still svg").first.wait_for()

    def knob(self, control: str) -> Locator:
        """Return the slider of a control by the name that a screen reader says."""
        return self.root.get_by_role("slider", name=self.twin.label(control), exact=True)

    @property
    def main(self) -> Locator:
        """The main slider."""
        return self.knob(self.twin.explorer.main)

    @property
    def sentence(self) -> Locator:
        """The summary on the page, which is read aloud when it changes."""
        return self.root.get_by_role("status").locator(".d20-sentence")

    def shows(self, position: int) -> None:
        """Wait until sentence, formula, number box and the words for the picture are those of a position."""
        expect(self.sentence).to_have_text(self.twin.sentence(position))
        assert self.root.locator("math").text_content() == self.twin.formula(position)
        expect(self.root.get_by_role("spinbutton", name=self.twin.main_label, exact=True)).to_have_value(str(position))
        expect(self.root.locator("[role=img]")).to_have_attribute("aria-label", self.twin.words(position))

    def start(self) -> None:
        """Bring the explorer back to where it began, in view and in English."""
        self.notebook.cell(self.call)
        set_language("en")
        self.tools()
        if self.root.locator(".d20-predict").is_visible():
            self.root.locator(".d20-predict button").last.press("Enter")
        if self.root.get_attribute("lang") != "en":
            self.press("English")
        self.press("Reset")
        self.shows(self.twin.start)

    def press(self, name: str) -> None:
        """Press a button by its name, with the keyboard."""
        self.root.get_by_role("button", name=name, exact=True).press("Enter")

    def tools(self) -> None:
        """Open the row of tools."""
        summary = self.root.locator(".d20-tools summary")
        if summary.locator("xpath=..").get_attribute("open") is None:
            summary.press("Enter")

    def open_all(self) -> None:
        """Open every group of controls and every disclosure."""
        open_all(self.root)

    def state(self) -> Any:
        """Copy the state by its button and return it."""
        box = self.root.locator(".d20-tools textarea")
        box.evaluate("(node) => { node.value = ''; }")
        self.press("Copy state")
        expect(box).to_have_value(re.compile('"version"'))
        return json.loads(box.input_value())

    def download(self, name: str) -> tuple[str, bytes]:
        """Press a button that saves a file, and return the file's name and what is in it."""
        with self.page.expect_download() as waiting:
            self.press(name)
        return waiting.value.suggested_filename, waiting.value.path().read_bytes()


def open_all(root: Locator) -> None:
    """Open every group of controls and every disclosure in an explorer, and wait for what is behind them."""
    root.evaluate(_OPEN_ALL)
    if root.locator(".d20-detail").count():
        root.locator(".d20-detail table").first.wait_for()


def complaints_of_axe(root: Locator, only: str | None = None) -> list[str]:
    """Return what axe finds wrong with an element and everything in it, by all its rules or one."""
    if not root.page.evaluate("() => 'axe' in window"):
        root.page.evaluate(AXE_SCRIPT)
    found = root.page.evaluate(_AXE, [root.element_handle(), only])
    return found  # type: ignore[no-any-return]


def tabbed(root: Locator) -> tuple[list[str], list[str]]:
    """Return the numbers of all controls in an element that can be reached now, and of those Tab leads to, in order."""
    every = root.evaluate(_NUMBER, CONTROLS)
    root.locator("[data-d20-number='0']").focus()
    reached = [root.page.evaluate(_FOCUSED)]
    for _control in every[1:]:
        root.page.keyboard.press("Tab")
        reached.append(root.page.evaluate(_FOCUSED))
    return every, reached


def words(root: Locator) -> set[str]:
    """Return every text in an element that can be read or heard."""
    return set(root.evaluate(_WORDS))


def inert(root: Locator) -> None:
    """Nothing that was written as text has become an element or has run."""
    assert root.locator("img, a, script, b").count() == 0
    assert root.page.evaluate("() => window.d20Hit") is None
