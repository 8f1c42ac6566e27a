"""What the tests do before anything is mutated: how long each takes, and which statements it reaches."""

from __future__ import annotations

import ast
import builtins
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.mutation.groups import file_of
from tests.mutation.trial import Loaded

PROBE = "__mutation_probe__"


@dataclass
class Known:
    """Of every test: its processor seconds, the statements it reaches by module and line, and whether it fails."""

    seconds: dict[str, float] = field(default_factory=dict)
    reached: dict[str, dict[str, list[int]]] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)

    def add(self, other: Known) -> None:
        """Take in what is known of other tests."""
        self.seconds |= other.seconds
        self.reached |= other.reached
        self.broken += other.broken

    def of(self, file: str) -> Known:
        """Return what is known of the tests of one file."""
        mine = [name for name in self.seconds if name.partition("::")[0] == file]
        return Known(
            {name: self.seconds[name] for name in mine},
            {name: self.reached[name] for name in mine},
            [name for name in self.broken if name in mine],
        )


def processor_seconds() -> float:
    """Return the processor time of this process and of those it has waited for."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


class Watch:
    """A pytest plugin that fills :class:`Known`.

    A tracing function would be called for everything that SymPy does, too, and take several times as long as the tests;
    instead the functions of the modules themselves tell what they do.
    """

    def __init__(self, sources: dict[str, str], root: Path, left_out: tuple[str, ...]) -> None:
        self.known = Known()
        self._sources, self._root, self._left_out = sources, root, left_out
        self._lines: set[tuple[str, int]] = set()

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave out what is to be left out, and let the modules speak."""
        items[:] = [item for item in items if not any(part in item.nodeid for part in self._left_out)]
        setattr(builtins, PROBE, self._probe)
        paths = {module: str(self._root / file_of(module)) for module in self._sources}
        loaded = Loaded(paths.values())
        for module, source in self._sources.items():
            loaded.exchange(paths[module], probed(module, source))

    def _probe(self, module: str, line: int) -> None:
        self._lines.add((module, line))

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Follow one test."""
        self._lines = set()
        started, clock = processor_seconds(), time.monotonic()
        yield
        waited = (time.monotonic() - clock) / 10  # a test that sleeps costs no processor, yet it costs
        self.known.seconds[item.nodeid] = round(max(processor_seconds() - started, waited), 3)
        reached: dict[str, list[int]] = {}
        for module, line in sorted(self._lines):
            reached.setdefault(module, []).append(line)
        self.known.reached[item.nodeid] = reached

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note what does not pass; nobody can tell what such a test would notice."""
        if report.outcome != "passed" and report.nodeid not in self.known.broken:
            self.known.broken.append(report.nodeid)


def probed(module: str, source: str) -> ast.Module:
    """Return a module whose functions tell of every statement before they come to it.

    >>> print(ast.unparse(probed("saves", "def half(a):\\n    return a // 2")))
    def half(a):
        __mutation_probe__('saves', 2)
        return a // 2
    """
    tree = ast.parse(source)
    for function in ast.walk(tree):
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            for node in ast.walk(function):
                for name in ("body", "orelse", "finalbody"):
                    statements = getattr(node, name, None)
                    if isinstance(statements, list) and not _is_probe(statements[:1]):
                        setattr(node, name, [new for old in statements for new in (_probe_before(module, old), old)])
    return ast.fix_missing_locations(tree)


def _probe_before(module: str, node: ast.stmt) -> ast.stmt:
    call = ast.Call(ast.Name(PROBE, ast.Load()), [ast.Constant(module), ast.Constant(node.lineno)], [])
    return ast.fix_missing_locations(ast.copy_location(ast.Expr(call), node))


def _is_probe(statements: list[ast.stmt]) -> bool:
    return any(ast.unparse(statement).startswith(PROBE) for statement in statements)
