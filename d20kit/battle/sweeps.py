"""Many encounters side by side: one table of exact or simulated answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from d20kit.battle.encounter import Encounter
from d20kit.battle.faces import check_seed
from d20kit.battle.simulate import MOST_BATTLES
from d20kit.battle.solve.limits import TooMuchWorkError
from d20kit.battle.spread import check_executor, check_progress, spread
from d20kit.battle.wording import pad, shown_width
from d20kit.check import bare, called, members, one_of, one_whole, refuse
from d20kit.language import N_, _

MOST_ENCOUNTERS = 1_000_000
MOST_VALUES = 100_000
METHODS = (N_("exact"), "float", N_("simulated"))
_COLUMNS = (N_("side"), N_("chance"), N_("low"), N_("high"), N_("draw"), N_("method"))
Labels = dict[str, Any]


@dataclass(frozen=True)
class Sweep:
    """The answers of a sweep, a row for each side of each encounter; ``str()`` writes them as a table to be read.

    A row holds what labels the encounter, then ``side``, its ``chance`` to win, between which chances ``low`` and
    ``high`` the true one lies, the chance of a ``draw``, and the ``method`` that answered: "exact" (a Fraction without
    any error), "float" (a proven bound) or "simulated" (an interval of 95 %).

    >>> from d20kit.battle import sweep
    >>> found = sweep([Encounter.ready("duel")])
    >>> found.rows[0]["chance"], found.table()[0]["chance"]
    (Fraction(1, 2), 0.5)
    """

    rows: tuple[dict[str, Any], ...]

    def table(self) -> list[dict[str, Any]]:
        """Return the rows, ready for a plot, a data frame or JSON: fractions as floats."""
        return [
            {name: float(value) if isinstance(value, Fraction) else value for name, value in row.items()}
            for row in self.rows
        ]

    def __str__(self) -> str:
        heads = list(self.rows[0]) if self.rows else list(_COLUMNS)
        named = [_(head) if head in _COLUMNS else head for head in heads]
        lines = [named, *([_shown(row[head], head) for head in heads] for row in self.rows)]
        widths = [max(map(shown_width, column)) for column in zip(*lines, strict=True)]
        return "\n".join(
            "  ".join(pad(cell, width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
        )

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Show the table where a notebook cell ends in a sweep."""
        printer.text(str(self))


def _shown(value: Any, head: str) -> str:
    if head == "method":
        return _(value)
    return f"{float(value):.6f}" if isinstance(value, (float, Fraction)) else str(value)


def grid(make: Callable[..., Encounter], /, **values: Iterable[Any]) -> Iterator[tuple[Labels, Encounter]]:
    """Make an encounter for every combination of some values.

    Parameters
    ----------
    make : callable
        Called with one value of each name; returns an Encounter.
    **values
        The values of each name.

    Yields
    ------
    labels, encounter
        As :func:`sweep` takes them.

    Examples
    --------
    >>> from d20kit.battle import Attack, Combatant, Encounter, grid
    >>> def duel(hp, bonus):
    ...     ann = Combatant("Ann", "red", hp, 15, Attack("blow", bonus, "1d6"))
    ...     return Encounter([ann, Combatant("Bob", "blue", 5, 15, Attack("blow", 0, "1d6"))])
    >>> [labels for labels, encounter in grid(duel, hp=[5, 10], bonus=[2])]
    [{'hp': 5, 'bonus': 2}, {'hp': 10, 'bonus': 2}]
    """
    called("make", make, _("a function that returns an Encounter"), "grid(duel, hp=[5, 10])")
    several = [
        members(name, some, _("a list of values"), f"{name}=[5, 10]", MOST_VALUES) for name, some in values.items()
    ]
    for point in product(*several):
        labels = dict(zip(values, point, strict=True))
        encounter = make(**labels)
        if not isinstance(encounter, Encounter):
            raise refuse(_("what make returned"), encounter, _("an Encounter"))
        yield labels, encounter


def sweep(
    encounters: Iterable[Encounter | tuple[Labels, Encounter]] | Mapping[str, Encounter],
    *,
    method: str = "exact",
    battles: int | None = None,
    seed: int | None = None,
    executor: Executor | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Sweep:
    """Answer who wins for many encounters.

    Parameters
    ----------
    encounters : iterable or mapping
        Encounters, by name or not, or what :func:`grid` makes: pairs of labels and encounter.
    method : {"exact", "float", "simulated"}
        How to answer.
    battles, seed : int, optional
        How many battles to simulate of each encounter, and of which seed. Needed for "simulated"; with another method
        they are for the encounters that would be too much work to solve, which are an error without them.
    executor : concurrent.futures.Executor, optional
        What does the work, an encounter at a time: threads, processes or a cluster. The answer is the same from all.
    progress : callable, optional
        Called with how many encounters are done and how many there are.

    Returns
    -------
    Sweep

    Raises
    ------
    ValueError
        If an argument has no meaning, or an encounter cannot be answered; the message names it.

    Examples
    --------
    >>> from d20kit.battle import Encounter, sweep
    >>> print(sweep({"even": Encounter.ready("duel")}))
    encounter  side  chance    low       high      draw      method
    even       red   0.500000  0.500000  0.500000  0.000000  exact
    even       blue  0.500000  0.500000  0.500000  0.000000  exact
    """
    one_of("method", method, METHODS)
    if method == "simulated" or battles is not None or seed is not None:
        battles, seed = one_whole("battles", battles, 1, MOST_BATTLES), check_seed(seed)
    executor, progress = check_executor(executor), check_progress(progress)
    pieces = [(labels, encounter, method, battles, seed) for labels, encounter in _labelled(encounters)]
    found: dict[int, list[dict[str, Any]]] = {}
    for place, rows in spread(answer, pieces, executor):
        found[place] = rows
        if progress is not None:
            progress(len(found), len(pieces))
    return Sweep(tuple(row for place in sorted(found) for row in found[place]))


def _labelled(encounters: Any) -> Iterator[tuple[Labels, Encounter]]:
    allowed = _("Encounters, by name or not, or pairs of labels and Encounter")
    if isinstance(encounters, (str, Encounter)) or not isinstance(encounters, Iterable):
        raise refuse("encounters", encounters, allowed, _("write sweep([first, second])"))
    given = bare(encounters)
    try:
        pairs: Iterable[Any] = given.items() if isinstance(given, Mapping) else enumerate(given)
    except Exception:  # an array without a dimension, or something of the reader's own
        raise refuse("encounters", encounters, allowed, _("write sweep([first, second])")) from None
    names: list[str] | None = None
    for count, (name, one) in enumerate(pairs):
        if count == MOST_ENCOUNTERS:
            raise refuse("encounters", encounters, _("at most {most} of them").format(most=MOST_ENCOUNTERS))
        labels, encounter = ({"encounter": name}, one) if isinstance(one, Encounter) else _pair(one, allowed)
        names = list(labels) if names is None else names
        if list(labels) != names:
            raise refuse("encounters", list(labels), _("labelled alike, by {names}").format(names=", ".join(names)))
        yield labels, encounter


def _pair(value: Any, allowed: str) -> tuple[Labels, Encounter]:
    pair = bare(value)
    if isinstance(pair, tuple) and len(pair) == 2 and isinstance(pair[0], dict) and isinstance(pair[1], Encounter):
        labels = {str(name): label for name, label in bare(pair[0]).items()}
        taken = [name for name in labels if name in _COLUMNS]
        if not taken:
            return labels, pair[1]
        raise refuse("labels", taken[0], _("none of the columns {columns}").format(columns=", ".join(_COLUMNS)))
    raise refuse("encounters", value, allowed, _("write sweep([first, second])"))


def answer(
    labels: Labels, encounter: Encounter, method: str, battles: int | None, seed: int | None
) -> list[dict[str, Any]]:
    """Return the rows of one encounter; this is what an executor is given to do.

    >>> rows = answer({"name": "even"}, Encounter.ready("duel"), "exact", None, None)
    >>> [(row["name"], row["side"], row["chance"]) for row in rows]
    [('even', 'red', Fraction(1, 2)), ('even', 'blue', Fraction(1, 2))]
    """
    try:
        return [labels | row for row in _rows(encounter, method, battles, seed)]
    except ValueError as error:
        shown = ", ".join(f"{name} {value!r}" for name, value in labels.items())
        raise ValueError(_("{labels}: {problem}").format(labels=shown, problem=error)) from error


def _rows(encounter: Encounter, method: str, battles: int | None, seed: int | None) -> list[dict[str, Any]]:
    if method != "simulated" and not (battles and any(callable(one.policy) for one in encounter.combatants)):
        try:
            return _solved(encounter, method)
        except TooMuchWorkError:
            if battles is None:
                raise
    assert battles is not None
    assert seed is not None
    result = encounter.simulate(battles, seed)
    draw, between = result.draw, result.interval
    return [_row(side, chance, *between[side], draw, "simulated") for side, chance in result.win_chance.items()]


def _solved(encounter: Encounter, method: str) -> list[dict[str, Any]]:
    odds = encounter.odds(exact=method == "exact")
    # an exact answer has the error 0.0, which must not make a float of it
    error: Any = 0 if method == "exact" else odds.error
    return [
        _row(side, chance, max(0 * chance, chance - error), min(1 + 0 * chance, chance + error), odds.draw, method)
        for side, chance in odds.win_chance.items()
    ]


def _row(side: str, chance: Any, low: Any, high: Any, draw: Any, method: str) -> dict[str, Any]:
    return dict(zip(_COLUMNS, (side, chance, low, high, draw, method), strict=True))
