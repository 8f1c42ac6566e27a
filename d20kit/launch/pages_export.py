"""Run a lesson and write one HTML file of it."""

from __future__ import annotations

import base64
import json
import os
import sys
import tempfile
from collections.abc import Sequence
from html import escape
from pathlib import Path
from string import Template
from typing import Any

from d20kit.language import _
from d20kit.launch.checkout import PACKAGE, Checkout
from d20kit.launch.folders import jupyter_folders
from d20kit.launch.pages_explorers import Explorers
from d20kit.launch.pages_markup import Markup, code_style
from d20kit.launch.pages_target import MARK
from d20kit.launch.process import Child, clean_environment
from d20kit.launch.progress import Progress
from d20kit.launch.site_environment import failed, own_path
from d20kit.launch.site_parts import Parts

_LAUNCH = PACKAGE / "launch"
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
    """Run a lesson and write its page.

    Parameters
    ----------
    checkout : Checkout
        The folder with the kit's sources.
    kept : Path
        Where what is fetched stays for the next time.
    language, name : str
        Which lesson.
    others : sequence of str
        The lessons whose pages lie beside this one, so that links lead to them.
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
    notebook = _execute(checkout, checkout.root / "notebooks" / language / f"{name}.ipynb")
    text = render(notebook, language, markup, checkout.root / "widgets" / "d20widgets" / "static")
    fresh = page.with_name(f".{page.name}.new")
    try:
        fresh.write_text(text, "utf-8", newline="\n")
        os.replace(fresh, page)
    finally:
        fresh.unlink(missing_ok=True)


def _execute(checkout: Checkout, lesson: Path) -> dict[str, Any]:
    """Run a lesson in a kernel of its own and return it with outputs and the state of its widgets."""
    with tempfile.TemporaryDirectory(prefix="d20kit-", ignore_cleanup_errors=True) as name:
        env = clean_environment(PYTHONPATH=own_path(checkout), **jupyter_folders(Path(name)))
        command = [sys.executable, "-m", "nbconvert", "--to=notebook", "--execute", f"--output-dir={name}", str(lesson)]
        with Child(command, cwd=lesson.parent, env=env, piped=True) as child:
            said = child.lines.read()
            if child.wait():
                last = "\n".join(said.strip().splitlines()[-15:])
                words = _("{lesson} did not run. The last it said:\n{last}").format(lesson=lesson.stem, last=last)
                raise failed(said, lesson, words)
        return json.loads(Path(name, lesson.name).read_text("utf-8"))  # type: ignore[no-any-return]


def render(notebook: dict[str, Any], language: str, markup: Markup, static: Path) -> str:
    """Return the page of a lesson that has run.

    >>> cells = [{"cell_type": "markdown", "source": ["# Dice"]}]
    >>> page = render({"metadata": {}, "cells": cells}, "en", Markup(Path("math"), []), Path("static"))
    >>> "<title>Dice</title>" in page
    True
    """
    explorers = Explorers(notebook["metadata"].get("widgets", {}))
    body = "\n".join(_cell(cell, markup, explorers) for cell in notebook["cells"])
    title = "".join(notebook["cells"][0]["source"]).partition("\n")[0].removeprefix("# ")
    plotly = (static / "plotly-basic.min.js").read_text("utf-8") if explorers.found else ""
    assert "</script" not in plotly.lower()
    return Template((_LAUNCH / "pages.html").read_text("utf-8")).substitute(
        language=escape(language),
        mark=MARK,
        title=escape(title),
        body=body,
        style=f"{code_style()}\n{explorers.style}",
        plotly=plotly,
        data=explorers.data(),
        script=(_LAUNCH / "pages.js").read_text("utf-8"),
    )


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
        image = base64.b64encode(base64.b64decode(data["image/png"])).decode()
        return f'<img alt="{escape(data.get("text/plain", ""))}" src="data:image/png;base64,{image}">'
    return f"<pre>{escape(data['text/plain'])}</pre>" if "text/plain" in data else ""
