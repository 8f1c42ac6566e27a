"""The data of a picture as a CSV file that is exact, and that no spreadsheet takes for formulas."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from d20kit.amounts import fraction_text
from d20kit.language import _
from d20widgets.twin import cell_text

# With these a spreadsheet begins a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def csv_text(rows: Sequence[Mapping[str, Any]]) -> str:
    """Write a table as CSV, each fraction exactly and beside it as a decimal.

    Parameters
    ----------
    rows : sequence of mappings
        Column to value, a mapping a row. Columns are translated; a text that would begin a formula gets an apostrophe.

    Returns
    -------
    str

    Examples
    --------
    >>> from fractions import Fraction
    >>> print(csv_text([{"name": "=1+1", "chance": Fraction(1, 4)}]), end="")
    "name","chance","chance (decimal)"
    "'=1+1","1/4",0.25
    """
    columns = list(dict.fromkeys(name for row in rows for name in row))
    exact = {name for name in columns if any(isinstance(row.get(name), Fraction) for row in rows)}
    written = io.StringIO()
    writer = csv.writer(written, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    writer.writerow([_inert(head) for head in _heads(columns, exact)])
    for row in rows:
        writer.writerow([cell for name in columns for cell in _cells(row.get(name), name in exact)])
    return written.getvalue()


def _heads(columns: Sequence[str], exact: set[str]) -> Iterator[str]:
    for name in columns:
        yield _(name)
        if name in exact:
            yield _("{column} (decimal)").format(column=_(name))


def _cells(value: Any, exact: bool) -> list[Any]:
    if not exact:
        return [_cell(value)]
    if isinstance(value, (int, Fraction)):
        return [_fraction(Fraction(value)), float(value)]
    return [_cell(value), _cell(value)]


def _cell(value: Any) -> Any:
    if value is None or type(value) in (int, float):
        return value
    return _inert(cell_text(value))


def _fraction(value: Fraction) -> str:
    try:
        return str(value)
    except ValueError:  # more digits than Python writes
        return fraction_text(value)


def _inert(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text
