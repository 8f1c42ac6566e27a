"""What a reader without a kernel sees of an explorer: its sentence and its table, as inert HTML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from fractions import Fraction
from html import escape
from typing import Any

from d20kit.amounts import amount, fraction_text, short_percent_sign, short_percent_text
from d20kit.language import _
from d20widgets.unbroken import unbroken

# The largest denominator that a reader still takes in at a glance.
LONGEST = 8000


class Amount(Fraction):
    """A number that is no chance, such as a mean: a table writes it as it is, not in percent."""


def cell_text(value: Any) -> str:
    """Write a table's cell: a fraction as a chance, in percent alone where it is long; everything else as it is.

    >>> from fractions import Fraction
    >>> cell_text(Fraction(1, 2)), cell_text(Fraction(1, 16)), cell_text(Amount(15, 2))
    ('1/2 = 50 %', '1/16 ≈ 6.3 %', '15/2 = 7.5')
    """
    if isinstance(value, Amount):
        return amount(Fraction(value))
    if isinstance(value, Fraction):
        percent = short_percent_text(value)
        if not 1 < value.denominator <= LONGEST:
            return percent
        return f"{fraction_text(value)} {short_percent_sign(value)} {percent}"
    if isinstance(value, Enum):
        return _(str(value.value))
    return str(value)


def _row(kind: str, cells: Sequence[Any]) -> str:
    return "<tr>" + "".join(f"<{kind}>{escape(cell_text(cell))}</{kind}>" for cell in cells) + "</tr>"


def html(title: str, summary: str, rows: Sequence[Mapping[str, Any]]) -> str:
    """Return a caption, a sentence and a table, with everything in them escaped.

    >>> html("<b>", "a < b", [{"n": 1}])
    '<p>a &lt; b</p><table><caption>&lt;b&gt;</caption><tr><th>n</th></tr><tr><td>1</td></tr></table>'
    """
    said = f"<p>{escape(unbroken(summary))}</p>"
    if not rows:
        return said
    body = "".join(_row("td", list(row.values())) for row in rows)
    head = _row("th", [_(name) for name in rows[0]])
    return f"{said}<table><caption>{escape(title)}</caption>{head}{body}</table>"
