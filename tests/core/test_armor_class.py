"""Armor class: what counts, what stacks, what is lost."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import pytest
import sympy

from d20kit import explain
from d20kit.armor_class import armor_class, armor_class_line

WORN = ("armor", "shield", "natural", "armor_enhancement", "shield_enhancement", "natural_enhancement")


def one(part: str, value: Any) -> dict[str, Any]:
    """The arguments that give one part and nothing else."""
    return {part: value}


@pytest.mark.parametrize("part", [*WORN, "deflection", "dodge", "other", "size", "dexterity"])
def test_every_part_adds_itself(part: str) -> None:
    """Each part counts once, penalties included."""
    assert armor_class(**one(part, 3)) == 13
    assert armor_class(**one(part, -3)) == 7


@pytest.mark.parametrize("part", WORN)
def test_touch_drops_what_is_worn(part: str) -> None:
    """A touch attack ignores armor, shield and hide with their enhancement, and nothing else."""
    assert armor_class(**one(part, 5), deflection=1, dexterity=2, size=1, dodge=1, other=1, touch=True) == 16


@pytest.mark.parametrize(("dexterity", "dodge", "limit"), list(product(range(-3, 5), range(-2, 3), (None, 0, 1, 3))))
def test_flat_footed_loses_bonuses_only(dexterity: int, dodge: int, limit: int | None) -> None:
    """Losing agility never makes a clumsy combatant harder to hit, and uncanny dodge keeps everything."""
    given = {"dexterity": dexterity, "dodge": dodge, "max_dexterity": limit}
    normal, touch, flat, both = armor_class_line(**given)
    capped = dexterity if limit is None else min(dexterity, limit)
    assert normal == touch == 10 + capped + dodge
    assert flat == both == 10 + min(dexterity, 0) + min(dodge, 0)
    assert armor_class_line(**given, uncanny_dodge=True) == (normal,) * 4


@pytest.mark.parametrize("part", [*WORN, "deflection"])
def test_one_type_does_not_stack(part: str) -> None:
    """Of several bonuses of a type the largest counts, penalties all do, whatever their order."""
    assert armor_class(**one(part, [2, 4, 1])) == armor_class(**one(part, (4, 2))) == 14
    assert armor_class(**one(part, [2, -1, -3])) == 8
    assert armor_class(**one(part, [])) == 10


def test_dodge_and_other_stack() -> None:
    """Dodge bonuses add up, and flat-footed each is lost or kept by itself."""
    assert armor_class(dodge=[1, 2, -1]) == 12
    assert armor_class(dodge=[1, 2, -1], flat_footed=True) == 9
    assert armor_class(other=[1, 1]) == 12


def test_the_limits_of_armor() -> None:
    """Armor may allow no Dexterity at all or practically any, and no more than the refusal says."""
    assert armor_class(dexterity=7, max_dexterity=0) == 10
    assert armor_class(dexterity=7, max_dexterity=1000) == 17
    with pytest.raises(ValueError, match=r"max_dexterity is 1001, but must be .* from 0 to 1000"):
        armor_class(dexterity=7, max_dexterity=1001)


def test_lists_of_symbols() -> None:
    """The larger of two bonuses is a formula too."""
    a, b = sympy.symbols("a b", integer=True, nonnegative=True)
    assert armor_class(deflection=[a, b]).subs({a: 2, b: 5}) == 15


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"armor": 1.5}, "armor is 1.5"),
        ({"deflection": [1, "2"]}, "deflection is '2'"),
        ({"max_dexterity": -1}, "max_dexterity is -1"),
        ({"touch": 1}, "touch is 1, but must be True or False"),
        ({"flat_footed": None}, "flat_footed is None"),
        ({"uncanny_dodge": "no"}, "uncanny_dodge is 'no'"),
        ({"dexterity": True}, "dexterity is True"),
    ],
)
def test_refusals(given: dict[str, Any], said: str) -> None:
    """Truth values are no numbers and numbers are no truth values."""
    with pytest.raises(ValueError, match=re.escape(said)):
        armor_class(**{"flat_footed": True, **given})


@pytest.mark.parametrize("part", [*WORN, "deflection", "dodge", "other"])
def test_an_iterator_is_a_list(part: str) -> None:
    """The rule, the four classes of a line and the derivation take the same: what is given once counts once each."""
    values = [4, -1, 2]
    expected = armor_class(**one(part, values))
    assert expected != 10
    assert armor_class(**one(part, iter(values))) == expected
    assert armor_class_line(**one(part, iter(values))) == armor_class_line(**one(part, values))
    assert explain(armor_class, **one(part, iter(values))).value == expected


@pytest.mark.parametrize("value", [{3: 1}, {3}, range(3), "3", iter("ab")], ids=lambda value: type(value).__name__)
def test_rule_and_derivation_refuse_the_same(value: object) -> None:
    """Nothing may be explained that the rule does not take."""
    for call in (armor_class, lambda **parts: explain(armor_class, **parts)):
        with pytest.raises(ValueError, match=r"armor is .*give a whole number, or a list of them"):
            call(armor=value)
        value = iter("ab") if hasattr(value, "__next__") else value
