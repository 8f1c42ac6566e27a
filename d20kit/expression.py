"""Dice expressions such as 2d6+3 or 4d6kh3: read them, roll them, know their distribution."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from d20kit.check import bare, one_whole, refuse, shown
from d20kit.dice import Pmf, as_constant
from d20kit.expression_tree import MAX_DICE, MAX_NUMBER, Combined, Dice, Expression, Negated, Number, Rolled
from d20kit.expression_work import MAX_EXPRESSION_WORK, afford_expression
from d20kit.language import _

if TYPE_CHECKING:
    from lark import Lark
    from lark.exceptions import UnexpectedInput

__all__ = [
    "MAX_DICE",
    "MAX_EXPRESSION_WORK",
    "MAX_LENGTH",
    "MAX_NUMBER",
    "Expression",
    "Rolled",
    "distribution",
    "parse",
    "read",
]

# Longest expression that is read; it bounds the nesting too.
MAX_LENGTH = 200

_GRAMMAR = r"""
    ?start: sum
    ?sum: product | sum "+" product -> plus | sum "-" product -> minus
    ?product: signed | product "*" signed -> times
    ?signed: atom | "+" signed | "-" signed -> negated
    ?atom: NUMBER -> number | dice | "(" sum ")"
    dice: [NUMBER] _D (NUMBER | PERCENT) [KEEP [NUMBER]]
    NUMBER: /[0-9]+/
    PERCENT: "%"
    _D: "d"i
    KEEP: "kh"i | "kl"i
    %ignore /[ \t\r\n]+/
"""


@cache
def _parser() -> Lark:
    from lark import Lark, Transformer, v_args  # loaded on the first expression

    @v_args(inline=True)
    class Build(Transformer[Any, Expression]):
        def number(self, token: Any) -> Number:
            return Number(int(token))

        def dice(self, count: Any, sides: Any, keep: Any, kept: Any) -> Dice:
            faces = 100 if sides == "%" else int(sides)
            keeps = None if keep is None else int(kept or 1)
            return Dice(int(count or 1), faces, keeps, str(keep).lower() != "kl")

        def plus(self, left: Expression, right: Expression) -> Combined:
            return Combined("+", left, right)

        def minus(self, left: Expression, right: Expression) -> Combined:
            return Combined("-", left, right)

        def times(self, left: Expression, right: Expression) -> Combined:
            return Combined("*", left, right)

        def negated(self, inner: Expression) -> Negated:
            return Negated(inner)

    return Lark(_GRAMMAR, parser="lalr", transformer=Build(), maybe_placeholders=True)


# What most rules are asked with, such as a weapon's 1d8. It needs no grammar, whose building takes longer than all else
# that is done before the first answer.
_PLAIN_DICE = re.compile(r"([1-9][0-9]?)d([1-9][0-9]?)")


@lru_cache(maxsize=512)
def _read(text: str) -> Expression:
    if plain := _PLAIN_DICE.fullmatch(text):
        return Dice(int(plain[1]), int(plain[2]))
    from lark.exceptions import UnexpectedInput

    try:
        expression: Any = _parser().parse(text)
    except UnexpectedInput as error:
        raise _misread(text, error) from None
    expression.span()
    afford_expression(expression)
    assert isinstance(expression, Expression)
    return expression


def _misread(text: str, error: UnexpectedInput) -> ValueError:
    position: Any = getattr(error, "pos_in_stream", None)
    at_end = position is None or getattr(getattr(error, "token", None), "type", "") == "$END"
    column: int = len(text) if at_end else position
    if at_end:
        said = _(
            "cannot read the dice expression {text}, which ends too early, at column {column}; write dice like 2d4+4"
        )
        return ValueError(said.format(text=shown(text), column=column + 1))
    said = _("cannot read the dice expression from {rest} on, at column {column}; write dice like 2d4+4")
    return ValueError(said.format(rest=shown(text[column:]), column=column + 1))


def read(text: str) -> Expression:
    """Read a dice expression.

    Parameters
    ----------
    text : str
        Dice (``2d6``, ``d20``, ``d%``), numbers, ``+ - *``, parentheses, and ``kh`` or ``kl`` with a number to keep
        only the highest or lowest dice (``4d6kh3``). Spaces and capitals do not matter.

    Returns
    -------
    Expression
        With ``.pmf()``, ``.roll(random)`` and, from ``str()``, the expression in its plainest form.

    Raises
    ------
    ValueError
        If it cannot be read (the message names the place), or goes beyond ``MAX_LENGTH`` characters, ``MAX_DICE``
        dice, numbers and totals up to ``MAX_NUMBER``, the limits of :mod:`d20kit.polynomials` and
        :mod:`d20kit.keeping` for each part, or ``MAX_EXPRESSION_WORK`` steps for all parts together.

    Examples
    --------
    >>> from d20kit.expression import read
    >>> str(read(" 2D6 + (3) "))
    '2d6+3'
    """
    return _read(_checked("text", text))


def _checked(name: str, given: Any) -> str:
    """Accept a text that may be a dice expression."""
    text = bare(given)
    if not isinstance(text, str) or not text.strip():
        allowed = _("a dice expression")
    elif len(text) > MAX_LENGTH:
        allowed = _("at most {most} characters long").format(most=MAX_LENGTH)
    else:
        return text
    raise refuse(name, text, allowed, _("write dice like {example}").format(example='"2d6+3"'))


def read_argument(name: str, text: str) -> Expression:
    """Read the dice expression that is an argument; what is refused names the argument.

    >>> read_argument("damage", "d0")
    Traceback (most recent call last):
    ValueError: damage: dice must be from 1d1 to 10000d100000, but 1d0 was given
    """
    try:
        return _read(_checked(name, text))
    except ValueError as error:
        raise naming(name, error) from None


def naming(name: str, error: ValueError) -> ValueError:
    """Say which argument a refusal is about, unless it does.

    >>> naming("dice", ValueError("too much work"))
    ValueError('dice: too much work')
    """
    return error if str(error).startswith(f"{name} ") else ValueError(f"{name}: {error}")


# Bytes of a distribution, with what it remembers, of which hundreds are kept for the next time.
_MOST_KEPT = 250_000


@lru_cache(maxsize=512)
def _small(text: str) -> Pmf | None:
    """Return a distribution to be kept, or None where hundreds of its size would fill the memory."""
    expression = _read(text)
    low, high, bits = expression.span()
    return expression.pmf() if (high - low + 1) * (80 + 3 * bits // 8) <= _MOST_KEPT else None


@lru_cache(maxsize=2)
def _large(text: str) -> Pmf:
    return _read(text).pmf()


def _parse(text: str) -> Pmf:
    kept = _small(text)
    return _large(text) if kept is None else kept


def parse(text: str) -> Pmf:
    """Return the exact distribution of a dice expression; see :func:`read` for what may be written.

    Examples
    --------
    >>> from d20kit import parse
    >>> parse("2d6+3").mean()
    Fraction(10, 1)
    >>> parse("4d6kh3").pmf(18)
    Fraction(7, 432)
    """
    return _parse(_checked("text", text))


def distribution(name: str, dice: str | Pmf | int) -> Pmf:
    """Accept an expression, a distribution or a plain number where a rule asks for dice.

    >>> distribution("dice", "1d8").support()
    (1, 8)
    """
    if isinstance(dice, str):
        try:
            return _parse(_checked(name, dice))
        except ValueError as error:
            raise naming(name, error) from None
    if isinstance(dice, Pmf):
        return dice
    try:
        return as_constant(one_whole(name, dice, -MAX_NUMBER, MAX_NUMBER))
    except ValueError:
        if type(dice) is int:
            raise
        raise refuse(name, dice, _("a dice expression, a Pmf or a whole number"), f'{name}="1d8"') from None
