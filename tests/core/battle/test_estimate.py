"""How much work an exact answer is guessed to be: the vectors counted one by one, and outcomes by hand."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from d20kit.battle import Attack, Combatant, Encounter
from d20kit.battle.exact import estimated_work
from d20kit.battle.solve.estimate import _bits, _blocks, _outcomes
from d20kit.battle.solve.roster import Roster

CLUB = Attack("club", 2, "1d6")


def roster_of(**policies: str) -> Roster:
    """Return who fights: the first letter of a name is its side."""
    return Roster(
        Encounter([Combatant(name, name[0], 50, 12, CLUB, policy=policy) for name, policy in policies.items()])
    )


def vectors(roster: Roster, margins: dict[int, int]) -> Counter[int]:
    """Count, by the number of those left, every vector in which two sides are left, one after the other."""
    found: Counter[int] = Counter()
    in_turn = all(roster.combatants[who].policy in ("first-able", "inaction") for who in margins)
    for now in product(*(range(margin + 1) for margin in margins.values())):
        left = dict(zip(margins, now, strict=True))
        living = [who for who, margin in left.items() if margin]
        sides = {roster.sides[who] for who in living}
        firsts = [next(who for who in living if roster.sides[who] == side) for side in sides]
        # Where everybody attacks the first who can act, whoever stands behind somebody who is left is whole.
        behind = all(left[who] == margins[who] for who in living if who not in firsts)
        skipped = any(
            not left[who]
            for who in margins
            for first in firsts
            if roster.sides[who] == roster.sides[first] and who > first
        )
        if len(sides) > 1 and (not in_turn or (behind and not skipped)):
            found[len(living)] += 1
    return found


@pytest.mark.parametrize(
    "policies",
    [
        {"a1": "first-able", "b1": "first-able"},
        {"a1": "first-able", "a2": "inaction", "b1": "first-able", "b2": "first-able"},
        {"a1": "weakest", "b1": "first-able", "b2": "first-able"},
        {"a1": "random", "a2": "weakest", "b1": "strongest", "c1": "weakest"},
    ],
    ids=lambda policies: " ".join(policies.values()),
)
def test_vectors_are_as_many_as_there_are(policies: dict[str, str]) -> None:
    """A guess that is too low hangs a notebook, and one that is too high refuses what could be answered."""
    roster = roster_of(**policies)
    margins = {who: 2 + who for who in range(len(policies))}
    guessed: Counter[int] = Counter()
    for count, living in _blocks(roster, margins):
        guessed[living] += count
    assert guessed == vectors(roster, margins)


def test_outcomes_are_counted_by_attack_and_target() -> None:
    """A club takes from 0 to 12, by a critical; one who strikes at random may take it from either of two enemies."""
    roster = roster_of(a1="random", b1="first-able", b2="weakest")
    assert _outcomes(roster, dict.fromkeys(range(3), 100)) == 1 + ((2 * 13 + 1) + (13 + 1) + (13 + 1)) // 3
    # Nobody can lose more than there is.
    assert _outcomes(roster, dict.fromkeys(range(3), 2)) == 1 + ((4 + 1) + (2 + 1) + (2 + 1)) // 3


def test_fractions_are_more_work_than_floats() -> None:
    """Their digits grow with every round, and whoever is refused exact chances may still have floats."""
    for name in ("duel", "last-stand"):
        encounter = Encounter.ready(name)
        assert estimated_work(encounter) > estimated_work(encounter, exact=False) > 0


def test_fractions_cost_by_their_length() -> None:
    """Half of all hit points are lost by hits, and each makes the denominator longer by that of an attack."""
    duel = Encounter.ready("duel")
    roster = Roster(duel)
    margins = dict(enumerate(roster.start))
    bits = _bits(roster, margins)
    assert bits == (roster.total(0, 0).bit_length() + roster.total(1, 0).bit_length()) * sum(roster.start) // 2
    floats = estimated_work(duel, exact=False)
    assert estimated_work(duel) == floats + floats * bits // 4_000
