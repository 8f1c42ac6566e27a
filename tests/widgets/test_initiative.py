"""The initiative explorer says for every position what the rules say."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from typing import Any
from xml.etree import ElementTree

import pytest

from d20kit import COURSE, SRD35, Ruleset
from d20kit.initiative import (
    expected_dice,
    expected_rerolls,
    first_chance,
    order_chances,
    pair_chances,
    roll_order,
    tie_groups,
)
from d20kit.rulesets import RULESETS
from d20widgets import InitiativeExplorer
from d20widgets.initiative import read_modifiers
from d20widgets.initiative_picture import FIRST, MODIFIERS, NOW, REGIONS, SECOND, TIED, regions
from tests.widgets.every import each_of

SETTINGS = [
    {},
    {"second": -5, "rules": SRD35},
    {"second": 15, "modifiers": "2, 2, 2"},
    {"second": 3, "rules": SRD35, "modifiers": "5,-20"},
    {"rules": COURSE.replace(initiative_ties="modifier")},
    {"rules": COURSE.replace(critical="confirm")},
]
HOSTILE = "<img src=x onerror=window.hit=1>"


explorer = each_of(InitiativeExplorer, SETTINGS)


def test_the_regions_are_the_rule_of_ties_cell_by_cell(explorer: InitiativeExplorer) -> None:
    """Each of the 400 cells must have the colour that the rule gives to its pair of totals."""
    second = explorer.values["second"]
    for first in (-5, second, 0, 15):
        data = explorer.chart.at(first)["data"]
        for a in (1, 2, 10, 19, 20):
            for b in range(1, 21):
                inside = [
                    result
                    for result, trace in zip((FIRST, TIED, SECOND), REGIONS, strict=True)
                    if data[trace]["base"][a - 1] < b < data[trace]["base"][a - 1] + data[trace]["y"][a - 1]
                ]
                groups = tie_groups({"A": a + first, "B": b + second}, {"A": first, "B": second})
                assert inside == [TIED if len(groups) == 1 else FIRST if groups[0] == ["A"] else SECOND]


@pytest.mark.parametrize("gap", range(-20, 21))
def test_the_regions_cover_what_the_rule_counts(gap: int) -> None:
    """Areas are chances here: each region must have as many cells as the rule counts pairs."""
    counts = [sum(heights) for heights in regions(gap).values()]
    assert [Fraction(count, 400) for count in counts] == list(pair_chances(gap, 0))


def test_every_mark_is_the_rule_s_chance_and_lies_on_its_curve(explorer: InitiativeExplorer) -> None:
    """The page looks up and never computes: chance and curve must be direct calls of the rules."""
    values = explorer.values
    place = [rules.initiative_ties for rules in RULESETS.values()].index(values["rules"].initiative_ties)
    curve = explorer.chart.figure["data"][place]
    known = dict(zip(curve["x"], curve["y"], strict=True))
    for first in MODIFIERS:
        point = explorer.chart.at(first)["data"][NOW]
        chance = first_chance(first, values["second"], rules=values["rules"])
        assert point["x"] == [first]
        assert point["y"] == [known[first]] == [pytest.approx(float(100 * chance), abs=0.005)]


def test_the_tree_shares_out_everything_but_the_last_tie(explorer: InitiativeExplorer) -> None:
    """Whoever adds up the tree's ends must come to one, and to the first roll's chances."""
    for first in MODIFIERS:
        nodes = explorer.numbers({**explorer.values, "first": first}).nodes
        assert tuple(node.chance for node in nodes[:3]) == pair_chances(first, explorer.values["second"])
        depth = max(node.roll for node in nodes)
        decided = any(node.by_modifier for node in nodes)
        leaves = [node for node in nodes if node.result != TIED or (node.roll == depth and not decided)]
        assert sum(node.chance for node in leaves) == 1


def test_a_tie_by_modifier_goes_where_the_table_s_rule_sends_it() -> None:
    """Under SRD35 the tree ends in the combatant that the rolled order puts first after a tie."""
    for first, second, winner in ((4, 1, FIRST), (1, 4, SECOND)):
        explorer = InitiativeExplorer(first=first, second=second, rules=SRD35)
        (decided,) = [node for node in explorer.numbers(explorer.values).nodes if node.by_modifier]
        faces = {"A": 10 - first, "B": 10 - second}
        rolled = roll_order({"A": first, "B": second}, lambda: 1, faces=faces, rules=SRD35)
        assert decided.result == winner == {"A": FIRST, "B": SECOND}[rolled.order[0]]
        explorer.close()


def test_equal_modifiers_roll_again_under_either_rule() -> None:
    """Where the modifier cannot decide, the tree must go on."""
    for rules in (COURSE, SRD35):
        explorer = InitiativeExplorer(first=2, second=2, rules=rules)
        assert {node.roll for node in explorer.numbers(explorer.values).nodes} == {1, 2, 3}
        assert "E(rerolls)" in "".join(
            ElementTree.fromstring(explorer.formula(explorer.numbers(explorer.values))).itertext()
        )
        explorer.close()


def test_the_formula_has_the_rule_s_numbers(explorer: InitiativeExplorer) -> None:
    """The formula is set by hand: evaluated as it is written it must give the rule's chance and rerolls."""
    values = explorer.values
    for first in MODIFIERS:
        tree = ElementTree.fromstring(explorer.formula_line.frames[first - MODIFIERS.start])
        fractions = [node for node in tree.iter() if node.tag.endswith("mfrac")]
        told = [
            Fraction(*(eval("".join(part.itertext()).replace("−", "-")) for part in fraction)) for fraction in fractions
        ]
        chance = first_chance(first, values["second"], rules=values["rules"])
        assert told[0] == chance
        if len(told) > 1:
            assert told[-1] == expected_rerolls(first, values["second"], rules=values["rules"])
        else:
            assert expected_rerolls(first, values["second"], rules=values["rules"]) == 0


@pytest.mark.parametrize("rules", [COURSE, SRD35], ids=str)
@pytest.mark.parametrize("modifiers", [(3, 1, 0, -1), (2, 2, 2), (4, 4, 0, 0), (1, 0)])
def test_the_orders_are_the_rule_s_with_equals_put_together(rules: Ruleset, modifiers: tuple[int, ...]) -> None:
    """Orders that look the same are one line: its chance must be that of all the orders behind it."""
    explorer = InitiativeExplorer(modifiers=", ".join(map(str, modifiers)), rules=rules)
    numbers = explorer.numbers(explorer.values)
    for shown, chance in numbers.orders:
        behind = [
            one
            for order, one in order_chances(modifiers, rules=rules).items()
            if tuple(modifiers[place] for place in order) == shown
        ]
        assert chance == sum(behind)
    chances = [chance for _order, chance in numbers.orders]
    assert sum(chances) == 1
    assert chances == sorted(chances, reverse=True)
    assert numbers.dice == expected_dice(modifiers, rules=rules)
    explorer.close()


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        (
            {"modifiers": "2, 1"},
            "A with +3 acts before B with +1 with 59.9 %: of 400 pairs of faces 229 are A's, 153 B's and 18 tied. "
            "A tie is rolled again, 0.0471 times on average. Under SRD35: 61.8 %. "
            "The likeliest order of the party is +2, +1 with 55.1 %; it takes 2.1 dice on average.",
        ),
        (
            {"first": 0, "second": 3, "rules": SRD35, "modifiers": "1, 1, −1"},
            "A with +0 acts before B with +3 with 34 %: of 400 pairs of faces 136 are A's, 247 B's and 17 tied. "
            "A tie goes to B, whose modifier is higher. Under COURSE: 35.5 %. "
            "The likeliest order of the party is +1, +1, −1 with 45.8 %; it takes 3.11 dice on average.",
        ),
        (
            {"first": 15, "second": -5, "modifiers": "0,0"},
            "A with +15 acts before B with −5 with 100 %: of 400 pairs of faces 400 are A's, 0 B's and 0 tied. "
            "They can never tie. The likeliest order of the party is +0, +0 with 100 %; it takes 2.11 dice on average.",
        ),
        (
            {"first": 11, "second": -5, "modifiers": "0,0"},
            "A with +11 acts before B with −5 with 98.5 %: of 400 pairs of faces 390 are A's, 6 B's and 4 tied. "
            "A tie is rolled again, 0.0101 times on average. "
            "The likeliest order of the party is +0, +0 with 100 %; it takes 2.11 dice on average.",
        ),
    ],
)
def test_the_sentence_says_it(settings: dict[str, Any], sentence: str) -> None:
    """The sentence is what is read aloud: these are read by a person, word by word."""
    assert InitiativeExplorer(**settings).summary == sentence


def test_the_table_counts_pairs_and_ends_without_ties(explorer: InitiativeExplorer) -> None:
    """400 pairs in one roll, and in the end somebody is first."""
    rows = explorer.table()
    assert sum(row["pairs of faces"] for row in rows) == 400
    assert sum(row["one roll"] for row in rows) == sum(row["in the end"] for row in rows) == 1
    assert rows[0]["in the end"] == explorer.question(explorer.numbers(explorer.values))[1]


def test_the_detail_lists_the_orders_and_says_how_many_are_left_out() -> None:
    """Of six combatants there are 720 orders: nobody reads them all, and nobody may think that there are no more."""
    explorer = InitiativeExplorer(modifiers="5, 4, 3, 2, 1")
    orders, rolls = explorer.detail(explorer.numbers(explorer.values))
    assert len(orders.rows) == 25
    assert orders.rows[-1][0] == "96 others"
    assert [row[0] for row in rolls.rows] == [str(n) for n in (1, 2, 3) for _result in range(3)]
    explorer.close()


@pytest.mark.parametrize(
    "text", ["", "3", "3;1", "3, x", "1,2,3,4,5,6,7", "21, 0", "1.5, 2", "٣, ١", "3,,1", "9" * 150, HOSTILE]
)
def test_bad_modifiers_get_a_sentence_and_keep_the_last_good_picture(text: str) -> None:
    """Somebody who is in the middle of typing must not lose what there is."""
    explorer = InitiativeExplorer()
    before = explorer.state, explorer.chart.figure, explorer.chart.frames
    box, error = explorer._fields["modifiers"].parts
    box.value = text or " "
    assert re.search("write them with commas", error.value)
    assert (explorer.state, explorer.chart.figure, explorer.chart.frames) == before
    everything = [explorer.chart.figure, explorer.chart.frames, explorer.sentence_line.frames]
    assert HOSTILE not in json.dumps(everything)
    assert HOSTILE not in explorer._repr_mimebundle_()["text/html"]
    explorer.close()


def test_modifiers_may_be_written_as_the_kit_writes_them() -> None:
    """What the picture shows can be pasted back, plus and true minus signs included."""
    assert read_modifiers("+3, 0,−1") == (3, 0, -1)


def test_words_at_the_mark_stay_on_the_axis(explorer: InitiativeExplorer) -> None:
    """At the lowest modifier there is no room to the left, and at a small chance none below."""
    assert explorer.chart.at(-5)["data"][NOW]["textposition"].endswith("right")
    for first in MODIFIERS:
        mark = explorer.chart.at(first)["data"][NOW]
        assert mark["y"][0] >= 20 or mark["textposition"].startswith("top")
