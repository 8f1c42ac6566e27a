"""Work spread over an executor: threads, processes or the machines of a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from itertools import islice
from typing import Any, TypeVar

from d20kit.check import called, refuse
from d20kit.language import _

Result = TypeVar("Result")

# So many pieces are handed out at a time, however many there are.
MOST_AT_ONCE = 256


def check_executor(executor: Any) -> Executor | None:
    """Accept any executor of ``concurrent.futures``, or None.

    >>> check_executor(None) is None
    True
    """
    if executor is None or isinstance(executor, Executor):
        return executor
    allowed = _("a concurrent.futures.Executor, such as a ThreadPoolExecutor or dask's Client.get_executor(), or None")
    raise refuse("executor", executor, allowed)


def check_progress(progress: Any) -> Callable[[int, int], Any] | None:
    """Accept a function that is told of progress, or None.

    >>> check_progress(None), check_progress(print) is print
    (None, True)
    """
    if progress is None:
        return None
    allowed = _("a function that is called with what is done and what there is to do, or None")
    checked: Callable[[int, int], Any] = called("progress", progress, allowed, "progress=print")
    return checked


def spread(
    work: Callable[..., Result], pieces: Iterable[tuple[Any, ...]], executor: Executor | None = None
) -> Iterator[tuple[int, Result]]:
    """Do every piece of work; yield its number and its result as soon as it is there.

    Without an executor the pieces are done one after the other, here. An error ends it all: what has not begun is
    cancelled, and so it is if whoever listens stops listening.

    Examples
    --------
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> with ThreadPoolExecutor(2) as threads:
    ...     sorted(spread(pow, [(2, 3), (5, 2)], threads))
    [(0, 8), (1, 25)]
    """
    numbered = enumerate(pieces)
    if executor is None:
        for number, piece in numbered:
            yield number, work(*piece)
        return
    running: dict[Future[Result], int] = {}
    try:
        while True:
            for number, piece in islice(numbered, MOST_AT_ONCE - len(running)):
                running[executor.submit(work, *piece)] = number
            if not running:
                return
            for done in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(done), done.result()
    finally:
        for future in running:
            future.cancel()
