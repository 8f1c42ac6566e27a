"""Notebooks that the browser tests write: one with every explorer, a quiz, slides, a battle of hostile names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import nbformat

from d20kit import bestiary
from d20kit.battle import Encounter
from tests.catalogue import read_catalogue

KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}
# Whatever somebody may write where others read it: markup, a script, letters from the right, pictures, no blank to
# break a line at.
NAMES = (
    "<script>window.d20Hit = 1</script>",
    '<img src="x" onerror="window.d20Hit = 1">',
    "<b>{name}</b> %s &amp; </td>",
    "\u05d0\u05d1\u05d2 \u0645\u062d\u0627\u0631\u0628",
    "\U0001f409\U0001f9d9\u200d\u2642\ufe0f\U0001f409",
    "W" * 60,
)
# A name that is refused, and has to come back in the refusal as it was typed: too long, and turned around.
REFUSED_NAMES = ("x" * 200, "Bob\u202egnp.exe")
HOSTILE = f"""
from d20kit.battle import Attack, Combatant, Encounter
from d20widgets import BattlePlayer

names = {NAMES!r}
BattlePlayer(Encounter([Combatant(one, names[i % 2], 9, 12, Attack(one, 3, "1d6")) for i, one in enumerate(names)]))
"""
QUIZ = "from d20widgets import Quiz\nQuiz()"
TALLY = """
one, other = Quiz(), Quiz()
one.answer(one._run.question.answer)
other.answer("0.001")
Quiz.tally([one.state, other.state, other.state])
"""
# More than a screen holds, so that Lab has some of it out of sight.
SLIDES = 6
LONG = "print('\\n'.join(map(str, range(90))))"
EXPLORER = "from d20widgets import DiceExplorer\nDiceExplorer()"
PRESENT = "from d20widgets import present\npresent()"


# A person's or a thing's own name, and the same in every language.
_DUEL = Encounter.ready("duel").combatants
_NAMES = {
    *("English", "Bahasa Indonesia", "COURSE", "SRD35"),
    *bestiary.names("heroes"),
    *bestiary.names("creatures"),
    *(name for one in _DUEL for name in (one.name, one.side)),
}


def unchanged(text: str) -> bool:
    """Whether a text may stay as it is in Indonesian: it has no words, or none that the catalogue translates."""
    text = text.rstrip(",")  # a line that is broken after a comma
    return not re.search(r"[^\W\d_]{2}", text) or text in _NAMES or any(one.fullmatch(text) for one in _same())


@cache
def _same() -> tuple[re.Pattern[str], ...]:
    """The messages that are the same in both languages, with anything in their fields."""
    messages = [one for one in read_catalogue() if isinstance(one.id, str) and one.id == one.string != ""]
    return tuple(re.compile(re.sub(r"\\{.*?\\}", ".*", re.escape(str(one.id)))) for one in messages)


def write_gallery(file: Path, kinds: Sequence[str], catalogue: Path) -> None:
    """Write a notebook with a cell for each of these."""
    write_code(file, [_speak(catalogue), *(f"from d20widgets import {kind}\n{kind}()" for kind in kinds)])


def write_quiz(file: Path, catalogue: Path) -> None:
    """Write a notebook with a quiz, and how a class answered it."""
    write_code(file, [_speak(catalogue), QUIZ, TALLY])


def write_hostile(file: Path) -> None:
    """Write a notebook with a battle whose names are attacks on the page."""
    write_code(file, [HOSTILE])


def write_slides(file: Path) -> None:
    """Write a notebook of some slides, each longer than a screen, with an explorer and presenter mode on the last."""
    cells = []
    for number in range(1, SLIDES + 1):
        cells += [nbformat.v4.new_markdown_cell(f"# Slide {number}"), nbformat.v4.new_code_cell(LONG)]
    cells[-1] = nbformat.v4.new_code_cell(EXPLORER)
    _write(file, [*cells, nbformat.v4.new_code_cell(PRESENT)])


def _speak(catalogue: Path) -> str:
    return f"from pathlib import Path\nfrom d20kit import language\nlanguage._LOCALE = Path({str(catalogue)!r})"


def write_code(file: Path, sources: Sequence[str]) -> None:
    """Write a notebook with a cell for each piece of code."""
    _write(file, [nbformat.v4.new_code_cell(one) for one in sources])


def _write(file: Path, cells: list[nbformat.NotebookNode]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    # Without a kernel's name Lab would ask for one.
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": KERNEL}), file)
