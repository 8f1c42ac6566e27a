"""Dice expressions: written by the grammar, spoilt, or anything at all."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import strategies as st

from d20kit import Pmf, parse
from d20kit.expression import MAX_LENGTH, distribution, read
from tests.fuzz import odd
from tests.fuzz.target import Target, refused

# Bits of all chances together beyond which their sum takes the test longer than all else takes the kit.
_FEW_BITS = 20_000
_HOW_MANY = st.one_of(
    st.sampled_from(["", "2", "3", "4"]),
    st.integers(1, 40).map(str),
    st.integers(0, 12_000).map(str),
    st.sampled_from(["0", "007", "100", "1000", "2500", "9999", "10000", "10001", "9" * 30]),
)
_SIDES = st.one_of(
    st.sampled_from(["%", "4", "6", "8", "10", "12", "20", "100"]),
    st.integers(1, 60).map(str),
    st.integers(0, 110_000).map(str),
)
_KEPT = st.builds(
    str.__add__, st.sampled_from(["kh", "kl", "KH", " k l"]), st.sampled_from(["", "1", "2", "3", "0", "30"])
)
_FEW_DICE = st.builds("{}d{}".format, st.sampled_from(["", "1", "2", "3"]), st.sampled_from("468"))
_DICE = st.builds(
    "{}{}{}{}".format, _HOW_MANY, st.sampled_from(["d", "D", " d "]), _SIDES, odd.shares((3, st.just("")), (1, _KEPT))
)
_FLAT = st.one_of(st.integers(0, 30), st.integers(0, 30), st.integers(0, 2_000_000)).map(str)
_SIGNS = st.sampled_from(["+", "-", "*", " + ", "\t-\r\n", "+-", "*-"])


def _joined(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.builds("{}{}{}".format, inner, _SIGNS, inner),
        st.builds("({}){}{}".format, inner, _SIGNS, inner),
        st.builds("-({})".format, inner),
    )


expressions = st.recursive(st.one_of(_FEW_DICE, _DICE, _FLAT), _joined, max_leaves=6)
_inputs = odd.shares((5, expressions), (2, odd.spoilt(expressions)), (2, odd.texts), (1, odd.anything))


def check(given: Any) -> bool:
    """Read, compute, roll and write; what is refused by one is refused by the other."""
    try:
        pmf = parse(given)
    except ValueError as error:
        return refused(error) or _also_refused(given)
    expression = read(given)
    written = str(expression)
    if len(written) <= MAX_LENGTH:
        assert read(written) == expression, f"{written!r} is another expression"
        assert str(read(written)) == written
    low, high = pmf.support()
    assert (low, high) == expression.span()[:2]
    assert _whole(pmf, expression.span().bits), "the chances do not sum to 1"
    assert low <= pmf.mean() <= high
    assert pmf is parse(given) or pmf == parse(given)
    assert str(pmf)
    assert repr(pmf)
    rolled = expression.roll(Random(len(given)))
    assert low <= rolled.total <= high
    assert pmf.pmf(rolled.total) > 0
    assert distribution("damage", given) == pmf
    return True


def _whole(pmf: Pmf, bits: int) -> bool:
    low, high = pmf.support()
    if (high - low + 1) * bits > _FEW_BITS:
        return pmf.cdf(high) == 1 and pmf.cdf(low - 1) == 0
    return sum(chance for _outcome, chance in pmf.items()) == 1


def _also_refused(given: Any) -> bool:
    """A rule that asks for dice refuses the same text, and takes only whole numbers and distributions besides."""
    try:
        found = distribution("damage", given)
    except ValueError as error:
        return refused(error, "damage")
    assert not isinstance(given, str), "a text that parse refuses is accepted as dice"
    assert found.pmf(int(given)) == 1
    return False


DICE = Target("dice", _inputs, check)
