"""Refuse what has no meaning, in a sentence that says what to write instead."""

from __future__ import annotations

import difflib
import math
import sys
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from d20kit.algebra import is_array, is_symbolic
from d20kit.language import _


def refuse(name: str, value: Any, allowed: str, fix: str = "") -> ValueError:
    """Build the error: argument, value given, what is allowed, what to write instead."""
    shown = repr(value)
    if len(shown) > 80:
        shown = shown[:77] + "..."
    text = _("{name} is {value}, but must be {allowed}").format(name=name, value=shown, allowed=allowed)
    return ValueError(f"{text}; {fix}" if fix else text)


def one_of(name: str, value: Any, choices: Iterable[str]) -> str:
    """Accept one of some names; otherwise offer the nearest.

    >>> one_of("progression", "good", ("good", "poor"))
    'good'
    """
    known = list(choices)
    if isinstance(value, str) and value in known:
        return value
    allowed = _("one of {choices}").format(choices=", ".join(repr(choice) for choice in known))
    near = difflib.get_close_matches(value.lower(), known, 1) if isinstance(value, str) else []
    fix = _("did you mean {nearest!r}?").format(nearest=near[0]) if near else ""
    raise refuse(name, value, allowed, fix)


def truth(name: str, value: Any) -> bool:
    """Accept True or False and nothing that only behaves like them."""
    if isinstance(value, bool):
        return value
    raise refuse(name, value, _("True or False"))


def _range_text(low: int | None, high: int | None) -> str:
    if low is not None and high is not None:
        return _("a whole number from {low} to {high}").format(low=low, high=high)
    if low is not None:
        return _("a whole number, {low} or more").format(low=low)
    if high is not None:
        return _("a whole number, {high} or less").format(high=high)
    return _("a whole number")


def whole(name: str, value: Any, low: int | None = None, high: int | None = None, fix: str = "") -> Any:
    """Accept a whole number, an array of them or a symbol, and return it as such.

    >>> whole("level", 3.0, low=1)
    3
    """
    sound = value if type(value) is int else _as_whole(value)
    if sound is None or not _within(sound, low, high):
        raise refuse(name, value, _range_text(low, high), fix)
    return sound


def _as_whole(value: Any) -> Any:
    if is_symbolic(value):
        return _whole_symbol(value)
    return _whole_array(value) if is_array(value) else _whole_number(value)


# No bonus, penalty, class or difficulty of the rules comes near this.
MODIFIER_LIMIT = 1000


def modifier(name: str, value: Any, fix: str = "") -> Any:
    """Accept a bonus, a penalty, an armor class or a difficulty class: a whole number of sane size.

    >>> modifier("bonus", -2)
    -2
    """
    return whole(name, value, -MODIFIER_LIMIT, MODIFIER_LIMIT, fix)


def _within(value: Any, low: int | None, high: int | None) -> bool:
    if type(value) is not int:
        if is_array(value):
            return not value.size or (_within(value.min(), low, high) and _within(value.max(), low, high))
        if is_symbolic(value) and not value.is_number:
            return True
    return (low is None or value >= low) and (high is None or value <= high)


def _whole_number(value: Any) -> int | None:
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(value, numpy.generic):
        value = value.item()
    if isinstance(value, bool) or not isinstance(value, (int, float, Fraction)):
        return None
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return int(value) if value == int(value) else None


def _whole_symbol(value: Any) -> Any:
    sympy = sys.modules["sympy"]
    if not isinstance(value, sympy.Expr) or value.is_finite is False:
        return None
    if value.is_number:
        return sympy.Integer(value) if value.is_integer else None
    return None if value.is_integer is False else value


def _whole_array(value: Any) -> Any:
    if value.dtype.kind in "iu":
        # small or unsigned types would wrap around in the first sum
        return value.astype("int64") if not value.size or value.max() < 2**63 else None
    if value.dtype.kind not in "fO":
        return None
    numbers = [_whole_number(item) for item in value.flat]
    if None in numbers:
        return None
    return sys.modules["numpy"].array(numbers, dtype=object if value.dtype.kind == "O" else None).reshape(value.shape)
