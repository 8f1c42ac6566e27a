"""The stored outputs notice when a rule changes: a kit with one wrong rule fails a lesson."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import nbformat
import pytest

from notebooks import lesson

ROOT = lesson.NOTEBOOKS.parent
SANITIZE = Path(__file__).parent / "sanitize.cfg"


@dataclass(frozen=True)
class Mutation:
    """One line of the kit made wrong, the lesson that notices, and words of the cells it takes, noticing one last."""

    file: str
    right: str
    wrong: str
    lesson: str
    cells: tuple[str, ...]


MUTATIONS = {
    "a roll hits only above the armor class": Mutation(
        "attack.py",
        "face + bonus >= ac",
        "face + bonus > ac",
        "01-attack",
        ("import COURSE, SRD35", "my_guess =", "is_hit(face, bonus=6, ac=15)"),
    ),
    "the chance to hit leaves equality out": Mutation(
        "attack.py",
        "clamp(21 + bonus - ac",
        "clamp(20 + bonus - ac",
        "00-start",
        ("hit_chance(bonus=4, ac=15)",),
    ),
    "a tie goes to the first": Mutation(
        "turn_order.py",
        "if len(tied) == 1:",
        "if tied:",
        "06-initiative-and-surprise",
        ("print(*roll_order(",),
    ),
    "the dying do not bleed": Mutation(
        "battle/turn.py",
        "_bleed(arena, fighter)\n    else",
        "pass\n    else",
        "07-surprise-round-battle",
        (
            "new = Combatant",
            "heroes =",
            "battle =",
            "def tell",
            "first, second =",
            "start, again",
        ),
    ),
}


def cut(mutation: Mutation, folder: Path) -> Path:
    """Write the cells that a mutation names, as they are stored, below the one that chooses the language."""
    notebook = nbformat.read(str(lesson.load(mutation.lesson).path("en")), as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    wanted = ("set_language", *mutation.cells)
    notebook.cells = [next(cell for cell in code if words in cell.source) for words in wanted]
    assert notebook.cells[-1].outputs, "a cell without an output notices nothing"
    path = folder / f"{mutation.lesson}.ipynb"
    nbformat.write(notebook, str(path))
    return path


def spoil(mutation: Mutation, kit: Path) -> None:
    """Make one line of a copy of the kit wrong."""
    source = kit / "d20kit" / mutation.file
    text = source.read_text(encoding="utf-8")
    assert text.count(mutation.right) == 1
    source.write_text(text.replace(mutation.right, mutation.wrong), encoding="utf-8")


def nbval(kit: Path, *notebooks: Path) -> subprocess.CompletedProcess[str]:
    """Compare the outputs of notebooks strictly, with the kit of a folder."""
    places = [str(kit), str(ROOT / "widgets"), *filter(None, [os.environ.get("PYTHONPATH")])]
    command = [sys.executable, "-m", "pytest", "-q", "--no-header", "-p", "no:cacheprovider", "-p", "no:xdist"]
    strictly = ["--nbval", "--nbval-current-env", "--nbval-sanitize-with", str(SANITIZE)]
    return subprocess.run(
        [*command, *strictly, f"--rootdir={kit}", *map(str, notebooks)],
        cwd=kit,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(places)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=240,
    )


@pytest.fixture
def kit(tmp_path: Path) -> Path:
    """A folder with a copy of the kit that may be spoiled."""
    shutil.copytree(ROOT / "d20kit", tmp_path / "d20kit", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def test_the_same_cells_pass_with_the_right_rules(kit: Path) -> None:
    """Cells that fail anyway, for want of another cell for example, would notice nothing either."""
    run = nbval(kit, *(cut(mutation, kit) for mutation in MUTATIONS.values()))
    assert run.returncode == pytest.ExitCode.OK, run.stdout
    assert f"{sum(1 + len(mutation.cells) for mutation in MUTATIONS.values())} passed" in run.stdout


@pytest.mark.parametrize("mutation", MUTATIONS.values(), ids=MUTATIONS.keys())
def test_a_wrong_rule_fails_a_lesson(mutation: Mutation, kit: Path) -> None:
    """Outputs that stay the same when a rule is wrong prove nothing."""
    spoil(mutation, kit)
    run = nbval(kit, cut(mutation, kit))
    assert run.returncode == pytest.ExitCode.TESTS_FAILED, run.stdout
    assert f"1 failed, {len(mutation.cells)} passed" in run.stdout
    assert "Cell execution caused an exception" not in run.stdout
    assert mutation.cells[-1] in run.stdout
