"""A group of modules against its tests: pytest collects once, and every mutant is tried in a fork of that."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib
import json
import os
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.mutation.baseline import Known, Watch
from tests.mutation.groups import TOPICS, Group, file_of
from tests.mutation.mutant import Mutant
from tests.mutation.trial import Loaded, forked, quiet_hypothesis, run_items

PARTS = ("d20kit", "tests", "widgets", "pyproject.toml", "README.md")
# What takes long to load and is no part of the kit.
LOADED = ("numpy", "sympy", "flint", "lark", "hypothesis", "hypothesis.strategies", "icepool", "dyce", "babel")
AGAIN = "import"
# Seconds of a test that is tried even if it may have nothing to do with a mutant.
QUICK = 0.02


@dataclass
class Verdict:
    """What became of a mutant: caught by a test, by its time or by a crash, or not at all (``by`` is None)."""

    mutant: Mutant
    by: str | None
    tests: int
    seconds: float


@contextlib.contextmanager
def copied(root: Path) -> Iterator[Path]:
    """Copy what tests need into a folder of its own and work there, so that nothing in the tree changes."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory(prefix="d20kit-mutation-") as folder:
        there = Path(folder).resolve()
        for part in PARTS:
            if (root / part).is_dir():
                shutil.copytree(root / part, there / part, ignore=shutil.ignore_patterns("__pycache__", "node_modules"))
            elif (root / part).exists():
                shutil.copy(root / part, there / part)
        os.chdir(there)
        try:
            yield there
        finally:
            os.chdir(before)


def load() -> None:
    """Load what is no part of the kit, for all forks."""
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    for name in LOADED:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)


def _scratch() -> Path:
    """Return the folder for what is kept between runs, which nobody else may write to."""
    folder = Path(tempfile.gettempdir(), f"d20kit-mutation-{os.getuid()}")
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def _log() -> Path:
    return _scratch() / "pytest.log"


def _mark(modules: Iterable[str], root: Path, *files: Path) -> str:
    """Name the modules that are watched, the code of the kit and that of some other files, wherever it is."""
    mark = hashlib.sha256(" ".join(modules).encode())
    for file in (*sorted(root.glob("d20kit/**/*.py")), *files):
        mark.update(file.relative_to(root).as_posix().encode() + file.read_bytes())
    return mark.hexdigest()[:16]


def _is_own(name: str, module: str) -> bool:
    """Whether a test is in the module or in the file that is called after it or its topic.

    >>> _is_own("tests/core/battle/test_exact.py::test_three", "battle.exact")
    True
    >>> _is_own("tests/core/test_damage.py::test_dagger", "duel")
    True
    """
    own = {module.rpartition(".")[2]} | {topic for topic, modules in TOPICS.items() if module in modules}
    return Path(name.partition("::")[0]).stem.removeprefix("test_") in own


class Session:
    """Everything about one group, in a copy of the tree that is the working folder."""

    def __init__(self, group: Group, modules: list[str], root: Path, budget: float, wait: Callable[[], None]) -> None:
        self._group, self._root, self._budget, self._wait = group, root, budget, wait
        self.sources = {module: (root / file_of(module)).read_text(encoding="utf-8") for module in modules}
        self.known = Known()
        self._kills: Counter[str] = Counter()
        self._kills_of_files: Counter[str] = Counter()

    def measure(self) -> None:
        """Run all tests as they are, but for files that were measured with exactly this code."""
        folder = _scratch()
        marks = {file: _mark(self._group.modules, self._root, self._root / file) for file in self._test_files()}
        kept = {file: folder / f"{mark}.json" for file, mark in marks.items()}
        new = [file for file, where in kept.items() if not where.exists()]
        if new:
            sources = {module: (self._root / file_of(module)).read_text("utf-8") for module in self._group.modules}
            watch = Watch(sources, self._root, self._group.left_out)
            known = Known(**json.loads(self._in_child(watch, lambda: json.dumps(vars(watch.known)), new)))
            for file in new:
                kept[file].write_text(json.dumps(vars(known.of(file))), encoding="utf-8")
        for where in kept.values():
            self.known.add(Known(**json.loads(where.read_text(encoding="utf-8"))))

    def _test_files(self) -> list[str]:
        """Return the files of the tests, those of folders one by one."""
        found: list[Path] = []
        for name in self._group.tests:
            folder = self._root / name
            inside = folder.glob("**/*.py" if name.startswith("d20kit") else "**/test_*.py")
            found += sorted(inside) if folder.is_dir() else [folder]
        return [file.relative_to(self._root).as_posix() for file in found]

    def try_all(self, mutants: Iterable[Mutant]) -> Iterator[Verdict]:
        """Try mutants, those first that need a new import."""
        again: list[Mutant] = []
        mutants = list(mutants)
        yield from self._try_imports(mutant for mutant in mutants if not mutant.live)
        for verdict in self._try_live([mutant for mutant in mutants if mutant.live]):
            if verdict.by == AGAIN:
                again.append(verdict.mutant)
            else:
                yield verdict
        yield from self._try_imports(again)

    def _try_imports(self, mutants: Iterable[Mutant]) -> Iterator[Verdict]:
        for mutant in mutants:
            self._wait()
            yield self._try_import(mutant)

    def chosen(self, mutant: Mutant, nodes: Iterable[str]) -> list[str]:
        """Return the tests that reach the changed lines, quick and successful ones first, up to the budget."""
        known, broken = self.known, set(self.known.broken)
        names = [name for name in nodes if name in known.seconds and name not in broken]
        if mutant.live:
            names = [name for name in names if self._reaches(name, mutant)]
        else:  # what an import does may matter to tests that call nothing of the module, such as those of every card
            names = [name for name in names if mutant.module in known.reached[name] or known.seconds[name] < QUICK]
        names.sort(key=lambda name: known.seconds[name])
        successful = [name for name in names if self._kills[name]]
        successful.sort(key=lambda name: (known.seconds[name] + QUICK) / self._kills[name])
        total = 0.0
        within: list[str] = []
        for name in dict.fromkeys([*successful[:20], *names]):
            total += known.seconds[name]
            if total > self._budget and within:
                break
            within.append(name)
        return within

    def _reaches(self, name: str, mutant: Mutant) -> bool:
        return any(line in mutant.lines for line in self.known.reached[name].get(mutant.module, ()))

    def _limit(self, names: Iterable[str]) -> float:
        return 10 + 4 * sum(self.known.seconds[name] for name in names)

    def _try_live(self, mutants: list[Mutant]) -> Iterator[Verdict]:
        """Collect once; what becomes of each mutant comes through a file as soon as it is known."""
        if not mutants:
            return
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                os.close(reading)
                with os.fdopen(writing, "w", encoding="utf-8") as out:
                    self._run_pytest(_Loop(lambda items: self._serve(items, mutants, out)))
            finally:
                os._exit(0)
        os.close(writing)
        with os.fdopen(reading, encoding="utf-8") as pipe:
            for mutant in mutants:
                line = pipe.readline()
                if not line:
                    raise RuntimeError(f"pytest could not collect the tests: see {_log()}")
                by, tests, seconds = json.loads(line)
                self._count(by)
                yield Verdict(mutant, by, tests, seconds)
        os.waitpid(child, 0)

    def _serve(self, items: list[pytest.Item], mutants: list[Mutant], out: Any) -> None:
        loaded = Loaded(str(self._root / file_of(module)) for module in self.sources)
        named = {item.nodeid: item for item in items}
        for mutant in mutants:
            self._wait()
            started = time.monotonic()
            names = self.chosen(mutant, named)
            work = functools.partial(self._attempt, loaded, mutant, [named[name] for name in names])
            said = forked(work, self._limit(names)) if names else json.dumps(None)
            by = said if said in ("time", "crash", AGAIN) else json.loads(said)
            self._count(by)
            print(json.dumps((by, len(names), round(time.monotonic() - started, 2))), file=out, flush=True)

    def _attempt(self, loaded: Loaded, mutant: Mutant, items: list[pytest.Item]) -> str:
        path = str(self._root / file_of(mutant.module))
        if not loaded.exchange(path, mutant.apply(self.sources[mutant.module])):
            return AGAIN
        return run_items(items)

    def _try_import(self, mutant: Mutant) -> Verdict:
        """Write the mutant into the copy and import everything anew, at first for few tests: to collect takes long."""
        started = time.monotonic()
        path = self._root / file_of(mutant.module)
        names = self.chosen(mutant, self.known.seconds)
        by = None
        path.write_text(mutant.apply(self.sources[mutant.module]), encoding="utf-8")
        try:
            for some in (self._first(names, mutant.module), names):
                by = self._attempt_anew(some) if some and by is None else by
        finally:
            path.write_text(self.sources[mutant.module], encoding="utf-8")
        self._count(by)
        if by in self.known.seconds and not _is_own(str(by), mutant.module):
            self._kills_of_files[str(by).partition("::")[0]] += 1
        return Verdict(mutant, by, len(names), round(time.monotonic() - started, 2))

    def _first(self, names: Iterable[str], module: str) -> list[str]:
        """Return the module's own tests, and the quick ones of the other file that has caught most at an import."""
        best = dict(self._kills_of_files.most_common(1))
        return [
            name
            for name in names
            if _is_own(name, module) or (name.partition("::")[0] in best and self.known.seconds[name] < QUICK)
        ]

    def _attempt_anew(self, names: list[str]) -> str | None:
        place = {name: number for number, name in enumerate(names)}
        said: list[str] = []

        def attempt(items: list[pytest.Item]) -> None:
            wanted = [item for item in items if item.nodeid in place]
            said.append(run_items(sorted(wanted, key=lambda item: place[item.nodeid])))

        def work() -> str:
            code = self._run_pytest(_Loop(attempt), dict.fromkeys(name.partition("::")[0] for name in names))
            return said[0] if said else json.dumps(f"import (pytest ends with {code})")

        answer = forked(work, self._limit(names) + 30)
        by: str | None = answer if answer in ("time", "crash") else json.loads(answer)
        return by

    def _count(self, by: str | None) -> None:
        if by in self.known.seconds:
            self._kills[str(by)] += 1

    def _in_child(self, plugin: Any, result: Callable[[], str], tests: Iterable[str]) -> str:
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                os.close(reading)
                self._run_pytest(plugin, tests)
                with os.fdopen(writing, "w", encoding="utf-8") as out:
                    out.write(result())
            finally:
                os._exit(0)
        os.close(writing)
        with os.fdopen(reading, encoding="utf-8") as pipe:
            found = pipe.read()
        os.waitpid(child, 0)
        if not found:
            raise RuntimeError(f"pytest could not run the tests: see {_log()}")
        return found

    def _run_pytest(self, plugin: Any, tests: Iterable[str] = ()) -> int:
        """Run pytest in a child, its words in a file of their own."""
        quiet_hypothesis()
        with _log().open("wb") as log:
            os.dup2(log.fileno(), 1)
            os.dup2(log.fileno(), 2)
        without = ["-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:nbval", "-q"]
        return int(pytest.main([*without, *(tests or self._group.tests)], plugins=[plugin]))


class _Loop:
    """A pytest plugin that does something else with the tests than to run them all."""

    def __init__(self, work: Callable[[list[pytest.Item]], None]) -> None:
        self._work = work

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Take over."""
        if session.testsfailed:
            raise session.Interrupted("some tests could not be collected")
        self._work(session.items)
        return True
