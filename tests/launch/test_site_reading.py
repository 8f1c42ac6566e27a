"""The lessons of the static site as pages to read: all of them, linked, and with nothing in them that can run."""

from __future__ import annotations

import io
import itertools
import json
import re
from pathlib import Path
from typing import Any

import pytest

from d20kit.language import LANGUAGES
from d20kit.launch import site_reading
from d20kit.launch.checkout import Checkout
from d20kit.launch.pages_export import pictures
from d20kit.launch.progress import Progress
from d20kit.launch.site_parts import Parts


def files(folder: Path) -> list[str]:
    """Return the files in a folder."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def small_site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cells: list[dict[str, Any]]) -> tuple[Parts, Path]:
    """Return a kit with one lesson and one page in each language, and the wheel of it; to run it copies it."""
    kit = Checkout(tmp_path / "kit")
    static = pictures(kit)
    for language in LANGUAGES:
        folder = kit.root / "notebooks" / language
        folder.mkdir(parents=True)
        (folder / "01-dice.ipynb").write_text(json.dumps({"metadata": {}, "cells": cells}))
        (folder / "handout.md").write_text("# Two pages\n\n[Dice](01-dice.ipynb)\n")
    for file in (static / "plotly-basic.min.js", kit.lock("lab"), tmp_path / "kit.whl"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(file.name)

    def run_all(_checkout: Checkout, groups: list[list[Path]], out: Path) -> None:
        for lesson in itertools.chain.from_iterable(groups):
            target = out / lesson.parent.name / lesson.name
            target.parent.mkdir(exist_ok=True)
            target.write_text(lesson.read_text())

    monkeypatch.setattr(site_reading, "run_lessons", run_all)
    monkeypatch.setattr(Parts, "fetch_math", lambda self, progress: tmp_path)
    return Parts(kit, tmp_path / "kept"), tmp_path / "kit.whl"


EVIL = "<script>alert(1)</script>"
CELLS: list[dict[str, Any]] = [
    {"cell_type": "markdown", "source": [f"# {EVIL}\n"]},
    {"cell_type": "code", "source": ["name"], "outputs": [{"output_type": "stream", "text": [EVIL]}]},
]


def test_every_lesson_is_there_to_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each leads to the lesson that runs, to all lessons and to the other language; what stands beside runs nowhere."""
    parts, kit = small_site(tmp_path, monkeypatch, CELLS)
    site_reading.write(parts, kit, tmp_path / "site", Progress(io.StringIO()))
    assert files(tmp_path / "site" / "read") == [
        "en/01-dice.html", "en/handout.html", "id/01-dice.html", "id/handout.html", "plotly.min.js"
    ]  # fmt: skip
    lesson, beside = (
        (tmp_path / "site" / "read" / "en" / name).read_text() for name in ("01-dice.html", "handout.html")
    )
    ways = re.findall(r'href="([^"]*)"', lesson.partition("<nav>")[2].partition("</nav>")[0])
    assert ways == ["../../index.html", "../../lab/index.html?path=en/01-dice.ipynb", "../id/01-dice.html"]
    assert "01-dice.ipynb" not in beside
    assert '<a href="01-dice.html">Dice</a>' in beside


def test_words_on_a_page_to_read_stay_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pages lie beside a kernel and its files: what runs on them could reach what a learner wrote."""
    parts, kit = small_site(tmp_path, monkeypatch, CELLS)
    site_reading.write(parts, kit, tmp_path / "site", Progress(io.StringIO()))
    page = (tmp_path / "site" / "read" / "en" / "01-dice.html").read_text()
    assert EVIL not in page
    assert page.count("&lt;script&gt;alert(1)&lt;/script&gt;") == 2  # in the name of the window, and what was printed
    assert "script-src 'unsafe-inline' 'self' blob:;" in page


def test_lessons_run_again_only_for_another_kit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They take a minute; but a page must never show what an older kit said."""
    parts, kit = small_site(tmp_path, monkeypatch, CELLS)
    said = io.StringIO()
    for number, text in enumerate(("first", "first", "second")):
        kit.write_text(text)
        site_reading.write(parts, kit, tmp_path / f"site-{number}", Progress(said))
    assert said.getvalue().count("Running the lessons") == 2
