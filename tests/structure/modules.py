"""The Python files of the project, read as trees: what the tests of its structure look at."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
# Package -> the folder that its name is looked up in.
HOMES = {"d20kit": ROOT, "d20widgets": ROOT / "widgets", "notebooks": ROOT, "tests": ROOT}


def files_of(package: str) -> list[Path]:
    """Return the Python files of a package."""
    return sorted((HOMES[package] / package).rglob("*.py"))


def name_of(path: Path) -> str:
    """Return a file's path as a reader of the project knows it."""
    return path.relative_to(ROOT).as_posix()


def module_of(path: Path, home: Path) -> str:
    """Return the name by which a file is imported.

    >>> module_of(ROOT / "d20kit" / "battle" / "__init__.py", ROOT)
    'd20kit.battle'
    """
    return ".".join(path.relative_to(home).with_suffix("").parts).removesuffix(".__init__")


@cache
def tree(path: Path) -> ast.Module:
    """Return the tree of a file."""
    return ast.parse(path.read_text("utf-8"))


def names_in(node: ast.Import | ast.ImportFrom, package: list[str]) -> Iterator[str]:
    """Yield the full name of whatever an import may load."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
        return
    start = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
    module = ".".join(part for part in (start, node.module) if part)
    yield module
    yield from (f"{module}.{alias.name}" for alias in node.names)


@cache
def imported(path: Path, home: Path) -> frozenset[str]:
    """Return the full name of every module that a file imports, anywhere in it, also through ``from . import``."""
    package = list(path.relative_to(home).parent.parts)
    nodes = [node for node in ast.walk(tree(path)) if isinstance(node, (ast.Import, ast.ImportFrom))]
    return frozenset(name for node in nodes for name in names_in(node, package))


def roots(names: Iterable[str]) -> set[str]:
    """Return the first parts of names: the packages they are in.

    >>> roots({"d20kit.battle", "sys"}) == {"d20kit", "sys"}
    True
    """
    return {name.partition(".")[0] for name in names}
