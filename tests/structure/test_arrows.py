"""Arrows go one way: tests, notebooks, pictures, battle, topics, dice. And importing the kit stays light."""

from __future__ import annotations

import ast
import graphlib
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

import d20kit
from tests.structure.modules import HOMES, ROOT, files_of, imported, module_of, name_of, names_in, roots, tree

KIT, PICTURES, COURSE = files_of("d20kit"), files_of("d20widgets"), files_of("notebooks")
FOUNDATION = {"algebra", "check", "dice", "expression", "language", "rule", "rulesets"}
# What a lesson may import besides the kit: what a learner has after the first start.
LESSONS = {"d20kit", "d20widgets", "sympy", "numpy", "plotly", "dask"}


def topic(path: Path) -> str:
    """Return the first part of a module's name inside the kit."""
    return path.relative_to(ROOT / "d20kit").with_suffix("").parts[0]


def inside(names: Iterable[str]) -> set[str]:
    """Return which parts of the kit names are in."""
    return {name.split(".")[1] for name in names if name.startswith("d20kit.")}


def strays(paths: Iterable[Path], wrong: Callable[[frozenset[str]], set[str]]) -> dict[str, set[str]]:
    """Return the files that import what is wrong for them, each with what that is."""
    homes = {path: HOMES["d20widgets"] if path in PICTURES else ROOT for path in paths}
    assert homes, "no file is looked at"
    found = {name_of(path): wrong(imported(path, home)) for path, home in homes.items()}
    return {name: names for name, names in found.items() if names}


def test_rules_know_no_pictures() -> None:
    """The rules can be used, tested and read without any widget or chart."""
    pictures = {"ipywidgets", "anywidget", "plotly", "d20widgets", "IPython"}
    assert strays(KIT, lambda names: roots(names) & pictures) == {}


def test_topics_know_no_battle() -> None:
    """The battle uses the rules; a rule that needs a battle is not a rule."""
    topics = [path for path in KIT if topic(path) not in ("__init__", "battle", "launch", "__main__")]
    assert strays(topics, lambda names: inside(names) & {"battle", "launch"}) == {}


def test_foundation_knows_no_topic() -> None:
    """Dice, rulesets and algebra serve every topic, so they depend on none."""
    foundation = [path for path in KIT if topic(path) in FOUNDATION]
    assert strays(foundation, lambda names: inside(names) & set(d20kit._TOPICS)) == {}


def test_a_battle_knows_no_launch() -> None:
    """A battle is fought in a library too, where no command line is."""
    battle = [path for path in KIT if topic(path) == "battle"]
    assert strays(battle, lambda names: inside(names) & {"launch"}) == {}


def test_launch_needs_the_standard_library_only() -> None:
    """It runs before anything is installed."""
    launch = [path for path in KIT if topic(path) in ("launch", "__main__")]
    assert strays(launch, lambda names: roots(names) - sys.stdlib_module_names - {"d20kit"}) == {}
    assert strays(launch, lambda names: inside(names) - {"language", "launch"}) == {}


def test_pictures_know_rules_and_nothing_above() -> None:
    """A picture works wherever the rules are: it needs neither the command line nor the course."""
    assert strays(PICTURES, lambda names: inside(names) & {"launch", "__main__"}) == {}


def test_what_is_shipped_knows_no_workshop() -> None:
    """The course's tools, the tests and the locks are not in the wheel, so nothing in it may ask for them."""
    workshop = {"notebooks", "tests", "binder", "pytest"}
    assert strays([*KIT, *PICTURES], lambda names: roots(names) & workshop) == {}


def test_the_course_knows_no_tests() -> None:
    """The lessons can be built where the tests are not."""
    assert strays(COURSE, lambda names: roots(names) & {"tests"} | inside(names) & {"launch"}) == {}


@pytest.mark.parametrize("path", sorted((ROOT / "notebooks" / "source").glob("*.md")), ids=name_of)
def test_lessons_import_what_a_learner_has(path: Path) -> None:
    """A lesson that imports anything else ends in an error on the first machine it meets."""
    lines = [line for line in path.read_text("utf-8").splitlines() if line.startswith(("import ", "from "))]
    nodes = [node for line in lines for node in code_of(line)]
    assert roots({name for node in nodes for name in names_in(node, [])}) <= LESSONS | set(sys.stdlib_module_names)


def code_of(line: str) -> Iterator[ast.Import | ast.ImportFrom]:
    """Yield the import that a line of a lesson is, if it is one: prose may begin with the same word."""
    try:
        nodes = ast.parse(line).body
    except SyntaxError:
        nodes = []
    yield from (node for node in nodes if isinstance(node, (ast.Import, ast.ImportFrom)))


def first_imports(nodes: Iterable[ast.stmt]) -> Iterator[ast.Import | ast.ImportFrom]:
    """Yield the imports that run with the module itself, not with a function of it nor for a type checker alone."""
    for node in nodes:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield node
        elif isinstance(node, ast.Try) or (isinstance(node, ast.If) and "TYPE_CHECKING" not in ast.unparse(node.test)):
            yield from first_imports(node.body)


def test_no_module_needs_one_that_needs_it() -> None:
    """In a circle it would matter which module is imported first, and no part could be understood by itself."""
    places = {
        module_of(path, HOMES[package]): (path, HOMES[package])
        for package in ("d20kit", "d20widgets", "notebooks")
        for path in files_of(package)
    }
    needs: dict[str, set[str]] = {}
    for module, (path, home) in places.items():
        package = list(path.relative_to(home).parent.parts)
        names = {name for node in first_imports(tree(path).body) for name in names_in(node, package)}
        # A package is loaded with whatever is in it, so that is no circle.
        needs[module] = {name for name in names & places.keys() if not f"{module}.".startswith(f"{name}.")}
    order = list(graphlib.TopologicalSorter(needs).static_order())
    assert len(order) > 150
    assert order.index("d20kit.algebra") < order.index("d20kit.attack") < order.index("d20widgets.attack")


def test_arrows_see_every_way_to_import(tmp_path: Path) -> None:
    """A relative import, an alias and one inside a function count; else the tests above could not fail."""
    path = tmp_path / "d20kit" / "saves.py"
    path.parent.mkdir()
    path.write_text("import plotly.io as io\nfrom . import battle\ndef f():\n    from .dice import d\n")
    assert {"plotly.io", "d20kit.battle", "d20kit.dice"} <= imported(path, tmp_path)


@pytest.mark.parametrize("code", ["import d20kit", "import d20kit.__main__, d20kit.launch.command"])
def test_import_is_light(code: str) -> None:
    """Heavy libraries load when a rule first needs them, not with the package."""
    heavy = "{'sympy', 'numpy', 'flint', 'lark', 'ipywidgets', 'plotly'}"
    command = [sys.executable, "-c", f"{code}\nimport sys; print(sorted({heavy} & set(sys.modules)))"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_every_public_name_is_declared_three_times_alike() -> None:
    """The package says its names to readers, to itself and to type checkers; one missing place goes unnoticed."""
    names = set(d20kit.__all__)
    assert names == {*d20kit._HOME, *d20kit._TOPICS}
    (checked,) = (node for node in tree(ROOT / "d20kit" / "__init__.py").body if isinstance(node, ast.If))
    told = {alias.name for node in checked.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert told == names
    assert all(getattr(d20kit, name) is not None for name in names)
