"""What must hold in every battle, whoever fights."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from d20kit.battle import Attack, Combatant, Encounter, Save, ScriptedDice
from d20kit.battle.events import HitPointChange
from tests.core.battle.hands import fields_of
from tests.core.variants import variants


@st.composite
def weapons(draw: st.DrawFn) -> Attack:
    """Any attack: with and without bonus dice, damage of its own, and a save against the damage."""
    damage = draw(st.sampled_from(["1d6", "1d4-2", "2d4+4", "1d8+3", "60", None]))
    saves = [None] if damage is None else [None, Save("fortitude", 12), Save("reflex", 14, "none")]
    return Attack(
        draw(st.sampled_from(["club", "axe"])),
        draw(st.integers(-2, 12)),
        damage,
        multiplier=draw(st.integers(2, 4)),
        threat=draw(st.integers(17, 20)),
        extra=draw(st.sampled_from([None, "1d6"])),
        touch=draw(st.booleans()),
        save=draw(st.sampled_from(saves)),
    )


@st.composite
def encounters(draw: st.DrawFn) -> Encounter:
    """Two to five combatants on two sides, everybody able at the start."""
    combatants = [
        Combatant(
            f"C{index}",
            ("red", "blue")[index % 2],
            draw(st.integers(0, 80)),
            16,
            draw(st.lists(weapons(), min_size=1, max_size=3)),
            constitution=draw(st.integers(-2, 4)),
            initiative=draw(st.integers(-1, 4)),
            flat_footed_ac=draw(st.integers(12, 16)),
            touch_ac=draw(st.integers(10, 16)),
            aware=draw(st.booleans()),
            uncanny_dodge=draw(st.booleans()),
            base_attack_bonus=draw(st.integers(0, 12)),
            reflex=draw(st.integers(-1, 4)),
            policy=draw(st.sampled_from(["first-able", "weakest", "strongest", "random"])),
        )
        for index in range(draw(st.integers(2, 5)))
    ]
    return Encounter(combatants, draw(st.sampled_from([*variants().values()])))


@settings(max_examples=40, deadline=None)
@given(encounters(), st.integers(0, 2**63 - 1))
def test_every_battle_is_consistent(encounter: Encounter, seed: int) -> None:
    """Hit points follow from event to event, only the able attack and are attacked, and the faces tell it again."""
    battle = encounter.fight(seed)
    hp = {one.name: one.hp for one in encounter.combatants}
    able = dict.fromkeys(hp, True)
    for event in fields_of(battle):
        if isinstance(event, HitPointChange):
            assert event.before == hp[event.name]
            assert event.after <= event.before
            hp[event.name], able[event.name] = event.after, event.state.can_act
        elif event.kind == "attack roll":
            assert able[event.attacker]
            assert able[event.target]
    assert hp == {standing.name: standing.hp for standing in battle.standings}
    assert able == {standing.name: standing.state.can_act for standing in battle.standings}
    assert sum((event.dice() for event in battle.events), ()) == battle.faces
    script = ScriptedDice(battle.faces, choices=seed)
    assert encounter.fight(dice=script).events == battle.events


@settings(max_examples=40, deadline=None)
@given(encounters(), st.integers(0, 2**63 - 1), st.data())
def test_every_battle_can_be_replayed_and_branched(encounter: Encounter, seed: int, data: st.DataObject) -> None:
    """A replay ends as the battle ended; a branch keeps what came before, and shows the face asked for."""
    battle = encounter.fight(seed)
    replayed = list(battle.replay())
    assert tuple(moment.event for moment in replayed) == battle.events
    assert replayed[-1].standings == battle.standings
    index = data.draw(st.integers(0, len(battle.events) - 1))
    fresh = battle.branch(index, seed=data.draw(st.integers(0, 9)))
    assert fresh.events[:index] == battle.events[:index]
    dice = battle.events[index].dice()
    if dice:
        ones = (1,) * len(dice)
        for other in (battle, fresh):
            if other.events[index].dice():
                changed = other.branch(index, face=(1,) * len(other.events[index].dice()))
                assert set(changed.events[index].dice()) == {1}
        assert battle.branch(index, face=ones).events[:index] == battle.events[:index]
        assert battle.branch(index, face=dice).events == battle.events


@settings(max_examples=40, deadline=None)
@given(encounters(), st.integers(0, 2**63 - 1))
def test_every_battle_has_an_outcome(encounter: Encounter, seed: int) -> None:
    """A side wins when the others have nobody able; only then, and only the round limit makes a draw."""
    battle = encounter.fight(seed)
    able = {standing.side for standing in battle.standings if standing.state.can_act}
    if battle.winner is None:
        assert battle.rounds == 1_000
        assert len(able) == 2
    else:
        assert able <= {battle.winner}
