"""explain, for every public rule."""

from __future__ import annotations

import html
import importlib.util
import inspect
import re
from fractions import Fraction
from typing import Any

import numpy
import pytest
import sympy

import d20kit
from d20kit import COURSE, SRD35, explain, set_language
from d20kit.amounts import WIDEST_LINE, same
from d20kit.arguments import call
from d20kit.armor_class import armor_class
from d20kit.attack import hit_chance, outcome_chances, resolve
from d20kit.damage import attack_damage, expected_damage, fell_within, stack_multipliers
from d20kit.derivation import Derivation
from d20kit.formula import evaluate
from d20kit.hit_points import state, transition_matrix
from d20kit.initiative import first_chance, order_chances
from d20kit.rule import all_rules
from d20kit.saves import save_chance

BLOW = attack_damage(4, 15, "2d4", 4)
ODD_NAME = "<script>alert('$x$')</script>"
HEADINGS = {
    *("Attack Roll", "Automatic Misses and Hits", "Attack Bonus", "Base Attack Bonus", "Size Modifiers", "Damage"),
    *("Minimum Damage", "Strength Bonus", "Off-Hand Weapon", "Wielding a Weapon Two-Handed", "Multiplying Damage"),
    *("Attribute Damage", "Armor Class", "Other Modifiers", "Touch Attacks", "Hit Points", "Saving throws"),
    *("Initiative Checks", "Flat-Footed", "Inaction", "d20 system reference"),
}

# Every rule with one call or more; several where a rule has branches.
CALLS: dict[str, list[dict[str, Any]]] = {
    "abilities.ability_modifier": [{"score": 9}, {"score": None}],
    "abilities.size_modifier": [{"size": "small"}],
    "abilities.drain": [{"scores": {"str": 13, "dex": 15}, "strength": 2}],
    "attack.base_attack_bonus": [{"level": 5, "progression": name} for name in ("good", "average", "poor")],
    "attack.multiclass_attack_bonus": [{"classes": [("good", 5), ("poor", 3)]}],
    "attack.melee_bonus": [{"base": 3, "strength": -1, "size": 1, "other": 1}],
    "attack.ranged_bonus": [{"base": 3, "dexterity": 2, "size": 1, "range_penalty": -4}],
    "attack.range_penalty": [{"distance": 45, "increment": 20, "kind": "thrown"}],
    "attack.iterative_attacks": [{"base": 11}, {"base": 11, "rules": COURSE}],
    "attack.resolve": [
        {"face": 7, "bonus": -2, "ac": 15},
        {"face": 1, "bonus": 9, "ac": 5},
        {"face": 20, "bonus": 8, "ac": 21, "confirm": 12, "rules": SRD35},
    ],
    "attack.hit_chance": [{"bonus": 7, "ac": 18}, {"bonus": -3, "ac": 30}, {"bonus": 9, "ac": 3}],
    "attack.outcome_chances": [{"bonus": 7, "ac": 18}, {"bonus": 4, "ac": 15, "threat": 18, "rules": SRD35}],
    "armor_class.armor_class": [
        {"dexterity": 3, "armor": 8, "shield": 2, "max_dexterity": 1, "size": -1},
        {"dexterity": -2, "armor": [4, 2], "dodge": (1, 1), "flat_footed": True},
        {"dexterity": 3, "armor": 4, "touch": True},
    ],
    "damage.strength_damage": [
        {"strength": -3, "grip": "off-hand"},
        {"strength": -3, "grip": "off-hand", "rules": SRD35},
        {"strength": 3, "grip": "composite-bow", "rating": 2, "rules": SRD35},
    ],
    "damage.stack_multipliers": [{"multipliers": (2, 2)}],
    "damage.damage_dealt": [
        {"rolls": 3, "bonus": 3, "multiplier": 2, "extra": 10},
        {"rolls": [3, 5], "bonus": 3, "multiplier": 2, "rules": SRD35},
        {"rolls": 1, "bonus": -4},
    ],
    "damage.hit_damage": [{"dice": "1d8", "bonus": 3, "extra": "1d6"}],
    "damage.critical_damage": [
        {"dice": "2d6", "bonus": 4, "multiplier": 2},
        {"dice": "2d6", "multiplier": 3, "rules": SRD35},
    ],
    "damage.attack_damage": [{"bonus_to_hit": 4, "ac": 14, "dice": "1d8", "bonus": 3, "multiplier": 3}],
    "damage.expected_damage": [
        {"bonus_to_hit": 4, "ac": 14, "dice": "1d8", "bonus": 3},
        {"bonus_to_hit": 4, "ac": 14, "dice": "1d8", "threat": 19, "extra": "1d6", "rules": SRD35},
    ],
    "damage.fell_within": [{"damage": BLOW, "hp": 14, "n": 3}, {"damage": BLOW, "hp": 60, "n": 30}],
    "damage.attacks_to_fell": [{"damage": BLOW, "hp": 14}, {"damage": attack_damage(0, 30, "1d2"), "hp": 100}],
    "damage.duel_chance": [{"damage": BLOW, "hp": 5, "enemy_damage": BLOW, "enemy_hp": 9}],
    "hit_points.disabled_floor": [{"constitution": 2}, {"constitution": -1}, {"constitution": 12}],
    "hit_points.state": [{"hp": -2, "constitution": 2}, {"hp": 0}, {"hp": -9, "constitution": 12}],
    "hit_points.state_chances": [{"hp": 14, "constitution": 1, "damage": BLOW, "rounds": n} for n in (0, 3, 20)],
    "hit_points.transition_matrix": [{"maximum": 2, "constitution": 1}, {"maximum": 2, "rules": SRD35}],
    "hit_points.rounds_to_death": [{"hp": -3, "constitution": 1}, {"hp": -2, "constitution": 2}],
    "hit_points.stabilise_chance": [{"hp": -8}, {"hp": -8, "rules": COURSE}],
    "hit_points.survival_chance": [{"hp": -6, "rounds": 4}, {"hp": -6, "rounds": 3}],
    "hit_points.expected_dying_rounds": [{"hp": -8}, {"hp": -8, "rules": COURSE}],
    "hit_points.disabled_attack_cost": [{"hp": 0, "constitution": 2}, {"hp": 0, "rules": SRD35}],
    "hit_points.massive_damage_chance": [{"damage": 55, "fortitude": 4}, {"damage": 55, "fortitude": 30}],
    "hit_points.after_constitution_loss": [
        {"maximum_hp": 79, "wounds": 40, "hit_dice": 8, "before": 18, "after": 4, "rules": rules}
        for rules in (COURSE, SRD35)
    ],
    "saves.base_save": [{"level": 5, "progression": "good"}, {"level": 5, "progression": "poor"}],
    "saves.multiclass_save": [{"classes": [("good", 5), ("poor", 3)]}],
    "saves.save_bonus": [{"base": 2, "ability": -1}],
    "saves.save_chance": [{"bonus": 6, "dc": 15}, {"bonus": 19, "dc": 15, "rules": SRD35}],
    "initiative.initiative_bonus": [{"dexterity": 1, "other": 4}],
    "initiative.pair_chances": [{"a": 2, "b": 1}, {"a": -3, "b": 1}, {"a": 30, "b": 1}],
    "initiative.first_chance": [{"a": a, "b": 1, "rules": rules} for a in (2, 1, 0) for rules in (COURSE, SRD35)],
    "initiative.expected_rerolls": [{"a": 2, "b": 1}, {"a": 2, "b": 1, "rules": SRD35}],
    "initiative.all_tie_chance": [{"modifiers": {"wolf": 2, "orc": 0}}],
    "initiative.expected_dice": [{"modifiers": {"wolf": 2, "orc": 0, ODD_NAME: 1}}],
    "initiative.order_chances": [{"modifiers": {"wolf": 2, "orc": 0, ODD_NAME: 1}}, {"modifiers": [1, 0]}],
    "initiative.surprise_round": [{"aware": {ODD_NAME: True, "prey": False}}, {"aware": {"prey": False}}],
}
WALK = [
    pytest.param(name, values, id=f"{name}-{place}")
    for name, several in CALLS.items()
    for place, values in enumerate(several)
]


@pytest.fixture(params=["en", "id"])
def language(request: pytest.FixtureRequest) -> Any:
    """Each language in turn, and English again afterwards."""
    set_language(request.param)
    yield request.param
    set_language("en")


def derive(name: str, values: dict[str, Any]) -> Derivation:
    """Explain a rule of the walk."""
    function = all_rules()[name].function
    assert function is not None
    return explain(function, **values)


def value_by_formula(part: Any, derivation: Derivation) -> Any:
    """Put the numbers into a formula."""
    return evaluate(sympy.sympify(part), derivation.numbers)


def lines(derivation: Derivation, label: str) -> list[str]:
    """The texts of the steps with a label, whatever part of the result they are about."""
    return [step.text for step in derivation.steps if step.label.partition(",")[0] == label]


def about(derivation: Derivation, switch: str) -> str:
    """The one sentence about a switch."""
    (sentence,) = (text for text in lines(derivation, "switch") if text.startswith(f"{switch} ("))
    return sentence


@pytest.mark.parametrize("name", d20kit._HOME)
def test_no_module_hides_a_public_name(name: str) -> None:
    """Importing d20kit.x sets d20kit.x to the module, so a public name x would change its meaning by import order."""
    assert importlib.util.find_spec(f"d20kit.{name}") is None


def test_every_rule_is_walked() -> None:
    """A rule that nobody looks at would rot unseen."""
    assert set(all_rules()) == set(CALLS)


@pytest.mark.parametrize(("name", "values"), WALK)
def test_the_value_is_the_rules_own(name: str, values: dict[str, Any]) -> None:
    """An explanation that computed by itself could differ from the rule it explains."""
    derivation = derive(name, values)
    again = call(derivation.card.function, values)
    if name == "damage.attacks_to_fell":
        assert [derivation.value.pmf(n) for n in range(9)] == [again.pmf(n) for n in range(9)]
    else:
        assert same(derivation.value, again)


@pytest.mark.parametrize(("name", "values"), WALK)
def test_the_formula_with_the_numbers_is_the_value(name: str, values: dict[str, Any]) -> None:
    """The formula must say what the rule does, also in the branch that the numbers take."""
    derivation = derive(name, values)
    if derivation.formula is None:
        assert not derivation.numbers or name in ("attack.resolve", "hit_points.state", "abilities.size_modifier")
        return
    parts = derivation.formula if isinstance(derivation.formula, tuple) else (derivation.formula,)
    given = derivation.value if isinstance(derivation.formula, tuple) else (derivation.value,)
    for part, value in zip(parts, given, strict=True):
        found = value_by_formula(part, derivation)
        assert found is sympy.nan if value is None else found == value


@pytest.mark.parametrize(("name", "values"), WALK)
def test_the_substituted_line_is_the_value(name: str, values: dict[str, Any]) -> None:
    """What is printed with the numbers in must compute to the value when it is read as arithmetic."""
    derivation = derive(name, values)
    filled = lines(derivation, "with the numbers")
    given = derivation.value if isinstance(derivation.value, tuple) else (derivation.value,)
    names = {"min": sympy.Min, "max": sympy.Max, "floor": sympy.floor}
    found = []
    for text in filled:
        arithmetic = re.sub(r"\|([^|]*)\|", r"Abs(\1)", text).replace("^", "**")
        found.append(None if text == "none" else sympy.sympify(arithmetic, locals=names))
    assert all(one in given for one in found)


@pytest.mark.parametrize(("name", "values"), WALK)
def test_every_form_is_complete_and_safe(name: str, values: dict[str, Any], language: str) -> None:
    """Text, LaTeX and HTML must all say something, and a name must stay a name."""
    derivation = derive(name, values)
    text, latex, page = str(derivation), derivation._repr_latex_(), derivation._repr_html_()
    assert derivation.title
    assert text.startswith(derivation.title)
    assert len(text.splitlines()) >= 4
    assert max(map(len, text.splitlines())) <= WIDEST_LINE
    assert len(text) < 4000
    body = latex.removeprefix("$\\displaystyle \\begin{gathered} ").removesuffix(" \\end{gathered}$")
    assert "=" in body
    assert latex.count("{") - latex.count("\\{") == latex.count("}") - latex.count("\\}")
    assert "<script" not in page
    assert "$x$" not in re.sub(r"<(th|span)[^>]*mathjax_ignore[^>]*>[^<]*", "", page)
    assert page.count("<tr>") == page.count("</tr>") >= 3
    assert html.escape(derivation.why) in page
    for raw in ("Fraction(", "Piecewise", "Matrix(", "Min(", "Max(", "<State", "None", "NaN", "**"):
        assert raw not in text + latex + page, raw


@pytest.mark.parametrize("name", CALLS)
def test_cards_are_complete(name: str) -> None:
    """Each card needs a reason, a heading that exists, and switches its function can take."""
    card = all_rules()[name]
    assert card.function is not None
    assert card.source in HEADINGS
    assert len(card.why) > 30
    assert card.why.endswith(".")
    assert not card.switches or "rules" in inspect.signature(card.function).parameters


def test_the_table_says_what_the_formula_does_not() -> None:
    """A notebook shows the table; "1 in N" and the sentence about the ends must be in it too."""
    page = explain(hit_chance, bonus=7, ac=18)._repr_html_()
    assert "1 in 2<" in page
    assert "here it is 10" in page


def test_the_attack_is_explained_as_a_teacher_would() -> None:
    """The first lesson shows these very lines."""
    told = [(step.label, step.text) for step in explain(hit_chance, bonus=7, ac=18).steps]
    assert told == [
        ("formula", "min(19, max(1, 21 + bonus - ac))/20"),
        ("with the numbers", "min(19, max(1, 21 + 7 - 18))/20"),
        ("value", "1/2 = 50 % = 1 in 2"),
        (
            "limits",
            "21 + bonus - ac counts as at least 1 and at most 19: beyond them the curve is flat; here it is 10",
        ),
    ]


@pytest.mark.parametrize(("bonus", "ac", "end"), [(-3, 30, 1), (9, 3, 19)])
def test_beyond_an_end_the_end_is_named(bonus: int, ac: int, end: int) -> None:
    """Why the curve is flat must be said exactly where it is flat."""
    (ends,) = (step for step in explain(hit_chance, bonus=bonus, ac=ac).steps if step.label == "limits")
    assert ends.text.endswith(f"here it is {21 + bonus - ac}, counted as {end}")
    assert r"\begin{cases}" in ends.latex


def test_what_appears_often_gets_a_letter() -> None:
    """The same long clamp five times over hides the rule."""
    derivation = explain(outcome_chances, bonus=4, ac=15, threat=18, rules=SRD35)
    assert lines(derivation, "formula") == ["1 - k/20", "k/20 - k*m/20", "k*m/20"]
    meanings = {"k = min(19, max(1, 21 + bonus - ac))", "m = min((21 - threat)/20, k/20)"}
    assert meanings <= set(lines(derivation, "where"))


def test_switches_start_from_the_rules_in_force() -> None:
    """A rule whose default is SRD35 must show what COURSE would change, not what SRD35 would."""
    stabilise = all_rules()["hit_points.stabilise_chance"].function
    assert stabilise is not None
    assert about(explain(stabilise, hp=-8), "stabilise_chance") == (
        "stabilise_chance (chance that a dying combatant stabilises by itself each round) is 1/10 here; "
        "with 0 the value is 0 %"
    )
    assert re.search("^  rules +SRD35$", str(explain(stabilise, hp=-8)), re.MULTILINE)


def test_a_switch_that_changes_something_shows_the_other_value() -> None:
    """The learner must see what the other reading would give."""
    switch = about(explain(save_chance, bonus=19, dc=15), "save_naturals")
    assert switch.startswith("save_naturals (whether ")
    assert switch.endswith(" is False here; with True the value is 19/20 = 95 %")
    same_value = about(explain(save_chance, bonus=6, dc=15), "save_naturals")
    assert same_value.endswith("; with True the value is the same")


def test_a_switch_that_needs_more_says_what() -> None:
    """Under other rules a second roll may be needed; that is an answer, not an error."""
    switch = about(explain(resolve, face=20, bonus=8, ac=21), "critical")
    assert "other values are needed, because confirm is None" in switch


def test_a_switch_may_show_only_in_the_spread() -> None:
    """Rolling again keeps the mean, so the effect would be hidden without the standard deviation."""
    function = all_rules()["damage.critical_damage"].function
    assert function is not None
    derivation = explain(function, dice="2d6", multiplier=2)
    (value,), switch = lines(derivation, "value"), about(derivation, "critical_damage")
    assert value.split("mean")[0] in switch
    assert value not in switch


@pytest.mark.parametrize(
    ("rule", "values", "words"),
    [
        (len, {}, "a public rule of d20kit"),
        ("hit_chance", {}, "a public rule of d20kit"),
        (hit_chance, {"bonus": 7, "armour": 18, "ac": 1}, "must be one of 'bonus', 'ac'"),
        (hit_chance, {"bonus": 7, "a": 1, "acc": 18}, "must be one of"),
        (hit_chance, {"bonuss": 7, "ac": 18}, "did you mean 'bonus'?"),
        (hit_chance, {"bonus": 7}, "needs a value for ac; write ac=..."),
        (hit_chance, {}, "needs a value for bonus, ac; write bonus=..., ac=..."),
        (hit_chance, {"bonus": 7.5, "ac": 18}, "bonus is 7.5"),
        (stack_multipliers, {"multipliers": 2}, "multipliers is 2, but must be a list; multipliers=[2]"),
    ],
)
def test_wrong_calls_are_refused_in_a_sentence(rule: Any, values: dict[str, Any], words: str) -> None:
    """A learner's typing error must come back with what to write instead."""
    with pytest.raises(ValueError, match=re.escape(words)):
        explain(rule, **values)


def test_symbols_and_arrays_are_explained_too() -> None:
    """The rule takes them, so its explanation must."""
    symbol = sympy.Symbol("x", integer=True)
    derivation = explain(hit_chance, bonus=symbol, ac=18)
    assert derivation.value == hit_chance(symbol, 18)
    assert "here it is" not in str(derivation)
    curve = explain(hit_chance, bonus=7, ac=numpy.arange(1, 41))
    assert "(40 values)" in str(curve)
    assert "with the numbers" not in str(curve)
    short = explain(hit_chance, bonus=7, ac=numpy.array([17, 18]))
    assert ("value", "11/20, 1/2") in [(step.label, step.text) for step in short.steps]
    several = explain(outcome_chances, bonus=7, ac=numpy.array([17, 18]))
    assert several._repr_html_()
    assert str(explain(state, hp=numpy.array([1, -3])))


def test_a_matrix_with_a_symbol_is_explained() -> None:
    """The chain with a symbolic hit chance is a lesson of its own."""
    derivation = explain(transition_matrix, maximum=1, damage=BLOW.clip(high=1), hit=sympy.Symbol("h"))
    assert "1 (healthy): 1 - h/2, 0 (disabled): h/2" in str(derivation)


def test_a_long_chance_table_is_told_by_its_likeliest() -> None:
    """Seven hundred orders in one line are no answer."""
    derivation = explain(order_chances, modifiers=dict.fromkeys("abcde", 0))
    assert len(derivation.value) == 120
    assert len(str(derivation).splitlines()) < 30
    assert "most likely" in str(derivation)


def test_nested_cases_are_flat() -> None:
    """Cases inside cases cannot be read."""
    assert lines(explain(first_chance, a=2, b=1, rules=SRD35), "formula") == [
        "1 - k*(k - 1)/800 if a - b > 0; k*(k - 1)/800 if a - b < 0; otherwise 1/2"
    ]


def test_members_of_a_list_are_numbered_in_their_order() -> None:
    """Another argument that begins with the same word does not count along, and the tenth does not follow the first."""
    (formula,) = lines(explain(armor_class, armor_enhancement=1, armor=[2, 3]), "formula")
    assert formula == "10 + max(0, armor_1, armor_2) + min(0, armor_1) + min(0, armor_2) + armor_enhancement"
    (formula,) = lines(explain(stack_multipliers, multipliers=[2] * 11), "formula")
    assert formula == " + ".join(f"multipliers_{place}" for place in range(1, 12)) + " - 10"


@pytest.mark.parametrize("given", [3.0, Fraction(3), numpy.float64(3), numpy.int8(3)])
def test_whole_numbers_of_any_type(given: Any) -> None:
    """A rule takes 3.0 as 3, so its explanation must read the same."""
    attack = attack_damage(4, 15, "1d8")
    assert str(explain(fell_within, damage=attack, hp=given, n=given)) == str(
        explain(fell_within, damage=attack, hp=3, n=3)
    )


def test_repr_is_one_line() -> None:
    """A list of derivations must stay readable."""
    assert repr(explain(hit_chance, bonus=7, ac=18)) == "<Chance to hit: 1/2 = 50 % = 1 in 2>"
    assert repr(explain(outcome_chances, bonus=7, ac=18)).startswith("<Chances of miss, hit and critical: miss 1/2")


def test_expected_damage_shows_how_it_is_put_together() -> None:
    """The formula in bonus and AC hides the two means; the line between shows them."""
    derivation = explain(expected_damage, bonus_to_hit=4, ac=14, dice="1d8", bonus=3)
    assert lines(derivation, "mean") == ["1/2 · 15/2 + 1/20 · 15"]
