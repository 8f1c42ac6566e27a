"""The simulator fed the faces of narrated battles has the same battles, and its own faces are fair."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from d20kit import COURSE, SRD35, Ruleset, d
from d20kit.battle import Attack, Battle, Combatant, Encounter, Save, ScriptedDice
from d20kit.rulesets import SWITCHES
from tests.core.variants import BEFORE_A_BATTLE, variants

np = pytest.importorskip("numpy", reason="NumPy is not installed; without it battles are told one by one")

from d20kit.battle.vector.dice import roll_damage  # noqa: E402
from d20kit.battle.vector.engine import fight  # noqa: E402
from d20kit.battle.vector.faces import RandomFaces  # noqa: E402
from d20kit.battle.vector.roster import STATES, Roster  # noqa: E402

BATTLES = 5
RULES = variants()
# Where nobody is aware, the readings differ in words and have the same battle.
UNSEEN = {*BEFORE_A_BATTLE, "surprise"}
DAMAGE = ("1d6", "1d4-2", "2d4+4", "4d6kh3", "60", "-(1d2-1)*2d2+9", None, 2 @ d(6) + 1)


class ToldFaces:
    """The faces that some narrated battles rolled, each battle's in its own order."""

    def __init__(self, told: list[Battle]) -> None:
        self.dice = [ScriptedDice(battle.faces, battle.choices) for battle in told]

    def roll(self, battles: Any, count: int, sides: int) -> Any:
        rolled = [[self.dice[battle].die(sides) for _die in range(count)] for battle in battles]
        return np.array(rolled, np.intp).reshape(-1, count).T

    def draw(self, battles: Any, damage: Any) -> Any:
        return np.array([damage.roll(self.dice[battle]) for battle in battles], np.intp)

    def choose(self, battles: Any, counts: Any) -> Any:
        drawn = [self.dice[battle].choose(int(count)) for battle, count in zip(battles, counts, strict=True)]
        return np.array(drawn, np.intp)


@st.composite
def weapons(draw: st.DrawFn) -> Attack:
    """Any attack: dice of all kinds, bonus dice, touch, saves, threat ranges, and none of it."""
    damage = draw(st.sampled_from(DAMAGE))
    saves = [None] if damage is None else [None, Save("fortitude", 12), Save("reflex", 14, "none")]
    return Attack(
        "club",
        draw(st.integers(-2, 12)),
        damage,
        multiplier=draw(st.integers(1, 4)),
        threat=draw(st.integers(17, 20)),
        extra=draw(st.sampled_from([None, "1d6", d(4)])),
        touch=draw(st.booleans()),
        natural=draw(st.booleans()),
        save=draw(st.sampled_from(saves)),
    )


@st.composite
def encounters(draw: st.DrawFn) -> Encounter:
    """Two to seven combatants on two sides or three, some of them alike, some down already."""
    sides = draw(st.sampled_from([("red", "blue"), ("red", "blue", "green")]))
    kinds = draw(st.lists(st.lists(weapons(), min_size=1, max_size=3), min_size=1, max_size=3))
    policies = st.sampled_from(["first-able", "weakest", "strongest", "random", "inaction"])
    combatants = [
        Combatant(
            f"C{index}",
            sides[index % len(sides)],
            draw(st.integers(0, 80)) if index < len(sides) else draw(st.integers(-9, 30)),
            16,
            kinds[index % len(kinds)],
            constitution=draw(st.integers(-2, 4)),
            initiative=draw(st.integers(-1, 4)),
            flat_footed_ac=draw(st.integers(12, 16)),
            touch_ac=draw(st.integers(10, 16)),
            aware=draw(st.booleans()),
            uncanny_dodge=draw(st.booleans()),
            base_attack_bonus=draw(st.sampled_from([0, 6, 12])),
            reflex=draw(st.integers(-1, 4)),
            policy=draw(policies) if index else "first-able",
        )
        for index in range(draw(st.integers(len(sides), 7)))
    ]
    return Encounter(combatants, draw(st.sampled_from([*RULES.values()])))


def check_the_same(encounter: Encounter, seeds: range) -> None:
    """Fight in arrays what has been told, and compare winners, rounds, hit points and states."""
    told = [encounter.fight(seed) for seed in seeds]
    faces = ToldFaces(told)
    arena = fight(Roster(encounter), len(told), faces)
    hp = arena.hp.reshape(-1, len(told))
    for place, battle in enumerate(told):
        assert [None, *encounter.sides][arena.winner[place] + 1] == battle.winner
        assert arena.rounds[place] == battle.rounds
        assert hp[:, place].tolist() == [standing.hp for standing in battle.standings]
        assert [STATES[code] for code in arena.states()[:, place]] == [one.state for one in battle.standings]
        if battle.winner is not None:
            with pytest.raises(ValueError, match="the script has"):
                faces.dice[place].die(20)


@settings(max_examples=120, deadline=None)
@given(encounters(), st.integers(0, 2**62))
def test_the_same_faces_give_the_same_battles(encounter: Encounter, seed: int) -> None:
    """The narrated engine is the meaning of the rules; every die is rolled in both, and none more in either."""
    check_the_same(encounter, range(seed, seed + BATTLES))


@pytest.mark.parametrize("name", Encounter.ready_names())
@pytest.mark.parametrize("rules", [COURSE, SRD35], ids=repr)
def test_ready_encounters_are_the_same_from_the_same_faces(name: str, rules: Ruleset) -> None:
    """Battles as they are played: with more combatants, bands of equals, and an order with many ties."""
    check_the_same(Encounter(Encounter.ready(name).combatants, rules), range(40))


def skirmish(rules: Ruleset) -> Encounter:
    """A battle in which everything happens that rules may decide otherwise."""
    sword = Attack("sword", 9, "1d8+3", threat=17, multiplier=3, extra="1d6")
    club, ray = Attack("club", 4, "2d4-2"), Attack("ray", 8, "60", save=Save("reflex", 14))
    fire = Attack("fire", 7, "3d6", save=Save("will", 24), touch=True)
    settings: list[tuple[str, int, Any, dict[str, Any]]] = [
        ("red", 20, sword, {"base_attack_bonus": 12}),
        ("red", 70, club, {"fortitude": 4, "initiative": 3}),
        ("red", 9, fire, {"aware": False, "uncanny_dodge": True}),
        ("blue", 60, ray, {"initiative": 3}),
        ("blue", 25, [club, sword], {"aware": False, "policy": "weakest"}),
        ("blue", 12, fire, {"will": 3}),
    ]
    usual = {"constitution": 2, "initiative": 2, "flat_footed_ac": 12, "touch_ac": 11}
    fighters = [
        Combatant(f"C{place}", side, hp, 15, attacks, **{**usual, **more})
        for place, (side, hp, attacks, more) in enumerate(settings)
    ]
    return Encounter(fighters, rules)


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_every_switch_alone_is_the_same_from_the_same_faces(rules: Ruleset) -> None:
    """What the narrated engine learns of a rule, the arrays must learn as well."""
    check_the_same(skirmish(rules), range(20))


@pytest.mark.parametrize("switch", [name for name in SWITCHES if name not in UNSEEN])
def test_the_skirmish_depends_on_every_switch(switch: str) -> None:
    """The test above says nothing of a switch that changes nothing there: let it happen in the skirmish."""
    course, *others = ([skirmish(rules).fight(seed).standings for seed in range(20)] for rules in flipped(switch))
    assert all(other != course for other in others)


def flipped(switch: str) -> list[Ruleset]:
    """SRD35, in which most happens, with each value of a switch."""
    return [SRD35.replace(**{switch: choice}) for choice in SWITCHES[switch].choices]


def test_many_ties_are_rolled_again_in_the_order_of_the_table() -> None:
    """Twelve who all roll the same die are tied all the time, also with those who rolled in a surprise round."""
    club = Attack("club", 5, "1d6")
    combatants = [Combatant(f"C{i}", ("red", "blue")[i % 2], 6, 12, club, aware=i % 3 > 0) for i in range(12)]
    check_the_same(Encounter(combatants), range(60))


def philox(key: Sequence[int], counter: Sequence[int]) -> Sequence[int]:
    """Four words of Philox 4x64 with ten rounds, as its authors define it."""
    mask = (1 << 64) - 1
    key, counter = list(key), list(counter)
    for _round in range(10):
        high, low = divmod(0xD2E7470EE14C6C93 * counter[0], 1 << 64)
        other_high, other_low = divmod(0xCA5A826395121157 * counter[2], 1 << 64)
        counter = [other_high ^ counter[1] ^ key[0], other_low, high ^ counter[3] ^ key[1], low]
        key = [(key[0] + 0x9E3779B97F4A7C15) & mask, (key[1] + 0xBB67AE8584CAA73B) & mask]
    return counter


def test_faces_are_those_of_the_published_generator() -> None:
    """The same on every machine and in every NumPy: the faces follow from Philox and one multiplication."""
    faces = RandomFaces(7, 3).roll(np.arange(4), 2, 20).ravel().tolist()
    words = philox((7, 3), (1, 0, 0, 0))
    halves = [word >> shift & (1 << 32) - 1 for word in words for shift in (0, 32)]
    assert faces == [1 + (half * 20 >> 32) for half in halves]


def test_words_that_would_favour_a_face_are_left_out() -> None:
    """With 3 * 2**30 sides every fourth word would favour every third face; each is as likely still."""
    sides = 3 << 30
    faces = RandomFaces(1, 0).roll(np.arange(60_000), 1, sides)[0]
    for thirds in ((faces - 1) // (1 << 30), (faces - 1) % 3):
        assert abs(np.bincount(thirds, minlength=3) - 20_000).max() < 4 * (60_000 * 2 / 9) ** 0.5
    assert faces.min() >= 1
    assert faces.max() <= sides


@pytest.mark.parametrize("damage", ["1d8+2", "3d6", "4d6kh3", "4d6kl1", "2d4*1d3-1", "-(1d6)+9", "7", 2 @ d(6) + 1])
def test_damage_is_distributed_as_its_expression_says(damage: Any) -> None:
    """Rolled die by die or drawn at once, the mean is the exact one within four standard errors."""
    from d20kit import Pmf, parse

    exact = damage if isinstance(damage, Pmf) else parse(damage)
    rolled = roll_damage(damage, RandomFaces(2, 0), np.arange(40_000))
    assert abs(rolled.mean() - exact.mean()) <= 4 * exact.std() / 200
    assert (rolled.min(), rolled.max()) == exact.support()


def test_outcomes_without_weight_are_never_drawn() -> None:
    """A distribution with a gap keeps its gap, and its ends are as likely as they should be."""
    from d20kit import Pmf

    gap = Pmf({1: 1, 5: 2, 6: 1})
    drawn = np.bincount(RandomFaces(5, 1).draw(np.arange(40_000), gap), minlength=7) / 40_000
    assert drawn[2:5].sum() == 0
    for outcome in (1, 5, 6):
        chance = gap.pmf(outcome)
        assert abs(Fraction(drawn[outcome]) - chance) < 4 * (chance * (1 - chance) / 40_000) ** 0.5


def test_the_policy_random_chooses_each_enemy_as_often() -> None:
    """The draws of a policy come from no die of the battle; each number below a count is as likely."""
    chosen = RandomFaces(4, 0).choose(np.arange(30_000), np.repeat([1, 2, 3], 10_000))
    assert chosen[:10_000].max() == 0
    assert abs(chosen[10_000:20_000].mean() - 0.5) < 4 * 0.5 / 100
    assert abs(np.bincount(chosen[20_000:]) / 10_000 - 1 / 3).max() < 4 * 0.48 / 100
