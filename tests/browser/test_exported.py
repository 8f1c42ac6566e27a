"""Exported pages: from the disk, without a network, they are read, moved and printed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from d20kit.language import LANGUAGES
from d20kit.launch.checkout import PACKAGE

ROOT = PACKAGE.parent
ATTACK, HANDOUT = "01-attack", "handout"
Scheme = Literal["light", "dark"]
INK = "() => getComputedStyle(document.body).color"


@pytest.fixture(autouse=True)
def lab() -> None:
    """Take the place of JupyterLab, which the other browser tests share: these need none."""


def export(name: str, out: Path, language: str) -> Path:
    """Export a page as a person does, and return it."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "widgets")))}
    command = [sys.executable, "-m", "d20kit", "page", name, str(out), "--language", language]
    said = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    if "there is no network" in said.stderr:
        pytest.skip(f"what writes formulas for browsers could not be fetched: {said.stderr.strip()}")
    assert said.returncode == 0, said.stdout + said.stderr
    return out / f"{name}.html"


@pytest.fixture(scope="module")
def attack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Export a lesson with a picture."""
    return export(ATTACK, tmp_path_factory.mktemp("pages"), "en")


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """Open a window of its own; it fails the test if a script complains or anything is asked of a network."""
    complaints: list[str] = []
    context = browser.new_context(viewport={"width": 1000, "height": 1400})
    page = context.new_page()
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    page.on("request", lambda asked: complaints.append(asked.url) if asked.url.startswith("http") else None)
    yield page
    context.close()
    assert complaints == []


def open_attack(page: Page, attack: Path) -> None:
    """Open the lesson and wait for its picture."""
    page.goto(attack.as_uri())
    page.locator(".d20-explorer .d20-still svg").first.wait_for()


def test_exported_page_moves_without_python(page: Page, attack: Path) -> None:
    """A page that was sent by mail shows its picture and moves it."""
    open_attack(page, attack)
    told = page.locator(".d20-sentence")
    before, knob = told.inner_text(), page.get_by_role("slider")
    knob.press("Home")
    expect(told).not_to_have_text(before)
    first, formula = told.inner_text(), page.locator(".d20-formula math").inner_html()
    knob.press("End")
    expect(told).not_to_have_text(first)
    assert page.locator(".d20-formula math").inner_html() != formula
    assert page.locator(".d20-live svg").count() > 0
    assert page.locator(".output > table math").count() > 2


def test_exported_page_says_what_it_cannot_do(page: Page, attack: Path) -> None:
    """It has one slider of an explorer and no button: nothing on it is dead, and it says where the rest is."""
    open_attack(page, attack)
    expect(page.locator(".note")).to_contain_text("needs the lesson itself")
    assert page.locator("button, select, input:not([type=range])").count() == 0
    assert page.get_by_role("slider").count() == 1


@pytest.mark.parametrize(("before", "after"), [("light", "dark"), ("dark", "light")])
def test_exported_page_is_readable_in_light_and_in_dark(
    page: Page, attack: Path, before: Scheme, after: Scheme
) -> None:
    """Dark words or a dark picture on a dark page cannot be read; the picture goes along when the system changes."""
    page.emulate_media(color_scheme=before)
    open_attack(page, attack)
    ink = page.evaluate(INK)
    expect(page.locator(".d20-back [class$='tick'] text").first).to_have_css("fill", ink)
    page.emulate_media(color_scheme=after)
    assert page.evaluate(INK) != ink
    expect(page.locator(".d20-back [class$='tick'] text").first).to_have_css("fill", page.evaluate(INK))
    assert Axe().run(page).violations_count == 0


@pytest.mark.parametrize("paper", ["A4", "Letter"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_handout_is_two_pages_of_paper(page: Page, tmp_path: Path, language: str, paper: str) -> None:
    """A sheet of paper has two sides; a third page would be printed for every learner."""
    page.goto(export(HANDOUT, tmp_path, language).as_uri())
    printed = page.pdf(format=paper)
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 2
    assert Axe().run(page).violations_count == 0
