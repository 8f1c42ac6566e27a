"""The ends of dice that a learner has written, unless their chances are too long for a picture."""

from __future__ import annotations

from d20kit.check import refuse
from d20kit.expression import read_argument
from d20kit.language import _

# With longer chances, pictures that show some hundreds of them take seconds.
MOST_DIGITS = 300
_BITS_OF_THREE_DIGITS = 10


def ends(name: str, text: str, digits: int = MOST_DIGITS) -> tuple[int, int]:
    """Return the lowest and highest total of dice, or refuse those whose chances are too long; it names the argument.

    >>> ends("dice", "2d6+3")
    (5, 15)
    >>> ends("dice", "5309d12kh2")
    Traceback (most recent call last):
    ValueError: dice is '5309d12kh2', but must be dice whose chances have at most 300 digits; use fewer dice or \
smaller ones
    """
    low, high, bits = read_argument(name, text).span()
    if 3 * bits > digits * _BITS_OF_THREE_DIGITS:
        allowed = _("dice whose chances have at most {most} digits").format(most=digits)
        raise refuse(name, text, allowed, _("use fewer dice or smaller ones"))
    return low, high
