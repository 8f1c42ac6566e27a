"""``python -m notebooks.build [NAME...]``: turn the sources of the lessons into executed, clean notebooks."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

from notebooks import lesson

ROOT = lesson.NOTEBOOKS.parent
# A view of a widget is nothing without the widget's state, which is not stored; what stands beside it is.
_LOST = "application/vnd.jupyter.widget-view+json"
# An answer stays folded away until its reader has run the cell, which unfolds it. JupyterLab writes the first line of
# the first output beside the fold, so that one has nothing to show; strict nbval finds nothing in it to compare.
_FOLDED = {"outputs_hidden": True}
_BLANK = {"output_type": "display_data", "data": {}, "metadata": {}}


def execute(notebook: NotebookNode, folder: Path) -> None:
    """Run a notebook as a learner does, and leave in it only what is the same after every run.

    Raises
    ------
    nbclient.exceptions.CellExecutionError
        If a cell ends in an error.
    """
    places = [str(ROOT), str(ROOT / "widgets"), *filter(None, [os.environ.get("PYTHONPATH")])]
    client = NotebookClient(
        notebook,
        timeout=120,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
        record_timing=False,
        coalesce_streams=True,
        store_widget_state=False,
    )
    before = dict(notebook.metadata)
    client.execute(env={**os.environ, "PYTHONPATH": os.pathsep.join(places)})
    notebook.metadata = nbformat.from_dict(before)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = [_kept(output) for output in cell.outputs]
            _fold(cell)


def _fold(cell: NotebookNode) -> None:
    if cell.outputs:
        cell.metadata.update(nbformat.from_dict({"jupyter": _FOLDED}))
        cell.outputs.insert(0, nbformat.from_dict(_BLANK))


def _kept(output: NotebookNode) -> NotebookNode:
    if "data" in output:
        output.data.pop(_LOST, None)
        output.metadata = nbformat.from_dict({})
    return output


def build(name: str) -> list[Path]:
    """Build a lesson in every language it has prose for, and return the notebooks written."""
    source = lesson.load(name)
    written = []
    for language in source.languages:
        path = source.path(language)
        path.parent.mkdir(exist_ok=True)
        notebook = source.notebook(language)
        execute(notebook, path.parent)
        nbformat.validate(notebook)
        path.write_text(nbformat.writes(notebook) + "\n", encoding="utf-8", newline="\n")
        written.append(path)
    return written


def main(arguments: Sequence[str] | None = None) -> None:
    """Build the named lessons, or all of them."""
    parser = argparse.ArgumentParser(prog="python -m notebooks.build", description=__doc__)
    known = lesson.names()
    parser.add_argument("name", nargs="*", help=f"a lesson: {', '.join(known)}; all of them without a name")
    chosen = parser.parse_args(arguments).name or known
    for name in chosen:
        if name not in known:
            parser.error(f"there is no lesson {name!r}; the lessons are {', '.join(known)}")
    for name in chosen:
        for path in build(name):
            print(path.relative_to(ROOT))


if __name__ == "__main__":
    main()
