"""The attack explorer says for every position what the rules say."""

import re
from fractions import Fraction
from xml.etree import ElementTree

import pytest

from d20kit import COURSE, SRD35
from d20kit.armor_class import armor_class
from d20kit.attack import Outcome, hit_chance, outcome_chances, resolve
from d20widgets import AttackExplorer

SETTINGS = [
    {},
    {"bonus": -5},
    {"bonus": 25, "rules": SRD35},
    {"bonus": 3, "threat": 17, "rules": SRD35},
    {"flat_footed": True, "dexterity": 4},
    {"flat_footed": True, "dexterity": -3},
    {"touch": True, "armor": 9},
    {"touch": True, "flat_footed": True, "rules": SRD35},
]


@pytest.fixture(params=SETTINGS, ids=str)
def explorer(request):
    """An attack explorer with some settings."""
    made = AttackExplorer(**request.param)
    yield made
    made.close()


def in_force(values, ac):
    """The armor class by the rule itself, from parts that add up to what the slider says."""
    parts = {"armor": values["armor"], "dexterity": values["dexterity"]}
    other = ac - 10 - sum(parts.values())
    return armor_class(**parts, other=other, touch=values["touch"], flat_footed=values["flat_footed"])


def test_every_frame_is_what_the_rules_say(explorer):
    """The page looks up and never computes: each of its frames must be a direct call of the rules."""
    values = explorer.values
    for ac in range(5, 46):
        target = in_force(values, ac)
        misses, hits, criticals, point = explorer.chart.at(ac)["data"][1:5]
        for trace, outcome in ((misses, Outcome.MISS), (hits, Outcome.HIT), (criticals, Outcome.CRITICAL)):
            faces = [
                face
                for face in range(1, 21)
                if resolve(face, values["bonus"], target, confirm=20, threat=values["threat"], rules=values["rules"])
                is outcome
            ]
            assert trace["x"] == (faces or [None])
        assert point["x"] == [max(target, 0)]
        assert point["y"] == [float(100 * hit_chance(values["bonus"], target))]


def test_the_curve_goes_through_every_point(explorer):
    """The marked point must lie on the curve, save where the armor class has left the axis."""
    curve = explorer.chart.figure["data"][0]
    known = dict(zip(curve["x"], curve["y"], strict=True))
    for ac in range(5, 46):
        if in_force(explorer.values, ac) >= 0:
            (x,), (y,) = (explorer.chart.at(ac)["data"][4][axis] for axis in "xy")
            assert known[x] == y


def test_the_axis_stays_and_the_mark_moves():
    """A touch attack on a flat-footed target changes one number: the curve must stand still while the mark jumps."""
    explorer = AttackExplorer(ac=18, armor=5, dexterity=2)
    before = explorer.chart.figure
    assert explorer.chart.at(18)["data"][4]["text"] == ["50 %"]
    explorer.move(touch=True, flat_footed=True)
    assert explorer.chart.figure == before
    assert explorer.chart.at(18)["data"][4]["text"] == ["85 %<br>AC against this attack: 11"]
    assert min(explorer.chart.figure["data"][0]["x"]) == 0


def test_a_longsword_threatens_where_the_rules_confirm():
    """A lesson that computes a threat range of 19-20 must find the same chance in the explorer."""
    explorer = AttackExplorer(bonus=6, ac=15, threat=19, rules=SRD35)
    assert explorer.table()[2] == {"outcome": Outcome.CRITICAL, "faces": "19-20", "chance": Fraction(6, 100)}
    explorer.move(rules=COURSE)
    assert explorer.table()[2]["faces"] == "20"


def test_a_state_from_before_the_threat_range_is_taken():
    """Somebody's saved exercise must open after the kit has grown: what it did not know starts as it always was."""
    now = AttackExplorer(bonus=3, rules=SRD35).state
    old = {**now, "version": 1, "values": {name: one for name, one in now["values"].items() if name != "threat"}}
    assert AttackExplorer.from_state(old).state == now
    with pytest.raises(ValueError, match="threat"):
        AttackExplorer.from_state({**old, "version": 2})


def test_the_formula_has_the_rule_s_shape_and_numbers(explorer):
    """The formula is set by hand: evaluated as it is written it must give the rule's chance, its ends included."""
    for ac in range(5, 46):
        target, bonus = in_force(explorer.values, ac), explorer.values["bonus"]
        tree = ElementTree.fromstring(explorer.formula_line.frames[ac - 5])
        held, shown = [node for node in tree.iter() if node.tag.endswith("mfrac")]
        written = "".join(held[0].itertext()).replace("−", "-")
        assert re.findall(r"\d+", written) == ["19", "1", "21", str(abs(bonus)), str(abs(target))]
        value = eval(written, {"min": min, "max": max})
        assert value == int("".join(shown[0].itertext()))
        assert Fraction(value, 20) == hit_chance(bonus, target)


def test_the_table_has_the_exact_chances(explorer):
    """The table is for reading numbers off: they are fractions, and the three add up to one."""
    values = explorer.values
    chances = outcome_chances(
        values["bonus"], in_force(values, values["ac"]), threat=values["threat"], rules=values["rules"]
    )
    assert tuple(row["chance"] for row in explorer.table()) == chances
    assert sum(chances) == 1


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        (
            {"bonus": 7, "ac": 18},
            "Attack bonus +7 against AC 18: 11 or more on the die hits, 10 faces of 20: 50 %. "
            "Natural 20 is a critical.",
        ),
        (
            {"bonus": -2, "ac": 30},
            "Attack bonus −2 against AC 30: only a 20 on the die hits, 1 face of 20: 5 %. Natural 20 is a critical.",
        ),
        (
            {"bonus": 7, "ac": 18, "rules": SRD35},
            "Attack bonus +7 against AC 18: 11 or more on the die hits, 10 faces of 20: 50 %. "
            "Threat 20: a critical if a second roll hits too: 2.5 %.",
        ),
        (
            {"bonus": 7, "ac": 18, "threat": 19, "rules": SRD35},
            "Attack bonus +7 against AC 18: 11 or more on the die hits, 10 faces of 20: 50 %. "
            "Threat 19-20: a critical if a second roll hits too: 5 %.",
        ),
        (
            {"bonus": 5, "ac": 25, "threat": 19, "rules": SRD35},
            "Attack bonus +5 against AC 25: only a 20 on the die hits, 1 face of 20: 5 %. "
            "Threat 19-20, of which 20 hits: a critical if a second roll hits too: 0.3 %.",
        ),
        (
            {"bonus": 7, "ac": 18, "threat": 19},
            "Attack bonus +7 against AC 18: 11 or more on the die hits, 10 faces of 20: 50 %. "
            "Natural 20 is a critical; threat 19-20 counts only under SRD35.",
        ),
        (
            {"bonus": 7, "ac": 5, "armor": 5, "dexterity": 2, "touch": True},
            "AC 5 = 10 + 5 armor + 2 Dexterity − 12 other. A touch attack passes by the armor. "
            "Attack bonus +7 against AC 0: 2 or more on the die hits, 19 faces of 20: 95 %. Natural 20 is a critical.",
        ),
        (
            {"bonus": 7, "ac": 18, "armor": 5, "dexterity": 2, "flat_footed": True},
            "AC 18 = 10 + 5 armor + 2 Dexterity + 1 other. Flat-footed, the Dexterity bonus is lost. "
            "Attack bonus +7 against AC 16: 9 or more on the die hits, 12 faces of 20: 60 %. Natural 20 is a critical.",
        ),
        (
            {"bonus": 7, "ac": 12, "armor": 5, "dexterity": -2, "flat_footed": True, "touch": True},
            "AC 12 = 10 + 5 armor − 2 Dexterity − 1 other. A touch attack passes by the armor. "
            "Flat-footed, the Dexterity penalty stays. "
            "Attack bonus +7 against AC 7: 2 or more on the die hits, 19 faces of 20: 95 %. Natural 20 is a critical.",
        ),
    ],
)
def test_the_sentence_says_it(settings, sentence):
    """The sentence is what is read aloud: these are read by a person, word by word."""
    assert AttackExplorer(**settings).summary == sentence


def test_rules_may_be_given_by_name():
    """A saved state has only the name."""
    assert AttackExplorer(rules="SRD35").values["rules"] is SRD35
    assert AttackExplorer(rules=COURSE).state["values"]["rules"] == "COURSE"


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        ({"ac": 99}, "ac is 99"),
        ({"bonus": True}, "bonus is True"),
        ({"touch": 1}, "touch is 1"),
        ({"rules": None}, "COURSE"),
    ],
)
def test_what_has_no_meaning_is_refused(wrong, complaint):
    """A wrong argument is named, with what is allowed."""
    with pytest.raises(ValueError, match=complaint):
        AttackExplorer(**wrong)
