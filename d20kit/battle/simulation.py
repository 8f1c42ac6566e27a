"""What came of many simulated battles: chances with their intervals, rounds and fates."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from math import sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from d20kit.battle.wording import pad, shown_width, state_word
from d20kit.check import bare, one_whole, refuse
from d20kit.hit_points import State
from d20kit.language import N_, _

if TYPE_CHECKING:
    from d20kit.battle.encounter import Encounter

CONFIDENCE = 0.95

# how the battles were fought -> what is said about it
METHODS = {
    "arrays": N_("all at once, with NumPy"),
    "policy": N_("one by one, because somebody's policy is a function"),
    "no numpy": N_("one by one, because NumPy is not installed"),
}


@dataclass
class Tally:
    """Counts of battles: by winning side (None for a draw), by rounds, and for each combatant by state.

    >>> tally = Tally(1, Counter(red=1), Counter({3: 1}))
    >>> tally.add(Tally(2, Counter(red=1, blue=1), Counter({3: 1, 4: 1})))
    >>> tally.battles, tally.winners["red"], dict(tally.rounds)
    (3, 2, {3: 2, 4: 1})
    """

    battles: int = 0
    winners: Counter[str | None] = field(default_factory=Counter)
    rounds: Counter[int] = field(default_factory=Counter)
    fates: Counter[tuple[str, State]] = field(default_factory=Counter)

    def add(self, other: Tally) -> None:
        """Count the battles of another tally too."""
        self.battles += other.battles
        self.winners.update(other.winners)
        self.rounds.update(other.rounds)
        self.fates.update(other.fates)


def wilson(successes: int, trials: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Return the Wilson score interval of a chance.

    Parameters
    ----------
    successes, trials : int
        How often it happened, and in how many trials.
    confidence : float
        How often such an interval holds the true chance; above 0 and below 1.

    Returns
    -------
    tuple of float
        Lowest and highest chance. Unlike the plain interval it says something even of none or all of the trials.

    Raises
    ------
    ValueError
        If there are no trials, or more successes than trials, or the confidence is out of its range.

    Examples
    --------
    >>> from d20kit.battle.simulation import wilson
    >>> [round(end, 3) for end in wilson(45, 100)], [round(end, 3) for end in wilson(0, 100)]
    ([0.356, 0.548], [0.0, 0.037])
    """
    trials = one_whole("trials", trials, 1, 2**63)
    successes = one_whole("successes", successes, 0, trials)
    share = bare(confidence)
    if not isinstance(share, (int, float)) or not 0 < share < 1:
        raise refuse("confidence", confidence, _("a number above 0 and below 1"), "confidence=0.95")
    z = NormalDist().inv_cdf((1 + share) / 2)
    chance = successes / trials
    middle = (chance + z * z / (2 * trials)) / (1 + z * z / trials)
    reach = z * sqrt(chance * (1 - chance) / trials + z * z / (4 * trials * trials)) / (1 + z * z / trials)
    return (max(0.0, middle - reach) if successes else 0.0, min(1.0, middle + reach) if successes < trials else 1.0)


@dataclass(frozen=True)
class Simulation:
    """The outcome of many battles of one encounter; made by :meth:`Encounter.simulate`.

    All chances are floats, shares of the battles that were simulated. ``method`` says how they were fought, one of
    :data:`METHODS`; ``counts`` holds what was counted.

    Examples
    --------
    >>> from d20kit.battle import Encounter
    >>> result = Encounter.ready("duel").simulate(2_000, seed=1)
    >>> low, high = result.interval["red"]
    >>> low < result.win_chance["red"] < high, min(result.rounds)
    (True, 1)
    """

    encounter: Encounter = field(repr=False)
    battles: int
    seed: int
    method: str
    counts: Tally = field(repr=False)

    def _share(self, count: int) -> float:
        return count / self.battles

    @property
    def win_chance(self) -> dict[str, float]:
        """Each side's share of the battles."""
        return {side: self._share(self.counts.winners[side]) for side in self.encounter.sides}

    @property
    def draw(self) -> float:
        """The share of battles that nobody had won when the last round was over."""
        return self._share(self.counts.winners[None])

    @property
    def interval(self) -> dict[str, tuple[float, float]]:
        """Between which chances each side's true one lies, with a confidence of 95 %: Wilson's interval."""
        return {side: wilson(self.counts.winners[side], self.battles) for side in self.encounter.sides}

    @property
    def rounds(self) -> dict[int, float]:
        """The share of battles that took so many regular rounds; 0 for those decided in the surprise round."""
        return {rounds: self._share(self.counts.rounds[rounds]) for rounds in sorted(self.counts.rounds)}

    @property
    def mean_rounds(self) -> float:
        """How many regular rounds a battle took on average."""
        return sum(rounds * count for rounds, count in self.counts.rounds.items()) / self.battles

    @property
    def fates(self) -> dict[str, dict[State, float]]:
        """The share of battles that each combatant ended in each state."""
        names = [one.name for one in self.encounter.combatants]
        return {name: {state: self._share(self.counts.fates[name, state]) for state in State} for name in names}

    def table(self) -> list[dict[str, Any]]:
        """Return everything as rows, ready for a plot, a data frame or JSON.

        Each row holds what was counted ("winner", "rounds" or "fate"), of whom (a combatant's name where it is its
        fate), the value counted (a side or None for a draw, a number of rounds, a state), in how many battles it was,
        the share this is, and the ends of its interval.

        Examples
        --------
        >>> from d20kit.battle import Encounter
        >>> row = Encounter.ready("duel").simulate(2_000, seed=1).table()[0]
        >>> list(row), row["value"]
        (['counted', 'of', 'value', 'battles', 'chance', 'low', 'high'], 'red')
        """
        counts = self.counts
        sides = [*self.encounter.sides, *([None] if counts.winners[None] else [])]
        lines: list[tuple[str, str | None, Any, int]] = [("winner", None, side, counts.winners[side]) for side in sides]
        lines += [("rounds", None, rounds, counts.rounds[rounds]) for rounds in sorted(counts.rounds)]
        for one in self.encounter.combatants:
            lines += [("fate", one.name, state.value, counts.fates[one.name, state]) for state in State]
        return [self._row(*line) for line in lines]

    def _row(self, counted: str, of: str | None, value: Any, count: int) -> dict[str, Any]:
        low, high = wilson(count, self.battles)
        chance = self._share(count)
        return {
            "counted": counted, "of": of, "value": value, "battles": count, "chance": chance, "low": low, "high": high
        }  # fmt: skip

    def __str__(self) -> str:
        return "\n".join([*self._heading(), *self._winners(), *self._fates()])

    def _heading(self) -> list[str]:
        said = _("{battles} battles of seed {seed}, {method}; {rounds} rounds on average")
        battles = f"{self.battles:,}".replace(",", " ")
        return [
            "  "
            + said.format(
                battles=battles, seed=self.seed, method=_(METHODS[self.method]), rounds=f"{self.mean_rounds:.1f}"
            )
        ]

    def _winners(self) -> list[str]:
        rows = [(side, self.counts.winners[side]) for side in self.encounter.sides]
        if self.draw:
            rows.append((_("draw"), self.counts.winners[None]))
        width = max(shown_width(name) for name, _count in rows)
        return [f"  {pad(name, width)}  {self._percentage(count)}" for name, count in rows]

    def _percentage(self, count: int) -> str:
        low, high = wilson(count, self.battles)
        between = _("{low} to {high} %").format(low=f"{100 * low:.3f}", high=f"{100 * high:.3f}")
        return f"{100 * self._share(count):7.3f} %  ({between})"

    def _fates(self) -> list[str]:
        fates = self.fates
        width = max(map(shown_width, fates))
        lines = []
        for name, states in fates.items():
            shares = [f"{state_word(state)} {100 * share:.1f} %" for state, share in states.items() if share]
            lines.append(f"  {pad(name, width)}  {', '.join(shares)}")
        return lines

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Show the text where a notebook cell ends in a simulation."""
        printer.text(str(self))
