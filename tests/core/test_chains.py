"""States under a stream of attacks: fast polynomials, a step-by-step twin and the matrix say the same."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
import sympy

from d20kit import COURSE, SRD35, Pmf, Ruleset, d
from d20kit.damage import attack_damage, hit_damage
from d20kit.hit_points import (
    State,
    absorption,
    chain_states,
    expected_rounds,
    massive_damage_chance,
    rounds_to_death,
    stabilise_chance,
    state,
    state_chances,
    transition_matrix,
)

CALM = SRD35.replace(massive_damage=False)


def stream(
    hp: int, constitution: int, damage: Pmf, rounds: int, rules: Ruleset, fortitude: int = 0
) -> list[dict[State, Fraction]]:
    """The slow twin: every combatant is a number of hit points and whether it is stable."""
    now = {(hp, False): Fraction(1)}
    table = []
    for round_number in range(rounds + 1):
        if round_number:
            now = one_round(now, constitution, damage, rules, fortitude)
        chances = dict.fromkeys(State, Fraction(0))
        for (points, stable), chance in now.items():
            chances[state(points, constitution, stable=stable, rules=rules)] += chance
        table.append(chances)
    return table


def one_round(
    now: dict[tuple[int, bool], Fraction], constitution: int, damage: Pmf, rules: Ruleset, fortitude: int
) -> dict[tuple[int, bool], Fraction]:
    after: dict[tuple[int, bool], Fraction] = {}

    def add(points: int, stable: bool, chance: Fraction) -> None:
        key = (max(points, -10), stable)
        after[key] = after.get(key, Fraction(0)) + chance

    for (points, stable), chance in now.items():
        for taken, one in damage.items():
            dies = massive_damage_chance(taken, fortitude, rules=rules)
            add(-10, False, chance * one * dies)
            left, still = points - taken, stable and not taken
            share = chance * one * (1 - dies)
            if state(left, constitution, stable=still, rules=rules) is State.DYING:
                add(left, True, share * rules.stabilise_chance)
                add(left - 1, False, share * (1 - rules.stabilise_chance))
            else:
                add(left, still, share)
    return after


@pytest.mark.parametrize("rules", [COURSE, CALM, COURSE.replace(stabilise_chance=Fraction(1, 10))], ids=repr)
@pytest.mark.parametrize(
    ("hp", "constitution"), [(5, 0), (5, 3), (1, -2), (0, 2), (-4, 1), (-9, 0), (-10, 0), (-12, 0)]
)
def test_against_step_by_step(rules: Ruleset, hp: int, constitution: int) -> None:
    """Counting polynomials gives what following every combatant gives, wherever it starts."""
    damage = attack_damage(4, 15, "1d6", 1)
    assert state_chances(hp, constitution, damage, 6, rules=rules) == stream(hp, constitution, damage, 6, rules)


@pytest.mark.parametrize("fortitude", [-3, 4, 20])
def test_massive_damage_kills_outright(fortitude: int) -> None:
    """A hit of 50 or more kills by a failed save, whatever hit points are left."""
    damage = Pmf({0: 3, 20: 2, 50: 2, 70: 1})
    fast = state_chances(160, 2, damage, 5, fortitude=fortitude, rules=SRD35)
    assert fast == stream(160, 2, damage, 5, SRD35, fortitude)
    with pytest.raises(ValueError, match="Fortitude save bonus"):
        state_chances(160, 2, damage, 5, rules=SRD35)


@pytest.mark.parametrize(("most", "asked"), [(49, False), (50, True)])
def test_massive_damage_begins_at_fifty(most: int, asked: bool) -> None:
    """Fifty points are massive and forty-nine are not, whether one of them or both can be dealt."""
    damage = Pmf(dict.fromkeys((0, 49, most), 1))
    if asked:
        with pytest.raises(ValueError, match="Fortitude save bonus"):
            state_chances(160, 2, damage, 2, rules=SRD35)
    else:
        assert state_chances(160, 2, damage, 2, rules=SRD35) == stream(160, 2, damage, 2, SRD35)
    assert state_chances(160, 2, damage, 2, fortitude=4, rules=SRD35) == stream(160, 2, damage, 2, SRD35, 4)


def test_a_hopeless_save_always_fails() -> None:
    """Where no face saves by itself, a bonus so low that 20 is not enough leaves nobody alive."""
    rules = COURSE.replace(massive_damage=True)
    damage = Pmf({0: 1, 50: 1})
    fast = state_chances(160, 2, damage, 3, fortitude=-6, rules=rules)
    assert fast == stream(160, 2, damage, 3, rules, -6)
    assert fast[3][State.DEAD] == Fraction(7, 8)


def test_the_ends_of_every_range_are_allowed() -> None:
    """What a refusal calls allowed must be: the most and fewest hit points, the most rounds and the most work."""
    assert state_chances(1000, 0, d(6), 0)[0][State.HEALTHY] == 1
    assert state_chances(-1000, 0, d(6), 1000)[1000][State.DEAD] == 1
    assert state_chances(90, 0, d(2), 1000)[1000][State.DEAD] == 1  # 100 living points, 2 bits: the limit itself
    assert len(chain_states(200)) == 211


@pytest.mark.parametrize("hit", [0, 1, 1.0, Fraction(1, 2), sympy.Rational(1, 2), sympy.Symbol("h"), sympy.pi / 4])
def test_a_chance_to_fall_is_exact(hit: Any) -> None:
    """Whatever is exact or a formula may be the chance that an attack falls, and both ends are chances."""
    chance = sympy.nsimplify(hit)
    assert transition_matrix(1, damage=d(1), hit=hit)[0, :2] == sympy.Matrix([[1 - chance, chance]])


def test_every_round_sums_to_one() -> None:
    """Whatever happens, everybody is in exactly one state, and the dead stay dead."""
    table = state_chances(30, 2, attack_damage(7, 16, "2d6", 4), 40, rules=CALM)
    assert {sum(chances.values()) for chances in table} == {1}
    dead = [chances[State.DEAD] for chances in table]
    assert dead == sorted(dead)


@pytest.mark.parametrize(("rules", "constitution"), list(product((COURSE, CALM), (0, 2))))
def test_matrix_powers_are_rounds(rules: Ruleset, constitution: int) -> None:
    """The matrix taken to the n-th power says what the stream says after n rounds."""
    hit, chance = hit_damage("1d4", 1), Fraction(11, 20)
    attack = Pmf.mixture([(1 - chance, 0), (chance, hit)])
    matrix = transition_matrix(3, constitution, damage=hit, hit=sympy.Rational(11, 20), rules=rules)
    assert matrix == transition_matrix(3, constitution, damage=attack, rules=rules)
    states = chain_states(3, constitution, rules=rules)
    power = sympy.eye(len(states))
    for chances in state_chances(3, constitution, attack, 4, rules=rules):
        summed = dict.fromkeys(State, sympy.Integer(0))
        for column, (_hp, named) in enumerate(states):
            summed[named] += power[0, column]
        assert {one: Fraction(int(x.p), int(x.q)) for one, x in summed.items()} == chances
        power *= matrix


def test_damage_beyond_death_is_one_entry() -> None:
    """Thousands of outcomes that all kill are added up at once, not one after the other in SymPy's slow sums."""
    matrix = transition_matrix(200, damage=1000 @ d(6))
    assert list(matrix[0, :]) == [0] * (matrix.cols - 1) + [1]
    matrix = transition_matrix(3, damage=Pmf({13: 1}), rules=SRD35)
    assert list(matrix[0, :]) == [0] * (matrix.cols - 1) + [1]


def test_symbolic_hit_chance() -> None:
    """With a symbol for the hit chance rows still sum to 1, and a number put in later is the number put in first."""
    h = sympy.Symbol("h")
    matrix = transition_matrix(4, 1, damage=d(4), hit=h)
    assert all(sympy.expand(sum(matrix.row(i))) == 1 for i in range(matrix.rows))
    half = sympy.Rational(1, 2)
    assert matrix.subs(h, half) == transition_matrix(4, 1, damage=d(4), hit=half)
    rounds = expected_rounds(transition_matrix(1, damage=d(20) + 10, hit=h))
    assert sympy.simplify(rounds[0] - 1 / h) == 0


@pytest.mark.parametrize("k", range(1, 10))
def test_absorption_of_the_dying(k: int) -> None:
    """Left alone, a dying combatant ends stable or dead with the closed chances, after the closed number of rounds."""
    states = chain_states(0, rules=SRD35)
    matrix = transition_matrix(0, rules=SRD35)
    row = states.index((-k, State.DYING))
    ends = absorption(matrix)
    final = [named for i, (_hp, named) in enumerate(states) if matrix[i, i] == 1]
    stable = sum(ends[row, column] for column, named in enumerate(final) if named is State.STABLE)
    assert Fraction(int(stable.p), int(stable.q)) == stabilise_chance(-k)
    assert sum(ends.row(row)) == 1
    course = expected_rounds(transition_matrix(0))
    assert course[chain_states(0).index((-k, State.DYING))] == rounds_to_death(-k)


def test_a_blow_that_kills_at_once_counts_once() -> None:
    """From the first state, too, all ends together are certain, even where one round can lead to the last state."""
    ends = absorption(transition_matrix(1, damage=Pmf({0: 2, 1: 1, 20: 1}), rules=SRD35))
    assert {sum(ends.row(row)) for row in range(ends.rows)} == {1}
    deadly = absorption(transition_matrix(1, damage=Pmf({0: 1, 20: 1})))
    assert list(deadly.col(-1)) == [1] * deadly.rows


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: state_chances(10**6, 0, d(6), 3), "hp is 1000000"),
        (lambda: state_chances(5, 0, d(6), -1), "rounds is -1"),
        (lambda: state_chances(1000, 0, d(6), 1000), "too much work"),
        (lambda: state_chances(5, 0, d(6) - 3, 1), "negative outcomes"),
        (lambda: state_chances(5, 0.5, d(6), 1), "constitution is 0.5"),  # type: ignore[arg-type]
        (lambda: state_chances(sympy.Symbol("hp", integer=True), 0, d(6), 1), "one whole number"),
        (lambda: transition_matrix(-1), "maximum is -1"),
        (lambda: transition_matrix(10**6), "from 0 to 200"),
        (lambda: transition_matrix(3, damage=d(4), hit=2), "a chance from 0 to 1"),
        (lambda: transition_matrix(201), "from 0 to 200"),
        *(
            (lambda hit=hit: transition_matrix(3, damage=d(4), hit=hit), "hit is")
            for hit in (-1, 1.5, 0.5, Fraction(3, 2), "1/2", None, sympy.Float(0.5), sympy.I, sympy.Rational(-1, 2))
        ),
        (lambda: state_chances(1001, 0, d(6), 0), "hp is 1001, but must be a whole number from -1000 to 1000"),
        (lambda: state_chances(-1001, 0, d(6), 0), "hp is -1001"),
        (lambda: state_chances(5, 0, d(6), 1001), "rounds is 1001, but must be a whole number from 0 to 1000"),
        (lambda: state_chances(91, 0, d(2), 1000), "too much work"),
        (lambda: state_chances(31, 0, d(2), 1000, rules=SRD35), "too much work"),
        (lambda: absorption(sympy.zeros(0, 0)), "0 x 0"),
        (lambda: absorption(sympy.Matrix([[1, 0], [1, 1]])), "2 x 2"),
        (lambda: absorption(sympy.zeros(2, 2)), "2 x 2"),
        (lambda: absorption(sympy.ones(2, 3)), "2 x 3"),
        (lambda: absorption([[1, 0], [0, 1]]), "matrix is [[1, 0], [0, 1]], but must be a matrix of transition_matrix"),
        (lambda: expected_rounds(sympy.ones(2, 2)), "transition_matrix"),
    ],
)
def test_refusals(make: Callable[..., Any], said: str) -> None:
    """What has no meaning, or too much work in it, is refused."""
    with pytest.raises(ValueError, match=re.escape(said)):
        make()
