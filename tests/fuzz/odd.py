"""Odd values and odd texts, and how a text is spoilt: what the targets share."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy
import sympy
from hypothesis import strategies as st

NASTY = (
    "",
    " ",
    "\t\n",
    "\0",
    "\u202eevil",
    "\u200b",
    "\ufeff",
    "\ud800",
    "{}",
    "{name}",
    "%s%n",
    "<script>window.d20Hit=1</script>",
    "__import__('os').getcwd()",
    "'; DROP TABLE combatants; --",
    "none",
    "null",
    "true",
    "NaN",
    "-inf",
    "1e309",
    "0x10",
    "1_000",
    "1,000",
    "+-1",
    "-0",
    "٣",
    "４d6",
    "²",
    "½",
    "𝟙𝟚",
    "I\u0307",
    "ß",
    "e\u0301" * 40,
    "A" * 61,
    "9" * 4301,
    "(" * 5000,
    "-" * 5000,
    "1/" * 3000,
    "x" * 250_000,
)


def shares(*weighted: tuple[int, st.SearchStrategy[Any]]) -> st.SearchStrategy[Any]:
    """One of some strategies, each as often as its weight says; ``st.one_of`` would count the branches of each."""
    drawn = [strategy for weight, strategy in weighted for _time in range(weight)]
    return st.sampled_from(range(len(drawn))).flatmap(drawn.__getitem__)


_SHORT = st.text(st.characters(), max_size=12)
texts = st.one_of(_SHORT, st.text(max_size=60), st.sampled_from(NASTY))

# Longer numbers than Python writes are no JSON, and come besides.
_EDGES = [-(2**63), -(10**9), -1001, -10, -1, 0, 1, 2, 20, 21, 50, 200, 1001, 10_001, 10**6 + 1, 2**31, 2**63]
_wholes = st.one_of(
    st.integers(-30, 60),
    st.integers(-30, 60),
    st.sampled_from(_EDGES),
    st.integers(),
    st.sampled_from([10**30, -(10**400)]),
)
numbers: st.SearchStrategy[Any] = st.one_of(
    _wholes,
    st.integers(-30, 60).map(float),
    st.floats(),
    st.booleans(),
    st.fractions(max_denominator=1000),
    st.just(5000).map(lambda digits: 10**digits),  # not as it is, for nobody may write it
    st.sampled_from(
        [
            float("nan"),
            float("inf"),
            Fraction(1, 10**500),
            Decimal("0.55"),
            Decimal("sNaN"),
            Decimal("1e999999"),
            Decimal("-1e-999999"),
            1 + 2j,
            numpy.int8(5),
            numpy.float32(0.5),
            numpy.float64("nan"),
            numpy.array(5),
            numpy.array([1, 2]),
            sympy.Integer(5),
            sympy.Rational(11, 20),
            sympy.Symbol("x"),
            sympy.zoo,
        ]
    ),
)


class Hostile:
    """Something whose own code raises whatever it is asked for."""

    def _no(self, *_given: Any) -> Any:
        raise RuntimeError("no")

    __repr__ = __str__ = __eq__ = __hash__ = __len__ = __iter__ = __int__ = __float__ = __bool__ = __index__ = _no


_things: st.SearchStrategy[Any] = st.sampled_from(
    [None, (), [], {}, set(), b"1d6", bytearray(b"5"), object, len, ..., range(3), [None], {"a": 1}, memoryview(b"1")]
)
anything: st.SearchStrategy[Any] = st.one_of(numbers, texts, _things, st.builds(Hostile), st.lists(numbers, max_size=3))
# What JSON can say.
json_values: st.SearchStrategy[Any] = st.one_of(
    _wholes,
    st.floats(),
    st.booleans(),
    st.none(),
    texts,
    st.sampled_from([[], {}, [[]], [1, 2], {"": None}, [[0, [20], None]], [[[[[]]]]], "COURSE", "SRD35", "1d6"]),
)


@st.composite
def spoilt(draw: st.DrawFn, base: st.SearchStrategy[str], most: int = 3) -> str:
    """A text with a few slips in it; see :func:`slip`."""
    text = draw(base)
    for _slip in range(draw(st.integers(1, most))):
        text = slip(draw, text)
    return text


_SIGNS = st.sampled_from("0123456789dDkhl+-*()%/., \n'\"[]{}=#\\x\0éÅ٣−")


def slip(draw: st.DrawFn, text: str) -> str:
    """Lose, double, put in or replace a piece of a text, or cut off the rest of it."""
    place = draw(st.integers(0, len(text)))
    end = min(len(text), place + draw(st.integers(1, 6)))
    kind = draw(st.integers(0, 4))
    if kind == 0:
        return text[:place] + text[end:]
    if kind == 1:
        return text[:end] + text[place:]
    if kind == 2:
        return text[:place] + draw(_SHORT) + text[place:]
    return text[:place] + draw(_SIGNS) + text[end:] if kind == 3 else text[:place]
