"""What others wrote stays characters where a lesson is sent around: on an exported page and the site's first page."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Browser, Page, expect

from d20kit.launch import site_landing
from d20kit.launch.checkout import PACKAGE
from tests.browser.gallery import HOSTILE, KERNEL, NAMES
from tests.browser.test_lessons import HOSTILE as HOSTILE_EXPLORER
from tests.widgets.every import EVIL

ROOT = PACKAGE.parent
NAME = "99-hostile"
# All that somebody may try in what they write; the last one as a name in a table.
PROSE = f"# Title {EVIL}\n\n{EVIL}\n\n[go](javascript:window.d20Hit=1) <svg onload='window.d20Hit=1'></svg>"
PRINTED = f"print({EVIL!r})"
SHOWN = f"""
class Shown:
    def _repr_html_(self):
        return {EVIL!r} + '<p onclick="window.d20Hit=1" style="background:url(//d20kit.invalid)">paragraph</p>'
Shown()
"""
# What is on the page that could run, or ask for something, and did not come with the kit.
HARM = """() => [...document.querySelectorAll("*")].flatMap((node) => [...node.attributes]
    .filter(({ name, value }) => /^on/i.test(name) || /^\\s*javascript:/i.test(value)
        || (["src", "href"].includes(name) && /evil|^x$|invalid/.test(value)))
    .map(({ name, value }) => `${node.localName} ${name}=${value}`))"""


@pytest.fixture(autouse=True)
def lab() -> None:
    """Take the place of JupyterLab, which the other browser tests share: these need none."""


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """Open a window of its own; it fails the test if anything complains, asks a network or runs what was written."""
    complaints: list[str] = []
    context = browser.new_context(viewport={"width": 1000, "height": 1400})
    page = context.new_page()
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    page.on("dialog", lambda dialog: complaints.append(dialog.message))
    page.on("request", lambda asked: complaints.append(asked.url) if asked.url.startswith("http") else None)
    yield page
    assert page.evaluate("() => window.d20Hit") is None
    assert page.evaluate(HARM) == []
    context.close()
    assert complaints == []


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Export a lesson full of attacks, from a copy of the kit, as a person does, and return its page."""
    kit = tmp_path_factory.mktemp("kit")
    for name in ("d20kit", "widgets", "binder"):
        shutil.copytree(ROOT / name, kit / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, kit / name)
    cells = [nbformat.v4.new_markdown_cell(PROSE)]
    cells += [nbformat.v4.new_code_cell(source) for source in (PRINTED, SHOWN, HOSTILE, HOSTILE_EXPLORER)]
    lessons = kit / "notebooks" / "en"
    lessons.mkdir(parents=True)
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": KERNEL}), lessons / f"{NAME}.ipynb")
    env = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (kit, kit / "widgets")))}
    command = [sys.executable, "-m", "d20kit", "page", NAME, str(kit / "out"), "--language", "en"]
    said = subprocess.run(command, cwd=kit, env=env, capture_output=True, text=True)
    if "there is no network" in said.stderr:
        pytest.skip(f"what writes formulas for browsers could not be fetched: {said.stderr.strip()}")
    assert said.returncode == 0, said.stdout + said.stderr
    return kit / "out" / f"{NAME}.html"


def test_nothing_in_an_exported_page_runs(page: Page, hostile: Path) -> None:
    """A learner's battle may be named by anybody, and the page of it is opened by somebody else."""
    page.goto(hostile.as_uri())
    page.locator(".d20-explorer .d20-still svg").first.wait_for()
    # What was printed stands there as it was written, and so do title, sentence and formula of the explorer.
    expect(page.locator("pre").filter(has_text=EVIL)).not_to_have_count(0)
    expect(page.locator(".d20-explorer .d20-sentence").last).to_have_text(EVIL)
    expect(page.locator(".d20-explorer math").last).to_have_text(EVIL)
    expect(page.locator("body")).to_contain_text(NAMES[0])
    assert "<script>" in page.title()
    for knob in page.get_by_role("slider").all():
        knob.press("Home")
        knob.press("End")
    page.get_by_text("paragraph", exact=True).click()
    assert page.locator("img, iframe, object, .output [href], .d20-explorer [href]").count() == 0


def test_nothing_on_the_first_page_of_the_site_runs(page: Page, tmp_path: Path) -> None:
    """The titles of lessons are on the page that every visitor sees, before anything has asked them."""
    for language in ("en", "id"):
        lessons = tmp_path / "files" / language
        lessons.mkdir(parents=True)
        cell = nbformat.v4.new_markdown_cell(f"# {EVIL}\n\n- aim {EVIL};\n- end.\n")
        nbformat.write(nbformat.v4.new_notebook(cells=[cell]), lessons / f"{NAME}.ipynb")
    (tmp_path / "lab").mkdir()
    (tmp_path / "lab" / "favicon.ico").touch()  # the rest of the site is not needed here
    site_landing.write(tmp_path, ROOT)
    page.goto((tmp_path / "index.html").as_uri())
    expect(page.locator("body")).to_contain_text(EVIL)
    assert page.locator("img, script:not([type='application/json'])").count() == 0
