"""What happens to a class: a kernel is killed, a page is loaded again, a notebook is open in two tabs."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, expect

from d20kit.launch.lab import Server
from d20widgets import AttackExplorer
from tests.browser.expected import Twin
from tests.browser.gallery import write_code
from tests.browser.lab_page import ANSWER, IDLE, OPEN, Lab, Notebook
from tests.browser.lab_server import LESSONS

CELL = "from d20widgets import AttackExplorer\nAttackExplorer()"
WHO = "import os\nprint('kernel', os.getpid())"
# What Lab and ipywidgets say to somebody who looks under the hood, when a kernel is gone.
GONE = re.compile("Cannot send|Canceled future|comm|[Kk]ernel|WebSocket|disposed")
SAVE = "() => { jupyterapp.commands.execute('docmanager:save'); }"
SAVED = "() => d20Panel.context.model.dirty === false"

expect.set_options(timeout=ANSWER)


class Shown:
    """The attack explorer on a page, and its twin for the tables that it may have."""

    def __init__(self, notebook: Notebook) -> None:
        self.notebook, self.page = notebook, notebook.page
        self.twin = Twin(AttackExplorer())
        self.root = notebook.cell("AttackExplorer()").locator(".d20-explorer")
        self.root.locator(".d20-still svg").first.wait_for()

    def knob(self, name: str) -> Locator:
        """Return the slider of a control."""
        return self.root.get_by_role("slider", name=self.twin.label(name), exact=True)

    def tells(self, position: int) -> None:
        """Wait until sentence, formula and the words for the picture are those of one place in the twin's table."""
        expect(self.root.get_by_role("status").locator(".d20-sentence")).to_have_text(self.twin.sentence(position))
        expect(self.root.locator(".d20-formula math")).to_have_text(self.twin.formula(position))
        expect(self.root.locator("[role=img]")).to_have_attribute("aria-label", self.twin.words(position))

    def bonus_told(self) -> int:
        """Return the attack bonus of the table that the page has, read from its formula."""
        told = self.root.locator(".d20-formula math").text_content()
        low = self.twin.low
        for bonus in range(-5, 31):
            self.twin.explorer.move(bonus=bonus)
            if any(self.twin.formula(at) == told for at in range(low, self.twin.high + 1)):
                return bonus
        raise AssertionError(f"no attack bonus has the formula {told}")

    def works(self) -> None:
        """The main slider looks up, and another one asks the kernel: all tells one story again."""
        self.knob("ac").press("Home")
        self.tells(self.twin.low)
        self.twin.explorer.move(bonus=self.twin.explorer.values["bonus"] + 1)
        self.knob("bonus").press("ArrowRight")
        self.tells(self.twin.low)
        self.knob("ac").press("ArrowRight")
        self.tells(self.twin.low + 1)


def write(server: Server, name: str) -> None:
    """Write a notebook with the explorer, and with a cell that tells which process runs it."""
    write_code(server.root / LESSONS / f"{name}.ipynb", [WHO, CELL])


def kernel_of(notebook: Notebook) -> int:
    """Return the process of a notebook's kernel."""
    said = "".join(output.get("text", "") for output in notebook.outputs())
    return int(re.findall(r"kernel (\d+)", said)[-1])


@pytest.fixture
def other_tab(browser: Browser, server: Server) -> Iterator[Lab]:
    """Another window of JupyterLab on the same server; it may complain of as little as the first."""
    tab = Lab(browser, server)
    yield tab
    complaints, abroad = tab.complaints[:], tab.abroad[:]
    tab.context.close()
    assert (complaints, abroad) == ([], [])


def open_notebook(lab: Lab, name: str) -> Notebook:
    """Open a notebook that is running already, and run nothing."""
    lab.page.evaluate(OPEN, f"{LESSONS}/{name}.ipynb")
    lab.page.wait_for_function(IDLE)
    return Notebook(lab, name)


def save(notebook: Notebook) -> None:
    """Save a notebook as Ctrl-S does, and wait until it is saved."""
    notebook.page.evaluate(SAVE)
    notebook.page.wait_for_function(SAVED)


@pytest.mark.skipif(os.name == "nt", reason="Windows kills no process by a signal")
def test_a_kernel_killed_in_the_midst_of_a_drag(server: Server, lab: Lab) -> None:
    """Memory runs out while a learner drags: nothing wrong is shown, the picture moves, the cell brings all back."""
    write(server, "killed")
    with lab.notebook("killed") as notebook:
        shown = Shown(notebook)
        handle = shown.knob("bonus").bounding_box()
        assert handle
        x, y = handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2
        mouse = notebook.page.mouse
        mouse.move(x, y)
        mouse.down()
        for step in range(12):
            if step == 6:
                os.kill(kernel_of(notebook), signal.SIGKILL)
            mouse.move(x + 4 * step, y)
            notebook.page.wait_for_timeout(50)
        mouse.up()
        # Lab says that the kernel is gone and starts another, which knows nothing of the explorer.
        dialog = notebook.page.locator(".jp-Dialog", has_text="Kernel Restarting")
        dialog.wait_for()
        dialog.get_by_role("button", name="Ok").click()
        notebook.page.wait_for_function(IDLE)
        # What is on the page is one whole table, the last that came: and its main slider still moves.
        told = shown.bonus_told()
        for key, position in (("Home", shown.twin.low), ("ArrowRight", shown.twin.low + 1), ("End", shown.twin.high)):
            shown.knob("ac").press(key)
            shown.tells(position)
        assert shown.bonus_told() == told
        # A slider that can change nothing any more says so.
        expect(shown.root.locator(".d20-control .jupyter-widgets-disconnected").first).to_be_visible()
        shown.root.locator(".d20-tools summary").press("Enter")
        shown.root.get_by_role("button", name="Copy code", exact=True).press("Enter")
        expect(shown.root.locator(".d20-told")).to_have_text(re.compile("No answer from the kernel"))
        notebook.run_all()
        assert notebook.finished is True
        again = Shown(notebook)
        again.works()
        expect(again.root.locator(".jupyter-widgets-disconnected")).to_have_count(0)
    assert [complaint for complaint in lab.complaints if not GONE.search(complaint)] == []
    lab.complaints.clear()


def test_a_page_loaded_again_shows_what_was_there(server: Server, other_tab: Lab) -> None:
    """F5 in the midst of a lesson: the kernel goes on, and the explorer comes back as it was left."""
    write(server, "reload")
    other_tab.page.on("dialog", lambda dialog: dialog.accept())
    with other_tab.notebook("reload") as notebook:
        save(notebook)
        shown = Shown(notebook)
        shown.works()
        notebook.settle()
        other_tab.page.reload(wait_until="commit")
        other_tab.page.wait_for_function("() => window.jupyterapp?.restored.then(() => true)")
        again = Shown(open_notebook(other_tab, "reload"))
        again.twin = shown.twin
        again.tells(shown.twin.low + 1)
        again.works()


def test_two_tabs_on_one_notebook(server: Server, lab: Lab, other_tab: Lab) -> None:
    """A teacher shows on the projector what runs on the laptop: both tabs tell one story, whoever moves."""
    write(server, "tabs")
    with lab.notebook("tabs") as notebook:
        save(notebook)
        first = Shown(notebook)
        second = Shown(open_notebook(other_tab, "tabs"))
        second.twin = first.twin
        first.works()
        second.tells(first.twin.low + 1)
        second.works()
        first.tells(first.twin.low + 1)
        assert kernel_of(second.notebook) == kernel_of(notebook)
        # The cell, run once more in the other tab, makes another explorer; the first one stays alive in its tab.
        second.notebook.run_all()
        Shown(second.notebook).works()
        first.works()
        other_tab.page.close()
        first.works()
