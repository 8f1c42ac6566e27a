"""The hit point explorer says for every position what the rules say."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest

from d20kit import COURSE, SRD35, Ruleset
from d20kit.amounts import number_text, short_percent_text
from d20kit.damage import attack_damage
from d20kit.hit_points import State, rounds_to_death, stabilise_chance, state, state_chances
from d20widgets import HitPointExplorer
from tests.widgets.every import detail_of, each_of

SETTINGS = [
    {},
    {"constitution": -2},
    {"constitution": 10, "maximum": 1},
    {"rules": SRD35, "damage": "1d4"},
    {"maximum": 40, "bonus": 20, "damage": "4d6kh3", "rounds": 9},
    {"blow": 6, "healing": 3, "stabilising": "tenth"},
    {"blow": 3, "healing": 40, "lost": 5, "hit_dice": 3, "maximum": 25, "rules": SRD35, "stabilising": "never"},
    {"rules": COURSE.replace(disabled_band="zero", stabilise_chance=Fraction(1, 10)), "damage": "1d6"},
]
HOSTILE = "<img src=x onerror=window.hit=1>"


explorer = each_of(HitPointExplorer, SETTINGS)


def shown_states(explorer: HitPointExplorer) -> list[Any]:
    """The states that have a stack in the picture, in its order."""
    return list(explorer.numbers(explorer.values).chances[0])


def by_hand(values: Mapping[str, Any]) -> tuple[int, int, int, Ruleset]:
    """Hit points, maximum, Constitution modifier and rules in force, worked out here in another way."""
    score = max(1, 10 + 2 * values["constitution"])
    modifier = (max(0, score - values["lost"]) - 10) // 2
    steps, wounds, maximum = values["constitution"] - modifier, values["maximum"] - values["hp"], values["maximum"]
    if values["rules"] is SRD35 and steps:
        maximum = min(maximum, max(maximum - steps * values["hit_dice"], values["hit_dice"]))
    hp = maximum - wounds - values["blow"]
    if hp > -10:
        hp = min(hp + values["healing"], maximum)
    chance = {"rules": values["rules"].stabilise_chance, "tenth": Fraction(1, 10), "never": Fraction(0)}
    return hp, maximum, modifier, values["rules"].replace(stabilise_chance=chance[values["stabilising"]])


def every_position(explorer: HitPointExplorer) -> list[dict[str, Any]]:
    """All values for each position of the main slider."""
    return [{**explorer.values, "hp": hp} for hp in range(-10, explorer.values["maximum"] + 1)]


def test_every_frame_is_what_the_rules_say(explorer: HitPointExplorer) -> None:
    """The page looks up and never computes: each of its frames must be a direct call of the rules."""
    shown = shown_states(explorer)
    for values in every_position(explorer):
        hp, _maximum, constitution, rules = by_hand(values)
        damage = attack_damage(values["bonus"], values["ac"], values["damage"], rules=values["rules"])
        ahead = state_chances(hp, constitution, damage, values["rounds"], rules=rules)
        data = explorer.chart.at(values["hp"])["data"]
        assert (data[-1]["x"], data[-1]["text"]) == ([max(hp, -10)], [number_text(hp)])
        for i, one in enumerate(shown, start=len(shown)):
            assert data[i]["y"] == pytest.approx([float(100 * chances[one]) for chances in ahead], abs=6e-3)


def test_every_bar_is_full(explorer: HitPointExplorer) -> None:
    """The shown states are all there are: their chances add up to one in every round."""
    for row in explorer.table():
        assert sum(chance for name, chance in row.items() if name != "round") == 1


def test_the_line_is_coloured_by_the_state_rule(explorer: HitPointExplorer) -> None:
    """Each whole number on the line must lie in the stretch of its own state, and in no other."""
    _hp, maximum, constitution, rules = by_hand(explorer.values)
    bands = explorer.chart.figure["data"][: len(shown_states(explorer))]
    for hp in range(-10, maximum + 1):
        inside = [
            band["name"] for band in bands if band["x"] != [None] and abs(hp - band["x"][0]) < band["width"][0] / 2
        ]
        assert inside == [state(hp, constitution, rules=rules).value]


def test_the_formula_s_comparison_holds_and_names_the_state(explorer: HitPointExplorer) -> None:
    """The formula is set by hand: read as a comparison it must be true at every position."""
    for values in every_position(explorer):
        hp, _maximum, constitution, rules = by_hand(values)
        markup = explorer.formula_line.frames[values["hp"] + 10]
        text = "".join(part.partition(">")[2] for part in markup.split("<")).replace("&gt;", ">").replace("&lt;", "<")
        comparison, name = text.split("⟹")
        comparison = comparison.replace("−", "-").replace("≤", "<=")
        comparison = comparison.replace("<=", "≤").replace("=", "==").replace("≤", "<=")
        assert eval(comparison, {"min": min, "max": max})
        assert name == state(hp, constitution, rules=rules).value


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        (
            {"maximum": 12, "hp": 7, "rounds": 3},
            "7 of 12 hit points: healthy. One attack a round hits with 50 %. "
            "After 3 rounds: healthy 25.2 %, disabled 14.5 %, dying 23.9 %, dead 36.4 %. "
            "On average 2.7 rounds bring it to 0 or less.",
        ),
        (
            {"maximum": 12, "hp": -9, "rounds": 1, "constitution": 0},
            "−9 of 12 hit points: dying, 1 round to death. One attack a round hits with 50 %. "
            "After 1 round: healthy 0 %, disabled 0 %, dying 0 %, dead 100 %.",
        ),
        (
            {"maximum": 12, "hp": -3, "rounds": 1, "damage": "5d10", "rules": SRD35},
            "−3 of 12 hit points: dying, at most 7 rounds to death. One attack a round hits with 50 %. After 1 round: "
            "healthy 0 %, disabled 0 %, dying 45.0 %, stable 5.0 %, dead 50.0 %. "
            "The saving throw against 50 or more damage at once is left out.",
        ),
        (
            {"maximum": 46, "bonus": -5, "ac": 45, "rounds": 1, "damage": "4d6"},
            "46 of 46 hit points: healthy. One attack a round hits with 5 %. "
            "After 1 round: healthy over 99.9 %, disabled under 0.1 %, dying 0 %, dead 0 %. "
            "On average 42.5 rounds bring it to 0 or less.",
        ),
        (
            {"maximum": 12, "hp": 5, "rounds": 1, "blow": 9, "healing": 2},
            "5 hit points, minus 9 damage, plus 2 healing. −2 of 12 hit points: disabled. One attack a round hits with "
            "50 %. After 1 round: healthy 0 %, disabled 50 %, dying 16.9 %, dead 33.1 %.",
        ),
        (
            {"maximum": 12, "hp": 5, "rounds": 1, "blow": 30, "healing": 2},
            "5 hit points, minus 30 damage. The dead are not healed. −25 of 12 hit points: dead. One attack a round "
            "hits with 50 %. After 1 round: healthy 0 %, disabled 0 %, dying 0 %, dead 100 %.",
        ),
        (
            {"maximum": 12, "hp": 5, "rounds": 1, "lost": 3, "hit_dice": 2, "rules": SRD35},
            "Constitution 14 loses 3: modifier +0 instead of +2. That takes 4 hit points: 1 of 8 are left. "
            "1 of 8 hit points: healthy. One attack a round hits with 50 %. After 1 round: healthy 50 %, disabled 0 %, "
            "dying 32.2 %, stable 4.2 %, dead 13.7 %. On average 2.0 rounds bring it to 0 or less.",
        ),
    ],
)
def test_the_sentence_says_it(settings: dict[str, Any], sentence: str) -> None:
    """The sentence is what is read aloud: these are read by a person, word by word."""
    assert HitPointExplorer(**settings).summary == sentence


@pytest.mark.parametrize("lost", [1, 4])
def test_a_modifier_that_stays_is_said_to_stay(lost: int) -> None:
    """Constitution 1 has the lowest modifier there is: 'from -5 to -5' would read as a slip."""
    explorer = HitPointExplorer(constitution=-5, lost=lost)
    said = f"Constitution 1 loses {lost}: the modifier is the same. "
    assert explorer.summary.startswith(said)
    assert explorer.frame(explorer.numbers(explorer.values))["label"].startswith(said)
    explorer.close()


def test_only_a_dying_combatant_has_rounds_left(explorer: HitPointExplorer) -> None:
    """The countdown belongs to bleeding; in another state the words would frighten for nothing."""
    for values in every_position(explorer):
        hp, _maximum, constitution, rules = by_hand(values)
        left = rounds_to_death(hp, constitution, rules=rules)
        assert ("to death" in explorer.sentence_line.frames[values["hp"] + 10]) == (left is not None)
        counted = explorer.chart.at(values["hp"])["data"][2 * len(shown_states(explorer))]
        if left is None:
            assert counted["x"] == [None]
        else:
            assert (counted["x"][0], counted["text"][0]) == (-10, str(left))
            assert all(hp - int(n) == x for x, n in zip(counted["x"], counted["text"], strict=True))


@pytest.mark.parametrize("rules", [COURSE, SRD35])
def test_the_expected_rounds_are_those_of_the_attacks(rules: Ruleset) -> None:
    """The chain is solved backwards; summing the chances to be still alive, round by round, is another road."""
    explorer = HitPointExplorer(maximum=6, hp=4, ac=10, rules=rules)
    damage = attack_damage(4, 10, "1d8+3", rules=rules)
    chances = state_chances(4, 2, damage, 120, rules=rules.replace(massive_damage=False))
    alive = sum(float(1 - after[State.DEAD]) for after in chances)
    up = sum(float(after[State.HEALTHY]) for after in chances)
    expected = explorer.detail(explorer.numbers(explorer.values))[0].rows
    assert [row[1] for row in expected] == [f"{up:.1f}", f"{alive:.1f}"]


def test_the_matrix_on_demand_is_the_chain_s_and_small_ones_are_shown_whole() -> None:
    """A learner reads the table, an instructor computes with it: both must be the same matrix."""
    explorer = HitPointExplorer(maximum=3)
    matrix = explorer.matrix()
    *_others, row, whole = explorer.detail(explorer.numbers(explorer.values))
    assert matrix.shape == (14, 14)
    assert len(whole.rows) == 14
    assert whole.rows[0][1] == "50"
    assert len(row.rows) == sum(matrix[0, j] != 0 for j in range(14))
    large = HitPointExplorer(maximum=60)
    assert max(len(table.head) for table in large.detail(large.numbers(large.values))) == 2


def test_left_alone_the_dying_stabilise_as_the_rule_says() -> None:
    """The end of bleeding is also a rule of its own: chain and rule must agree."""
    explorer = HitPointExplorer(hp=-3, rules=SRD35)
    alone = explorer.detail(explorer.numbers(explorer.values))[1]
    assert alone.rows[1][1] == short_percent_text(stabilise_chance(-3))
    explorer.move(stabilising="never")
    assert explorer.detail(explorer.numbers(explorer.values))[1].rows[1][1] == "0 %"


def test_the_matrix_costs_nothing_before_it_is_asked_for() -> None:
    """It needs a large library and thousands of entries: whoever only drags must not wait for them."""
    explorer = HitPointExplorer()
    assert detail_of(explorer).tables == []
    detail_of(explorer).opened = True
    assert len(detail_of(explorer).frames) == 23
    assert len(json.dumps(detail_of(explorer).tables)) < 200_000


@pytest.mark.parametrize("version", [1, 2])
def test_states_from_before_the_blow_still_load(version: int) -> None:
    """States are shared as text and kept: what was saved by an earlier kit must open unchanged."""
    old = {
        "maximum": 12,
        "hp": 7,
        "constitution": 1,
        "bonus": 4,
        "ac": 15,
        "rounds": 3,
        "damage": "1d8",
        "rules": "SRD35",
    }
    explorer = HitPointExplorer.from_state({"explorer": "HitPointExplorer", "version": version, "values": old})
    assert {name: explorer.state["values"][name] for name in old} == old
    assert (explorer.values["blow"], explorer.values["healing"], explorer.values["stabilising"]) == (0, 0, "rules")


def test_damage_and_healing_are_drawn_as_ways_along_the_line() -> None:
    """The mark alone would jump: its way shows what the blow took and what the healing gave back."""
    explorer = HitPointExplorer(hp=9, blow=12, healing=5)
    damage, healing, mark = explorer.chart.at(9)["data"][-3:]
    assert (damage["x"], healing["x"], mark["x"]) == ([9, -3], [-3, 2], [2])
    explorer.move(blow=0, healing=0)
    assert [trace["x"] for trace in explorer.chart.at(9)["data"][-3:-1]] == [[None, None], [None, None]]


def test_a_stable_stack_only_where_somebody_can_come_to_it() -> None:
    """A colour in the legend that can never be seen would raise a question the lesson does not answer."""
    assert State.STABLE not in shown_states(HitPointExplorer())
    assert State.STABLE in shown_states(HitPointExplorer(rules=SRD35))


def test_a_lower_maximum_takes_the_hit_points_with_it() -> None:
    """Nobody has more than the maximum; the slider, its box and the table must all know."""
    explorer = HitPointExplorer(maximum=30, hp=25)
    explorer._fields["maximum"].parts[0].value = 8
    assert explorer.values["hp"] == 8
    slider, box, _link = explorer._fields["hp"].parts
    assert (slider.value, slider.max, box.value, box.max) == (8, 8, 8, 8)
    assert len(explorer.chart.frames) == 19
    explorer._fields["maximum"].parts[0].value = 80
    assert (slider.value, slider.max, len(explorer.chart.frames)) == (8, 80, 91)


def test_without_hit_points_given_nobody_is_hurt() -> None:
    """A maximum alone means a combatant at full strength."""
    assert HitPointExplorer(maximum=40).values["hp"] == 40


@pytest.mark.parametrize("text", ["2d", "", "banana", "-5", "1d4-4", "1000000", HOSTILE, "999999d999999", "9" * 300])
def test_bad_dice_get_a_sentence_and_keep_the_last_good_picture(text: str) -> None:
    """Somebody who is in the middle of typing must not lose what there is."""
    explorer = HitPointExplorer(damage="1d6")
    before = explorer.state, explorer.chart.figure, explorer.chart.frames
    box, error = explorer._fields["damage"].parts
    box.value = text
    assert error.value
    assert (explorer.state, explorer.chart.figure, explorer.chart.frames) == before
    box.value = "2d6"
    assert error.value == ""
    assert explorer.values["damage"] == "2d6"
    assert explorer.chart.frames != before[2]


@pytest.mark.parametrize("text", ["banana", "-5"])
def test_bad_dice_are_answered_with_good_ones(text: str) -> None:
    """An example helps a learner more than the grammar does."""
    explorer = HitPointExplorer()
    box, error = explorer._fields["damage"].parts
    box.value = text
    assert "write dice like 2d4+4" in error.value
    assert "expected" not in error.value


def test_bars_sentence_and_table_count_the_same_thing() -> None:
    """Rounds in one place and attacks in another would leave open whether they are the same."""
    explorer = HitPointExplorer()
    layout = explorer.chart.figure["layout"]
    assert layout["xaxis2"]["title"]["text"] == "rounds"
    assert layout["annotations"][1]["text"].endswith("after each round")
    assert "After 5 rounds:" in explorer.summary
    assert next(iter(explorer.table()[0])) == "round"


def test_the_modifier_is_called_a_modifier() -> None:
    """Constitution 14 and its modifier +2 are two numbers, and only one of them fits on the slider."""
    assert HitPointExplorer()._fields["constitution"].parts[0].description == "Constitution modifier"


def test_text_from_users_reaches_no_markup() -> None:
    """A box is filled by anybody: tags in it may show as text, and nowhere as markup for plotly, MathML or HTML."""
    explorer = HitPointExplorer()
    explorer._fields["damage"].parts[0].value = HOSTILE
    everything = [
        explorer.chart.figure,
        explorer.chart.frames,
        explorer.formula_line.frames,
        explorer.sentence_line.frames,
    ]
    assert HOSTILE not in json.dumps(everything)
    assert HOSTILE not in explorer._repr_mimebundle_()["text/html"]
    with pytest.raises(ValueError, match="column"):
        HitPointExplorer(damage=HOSTILE)


def test_the_script_uses_no_html_from_strings() -> None:
    """Only textContent, attributes and XML: the three ways in which a name cannot become a script."""
    from d20widgets.follower import STATIC

    for script in ("follow", "chart", "sentence", "formula", "access"):
        source = (STATIC / f"{script}.js").read_text(encoding="utf-8")
        for way in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
            assert way not in source
