"""The attack explorer says for every position what the rules say.

Long because every setting of the explorer and every refusal is a line of a table here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any
from xml.etree import ElementTree

import pytest

from d20kit import COURSE, SRD35, Pmf, Ruleset
from d20kit.abilities import Size, size_modifier
from d20kit.armor_class import armor_class
from d20kit.attack import Outcome, hit_chance, melee_bonus, outcome_chances, range_penalty, ranged_bonus, resolve
from d20kit.damage import GRIPS, attack_damage, expected_damage, strength_damage
from d20widgets import AttackExplorer
from d20widgets.attack_picture import CURVE
from d20widgets.controls import OneOf
from d20widgets.damage import GRIPS as SHOWN_GRIPS
from tests.widgets.every import SEEDS, each_of, sent

# Its damage is that of neither reading; it is nearer to SRD35.
MIXED = SRD35.replace(critical_damage="multiply", strength_scaling="modifier")
RULES = {"COURSE": COURSE, "SRD35": SRD35}
SETTINGS = [
    {},
    {"bonus": -5},
    {"bonus": 25, "rules": SRD35},
    {"bonus": 3, "threat": 17, "rules": SRD35},
    {"flat_footed": True, "dexterity": 4},
    {"flat_footed": True, "dexterity": -3},
    {"touch": True, "armor": 9},
    {"touch": True, "flat_footed": True, "rules": SRD35},
    {"touch": True, "shield": 2, "natural": 3, "target_size": "huge", "deflection": 1},
    {"flat_footed": True, "dodge": 2, "dexterity": 1, "target_size": "tiny"},
    {"dice": "2d6", "grip": "two-handed", "multiplier": 3, "damage_bonus": 2, "strength": -1, "rules": SRD35},
    {"dice": "1d6", "grip": "composite-bow", "rating": 2, "distance": 95, "threat": 19, "rules": SRD35},
    {"dice": "2d4", "grip": "off-hand", "strength": -1, "threat": 19, "rules": MIXED},
]
# What a trace without points has, so that it keeps its place in the legend.
ALONE: list[Any] = [None]


explorer = each_of(AttackExplorer, SETTINGS)


def in_force(values: Mapping[str, Any], ac: int) -> int:
    """The armor class by the rule itself, from parts that add up to what the slider says."""
    parts = {name: values[name] for name in ("armor", "shield", "natural", "dexterity", "deflection", "dodge")}
    parts["size"] = size_modifier(values["target_size"])
    other = ac - 10 - sum(parts.values())
    return int(armor_class(**parts, other=other, touch=values["touch"], flat_footed=values["flat_footed"]))


def weapon(values: Mapping[str, Any], rules: Ruleset) -> tuple[tuple[str, int], dict[str, Any]]:
    """Dice, bonus and what else the rules of damage ask for."""
    grip, light, rating = values["grip"], values["light"], values["rating"]
    strength = strength_damage(values["strength"], grip, light=light, rating=rating, rules=rules)
    more = {"multiplier": values["multiplier"], "threat": values["threat"], "rules": rules}
    return (values["dice"], strength + values["damage_bonus"]), more


def test_every_frame_is_what_the_rules_say(explorer: AttackExplorer) -> None:
    """The page looks up and never computes: each of its frames must be a direct call of the rules."""
    values = explorer.values
    for ac in range(5, 46):
        target = in_force(values, ac)
        misses, hits, criticals, point, mean = explorer.chart.at(ac)["data"][3:8]
        for trace, outcome in ((misses, Outcome.MISS), (hits, Outcome.HIT), (criticals, Outcome.CRITICAL)):
            faces = [
                face
                for face in range(1, 21)
                if resolve(face, values["bonus"], target, confirm=20, threat=values["threat"], rules=values["rules"])
                is outcome
            ]
            assert trace["x"] == (faces or ALONE)
        assert point["x"] == [max(target, 0)]
        assert point["y"] == [float(100 * hit_chance(values["bonus"], target))]
        dice, more = weapon(values, values["rules"])
        expected = expected_damage(values["bonus"], target, *dice, **more)
        assert mean["x"] == point["x"]
        assert mean["y"] == [pytest.approx(float(expected), abs=0.001)]


def test_every_damage_is_what_the_rules_say(explorer: AttackExplorer) -> None:
    """Columns and dashes are one attack under the rules in force and under the others, whatever the weapon."""
    values = explorer.values
    order = (values["rules"], COURSE if values["rules"] == SRD35 else SRD35)
    for ac in range(5, 46, 8):
        data = explorer.chart.at(ac)["data"]
        for trace, rules in zip(data[8:10], order, strict=True):
            shown = dict(enumerate(trace["y"], start=trace["x0"]))
            for amount, chance in damage_of(values, ac, rules).items():
                if amount:
                    assert shown.pop(amount) == pytest.approx(float(100 * chance), abs=0.01)
            assert not any(shown.values())
        assert data[10]["text"][0].startswith("no damage: ")


def damage_of(values: Mapping[str, Any], ac: int, rules: Ruleset) -> Pmf:
    """The damage of one attack, called here by the rule itself."""
    dice, more = weapon(values, rules)
    return attack_damage(values["bonus"], in_force(values, ac), *dice, **more)


def test_all_rules_have_their_curve_of_damage(explorer: AttackExplorer) -> None:
    """COURSE beside SRD35 at a glance: each curve must be the exact mean at every armor class of the axis."""
    values, data = explorer.values, explorer.chart.figure["data"]
    own = {} if values["rules"] in RULES.values() else {"your own rules": values["rules"]}
    curves = [*data[1:3], *data[12:]]
    for trace, (name, rules) in zip(curves, {**RULES, **own}.items(), strict=True):
        dice, more = weapon(values, rules)
        expected = [float(expected_damage(values["bonus"], ac, *dice, **more)) for ac in CURVE]
        assert trace["name"] == name
        assert trace["y"] == pytest.approx(expected, abs=0.001)
    assert len({trace["line"]["dash"] for trace in curves}) == len(curves)


def test_the_curve_goes_through_every_point(explorer: AttackExplorer) -> None:
    """The marked point must lie on the curve, save where the armor class has left the axis."""
    curve = explorer.chart.figure["data"][0]
    known = dict(zip(curve["x"], curve["y"], strict=True))
    for ac in range(5, 46):
        if in_force(explorer.values, ac) >= 0:
            (x,), (y,) = (explorer.chart.at(ac)["data"][6][axis] for axis in "xy")
            assert known[x] == y


def test_the_axis_stays_and_the_mark_moves() -> None:
    """A touch attack on a flat-footed target changes one number: the curve must stand still while the mark jumps."""
    explorer = AttackExplorer(ac=18, armor=5, dexterity=2)
    before = explorer.chart.figure
    assert explorer.chart.at(18)["data"][6]["text"] == ["50 %"]
    explorer.move(touch=True, flat_footed=True)
    after = explorer.chart.figure
    assert after["data"][:3] == before["data"][:3]
    for axis in ("xaxis2", "yaxis2", "yaxis3"):
        assert after["layout"][axis] == before["layout"][axis]
    assert explorer.chart.at(18)["data"][6]["text"] == ["85 %<br>AC against this attack: 11"]
    assert min(explorer.chart.figure["data"][0]["x"]) == 0


def test_a_longsword_threatens_where_the_rules_confirm() -> None:
    """A lesson that computes a threat range of 19-20 must find the same chance in the explorer."""
    explorer = AttackExplorer(bonus=6, ac=15, threat=19, rules=SRD35)
    critical = explorer.table()[2]
    assert critical["outcome"] is Outcome.CRITICAL
    assert (critical["faces"], critical["chance"], critical["mean damage"]) == ("19-20", Fraction(6, 100), 15)
    explorer.move(rules=COURSE)
    assert explorer.table()[2]["faces"] == "20"


@pytest.mark.parametrize("version", [1, 2])
def test_a_state_from_before_is_taken(version: int) -> None:
    """Somebody's saved exercise must open after the kit has grown: what it did not know starts as it always was."""
    known: dict[int, dict[str, Any]] = {
        1: {"bonus": 3, "ac": 18, "armor": 5, "dexterity": 2, "flat_footed": False, "touch": True, "rules": "SRD35"},
        2: {"threat": 19},
    }
    values = known[1] if version == 1 else known[1] | known[2]
    old = {"explorer": "AttackExplorer", "version": version, "values": values}
    now = AttackExplorer(**values)
    assert AttackExplorer.from_state(old).state == now.state
    assert now.state["version"] == 3
    with pytest.raises(ValueError, match="a dict with bonus"):
        AttackExplorer.from_state({**old, "version": version + 1})


def test_the_formula_has_the_rule_s_shape_and_numbers(explorer: AttackExplorer) -> None:
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


def test_the_table_has_the_exact_chances(explorer: AttackExplorer) -> None:
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
def test_the_sentence_says_it(settings: dict[str, Any], sentence: str) -> None:
    """The sentence is what is read aloud: these are read by a person, word by word."""
    summary = AttackExplorer(**settings).summary
    assert summary.startswith(f"{sentence} One attack deals ")


def test_rules_may_be_given_by_name() -> None:
    """A saved state has only the name."""
    assert AttackExplorer(rules="SRD35").values["rules"] is SRD35
    assert AttackExplorer(rules=COURSE).state["values"]["rules"] == "COURSE"


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        ({"ac": 99}, "ac is 99"),
        ({"bonus": True}, "bonus is True"),
        ({"touch": 1}, "touch is 1"),
        ({"dice": "40d6"}, "dice is '40d6'"),
        ({"dice": "0"}, "dice is '0'"),
        ({"dice": "1d6+"}, "dice: cannot read"),
        ({"grip": "two handed"}, "did you mean 'two-handed'"),
        ({"attacker_size": "big"}, "attacker_size is 'big'"),
        ({"grip": "thrown", "increment": 10, "distance": 51}, "distance is 51"),
        ({"rules": None}, "COURSE"),
    ],
)
def test_what_has_no_meaning_is_refused(wrong: dict[str, Any], complaint: str) -> None:
    """A wrong argument is named, with what is allowed."""
    with pytest.raises(ValueError, match=complaint):
        AttackExplorer(**wrong)


def bonus_by_rule(values: Mapping[str, Any]) -> int:
    """The attack bonus that the parts make, by the rules themselves."""
    size = size_modifier(values["attacker_size"])
    if values["grip"] in ("one-handed", "off-hand", "two-handed"):
        return int(melee_bonus(values["base"], values["strength"], size))
    kind = "thrown" if values["grip"] == "thrown" else "projectile"
    penalty = range_penalty(values["distance"], values["increment"], kind)
    return int(ranged_bonus(values["base"], values["attacker_dexterity"], size, penalty))


def test_a_bonus_starts_as_the_sum_of_training_and_strength() -> None:
    """Who gives only the bonus finds it explained, and finds the same bonus."""
    values = AttackExplorer(bonus=6, ac=15, armor=3, dexterity=1, threat=19).values
    assert (values["bonus"], values["base"], values["strength"]) == (6, 3, 3)
    assert AttackExplorer(bonus=-5).values["base"] == 0


@pytest.mark.parametrize(
    "parts",
    [
        {"base": 8},
        {"strength": 5},
        {"attacker_size": "large"},
        {"grip": "bow"},
        {"grip": "thrown", "distance": 75},
        {"grip": "sling", "attacker_dexterity": 5, "increment": 50, "distance": 120},
    ],
    ids=str,
)
def test_a_bonus_moves_with_its_parts(parts: dict[str, Any]) -> None:
    """A learner builds the bonus: each part must move the total by what the rule says, range penalty included."""
    explorer = AttackExplorer()
    before = explorer.values["bonus"] - bonus_by_rule(explorer.values)
    explorer.move(**parts)
    assert explorer.values["bonus"] - bonus_by_rule(explorer.values) == before
    assert explorer.values["bonus"] != 7


@pytest.mark.parametrize(
    ("parts", "ac"),
    [
        ({"armor": 8}, 21),
        ({"shield": 2}, 20),
        ({"dexterity": -1}, 15),
        ({"target_size": "small"}, 19),
        ({"natural": 4, "target_size": "huge", "dodge": 1, "deflection": 1}, 22),
        ({"armor": 8, "ac": 18}, 18),
        ({"natural": 15, "shield": 15}, 45),
    ],
)
def test_an_armor_class_moves_with_its_parts(parts: dict[str, Any], ac: int) -> None:
    """Armor put on makes one harder to hit; who sets the total too means the total, and no total leaves its slider."""
    explorer = AttackExplorer()
    explorer.move(**parts)
    assert explorer.values["ac"] == ac
    widget = explorer._fields["ac"].parts[0]
    assert widget.value == ac


def test_the_slider_of_a_part_moves_the_slider_of_the_total() -> None:
    """In the page as in code: the learner sees the main slider go along."""
    explorer = AttackExplorer()
    explorer._fields["shield"].parts[0].value = 2
    explorer._fields["base"].parts[0].value = 9
    assert explorer._fields["ac"].parts[0].value == 20
    assert explorer._fields["bonus"].parts[0].value == 12


def test_the_weapon_and_the_die_say_what_is_shown() -> None:
    """The sentence names the parts as soon as there is more to them than training and muscle."""
    explorer = AttackExplorer(bonus=4, base=3, strength=2, attacker_dexterity=2, grip="bow", distance=65)
    assert explorer.summary.startswith(
        "Attack bonus +4 = 3 base attack bonus + 2 Dexterity − 4 range + 3 other. Attack bonus +4 against AC 18: "
    )
    assert explorer.summary.endswith("One attack deals 1.8 on average, misses included; under SRD35 it would be 1.654.")
    explorer.move(shield=1, dodge=1, flat_footed=True, touch=True)
    assert "AC 20 = 10 + 5 armor + 2 Dexterity + 1 shield + 1 dodge + 1 other." in explorer.summary
    assert "A touch attack passes by armor, shield and natural armor." in explorer.summary
    assert "Flat-footed, the Dexterity bonus is lost. The dodge bonus is lost too." in explorer.summary


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"flat_footed": True, "dexterity": 0}, "Flat-footed: there is no bonus to lose."),
        ({"flat_footed": True, "dexterity": 0, "dodge": 2}, "Flat-footed, the dodge bonus is lost."),
        (
            {"flat_footed": True, "dexterity": -2, "dodge": 2},
            "Flat-footed, the Dexterity penalty stays. Flat-footed, the dodge bonus is lost.",
        ),
        ({"touch": True, "armor": 0}, "Touch attack: there is no armor to pass by."),
        ({"touch": True, "armor": 0, "natural": 1}, "A touch attack passes by armor, shield and natural armor."),
        (
            {"touch": True, "flat_footed": True, "armor": 0, "dexterity": 0},
            "Touch attack: there is no armor to pass by. Flat-footed: there is no bonus to lose.",
        ),
    ],
)
def test_nothing_is_said_to_be_lost_that_is_not_there(settings: dict[str, Any], said: str) -> None:
    """Who reads that a bonus is lost looks for it in the sum before the sentence."""
    summary = AttackExplorer(**settings).summary
    told, rest = summary.split(". ", 1)
    assert told.startswith("AC 18 = 10 ")
    assert rest.startswith(f"{said} Attack bonus ")


def test_the_parts_add_up(explorer: AttackExplorer) -> None:
    """The tables behind the picture are read as sums: bonus, armor class, and what counts of it."""
    bonus, armor = explorer.detail(explorer.numbers(explorer.values))
    number = {"−": "-", "+": ""}

    def total(rows: list[list[str]], column: int) -> int:
        return sum(int("".join(number.get(sign, sign) for sign in row[column])) for row in rows)

    assert total(bonus.rows, 1) == explorer.values["bonus"]
    assert total(armor.rows, 1) == explorer.values["ac"]
    assert total(armor.rows, 2) == in_force(explorer.values, explorer.values["ac"])


def test_the_question_has_the_exact_chance(explorer: AttackExplorer) -> None:
    """A prediction is judged by the rule."""
    words, answer = explorer.question(explorer.numbers(explorer.values))
    assert answer == hit_chance(explorer.values["bonus"], in_force(explorer.values, explorer.values["ac"]))
    assert words.endswith("?")


def test_every_control_stands_in_one_place() -> None:
    """A control in no group, or in two, would be on the page twice or lost among others."""
    names = {control.name for control in AttackExplorer.controls}
    grouped = [name for group in AttackExplorer.groups.values() for name in group]
    assert len(grouped) == len(set(grouped))
    assert names - set(grouped) == {"bonus", "ac", "flat_footed", "touch", "threat", "rules"}


def test_grips_and_sizes_are_those_of_the_rules() -> None:
    """A grip that the rules know and the explorer does not could never be tried."""
    assert tuple(SHOWN_GRIPS) == GRIPS
    (sizes,) = (control for control in AttackExplorer.controls if control.name == "target_size")
    assert isinstance(sizes, OneOf)
    assert {name.upper() for name in sizes.options} == {size.name for size in Size}


def test_the_heaviest_weapon_makes_no_heavy_table() -> None:
    """Forty-one armor classes, each with every damage under two rule sets, travel over a slow line at once."""
    explorer = AttackExplorer(
        dice="10d6", multiplier=4, damage_bonus=10, grip="two-handed", strength=10, touch=True, flat_footed=True
    )
    assert len(sent(explorer)) < 300_000


def test_random_examples_agree_with_the_rules() -> None:
    """Every mixture of grips, sizes and distances that a learner may meet."""
    explorer = AttackExplorer()
    for seed in SEEDS:
        explorer.random(seed)
        target = in_force(explorer.values, explorer.values["ac"])
        assert explorer.numbers(explorer.values).in_force == target
        assert explorer.table()[0]["chance"] == 1 - hit_chance(explorer.values["bonus"], target)


def test_a_reading_that_changes_nothing_says_so() -> None:
    """The same number twice, as if it were another, is read twice."""
    explorer = AttackExplorer(bonus=4, ac=15, threat=19)
    assert explorer.summary.endswith("deals 4.125 on average, misses included; under SRD35 it is the same.")
    explorer.move(rules="SRD35")
    assert explorer.summary.endswith("deals 4.125 on average, misses included; under COURSE it is the same.")
