"""Battles seen again step by step, and told with one die fallen otherwise."""

from __future__ import annotations

import json
from typing import Any

import pytest

from d20kit import SRD35
from d20kit.battle import Battle, Encounter, ScriptedDice
from d20kit.hit_points import State
from tests.core.battle.hands import Scripted, Warrior, fields_of, place_of


@pytest.fixture
def battle() -> Battle:
    """A battle with a surprise round, ties, criticals and deaths."""
    return Encounter.ready("ambush").fight(8)


def test_stepping_shows_how_everybody_stands(battle: Battle) -> None:
    """Whoever steps through a battle sees hit points, states and who is still flat-footed after each event."""
    moments = list(battle.replay())
    assert [moment.place for moment in moments] == list(range(len(battle.events)))
    assert all(standing.flat_footed for standing in moments[0].standings)
    assert moments[-1].standings == battle.standings
    place = place_of(battle, "state change")
    event = fields_of(battle)[place]
    before, after = ({one.name: one for one in moments[k].standings}[event.name] for k in (place - 1, place))
    assert (before.hp, after.hp, after.state) == (event.before, event.after, event.state)


def test_stepping_sees_the_stable(warrior: Warrior, scripted: Scripted) -> None:
    """A state may change without a hit point lost."""
    ann, bob, cid = warrior("Ann", "red"), warrior("Bob", "blue", hp=1), warrior("Cid", "blue", hp=1)
    fought = scripted(ann, bob, cid, faces=[15, 10, 5, 14, 3, 10, 2, 14, 6], rules=SRD35)
    place = place_of(fought, "stabilise")
    assert next(m for m in fought.replay() if m.place == place).standings[1].state is State.STABLE


def test_what_if_this_die_had_been_twenty(battle: Battle) -> None:
    """Everything before it is as it was, the die shows the face, and what it changes follows."""
    place = place_of(battle, "attack roll")
    other = battle.branch(place, face=20)
    assert other.events[:place] == battle.events[:place]
    assert (fields_of(other)[place].face, fields_of(other)[place].outcome.value) == (20, "critical")
    assert other.faces != battle.faces


def test_a_branch_with_the_same_face_is_the_same_battle(battle: Battle) -> None:
    """All other dice fall as they would have fallen, so nothing changes if nothing is changed."""
    for place, event in enumerate(battle.events):
        if event.dice():
            assert battle.branch(place, face=event.dice()).events == battle.events


def test_branches_can_be_branched(battle: Battle) -> None:
    """What was changed stays changed, and is told with the battle."""
    place = place_of(battle, "initiative roll")
    once = battle.branch(place, face=1)
    later = place_of(once, "attack roll")
    twice = once.branch(later, face=1)
    assert (fields_of(twice)[place].face, fields_of(twice)[later].face) == (1, 1)
    assert [face for _position, face in twice.changed] == [1, 1]
    assert twice.seed == battle.seed


def test_another_future_from_one_moment(battle: Battle) -> None:
    """With a seed the past is kept and everything from the event on is rolled anew."""
    place = place_of(battle, "round begins")
    futures = {battle.branch(place, seed=seed).events for seed in range(8)}
    assert {events[:place] for events in futures} == {battle.events[:place]}
    assert len(futures) == 8
    assert battle.branch(place, seed=3) == battle.branch(place, seed=3)


def test_a_scripted_battle_needs_a_seed_for_what_comes_after(battle: Battle) -> None:
    """A script says nothing of dice that were not rolled."""
    script = battle.encounter.fight(dice=ScriptedDice(battle.faces))
    place = place_of(script, "attack roll")
    with pytest.raises(ValueError, match=r"seed is None, .* write branch\(k, seed=1\)"):
        script.branch(place, face=20)
    assert fields_of(script.branch(place, face=20, seed=1))[place].face == 20


@pytest.mark.parametrize(
    ("kind", "face", "message"),
    [
        ("attack roll", 21, "face is 21, but must be a whole number from 1 to 20; this roll is a d20"),
        ("attack roll", "20", "face is '20'"),
        ("attack roll", (20, 20), "1 face, in place of"),
        ("attack roll", None, r"face is None, .* nothing would be different"),
        ("damage", (1, 2, 3, 4, 5, 6, 7), "1 face, in place of"),
        ("round begins", 20, "left out: 'round begins' rolls no die"),
    ],
)
def test_impossible_branches_are_refused(battle: Battle, kind: str, face: Any, message: str) -> None:
    """The sentence says what the event rolls."""
    with pytest.raises(ValueError, match=message):
        battle.branch(place_of(battle, kind), face=face)


def test_there_is_no_event_beyond_the_last(battle: Battle) -> None:
    """Events are counted from 0."""
    odd: tuple[Any, ...] = (-1, len(battle.events), 1.5, None)
    for place in odd:
        with pytest.raises(ValueError, match=r"index is .* battle.events"):
            battle.branch(place, face=20)
    with pytest.raises(ValueError, match="seed is"):
        battle.branch(0, seed="x")  # type: ignore[arg-type]


def test_a_policy_that_changes_its_mind_cannot_be_branched(warrior: Warrior) -> None:
    """A branch keeps the past, which such a policy would rewrite."""
    asked = []

    def moody(actor: Any, enemies: Any) -> Any:
        asked.append(actor)
        return enemies[-1] if len(asked) % 2 else enemies[0]

    ann = warrior("Ann", "red", policy=moody, initiative=30, hp=200)
    enemies = [warrior(name, "blue", hp=30, initiative=k) for k, name in enumerate(("Bob", "Cid", "Dan"))]
    fought = next(
        fought
        for fought in (Encounter([ann, *enemies]).fight(seed) for seed in range(50))
        if sum(event.kind == "attack roll" and event.attacker == "Ann" for event in fields_of(fought)) % 2
    )
    with pytest.raises(ValueError, match="a policy does not repeat itself"):
        fought.branch(len(fought.events) - 1, seed=1)


def test_json_lines_are_the_records(battle: Battle) -> None:
    """One event on each line, for whatever reads line by line."""
    lines = battle.to_json_lines()
    assert lines.endswith("}\n")
    assert [json.loads(line) for line in lines.splitlines()] == battle.to_records()


def test_whoever_watches_hears_every_event_in_time() -> None:
    """A table that shows the battle live must not wait for its end."""
    heard: list[Any] = []
    fought = Encounter.ready("duel").fight(3, watch=heard.append)
    assert tuple(heard) == fought.events


def test_a_watcher_that_fails_stops_the_battle() -> None:
    """An error of the one who watches is that one's own, and is not hidden."""

    def fail(event: Any) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        Encounter.ready("duel").fight(3, watch=fail)


def test_whoever_watches_a_branch_hears_all_of_it(battle: Battle) -> None:
    """What else might have come may be a longer battle than the one that was fought: it can be watched, and ended."""
    heard: list[Any] = []
    index = next(k for k, event in enumerate(battle.events) if event.kind == "attack roll")
    other = battle.branch(index, 20, watch=heard.append)
    assert tuple(heard) == other.events
    assert other == battle.branch(index, 20)


def test_a_battle_in_a_list_is_one_short_line() -> None:
    """Its hundreds of events and dice would bury what somebody looks for."""
    assert repr(Encounter.ready("duel").fight(1)) == "Battle(seed=1)"
