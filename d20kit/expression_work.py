"""How much work the distribution of a whole dice expression is, estimated before any of it is done.

Each part of an expression has limits of its own; here their sum is limited, so that many parts that are each
allowed do not add up to a wait. The estimates were fitted to measurements and are never much too small.
"""

from __future__ import annotations

from d20kit.expression_tree import Combined, Dice, Expression, Negated
from d20kit.language import _
from d20kit.polynomials import power_work

# About a nanosecond each: a fifth of a second.
MAX_EXPRESSION_WORK = 200_000_000


def expression_work(expression: Expression) -> int:
    """Estimate the steps that :meth:`Expression.pmf` takes; equal parts are computed once and count once.

    >>> from d20kit.expression import read
    >>> one, same = read("10d10kh5"), read("10d10kh5-10d10kh5")
    >>> expression_work(one) < expression_work(same) < 2 * expression_work(one)
    True
    """
    return _work(expression, set())


def afford_expression(expression: Expression) -> None:
    """Refuse an expression whose parts together would take too long.

    >>> from d20kit.expression_tree import Dice
    >>> afford_expression(Dice(1000, 6))
    >>> afford_expression(Dice(99, 1000))
    Traceback (most recent call last):
    ValueError: this dice expression would need too much work; use fewer dice or smaller ones, or fewer parts
    """
    if expression_work(expression) > MAX_EXPRESSION_WORK:
        raise ValueError(
            _("this dice expression would need too much work; use fewer dice or smaller ones, or fewer parts")
        )


def _work(node: Expression, known: set[Expression]) -> int:
    if node in known:
        return 0
    known.add(node)
    if isinstance(node, Dice):
        return _of_dice(node)
    if isinstance(node, Negated):
        return _work(node.inner, known) + _of_turning(node.inner)
    if isinstance(node, Combined):
        return _work(node.left, known) + _work(node.right, known) + _of_joining(node)
    return 0


def _width(node: Expression) -> int:
    low, high, _bits = node.span()
    return high - low + 1


def _of_dice(dice: Dice) -> int:
    width, bits = _width(dice), dice.span().bits
    if dice.kept is not None and dice.kept < dice.count:
        # every face is laid on every number of dice kept so far, for each number of dice that show it
        steps = dice.sides * dice.kept * (dice.kept + 1) // 2
        return steps * (4000 + dice.kept * dice.sides * (16 + bits // 5))
    return power_work(dice.sides, dice.count, width, bits)


def _of_turning(node: Expression) -> int:
    return _width(node) * (300 + node.span().bits)


def _of_joining(node: Combined) -> int:
    width, bits = _width(node), node.span().bits
    left, right = _width(node.left), _width(node.right)
    if left == 1 or right == 1:
        work = width * (50 + bits // 16)
    elif node.sign == "*":
        work = left * right * (300 + bits) + 100 * width
    else:
        work = width * (50 + 5 * bits)
    turned = node.sign == "-" or (node.sign == "*" and node.span().low < 0)
    return work + _of_turning(node if node.sign == "*" else node.right) * turned
