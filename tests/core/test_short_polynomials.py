"""Short polynomials answer as FLINT does, and let a few dice do without it."""

import subprocess
import sys
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from d20kit import d
from d20kit.keeping import keep_highest
from d20kit.short_polynomials import SHORT, Short, lengthened, long_polynomial, polynomial

WEIGHTS = st.lists(st.integers(0, 10**12), max_size=SHORT - 1).flatmap(
    lambda lower: st.integers(1, 10**12).map(lambda last: [*lower, last])
)


def coefficients(value: Any) -> list[int]:
    """Whichever kind it is: plain numbers."""
    return [int(weight) for weight in value.coeffs()]


@settings(deadline=None)  # the first one loads FLINT
@given(WEIGHTS, WEIGHTS)
def test_products_and_sums(one: list[int], other: list[int]) -> None:
    """Packed into one number or in FLINT: the same coefficients, however the two kinds meet."""
    product = coefficients(long_polynomial(one) * long_polynomial(other))
    total = coefficients(long_polynomial(one) + long_polynomial(other))
    for left in (Short(one), long_polynomial(one)):
        for right in (Short(other), long_polynomial(other)):
            assert coefficients(left * right) == product
            assert coefficients(left + right) == total


@settings(deadline=None)  # the first one loads FLINT
@given(WEIGHTS, st.integers(0, 6), st.integers(1, 10**6))
def test_operations_with_numbers(weights: list[int], number: int, factor: int) -> None:
    """Every operation that distributions ask for gives what FLINT gives."""
    short, long = Short(weights), long_polynomial(weights)
    assert coefficients(short**number) == coefficients(long**number)
    assert coefficients(short * factor) == coefficients(factor * short) == coefficients(long * factor)
    assert coefficients(short.left_shift(number)) == coefficients(long.left_shift(number))
    assert coefficients(short.inflate(number + 1)) == coefficients(long.inflate(number + 1))
    assert coefficients(short.derivative().derivative()) == coefficients(long.derivative().derivative())
    assert (short(number), short[number], short.degree()) == (int(long(number)), int(long[number]), long.degree())
    assert short[len(weights)] == 0
    assert lengthened(short) == lengthened(long) == long


def test_where_short_ends() -> None:
    """A result of SHORT coefficients is still a short one; one more and FLINT does it."""
    half = SHORT // 2
    assert isinstance(Short([1] * half) * Short([1] * (half + 1)), Short)
    assert not isinstance(Short([1] * (half + 1)) * Short([1] * (half + 1)), Short)
    assert isinstance(Short([1, 1]) ** (SHORT - 1), Short)
    assert not isinstance(Short([1, 1]) ** SHORT, Short)
    assert isinstance(polynomial([1] * SHORT), Short)
    assert not isinstance(polynomial([1] * (SHORT + 1)), Short)
    assert isinstance(sum([Short([1]), Short([2])]), Short)


def test_weights_of_flint_become_plain_numbers() -> None:
    """What came from FLINT and is short again, as the lower of two dice kept turned round, can be packed."""
    lower = keep_highest(2, 4, 1)
    assert (-lower + d(4)).pmf(0) == sum(lower.pmf(face) for face in range(1, 5)) / 4


def test_an_attack_needs_no_flint() -> None:
    """The first picture of the first lesson appears before a browser has loaded FLINT and SymPy."""
    script = (
        "import sys\n"
        "sys.modules |= {'flint': None, 'sympy': None}\n"
        "from d20widgets import AttackExplorer\n"
        "explorer = AttackExplorer(bonus=6, ac=15)\n"
        "explorer.move(dice='2d6', multiplier=3)\n"
        "print(explorer, explorer.table()[0])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, "bonus=6" in done.stdout) == (0, True), done.stderr
