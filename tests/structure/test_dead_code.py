"""Nothing is kept that nobody asks for: every name of the two packages is used by something other than a test."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.structure.modules import ROOT, files_of, name_of, tree

SHIPPED = [*files_of("d20kit"), *files_of("d20widgets")]
USERS = [*SHIPPED, *files_of("notebooks"), *sorted((ROOT / "binder").rglob("*.py"))]
# Where names are used in other ways than in Python: lessons and their text, scripts of the page, shell and workflows.
TEXTS = [
    *sorted((ROOT / "notebooks" / "source").glob("*.md")),
    *sorted((ROOT / "widgets" / "d20widgets" / "static").glob("*.js")),
    *sorted((ROOT / ".github" / "workflows").glob("*.yml")),
    ROOT / ".ci" / "run",
    ROOT / "README.md",
]
# Why something is there that nothing in the project asks for -> its names.
ASKED_FROM_OUTSIDE = {
    "a library calls it by its name": {
        "KitHook", "LatexPrinter._print_NaN", "LatexPrinter._print_Piecewise", "LatexPrinter._print_Symbol",
        "LatexPrinter.printmethod", "Options.print_help", "ReadmeHook", "TextPrinter._print_Abs",
        "TextPrinter._print_And", "TextPrinter._print_Max", "TextPrinter._print_Min", "TextPrinter._print_NaN",
        "TextPrinter._print_Piecewise", "TextPrinter._print_Symbol", "_InOrder._as_ordered_terms",
    },
    "a notebook shows an object by it": {
        "Battle._repr_pretty_", "Derivation._repr_html_", "Derivation._repr_latex_", "Pmf._repr_html_",
        "Simulation._repr_pretty_", "Sweep._repr_pretty_",
    },
    "it is registered where it is defined": {"_combined", "_negated"},
    "it is a member that is found by its name or value": {
        "Size.COLOSSAL", "Size.DIMINUTIVE", "Size.GARGANTUAN", "Size.HUGE", "Size.LARGE", "Size.MEDIUM", "Size.TINY",
    },
    "it is there for whoever uses the kit in programs of their own": {
        "Battle.survivors", "Battle.to_json_lines", "ClassProgression.hit_die", "HitPointChange.state_before",
        "Pmf.chance_at_least", "Weapon.damage_type",
    },
    "measurements need it": {"forget"},
}  # fmt: skip
EXCUSED = {name for names in ASKED_FROM_OUTSIDE.values() for name in names}


def targets(node: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement of a module or class defines."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield node.name
    elif isinstance(node, (ast.Assign, ast.AnnAssign)):
        places = node.targets if isinstance(node, ast.Assign) else [node.target]
        yield from (place.id for place in places if isinstance(place, ast.Name))


def defined(module: ast.Module) -> Iterator[str]:
    """Yield the names that a module defines, those inside its classes behind the class's name."""
    for node in module.body:
        yield from targets(node)
        if isinstance(node, ast.ClassDef):
            yield from (f"{node.name}.{name}" for inner in node.body for name in targets(inner))


def asked_for(module: ast.Module) -> Iterator[str]:
    """Yield every name that a module uses, also as an attribute, an argument, an import or a word of a short text."""
    for node in ast.walk(module):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.keyword) and node.arg:
            yield node.arg
        elif isinstance(node, ast.alias):
            yield from node.name.split(".")
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 60:
            yield from re.findall(r"\w+", node.value)


@pytest.fixture(scope="module")
def used() -> set[str]:
    """Every name that something asks for."""
    words = {word for path in TEXTS for word in re.findall(r"\w+", path.read_text("utf-8"))}
    return words | {name for path in USERS for name in asked_for(tree(path))}


def unused(path: Path, used: set[str]) -> list[str]:
    """Return the names of a file that nothing asks for; the double underscores of the language ask by themselves."""
    return [name for name in defined(tree(path)) if not {last(name)} & used and not last(name).startswith("__")]


def last(name: str) -> str:
    """Return the name itself, without its class."""
    return name.rpartition(".")[2]


def test_every_name_is_asked_for(used: set[str]) -> None:
    """What only its own test calls is read, translated and kept in order for nobody."""
    kept = {name_of(path): [name for name in unused(path, used) if name not in EXCUSED] for path in SHIPPED}
    assert {file: names for file, names in kept.items() if names} == {}


def test_no_excuse_outlives_its_name(used: set[str]) -> None:
    """An excuse for what is used after all, or gone, would hide the next one of that name."""
    assert {name for path in SHIPPED for name in unused(path, used)} == EXCUSED


def test_dead_names_are_seen() -> None:
    """A method, a constant and a function that nobody calls are found, or the tests above could not fail."""
    module = ast.parse("X = 1\nclass A:\n    b: int = 2\n    def c(self):\n        return d\ndef d(): ...\n")
    assert set(defined(module)) - set(asked_for(module)) == {"X", "A", "A.b", "A.c", "d"} - {"d"}
