"""Exact chances in the middle of a turn: massive damage and bleeding leave a die that is still to fall."""

from __future__ import annotations

import sys
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from d20kit import COURSE, SRD35, Ruleset
from d20kit.battle import Attack, Battle, Combatant, Encounter, Save
from d20kit.battle.solve import spread
from d20kit.battle.solve.limits import MAX_ORDERS, TooMuchWorkError
from d20kit.battle.solve.orders import chances_of_orders
from d20kit.hit_points import State
from d20kit.order_chances import order_chance
from tests.core.battle.hands import fields_of, place_of

SIDES = (("Ann", "red", 3), ("Bob", "blue", 3), ("Cid", "blue", -5))


def kinds(battle: Battle) -> set[str]:
    """Return the kinds of events that a battle has."""
    return {event.kind for event in battle.events}


def test_between_a_heavy_hit_and_its_save_both_ends_are_open() -> None:
    """The save needs an 11: the chance before it is the mean of those after its failure and its success."""
    rules = SRD35.replace(initiative_ties="reroll")
    fire = Attack("fire", 2, "2d4", save=Save("reflex", 12))
    ann = Combatant("Ann", "red", 6, 12, Attack("boulder", 5, "1d2+50"), initiative=10)
    bob = Combatant("Bob", "blue", 120, 12, fire, fortitude=4)
    encounter = Encounter([ann, bob], rules)
    battle = next(battle for battle in map(encounter.fight, range(50)) if battle.rounds > 1)
    battle = battle.branch(place_of(battle, "attack roll"), face=12)
    place = place_of(battle, "massive damage save")
    dead, alive = (battle.branch(place, face=face) for face in (10, 11))
    before, failed, passed = (
        encounter.win_chance("red", given=one.events[: place + more])
        for one, more in ((battle, 0), (dead, 1), (alive, 1))
    )
    assert failed == 1
    assert 0 < passed < 1
    assert before == (failed + passed) / 2


def test_a_heavy_hit_may_leave_the_one_asked_for_dying() -> None:
    """At -1 hit points, just out of action, the save against death is still to come as well."""
    ann = Combatant("Ann", "red", 6, 12, Attack("boulder", 5, "1d2+50"), initiative=10)
    bob = Combatant("Bob", "blue", 50, 12, Attack("club", 2, "1d6"), fortitude=4)
    encounter = Encounter([ann, bob, replace(bob, name="Cid", hp=9)], SRD35)
    battle = encounter.fight(0)
    battle = battle.branch(place_of(battle, "attack roll"), face=12)
    battle = battle.branch(place_of(battle, "damage"), face=1)
    place = place_of(battle, "massive damage save")
    assert fields_of(battle)[place - 1].after == -1
    dead, alive = (battle.branch(place, face=face) for face in (10, 11))
    before, failed, passed = (
        encounter.fates(given=one.events[: place + more])["Bob"] for one, more in ((battle, 0), (dead, 1), (alive, 1))
    )
    assert failed[State.DEAD] == 1
    assert 0 < passed[State.STABLE] < 1
    assert before == {state: (failed[state] + passed[state]) / 2 for state in State}


def chances(encounter: Encounter, given: tuple[Any, ...]) -> dict[Any, Any]:
    """Return everything the solver says of a battle whose beginning is known."""
    fates, found = encounter.fates(given=given), encounter.odds(given=given)
    return {
        **{(name, state): chance for name, states in fates.items() for state, chance in states.items()},
        **found.win_chance,
        None: found.draw,
    }


def skirmish(kind: str) -> list[Combatant]:
    """Return who fights: with fire and bleeding, with blows that may kill outright, or who are surprised."""
    ann = Combatant("Ann", "red", 3, 12, Attack("club", 4, "1d2", threat=19), initiative=1, flat_footed_ac=9)
    fire = Attack("fire", 4, "1d2", save=Save("reflex", 12))
    bob = Combatant("Bob", "blue", 0, 12, fire, constitution=1, aware=False)
    if kind == "fire":
        return [ann, bob, replace(bob, name="Cid", hp=-8)]
    if kind == "idle":
        return [
            ann,
            replace(bob, policy="inaction"),
            replace(bob, name="Cid", hp=2, attacks=(Attack("club", 2, "1d2"),)),
        ]
    if kind == "ambush":
        maul = Attack("maul", 9, "12")
        return [replace(ann, attacks=(maul,)), replace(bob, hp=1), replace(ann, name="Cid", side="blue", hp=13)]
    # A hit in two and a save in two: not even the die of the attack leaves room for that of the save.
    return [Combatant(name, name, 61, 12, Attack("boulder", 1, "60"), fortitude=4) for name in ("Ann", "Bob")]


@pytest.mark.parametrize("rules", [COURSE.replace(disabled_attack_cost=1), SRD35.replace(initiative_ties="reroll")])
@pytest.mark.parametrize(
    ("kind", "seed"), [("fire", 3), ("fire", 5), ("boulder", 1), ("idle", 1), ("idle", 2), ("ambush", 1)]
)
def test_only_a_die_changes_the_chances_and_the_mean_of_all_faces_is_as_before(
    rules: Ruleset, kind: str, seed: int
) -> None:
    """At every moment: an event without dice tells nothing new, and before a die all of its faces are open."""
    battle = Encounter(skirmish(kind), rules).fight(seed)
    faces = {"stabilise": 100} | dict.fromkeys(
        ("attack roll", "confirmation roll", "saving throw", "massive damage save"), 20
    )
    checked = set()
    for place, event in enumerate(battle.events):
        if event.dice() and event.kind not in faces:
            continue
        before = chances(battle.encounter, battle.events[:place])
        every = range(1, faces[event.kind] + 1) if event.dice() else [None]
        after = [
            chances(battle.encounter, (battle.branch(place, face=face) if face else battle).events[: place + 1])
            for face in every
        ]
        assert before == {key: sum(one[key] for one in after) / len(after) for key in before}, event
        checked.add(event.kind)
    assert checked > {"attack roll", "state change"}


def test_who_fell_first_stays_the_first_when_its_own_turn_begins() -> None:
    """It has been decided; who falls later, or what the die before it shows, makes no other the first."""
    axe = Attack("axe", 20, "1d2+3")
    ann, bob, cid = (Combatant(name, side, 4, 12, axe) for name, side, _hp in SIDES)
    ready = [replace(ann, initiative=40), replace(bob, initiative=20), replace(cid, aware=False)]
    encounter = Encounter(ready, SRD35)
    battle = next(one for one in map(encounter.fight, range(50)) if "stabilise" in kinds(one))
    place = place_of(battle, "stabilise")
    assert [fields_of(battle)[place - 1].name, battle.events[place - 1].kind] == ["Bob", "no longer flat-footed"]
    fell = place_of(battle, "state change")
    for told in range(fell + 1, place + 2):
        assert encounter.first_to_fall(given=battle.events[:told]) == {"Ann": 0, "Bob": 1, "Cid": 0}


@pytest.mark.parametrize("hp", [-1, -2, -5, -9])
def test_before_a_stabilising_roll_both_ends_are_open(hp: int) -> None:
    """One time in ten it succeeds; otherwise a hit point is lost, at -9 the last one."""
    club = Attack("club", 2, "1d6")
    ann, bob, cid = (Combatant(name, side, hp if name == "Cid" else 3, 12, club) for name, side, _hp in SIDES)
    encounter = Encounter([ann, cid, bob], SRD35)
    battle = next(one for one in map(encounter.fight, range(50)) if "stabilise" in kinds(one))
    place = place_of(battle, "stabilise")
    before, stable, bleeding = (
        encounter.fates(given=battle.branch(place, face=face).events[: place + more])["Cid"]
        for face, more in ((10, 0), (10, 1), (11, 1))
    )
    assert before == {state: (stable[state] + 9 * bleeding[state]) / 10 for state in State}


def test_between_a_stabilising_roll_and_what_it_means_nothing_is_open() -> None:
    """Who has rolled low enough is stable for good; who has not loses the hit point before anything else happens."""
    club = Attack("club", 2, "1d6")
    ann, bob, cid = (Combatant(name, side, hp, 12, club) for name, side, hp in SIDES)
    encounter = Encounter([ann, bob, cid], SRD35)
    battle = next(one for one in map(encounter.fight, range(50)) if "stabilise" in kinds(one))
    place = place_of(battle, "stabilise")
    stable, bleeding = battle.branch(place, face=10), battle.branch(place, face=11)
    assert encounter.fates(given=stable.events[: place + 1])["Cid"][State.STABLE] == 1
    rolled, bled = (encounter.fates(given=bleeding.events[: place + more])["Cid"] for more in (1, 2))
    assert bleeding.events[place + 1].kind == "bleeding"
    assert rolled == bled
    assert 0 < rolled[State.STABLE] < 1


def test_orders_among_the_tied_are_worked_out_with_what_they_rolled() -> None:
    """Ann and Bob tied and rolled again, Bob higher: whatever Cid rolls, Bob acts before Ann."""
    chances = chances_of_orders({0: 0, 1: 0, 2: 0}, {0: (10, 4), 1: (10, 9)}, COURSE)
    assert set(chances) == {(1, 0, 2), (1, 2, 0), (2, 1, 0)}
    # Cid rolls above 10, or a 10 and then above 9, or 9 and is the highest of the two: the rest follows alike
    first = Fraction(10, 20) + Fraction(1, 20) * (Fraction(11, 20) + Fraction(1, 20) * Fraction(1, 2))
    assert chances[2, 1, 0] == first
    assert sum(chances.values()) == 1


def test_a_save_and_a_hit_without_damage_are_moments_like_others() -> None:
    """A saving throw that is told leaves nothing open any more, and neither does a net that hits."""
    fire = Attack("fire", 5, "2d4", save=Save("reflex", 12))
    ann = Combatant("Ann", "red", 7, 12, (Attack("net", 8, None), fire))
    bob = Combatant("Bob", "blue", 7, 12, Attack("club", 2, "1d6"), reflex=1)
    encounter = Encounter([ann, bob])
    battle = next(one for one in map(encounter.fight, range(99)) if {"saving throw", "harmless hit"} <= kinds(one))
    for kind, before in (("saving throw", 0), ("harmless hit", 1)):
        place = place_of(battle, kind)
        after = [encounter.win_chance("red", given=battle.events[: place + more]) for more in (1 - before, 2 - before)]
        assert after[0] == after[1]
    rolled = encounter.win_chance("red", given=battle.events[: place_of(battle, "saving throw")])
    assert rolled != encounter.win_chance("red", given=battle.events[: place_of(battle, "saving throw") + 1])


def test_targets_drawn_at_random_are_known_once_they_are_told() -> None:
    """Every moment of such a battle has a chance, and its last one is certain."""
    club = Attack("club", 2, "1d6")
    people = [Combatant(name, side, 3, 12, club, policy="random") for name, side, _hp in SIDES]
    encounter = Encounter(people)
    battle = encounter.fight(2)
    chances = [encounter.win_chance("red", given=battle.events[:told]) for told in range(len(battle.events) + 1)]
    assert all(0 <= chance <= 1 for chance in chances)
    assert chances[-1] == (battle.winner == "red")
    place = place_of(battle, "attack roll")
    with pytest.raises(ValueError, match="in a battle of this encounter"):
        encounter.win_chance("red", given=battle.events[:place] + battle.events[place + 1 :])


@pytest.mark.parametrize(
    ("modifiers", "first"), [((2, 1), Fraction(15, 20)), ((1, 2), Fraction(12, 20)), ((1, 1), Fraction(27, 40))]
)
def test_a_tie_that_the_modifier_breaks_is_no_reroll(modifiers: tuple[int, ...], first: Fraction) -> None:
    """Ann rolled 14; Bob may roll 14 more or fewer, and a tie of totals goes to the higher modifier, or is even."""
    chances = chances_of_orders(dict(enumerate(modifiers)), {0: (14,)}, SRD35)
    assert chances[0, 1] == first
    assert chances[1, 0] == 1 - first


def test_the_lower_modifier_never_wins_a_tie() -> None:
    """Before any die: Bob, one point behind, must have the higher total."""
    assert order_chance((1, 2), by_modifier=True) == Fraction(sum(range(19)), 400)
    assert order_chance((2, 1), by_modifier=True) == 1 - Fraction(sum(range(19)), 400)


def test_too_many_orders_are_refused_when_some_dice_have_fallen() -> None:
    """Ten combatants of whom one has rolled still have more orders than anybody waits for."""
    with pytest.raises(TooMuchWorkError, match=f"more than {MAX_ORDERS} orders"):
        chances_of_orders(dict.fromkeys(range(10), 0), {0: (10,)}, COURSE)


def test_numpy_is_not_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a browser there is no NumPy; its absence must be noticed, not stumbled over."""
    spread._numpy.cache_clear()
    monkeypatch.setitem(sys.modules, "numpy", None)
    try:
        assert spread._numpy() is None
        assert spread.spread([(10, [0.5], [(0, 0.5), (-1, 0.5)])], floating=True) == {10: [0.25], 9: [0.25]}
    finally:
        spread._numpy.cache_clear()


@pytest.mark.parametrize("exact", [True, False])
def test_a_battle_that_is_won_is_won_for_certain(exact: bool) -> None:
    """Its last blow has fallen: the chances are 1 and 0, in floats as well."""
    battle = Encounter.ready("duel").fight(1)
    for told in (battle.events, battle.events[:-1]):
        won = battle.encounter.odds(given=told, exact=exact).win_chance
        assert won == {side: side == battle.winner for side in battle.encounter.sides}


def test_a_battle_that_nobody_won_is_a_draw_for_certain() -> None:
    """All that was told of it leaves nothing open."""
    idle = [Combatant(name, name, 3, 12, (), policy="inaction") for name in ("Ann", "Bob")]
    battle = Encounter(idle).fight(1)
    for exact in (True, False):
        found = battle.encounter.odds(given=battle.events, exact=exact)
        assert (found.draw, *found.win_chance.values()) == (1, 0, 0)


@pytest.mark.parametrize("rows", [[], [(10, [0.5], [])]])
def test_battles_that_are_all_over_lead_nowhere(rows: Any) -> None:
    """Where every turn ends the battle no vector is left, in arrays as in plain Python."""
    assert spread.spread(rows, floating=True) == spread.spread(rows, floating=False) == {}
