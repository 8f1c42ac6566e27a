"""The exact solver equals a brute force that knows nothing of its shortcuts."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from d20kit import COURSE, SRD35, Ruleset
from d20kit.battle import Attack, Combatant, Encounter, Save, exact
from tests.core.battle.brute_force import every_way, solve
from tests.core.variants import BEFORE_A_BATTLE, variants

RULES = variants(without=BEFORE_A_BATTLE)
# Every face of every die is tried, so a turn may have a few dice only: one thing at a time.
STYLES: dict[str, tuple[st.SearchStrategy[Ruleset], dict[str, Any], int]] = {
    "plain": (st.just(COURSE), {"extra": st.sampled_from([None, "1d2"])}, 1),
    "two attacks": (st.just(COURSE), {}, 2),
    "save": (st.just(COURSE), {"save": st.sampled_from([Save("reflex", 9), Save("will", 12, "none")])}, 1),
    "srd": (st.just(SRD35), {"threat": st.sampled_from([19, 20])}, 1),
    "mixed": (st.sampled_from([*RULES.values()]), {}, 1),
}


@st.composite
def tiny_encounters(draw: st.DrawFn, count: int) -> Encounter:
    """Two or three weak combatants on two sides or three."""
    names = [name for name in sorted(STYLES) if count == 2 or name != "two attacks"]
    rules, options, most = STYLES[draw(st.sampled_from(names))]
    blow = st.builds(
        Attack,
        st.just("blow"),
        st.integers(2, 9),
        st.sampled_from(["1d2", "1", "1d2-1"]),
        multiplier=st.integers(2, 3),
        touch=st.booleans(),
        **options,
    )
    sides = draw(st.sampled_from([("red", "blue", "red"), ("red", "blue", "blue"), ("red", "blue", "green")]))
    combatants = [
        Combatant(
            f"C{index}",
            sides[index],
            draw(st.integers(0, 2)),
            12,
            draw(st.lists(blow, min_size=1, max_size=most)),
            constitution=draw(st.integers(-1, 1)),
            initiative=draw(st.integers(0, 2)),
            flat_footed_ac=draw(st.sampled_from([9, 12])),
            aware=draw(st.booleans()),
            uncanny_dodge=draw(st.booleans()),
            policy=draw(st.sampled_from(["first-able", "weakest", "strongest"])),
        )
        for index in range(count)
    ]
    return Encounter(combatants, draw(rules))


def check(encounter: Encounter) -> None:
    """Compare every chance as a fraction."""
    wins, fates = solve(encounter)
    exact.forget()
    # the last side first: its chance is what the others leave
    assert {side: encounter.win_chance(side) for side in reversed(encounter.sides)} == wins
    odds, floats = encounter.odds(), encounter.odds(exact=False)
    assert odds.win_chance == wins
    assert odds.draw == floats.draw == 0
    assert all(abs(Fraction(floats.win_chance[side]) - chance) <= floats.error for side, chance in wins.items())
    assert encounter.fates() == fates
    assert sum(wins.values()) == 1


@settings(max_examples=10, deadline=None)
@given(tiny_encounters(2))
def test_duels(encounter: Encounter) -> None:
    """Several attacks a turn, disabled bands and what acting costs, saves, surprise: each face of each die."""
    check(encounter)


@settings(max_examples=3, deadline=None)
@given(tiny_encounters(3))
def test_three(encounter: Encounter) -> None:
    """A third one brings bleeding, stabilising, three sides, and targets that change within a turn."""
    check(encounter)


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_every_switch_alone(rules: Ruleset) -> None:
    """A new switch, or a new value, is met by the solver's shortcuts at once: criticals, a save, bands, surprise."""
    stab, burn = Attack("stab", 6, "1d2"), Attack("burn", 9, "2", save=Save("reflex", 25))
    ann = Combatant("Ann", "red", 1, 12, stab, constitution=1, initiative=1, flat_footed_ac=9)
    check(Encounter([ann, Combatant("Bob", "blue", 2, 15, burn, flat_footed_ac=9, aware=False)], rules))


@pytest.mark.parametrize("rules", [COURSE, SRD35])
def test_massive_damage(rules: Ruleset) -> None:
    """One hit of 50 may kill by its saving throw what it leaves with hit points."""
    blow = Attack("fall", 5, "1d2*25")
    giants = [Combatant(name, name, 51, 14, blow, fortitude=4) for name in ("Ann", "Bob")]
    check(Encounter(giants, rules))


def test_the_brute_force_itself() -> None:
    """Its enumeration of two dice is the one of every schoolbook."""
    sevens = sum(chance for chance, total in every_way(lambda dice: dice.die(6) + dice.die(6)) if total == 7)
    assert sevens == Fraction(1, 6)
