"""The reference in a browser: readable by eye and by ear in light and in dark, on a telephone, and from the disk."""

from __future__ import annotations

from pathlib import Path

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser

import d20kit
from d20kit.launch import site_reference

ROOT = Path(d20kit.__file__).resolve().parent.parent
_AXE = """() => axe.run({ resultTypes: ["violations"] }).then(({ violations }) =>
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`))"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages of the reference."""
    site = tmp_path_factory.mktemp("site")
    (site / "files" / "en").mkdir(parents=True)
    site_reference.write(site, ROOT)
    return site / site_reference.FOLDER


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pages_can_be_read(folder: Path, browser: Browser, theme: str) -> None:
    """Colours, headings and the keyboard's way are as they should be, and no line is wider than a telephone."""
    context = browser.new_context(color_scheme="dark" if theme == "dark" else "light")
    page = context.new_page()
    page.set_viewport_size({"width": 360, "height": 700})
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for file in sorted(folder.glob("*.html")):
        page.goto(file.as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, file.name
        page.evaluate(AXE_SCRIPT)
        assert page.evaluate(_AXE) == [], file.name
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == (
        "rgb(22, 24, 27)" if theme == "dark" else "rgb(255, 255, 255)"
    )
    assert {url for url in asked if not url.startswith(folder.parent.as_uri())} == set()
    context.close()
