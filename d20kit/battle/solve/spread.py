"""One turn in many vectors and lanes at once: with NumPy where it is installed and weights are floats, else without."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

# A weight for each lane, and where they go: steps to other vectors, each with its chance.
Row = tuple[int, list[Any], list[tuple[int, Any]]]


@cache
def _numpy() -> Any:
    try:
        import numpy
    except ImportError:
        return None
    return numpy


def spread(rows: Iterable[Row], floating: bool) -> dict[int, list[Any]]:
    """Add up what coded vectors send to others.

    >>> spread([(10, [4], [(0, 2), (-1, 3)]), (9, [5], [(0, 1)])], floating=False)
    {10: [8], 9: [17]}
    """
    return _in_arrays(list(rows)) if floating and _numpy() is not None else _one_by_one(rows)


def _one_by_one(rows: Iterable[Row]) -> dict[int, list[Any]]:
    sums: dict[int, list[Any]] = {}
    for code, weights, steps in rows:
        for step, chance in steps:
            then = code + step
            old = sums.get(then)
            if old is None:
                sums[then] = [weight * chance for weight in weights]
            else:
                sums[then] = [one + weight * chance for one, weight in zip(old, weights)]  # noqa: B905
    return sums


def _in_arrays(rows: list[Row]) -> dict[int, list[float]]:
    """The same, sorted by where it goes, so that each sum is one slice."""
    np = _numpy()
    places: dict[int, int] = {}
    to = np.array([places.setdefault(code + step, len(places)) for code, _w, steps in rows for step, _c in steps], int)
    if not places:
        return {}
    chances = np.array([chance for _code, _w, steps in rows for _step, chance in steps])
    origin = np.repeat(np.arange(len(rows)), [len(steps) for _code, _w, steps in rows])
    order = np.argsort(to, kind="stable")
    sent = np.array([weights for _code, weights, _steps in rows])[origin[order]] * chances[order, None]
    starts = np.searchsorted(to[order], np.arange(len(places)))
    return dict(zip(places, np.add.reduceat(sent, starts).tolist(), strict=True))
