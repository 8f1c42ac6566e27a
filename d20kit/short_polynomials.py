"""Polynomials of few coefficients without FLINT: a few dice are thrown before a browser has loaded so large a library.

The coefficients are packed into one large whole number, each with room for the largest that may come of it; to
multiply the polynomials is then to multiply two numbers.
"""

from __future__ import annotations

from collections.abc import Iterable
from struct import pack, unpack
from typing import Any

# With more coefficients FLINT is the quicker one.
SHORT = 64
# The sizes in bytes that are packed all at once.
_FORMATS = {1: "B", 2: "H", 4: "I", 8: "Q"}


class Short:
    """A polynomial with at most ``SHORT`` coefficients, none of them negative, which answers as one of FLINT does.

    What becomes longer, or meets a polynomial of FLINT, becomes one of FLINT.

    Parameters
    ----------
    weights : list of int
        Coefficient k is the weight k; the last one is not 0.

    Examples
    --------
    >>> (Short([1, 1]) * Short([1, 1])).coeffs(), (Short([1, 1]) ** 3).coeffs()
    ([1, 2, 1], [1, 3, 3, 1])
    """

    __slots__ = ("_weights",)

    def __init__(self, weights: list[int]) -> None:
        self._weights = weights

    def coeffs(self) -> list[int]:
        """Return the coefficients, that of the constant first."""
        return list(self._weights)

    def degree(self) -> int:
        """Return the largest exponent."""
        return len(self._weights) - 1

    def derivative(self) -> Short:
        """Return the derivative."""
        return Short([k * weight for k, weight in enumerate(self._weights) if k])

    def inflate(self, times: int) -> Any:
        """Return the polynomial of the variable to a power: every exponent is so many times as large."""
        apart = [0] * (self.degree() * times + 1)
        apart[::times] = self._weights
        return polynomial(apart)

    def left_shift(self, exponent: int) -> Any:
        """Return the product with the variable to a power."""
        return polynomial([0] * exponent + self._weights) if exponent else self

    def __len__(self) -> int:
        return len(self._weights)

    def __getitem__(self, exponent: int) -> int:
        return self._weights[exponent] if exponent < len(self._weights) else 0

    def __call__(self, value: int) -> int:
        result = 0
        for weight in reversed(self._weights):
            result = result * value + weight
        return result

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, Short):
            return long_polynomial(self._weights) + other
        longer, shorter = self._weights, other._weights
        if len(longer) < len(shorter):
            longer, shorter = shorter, longer
        total = longer.copy()
        for exponent, weight in enumerate(shorter):
            total[exponent] += weight
        return Short(total)

    def __radd__(self, other: Any) -> Any:
        return other + long_polynomial(self._weights) if other else self  # a sum begins with 0

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, int):
            return Short([weight * other for weight in self._weights])
        if not isinstance(other, Short) or len(self) + len(other) > SHORT + 1:
            return long_polynomial(self._weights) * lengthened(other)
        size = _room(sum(self._weights) * sum(other._weights))
        product = _packed(self._weights, size) * _packed(other._weights, size)
        return Short(_unpacked(product, size, len(self) + len(other) - 1))

    def __rmul__(self, other: Any) -> Any:
        return self * other

    def __pow__(self, exponent: int) -> Any:
        length = self.degree() * exponent + 1
        if length > SHORT:
            return long_polynomial(self._weights) ** exponent
        size = _room(sum(self._weights) ** max(exponent, 1))
        return Short(_unpacked(_packed(self._weights, size) ** exponent, size, length))


def polynomial(weights: list[int]) -> Any:
    """Make a polynomial whose coefficient k is the weight k: none of them negative, the last one not 0.

    >>> polynomial([1, 2]).coeffs(), polynomial([1] * 100).degree()
    ([1, 2], 99)
    """
    return Short(weights) if len(weights) <= SHORT else long_polynomial(weights)


def long_polynomial(weights: Iterable[int]) -> Any:
    """Make a polynomial of FLINT, of any length and with any whole numbers.

    >>> long_polynomial([1, -2, 1])
    x^2 + (-2)*x + 1
    """
    from flint import fmpz_poly  # loaded here, so that few dice and rules without dice need no FLINT

    return fmpz_poly(list(weights))


def lengthened(value: Any) -> Any:
    """Return a polynomial as one of FLINT.

    >>> lengthened(Short([1, 2]))
    2*x + 1
    """
    return long_polynomial(value.coeffs()) if isinstance(value, Short) else value


def _room(largest: int) -> int:
    """Return the bytes for a number as large as this one: as few as hold it, or as many as struct knows."""
    size = largest.bit_length() // 8 + 1
    return next((known for known in _FORMATS if known >= size), size)


def _packed(weights: list[int], size: int) -> int:
    if size in _FORMATS:
        return int.from_bytes(pack(f"<{len(weights)}{_FORMATS[size]}", *weights), "little")
    return int.from_bytes(b"".join(weight.to_bytes(size, "little") for weight in weights), "little")


def _unpacked(number: int, size: int, length: int) -> list[int]:
    packed = number.to_bytes(size * length, "little")
    if size in _FORMATS:
        return list(unpack(f"<{length}{_FORMATS[size]}", packed))
    return [int.from_bytes(packed[start : start + size], "little") for start in range(0, len(packed), size)]
