"""The save explorer says for every position what the rules say."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any
from xml.etree import ElementTree

import pytest

from d20kit import COURSE, SRD35
from d20kit.abilities import ability_modifier
from d20kit.saves import base_save, save_bonus, save_chance, save_succeeds
from d20widgets import SaveExplorer
from d20widgets.saves_picture import DCS, FAILS, NATURALS, NOW, ROWS, SAVES
from tests.widgets.every import each_of

SETTINGS = [
    {},
    {"rules": SRD35, "save": "will", "progression": "poor"},
    {"score": 15, "loss": 8, "other": -5, "level": 1, "progression": "poor"},
    {"score": 30, "level": 20, "other": 10, "rules": SRD35, "loss": 1},
    {"score": 9, "loss": 9, "save": "reflex"},
    {"dc": 30, "rules": COURSE.replace(save_naturals=True)},
    {"rules": SRD35.replace(save_naturals=False)},
]
RULES = {"COURSE": COURSE, "SRD35": SRD35}
NAMES = {"Fraction": Fraction, "min": min, "max": max}
# What a trace without points has, so that it keeps its place in the legend.
ALONE: list[Any] = [None]


explorer = each_of(SaveExplorer, SETTINGS)


def written(node: ElementTree.Element) -> str:
    """A formula as Python writes it, fractions exact."""
    inner = [written(child) for child in node]
    if node.tag.endswith("mfrac"):
        return f"Fraction({inner[0]}, {inner[1]})"
    signs = str.maketrans({"−": "-", "⌊": "(", "⌋": ")//1"})
    return ((node.text or "") + "".join(inner)).translate(signs)


def bonus_of(values: Mapping[str, Any], loss: int) -> int:
    """The save bonus by the rules themselves."""
    base = base_save(values["level"], values["progression"])
    return int(save_bonus(base, ability_modifier(values["score"] - loss), values["other"]))


def test_every_frame_is_what_the_rules_say(explorer: SaveExplorer) -> None:
    """The page looks up and never computes: each face under each rule set must be a direct call of the rules."""
    values = explorer.values
    bonus = bonus_of(values, values["loss"])
    for dc in range(5, 41):
        data = explorer.chart.at(dc)["data"]
        for name, rules in RULES.items():
            saving = [face for face in range(1, 21) if save_succeeds(face, bonus, dc, rules=rules)]
            assert data[SAVES[name]]["x"] == (saving or ALONE)
            assert data[FAILS[name]]["x"] == ([face for face in range(1, 21) if face not in saving] or ALONE)
        assert data[NOW]["x"] == [dc]
        assert data[NOW]["y"] == [float(100 * save_chance(bonus, dc, rules=values["rules"]))]


def test_a_ring_is_where_the_face_and_the_total_disagree(explorer: SaveExplorer) -> None:
    """A ring around a 20 that saves by its total anyway would teach that the natural 20 was needed."""
    bonus = bonus_of(explorer.values, explorer.values["loss"])
    for dc in range(5, 41):
        data = explorer.chart.at(dc)["data"]
        rings = [(face, row) for face, row in zip(data[NATURALS]["x"], data[NATURALS]["y"], strict=True) if face]
        wanted = [face for face in (1, 20) if (face + bonus >= dc) != (face == 20)]
        assert [face for face, _row in rings] == wanted
        assert all(ROWS["SRD35"] < row < ROWS["SRD35"] + 1 for _face, row in rings)


def test_the_curves_are_those_of_both_rule_sets_and_of_before(explorer: SaveExplorer) -> None:
    """Where the two rule sets differ is only seen if both curves are right, the one before the damage included."""
    values = explorer.values
    bonus, before = bonus_of(values, values["loss"]), bonus_of(values, 0)
    course, srd, whole = explorer.chart.figure["data"][:3]
    for curve, one, rules in ((course, bonus, COURSE), (srd, bonus, SRD35), (whole, before, values["rules"])):
        assert curve["y"] == [float(100 * save_chance(one, dc, rules=rules)) for dc in DCS]
    assert whole["visible"] == (bonus != before)
    assert course["line"]["dash"] != srd["line"]["dash"]


def test_the_pieces_of_the_bonus_add_up(explorer: SaveExplorer) -> None:
    """The mark on the bonus must stand where its pieces end."""
    data = explorer.chart.figure["data"]
    bars, total = data[3:6], data[8]
    signed = [int(bar["text"][0].replace("−", "-") or 0) for bar in bars]
    assert [sum(signed)] == total["x"] == [bonus_of(explorer.values, explorer.values["loss"])]
    low, high = explorer.chart.figure["layout"]["xaxis2"]["range"]
    for bar in (*bars, data[6]):
        if bar["x"] != [None]:
            assert low <= bar["base"][0] <= bar["base"][0] + bar["x"][0] <= high


def test_the_formula_has_the_rule_s_shape_and_numbers(explorer: SaveExplorer) -> None:
    """The formula is set by hand: evaluated as it is written it must give bonus and chance, their ends included."""
    values = explorer.values
    bonus = bonus_of(values, values["loss"])
    for dc in range(5, 41):
        tree = ElementTree.fromstring(explorer.formula_line.frames[dc - 5])
        summed, chance = (written(line) for line in tree.iter() if line.tag.endswith("mtr"))
        _name, parts, total = summed.split("=")
        assert eval(parts, NAMES) == int(total) == bonus
        _name, held, counted, _percent = chance.split("=")
        assert eval(held, NAMES) == eval(counted, NAMES) == save_chance(bonus, dc, rules=values["rules"])


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        (
            {},
            "Fortitude +6 = 4 base + 2 Constitution + 0 other. "
            "Against DC 15: 9 or more on the die saves, 12 faces of 20: 60 %.",
        ),
        (
            {"dc": 40, "save": "will"},
            "Will +6 = 4 base + 2 Wisdom + 0 other. Against DC 40: no face of the die saves: 0 %. "
            "Under SRD35 a natural 20 always saves: 5 %.",
        ),
        (
            {"dc": 5, "level": 12, "save": "reflex"},
            "Reflex +10 = 8 base + 2 Dexterity + 0 other. Against DC 5: every face of the die saves: 100 %. "
            "Under SRD35 a natural 1 always fails: 95 %.",
        ),
        (
            {"dc": 40, "rules": SRD35},
            "Fortitude +6 = 4 base + 2 Constitution + 0 other. "
            "Against DC 40: only a 20 on the die saves, 1 face of 20: 5 %. Under COURSE no face is special: 0 %.",
        ),
        (
            {"loss": 5, "progression": "poor", "other": -1},
            "Fortitude −1 = 1 base − 1 Constitution − 1 other. "
            "Against DC 15: 16 or more on the die saves, 5 faces of 20: 25 %. "
            "Constitution 14 fell to 9, the modifier from +2 to −1; before that it was 40 %.",
        ),
        (
            {"score": 15, "loss": 1},
            "Fortitude +6 = 4 base + 2 Constitution + 0 other. "
            "Against DC 15: 9 or more on the die saves, 12 faces of 20: 60 %. "
            "Constitution 15 fell to 14: the modifier is the same.",
        ),
    ],
)
def test_the_sentence_says_it(settings: dict[str, Any], sentence: str) -> None:
    """The sentence is what is read aloud: these are read by a person, word by word."""
    assert SaveExplorer(**settings).summary == sentence


def test_the_table_starts_with_the_rules_in_use_and_its_chances_add_up(explorer: SaveExplorer) -> None:
    """A table that begins with the other rules would be read wrongly."""
    rows = explorer.table()
    assert RULES[rows[0]["rules"]].save_naturals == explorer.values["rules"].save_naturals
    for saves, fails in (rows[:2], rows[2:]):
        assert saves["rules"] == fails["rules"]
        assert saves["chance"] + fails["chance"] == 1


def test_the_question_s_answer_is_the_chance_in_use(explorer: SaveExplorer) -> None:
    """What is asked must be what the mark shows."""
    numbers = explorer.numbers(explorer.values)
    assert explorer.question(numbers)[1] == explorer.table()[0]["chance"]


def test_the_detail_has_both_progressions_by_the_rule(explorer: SaveExplorer) -> None:
    """The table is what is printed in a rule book: every level from the rule."""
    (table,) = explorer.detail(explorer.numbers(explorer.values))
    assert [row[0] for row in table.rows] == [str(level) for level in range(1, 21)]
    for level, row in enumerate(table.rows, start=1):
        assert row[1:] == [f"+{base_save(level, 'good')}", f"+{base_save(level, 'poor')}"]


def test_nobody_loses_more_points_than_there_are() -> None:
    """A lower score takes the damage with it, so that no state says that more was lost than there was."""
    explorer = SaveExplorer(score=14, loss=12)
    explorer.move(score=6)
    assert explorer.values["loss"] == 6
    with pytest.raises(ValueError, match="loss is 7"):
        explorer.move(loss=7)


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        ({"save": "fort"}, "save is 'fort'"),
        ({"progression": "average"}, "progression is 'average'"),
        ({"dc": 4}, "dc is 4"),
        ({"rules": "HOUSE"}, "'COURSE', 'SRD35'"),
        ({"loss": 99}, "loss is 99"),
    ],
)
def test_what_has_no_meaning_is_refused(wrong: dict[str, Any], complaint: str) -> None:
    """A wrong argument is named, with what is allowed."""
    with pytest.raises(ValueError, match=complaint):
        SaveExplorer(**wrong)


def test_words_at_the_mark_stay_on_the_axis(explorer: SaveExplorer) -> None:
    """At the last difficulty class there is no room to the right, and at a chance of nothing none below."""
    last = explorer.chart.at(40)["data"][NOW]
    assert last["textposition"].endswith("left")
    for dc in range(5, 41):
        mark = explorer.chart.at(dc)["data"][NOW]
        assert mark["y"][0] >= 20 or mark["textposition"].startswith("top")
