"""Many narrated battles agree with what the rules say exactly."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from typing import Any

import pytest

from d20kit.attack import hit_chance
from d20kit.battle import Attack, Combatant, Encounter
from tests.core.battle.known import KNOWN, known_encounter

BATTLES = 4_000
FEWER = 1_500


@pytest.mark.parametrize("bonus", [0, 8])
def test_the_first_mover_wins_a_mirror_duel_as_often_as_the_identity_says(bonus: int) -> None:
    """If any hit drops, the first mover wins 1 / (2 - h); the flat-footed lose nothing here."""
    blow = Attack("blow", bonus, "10")
    duel = Encounter([Combatant(name, name, 5, 15, blow) for name in ("Ann", "Bob")])
    won = 0
    for seed in range(BATTLES):
        battle = duel.fight(seed)
        won += battle.winner == battle.orders["regular"][0]
    expected = Fraction(1) / (2 - hit_chance(bonus, 15))
    assert abs(won / BATTLES - expected) < 4 * sqrt(expected * (1 - expected) / BATTLES)


@pytest.mark.parametrize("known", KNOWN, ids=lambda known: known["title"])
def test_sides_win_as_often_as_exact_solutions_say(known: dict[str, Any]) -> None:
    """Duels and small battles whose exact chance is known: initiative, surprise, states and bleeding all matter."""
    encounter = known_encounter(known)
    won = sum(encounter.fight(seed).winner == known["side"] for seed in range(FEWER))
    expected = Fraction(known["win_chance"])
    assert abs(won / FEWER - expected) < 4 * sqrt(expected * (1 - expected) / FEWER)
