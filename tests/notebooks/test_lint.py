"""What every lesson owes its reader, and every stored notebook its source."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat import NotebookNode

import d20widgets
from d20kit.language import LANGUAGES, _, current_language, set_language
from d20widgets.battle_stage import WORDS as WORDS_ON_BUTTONS
from notebooks import lesson, pages

LESSONS = [lesson.load(name) for name in lesson.names()]
STORED = [source.path(language) for source in LESSONS for language in source.languages]
WORDS = range(600, 1001)
CODE_CELLS = range(10, 17)
VISIBLE_LINES = 3
VISIBLE_COLUMNS = 92
PRINTED_COLUMNS = 95
MOST_DECIMALS = 7
BYTES = 300_000
# In the title cell: how long the lesson takes, and what it is for.
OPENING = {
    "en": (r"\*About \d+ minutes\.", r"\*\*After this lesson you can\*\*\n\n(- .+[;.](\n  .+)*\n?){3,}"),
    "id": (r"\*Sekitar \d+ menit\.", r"\*\*Setelah pelajaran ini kamu bisa\*\*\n\n(- .+[;.](\n  .+)*\n?){3,}"),
}
# How the text asks its reader to move or tick a control of an explorer, by the name that stands beside it.
CONTROL = {
    "en": r"(?:[Dd]rag|move|raise) \*\*(.+?)\*\*|(?:tick|the tick from) \*(.+?)\*",
    "id": r"(?:[Gg]eser|naikkan) \*\*(.+?)\*\*|centang \*(.+?)\*",
}
PRESSED = {"en": r"press \*\*(.+?)\*\*", "id": r"tekan \*\*(.+?)\*\*"}
KEYS = {"Shift+Enter"}
# The headings of the last sections, and the words that lead on.
LAST = {"en": ("## Practice", "## Summary", "**Next:**"), "id": ("## Latihan", "## Ringkasan", "**Lanjut:**")}
# Tags that make nbval overlook an output or a cell, each with its reason.
LENIENT: dict[str, str] = {}
NBVAL = ("nbval-", "raises-exception", "skip")

each = pytest.mark.parametrize("path", STORED, ids=lambda path: f"{path.parent.name}/{path.stem}")


@cache
def read(path: Path) -> NotebookNode:
    """Return a stored notebook."""
    found: NotebookNode = nbformat.read(str(path), as_version=4)
    return found


def cells(path: Path, kind: str) -> list[NotebookNode]:
    """Return the cells of one kind."""
    return [cell for cell in read(path).cells if cell.cell_type == kind]


def prose(path: Path) -> str:
    """Return the text of a lesson."""
    return "\n\n".join(cell.source for cell in cells(path, "markdown"))


def words(text: str) -> int:
    """Count words as a reader does: a link by its label, no table rule, no formula sign."""
    text = re.sub(r"\]\([^)]*\)", "]", text)
    return sum(bool(re.search(r"[A-Za-z]", word)) for word in text.split())


def own_metadata(cell: NotebookNode) -> dict[str, Any]:
    """Return what the source says of a cell, without what building adds."""
    return {name: value for name, value in cell.metadata.items() if name != "jupyter"}


def test_every_notebook_has_a_source() -> None:
    """A notebook without a source would be left behind when the rules change."""
    found = {path for language in LANGUAGES for path in (lesson.NOTEBOOKS / language).glob("*.ipynb")}
    assert found == set(STORED)


@each
def test_stored_cells_are_those_of_the_source(path: Path) -> None:
    """An edit of the notebook or of its source alone would be lost at the next build."""
    made = lesson.load(path.stem).notebook(path.parent.name)
    stored = read(path)
    assert [(cell.id, cell.cell_type, cell.source, own_metadata(cell)) for cell in stored.cells] == [
        (cell.id, cell.cell_type, cell.source, cell.metadata) for cell in made.cells
    ]
    assert stored.metadata == made.metadata


@each
def test_objectives_and_minutes_stand_first(path: Path) -> None:
    """Teachers plan by minutes and learners choose by objectives, so both open the lesson."""
    first = read(path).cells[0].source
    assert first.startswith("# ")
    for pattern in OPENING[path.parent.name]:
        assert re.search(pattern, first), pattern


@each
def test_length_fits_a_sitting(path: Path) -> None:
    """Longer lessons are not finished, and shorter ones leave terms unexplained."""
    assert words(prose(path)) in WORDS
    assert len(cells(path, "code")) in CODE_CELLS


@each
def test_code_cells_are_short(path: Path) -> None:
    """A cell of more than three lines is read by nobody who is new to Python, and a long line is cut at the edge."""
    for cell in cells(path, "code"):
        lines = [line for line in cell.source.splitlines() if line.strip()]
        assert len(lines) <= VISIBLE_LINES, cell.source
        assert max(map(len, lines)) <= VISIBLE_COLUMNS, cell.source


@each
def test_every_code_cell_was_executed_in_order(path: Path) -> None:
    """Strict nbval silently skips a cell without an execution count."""
    counts = [cell.execution_count for cell in cells(path, "code")]
    assert counts == list(range(1, len(counts) + 1))


@each
def test_outputs_wait_for_the_reader(path: Path) -> None:
    """An answer seen before its question teaches nothing; running the cell shows it, and the fold not even a line."""
    for cell in cells(path, "code"):
        assert cell.metadata.get("jupyter", {}) == ({"outputs_hidden": True} if cell.outputs else {}), cell.source
        assert all(output.get("data") == {} for output in cell.outputs[:1]), cell.source


@each
def test_no_output_is_an_error(path: Path) -> None:
    """A lesson that shows a traceback teaches that the kit is broken; warnings frighten as much."""
    for cell in cells(path, "code"):
        for output in cell.outputs:
            assert output.output_type != "error"
            assert output.get("name") != "stderr", output.text


@each
def test_outputs_can_be_compared_and_read_without_a_kernel(path: Path) -> None:
    """No widget state or view is stored: a reader without a kernel gets text, and strict nbval compares it."""
    stored = read(path)
    assert "widgets" not in stored.metadata
    for cell in cells(path, "code"):
        for output in cell.outputs[1:]:
            kinds = set(output.get("data", {"text/plain": ""}))
            assert "text/plain" in kinds
            assert kinds <= {"text/plain", "text/html", "text/latex"}


@each
def test_printed_lines_fit_the_page(path: Path) -> None:
    """JupyterLab breaks a longer line anywhere, in the middle of a number too."""
    for cell in cells(path, "code"):
        for output in cell.outputs[1:]:
            data = output.get("data", {})
            printed = "" if "text/html" in data else data.get("text/plain", output.get("text", ""))
            assert max(map(len, printed.splitlines()), default=0) <= PRINTED_COLUMNS, cell.source


@each
def test_most_code_cells_have_an_output(path: Path) -> None:
    """A cell without an output is compared with nothing, so at least six of ten must say something."""
    code = cells(path, "code")
    assert sum(bool(cell.outputs) for cell in code) >= 0.6 * len(code)


@each
def test_lenient_tags_have_a_reason(path: Path) -> None:
    """Every tag that makes nbval overlook something is on the list above, and so are its comment markers."""
    for cell in cells(path, "code"):
        for tag in cell.metadata.get("tags", []):
            assert tag in LENIENT or not tag.startswith(NBVAL)
        assert not re.search(r"#\s*(NBVAL|PYTEST_VALIDATE)", cell.source)


@each
def test_links_resolve(path: Path) -> None:
    """A link leads to a lesson or a page of the same language; the kit sends nobody to another machine."""
    known = {*STORED, *(pages.path(page, path.parent.name) for page in pages.PAGES)}
    for target in re.findall(r"\]\(([^)]*)\)", prose(path)):
        assert "//" not in target, target
        assert (path.parent / target.partition("#")[0]).resolve() in known, target


@each
def test_headings_step_down_one_level_at_a_time(path: Path) -> None:
    """Screen readers and the table of contents walk by headings, from the one title down."""
    levels = [len(found) for found in re.findall(r"^(#+) ", prose(path), flags=re.MULTILINE)]
    assert levels.count(1) == 1
    assert all(deeper - level <= 1 for level, deeper in pairwise(levels))


@each
def test_files_are_small(path: Path) -> None:
    """A large file is slow over a thin line and cannot be reviewed."""
    assert path.stat().st_size < BYTES


def test_code_is_the_same_in_all_languages() -> None:
    """Answers are discussed across languages, so only the language cell, the first, may differ."""
    for source in LESSONS:
        stored = [[cell.source for cell in cells(source.path(language), "code")] for language in source.languages]
        assert all(code[1:] == stored[0][1:] for code in stored), source.name


def test_the_kit_answers_in_the_language_of_the_lesson() -> None:
    """Where the catalogue was not compiled the kit falls back to English in silence, and so would the lesson."""
    for source in LESSONS:
        said = [[cell.outputs for cell in cells(source.path(language), "code")[1:]] for language in source.languages]
        assert all(outputs != said[0] for outputs in said[1:]), source.name


def spoken(path: Path, texts: Iterable[str]) -> set[str]:
    """Return texts of the kit in the language of a notebook."""
    before = current_language()
    set_language(path.parent.name)
    said = {_(text) for text in texts}
    set_language(before)
    return said


def told(path: Path, patterns: dict[str, str]) -> list[str]:
    """Return the names that the text of a notebook gives to what its reader shall use."""
    found = re.finditer(patterns[path.parent.name], " ".join(prose(path).split()))
    return [name for one in found for name in one.groups() if name]


@each
def test_controls_are_those_of_an_explorer_of_the_lesson(path: Path) -> None:
    """A control of another name, or of another explorer, is looked for in vain."""
    code = "\n".join(cell.source for cell in cells(path, "code"))
    shown = [getattr(d20widgets, name) for name in re.findall(r"^(\w+Explorer)\(", code, flags=re.MULTILINE)]
    assert set(told(path, CONTROL)) <= spoken(path, (one.label for explorer in shown for one in explorer.controls))


def test_every_explorer_is_moved_by_name() -> None:
    """The check above sees nothing where the text words it otherwise."""
    for path in STORED:
        code = "\n".join(cell.source for cell in cells(path, "code"))
        shown = re.findall(r"^\w+Explorer\(", code, flags=re.MULTILINE)
        assert len(told(path, CONTROL)) >= len(shown), path


@each
def test_buttons_are_called_what_is_written_on_them(path: Path) -> None:
    """A button of another name is looked for in vain; the player's are the only ones that a text names."""
    assert set(told(path, PRESSED)) <= spoken(path, WORDS_ON_BUTTONS.values()) | KEYS


@each
def test_practice_stands_before_the_summary_and_nothing_after_the_next_lesson(path: Path) -> None:
    """Whoever is sent on to the next lesson does not see what stands below."""
    text = prose(path)
    places = [text.index(opening) for opening in LAST[path.parent.name]]
    assert places == sorted(places)
    assert "\n#" not in text[places[-1] :]
    assert cells(path, "code")[-1].source.splitlines()[-1].startswith("Quiz(")


@each
def test_printed_numbers_have_few_decimals(path: Path) -> None:
    """Sixteen digits of a rounded number say no more than four, and hide them."""
    for cell in cells(path, "code"):
        for output in cell.outputs[1:]:
            printed = output.get("text", "") or output.get("data", {}).get("text/plain", "")
            assert not re.search(rf"\.\d{{{MOST_DECIMALS + 1},}}", printed), printed


def test_every_lesson_is_on_the_map() -> None:
    """A lesson that the first one does not link is found by nobody."""
    first = LESSONS[0]
    for language in first.languages:
        linked = set(re.findall(r"\]\(([^)#]*\.ipynb)\)", prose(first.path(language))))
        assert linked == {source.path(language).name for source in LESSONS[1:] if language in source.languages}
