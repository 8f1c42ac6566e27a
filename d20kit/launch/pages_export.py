"""Write one HTML file of a lesson that has run, or of a page that stands beside the lessons."""

from __future__ import annotations

import base64
import os
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from d20kit.language import _
from d20kit.launch.checkout import Checkout
from d20kit.launch.pages_explorers import Explorers
from d20kit.launch.pages_markup import Markup
from d20kit.launch.pages_run import run_lesson
from d20kit.launch.pages_sheet import ALONE, Surroundings, fill
from d20kit.launch.progress import Progress
from d20kit.launch.site_parts import Parts

_VIEW = "application/vnd.jupyter.widget-view+json"


def export(
    checkout: Checkout,
    kept: Path,
    language: str,
    name: str,
    others: Sequence[str],
    page: Path,
    progress: Progress,
) -> None:
    """Write the page of a lesson, which is run for it, or of what stands beside the lessons.

    Parameters
    ----------
    checkout : Checkout
        The folder with the kit's sources.
    kept : Path
        Where what is fetched stays for the next time.
    language, name : str
        Which lesson or page; the kit speaks this language.
    others : sequence of str
        The lessons and pages that lie beside this one, so that links lead to them.
    page : Path
        The file to write; an older one stays until the new one is whole.
    progress : Progress
        Where to say what is going on.

    Raises
    ------
    Problem
        If the lesson does not run, or something cannot be fetched.
    """
    markup = Markup(Parts(checkout, kept).fetch_math(progress), others)
    folder, static = checkout.root / "notebooks" / language, pictures(checkout)
    if (folder / f"{name}.md").is_file():
        text = render_page(name, (folder / f"{name}.md").read_text("utf-8"), language, markup, static)
    else:
        text = render(run_lesson(checkout, folder / f"{name}.ipynb"), language, markup, static)
    fresh = page.with_name(f".{page.name}.new")
    try:
        fresh.write_text(text, "utf-8", newline="\n")
        os.replace(fresh, page)
    finally:
        fresh.unlink(missing_ok=True)


def pictures(checkout: Checkout) -> Path:
    """Return the folder with the files of the pictures.

    >>> pictures(Checkout(Path("kit"))).as_posix()
    'kit/widgets/d20widgets/static'
    """
    return checkout.root / "widgets" / "d20widgets" / "static"


def render(notebook: dict[str, Any], language: str, markup: Markup, static: Path, around: Surroundings = ALONE) -> str:
    """Return the page of a lesson that has run.

    >>> cells = [{"cell_type": "markdown", "source": ["# Dice"]}]
    >>> page = render({"metadata": {}, "cells": cells}, "en", Markup(Path("math"), []), Path("static"))
    >>> "<title>Dice</title>" in page
    True
    """
    explorers = Explorers(notebook["metadata"].get("widgets", {}))
    body = "\n".join(_cell(cell, markup, explorers) for cell in notebook["cells"])
    return fill(
        language=language,
        kind="lesson",
        title=_title("".join(notebook["cells"][0]["source"])),
        note=_(
            "This is the lesson as a page to read: the main slider of each picture moves. Whatever else can be "
            "dragged, typed or run needs the lesson itself."
        ),
        body=body,
        explorers=explorers,
        static=static,
        around=around,
    )


def render_page(
    name: str, source: str, language: str, markup: Markup, static: Path, around: Surroundings = ALONE
) -> str:
    """Return the page of a text that stands beside the lessons, such as the handout.

    >>> page = render_page("handout", "# On two pages", "en", Markup(Path("math"), []), Path("static"))
    >>> '<body class="handout"' in page
    True
    """
    printed = _("To have it on paper, two pages of it, print this page.") if name == "handout" else ""
    return fill(
        language=language,
        kind=name,
        title=_title(source),
        note=printed,
        body=markup.prose(source),
        explorers=Explorers({}),
        static=static,
        around=around,
    )


def _title(source: str) -> str:
    return source.partition("\n")[0].removeprefix("# ")


def _cell(cell: dict[str, Any], markup: Markup, explorers: Explorers) -> str:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        return markup.prose(source)
    if cell["cell_type"] != "code":
        return ""
    shown = "".join(_output(output, markup, explorers) for output in cell["outputs"])
    return f'<div class="cell">{markup.code(source)}<div class="output">{shown}</div></div>'


def _output(output: dict[str, Any], markup: Markup, explorers: Explorers) -> str:
    if output["output_type"] == "stream":
        return f"<pre>{escape(''.join(output['text']))}</pre>"
    given = output.get("data", {})
    data = {kind: "".join(value) for kind, value in given.items() if not isinstance(value, dict)}
    twin = markup.table(data["text/html"]) if "text/html" in data else ""
    shown = explorers.place(given[_VIEW]["model_id"], twin) if _VIEW in given else twin
    if shown:
        return shown
    if "text/latex" in data:
        return markup.formula(data["text/latex"])
    if "image/png" in data:
        # Written anew: nothing else than base64 may get into the page.
        image = base64.b64encode(base64.b64decode(data["image/png"])).decode()
        return f'<img alt="{escape(data.get("text/plain", ""))}" src="data:image/png;base64,{image}">'
    return f"<pre>{escape(data['text/plain'])}</pre>" if "text/plain" in data else ""
