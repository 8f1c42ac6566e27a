"""``python -m tests.bench.site_start [SITE]``: how long a first visitor waits for the first picture of a lesson.

Beside it stands the least that a page of JupyterLite can show: the very same site, whose Python loads neither the kit
nor what the kit needs, and one slider. What it takes is the browser's and JupyterLite's own; what a lesson takes
beyond it is the kit's. Each visit is a first one, nothing is in the browser's memory, and the two take turns.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from d20kit.launch.browser import find_chromium
from tests.bench.line import Line, amount, judged
from tests.bench.measure import machine, table
from tests.bench.site_load import built
from tests.browser.conftest import _FLAGS
from tests.browser.site_page import Visit, serve

# What to wait for: a cell of the lesson, and what it draws.
LESSONS = {
    "01-attack": ("AttackExplorer(", ".d20-explorer .d20-still svg"),
    "07-surprise-round-battle": ("encounter = Encounter(", ".jp-OutputArea-output"),
}
_BARE = ("IntSlider(", ".noUi-handle")
_PLACE = "en/00-start.ipynb"
_LONGEST = 25
_LEAST_RATIO = 1 / 1.3


def bare_demo(site: Path, folder: Path) -> Path:
    """Make the site with one slider: a copy of the site, less the kit."""
    demo = folder / "demo"
    shutil.copytree(site, demo)
    settings = demo / "jupyter-lite.json"
    text = json.loads(settings.read_text("utf-8"))
    settings.write_text(json.dumps(_without_kit(text)), "utf-8")
    notebook = json.loads((demo / "files" / _PLACE).read_text("utf-8"))
    cell: dict[str, Any] = {"cell_type": "code", "id": "slider", "metadata": {}, "outputs": [], "execution_count": None}
    notebook["cells"] = [cell | {"source": "import ipywidgets\n\nipywidgets.IntSlider()"}]
    (demo / "files" / _PLACE).write_text(json.dumps(notebook), "utf-8")
    return demo


def _without_kit(settings: dict[str, Any]) -> dict[str, Any]:
    (kernel,) = settings["jupyter-config-data"]["litePluginSettings"].values()
    packages = kernel["loadPyodideOptions"]["packages"]
    packages[packages.index("d20kit")] = "ipywidgets"
    return settings


def first_picture(browser: Browser, site: Path, lesson: str, cell: str, picture: str) -> float:
    """Return how many seconds pass until a first visitor sees what a cell draws."""
    with serve(site) as server:
        visit = Visit(browser, server)
        visit.run(lesson, cell, picture)
        visit.context.close()
    return visit.first_picture


def lines(given: Path | None = None, rounds: int = 3) -> Iterator[Line]:
    """Measure a site, or one that is built for it."""
    with built(given) as site, tempfile.TemporaryDirectory(dir=site.parent) as folder, sync_playwright() as playwright:
        demo = bare_demo(site, Path(folder))
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=_FLAGS)
        waits: dict[str, list[float]] = {"": [], **{lesson: [] for lesson in LESSONS}}
        for _round in range(rounds):
            waits[""].append(first_picture(browser, demo, _PLACE, *_BARE))
            for lesson, sought in LESSONS.items():
                waits[lesson].append(first_picture(browser, site, f"en/{lesson}.ipynb", *sought))
        browser.close()
    least = median(waits.pop(""))
    yield judged("a bare slider on the same site", least)
    for lesson, seconds in waits.items():
        wait = median(seconds)
        what = f"{lesson}: the first picture of a first visit"
        yield judged(
            what, wait, most=_LONGEST, peer="a bare slider", ratio=least / wait, least_ratio=round(_LEAST_RATIO, 2)
        )


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("site", type=Path, nargs="?", help="a built site; without one it is built first")
    options.add_argument("--rounds", type=int, default=3)
    asked = options.parse_args()
    measured = list(lines(asked.site, asked.rounds))
    rows = [
        [line.name, amount(line.figure, line.unit), f"{1 / line.ratio:.2f}" if line.ratio else ""] for line in measured
    ]
    print(table(["the static site", "waits", "times a bare slider"], rows))
    print(machine("playwright"))
    if not all(line.met for line in measured):
        raise SystemExit("not as required: " + "; ".join(line.name for line in measured if not line.met))


if __name__ == "__main__":
    main()
