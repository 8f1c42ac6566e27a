"""All mutants of a module. Docstrings, annotations, the words of messages and of the catalogue are left alone."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from tests.mutation import operators
from tests.mutation.mutant import NO_KEYWORD, Mutant

# Calls that hold words for people, or types.
WORDS = {"_", "N_", "ngettext", "refuse", "cast", "TypeVar", "NewType", "ValueError", "TypeError", "KeyError"}
# Arguments of decorators, and of zip, that change how fast or how strictly something is done but never what it returns,
# and those without which a rule cannot be declared.
NO_CHOICE = {"maxsize", "strict", "slots", "title", "symbol", "why", "source"}
EXPRESSIONS: dict[type[ast.expr], Callable[[Any], Iterator[ast.expr]]] = {
    ast.Compare: operators.comparisons,
    ast.BinOp: operators.arithmetic,
    ast.Constant: operators.constants,
    ast.BoolOp: operators.truths,
    ast.UnaryOp: operators.signs,
    ast.IfExp: operators.choices,
    ast.Call: operators.twins,
}
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def find(module: str, source: str) -> list[Mutant]:
    """Return the mutants of a module in the order of its lines.

    >>> for mutant in find("saves", "def succeeds(total, dc):\\n    return total >= dc\\n"):
    ...     print(mutant.before, "->", mutant.after)
    return total >= dc -> return None
    total >= dc -> total > dc
    total >= dc -> total < dc
    """
    finder = _Finder(module, source)
    finder.body(ast.parse(source).body)
    return sorted(finder.found, key=lambda mutant: (mutant.start, -mutant.end))


class _Finder:
    def __init__(self, module: str, source: str) -> None:
        self.module, self.source = module, source
        lines = source.splitlines(keepends=True)
        self._starts = [sum(map(len, lines[:count])) for count in range(len(lines) + 1)]
        self._text = lines
        self._where: list[str] = []
        self._seen: Counter[tuple[str, ...]] = Counter()
        self._live = False
        self._lines = range(0)
        self.found: list[Mutant] = []

    def body(self, statements: Iterable[ast.stmt]) -> None:
        for statement in statements:
            if not _is_only_for_readers(statement):
                self._statement(statement)

    def _statement(self, node: ast.stmt) -> None:
        before, self._lines = self._lines, _header(node)
        for other in operators.statement(node):
            # a module without its first calls, or a class without a field, says more about Python than about tests
            if self._live:
                self._add(node, other)
        if isinstance(node, FUNCTIONS):
            self._function(node)
        elif isinstance(node, ast.ClassDef):
            with self._named(node.name):
                self._decorators(node.decorator_list)
                self.body(node.body)
        elif not isinstance(node, ast.Raise):
            self._parts(node)
        self._lines = before

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        with self._named(node.name):
            self._decorators(node.decorator_list)
            for default in (*node.args.defaults, *node.args.kw_defaults):
                if default is not None:
                    self._expression(default)
            self._inside(node.body)

    def _inside(self, body: list[ast.stmt]) -> None:
        outside, self._live = self._live, True
        self.body(body)
        self._live = outside

    @contextmanager
    def _named(self, name: str) -> Iterator[None]:
        self._where.append(name)
        yield
        self._where.pop()

    def _decorators(self, decorators: Iterable[ast.expr]) -> None:
        for node in decorators:
            for keyword in node.keywords if isinstance(node, ast.Call) else ():
                if keyword.arg not in NO_CHOICE:
                    self._add(keyword, NO_KEYWORD)

    def _parts(self, node: ast.AST) -> None:
        if isinstance(node, (ast.If, ast.While, ast.IfExp)):
            self._add_all(node.test, operators.condition(node.test))
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "pattern"):
                continue
            for part in value if isinstance(value, list) else [value]:
                self._part(part)

    def _part(self, part: object) -> None:
        if isinstance(part, ast.stmt):
            self.body([part])
        elif isinstance(part, ast.expr):
            self._expression(part)
        elif isinstance(part, ast.comprehension):
            for test in part.ifs:
                self._add_all(test, operators.condition(test))
            self._parts(part)
        elif isinstance(part, ast.keyword):
            if part.arg not in NO_CHOICE:
                self._expression(part.value)
        elif isinstance(part, ast.AST):
            self._parts(part)

    def _expression(self, node: ast.expr) -> None:
        if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Call) and _name(node.func) in WORDS):
            return
        if type(node) in EXPRESSIONS:
            self._add_all(node, EXPRESSIONS[type(node)](node))
        if isinstance(node, ast.Lambda):
            outside, self._live = self._live, True
            self._expression(node.body)
            self._live = outside
        else:
            self._parts(node)

    def _add_all(self, node: ast.AST, others: Iterator[ast.expr]) -> None:
        for other in others:
            self._add(node, other)

    def _add(self, node: ast.AST, other: ast.AST | str) -> None:
        start, end = self._offset(node, ""), self._offset(node, "end_")
        where, before, after = (
            ".".join(self._where),
            self.source[start:end],
            other if isinstance(other, str) else ast.unparse(other),
        )
        nth = self._seen[where, before, after]
        self._seen[where, before, after] += 1
        line = getattr(node, "lineno")  # noqa: B009  (an AST node has one only where its kind says so)
        code = self._text[line - 1].strip()
        mutant = Mutant(self.module, where, line, before, after, start, end, nth, self._live, self._lines, code)
        self.found.append(mutant)

    def _offset(self, node: ast.AST, end: str) -> int:
        line: int = getattr(node, f"{end}lineno") - 1
        column: int = getattr(node, f"{end}col_offset")
        return self._starts[line] + len(self._text[line].encode()[:column].decode())


def _header(node: ast.stmt) -> range:
    """Return the lines of a statement without those of the statements inside it."""
    inside = getattr(node, "body", None) or getattr(node, "cases", None)
    if not inside:
        return range(node.lineno, (node.end_lineno or node.lineno) + 1)
    first = inside[0].pattern if isinstance(inside[0], ast.match_case) else inside[0]
    return range(node.lineno, max(first.lineno, node.lineno + 1))


def _name(function: ast.expr) -> str:
    return function.id if isinstance(function, ast.Name) else ""


def _is_only_for_readers(node: ast.stmt) -> bool:
    """Whether it is a docstring, an import, a list of public names or something for type checkers."""
    if isinstance(node, (ast.Import, ast.ImportFrom, ast.Assert)):
        return True
    if isinstance(node, ast.If):
        return ast.unparse(node.test) in ("TYPE_CHECKING", "__name__ == '__main__'")
    targets = node.targets if isinstance(node, ast.Assign) else []
    return any(isinstance(target, ast.Name) and target.id == "__all__" for target in targets)
