"""The damage explorer says for every Strength what the rules say."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import product
from math import prod
from typing import Any
from xml.etree import ElementTree

import pytest

from d20kit import COURSE, SRD35, Pmf, parse
from d20kit.damage import GRIPS, attack_damage, critical_damage, hit_damage, stack_multipliers, strength_damage
from d20kit.rulesets import SWITCHES
from d20widgets import DamageExplorer
from d20widgets.damage import GRIPS as SHOWN_GRIPS
from d20widgets.twin import Amount
from tests.widgets.every import SEEDS, each_of, sent

SETTINGS = [
    {},
    {"grip": "two-handed", "dice": "2d6", "multiplier": 3, "second": 2},
    {"grip": "two-handed", "light": True, "other": 2},
    {"grip": "off-hand", "dice": "1d4", "rules": SRD35},
    {"grip": "composite-bow", "rating": 3, "rules": SRD35, "extra": "2d6", "threat": 19},
    {"grip": "crossbow", "dice": "1d8", "bonus": -5, "ac": 45},
    {"dice": "8d6", "extra": "3d6", "multiplier": 4, "rules": SRD35},
    {"grip": "off-hand", "dice": "2d4", "threat": 19, "rules": SRD35.replace(critical_damage="multiply")},
]
STRENGTHS = range(-5, 11)
EVIL = '<img src=x onerror="alert(1)">'


explorer = each_of(DamageExplorer, SETTINGS)


def by_rule(values: Mapping[str, Any], strength: int) -> tuple[Pmf, Pmf, Pmf, Pmf]:
    """The four distributions by direct calls of the rules."""
    rules, dice, extra = values["rules"], values["dice"], values["extra"] or None
    grip, light, rating = values["grip"], values["light"], values["rating"]
    bonus = strength_damage(strength, grip, light=light, rating=rating, rules=rules) + values["other"]
    multiplier = stack_multipliers(values["multiplier"], values["second"])
    more = {"multiplier": multiplier, "extra": extra}
    return (
        hit_damage(dice, bonus, extra=extra),
        critical_damage(dice, bonus, **more, rules=COURSE),
        critical_damage(dice, bonus, **more, rules=SRD35),
        attack_damage(values["bonus"], values["ac"], dice, bonus, **more, threat=values["threat"], rules=rules),
    )


def shown_chances(trace: dict[str, Any]) -> dict[int, float]:
    """What a trace shows: amount to percent, less the zeros."""
    return {amount: chance for amount, chance in enumerate(trace["y"], start=trace["x0"]) if chance}


def test_every_frame_is_what_the_rules_say(explorer: DamageExplorer) -> None:
    """The page looks up and never computes: each distribution must be a direct call of the rules."""
    for strength in STRENGTHS:
        data, exact = explorer.chart.at(strength)["data"], by_rule(explorer.values, strength)
        for trace, pmf in zip(data[:3], exact[:3], strict=True):
            expected = {amount: float(100 * chance) for amount, chance in pmf.items() if chance > 5.01e-6}
            assert shown_chances(trace) == {n: pytest.approx(chance, abs=0.001) for n, chance in expected.items()}
        attack = exact[3]
        assert data[3]["x0"] == 1
        for least, chance in enumerate(data[3]["y"], start=1):
            assert chance == pytest.approx(float(100 * attack.sf(least - 1)), abs=0.001)


def test_means_and_spreads_are_marked_where_they_are(explorer: DamageExplorer) -> None:
    """The diamond is read as the mean, its whiskers as one standard deviation to either side."""
    for strength in STRENGTHS:
        marks = explorer.chart.at(strength)["data"][4:8]
        for mark, pmf in zip(marks, by_rule(explorer.values, strength), strict=True):
            mean, spread = float(pmf.mean()), pmf.std()
            assert mark["x"] == [pytest.approx(one, abs=0.001) for one in (mean - spread, mean, mean + spread)]


def test_no_strength_leaves_the_axis(explorer: DamageExplorer) -> None:
    """The axis never slides, so it must reach as far as the strongest arm."""
    for axis in ("xaxis", "xaxis2", "xaxis3"):
        low, high = explorer.chart.figure["layout"][axis]["range"]
        assert low == 0
        assert all(pmf.support()[1] <= high for one in STRENGTHS for pmf in by_rule(explorer.values, one))


def test_a_column_that_is_cut_off_says_its_chance() -> None:
    """Where the minimum of 1 bites, everything piles up there: cut off without a word it would be a lie."""
    explorer = DamageExplorer(dice="1d4", grip="off-hand")
    data = explorer.chart.at(-5)["data"]
    assert data[0]["y"][1] == 100 > explorer.chart.figure["layout"]["yaxis"]["range"][1]
    assert data[8]["text"] == ["1: 100 %"]
    assert data[9]["text"] == ["1: 75 %, 93.8 %"]
    assert [trace["text"] for trace in explorer.chart.at(3)["data"][8:10]] == [[""], [""]]


@pytest.mark.parametrize(("dice", "kind"), [("1d8", "bar"), ("2d6", "bar"), ("8d6", "scatter")])
def test_a_multiplier_keeps_the_kind_of_picture(dice: str, kind: str) -> None:
    """While the multiplier is dragged columns must not turn into a line: that is another picture, and a slow one."""
    for multiplier, second in product((2, 3, 4), (1, 3)):
        explorer = DamageExplorer(dice=dice, multiplier=multiplier, second=second)
        assert [trace["type"] for trace in explorer.chart.figure["data"][:2]] == [kind, kind]
        explorer.close()


def test_the_table_has_exact_moments(explorer: DamageExplorer) -> None:
    """The table is for reading numbers off: means and variances are exact, and no chances."""
    for row, pmf in zip(explorer.table(), by_rule(explorer.values, explorer.values["strength"]), strict=True):
        assert (row["mean"], row["variance"]) == (pmf.mean(), pmf.var())
        assert isinstance(row["mean"], Amount)
        assert row["standard deviation"] == pytest.approx(float(pmf.var()) ** 0.5, abs=0.001)
        assert (row["lowest"], row["highest"]) == pmf.support()


def test_a_greatsword_by_counting() -> None:
    """By another road: every pair of faces once and doubled, and every two pairs added."""
    explorer = DamageExplorer(dice="2d6", grip="two-handed", strength=3)
    bonus = 4  # one and a half times 3, rounded down
    pairs = [one + other for one, other in product(range(1, 7), repeat=2)]
    once = [2 * (pair + bonus) for pair in pairs]
    again = [one + other + 2 * bonus for one, other in product(pairs, repeat=2)]
    for row, totals in zip(explorer.table()[1:3], (once, again), strict=True):
        mean = Amount(sum(totals), len(totals))
        assert row["mean"] == mean
        assert row["variance"] == Amount(sum(total**2 for total in totals), len(totals)) - mean**2
    assert explorer.table()[1]["variance"] == 2 * explorer.table()[2]["variance"]


@pytest.mark.parametrize("scaling", SWITCHES["strength_scaling"].choices)
def test_the_formula_scales_as_the_rule_does(scaling: str) -> None:
    """Both sides of the equals sign are set by hand: a value that only the rule knows would make them differ."""
    explorer = DamageExplorer(rules=COURSE.replace(strength_scaling=scaling))
    for grip, strength in product(("one-handed", "off-hand", "two-handed"), STRENGTHS):
        numbers = explorer.numbers({**explorer.values, "grip": grip, "strength": strength})
        line = next(row for row in ElementTree.fromstring(explorer.formula(numbers)).iter() if row.tag.endswith("mtr"))
        for fraction in (one for one in line.iter() if one.tag.endswith("mfrac")):
            above, below = ("".join(part.itertext()).replace("−", "-") for part in fraction)
            assert prod(int(factor.strip("()")) for factor in above.split("·")) // int(below) == numbers.added
    explorer.close()


def test_the_formula_has_the_rules_numbers(explorer: DamageExplorer) -> None:
    """The formula is set by hand: its Strength damage must be the rule's, and its lowest damage at least 1."""
    values = explorer.values
    for strength in STRENGTHS:
        markup = explorer.formula(explorer.numbers({**values, "strength": strength}))
        lines = ["".join(row.itertext()) for row in ElementTree.fromstring(markup).iter() if row.tag.endswith("mtr")]
        added = strength_damage(
            strength, values["grip"], light=values["light"], rating=values["rating"], rules=values["rules"]
        )
        assert lines[0].replace("−", "-").endswith(f"={added}")
        assert lines[1].startswith("hit=max(1,")
        assert lines[2].startswith("critical=max(1,")


def test_a_scaled_strength_is_shown_with_its_half() -> None:
    """Half and one and a half are the lesson: they stand there as the fraction that is rounded down."""
    markup = DamageExplorer(grip="two-handed").formula_line.frames
    fractions = [node for node in ElementTree.fromstring(markup[8]).iter() if node.tag.endswith("mfrac")]
    assert ["".join(part.itertext()) for part in fractions[0]] == ["3·3", "2"]
    assert "mfrac" not in DamageExplorer(grip="two-handed", light=True).formula_line.frames[8]
    assert "mfrac" not in DamageExplorer(grip="off-hand", rules=SRD35).formula_line.frames[0]


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        (
            {},
            "Strength +3, one-handed: +3 to damage. A hit deals 7.5 on average, give or take 2.291. A critical × 2 "
            "deals 15 on average either way, give or take 4.583 with one roll multiplied, 3.24 with 2 rolls. One "
            "attack, bonus +5 against AC 15, deals 4.5 on average under COURSE.",
        ),
        (
            {"strength": -5, "grip": "off-hand", "dice": "1d4", "rules": SRD35, "other": 3},
            "Strength −5, off-hand: −5 to damage. A hit deals 1.25 on average, give or take 0.433. A critical × 2 "
            "deals 2 on average, give or take 1.225, with one roll multiplied, and 1.625, give or take 0.927, with 2 "
            "rolls. One attack, bonus +5 against AC 15, deals 0.6978 on average under SRD35.",
        ),
    ],
)
def test_the_sentence_says_it(settings: dict[str, Any], sentence: str) -> None:
    """The sentence is what is read aloud: these are read by a person, word by word."""
    assert DamageExplorer(**settings).summary == sentence


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        ({"dice": "40d6"}, "dice is '40d6', but must be dice from 0 to 100, of which some come to 1 or more"),
        ({"dice": "1d4-2"}, "dice is '1d4-2'"),
        ({"dice": "0"}, "dice is '0'"),
        ({"dice": EVIL}, "dice: cannot read"),
        ({"extra": "20d6"}, "extra is '20d6', but must be dice from 0 to 60"),
        ({"extra": "fire"}, "extra: cannot read"),
        ({"extra": None}, "extra is None"),
        ({"grip": "offhand"}, "did you mean 'off-hand'"),
        ({"multiplier": 1}, "multiplier is 1"),
        ({"strength": 11}, "strength is 11"),
        ({"light": 1}, "light is 1"),
    ],
)
def test_what_has_no_meaning_is_refused(wrong: dict[str, Any], complaint: str) -> None:
    """A wrong argument is named, with what is allowed."""
    with pytest.raises(ValueError, match=complaint):
        DamageExplorer(**wrong)


def test_a_refusal_stands_beside_the_box() -> None:
    """What was written comes back as characters beside the box, and the picture stays."""
    explorer = DamageExplorer()
    before = explorer.chart.figure
    box, error = explorer._fields["extra"].parts
    box.value = EVIL
    assert "cannot read" in error.value
    assert explorer.chart.figure == before
    box.value = ""
    assert error.value == ""


def test_only_plain_dice_get_into_the_words() -> None:
    """Whatever was written, the formula shows the expression in its plainest form."""
    explorer = DamageExplorer(dice=" 2 D6 ", extra=" (1D6) ")
    assert "2d6 + 3 + 1d6" not in explorer.summary
    text = "".join(ElementTree.fromstring(explorer.formula(explorer.numbers(explorer.values))).itertext())
    assert "max(1,2d6+3+1d6)" in text
    json.dumps([explorer.chart.figure, explorer.chart.frames, explorer.state])


def test_the_question_has_the_exact_mean(explorer: DamageExplorer) -> None:
    """A prediction is judged by the rule; a mean is a number and no chance."""
    words, answer = explorer.question(explorer.numbers(explorer.values))
    assert answer == by_rule(explorer.values, explorer.values["strength"])[0].mean()
    assert isinstance(answer, Amount)
    assert words.endswith("?")


def test_grips_are_those_of_the_rules() -> None:
    """A grip that the rules know and the explorer does not could never be tried."""
    assert tuple(SHOWN_GRIPS) == GRIPS


def test_every_control_stands_in_one_place() -> None:
    """A control in no group, or in two, would be on the page twice or lost among others."""
    names = {control.name for control in DamageExplorer.controls}
    grouped = [name for group in DamageExplorer.groups.values() for name in group]
    assert len(grouped) == len(set(grouped))
    assert names - set(grouped) == {"strength", "dice", "grip", "multiplier", "rules"}


def test_the_heaviest_weapon_makes_no_heavy_table() -> None:
    """Sixteen Strengths, each with four distributions, travel over a slow line at once."""
    explorer = DamageExplorer(dice="16d6", extra="10d6", multiplier=4, second=3, other=10, grip="two-handed")
    assert len(sent(explorer)) < 300_000


def test_random_examples_agree_with_the_rules() -> None:
    """Every mixture of grips, multipliers and dice that a learner may meet."""
    explorer = DamageExplorer()
    for seed in SEEDS:
        explorer.random(seed)
        means = [row["mean"] for row in explorer.table()]
        assert means == [pmf.mean() for pmf in by_rule(explorer.values, explorer.values["strength"])]


def test_the_written_dice_are_read_as_dice() -> None:
    """The distribution of a hit without any bonus is that of its dice."""
    explorer = DamageExplorer(strength=0, dice="2d6")
    assert explorer.numbers(explorer.values).damages.hit == parse("2d6")
