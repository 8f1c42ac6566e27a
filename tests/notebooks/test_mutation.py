"""The stored outputs notice when a rule changes: a kit with one wrong rule fails a lesson."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

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


def nbval(root: Path, notebooks: Iterable[str]) -> dict[str, list[str]]:
    """Compare the outputs of notebooks strictly; return what is said of each cell, nothing where it passes.

    A notebook is named by its place below the root, with dots between the folders.
    """
    given = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    places = [str(ROOT / "widgets"), *(place for place in given if not Path(place, "d20kit").is_dir())]
    report = root / "report.xml"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", f"--rootdir={root}"]
    strictly = ["--nbval", "--nbval-current-env", "--nbval-sanitize-with", str(SANITIZE), f"--junit-xml={report}"]
    run = subprocess.run(
        [*command, *strictly, *notebooks],
        cwd=root,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(places)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=240,
    )
    assert run.returncode == pytest.ExitCode.TESTS_FAILED, run.stdout
    said: dict[str, list[str]] = {}
    for cell in ElementTree.parse(report).iter("testcase"):
        said.setdefault(cell.attrib["classname"], []).append("".join(cell.itertext()))
    return said


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """What is said of the cells of each mutation, with the right kit (``"right"`` before its name) and with its own.

    All in one run: a kernel imports what lies beside its notebook, and beside each of these lies another kit.
    """
    root = tmp_path_factory.mktemp("kits")
    right = root / "right"
    shutil.copytree(ROOT / "d20kit", right / "d20kit")
    paths: dict[str, Path] = {}
    for number, (name, mutation) in enumerate(MUTATIONS.items()):
        wrong = root / f"wrong-{number}"
        shutil.copytree(right / "d20kit", wrong / "d20kit")
        spoil(mutation, wrong)
        paths |= {name: cut(mutation, wrong), f"right {name}": cut(mutation, right)}
    places = {name: path.relative_to(root) for name, path in paths.items()}
    said = nbval(root, map(str, places.values()))
    return {name: said[".".join(place.parts)] for name, place in places.items()}


@pytest.mark.parametrize("name", MUTATIONS)
def test_the_same_cells_pass_with_the_right_rules(name: str, verdicts: dict[str, list[str]]) -> None:
    """Cells that fail anyway, for want of another cell for example, would notice nothing either."""
    assert verdicts[f"right {name}"] == [""] * (1 + len(MUTATIONS[name].cells))


@pytest.mark.parametrize("name", MUTATIONS)
def test_a_wrong_rule_fails_a_lesson(name: str, verdicts: dict[str, list[str]]) -> None:
    """Outputs that stay the same when a rule is wrong prove nothing."""
    cells = MUTATIONS[name].cells
    *before, last = verdicts[name]
    assert before == [""] * len(cells)
    assert cells[-1] in last
    assert "Cell execution caused an exception" not in last
