"""The hit point explorer says for every position what the rules say."""

import json

import pytest

from d20kit import SRD35
from d20kit.damage import attack_damage
from d20kit.hit_points import State, rounds_to_death, state, state_chances
from d20widgets import HitPointExplorer

SETTINGS = [
    {},
    {"constitution": -2},
    {"constitution": 10, "maximum": 1},
    {"rules": SRD35, "damage": "1d4"},
    {"maximum": 40, "bonus": 20, "damage": "4d6kh3", "rounds": 9},
]
HOSTILE = "<img src=x onerror=window.hit=1>"


@pytest.fixture(params=SETTINGS, ids=str)
def explorer(request):
    """A hit point explorer with some settings."""
    made = HitPointExplorer(**request.param)
    yield made
    made.close()


def shown_states(explorer):
    """The states that have a stack in the picture, in its order."""
    return list(explorer.numbers(explorer.values).chances[0])


def test_every_frame_is_what_the_rules_say(explorer):
    """The page looks up and never computes: each of its frames must be a direct call of the rules."""
    values = explorer.values
    damage = attack_damage(values["bonus"], values["ac"], values["damage"], rules=values["rules"])
    for hp in range(-10, values["maximum"] + 1):
        ahead = state_chances(hp, values["constitution"], damage, values["rounds"], rules=values["rules"])
        data = explorer.chart.at(hp)["data"]
        assert data[-1]["x"] == [hp]
        for i, one in enumerate(shown_states(explorer), start=len(shown_states(explorer))):
            assert data[i]["y"] == pytest.approx([float(100 * chances[one]) for chances in ahead], abs=6e-3)


def test_every_bar_is_full(explorer):
    """The shown states are all there are: their chances add up to one in every round."""
    for row in explorer.table():
        assert sum(chance for name, chance in row.items() if name != "round") == 1


def test_the_line_is_coloured_by_the_state_rule(explorer):
    """Each whole number on the line must lie in the stretch of its own state, and in no other."""
    values = explorer.values
    bands = explorer.chart.figure["data"][: len(shown_states(explorer))]
    for hp in range(-10, values["maximum"] + 1):
        inside = [
            band["name"] for band in bands if band["x"] != [None] and abs(hp - band["x"][0]) < band["width"][0] / 2
        ]
        assert inside == [state(hp, values["constitution"], rules=values["rules"]).value]


def test_the_formula_s_comparison_holds_and_names_the_state(explorer):
    """The formula is set by hand: read as a comparison it must be true at every position."""
    values = explorer.values
    for hp in range(-10, values["maximum"] + 1):
        markup = explorer.formula_line.frames[hp + 10]
        text = "".join(part.partition(">")[2] for part in markup.split("<")).replace("&gt;", ">").replace("&lt;", "<")
        comparison, name = text.split("⟹")
        comparison = comparison.replace("−", "-").replace("≤", "<=")
        comparison = comparison.replace("<=", "≤").replace("=", "==").replace("≤", "<=")
        assert eval(comparison, {"min": min, "max": max})
        assert name == state(hp, values["constitution"], rules=values["rules"]).value


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        (
            {"maximum": 12, "hp": 7, "rounds": 3},
            "7 of 12 hit points: healthy. One attack a round hits with 50 %. "
            "After 3 rounds: healthy 25.2 %, disabled 14.5 %, dying 23.9 %, dead 36.4 %.",
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
            "After 1 round: healthy over 99.9 %, disabled under 0.1 %, dying 0 %, dead 0 %.",
        ),
    ],
)
def test_the_sentence_says_it(settings, sentence):
    """The sentence is what is read aloud: these are read by a person, word by word."""
    assert HitPointExplorer(**settings).summary == sentence


def test_only_a_dying_combatant_has_rounds_left(explorer):
    """The countdown belongs to bleeding; in another state the words would frighten for nothing."""
    values = explorer.values
    for hp in range(-10, values["maximum"] + 1):
        left = rounds_to_death(hp, values["constitution"], rules=values["rules"])
        assert ("to death" in explorer.sentence_line.frames[hp + 10]) == (left is not None)


def test_a_stable_stack_only_where_somebody_can_come_to_it():
    """A colour in the legend that can never be seen would raise a question the lesson does not answer."""
    assert State.STABLE not in shown_states(HitPointExplorer())
    assert State.STABLE in shown_states(HitPointExplorer(rules=SRD35))


def test_a_lower_maximum_takes_the_hit_points_with_it():
    """Nobody has more than the maximum; the slider, its box and the table must all know."""
    explorer = HitPointExplorer(maximum=30, hp=25)
    explorer._fields["maximum"].parts[0].value = 8
    assert explorer.values["hp"] == 8
    slider, box, _link = explorer._fields["hp"].parts
    assert (slider.value, slider.max, box.value, box.max) == (8, 8, 8, 8)
    assert len(explorer.chart.frames) == 19
    explorer._fields["maximum"].parts[0].value = 80
    assert (slider.value, slider.max, len(explorer.chart.frames)) == (8, 80, 91)


def test_without_hit_points_given_nobody_is_hurt():
    """A maximum alone means a combatant at full strength."""
    assert HitPointExplorer(maximum=40).values["hp"] == 40


@pytest.mark.parametrize("text", ["2d", "", "banana", "-5", "1d4-4", "1000000", HOSTILE, "999999d999999", "9" * 300])
def test_bad_dice_get_a_sentence_and_keep_the_last_good_picture(text):
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
def test_bad_dice_are_answered_with_good_ones(text):
    """An example helps a learner more than the grammar does."""
    explorer = HitPointExplorer()
    box, error = explorer._fields["damage"].parts
    box.value = text
    assert "write dice like 2d4+4" in error.value
    assert "expected" not in error.value


def test_bars_sentence_and_table_count_the_same_thing():
    """Rounds in one place and attacks in another would leave open whether they are the same."""
    explorer = HitPointExplorer()
    layout = explorer.chart.figure["layout"]
    assert layout["xaxis2"]["title"]["text"] == "rounds"
    assert layout["annotations"][1]["text"].endswith("after each round")
    assert "After 5 rounds:" in explorer.summary
    assert next(iter(explorer.table()[0])) == "round"


def test_the_modifier_is_called_a_modifier():
    """Constitution 14 and its modifier +2 are two numbers, and only one of them fits on the slider."""
    assert HitPointExplorer()._fields["constitution"].parts[0].description == "Constitution modifier"


def test_text_from_users_reaches_no_markup():
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


def test_the_script_uses_no_html_from_strings():
    """Only textContent, attributes and XML: the three ways in which a name cannot become a script."""
    from d20widgets.follower import STATIC

    for script in ("follow", "chart", "sentence", "formula", "access"):
        source = (STATIC / f"{script}.js").read_text(encoding="utf-8")
        for way in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
            assert way not in source
