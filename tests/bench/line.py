"""One line of the table of benches: what was measured, beside whom, and whether that is enough."""

from __future__ import annotations

from dataclasses import dataclass

from tests.bench.measure import duration

SECONDS = "s"
BATTLES = "battles/s"


@dataclass(frozen=True)
class Line:
    """What one bench measured once.

    Parameters
    ----------
    name : str
        What was done.
    figure : float, optional
        What d20kit reached; none if it could not be measured.
    unit : str
        Of the figure: ``"s"``, ``"battles/s"``, ``"MB"`` ...
    peer : str
        What did the same in the same run.
    ratio : float, optional
        How many times as fast as the peer d20kit was; below 1 the peer was faster.
    required : str
        What must be reached, in words; nothing if nothing is required.
    met : bool
        Whether it is.
    note : str
        Why there is no figure, or no ratio.
    """

    name: str
    figure: float | None
    unit: str = SECONDS
    peer: str = ""
    ratio: float | None = None
    required: str = ""
    met: bool = True
    note: str = ""


def judged(
    name: str,
    figure: float,
    unit: str = SECONDS,
    *,
    peer: str = "",
    ratio: float | None = None,
    most: float | None = None,
    least: float | None = None,
    least_ratio: float | None = None,
) -> Line:
    """Return a line that says what is required and whether it is met.

    >>> judged("100d6", 0.002, peer="dyce", ratio=9.5, most=0.001, least_ratio=10).required
    'at most 1 ms, at least 10 times as fast'
    >>> judged("100d6", 0.0005, peer="dyce", ratio=9.5, most=0.001, least_ratio=10).met
    False
    """
    required, met = [], True
    if most is not None:
        required.append(f"at most {amount(most, unit)}")
        met = figure <= most
    if least is not None:
        required.append(f"at least {amount(least, unit)}")
        met = met and figure >= least
    if least_ratio is not None:
        required.append("at least as fast" if least_ratio == 1 else f"at least {least_ratio:g} times as fast")
        met = met and ratio is not None and ratio >= least_ratio
    return Line(name, figure, unit, peer, ratio, ", ".join(required), met)


def amount(figure: float | None, unit: str) -> str:
    """Write a figure with its unit.

    >>> amount(0.0123, "s"), amount(162159.3, "battles/s"), amount(1.234, "MB"), amount(None, "s")
    ('12.3 ms', '162,159 battles/s', '1.23 MB', '')
    """
    if figure is None:
        return ""
    if unit == SECONDS:
        return duration(figure)
    return f"{figure:,.0f} {unit}" if figure >= 1000 else f"{figure:.3g} {unit}"
