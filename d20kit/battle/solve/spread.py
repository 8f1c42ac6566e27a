"""One turn in many vectors and lanes at once: with NumPy where it is installed and weights are floats, else without."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

# A weight for each lane, and where they go: steps to other vectors, each with its chance.
Row = tuple[int, list[Any], list[tuple[int, Any]]]
# Codes of many combatants can be larger than NumPy's whole numbers; below this, no step leads beyond them.
_LARGEST = 2**62


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
    """The same, sorted by where it goes, so that each sum is one slice; vectors that move alike share their steps."""
    np = _numpy()
    if not any(steps for _code, _weights, steps in rows):
        return {}
    codes = [code for code, _weights, _steps in rows]
    whole = int if max(codes) < _LARGEST else object
    alike = {id(steps): steps for _code, _weights, steps in rows}
    moves = {key: np.array([step for step, _chance in steps], whole) for key, steps in alike.items()}
    chances = {key: np.array([chance for _step, chance in steps], float) for key, steps in alike.items()}
    kinds = [id(steps) for _code, _weights, steps in rows]
    origin = np.repeat(np.arange(len(rows)), [len(alike[kind]) for kind in kinds])
    to = np.array(codes, whole)[origin] + np.concatenate([moves[kind] for kind in kinds])
    order = np.argsort(to, kind="stable")
    origin, to = origin[order], to[order]
    chance = np.concatenate([chances[kind] for kind in kinds])[order]
    sent = np.array([weights for _code, weights, _steps in rows])[origin] * chance[:, None]
    starts = np.flatnonzero(np.concatenate([[True], to[1:] != to[:-1]]))
    return dict(zip(to[starts].tolist(), np.add.reduceat(sent, starts).tolist(), strict=True))
