"""How a distribution looks: one line, a text table, an HTML table."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING

from d20kit.language import _

if TYPE_CHECKING:
    from d20kit.dice import Pmf

_ROWS = 40
_BAR = 30


def brief(pmf: Pmf) -> str:
    """Return an expression that makes the distribution, or a summary of a long one."""
    chances = list(pmf.items())
    if len(chances) > 12:
        low, high = pmf.support()
        return _("<Pmf from {low} to {high}, mean {mean}>").format(low=low, high=high, mean=_number(pmf.mean()))
    weights = {outcome: int(chance * sum(pmf.weights)) for outcome, chance in chances}
    return f"Pmf({weights})"


def text(pmf: Pmf) -> str:
    """Return a table with one line an outcome and a bar for its chance."""
    chances = list(pmf.items())
    top = max(chance for _outcome, chance in chances)
    lines = [
        f"{outcome:>6}  {_percent(chance):>8}  {'█' * round(_BAR * chance / top)}".rstrip()
        for outcome, chance in _shown(pmf, chances)
    ]
    return "\n".join([*lines, *_rest(pmf, chances)])


def html(pmf: Pmf) -> str:
    """Return the table as HTML."""
    chances = list(pmf.items())
    heads = "".join(f'<th scope="col">{escape(head)}</th>' for head in (_("outcome"), _("chance"), _("percent")))
    rows = "".join(
        f'<tr><th scope="row">{outcome}</th><td>{escape(_short(chance))}</td><td>{escape(_percent(chance))}</td></tr>'
        for outcome, chance in _shown(pmf, chances)
    )
    caption = _("mean {mean}, standard deviation {std}").format(mean=_short(pmf.mean()), std=f"{pmf.std():.2f}")
    more = "".join(f"<p>{escape(line)}</p>" for line in _rest(pmf, chances))
    return (
        f"<table><caption>{escape(caption)}</caption><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>{more}"
    )


def _shown(pmf: Pmf, chances: list[tuple[int, Fraction]]) -> list[tuple[int, Fraction]]:
    """Every row of a short table; of a long one the rows around the mean, where the chances are."""
    below = sum(outcome < pmf.mean() for outcome, _chance in chances)
    start = max(0, min(below - _ROWS // 2, len(chances) - _ROWS))
    return chances[start : start + _ROWS]


def _rest(pmf: Pmf, chances: list[tuple[int, Fraction]]) -> Iterator[str]:
    if len(chances) > _ROWS:
        low, high = pmf.support()
        yield _("these are the {rows} outcomes around the mean; all go from {low} to {high}").format(
            rows=_ROWS, low=low, high=high
        )


def _percent(chance: Fraction) -> str:
    return f"{float(chance):.2%}"


def _number(value: Fraction) -> str:
    return str(value)


def _short(value: Fraction) -> str:
    """Write a fraction that fits a table cell; a long one as a decimal number."""
    return str(value) if len(str(value)) <= 16 else f"{float(value):.4g}"
