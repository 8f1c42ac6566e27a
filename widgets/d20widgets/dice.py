"""Dice to drag: any expression, its chances of at least and at most a target, beside another, and rolled."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from math import ceil
from random import Random
from typing import Any, NamedTuple

import ipywidgets

from d20kit import Pmf, parse
from d20kit.amounts import number_text, short_percent_sign, short_percent_text
from d20kit.check import refuse
from d20kit.expression import read
from d20kit.language import N_, _
from d20kit.magnitudes import is_longer, root_text, significant
from d20widgets import mathml
from d20widgets.controls import Values, Whole, Written
from d20widgets.dice_ends import ends
from d20widgets.dice_picture import dice_figure, short_name, target_frame, top
from d20widgets.explorer import Explorer
from d20widgets.looks import Looks

# Each total is a place of the slider with a frame of its own, and all of them are sent at once.
MOST_TOTALS = 300
MOST_ROLLS = 10_000
MANY = 1000
# Longer counts of equally likely ways are left out of the formula.
LONGEST_COUNT = 12
EXAMPLES = ("2d6", "1d12", "3d6", "4d6kh3", "1d20", "2d20kh1", "2d20kl1", "8d6", "1d8+3", "d%")


class Rolled(NamedTuple):
    """What was rolled: how often each total, how often each total or more, the mean, and the last total."""

    counts: Mapping[int, int]
    reached: Mapping[int, int]
    mean: Fraction
    last: int


class Compared(NamedTuple):
    """Chances that one total is more than, equal to or less than another, and the height of both pictures."""

    more: Fraction
    equal: Fraction
    less: Fraction
    highest: float


@dataclass(frozen=True)
class Numbers:
    """One target: what the dice come to, what they are compared with, and what was rolled."""

    target: int
    dice: str
    against: str
    pmf: Pmf
    other: Pmf
    at_least: Fraction
    at_most: Fraction
    compared: Compared
    seed: int
    rolled: Rolled | None


def reader(name: str) -> Callable[[str], None]:
    """Return what refuses dice with more totals than the slider has places; it names the argument.

    >>> reader("dice")("9d100")
    Traceback (most recent call last):
    ValueError: dice is '9d100', but must be dice with at most 300 different totals; use fewer dice or smaller ones
    """

    def refuse_wide(text: str) -> None:
        low, high = ends(name, text)
        if high - low >= MOST_TOTALS:
            allowed = _("dice with at most {most} different totals").format(most=MOST_TOTALS)
            raise refuse(name, text, allowed, _("use fewer dice or smaller ones"))

    return refuse_wide


@dataclass(frozen=True)
class Target(Whole):
    """A number between the lowest and the highest total of the dice; it starts where their mean is."""

    default: int = 0
    low: int = 0
    high: int = 0

    def bottom(self, values: Values) -> int:
        return parse(values["dice"]).support()[0]

    def top(self, values: Values) -> int:
        return parse(values["dice"]).support()[1]

    def initial(self, values: Values) -> int:
        return ceil(parse(values["dice"]).mean())


@dataclass(frozen=True)
class Rolls(Whole):
    """How often the dice have been rolled, with a button for one more roll and one for many more."""

    def build(self, looks: Looks, value: int, values: Values) -> tuple[ipywidgets.Widget, ...]:
        slider, box, link = super().build(looks, value, values)
        buttons = [ipywidgets.Button(**looks.of(ipywidgets.Button, width="auto")) for _more in (1, MANY)]
        for button, more in zip(buttons, (1, MANY), strict=True):
            button.on_click(lambda _button, more=more: _roll(slider, more))
        return slider, box, *buttons, link

    def put(self, parts: tuple[Any, ...], value: int, values: Values) -> None:
        super().put(parts, value, values)
        parts[2].description = _("Roll once")
        parts[3].description = _("Roll 1,000")
        for button in parts[2:4]:
            button.disabled = value >= self.top(values)


def _roll(slider: Any, more: int) -> None:
    slider.value = min(slider.value + more, slider.max)


class DiceExplorer(Explorer):
    """Write any dice and drag a target number to see how often they reach it.

    Parameters
    ----------
    dice : str
        The dice, such as ``"2d6+3"`` or ``"4d6kh3"``, with at most 300 different totals.
    against : str
        The dice they are compared with, rolled independently.
    target : int
        The target number, from the lowest total to the highest. It is the main slider.
    rolls : int
        How often the dice are rolled, 0 to 10,000.
    seed : int
        Where the rolls start, 0 to 9999: the same seed gives the same rolls, and more rolls go on after fewer.

    Raises
    ------
    ValueError
        If a value is not allowed; the message says what is.

    Examples
    --------
    >>> print(DiceExplorer(dice="2d6", against="1d12", target=9).summary)
    2d6 comes to 9 or more with 27.8 %, to 9 or less with 83.3 %, to exactly 9 with 11.1 %. Mean 7, standard deviation \
2.415. Against 1d12: more 50 %, equal 8.3 %, less 41.7 %.
    """

    title = N_("Dice")
    main = "target"
    controls = (
        Written("dice", N_("Dice"), "2d6", reader("dice"), EXAMPLES),
        Target("target", N_("Target number")),
        Written("against", N_("Compared with"), "1d12", reader("against"), EXAMPLES),
        Rolls("rolls", N_("Rolls"), 0, 0, MOST_ROLLS),
        Whole("seed", N_("Seed of the rolls"), 1, 0, 9999),
    )

    def numbers(self, values: Mapping[str, Any]) -> Numbers:
        target, pmf = values["target"], parse(values["dice"])
        return Numbers(
            target=target,
            dice=str(read(values["dice"])),
            against=str(read(values["against"])),
            pmf=pmf,
            other=parse(values["against"]),
            at_least=pmf.sf(target - 1),
            at_most=pmf.cdf(target),
            compared=_compare(values["dice"], values["against"]),
            seed=values["seed"],
            rolled=_rolls(values["dice"], values["seed"], values["rolls"]),
        )

    def picture(self, values: Mapping[str, Any], table: Sequence[Numbers]) -> dict[str, Any]:
        one = table[0]
        counts = one.rolled.counts if one.rolled else {}
        return dice_figure((one.dice, one.against), (one.pmf, one.other), one.compared[:3], counts)

    def frame(self, numbers: Numbers) -> dict[str, Any]:
        chances, pmfs = (numbers.at_least, numbers.at_most), (numbers.pmf, numbers.other)
        placed = target_frame(numbers.target, chances, pmfs, numbers.compared.highest)
        return {**placed, "label": _target_sentence(numbers)}

    def formula(self, numbers: Numbers) -> str:
        weights = numbers.pmf.weights
        ways, every = sum(weights[numbers.target - numbers.pmf.support()[0] :]), sum(weights)
        event = mathml.row(mathml.words(short_name(numbers.dice)), mathml.sign("≥"), mathml.number(numbers.target))
        counted = () if is_longer(every, LONGEST_COUNT) else (mathml.sign("="), _ways(ways, every))
        sign = mathml.sign(short_percent_sign(numbers.at_least))
        percent = mathml.words(short_percent_text(numbers.at_least))
        return mathml.formula(mathml.call("P", event), *counted, sign, percent)

    def sentence(self, numbers: Numbers) -> str:
        parts = [_target_sentence(numbers), _spread_sentence(numbers), _compared_sentence(numbers)]
        if numbers.rolled:
            parts.append(_rolled_sentence(numbers, numbers.rolled))
        return " ".join(parts)

    def question(self, numbers: Numbers) -> tuple[str, Any]:
        asked = _("What is the chance that {dice} comes to {n} or more?")
        return asked.format(dice=short_name(numbers.dice), n=number_text(numbers.target)), numbers.at_least

    def rows(self, numbers: Numbers) -> list[dict[str, Any]]:
        pmf, shown = numbers.pmf, {N_("rolled"): numbers.rolled.counts} if numbers.rolled else {}
        return [
            {
                N_("total"): total,
                N_("chance"): chance,
                N_("at least"): pmf.sf(total - 1),
                N_("at most"): pmf.cdf(total),
                **{name: counts.get(total, 0) for name, counts in shown.items()},
            }
            for total, chance in pmf.items()
        ]


@lru_cache(maxsize=64)
def _compare(dice: str, against: str) -> Compared:
    """One table asks for the same comparison at every position."""
    one, other = parse(dice), parse(against)
    more, equal = one.chance_above(other), one.chance_equal(other)
    return Compared(more, equal, 1 - more - equal, round(top((one, other)), 3))


@lru_cache(maxsize=64)
def _rolls(dice: str, seed: int, count: int) -> Rolled | None:
    """Roll so often, unless that is never.

    Not :meth:`~d20kit.Pmf.rvs`: rolled one by one a seed gives the same totals with NumPy and without it.
    """
    if not count:
        return None
    pmf, random = parse(dice), Random(seed)
    totals = [pmf.roll(random) for _roll in range(count)]
    low, high = pmf.support()
    counts = dict.fromkeys(range(low, high + 1), 0)
    for total in totals:
        counts[total] += 1
    downwards = list(reversed(counts))
    reached = dict(zip(downwards, accumulate(counts[total] for total in downwards), strict=True))
    seen = {total: often for total, often in counts.items() if often}
    return Rolled(seen, reached, Fraction(sum(totals), count), totals[-1])


def _ways(ways: int, every: int) -> str:
    return mathml.fraction(mathml.number(ways), mathml.number(every))


def _target_sentence(numbers: Numbers) -> str:
    said = _(
        "{dice} comes to {n} or more with {at_least}, to {n} or less with {at_most}, to exactly {n} with {chance}."
    )
    return said.format(
        dice=short_name(numbers.dice),
        n=number_text(numbers.target),
        at_least=short_percent_text(numbers.at_least),
        at_most=short_percent_text(numbers.at_most),
        chance=short_percent_text(numbers.pmf.pmf(numbers.target)),
    )


def mean_text(value: Fraction) -> str:
    """Write a mean for the middle of a sentence.

    >>> mean_text(Fraction(15, 2)), mean_text(Fraction(-1, 3))
    ('7.5', '−0.3333')
    """
    return significant(value, 4).replace("-", "−")


def _spread_sentence(numbers: Numbers) -> str:
    return _("Mean {mean}, standard deviation {spread}.").format(
        mean=mean_text(numbers.pmf.mean()), spread=root_text(numbers.pmf.var(), 4)
    )


def _compared_sentence(numbers: Numbers) -> str:
    more, equal, less = map(short_percent_text, numbers.compared[:3])
    return _("Against {other}: more {more}, equal {equal}, less {less}.").format(
        other=short_name(numbers.against), more=more, equal=equal, less=less
    )


def _rolled_sentence(numbers: Numbers, rolled: Rolled) -> str:
    count = sum(rolled.counts.values())
    if count == 1:
        return _("One roll with seed {seed} came to {last}.").format(seed=numbers.seed, last=number_text(rolled.last))
    said = _("{count} rolls with seed {seed}: {n} or more {share}, mean {mean}; the last came to {last}.")
    return said.format(
        count=count,
        seed=numbers.seed,
        n=number_text(numbers.target),
        share=short_percent_text(Fraction(rolled.reached[numbers.target], count)),
        mean=mean_text(rolled.mean),
        last=number_text(rolled.last),
    )
