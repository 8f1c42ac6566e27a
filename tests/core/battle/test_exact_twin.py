"""The exact solver equals a brute force that knows nothing of its shortcuts."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from d20kit import COURSE, SRD35
from d20kit.battle import Attack, Combatant, Encounter, Save
from tests.core.battle.brute_force import every_way, solve

MIXED = SRD35.replace(disabled_band="constitution", initiative_ties="reroll")

attacks = st.builds(
    Attack,
    st.just("blow"),
    st.integers(2, 9),
    st.sampled_from(["1d2", "1", "1d2-1", "1d3"]),
    multiplier=st.integers(2, 3),
    threat=st.sampled_from([18, 20]),
    extra=st.sampled_from([None, "1d2"]),
    touch=st.booleans(),
    save=st.sampled_from([None, None, Save("reflex", 9), Save("will", 12, "none")]),
)


@st.composite
def tiny_encounters(draw, most):
    """Two or three weak combatants on two sides or three."""
    count = draw(st.integers(2, most))
    sides = draw(st.sampled_from([("red", "blue", "red"), ("red", "blue", "blue"), ("red", "blue", "green")]))
    combatants = [
        Combatant(
            f"C{index}",
            sides[index],
            draw(st.integers(0, 3)),
            12,
            draw(st.lists(attacks, min_size=1, max_size=2 if most == 2 else 1)),
            constitution=draw(st.integers(-1, 2)),
            initiative=draw(st.integers(0, 2)),
            flat_footed_ac=draw(st.sampled_from([9, 12])),
            aware=draw(st.booleans()),
            uncanny_dodge=draw(st.booleans()),
            base_attack_bonus=draw(st.sampled_from([0, 6])) if most == 2 else 0,
            policy=draw(st.sampled_from(["first-able", "weakest", "strongest"])),
        )
        for index in range(count)
    ]
    return Encounter(combatants, draw(st.sampled_from([COURSE, SRD35, MIXED])))


def check(encounter):
    """Compare every chance as a fraction."""
    wins, fates = solve(encounter)
    assert encounter.odds().win_chance == wins
    assert encounter.fates() == fates
    assert sum(wins.values()) == 1


@settings(max_examples=15, deadline=None)
@given(tiny_encounters(2))
def test_duels(encounter):
    """Several attacks a turn, disabled bands and what acting costs, saves, surprise: each face of each die."""
    check(encounter)


@settings(max_examples=6, deadline=None)
@given(tiny_encounters(3))
def test_three(encounter):
    """A third one brings bleeding, stabilising, three sides, and targets that change within a turn."""
    check(encounter)


@pytest.mark.parametrize("rules", [COURSE, SRD35])
def test_massive_damage(rules):
    """One hit of 50 may kill by its saving throw what it leaves with hit points."""
    blow = Attack("fall", 5, "1d2*25")
    giants = [Combatant(name, name, 51, 14, blow, fortitude=4) for name in ("Ann", "Bob")]
    check(Encounter(giants, rules))


def test_the_brute_force_itself():
    """Its enumeration of two dice is the one of every schoolbook."""
    sevens = sum(chance for chance, total in every_way(lambda dice: dice.die(6) + dice.die(6)) if total == 7)
    assert sevens == Fraction(1, 6)
