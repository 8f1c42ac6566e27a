"""How a distribution looks: one line, a text table, an HTML table."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING

from d20kit.language import _
from d20kit.magnitudes import is_longer, significant

if TYPE_CHECKING:
    from d20kit.dice import Pmf

# Rows of a table, and characters of its longest bar, of a fraction in a cell, and of a number in a line.
_ROWS = 40
_BAR = 30
_CELL = 16
_LONGEST = 40


def brief(pmf: Pmf) -> str:
    """Return an expression that makes the distribution, or a summary of a long one.

    >>> from d20kit import d
    >>> brief(2 @ d(2)), brief(10 @ d(6))
    ('Pmf({2: 1, 3: 2, 4: 1})', '<Pmf from 10 to 60, mean 35>')
    """
    weights = _weights(pmf)
    if len(weights) <= 12 and not any(is_longer(weight, _LONGEST) for weight in weights.values()):
        return f"Pmf({weights})"
    low, high = pmf.support()
    return _("<Pmf from {low} to {high}, mean {mean}>").format(low=low, high=high, mean=_short(pmf.mean(), _LONGEST))


def text(pmf: Pmf) -> str:
    """Return a table with one line an outcome and a bar for its chance.

    >>> from d20kit import d
    >>> print(text(2 @ d(2)))
         2    25.00%  ███████████████
         3    50.00%  ██████████████████████████████
         4    25.00%  ███████████████
    """
    weights = _weights(pmf)
    top, total = max(weights.values()), sum(weights.values())
    lines = [
        f"{outcome:>6}  {_percent(weight, total):>8}  {'█' * round(_BAR * weight / top)}".rstrip()
        for outcome, weight in _shown(pmf, weights)
    ]
    return "\n".join([*lines, *_rest(pmf, weights)])


def html(pmf: Pmf) -> str:
    """Return the table as HTML.

    >>> from d20kit import d
    >>> html(2 @ d(2)).partition("</caption>")[0]
    '<table><caption>mean 3, standard deviation 0.71'
    """
    weights = _weights(pmf)
    total = sum(weights.values())
    heads = "".join(f'<th scope="col">{escape(head)}</th>' for head in (_("outcome"), _("chance"), _("percent")))
    rows = "".join(
        f'<tr><th scope="row">{outcome}</th><td>{escape(_short(Fraction(weight, total)))}</td>'
        f"<td>{escape(_percent(weight, total))}</td></tr>"
        for outcome, weight in _shown(pmf, weights)
    )
    caption = _("mean {mean}, standard deviation {std}").format(mean=_short(pmf.mean()), std=f"{pmf.std():.2f}")
    more = "".join(f"<p>{escape(line)}</p>" for line in _rest(pmf, weights))
    return (
        f"<table><caption>{escape(caption)}</caption><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>{more}"
    )


def _weights(pmf: Pmf) -> dict[int, int]:
    """Whole-number weights of the outcomes that can happen, lowest outcome first."""
    return {outcome: weight for outcome, weight in enumerate(pmf.weights, pmf.support()[0]) if weight}


def _shown(pmf: Pmf, weights: dict[int, int]) -> list[tuple[int, int]]:
    """Every row of a short table; of a long one the rows around the mean, where the chances are."""
    middle = math.ceil(pmf.mean())
    below = sum(outcome < middle for outcome in weights)
    start = max(0, min(below - _ROWS // 2, len(weights) - _ROWS))
    return list(weights.items())[start : start + _ROWS]


def _rest(pmf: Pmf, weights: dict[int, int]) -> Iterator[str]:
    if len(weights) > _ROWS:
        low, high = pmf.support()
        yield _("these are the {rows} outcomes around the mean; all go from {low} to {high}").format(
            rows=_ROWS, low=low, high=high
        )


def _percent(weight: int, total: int) -> str:
    return f"{weight / total:.2%}"


def _short(value: Fraction, longest: int = _CELL) -> str:
    """Write a fraction that fits its place; a longer one as a decimal number."""
    return significant(value, 4) if is_longer(value, longest) else str(value)
