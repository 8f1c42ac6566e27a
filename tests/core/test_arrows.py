"""Arrows go one way: notebooks, pictures, battle, topics, dice. And importing the kit stays light."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import d20kit

PACKAGE = Path(__file__).parent.parent.parent / "d20kit"
MODULES = sorted(PACKAGE.rglob("*.py"))
FOUNDATION = {"algebra", "check", "dice", "expression", "language", "rule", "rulesets"}


def imported(path: Path) -> Iterator[str]:
    """Yield the full name of every module that a file imports, anywhere in it, also through ``from . import``."""
    package = [PACKAGE.name, *path.relative_to(PACKAGE).parent.parts]
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            module = ".".join(part for part in (start, node.module) if part)
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)


def topic(path: Path) -> str:
    """Return the first part of a module's name inside the kit."""
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def name_of(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_rules_know_no_pictures(path: Path) -> None:
    """The rules can be used, tested and read without any widget or chart."""
    roots = {name.partition(".")[0] for name in imported(path)}
    assert not roots & {"ipywidgets", "anywidget", "plotly", "d20widgets", "IPython"}


@pytest.mark.parametrize("path", [p for p in MODULES if topic(p) not in ("battle", "launch", "__main__")], ids=name_of)
def test_topics_know_no_battle(path: Path) -> None:
    """The battle uses the rules; a rule that needs a battle is not a rule."""
    assert not [name for name in imported(path) if name.startswith(("d20kit.battle", "d20kit.launch"))]


@pytest.mark.parametrize("path", [p for p in MODULES if topic(p) in FOUNDATION], ids=name_of)
def test_foundation_knows_no_topic(path: Path) -> None:
    """Dice, rulesets and algebra serve every topic, so they depend on none."""
    used = {name.split(".")[1] for name in imported(path) if name.startswith("d20kit.")}
    assert not used & set(d20kit._TOPICS)


@pytest.mark.parametrize("path", [p for p in MODULES if topic(p) in ("launch", "__main__")], ids=name_of)
def test_launch_needs_the_standard_library_only(path: Path) -> None:
    """It runs before anything is installed."""
    roots = {name.partition(".")[0] for name in imported(path)}
    assert roots <= set(sys.stdlib_module_names) | {"d20kit"}
    used = {name.split(".")[1] for name in imported(path) if name.startswith("d20kit.")}
    assert used <= {"language", "launch"}


def test_arrows_see_every_way_to_import(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A relative import, an alias and one inside a function count; else the tests above could not fail."""
    monkeypatch.setattr(sys.modules[__name__], "PACKAGE", tmp_path / "d20kit")
    path = tmp_path / "d20kit" / "saves.py"
    path.parent.mkdir()
    path.write_text("import plotly.io as io\nfrom . import battle\ndef f():\n    from .dice import d\n")
    assert {"plotly.io", "d20kit.battle", "d20kit.dice"} <= set(imported(path))


@pytest.mark.parametrize("code", ["import d20kit", "import d20kit.__main__, d20kit.launch.command"])
def test_import_is_light(code: str) -> None:
    """Heavy libraries load when a rule first needs them, not with the package."""
    heavy = "{'sympy', 'numpy', 'flint', 'lark', 'ipywidgets', 'plotly'}"
    command = [sys.executable, "-c", f"{code}\nimport sys; print(sorted({heavy} & set(sys.modules)))"]
    run = subprocess.run(command, cwd=PACKAGE.parent, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
