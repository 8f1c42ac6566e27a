"""Every public rule, with numbers of every type: by itself, through explain, and for arrays."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from itertools import repeat
from typing import Any, cast

import numpy as np
import pytest
import sympy

from d20kit import explain
from d20kit.arguments import MOST_ELEMENTS, MOST_MEMBERS, symbolic_names
from d20kit.armor_class import armor_class
from d20kit.attack import hit_chance, outcome_chances, resolve
from d20kit.check import LARGEST_ARRAY
from d20kit.damage import attacks_to_fell, damage_dealt, stack_multipliers
from d20kit.initiative import all_tie_chance, expected_dice, roll_order, surprise_round
from d20kit.rule import card_of
from tests.core.test_refusals import ARGUMENTS, CALLS, nothing_in_them

Rule = Callable[..., Any]
EXPLAINED = [one for one in ARGUMENTS if card_of(cast(Rule, one.values[0])) is not None]


class Whole(int):
    """A whole number of somebody's own."""


# The same number, as other libraries, files and spreadsheets have it.
TYPES: dict[str, Callable[[int], Any]] = {
    "float": float, "Fraction": Fraction, "int8": np.int8, "int64": np.int64, "uint64": np.uint64,
    "float32": np.float32, "float64": np.float64, "SymPy": sympy.Integer, "subclass": Whole,
}  # fmt: skip


def told(rule: Rule, call: dict[str, Any]) -> tuple[str, str]:
    """Return what a rule gives, types included, or what it says when it refuses."""
    try:
        return repr(rule(**call)), ""
    except ValueError as error:
        return "", str(error)


def derived(rule: Rule, call: dict[str, Any]) -> tuple[str, str]:
    """Return every form of a derivation, or what is said when it is refused."""
    try:
        one = explain(rule, **call)
        return "\n".join([str(one), repr(one), one._repr_latex_(), one._repr_html_(), repr(one.value)]), ""
    except ValueError as error:
        return "", str(error)


@pytest.mark.parametrize(("rule", "call", "name"), ARGUMENTS)
def test_a_number_of_any_type_is_that_number(rule: Rule, call: dict[str, Any], name: str) -> None:
    """3.0 from a slider, an int64 from a table and a Fraction mean 3 wherever 3 has a meaning, and nowhere else."""
    for number in (1, 3):
        value, refused = told(rule, call | {name: number})
        for kind, convert in TYPES.items():
            other, other_refused = told(rule, call | {name: convert(number)})
            assert other == value, kind
            assert bool(other_refused) is bool(refused), kind


@pytest.mark.parametrize(("rule", "call", "name"), EXPLAINED)
def test_a_derivation_reads_the_same(rule: Rule, call: dict[str, Any], name: str) -> None:
    """The type of a number is nothing that a learner should see."""
    text, refused = derived(rule, call | {name: 3})
    for kind, convert in TYPES.items():
        other, other_refused = derived(rule, call | {name: convert(3)})
        assert other == text, kind
        assert bool(other_refused) is bool(refused), kind


@pytest.mark.parametrize(("rule", "call", "name"), EXPLAINED)
def test_explain_refuses_what_the_rule_refuses(rule: Rule, call: dict[str, Any], name: str) -> None:
    """Whoever asks for a derivation gets the rule's own sentence and never an error from inside the derivation."""
    zoo = nothing_in_them() | {"negative infinity": -np.inf, "endless": repeat(1), "long": [1] * (MOST_MEMBERS + 1)}
    for kind, value in zoo.items():
        refused = derived(rule, call | {name: value})[1]
        assert re.match(rf"{name}\b", refused), (kind, refused)
        assert len(refused) < 400, kind


@pytest.mark.parametrize(("rule", "call", "name"), EXPLAINED)
def test_nothing_but_a_sentence_comes_back(rule: Rule, call: dict[str, Any], name: str) -> None:
    """At the ends of the ranges, for lists in lists and for odd arrays, a rule answers or refuses: it never breaks."""
    itself: list[Any] = []
    itself.append(itself)
    zoo = {
        "0": 0, "-3": -3, "999": 999, "1000": 1000, "-1000": -1000, "10**4": 10**4, "10**6": 10**6, "1e300": 1e300,
        "text": "3", "no text": "", "list": [3], "pairs": [[3, 3]], "nothing": [], "mapping": {"a": 1},
        "itself": itself, "iterator": iter([1, 1]), "range": range(3), "set": {3}, "false": False,
        "truth": np.bool_(True), "Decimal": Decimal("NaN"), "half": sympy.Rational(7, 2), "pi": sympy.pi,
        "imaginary": sympy.I, "symbol": sympy.Symbol("x"), "sum": sympy.Symbol("x", integer=True) + 1,
        "no dimension": np.array(3),
        "array": np.array([2, 3]), "square": np.array([[2, 3], [3, 4]]), "empty": np.array([], dtype=int),
        "truths": np.array([True, False]), "object": np.array(None, dtype=object),
    }  # fmt: skip
    for kind, value in zoo.items():
        for ask in (told, derived):
            answer, refused = ask(rule, call | {name: value})
            assert bool(answer) is not bool(refused), kind


NUMBERS = [one for one in EXPLAINED if one.values[2] in symbolic_names(cast(Rule, one.values[0]))]


@pytest.mark.parametrize(("rule", "call", "name"), NUMBERS)
def test_arrays_of_any_type(rule: Rule, call: dict[str, Any], name: str) -> None:
    """Small and unsigned types would wrap around, floats would round: every element is what its number gives."""
    sound = call[name]
    points = [one for one in (sound - 1, sound, sound + 1) if told(rule, call | {name: one})[0]]
    values = [rule(**call | {name: one}) for one in points]
    for dtype in ("int8", "int64", "float32", object):
        given = np.array(points, dtype=dtype)
        parts = rule(**call | {name: given})
        for index, value in enumerate(values):
            found = [
                np.broadcast_to(part, len(points))[index] for part in (parts if isinstance(parts, tuple) else [parts])
            ]
            assert found == list(value if isinstance(value, tuple) else [value]), dtype
        assert derived(rule, call | {name: given})[0]


@pytest.mark.parametrize(("rule", "call", "name"), NUMBERS)
def test_arrays_have_a_largest_size(rule: Rule, call: dict[str, Any], name: str) -> None:
    """Exact results of millions of elements would take minutes; the limit is said at once."""
    for size, ask in ((LARGEST_ARRAY + 1, told), (MOST_ELEMENTS + 1, derived)):
        refused = ask(rule, call | {name: np.full(size, call[name])})[1]
        assert re.match(rf"{name} is array.* at most \d+ (results|elements); ", refused), refused


def test_shapes_that_multiply_are_too_large_as_well() -> None:
    """A row beside a column of modest lengths asks for their product."""
    with pytest.raises(ValueError, match="at most 50000 results"):
        hit_chance(np.zeros((1000, 1), dtype=int), np.full((1, 1000), 15))


def test_examples_of_odd_numbers() -> None:
    """The values themselves, so that not everything is compared with itself."""
    assert explain(damage_dealt, rolls=3.0).value == 3
    assert explain(damage_dealt, rolls=sympy.Integer(3), bonus=np.int8(2)).value == 5
    damage = CALLS["damage.attacks_to_fell"]["damage"]
    assert explain(attacks_to_fell, damage=damage, hp=np.int8(3)).value.pmf(1) == Fraction(1, 2)
    assert type(hit_chance(np.int64(7), sympy.Integer(18))) is Fraction
    assert hit_chance(np.int64(7), np.uint8(18)) == Fraction(1, 2)
    assert outcome_chances(np.array([7], dtype=np.int8), np.array([18], dtype=np.uint8))[2][0] == Fraction(1, 20)
    odd: tuple[Any, ...] = (np.float32(7), Fraction(3), 10)
    assert resolve(*odd).value == "hit"


def test_lists_have_a_longest_length() -> None:
    """A derivation writes every member; explain says how many there may be, whatever the rule."""
    assert explain(armor_class, dodge=[1] * MOST_MEMBERS).value == 10 + MOST_MEMBERS
    calls: list[tuple[Rule, dict[str, Any]]] = [
        (armor_class, {"dodge": [1] * (MOST_MEMBERS + 1)}),
        (stack_multipliers, {"multipliers": (1,) * (MOST_MEMBERS + 1)}),
        (all_tie_chance, {"modifiers": dict.fromkeys(range(MOST_MEMBERS + 1), 0)}),
    ]
    for rule, values in calls:
        with pytest.raises(ValueError, match=f"at most {MOST_MEMBERS} members; explain fewer at a time"):
            explain(rule, **values)


def test_an_iterator_is_read_once() -> None:
    """A derivation asks the rule several times, and a generator gives its members only once."""
    assert str(explain(expected_dice, modifiers=iter([1, 0]))) == str(explain(expected_dice, modifiers=[1, 0]))


def test_tables_of_names_have_a_longest_length() -> None:
    """A mapping of a million names is no battle."""
    many = dict.fromkeys(map(str, range(1001)), True)
    with pytest.raises(ValueError, match=r"^aware is .* at most 1000 of them"):
        surprise_round(many)
    with pytest.raises(ValueError, match=r"^modifiers is .* at most 1000 of them"):
        roll_order(dict.fromkeys(many, 0), lambda: 12)


def test_a_stuck_die_is_noticed_among_many() -> None:
    """A thousand who stay tied are named by the first of them."""
    with pytest.raises(ValueError, match=r"0, 1, 2, 3, 4, \.\.\. stay tied$"):
        roll_order(dict.fromkeys(map(str, range(1000)), 0), lambda: 12)
