"""Building a notebook: it is run as a learner runs it, and only what every run repeats is kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode

from notebooks import build, lesson

EXPLORER = "from d20widgets import AttackExplorer\n\nAttackExplorer()"
SLOW = "import time\n\nfor n in range(3):\n    print(n, flush=True)\n    time.sleep(0.3)"
VIEW = "application/vnd.jupyter.widget-view+json"


def draft(*cells: str) -> NotebookNode:
    """Return the notebook of a small lesson with some code cells, not executed."""
    code = "".join(f"```python\n{cell}\n```\n" for cell in cells)
    return lesson.Lesson("small", lesson.parse(f":::en\n# Title\n:::\n{code}")).notebook("en")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> NotebookNode:
    """A lesson with a cell for each kind of output, executed: one kernel for all."""
    notebook = draft(EXPLORER, "print(2)", "2", "two = 2", SLOW)
    build.execute(notebook, tmp_path_factory.mktemp("lesson"))
    return notebook


def cell_of(built: NotebookNode, code: str) -> NotebookNode:
    """Return the cell with some code."""
    found: NotebookNode
    (found,) = (cell for cell in built.cells if cell.source == code)
    return found


def test_an_explorer_leaves_its_text_and_no_view(built: NotebookNode) -> None:
    """A view without its widget shows an error where the notebook is opened, and its id changes with every build."""
    cell = cell_of(built, EXPLORER)
    _blank, output = cell.outputs
    assert set(output.data) == {"text/plain", "text/html"}
    assert VIEW not in str(built)
    assert built.metadata == draft().metadata
    assert cell.execution_count == 2


@pytest.mark.parametrize(("code", "outputs"), [("print(2)", 2), ("2", 2), ("two = 2", 0)])
def test_an_output_is_folded_away(built: NotebookNode, code: str, outputs: int) -> None:
    """An answer would stand below its question, its first line even folded; who says nothing has nothing to fold."""
    cell = cell_of(built, code)
    assert cell.metadata == ({"jupyter": {"outputs_hidden": True}} if outputs else {})
    assert len(cell.outputs) == outputs
    assert all(output.data == {} for output in cell.outputs[:1])


def test_what_is_printed_in_pieces_is_one_output(built: NotebookNode) -> None:
    """A busy machine sends what a loop prints in several pieces, and a build there would differ from a build here."""
    assert [output.get("text") for output in cell_of(built, SLOW).outputs[1:]] == ["0\n1\n2\n"]


def test_a_cell_that_fails_stops_the_build(tmp_path: Path) -> None:
    """A lesson with an error must never be written."""
    with pytest.raises(CellExecutionError, match="ZeroDivisionError"):
        build.execute(draft("1 / 0"), tmp_path)


def test_an_unknown_lesson_is_named_with_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    """A slip of the pen must not build nothing in silence."""
    with pytest.raises(SystemExit):
        build.main(["99-nothing"])
    assert "there is no lesson '99-nothing'; the lessons are 00-start" in capsys.readouterr().err
