"""Exact chances: known answers, identities, moments of a running battle, limits and refusals."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from d20kit import COURSE, SRD35, Ruleset
from d20kit.attack import hit_chance
from d20kit.battle import Attack, Battle, Combatant, Encounter, ScriptedDice, exact
from d20kit.battle.solve import spread
from d20kit.battle.solve.limits import TooMuchWorkError
from d20kit.damage import attack_damage, duel_chance
from d20kit.hit_points import State
from d20kit.initiative import first_chance
from tests.core.battle.known import KNOWN, known_encounter


@pytest.mark.parametrize("known", KNOWN, ids=lambda known: known["title"])
def test_known_battles(known: dict[str, Any]) -> None:
    """Initiative, surprise, states and targets that fall: each answer is the known fraction."""
    encounter = known_encounter(known)
    chance = encounter.win_chance(known["side"])
    assert chance == Fraction(known["win_chance"])
    odds = encounter.odds(exact=False)
    assert 0 < odds.error < 1e-9
    assert abs(float(odds.win_chance[known["side"]] - chance)) <= odds.error
    assert encounter.win_chance(known["side"], exact=False) == pytest.approx(float(chance), abs=odds.error)


def test_floats_without_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where NumPy is not installed plain Python gives the same floats, up to the bound of their error."""
    encounter = known_encounter(KNOWN[-1])
    odds = encounter.odds(exact=False)
    monkeypatch.setattr(spread, "_numpy", lambda: None)
    without = encounter.odds(exact=False)
    for side, chance in odds.win_chance.items():
        assert abs(float(without.win_chance[side] - chance)) <= odds.error


@pytest.mark.parametrize("known", KNOWN[:4], ids=lambda known: known["title"])
def test_the_answers_fit_together(known: dict[str, Any]) -> None:
    """Somebody wins, everybody ends somehow, the rounds add up, and whoever wins has somebody left."""
    encounter = known_encounter(known)
    odds, fates, first = encounter.odds(), encounter.fates(), encounter.first_to_fall()
    assert sum(odds.win_chance.values()) == 1
    assert odds.draw == odds.error == 0
    assert all(sum(states.values()) == 1 for states in fates.values())
    assert sum(first.values()) == 1
    rounds = encounter.round_chances(40)
    assert 1 - Fraction(1, 10**4) < sum(rounds) < 1
    assert (rounds[0] > 0) == (len({one.aware for one in encounter.combatants}) == 2)
    alone = [one for one in encounter.combatants if [x.side for x in encounter.combatants].count(one.side) == 1]
    for one in alone:
        states = fates[one.name]
        assert states[State.HEALTHY] + states[State.DISABLED] == odds.win_chance[one.side]


@pytest.mark.parametrize("bonus", [-3, 0, 8])
def test_the_mirror_duel_in_which_any_hit_drops(bonus: int) -> None:
    """Once the order is known the first mover wins 1 / (2 - h)."""
    blow = Attack("blow", bonus, "10")
    duel = Encounter([Combatant(name, name, 5, 15, blow) for name in ("Ann", "Bob")])
    assert duel.win_chance("Ann") == Fraction(1, 2)
    battle = duel.fight(1)
    told = next(k for k, event in enumerate(battle.events) if event.kind == "initiative order") + 1
    rolled: Any = battle.events[told - 1]
    first = rolled.order[0]
    assert duel.win_chance(first, given=battle.events[:told]) == 1 / (2 - hit_chance(bonus, 15))


def test_a_duel_equals_the_rule_for_duels() -> None:
    """The rule of its own for plain duels and the solver are two ways to one number."""
    ann = Combatant("Ann", "red", 14, 13, Attack("sword", 4, "1d8+1"), initiative=2)
    bob = Combatant("Bob", "blue", 11, 15, Attack("axe", 3, "1d12", multiplier=3), initiative=0)
    hers, his = attack_damage(4, 15, "1d8+1"), attack_damage(3, 13, "1d12", multiplier=3)
    starts = first_chance(2, 0)
    # at 0 hit points both can still act: one more has to be taken
    expected = starts * duel_chance(hers, 15, his, 12) + (1 - starts) * (1 - duel_chance(his, 12, hers, 15))
    assert Encounter([ann, bob]).win_chance("red") == expected


BATTLES = {
    "course": (COURSE, ["first-able"] * 3, 4),
    "srd": (SRD35, ["first-able"] * 3, 11),
    "policies": (SRD35.replace(initiative_ties="reroll"), ["weakest", "strongest", "first-able"], 3),
}


def small_encounter(rules: Ruleset, policies: list[Any]) -> Encounter:
    """Two against one, one of them unaware, one with two attacks, one disabled."""
    spear = Attack("spear", 3, "1d3+1", multiplier=3, threat=19)
    knives = [Attack("knife", 4, "1d2"), Attack("knife", 1, "1d2", extra="1d2")]
    return Encounter(
        [
            Combatant("Ann", "red", 4, 14, spear, flat_footed_ac=11, initiative=1, policy=policies[0]),
            Combatant("Cid", "red", 0, 12, spear, constitution=1, aware=False, policy=policies[1]),
            Combatant("Bob", "blue", 6, 13, knives, flat_footed_ac=12, initiative=2, policy=policies[2]),
        ],
        rules,
    )


def sides_of_dice(battle: Battle) -> Iterator[int]:
    """Return how many sides each die of a battle had."""
    sides = []

    class Dice(ScriptedDice):
        def die(self, count: int) -> int:
            sides.append(count)
            return super().die(count)

    battle.encounter.fight(dice=Dice(battle.faces))
    return iter(sides)


@pytest.mark.parametrize("name", BATTLES)
def test_total_probability(name: str) -> None:
    """Before a die falls the chance is the mean of the chances after each of its faces; nothing else changes it."""
    rules, policies, seed = BATTLES[name]
    encounter = small_encounter(rules, policies)
    battle = encounter.fight(seed)
    sides = sides_of_dice(battle)
    before = encounter.win_chance("red")
    assert encounter.win_chance("red", given=[]) == before
    for k, event in enumerate(battle.events):
        ways = list(product(*(range(1, next(sides) + 1) for _die in event.dice())))
        branches = [battle.branch(k, faces) if faces else battle for faces in ways]
        chances = [encounter.win_chance("red", given=other.events[: k + 1]) for other in branches]
        assert sum(chances) / len(chances) == before
        before = encounter.win_chance("red", given=battle.events[: k + 1])
    assert before == (battle.winner == "red")


def test_fates_of_a_finished_battle() -> None:
    """At the end everybody's fate is certain, what bleeding and the last exertion did included."""
    for seed in range(6):
        battle = small_encounter(SRD35, ["first-able"] * 3).fight(seed)
        fates = battle.encounter.fates(given=battle.events)
        assert all(fates[standing.name][standing.state] == 1 for standing in battle.standings)


def test_swings_follow_a_battle() -> None:
    """One chance for each number of events, from an open battle to a decided one."""
    battle = small_encounter(COURSE, ["first-able"] * 3).fight(2)
    assert battle.winner is not None
    chances = exact.swings(battle, battle.winner)
    assert [told for told, _chance in chances] == list(range(len(battle.events) + 1))
    assert 0 < chances[0][1] < 1
    assert chances[-1][1] == 1


def test_random_targets() -> None:
    """Two equal enemies, attacked at random, are equally likely to fall first."""
    blow = Attack("blow", 5, "1d4")
    twins = [Combatant(name, "twins", 3, 12, blow) for name in ("Ann", "Bob")]
    first = Encounter([*twins, Combatant("Cid", "cid", 9, 12, blow, policy="random")]).first_to_fall()
    assert first["Ann"] == first["Bob"] > 0


@pytest.mark.parametrize(
    "change",
    [{"policy": "inaction"}, {"attacks": []}, {"attacks": Attack("net", 5, None)}],
    ids=["policy", "none", "net"],
)
def test_a_battle_that_never_ends_is_a_draw(change: dict[str, Any]) -> None:
    """If nobody can hurt anybody, nobody wins, and every answer says so."""
    values: dict[str, Any] = {"hp": 5, "ac": 12, "attacks": Attack("club", 2, "1d6")} | change
    idle = Encounter([Combatant(name, name, **values) for name in ("Ann", "Bob")])
    for way in (True, False):
        odds = idle.odds(exact=way)
        assert odds.win_chance == {"Ann": 0, "Bob": 0}
        assert odds.draw == 1
    assert set(idle.first_to_fall().values()) == {0}
    battle = idle.fight(1)
    assert idle.odds(given=battle.events).draw == 1


def test_a_battle_that_may_never_end() -> None:
    """Ann strikes once, at Bob, and collapses: the two who are then left do nothing."""
    ann = Combatant("Ann", "red", 0, 12, Attack("blow", 4, "10"))
    idle = [Combatant(name, name, 1, 15, [], constitution=0) for name in ("Bob", "Cid")]
    odds = Encounter([ann, *idle], SRD35).odds()
    assert odds.win_chance == {"red": 0, "Bob": 0, "Cid": hit_chance(4, 15)}
    assert odds.draw == 1 - hit_chance(4, 15)


def test_many_combatants_once_initiative_is_rolled() -> None:
    """Nine have too many orders for an answer; with one of them left it is exact."""
    blow = Attack("blow", 3, "1d6+2")
    sides = ["red"] * 4 + ["blue"] * 5
    battle = Encounter([Combatant(f"{side} {i}", side, 4, 13, blow) for i, side in enumerate(sides)]).fight(3)
    with pytest.raises(TooMuchWorkError, match="initiative can fall in more than 5040 orders"):
        battle.encounter.win_chance("red", exact=False)
    told = next(k for k, event in enumerate(battle.events) if event.kind == "initiative order") + 1
    chance = battle.encounter.win_chance("red", given=battle.events[:told])
    assert isinstance(chance, Fraction)
    odds = battle.encounter.odds(given=battle.events[:told], exact=False)
    assert abs(float(odds.win_chance["red"] - chance)) <= odds.error


def test_too_much_work_is_refused_before_it_is_begun() -> None:
    """The message says how much it would be and what to do instead."""
    strong = [Combatant(f"C{i}", ("red", "blue")[i % 2], 400, 15, Attack("blow", 3, "2d6")) for i in range(6)]
    with pytest.raises(TooMuchWorkError, match=r"about \d+ million .* at most 60 million .* exact=False, or use"):
        Encounter(strong).win_chance("red")
    with pytest.raises(TooMuchWorkError, match=r"at most 150 million .*; use simulate\(\), or give the events"):
        Encounter(strong).win_chance("red", exact=False)
    with pytest.raises(TooMuchWorkError, match="ask for fewer rounds"):
        Encounter(strong).round_chances(100)


def test_progress_and_stopping() -> None:
    """Progress ends complete; a stop in the middle leaves nothing wrong behind."""
    fighters = [Combatant(name, name, 20, 12, Attack("blow", 3, "1d6")) for name in ("Ann", "Bob")]
    duel = Encounter(fighters)

    def stop(done: int, _all: int) -> None:
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        duel.win_chance("Ann", progress=stop)
    steps = []
    assert duel.win_chance("Ann", progress=lambda *step: steps.append(step)) == Fraction(1, 2)
    assert steps[0][0] == 0
    assert steps[-1][0] == steps[-1][1] > 50


def test_refusals() -> None:
    """Sides, policies, flags and events that cannot be answered for are refused in a sentence."""
    encounter = small_encounter(COURSE, ["first-able"] * 3)
    with pytest.raises(ValueError, match=r"side is 'rde'.*did you mean 'red'"):
        encounter.win_chance("rde")
    with pytest.raises(ValueError, match="exact is 1"):
        encounter.win_chance("red", exact=1)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="given is 'no event', but must be events of a battle"):
        encounter.win_chance("red", given=["no event"])  # type: ignore[list-item]
    other = Encounter.ready("duel").fight(1)
    with pytest.raises(ValueError, match=r"^given\[0\] is Awareness.* in a battle of this encounter"):
        encounter.win_chance("red", given=other.events)
    with pytest.raises(ValueError, match="most is -1"):
        encounter.round_chances(-1)
    own = small_encounter(COURSE, [lambda actor, enemies: enemies[0], "first-able", "first-able"])
    with pytest.raises(ValueError, match="the policy of Ann is a function of its own"):
        own.win_chance("red")
