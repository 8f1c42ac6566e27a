"""Values of classes derived from Python's own kinds whose methods raise whatever is asked of them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

_COMPARING = (
    "__eq__",
    "__ne__",
    "__lt__",
    "__le__",
    "__gt__",
    "__ge__",
    "__bool__",
    "__repr__",
    "__str__",
    "__format__",
)
_COUNTING = ("__add__", "__radd__", "__sub__", "__rsub__", "__mul__", "__rmul__", "__neg__", "__abs__", "__int__")
_HOLDING = ("__len__", "__iter__", "__contains__", "__getitem__", "copy", "keys", "items", "values", "get", "index")
_SPELLING = ("lower", "upper", "strip", "startswith", "endswith", "split", "partition", "encode", "isprintable")


def _refuse(*_given: Any, **_named: Any) -> Any:
    raise RuntimeError


def _derived(kind: type, names: tuple[str, ...], *properties: str) -> Any:
    methods: dict[str, Any] = dict.fromkeys((*_COMPARING, *names), _refuse)
    return type(f"Hostile{kind.__name__.title()}", (kind,), methods | dict.fromkeys(properties, property(_refuse)))


HostileStr: Any = _derived(str, (*_HOLDING, *_SPELLING, "__hash__"))
HostileList: Any = _derived(list, _HOLDING)
HostileTuple: Any = _derived(tuple, (*_HOLDING, "__hash__"))
HostileDict: Any = _derived(dict, _HOLDING)
HostileInt: Any = _derived(int, (*_COUNTING, "__hash__", "__index__", "bit_length"))
HostileFloat: Any = _derived(float, (*_COUNTING, "__hash__", "as_integer_ratio"))
HostileFraction: Any = _derived(Fraction, (*_COUNTING, "__hash__"), "numerator", "denominator")


def hostile() -> list[Any]:
    """Return one value of each."""
    return [
        HostileStr("1d6"), HostileStr("good"), HostileList([1, 2]), HostileTuple((1, 2)), HostileDict({"a": 1}),
        HostileInt(5), HostileFloat(0.5), HostileFraction(1, 2),
    ]  # fmt: skip
