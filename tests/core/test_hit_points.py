"""Hit points: states, bleeding, stabilising, massive damage, lost Constitution."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy

from d20kit import COURSE, SRD35, Ruleset
from d20kit.hit_points import (
    State,
    after_constitution_loss,
    disabled_attack_cost,
    disabled_floor,
    expected_dying_rounds,
    massive_damage_chance,
    rounds_to_death,
    stabilise_chance,
    state,
    survival_chance,
)


@pytest.mark.parametrize("constitution", range(-5, 15))
def test_states_over_the_whole_line(constitution: int) -> None:
    """Four bands without a gap, dead winning over disabled, and one point wide under the other switch."""
    band = min(max(0, constitution), 9)
    for hp in range(-20, 20):
        if hp <= -10:
            wanted = State.DEAD
        elif hp >= 1:
            wanted = State.HEALTHY
        else:
            wanted = State.DISABLED if hp >= -band else State.DYING
        assert state(hp, constitution) is wanted
        assert state(hp, constitution, stable=True) is (State.STABLE if wanted is State.DYING else wanted)
        zero = state(hp, constitution, rules=SRD35)
        assert zero is (State.DYING if -10 < hp < 0 else State.DISABLED if hp == 0 else wanted)


def test_who_can_act() -> None:
    """Healthy and disabled combatants act; the others only lie there."""
    assert [one.can_act for one in State] == [True, True, False, False, False]


def test_states_of_arrays() -> None:
    """A line of hit points is coloured with one call, and so is a row of Constitutions."""
    line = np.arange(-11, 3)
    assert list(np.asarray(state(line, 2))) == [state(int(hp), 2) for hp in line]
    assert list(np.asarray(state(-2, np.array([1, 2])))) == [State.DYING, State.DISABLED]
    with pytest.raises(ValueError, match="not a formula"):
        state(sympy.Symbol("hp", integer=True))


@pytest.mark.parametrize(("hp", "wanted"), [(5, State.HEALTHY), (-10, State.DEAD)])
def test_a_row_of_constitutions_has_a_row_of_states(hp: int, wanted: State) -> None:
    """Where Constitution decides nothing there is still one state for each, and rows of two lengths have no pairs."""
    assert list(np.asarray(state(hp, np.array([0, 1, 2])))) == [wanted] * 3
    with pytest.raises(ValueError, match=r"constitution is .* whose shape fits"):
        state(np.array([hp, hp]), np.array([0, 1, 2]))


def test_rounds_to_death_of_arrays() -> None:
    """An array keeps None for everybody who is not dying."""
    assert list(np.asarray(rounds_to_death(np.array([0, -1, -9, -10])))) == [None, 9, 1, None]
    assert rounds_to_death(-2, 2, rules=SRD35) == 8


def bleed(hp: int, rounds: int, chance: Fraction) -> tuple[Fraction, Fraction, Fraction]:
    """The slow twin: chances of stable, dying and dead after some rounds, and rounds spent dying."""
    dying, stable, spent = {hp: Fraction(1)}, Fraction(0), Fraction(0)
    for _round in range(rounds):
        spent += sum(dying.values())
        stable += chance * sum(dying.values())
        dying = {points - 1: (1 - chance) * one for points, one in dying.items() if points - 1 > -10}
    return stable, sum(dying.values(), Fraction(0)), spent


@pytest.mark.parametrize("hp", range(-10, 0))
@pytest.mark.parametrize("rules", [COURSE, SRD35], ids=["COURSE", "SRD35"])
def test_bleeding_against_round_by_round(hp: int, rules: Ruleset) -> None:
    """The closed forms agree with bleeding one round at a time."""
    if hp == -10:
        assert survival_chance(hp, 0, rules=rules) == stabilise_chance(hp, rules=rules) == 0
        return
    for rounds in range(0, 14):
        stable, dying, _spent = bleed(hp, rounds, rules.stabilise_chance)
        assert survival_chance(hp, rounds, rules=rules) == (
            stable + dying if dying else stabilise_chance(hp, rules=rules)
        )
    stable, _dying, spent = bleed(hp, 12, rules.stabilise_chance)
    assert stabilise_chance(hp, rules=rules) == stable
    assert expected_dying_rounds(hp, rules=rules) == spent


def test_disabled_attack_cost() -> None:
    """Only a disabled attacker pays, and only where the rules say so."""
    paying = COURSE.replace(disabled_attack_cost=1)
    assert [disabled_attack_cost(hp, 2, rules=paying) for hp in (1, 0, -2, -3)] == [0, 1, 1, 0]
    assert {disabled_attack_cost(hp, 2) for hp in range(-5, 3)} == {0}


@pytest.mark.parametrize("fortitude", range(-2, 20))
def test_massive_damage(fortitude: int) -> None:
    """Below 50 nobody dies outright; from 50 on the save decides, read by its own switch."""
    assert massive_damage_chance(49, fortitude) == 0
    assert massive_damage_chance(50, fortitude) == 1 - min(
        max(Fraction(6 + fortitude, 20), Fraction(1, 20)), Fraction(19, 20)
    )
    assert massive_damage_chance(99, fortitude, rules=COURSE) == 0
    plain_save = COURSE.replace(massive_damage=True)
    assert massive_damage_chance(50, fortitude, rules=plain_save) == 1 - min(Fraction(6 + fortitude, 20), Fraction(1))


def test_lost_constitution() -> None:
    """Each step takes a point from every die, never below one a die, and wounds stay."""
    assert after_constitution_loss(40, 5, 4, 14, 10) == (40, 35)
    assert after_constitution_loss(40, 5, 4, 14, 10, rules=SRD35) == (32, 27)
    assert after_constitution_loss(20, 5, 4, 14, 0, rules=SRD35) == (4, -1)
    assert after_constitution_loss(3, 0, 4, 14, 14, rules=SRD35) == (3, 3)


def test_lost_constitution_of_arrays() -> None:
    """A row of scores may begin with the one from before: nothing is lost there, and only a rise is refused."""
    most, left = after_constitution_loss(20, 3, 2, 14, np.array([14, 12, 8]), rules=SRD35)
    assert (list(most), list(left)) == ([20, 18, 14], [17, 15, 11])
    with pytest.raises(ValueError, match=r"after is array.*at most before, which is 14"):
        after_constitution_loss(20, 3, 2, 14, np.array([12, 16]))


def test_the_frailest_can_lose_constitution() -> None:
    """One hit point, one hit die and a score of 0 are the least there is, and each of them is allowed."""
    assert after_constitution_loss(1, 0, 1, 10, 8, rules=SRD35) == (1, 1)
    assert after_constitution_loss(5, 0, 1, 0, 0, rules=SRD35) == (5, 5)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: state(1.5), "hp is 1.5"),
        (lambda: state(True), "hp is True"),
        (lambda: state(1, stable=1), "stable is 1"),  # type: ignore[arg-type]
        (lambda: state(10**9), "hp is 1000000000"),
        (lambda: disabled_floor(0.5), "constitution is 0.5"),
        (lambda: stabilise_chance(0), "only a combatant below 0"),
        (lambda: survival_chance(-11, 1), "hp is -11"),
        (lambda: survival_chance(-1, -1), "rounds is -1"),
        (lambda: massive_damage_chance(-1, 0), "damage is -1"),
        (lambda: after_constitution_loss(10, 0, 1, 10, 12), "at most before"),
        (lambda: after_constitution_loss(0, 0, 1, 10, 8), "maximum_hp is 0"),
        (lambda: after_constitution_loss(10, -1, 1, 10, 8), "wounds is -1"),
        (lambda: after_constitution_loss(10, 0, 0, 10, 8), "hit_dice is 0"),
        (lambda: after_constitution_loss(10, 0, 1, -1, -1), "before is -1"),
        (lambda: after_constitution_loss(10, 0, 1, 0, -1), "after is -1"),
    ],
)
def test_refusals(make: Callable[..., Any], said: str) -> None:
    """What has no meaning is refused by argument, value and range."""
    with pytest.raises(ValueError, match=re.escape(said)):
        make()


def test_hit_points_end_at_a_hundred_thousand() -> None:
    """The ends themselves are allowed, up and down, and one more is not."""
    assert [state(hp) for hp in (-100_000, 100_000)] == [State.DEAD, State.HEALTHY]
    for hp in (-100_001, 100_001):
        with pytest.raises(ValueError, match=f"hp is {hp}, but must be .* from -100000 to 100000"):
            state(hp)
