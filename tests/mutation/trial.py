"""One mutant against the tests, in a process of its own that is forked from one in which everything is loaded."""

from __future__ import annotations

import ast
import contextlib
import functools
import gc
import json
import os
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from types import CodeType, FunctionType

import pytest
from _pytest.runner import runtestprotocol

MEMORY = 8 << 30


def forked(work: Callable[[], str], seconds: float) -> str:
    """Return what some work says in a child of this process, or why it did not: ``"time"`` or ``"crash"``."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        os.setsid()
        _limit(seconds)
        try:
            os.write(writing, work().encode())
        finally:
            os._exit(0)
    os.close(writing)
    status = _wait(child, seconds)
    with os.fdopen(reading) as pipe:
        said = pipe.read()
    if said:
        return said
    late = status is None or (os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL))
    return "time" if late else "crash"


def _limit(seconds: float) -> None:
    import resource  # not on Windows, where the command says that it cannot run

    for kind, most in ((resource.RLIMIT_CPU, int(seconds) + 1), (resource.RLIMIT_AS, MEMORY)):
        hard = resource.getrlimit(kind)[1]
        resource.setrlimit(kind, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def _wait(child: int, seconds: float) -> int | None:
    """Return how a process ended, or None if it had to be ended: other processes may need the machine, too."""
    status, waited, last = None, 0.0, time.monotonic()
    while waited < 10 * seconds + 30:
        done, how = os.waitpid(child, os.WNOHANG)
        if done:
            status = how
            break
        time.sleep(0.005)
        now = time.monotonic()
        waited += min(now - last, 0.1)  # whoever stops all processes for a while stops this one, too
        last = now
    _end_group(child)
    if status is None:
        os.waitpid(child, 0)
    return status


def _end_group(child: int) -> None:
    """End what a process leaves behind."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)


def run_items(items: list[pytest.Item]) -> str:
    """Run tests until one fails, and return its name as JSON, or null."""
    for item, following in zip(items, [*items[1:], None], strict=True):
        try:
            reports = runtestprotocol(item, nextitem=following, log=False)
        except BaseException:  # pytest.exit, or a mutant that ends the process
            return json.dumps(item.nodeid)
        if any(report.failed for report in reports):
            return json.dumps(item.nodeid)
    return json.dumps(None)


class Loaded:
    """The functions of some modules that are loaded, wherever they are held, and everything that remembers results.

    Made once, before any process is forked: to look at every object means to copy the memory of all of them.
    """

    def __init__(self, paths: Iterable[str]) -> None:
        self._functions: dict[str, list[FunctionType]] = {path: [] for path in paths}
        self._caches = []
        for thing in gc.get_objects():
            if isinstance(thing, FunctionType) and thing.__code__.co_filename in self._functions:
                self._functions[thing.__code__.co_filename].append(thing)
            elif isinstance(thing, functools._lru_cache_wrapper):
                self._caches.append(thing)
        gc.freeze()

    def exchange(self, path: str, source: str | ast.Module) -> bool:
        """Give every function of a module the code it has in another source.

        Returns whether that was possible: a method that no longer calls ``super()`` has to be imported anew.
        """
        codes: dict[tuple[str, int], CodeType] = {}
        for code in _codes(compile(source, path, "exec", dont_inherit=True)):
            codes.setdefault((code.co_qualname, code.co_firstlineno), code)
        for function in self._functions[path]:
            old = function.__code__
            new = codes.get((old.co_qualname, old.co_firstlineno), old)
            if new.co_freevars != old.co_freevars:
                return False
            function.__code__ = new
        for cache in self._caches:
            cache.cache_clear()
        return True


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def quiet_hypothesis() -> None:
    """Draw the same examples for every mutant, remember none, and do not look for the shortest that fails."""
    import hypothesis

    phases = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
    hypothesis.settings.register_profile(
        "mutation", derandomize=True, database=None, deadline=None, phases=phases, print_blob=False
    )
    hypothesis.settings.load_profile("mutation")
