"""Orders of turns once dice have been seen: what they rule out is never looked at."""

from __future__ import annotations

import pytest

from d20kit import COURSE, SRD35
from d20kit.battle.solve.orders import chances_of_orders
from d20kit.rulesets import Ruleset

BY_MODIFIER = COURSE.replace(initiative_ties="modifier")


@pytest.mark.parametrize("rules", [COURSE, BY_MODIFIER])
def test_of_seen_dice_one_order_is_left(rules: Ruleset) -> None:
    """Eight who have rolled could act in 40,320 orders, too many to solve; their faces leave one."""
    faces = {who: (20 - 2 * who,) for who in range(8)}
    assert chances_of_orders(dict.fromkeys(range(8), 1), faces, rules) == {tuple(range(8)): 1}


def test_the_higher_modifier_decides_the_first_roll_alone() -> None:
    """Eight equal totals of unequal modifiers leave one order, too, where ties are broken by modifier."""
    modifiers = {who: 8 - who for who in range(8)}
    faces = {who: (1 + who,) for who in range(8)}
    assert chances_of_orders(modifiers, faces, BY_MODIFIER) == {tuple(range(8)): 1}


@pytest.mark.parametrize("rules", [COURSE, SRD35, BY_MODIFIER])
def test_rerolls_decide_among_the_tied(rules: Ruleset) -> None:
    """The second face of those whose first ones tied with equal modifiers decides; that of a third is not asked for."""
    assert chances_of_orders({0: 2, 1: 2, 2: 0}, {0: (9, 3), 1: (9, 8), 2: (4,)}, rules) == {(1, 0, 2): 1}
