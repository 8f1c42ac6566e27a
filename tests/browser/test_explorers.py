"""Every explorer in a real JupyterLab: drawn, answering to keys and mouse, in both languages, and open to everybody."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Locator, Position, expect

import d20kit
import d20widgets
from d20kit.amounts import fraction_text
from d20kit.language import set_language
from d20kit.launch.lab import Server
from d20widgets.controls import Written
from d20widgets.explorer import Explorer
from d20widgets.unbroken import unbroken
from tests.browser.drawing import drawn
from tests.browser.expected import Twin
from tests.browser.gallery import unchanged, write_gallery
from tests.browser.lab_page import ANSWER, SCREENSHOTS, Lab, Notebook
from tests.browser.lab_server import LESSONS
from tests.browser.on_page import OnPage, complaints_of_axe, inert, open_all, tabbed, words
from tests.widgets.every import EVIL, EXPLORERS

PNG = b"\x89PNG\r\n\x1a\n"
PLOTTED = ".d20-layer svg :is(.trace, .heatmaplayer image)"
KINDS = ("[role=slider]", "input[type=number]", "input[type=checkbox]", "select", "button", "summary")
KEYS = ("ArrowUp", "ArrowDown", "ArrowRight", "ArrowLeft", "j", "b")

expect.set_options(timeout=ANSWER)


@pytest.fixture(scope="module")
def gallery(opened_lab: Lab, server: Server, catalogue: Path) -> Iterator[Notebook]:
    """A notebook with every explorer in it, open and run."""
    write_gallery(server.root / LESSONS / "gallery.ipynb", [kind.__name__ for kind in EXPLORERS], catalogue)
    with opened_lab.notebook("gallery") as notebook:
        yield notebook


@pytest.fixture(scope="module", params=EXPLORERS, ids=lambda kind: kind.__name__)
def shown(request: pytest.FixtureRequest, gallery: Notebook) -> Iterator[OnPage]:
    """One of the explorers; all its tests come one after the other."""
    set_language("en")
    explorer: Explorer = request.param()
    if isinstance(explorer, d20widgets.BattlePlayer):
        explorer.compute()
    yield OnPage(gallery, Twin(explorer))
    explorer.close()


@pytest.fixture
def explorer(shown: OnPage) -> Iterator[OnPage]:
    """The explorer as it was built."""
    shown.start()
    yield shown
    set_language("en")


def test_notebook_runs(gallery: Notebook) -> None:
    """An explorer that fails in its cell, or grumbles, would fail everywhere below for no clear reason."""
    assert gallery.finished is True
    assert [one for one in gallery.outputs() if one["output_type"] == "error" or one.get("name") == "stderr"] == []


def test_picture_and_tables_follow_keys_and_mouse(explorer: OnPage) -> None:
    """Every key leads where it should, and so does the pointer; picture, sentence and tables tell of the same place."""
    before, pictures = explorer.notebook.place, dict[int, list[Any]]()
    assert explorer.root.locator(PLOTTED).count() > 0
    for key, position in explorer.twin.presses():
        explorer.main.press(key)
        explorer.shows(position)
        others = [picture for place, picture in pictures.items() if place != position]
        pictures[position] = explorer.notebook.lab.eventually(partial(another_than, others, explorer))
    explorer.open_all()
    shows_detail(explorer, position)
    explorer.main.drag_to(explorer.root.locator(".d20-main .noUi-base"), target_position=end_of(explorer))
    explorer.shows(explorer.twin.high)
    shows_detail(explorer, explorer.twin.high)
    assert explorer.notebook.place == before


def another_than(others: list[list[Any]], explorer: OnPage) -> list[Any]:
    """Return what is drawn, less its height on a page that may be scrolled; none of the others may look the same."""
    traces = drawn(explorer.root)
    picture = [(one.text, [(shape.x, shape.width) for shape in (*one.bars, *one.marks)]) for one in traces]
    assert picture not in others
    return picture


def end_of(explorer: OnPage) -> Position:
    """The last point of the main slider's line."""
    box = explorer.root.locator(".d20-main .noUi-base").bounding_box()
    assert box
    return {"x": box["width"] - 1, "y": box["height"] / 2}


def shows_detail(explorer: OnPage, position: int) -> None:
    """The tables behind the disclosure, where there is one, are those of a position of the main slider."""
    twin = explorer.twin.explorer
    if not twin.detail_box:
        assert explorer.root.locator(".d20-detail").count() == 0
        return
    tables = twin.detail(twin.numbers(explorer.twin.values(position)))
    expect(explorer.root.locator(".d20-detail caption")).to_have_text([table.caption for table in tables])
    cells = [cell for table in tables for row in table.rows for cell in row]
    expect(explorer.root.locator(".d20-detail td")).to_have_text(cells)


def test_keyboard_reaches_every_control_and_stays_there(explorer: OnPage) -> None:
    """Who cannot use a mouse must get everywhere and be told where he is, and Lab may take none of the keys."""
    before = explorer.notebook.place
    explorer.open_all()
    every, reached = tabbed(explorer.root)
    assert len(every) >= 2 * len(explorer.kind.controls)
    assert reached == every
    kept = "(nodes) => nodes.map((node) => node.dataset.lmSuppressShortcuts ?? node.outerHTML)"
    assert set(explorer.root.locator("[data-d20-number]").evaluate_all(kept)) == {"true"}
    handles = explorer.root.get_by_role("slider")
    assert handles.evaluate_all("(nodes) => nodes.every((node) => node.getAttribute('aria-label'))")
    for kind in KINDS:
        for node in explorer.root.locator(f"{kind}:visible:not(:disabled)").all()[:1]:
            for key in KEYS:
                node.press(key)
    assert explorer.notebook.place == before
    explorer.notebook.settle()


def test_example_comes_back_from_its_state_and_tells_its_seed(explorer: OnPage) -> None:
    """What a learner sends to a friend, or prints on a worksheet, must bring the very same picture again."""
    explorer.press("Random example")
    state = explorer.state()
    built = explorer.kind.from_state(state)
    # The chances in a battle are found little by little.
    said = unbroken(built.summary.split(" Chance to win")[0])
    expect(explorer.sentence).to_contain_text(said)
    explorer.notebook.settle()
    assert explorer.state() == state
    name, picture = explorer.download("Picture as SVG")
    text = " ".join(ElementTree.fromstring(picture).itertext())
    assert name == f"{explorer.kind.__name__}.svg"
    assert f"d20kit {d20kit.__version__}, seed " in text
    seed = int(re.findall(r"seed (\d+)", text)[0])
    # An explorer with a seed of its own tells that one; any other seed brings the same example again.
    if "seed" in state["values"]:
        assert seed == state["values"]["seed"]
    else:
        built.reset()
        built.random(seed)
        assert built.state == state
    built.close()
    explorer.press("Reset")
    explorer.shows(explorer.twin.start)
    explorer.root.locator(".d20-tools textarea").fill(json.dumps(state))
    explorer.press("Use this state")
    expect(explorer.sentence).to_contain_text(said)
    assert explorer.state() == state


def test_files_hold_the_picture_and_its_data(explorer: OnPage) -> None:
    """A teacher takes the picture into a worksheet and the data into a spreadsheet: both must open there."""
    name, data = explorer.download("Data as CSV")
    assert name == f"{explorer.kind.__name__}.csv"
    rows = list(csv.reader(io.StringIO(data.decode("utf-8"))))
    assert len(rows) == 1 + len(explorer.twin.explorer.table())
    assert len({len(row) for row in rows}) == 1
    name, pixels = explorer.download("Picture as PNG")
    assert name == f"{explorer.kind.__name__}.png"
    assert pixels.startswith(PNG)
    assert pixels.endswith(b"IEND\xaeB\x60\x82")
    assert int.from_bytes(pixels[16:20], "big") == 2000


def test_indonesian_leaves_no_english(explorer: OnPage) -> None:
    """Switched live, every label, sentence and word in the picture is the catalogue's."""
    explorer.open_all()
    english = words(explorer.root)
    explorer.press("Bahasa Indonesia")
    set_language("id")
    explorer.shows(explorer.twin.start)
    expect(explorer.root).to_have_attribute("lang", "id")
    explorer.notebook.lab.eventually(partial(nothing_of, english, explorer.root))
    set_language("en")
    explorer.press("English")
    explorer.shows(explorer.twin.start)


def nothing_of(english: set[str], root: Locator) -> None:
    """No text of these is left, but names and what is the same in both languages."""
    assert sorted(text for text in english & words(root) if not unchanged(text)) == []


def test_prediction_hides_the_picture_until_it_is_locked(explorer: OnPage) -> None:
    """A learner who sees the answer while he guesses learns nothing."""
    twin = explorer.twin.explorer
    question, exact = twin.question(twin.numbers(twin.values))
    explorer.press("Predict first")
    box = explorer.root.get_by_role("textbox", name=question, exact=True)
    expect(box).to_be_focused()
    for part in (".d20-chart", ".d20-formula", ".d20-sentence", ".d20-chart svg"):
        expect(explorer.root.locator(part).first).to_be_hidden()
    box.fill(fraction_text(Fraction(exact)))
    box.press("Enter")
    expect(explorer.root.locator(".d20-feedback")).to_contain_text("Right: ")
    expect(explorer.root.locator(".d20-chart")).to_be_visible()
    explorer.press("Stop predicting")
    expect(explorer.root.locator(".d20-predict")).to_be_hidden()


def test_written_texts_stay_texts(explorer: OnPage) -> None:
    """Whatever is written into a box comes back in the refusal, and must come back as characters."""
    explorer.open_all()
    for control in explorer.kind.controls:
        if type(control) is not Written:
            continue
        box = explorer.root.get_by_role("textbox", name=control.label, exact=True)
        field = box.locator("xpath=ancestor::*[contains(concat(' ', @class, ' '), ' d20-control ')]")
        box.fill(EVIL)
        box.press("Tab")
        expect(field.locator(".d20-error")).to_contain_text(EVIL[:20])
        expect(box).to_have_attribute("aria-invalid", "true")
    box = explorer.root.locator(".d20-tools textarea")
    box.fill(EVIL)
    explorer.press("Use this state")
    expect(explorer.root.locator(".d20-tools .d20-error")).to_contain_text(EVIL[:20])
    inert(explorer.root)


@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_everybody_can_use_every_explorer(gallery: Notebook, theme: str) -> None:
    """All that can be opened is open, and still axe finds nothing; the screenshots are for people."""
    found = {}
    with gallery.lab.theme(theme), gallery.lab.high_window():
        for kind in EXPLORERS:
            root = gallery.cell(f"{kind.__name__}()").locator(".d20-explorer")
            root.locator(".d20-still svg").first.wait_for()
            open_all(root)
            gallery.lab.keep_picture(root, SCREENSHOTS / f"{kind.__name__}-{theme.lower()}.png")
            # Another theme changes the colours and nothing else.
            found[kind.__name__] = complaints_of_axe(root, "color-contrast" if theme == "Dark" else None)
    assert {name: complaints for name, complaints in found.items() if complaints} == {}
