"""Distributions: against counting by hand, against themselves, and against what they must refuse."""

from __future__ import annotations

import pickle
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from d20kit import Pmf, d
from d20kit.polynomials import MAX_SIDES
from d20kit.randomness import draw_below

small = st.dictionaries(st.integers(-6, 6), st.integers(0, 5), min_size=1, max_size=5).filter(
    lambda chances: any(chances.values())
)
pmfs = small.map(Pmf)


def counted(*parts: Pmf, function: Callable[..., Any] = lambda *outcomes: sum(outcomes)) -> dict[int, Fraction]:
    """The slow twin: every combination of outcomes, one by one."""
    sums: dict[int, Fraction] = defaultdict(Fraction)
    for combination in product(*(list(part.items()) for part in parts)):
        chance = Fraction(1)
        for _outcome, one in combination:
            chance *= one
        sums[function(*(outcome for outcome, _one in combination))] += chance
    return dict(sorted(sums.items()))


@given(small, small, st.integers(1, 12))
def test_equal_means_the_same_chances(weights: dict[int, int], others: dict[int, int], times: int) -> None:
    """Whatever the denominators: two distributions are equal if and only if every outcome has the same chance."""
    one, other = Pmf(weights), Pmf(others)
    assert (one == other) == (dict(one.items()) == dict(other.items()))
    again = Pmf({outcome: weight * times for outcome, weight in weights.items()})
    assert (one == again, hash(one) == hash(again)) == (True, True)


@given(pmfs, pmfs)
def test_sum_and_difference(a: Pmf, b: Pmf) -> None:
    """Multiplying polynomials must be the same as counting pairs."""
    assert dict((a + b).items()) == counted(a, b)
    assert dict((a - b).items()) == counted(a, b, function=lambda x, y: x - y)


@given(pmfs, pmfs)
def test_product(a: Pmf, b: Pmf) -> None:
    """The product of two outcomes is counted pair by pair too."""
    assert dict((a * b).items()) == counted(a, b, function=lambda x, y: x * y)


@given(pmfs, st.integers(-4, 4))
def test_shift_and_scale(a: Pmf, n: int) -> None:
    """Adding or multiplying by a number moves outcomes and leaves chances alone."""
    assert dict((a + n).items()) == dict((n + a).items()) == counted(a, function=lambda x: x + n)
    assert dict((n - a).items()) == counted(a, function=lambda x: n - x)
    assert dict((a * n).items()) == dict((n * a).items()) == counted(a, function=lambda x: x * n)


@settings(max_examples=30)
@given(pmfs, st.integers(0, 4))
def test_repeated_roll(a: Pmf, count: int) -> None:
    """n @ die is n dice added, not one die multiplied."""
    assert dict((count @ a).items()) == counted(*[a] * count)


@given(pmfs)
def test_moments(a: Pmf) -> None:
    """Mean and variance come from derivatives; the definition says the same."""
    mean = sum(outcome * chance for outcome, chance in a.items())
    assert a.mean() == mean
    assert a.var() == sum((outcome - mean) ** 2 * chance for outcome, chance in a.items())
    assert a.std() == pytest.approx(float(a.var()) ** 0.5)


@given(pmfs, st.integers(-8, 8))
def test_cumulative(a: Pmf, x: int) -> None:
    """cdf, sf, pmf and ppf are four views of one table."""
    assert a.cdf(x) == sum(chance for outcome, chance in a.items() if outcome <= x)
    assert a.sf(x) == 1 - a.cdf(x)
    assert a.pmf(x) == a.cdf(x) - a.cdf(x - 1)
    assert a.sf(a.support()[1]) == 0
    assert a.ppf(a.cdf(x)) <= x or a.cdf(x) == 0


@given(pmfs, st.fractions(0, 1, max_denominator=60))
def test_quantile(a: Pmf, chance: Fraction) -> None:
    """The quantile is the first outcome whose cdf is enough."""
    found = a.ppf(chance)
    assert a.pmf(found)
    assert a.cdf(found) >= chance
    assert found == a.support()[0] or a.cdf(found - 1) < chance


@given(pmfs, st.integers(-8, 8), st.integers(0, 8))
def test_clip(a: Pmf, low: int, width: int) -> None:
    """Clipping is a map, also when every outcome lies beyond an end."""
    high = low + width
    assert dict(a.clip(low, high).items()) == counted(a, function=lambda x: min(max(x, low), high))
    assert dict(a.clip(low=low).items()) == counted(a, function=lambda x: max(x, low))
    assert dict(a.clip(high=high).items()) == counted(a, function=lambda x: min(x, high))
    assert a.clip() == a


@given(pmfs, pmfs)
def test_comparisons(a: Pmf, b: Pmf) -> None:
    """Comparing two rolls counts the pairs on either side."""
    pairs = counted(a, b, function=lambda x, y: (x > y) - (x < y))
    assert a.chance_above(b) == pairs.get(1, 0)
    assert a.chance_equal(b) == pairs.get(0, 0)
    assert a.chance_at_least(b) == pairs.get(1, 0) + pairs.get(0, 0)


@given(pmfs, pmfs, st.fractions(0, 1, max_denominator=12))
def test_mixture(a: Pmf, b: Pmf, chance: Fraction) -> None:
    """A mixture has the mixed chances, also where a part has chance 0."""
    mixed = Pmf.mixture([(chance, a), (1 - chance, b)])
    for x in range(-7, 8):
        assert mixed.pmf(x) == chance * a.pmf(x) + (1 - chance) * b.pmf(x)


@given(small, st.integers(1, 9))
def test_equality_ignores_the_denominator(chances: dict[int, int], factor: int) -> None:
    """Equal distributions are equal and hash alike however their weights were given."""
    one, other = Pmf(chances), Pmf({outcome: Fraction(weight * factor, 7) for outcome, weight in chances.items()})
    assert one == other
    assert hash(one) == hash(other)
    assert one != one + 1
    assert one != chances


@given(pmfs)
def test_text_forms(a: Pmf) -> None:
    """The one-line form makes the distribution again; a copy through pickle is equal."""
    assert eval(repr(a), {"Pmf": Pmf}) == a
    assert pickle.loads(pickle.dumps(a)) == a
    assert len(str(a).splitlines()) == len(list(a.items()))


def test_long_tables_are_cut_around_the_mean() -> None:
    """A table of a thousand rows is no help; the rows that matter are those around the mean."""
    many = 100 @ d(6)
    assert repr(many) == "<Pmf from 100 to 600, mean 350>"
    rows = str(many).splitlines()
    assert len(rows) == 41
    assert rows[0].split()[0] == "330"
    assert "from 100 to 600" in rows[-1]
    assert many._repr_html_().count("<tr>") == 41


def test_html_names_its_columns() -> None:
    """A screen reader needs headers for rows and columns, and a caption."""
    page = d(2)._repr_html_()
    assert '<th scope="col">outcome</th>' in page
    assert '<th scope="row">2</th><td>1/2</td><td>50.00%</td>' in page
    assert "mean 3/2" in page


def test_generating_function() -> None:
    """The generating function of a sum is the product, and its derivative at 1 is the mean."""
    z = sympy.Symbol("z")
    one = d(6).generating_function(z)
    assert sympy.expand(one**2) == sympy.expand((2 @ d(6)).generating_function(z))
    assert sympy.diff(one, z).subs(z, 1) == sympy.Rational(7, 2)
    assert (d(6) - 3).generating_function(Fraction(1, 2)) == sum(
        Fraction(1, 6) * Fraction(2) ** k for k in range(-3, 3)
    )
    assert (d(6) + 2).generating_function(-3) == sum(Fraction((-3) ** k, 6) for k in range(3, 9))
    assert (d(6) - 1).generating_function(0) == Fraction(1, 6)


def test_arrays_of_outcomes() -> None:
    """A curve is one call: an array of outcomes gives an array of exact chances."""
    faces = np.arange(0, 8)
    assert list(np.asarray(d(6).pmf(faces))) == [d(6).pmf(int(face)) for face in faces]  # type: ignore[arg-type]
    assert list(np.asarray(d(6).sf(faces))) == [d(6).sf(int(face)) for face in faces]  # type: ignore[arg-type]


@pytest.mark.parametrize("pmf", [d(20), 3 @ d(6), Pmf({-2: 1, 0: 5, 9: 2})], ids=["d20", "3d6", "uneven"])
def test_rolls_follow_the_chances(pmf: Pmf) -> None:
    """Exact rolls and NumPy's rolls both land where the chances say (fixed seeds, so no luck is involved)."""
    n = 20_000
    random = Random(7)
    for rolled in ([pmf.roll(random) for _ in range(n)], list(pmf.rvs(n, seed=7))):
        count = Counter(rolled)
        square = sum((count[x] - n * float(chance)) ** 2 / (n * float(chance)) for x, chance in pmf.items())
        cells = len(list(pmf.items()))
        assert set(count) <= {x for x, _chance in pmf.items()}
        assert square < cells + 5 * (2 * cells) ** 0.5


def test_seeds() -> None:
    """The same seed gives the same rolls, one number or an array of any shape."""
    assert [d(20).roll(Random(seed)) for seed in range(6)] == [14, 5, 2, 8, 8, 20]
    assert d(6).rvs(size=(2, 3), seed=5).tolist() == d(6).rvs(size=(2, 3), seed=5).tolist()
    assert d(6).rvs(seed=3) in range(1, 7)


@pytest.mark.parametrize("count", [1, 2, 3, 20, 2**32, 2**32 + 1, 3**50])
def test_draw_below_stays_below(count: int) -> None:
    """Any count is drawn from exactly, also one beyond the bits of a single call."""
    random = Random(1)
    drawn = [draw_below(random, count) for _ in range(200)]
    assert all(0 <= value < count for value in drawn)
    assert max(drawn) >= count * 9 // 10 - 1


def test_rvs_without_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where NumPy is missing, rvs says so in a sentence and exact rolls still work."""
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(ImportError, match="rvs needs NumPy, which is not installed; pip install numpy"):
        d(6).rvs(3, seed=1)
    assert d(6).roll(Random(1)) in range(1, 7)


class Script:
    """A die that shows written faces."""

    def __init__(self, *faces: int) -> None:
        self.faces = list(faces)

    def die(self, sides: int) -> int:
        assert 1 <= self.faces[0] <= sides
        return self.faces.pop(0)


def test_a_script_may_roll() -> None:
    """A written battle must be able to say which face comes next."""
    assert d(20).roll(Script(17)) == 17
    assert draw_below(Script(3), 6) == 2


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: d(0), "sides is 0"),
        (lambda: d(-6), "sides is -6"),
        (lambda: d(2.5), "sides is 2.5"),  # type: ignore[arg-type]
        (lambda: d(True), "sides is True"),
        (lambda: d("20"), "d(20)"),  # type: ignore[arg-type]
        (lambda: d(float("nan")), "sides is nan"),  # type: ignore[arg-type]
        (lambda: d(MAX_SIDES + 1), str(MAX_SIDES)),
        (lambda: d(np.array([6, 8])), "one whole number"),  # type: ignore[arg-type]
        (lambda: d(sympy.Symbol("n", integer=True)), "one whole number"),
        (lambda: Pmf({}), "at least one positive weight"),
        (lambda: Pmf({1: 0}), "at least one positive weight"),
        (lambda: Pmf({1: -1}), "0 or more"),
        (lambda: Pmf({1: 0.5}), "Fraction(1, 2)"),  # type: ignore[dict-item]
        (lambda: Pmf({1.5: 1}), "outcome is 1.5"),  # type: ignore[dict-item]
        (lambda: Pmf({0: 1, 10**8: 1}), "use fewer dice"),
        (lambda: Pmf.mixture([(Fraction(1, 2), 0)]), "sum is 1"),
        (lambda: d(6) + 0.5, "outcome is 0.5"),  # type: ignore[operator]
        (lambda: d(6) + sympy.Symbol("x", integer=True), "unsupported operand"),
        (lambda: d(6) * 2.5, "outcome is 2.5"),  # type: ignore[operator]
        (lambda: d(6) * 10**8, "use fewer dice"),
        (lambda: -1 @ d(6), "count is -1"),
        (lambda: 10**6 @ d(6), "use fewer dice"),
        (lambda: 10**30 @ d(6), "more than 10^12"),
        (lambda: d(1000) * d(1000), "use fewer dice"),
        (lambda: d(6).pmf(1.5), "outcome is 1.5"),  # type: ignore[arg-type]
        (lambda: d(6).pmf(sympy.Symbol("x", integer=True)), "a whole number"),
        (lambda: d(6).ppf(1.5), "chance is 1.5"),
        (lambda: d(6).ppf(True), "chance is True"),
        (lambda: d(6).ppf(10**400), "but must be a number from 0 to 1"),
        (lambda: d(6).clip(3, 2), "at most high"),
        (lambda: d(6).map(lambda face: face / 2), "function(outcome) is 0.5"),  # type: ignore[arg-type, return-value]
        (lambda: d(6).map(6), "function is 6, but must be a function of an outcome"),  # type: ignore[arg-type]
        (lambda: d(6).roll(1), "random is 1, but must be a random.Random, or dice with a method die(sides)"),  # type: ignore[arg-type]
        (lambda: d(6).generating_function(0.5), "Fraction"),
        (lambda: (d(6) - 3).generating_function(0), "z is 0, but must be another number than 0"),
        (lambda: (d(6) - 3).generating_function(sympy.Integer(0)), "z is 0, but must be another number than 0"),
        (lambda: (d(6) - 3).generating_function(sympy.Float(0)), "but must be another number than 0"),
        (lambda: d(6).generating_function(sympy.true), "z is True, but must be a SymPy expression"),
        (lambda: d(6).generating_function(sympy.zoo), "z is zoo, but must be a SymPy expression"),
        (lambda: d(6).generating_function(sympy.ImmutableMatrix([1])), "but must be a SymPy expression"),
        (lambda: d(6).generating_function(sympy.Add(*sympy.symbols("x:1001"))), "but must be a SymPy expression"),
    ],
)
def test_refusals(make: Callable[..., Any], said: str) -> None:
    """What has no meaning is refused in a sentence that says what to write instead."""
    with pytest.raises((ValueError, TypeError)) as refused:
        make()
    assert said in str(refused.value)


@pytest.mark.parametrize("pmf", [d(100_000), 100 @ d(100), 2000 @ d(6)], ids=["d100000", "100d100", "2000d6"])
def test_long_tables_show_the_middle(pmf: Pmf) -> None:
    """Forty rows around the mean tell enough of many thousands, and take no longer to write than a short table."""
    *rows, rest = str(pmf).splitlines()
    shown = [int(row.split()[0]) for row in rows]
    assert len(shown) == 40
    assert "around the mean" in rest
    assert shown[0] < pmf.mean() <= shown[20]


def test_multiplied_by_zero() -> None:
    """Zero times a die is always zero, whether it is a number or a distribution."""
    assert dict((d(6) * 0).items()) == {0: 1}
    assert d(6) * Pmf({0: 1}) == Pmf({0: 2}) * d(6) == Pmf({0: 1})
    assert dict((0 @ d(6)).items()) == {0: 1}


@pytest.mark.parametrize(
    "make",
    [
        lambda: 99 @ d(1000),
        lambda: Pmf(dict.fromkeys(range(400), 3**20000)) * Pmf(dict.fromkeys(range(400), 3**20000)),
        lambda: d(2000).generating_function(sympy.Symbol("z")),
        lambda: Pmf(dict.fromkeys(range(300), 3**20000)).generating_function(sympy.Symbol("z")),
        lambda: d(100_000).generating_function(2),
        lambda: (d(6) + 10**9).generating_function(Fraction(1, 2)),
        lambda: (d(6) + 10**9).generating_function(sympy.Integer(2)),
        lambda: (d(6) + 10**9).generating_function(sympy.sqrt(2)),
        lambda: (d(6) + 10**9).generating_function(2 * sympy.Symbol("z")),
        lambda: (100 @ d(6)).generating_function(sympy.Add(*sympy.symbols("x:300"))),
    ],
    ids=[
        *("power", "product", "many terms", "long terms", "many powers", "high powers"),
        *("a SymPy number", "a root", "a multiple", "a long sum"),
    ],
)
def test_no_operation_takes_longer_than_documented(make: Callable[[], Any]) -> None:
    """Each part may be small enough and their product still keep a reader waiting; the refusal names the limit."""
    with pytest.raises(ValueError, match=r"about \d+ million steps, but at most 500 million are allowed; use fewer"):
        make()


def test_a_generating_function_of_many_outcomes() -> None:
    """What a lesson may ask for is answered: a hundred dice as a formula, or thousands of powers as a number."""
    z = sympy.Symbol("z")
    assert len((100 @ d(6)).generating_function(z).args) == 501
    assert d(5000).generating_function(1) == 1
    assert (d(5) + 10**9).generating_function(-1) == Fraction(-1, 5)
    assert d(6).generating_function(sympy.Rational(1, 2)) == d(6).generating_function(Fraction(1, 2))
    assert d(2).generating_function(np.int64(3)) == 6
    assert d(2).generating_function(sympy.sqrt(2)) == 1 + sympy.sqrt(2) / 2
    assert (d(6) - 3).generating_function(sympy.I) == -(1 + sympy.I) / 6


@pytest.mark.parametrize("make", [lambda: 1000 @ d(20), lambda: 98 @ d(1000), lambda: (20 @ d(20)) * (20 @ d(20))])
def test_quick_operations_stay_allowed(make: Callable[[], Pmf]) -> None:
    """What is done in a moment is not refused because it is large."""
    assert sum(make().weights) > 0


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: sympy.Symbol("n", integer=True) @ d(6), "count is n, but must be one whole number"),
        (lambda: d(6).__rmatmul__(np.array([1, 2])), "but must be one whole number"),  # type: ignore[operator]
        (lambda: d(6).clip(low=sympy.Symbol("n", integer=True)), "low is n, but must be one whole number"),
        (lambda: d(6).map(lambda _face: np.array([1])), "function(outcome) is array([1])"),  # type: ignore[arg-type, return-value]
        (lambda: d(sympy.Symbol("n", integer=True)), "sides is n, but must be one whole number from 1 to 100000"),
        (lambda: Pmf(5), "a mapping with at least one positive weight"),  # type: ignore[arg-type]
        (lambda: Pmf.mixture(5), "chances whose sum is 1"),  # type: ignore[arg-type]
    ],
)
def test_many_numbers_are_refused_where_one_is_meant(make: Callable[[], Pmf], said: str) -> None:
    """A symbol or an array would end in an error of SymPy or NumPy that no reader could act on."""
    with pytest.raises(ValueError, match=re.escape(said)):
        make()
