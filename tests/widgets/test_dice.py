"""The dice explorer says for every target number what the distribution says, and rolls on top of it."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

from d20kit import Pmf, d, parse
from d20kit.expression import read
from d20widgets import DiceExplorer
from d20widgets.dice import MOST_TOTALS
from tests.widgets.every import each_of, sent

SETTINGS = [
    {},
    {"dice": "4d6kh3", "against": "3d6"},
    {"dice": "1d6-10", "against": "d20*d10"},
    {"dice": "5", "against": "5"},
    {"dice": "3d100", "against": "1", "rolls": 1},
    {"dice": "2d4+4", "against": "1d8", "rolls": 250, "seed": 7},
]
EVIL = '<img src=x onerror="alert(1)">'


explorer = each_of(DiceExplorer, SETTINGS)


def targets(explorer: DiceExplorer) -> range:
    """Every place of the main slider, from the distribution itself."""
    low, high = parse(explorer.values["dice"]).support()
    return range(low, high + 1)


def test_the_slider_goes_from_the_lowest_total_to_the_highest(explorer: DiceExplorer) -> None:
    """A target beyond the dice would show nothing, and one left out could not be asked for."""
    slider = explorer._fields["target"].parts[0]
    assert range(slider.min, slider.max + 1) == targets(explorer)
    assert len(explorer.chart.frames) == len(targets(explorer))


def both(pmf: Pmf, target: int) -> tuple[Fraction, Fraction]:
    """The chances of at least and of at most so much."""
    return pmf.sf(target - 1), pmf.cdf(target)


def test_every_frame_is_what_the_distribution_says(explorer: DiceExplorer) -> None:
    """The page looks up and never computes: marks and shade must be the exact chances of their target."""
    pmf = parse(explorer.values["dice"])
    for target in targets(explorer):
        shade, marks = explorer.chart.at(target)["data"][8:10]
        assert set(marks["x"]) == {target}
        assert marks["y"][:2] == pytest.approx([float(100 * chance) for chance in both(pmf, target)], abs=0.001)
        assert (shade["x"][0], shade["x"][-1]) == (target - 0.5, pmf.support()[1] + 0.5)


def test_columns_curves_and_comparison_are_exact(explorer: DiceExplorer) -> None:
    """What stands still is checked against the distribution, total by total."""
    one, other = (parse(explorer.values[name]) for name in ("dice", "against"))
    data = explorer.chart.figure["data"]
    for trace, pmf in zip(data[:2], (one, other), strict=True):
        shown = dict(enumerate(trace["y"], start=trace["x0"]))
        assert {total: chance for total, chance in shown.items() if chance} == {
            total: pytest.approx(float(100 * chance), abs=0.001) for total, chance in pmf.items() if chance > 5e-6
        }
    low = one.support()[0]
    for total in targets(explorer):
        assert data[2]["y"][total - low] == pytest.approx(float(100 * one.sf(total - 1)), abs=0.001)
        assert data[3]["y"][total - low] == pytest.approx(float(100 * one.cdf(total)), abs=0.001)
    shares = [trace["x"][0] for trace in data[4:7]]
    exact = one.chance_above(other), one.chance_equal(other), other.chance_above(one)
    assert shares == pytest.approx([float(100 * chance) for chance in exact], abs=0.001)


def test_two_dice_by_counting() -> None:
    """By another road: all 36 pairs of faces against all 12 faces of the other die."""
    explorer = DiceExplorer(dice="2d6", against="1d12", target=9)
    sums = [one + other for one, other in product(range(1, 7), repeat=2)]
    for row in explorer.table():
        total = row["total"]
        assert row["chance"] == Fraction(sums.count(total), 36)
        assert row["at least"] == Fraction(sum(one >= total for one in sums), 36)
        assert row["at most"] == Fraction(sum(one <= total for one in sums), 36)
    pairs = list(product(sums, range(1, 13)))
    more = Fraction(sum(one > other for one, other in pairs), len(pairs))
    assert explorer.numbers(explorer.values).compared.more == more


def test_the_formula_counts_the_ways() -> None:
    """The fraction is what a learner counts on paper: ways that reach the target over all ways, not reduced."""
    explorer = DiceExplorer(dice="2d6", target=9)
    tree = ElementTree.fromstring(explorer.formula(explorer.numbers(explorer.values)))
    assert "".join(tree.itertext()) == "P(2d6≥9)=1036≈27.8 %"
    explorer.move(dice="20d6", target=70)
    assert "".join(ElementTree.fromstring(explorer.formula_line.frames[50]).itertext()).startswith("P(20d6≥70)≈")


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        (
            {"dice": "1d20", "against": "2d20kh1", "target": 11},
            "1d20 comes to 11 or more with 50 %, to 11 or less with 55 %, to exactly 11 with 5 %. Mean 10.5, standard "
            "deviation 5.766. Against 2d20kh1: more 30.9 %, equal 5 %, less 64.1 %.",
        ),
        (
            {"dice": "1d6-10", "against": "1", "target": -7, "rolls": 1},
            "1d6-10 comes to −7 or more with 66.7 %, to −7 or less with 50 %, to exactly −7 with 16.7 %. Mean −6.5, "
            "standard deviation 1.708. Against 1: more 0 %, equal 0 %, less 100 %. One roll with seed 1 came to −8.",
        ),
        (
            {"dice": "1d4", "against": "1d4", "target": 4, "rolls": 4, "seed": 3},
            "1d4 comes to 4 or more with 25 %, to 4 or less with 100 %, to exactly 4 with 25 %. Mean 2.5, standard "
            "deviation 1.118. Against 1d4: more 37.5 %, equal 25 %, less 37.5 %. 4 rolls with seed 3: 4 or more 0 %, "
            "mean 2.25; the last came to 3.",
        ),
    ],
)
def test_the_sentence_says_it(settings: dict[str, Any], sentence: str) -> None:
    """The sentence is what is read aloud: these are read by a person, word by word."""
    assert DiceExplorer(**settings).summary == sentence


def test_rolls_are_those_of_the_seed() -> None:
    """Whoever is told the seed must find the same totals, on every machine: they are the kit's own rolls."""
    explorer = DiceExplorer(dice="3d6", rolls=500, seed=42)
    random, pmf = Random(42), parse("3d6")
    totals = Counter(pmf.roll(random) for _roll in range(500))
    rolled = explorer.chart.figure["data"][7]
    assert rolled["x"] == sorted(totals)
    highest = explorer.numbers(explorer.values).compared.highest
    shares = [min(100 * totals[total] / 500, highest) for total in sorted(totals)]
    assert rolled["y"] == pytest.approx(shares, abs=0.001)
    assert {row["total"]: row["rolled"] for row in explorer.table()} == {n: totals[n] for n in range(3, 19)}


def test_more_rolls_go_on_after_fewer() -> None:
    """Rolling a thousand more must add to what lies there, not begin anew."""
    explorers = (DiceExplorer(rolls=rolls, seed=5) for rolls in (100, 1100))
    few, more = (explorer.numbers(explorer.values).rolled for explorer in explorers)
    assert few is not None
    assert more is not None
    assert all(more.counts[total] >= often for total, often in few.counts.items())


def test_rolls_come_near_the_exact_chances() -> None:
    """Ten thousand rolls lie within five standard errors everywhere, or the rolls are not those dice."""
    explorer = DiceExplorer(dice="2d6", rolls=10_000, seed=1)
    for row in explorer.table():
        chance = float(row["chance"])
        error = (chance * (1 - chance) / 10_000) ** 0.5
        assert row["rolled"] / 10_000 == pytest.approx(chance, abs=5 * error)


def test_buttons_roll_once_and_a_thousand_times() -> None:
    """The buttons are the learner's hand: each adds its rolls, and at the end of the slider they rest."""
    explorer = DiceExplorer()
    slider, _box, once, many, _link = explorer._fields["rolls"].parts
    once.click()
    once.click()
    many.click()
    assert explorer.values["rolls"] == slider.value == 1002
    for _click in range(9):
        many.click()
    assert explorer.values["rolls"] == 10_000
    assert once.disabled
    assert many.disabled
    explorer.reset()
    assert explorer.values["rolls"] == 0
    assert not once.disabled


def test_a_roll_beyond_the_picture_is_marked_at_its_edge() -> None:
    """One roll is 100 % of the rolls: drawn true it would press all exact chances flat."""
    explorer = DiceExplorer(dice="1d20", against="1d20", rolls=1)
    rolled = explorer.chart.figure["data"][7]
    assert rolled["marker"]["symbol"] == ["triangle-up"]
    assert rolled["y"][0] <= explorer.chart.figure["layout"]["yaxis"]["range"][1]


def test_other_dice_keep_the_target_where_it_fits() -> None:
    """A learner who compares dice keeps the question; a target the new dice cannot reach goes to their end."""
    explorer = DiceExplorer(dice="2d6", target=9)
    explorer.move(dice="1d12")
    assert explorer.values["target"] == 9
    explorer.move(dice="1d4")
    assert explorer.values["target"] == 4
    explorer.move(dice="2d6+20")
    assert explorer.values["target"] == 22


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        (
            {"dice": "4d100"},
            f"dice is '4d100', but must be dice with at most {MOST_TOTALS} different totals",
        ),
        ({"against": "4d100"}, f"against is '4d100', but must be dice with at most {MOST_TOTALS}"),
        ({"dice": "2d"}, "dice: cannot read the dice expression"),
        ({"dice": ""}, "dice is ''"),
        ({"dice": 6}, "dice is 6"),
        ({"dice": "10001d6"}, "dice must be from 1d1 to 10000d100000"),
        ({"dice": EVIL}, "dice: cannot read"),
        ({"dice": "2d6", "target": 13}, "target is 13, but must be a whole number from 2 to 12"),
        ({"rolls": 10_001}, "rolls is 10001"),
        ({"seed": -1}, "seed is -1"),
        ({"seed": 1.5}, "seed is 1.5"),
    ],
)
def test_what_has_no_meaning_is_refused(wrong: dict[str, Any], complaint: str) -> None:
    """A wrong argument is named, with what is allowed."""
    with pytest.raises(ValueError, match=complaint):
        DiceExplorer(**wrong)


def test_a_refusal_stands_beside_the_box() -> None:
    """The picture stays; the learner reads what is wrong where it was written, and mends it."""
    explorer = DiceExplorer()
    before = explorer.chart.figure
    box, error = explorer._fields["dice"].parts
    box.value = EVIL
    assert "cannot read" in error.value
    assert explorer.chart.figure == before
    box.value = "3d6"
    assert error.value == ""
    assert explorer.values["dice"] == "3d6"


def test_only_plain_dice_get_into_picture_and_words() -> None:
    """Whatever spaces and capitals were written, what is shown is the expression in its plainest form."""
    explorer = DiceExplorer(dice=" 2 D6 + (3) ", against="D%")
    assert explorer.chart.figure["data"][0]["name"] == str(read("2d6+3")) == "2d6+3"
    assert "1d100" in explorer.summary
    json.dumps([explorer.chart.figure, explorer.chart.frames, explorer.state])


def test_long_dice_are_cut_in_words() -> None:
    """Two hundred characters of dice in every sentence would bury what it says."""
    explorer = DiceExplorer(dice="+".join(["1d2"] * 40))
    assert "1d2+1d2+1d2+1d2+1d2+1d2… comes to" in explorer.summary


def test_the_widest_dice_make_no_heavy_table() -> None:
    """One frame for each total travels over a slow line at once."""
    explorer = DiceExplorer(dice="3d100", against="+".join(["1d6"] * 40), rolls=10_000, seed=9999)
    assert len(sent(explorer)) < 300_000


def test_many_totals_are_an_area_and_few_are_bars() -> None:
    """Three hundred bars in a narrow window would be a grey block."""
    kinds = [DiceExplorer(dice=dice).chart.figure["data"][0]["type"] for dice in ("2d6", "3d100")]
    assert kinds == ["bar", "scatter"]


def test_the_question_has_the_exact_chance(explorer: DiceExplorer) -> None:
    """A prediction is judged by the distribution."""
    words, answer = explorer.question(explorer.numbers(explorer.values))
    assert answer == parse(explorer.values["dice"]).sf(explorer.values["target"] - 1)
    assert str(explorer.values["target"]).lstrip("-") in words


def test_dice_start_at_their_mean() -> None:
    """Where half of the rolls lie there is most to see."""
    assert DiceExplorer(dice="1d20").values["target"] == 11
    assert DiceExplorer(dice="3d6").values["target"] == -(-d(6).mean() * 3 // 1)
