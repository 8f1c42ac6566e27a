"""A lesson's source: prose in each language and the code they share, in one text file that diffs well.

The file alternates prose and code. Prose stands between a line ``:::en`` (or ``:::id``) and a line ``:::``, each such
block one markdown cell; a code cell is a fenced block that opens with a line of three backticks and ``python``, and
after that word, if there are any, the cell's tags. Nothing but blank lines may stand outside of them.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from d20kit.check import one_of
from d20kit.language import LANGUAGES
from notebooks.prose import bound

NOTEBOOKS = Path(__file__).parent
SOURCES = NOTEBOOKS / "source"
# The same in every notebook, so that a run under another Python leaves no trace in it.
_METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
_OPENING = re.compile(rf":::(?P<language>{'|'.join(LANGUAGES)})|```python(?P<tags>( [a-z0-9-]+)*)")


@dataclass(frozen=True)
class Block:
    """One cell of the source: prose of one language, or code, which has no language."""

    language: str | None
    text: str
    tags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Lesson:
    """A lesson in every language it has prose for."""

    name: str
    blocks: tuple[Block, ...]

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages in which the lesson is written."""
        return tuple(language for language in LANGUAGES if any(block.language == language for block in self.blocks))

    def path(self, language: str) -> Path:
        """Return where the notebook of a language stands."""
        return NOTEBOOKS / language / f"{self.name}.ipynb"

    def notebook(self, language: str) -> NotebookNode:
        """Return the notebook of a language, not executed.

        Raises
        ------
        ValueError
            If the lesson has no prose in that language.
        """
        one_of("language", language, self.languages)
        blocks = [block for block in self.blocks if block.language in (None, language)]
        blocks.insert(1, _language_block(language))
        notebook: NotebookNode = nbformat.v4.new_notebook(metadata=_METADATA)
        taken: set[str] = set()
        for block in blocks:
            notebook.cells.append(_cell(block, taken))
        return notebook


def names() -> list[str]:
    """Return the names of all lessons, in the order of the course."""
    return sorted(path.stem for path in SOURCES.glob("*.md"))


def load(name: str) -> Lesson:
    """Read a lesson by name."""
    return Lesson(name, parse((SOURCES / f"{name}.md").read_text(encoding="utf-8")))


def parse(text: str) -> tuple[Block, ...]:
    """Split a source into its blocks.

    Raises
    ------
    ValueError
        If a line belongs to no block, or a block does not end or has nothing in it.

    Examples
    --------
    >>> parse(":::en\\nRoll.\\n:::\\n\\n```python slow\\n1 + 1\\n```\\n")
    (Block(language='en', text='Roll.', tags=()), Block(language=None, text='1 + 1', tags=('slow',)))
    """
    blocks = []
    # Not splitlines(), which would also break lines, and lose the characters, at form feeds and their like.
    lines = enumerate(text.split("\n"), 1)
    for number, line in lines:
        if not line.strip():
            continue
        opening = _OPENING.fullmatch(line)
        if opening is None:
            raise ValueError(f"line {number} is {line!r}, but outside a block only blank lines may stand; open one")
        end = ":::" if opening["language"] else "```"
        inside: list[str] = []
        for _number, inner in lines:
            if inner == end:
                break
            inside.append(inner)
        else:
            raise ValueError(f"the block that opens in line {number} with {line!r} does not end; write {end!r}")
        if not any(map(str.strip, inside)):
            raise ValueError(f"the block that opens in line {number} with {line!r} is empty; fill it, or leave it out")
        blocks.append(Block(opening["language"], "\n".join(inside).strip("\n"), tuple((opening["tags"] or "").split())))
    return tuple(blocks)


def _language_block(language: str) -> Block:
    # In the notebook itself, since a learner's kernel is told nothing about the language of the file it runs.
    # Named, so that the cell shows nothing: on the first slide of a class a bare 'en' would be a riddle.
    return Block(None, f'from d20kit import set_language\n\nlanguage = set_language("{language}")')


def _cell(block: Block, taken: set[str]) -> NotebookNode:
    """Make a cell; its id follows from what is in it, so that a new cell changes no other."""
    code = block.language is None
    digest = hashlib.sha256(f"{block.language}\n{block.text}".encode()).hexdigest()[:12]
    name = next(name for name in (digest, *(f"{digest}-{n}" for n in range(2, 1000))) if name not in taken)
    taken.add(name)
    make = nbformat.v4.new_code_cell if code else nbformat.v4.new_markdown_cell
    text = block.text if code else bound(block.text)
    metadata = {"tags": list(block.tags)} if block.tags else {}
    cell: NotebookNode = make(text, id=name, metadata=metadata)  # type: ignore[no-untyped-call]
    return cell
