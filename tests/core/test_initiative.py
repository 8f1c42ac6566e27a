"""Initiative: exact orders against the slow way, rerolls at the table, the surprise round."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, permutations, product
from math import prod
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from d20kit import COURSE, SRD35, Ruleset
from d20kit.initiative import (
    MAX_COMBATANTS,
    Order,
    Reroll,
    all_tie_chance,
    expected_dice,
    expected_rerolls,
    first_chance,
    order_chances,
    pair_chances,
    roll_order,
    surprise_round,
    tie_groups,
)
from d20kit.order_chances import order_chance

BOTH = pytest.mark.parametrize("rules", [COURSE, SRD35], ids=repr)


def enumerated(modifiers: tuple[int, ...], rules: Ruleset) -> dict[tuple[int, ...], Fraction]:
    """The slow twin: all first rolls, each tie shared out by what ``order_chances`` says about the tied alone."""
    chances = dict.fromkeys(permutations(range(len(modifiers))), Fraction(0))
    again = Fraction(0)
    known: Any = dict(enumerate(modifiers))
    weight = Fraction(1, 20 ** len(modifiers))
    for faces in product(range(1, 21), repeat=len(modifiers)):
        totals: Any = {i: face + modifiers[i] for i, face in enumerate(faces)}
        groups: Any = tie_groups(totals, known, rules=rules)
        if len(groups[0]) == len(modifiers):
            again += weight
            continue
        tied = [order_chances({i: modifiers[i] for i in group}, rules=rules) for group in groups]
        for parts in product(*(table.items() for table in tied)):
            share = weight
            for _part, chance in parts:
                share *= chance
            chances[tuple(i for part, _chance in parts for i in part)] += share
    return {order: chance / (1 - again) for order, chance in chances.items()}


@BOTH
@pytest.mark.parametrize("modifiers", [(0, 0), (3, 1), (2, 1, 0), (1, 1, 4), (0, 0, 0)])
def test_orders_against_all_rolls(modifiers: tuple[int, ...], rules: Ruleset) -> None:
    """Cutting orders into blocks gives what listing every first roll gives."""
    assert order_chances(modifiers, rules=rules) == enumerated(modifiers, rules)


@BOTH
@given(modifiers=st.lists(st.integers(-3, 6) | st.integers(-30, 30), min_size=1, max_size=5))
@settings(max_examples=40, deadline=None)
def test_all_orders_against_each_alone(modifiers: list[int], rules: Ruleset) -> None:
    """What orders have in common is worked out once, and that must be what each order by itself would find."""
    by_modifier = rules.initiative_ties == "modifier"
    for order, chance in order_chances(modifiers, rules=rules).items():
        assert chance == order_chance(tuple(modifiers[i] for i in order), by_modifier)


@BOTH
@pytest.mark.parametrize("modifiers", [(0, 1, 2, 3, 4, 5, 6), (9, 4, 4, 1, 0, -1, -2), (0, 5, 9, 20, 29, 30, 71)])
def test_as_many_as_there_may_be(modifiers: tuple[int, ...], rules: Ruleset) -> None:
    """The largest table that is allowed is certain as a whole, and right where it is looked at."""
    assert len(modifiers) == MAX_COMBATANTS
    table = order_chances(modifiers, rules=rules)
    assert len(table) == 5040
    assert sum(table.values()) == 1
    for order in [(0, 1, 2, 3, 4, 5, 6), (6, 5, 4, 3, 2, 1, 0), (1, 0, 3, 2, 5, 4, 6)]:
        single = order_chance(tuple(modifiers[i] for i in order), rules.initiative_ties == "modifier")
        assert table[order] == single


@BOTH
@pytest.mark.parametrize("modifiers", [(0,), (5, -3), (2, 2, 0, 1), (30, 0, 0), (0, 1, 2, 3, 4)])
def test_orders_sum_to_one(modifiers: tuple[int, ...], rules: Ruleset) -> None:
    """Somebody is first and somebody is last: all orders together are certain."""
    table = order_chances(modifiers, rules=rules)
    assert sum(table.values()) == 1
    assert set(table) == set(permutations(range(len(modifiers))))


@BOTH
def test_a_pair_inside_a_crowd_is_a_pair(rules: Ruleset) -> None:
    """Others at the table do not change who of two acts first: sequences are compared, nobody moves up."""
    modifiers = {"a": 2, "b": 0, "c": 1, "d": 2}
    table = order_chances(modifiers, rules=rules)
    for one, other in permutations(modifiers, 2):
        before = sum(chance for order, chance in table.items() if order.index(one) < order.index(other))
        assert before == first_chance(modifiers[one], modifiers[other], rules=rules)


def test_order_is_the_same_wherever_zero_lies() -> None:
    """Only differences of modifiers matter."""
    assert order_chances([5, 3, 4]) == order_chances([-1, -3, -2])


@BOTH
@pytest.mark.parametrize("modifiers", [(0, 0), (2, 0), (1, 1, 0), (0, 0, 0)])
def test_dice_against_the_definition(modifiers: tuple[int, ...], rules: Ruleset) -> None:
    """Mean dice are everybody's first die plus, roll by roll, the dice of the groups that are tied."""
    n = len(modifiers)
    total, again = Fraction(n), Fraction(0)
    for faces in product(range(1, 21), repeat=n):
        totals: Any = {i: face + modifiers[i] for i, face in enumerate(faces)}
        known: Any = dict(enumerate(modifiers))
        groups: Any = tie_groups(totals, known, rules=rules)
        for group in groups:
            if len(group) == n:
                again += Fraction(1, 20**n)
            elif len(group) > 1:
                total += expected_dice([modifiers[i] for i in group], rules=rules) / 20**n
    assert expected_dice(modifiers, rules=rules) == total / (1 - again)


@pytest.mark.parametrize("gap", range(0, 25))
def test_dice_of_a_pair_are_its_rerolls(gap: int) -> None:
    """Two dice at first and two for every reroll."""
    for rules in (COURSE, SRD35):
        assert expected_dice([gap, 0], rules=rules) == 2 + 2 * expected_rerolls(gap, 0, rules=rules)
    assert expected_dice([gap]) == 1
    assert expected_rerolls(gap, 0, rules=SRD35) == (0 if gap else Fraction(1, 19))


def test_all_tied() -> None:
    """Every die after the first must match, and modifiers too far apart never do."""
    assert all_tie_chance({"a": 0, "b": 3}) == pair_chances(3, 0)[1]
    assert all_tie_chance([0, 25]) == 0
    assert all_tie_chance([4]) == 1
    assert all_tie_chance([3] * 1000) == Fraction(1, 20) ** 999


def test_only_equal_modifiers_roll_again_where_the_higher_breaks_ties() -> None:
    """What counts is whether the two modifiers are equal, never how large they are."""
    assert expected_rerolls(3, 3, rules=SRD35) == Fraction(1, 19)
    assert expected_rerolls(3, -3, rules=SRD35) == 0


def faces(*numbers: int) -> Callable[[], int]:
    """A die that shows these faces one after the other."""
    left = iter(numbers)
    return lambda: next(left)


def test_tied_keep_their_place_against_the_rest() -> None:
    """A tie is broken inside its place: a poor reroll never drops behind somebody who was not tied."""
    order = roll_order({"A": 0, "B": 0, "C": 3}, faces(18, 18, 12, 1, 2))
    assert order.order == ("B", "A", "C")
    assert order.faces == {"A": (18, 1), "B": (18, 2), "C": (12,)}
    assert order.rerolls == (Reroll(("A", "B"), (1, 2)),)


def test_modifiers_count_in_rerolls() -> None:
    """A reroll is an initiative check again: the lower face may win with the higher modifier."""
    order = roll_order({"A": 0, "B": 3}, faces(13, 10, 11, 9))
    assert order.order == ("B", "A")
    assert order.rerolls == (Reroll(("A", "B"), (11, 9)),)


def test_ties_of_ties() -> None:
    """Who ties again rolls again, among themselves only."""
    order = roll_order(dict.fromkeys("ABC", 1), faces(9, 9, 9, 5, 5, 7, 3, 4))
    assert order.order == ("C", "B", "A")
    assert order.rerolls == (Reroll(("A", "B", "C"), (5, 5, 7)), Reroll(("A", "B"), (3, 4)))


def test_higher_modifier_breaks_ties_where_it_may() -> None:
    """Under the other switch different modifiers need no reroll; equal ones still do."""
    order = roll_order({"A": 0, "B": 2, "C": 2}, faces(14, 12, 12, 3, 8), rules=SRD35)
    assert order.order == ("C", "B", "A")
    assert order.rerolls == (Reroll(("B", "C"), (3, 8)),)
    assert tie_groups({"A": 14, "B": 14}, {"A": 0, "B": 2}, rules=SRD35) == [["B"], ["A"]]


def test_late_rollers_are_merged() -> None:
    """Those who roll after the surprise round are compared from their first roll on; old rolls stand."""
    first = roll_order({"A": 0, "B": 0}, faces(10, 10, 6, 15))
    assert first.order == ("B", "A")
    merged = roll_order({"A": 0, "B": 0, "C": 0}, faces(10, 6, 9, 4), faces=first.faces)
    assert merged.order == ("B", "A", "C")
    assert merged.faces == {"A": (10, 6, 9), "B": (10, 15), "C": (10, 6, 4)}
    assert merged.rerolls == (Reroll(("C",), (6,)), Reroll(("A", "C"), (9, 4)))
    assert [name for name in merged.order if name != "C"] == list(first.order)


@BOTH
def test_table_procedure_follows_the_exact_chances(rules: Ruleset) -> None:
    """Rolling at the table many times lands where the exact chances say (fixed seed, so no luck is involved)."""
    modifiers, n, random = {"a": 2, "b": 1, "c": 2}, 20_000, Random(3)
    seen: dict[tuple[str, ...], int] = {}
    for _battle in range(n):
        order = roll_order(modifiers, lambda: 1 + int(random.random() * 20), rules=rules)
        seen[order.order] = seen.get(order.order, 0) + 1
    for names, chance in order_chances(modifiers, rules=rules).items():
        expected = n * float(chance)
        assert abs(seen.get(names, 0) - expected) < 4.5 * expected**0.5


def test_order_is_a_record() -> None:
    """The record of an order is comparable and cannot be changed."""
    order = roll_order({"A": 1}, faces(4))
    assert order == Order(("A",), {"A": (4,)}, ())
    with pytest.raises(AttributeError):
        order.order = ()  # type: ignore[misc]
    with pytest.raises(AttributeError):
        Reroll(("A", "B"), (3, 4)).faces = ()  # type: ignore[misc]


def test_rerolls_end_after_two_hundred() -> None:
    """The last reroll that is allowed may still decide, and one tie more is refused."""
    tied = [7, 7] * 200
    late = roll_order({"A": 0, "B": 0}, faces(*tied, 3, 4))
    assert late.order == ("B", "A")
    assert len(late.rerolls) == 200
    assert roll_order({"A": 0}, faces(), faces={"A": [7] * 200}).faces == {"A": (7,) * 200}
    with pytest.raises(ValueError, match="A, B stay tied"):
        roll_order({"A": 0, "B": 0}, faces(*tied, 4, 4, 3, 4))
    with pytest.raises(ValueError, match="at most 200"):
        roll_order({"A": 0}, faces(), faces={"A": [7] * 201})


@pytest.mark.parametrize(("names", "said"), [("ABCDE", "A, B, C, D, E stay"), ("ABCDEF", "A, B, C, D, E, ... stay")])
def test_a_crowd_that_stays_tied_is_not_named_whole(names: str, said: str) -> None:
    """Five names can be read, and of more the first five say enough."""
    with pytest.raises(ValueError, match=said):
        roll_order(dict.fromkeys(names, 0), lambda: 7)


def test_nobody_rolls_for_rules_that_are_refused() -> None:
    """A die that was rolled cannot be taken back, so what is wrong is said before the first."""
    d20 = iter([12])
    with pytest.raises(ValueError, match="rules is 'SRD35'"):
        roll_order({"A": 0}, lambda: next(d20), rules="SRD35")  # type: ignore[arg-type]
    assert list(d20) == [12]


def test_totals_end_at_ten_thousand() -> None:
    """The ends themselves are allowed, up and down, and one more is not."""
    assert tie_groups({"A": -10_000, "B": 10_000}, {"A": 0, "B": 0}) == [["B"], ["A"]]
    for total in (-10_001, 10_001):
        with pytest.raises(ValueError, match=rf"totals\['A'\] is {total}, but must be .* from -10000 to 10000"):
            tie_groups({"A": total}, {"A": 0})


@pytest.mark.parametrize(
    ("aware", "plan"),
    [
        ({"A": True, "B": False}, (True, ("A",), ("B",))),
        ({"A": True, "B": True}, (False, (), ("A", "B"))),
        ({"A": False, "B": False}, (False, (), ("A", "B"))),
    ],
)
def test_surprise_round(aware: dict[str, bool], plan: tuple[Any, ...]) -> None:
    """Mixed awareness makes a surprise round under both switches; nobody aware makes none that could be seen."""
    assert surprise_round(aware) == surprise_round(aware, rules=SRD35) == plan


def slow_dice_count(modifiers: list[int]) -> Fraction:
    """The slow twin: every group that may tie, with the others elsewhere, total by total."""
    n = len(modifiers)
    if n == 1:
        return Fraction(1)
    expected, restart = Fraction(n), Fraction(0)
    for size in range(2, n + 1):
        for group in combinations(range(n), size):
            ways = 0
            for total in range(min(modifiers) + 1, max(modifiers) + 21):
                able = [1 <= total - bonus <= 20 for bonus in modifiers]
                if all(able[i] for i in group):
                    ways += prod(20 - able[i] for i in range(n) if i not in group)
            if size == n:
                restart = Fraction(ways, 20**n)
            else:
                expected += Fraction(ways, 20**n) * slow_dice_count([modifiers[i] for i in group])
    return expected / (1 - restart)


@given(st.lists(st.integers(-3, 20), min_size=1, max_size=5))
@settings(max_examples=25, deadline=None)
def test_dice_against_every_tied_group(modifiers: list[int]) -> None:
    """Sums over sets that are kept give what looking at every tied group gives."""
    assert expected_dice(modifiers) == slow_dice_count(modifiers)


def test_dice_of_twelve_who_all_differ() -> None:
    """The largest question that is allowed; where modifiers break ties nobody rolls again."""
    assert 12 < expected_dice(list(range(12))) < 24
    assert expected_dice(list(range(12)), rules=SRD35) == 12


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: pair_chances(1.5, 0), "a is 1.5"),
        (lambda: first_chance(0, True), "b is True"),
        (lambda: order_chances([]), f"1 to {MAX_COMBATANTS}"),
        (lambda: order_chances([0] * (MAX_COMBATANTS + 1)), f"1 to {MAX_COMBATANTS}"),
        (lambda: order_chances({"wolf": "2"}), "modifiers['wolf'] is '2'"),  # type: ignore[dict-item]
        (lambda: expected_dice([0] * 13), "1 to 12"),
        (lambda: all_tie_chance(dict.fromkeys(map(str, range(1001)), 0)), "at most 1000 of them"),
        (lambda: surprise_round({}), "True or False"),
        (lambda: surprise_round(["A"]), "True or False"),  # type: ignore[arg-type]
        (lambda: surprise_round({"A": 1}), "aware['A'] is 1"),  # type: ignore[dict-item]
        (lambda: tie_groups({"A": 3}, {}), "holds 'A'"),
        (lambda: tie_groups({"A": 3.5}, {"A": 0}), "totals['A'] is 3.5"),  # type: ignore[dict-item]
        (lambda: roll_order({"A": 0}, lambda: 21), "face of A is 21"),
        (lambda: roll_order({"A": 0}, lambda: 5, faces={"A": [0]}), "face of A is 0"),
        (lambda: roll_order({"A": 0, "B": 0}, lambda: 7), "stay tied"),
    ],
)
def test_refusals(make: Callable[..., Any], said: str) -> None:
    """What has no meaning is refused, and a die with one face does not roll for ever."""
    with pytest.raises(ValueError, match=re.escape(said)):
        make()


def test_arrays_are_no_single_modifier() -> None:
    """An order is about single combatants; an array of modifiers for one name is a mistake."""
    numpy = pytest.importorskip("numpy")
    with pytest.raises(ValueError, match="one whole number"):
        order_chances({"wolf": numpy.array([1, 2])})


def test_one_earlier_face_needs_no_list() -> None:
    """A table that notes a single face for each says as much as one that notes a list of one."""
    rolled = [roll_order({"wolf": 2, "orc": 1}, lambda: 9, faces={"wolf": faces}) for faces in (12, [12])]
    assert rolled[0] == rolled[1]
    assert rolled[0].order == ("wolf", "orc")
