"""The reference in a browser: readable by eye and by ear in light and in dark, on a telephone, and from the disk."""

from __future__ import annotations

from pathlib import Path

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser

import d20kit
from d20kit.launch import site_reference

ROOT = Path(d20kit.__file__).resolve().parent.parent
_AXE = """async (only) => {
    const { violations } = await axe.run({ resultTypes: ["violations"], ...(only ? { runOnly: only } : {}) });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}"""
_BACKGROUND = "getComputedStyle(document.body).backgroundColor"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages of the reference."""
    site = tmp_path_factory.mktemp("site")
    (site / "files" / "en").mkdir(parents=True)
    site_reference.write(site, ROOT)
    return site / site_reference.FOLDER


def test_pages_can_be_read(folder: Path, browser: Browser) -> None:
    """Colours, headings and the keyboard's way are as they should be, and no line is wider than a telephone.

    Light and dark are one page, of which only the colours change.
    """
    page = browser.new_page(viewport={"width": 360, "height": 700})
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for file in sorted(folder.glob("*.html")):
        page.goto(file.as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, file.name
        page.evaluate(AXE_SCRIPT)
        assert page.evaluate(_BACKGROUND) == "rgb(255, 255, 255)"
        assert page.evaluate(_AXE) == [], file.name
        page.emulate_media(color_scheme="dark")
        assert page.evaluate(_BACKGROUND) == "rgb(22, 24, 27)"
        assert page.evaluate(_AXE, ["color-contrast"]) == [], file.name
        page.emulate_media(color_scheme="light")
    assert {url for url in asked if not url.startswith(folder.parent.as_uri())} == set()
    page.close()
