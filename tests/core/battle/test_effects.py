"""Saves against the damage of a hit, off-hand weapons, ranged attacks at a distance, random targets, typed dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from d20kit import COURSE, SRD35, d
from d20kit.battle import Attack, Battle, Combatant, Encounter, PromptDice, Save, ScriptedDice
from d20kit.battle.policies import choose
from tests.core.battle.hands import Happened, Scripted, Warrior, fields_of


def burning(save: Save, **changes: Any) -> Combatant:
    """Ann with a flask of burning oil."""
    return Combatant("Ann", "red", 10, 12, Attack("oil", 4, "2d6", save=save, **changes))


@pytest.mark.parametrize(
    ("success", "face", "left"), [("half", 12, 4), ("half", 11, 9), ("none", 12, 0), ("none", 11, 9)]
)
def test_a_save_takes_its_share_of_the_damage(
    warrior: Warrior,
    scripted: Scripted,
    happened: Happened,
    success: str,
    face: int,
    left: int,
) -> None:
    """Bob saves at 12 or more with Reflex +2 against 14: half rounds down, and a failure takes all."""
    bob = warrior("Bob", "blue", hp=40, reflex=2, policy="inaction")
    battle = burning(Save("reflex", 14, success))
    kill = [20, 6, 6, 1] * 3
    told = scripted(battle, bob, faces=[15, 10, 14, 4, 5, face, *kill], rules=COURSE)
    saved = happened(told, "saving throw")[0]
    assert (saved.total, saved.success, saved.damage) == (face + 2, face == 12, left)
    changes = happened(told, "state change")
    assert changes[0].before - changes[0].after == (left or 24)


def test_a_save_is_told(warrior: Warrior, scripted: Scripted) -> None:
    """The roll, its difficulty and what is left of the damage stand in one sentence."""
    bob = warrior("Bob", "blue", hp=4, reflex=2)
    told = str(scripted(burning(Save("reflex", 14)), bob, faces=[15, 10, 14, 6, 6, 3]))
    assert "Bob saves on Reflex: d20 3 + 2 = 5 vs DC 14: fails, 12 damage" in told


@pytest.mark.parametrize(("face", "words"), [(20, "natural 20, always succeeds"), (1, "natural 1, always fails")])
def test_natural_faces_of_a_save_explain_themselves(warrior: Warrior, face: int, words: str) -> None:
    """Under SRD35 the face decides where the total would have said otherwise."""
    bob = warrior("Bob", "blue", hp=1, will=30 if face == 1 else -30)
    faces = [15, 10, 14, 6, 6, face, *([14, 6, 6, 1] if face == 20 else [])]
    fought = Encounter([burning(Save("will", 14)), bob], SRD35).fight(dice=ScriptedDice(faces))
    assert words in str(fought)


def test_half_of_one_is_still_one() -> None:
    """What a hit deals is at least 1, unless a save takes all of it; a miss stays 0."""
    assert [Save("will", 10).left_of(damage) for damage in (0, 1, 2, 3)] == [0, 1, 1, 1]
    assert Save("will", 10, "none").left_of(50) == 0


def test_the_spread_of_saved_damage_is_what_the_dice_give() -> None:
    """The distribution for exact answers follows the same rule as the dice at the table."""
    save = Save("reflex", 14)
    spread = save.saved(2 @ d(6), Fraction(9, 20))
    counted: Counter[int] = Counter()
    for first in range(1, 7):
        for second in range(1, 7):
            counted[first + second] += 11
            counted[save.left_of(first + second)] += 9
    assert dict(spread.items()) == {outcome: Fraction(n, 720) for outcome, n in sorted(counted.items())}


def test_massive_damage_counts_what_a_save_has_left(warrior: Warrior, happened: Happened) -> None:
    """Fifty that are halved are twenty-five, and kill nobody outright."""
    ann = Combatant("Ann", "red", 10, 12, Attack("blast", 4, "50", save=Save("reflex", 5)), initiative=40)
    bob = warrior("Bob", "blue", hp=200, reflex=20, policy="inaction")
    battle = Encounter([ann, bob], SRD35).fight(1)
    assert not [e for e in happened(battle, "massive damage save") if e.damage < 50]
    assert happened(battle, "saving throw")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Save("reflx", 14), r"did you mean 'reflex'\?"),
        (lambda: Save("reflex", 5000), "dc is 5000"),
        (lambda: Save("reflex", 14, "all"), "success is 'all'"),
        (lambda: Attack("oil", 4, "1d6", save=("reflex", 14)), r'save is .*; save=Save\("reflex", 15\)'),  # type: ignore[arg-type]
        (lambda: Attack("touch", 4, None, save=Save("reflex", 14)), "for an attack that does damage"),
    ],
)
def test_odd_saves_are_refused(make: Callable[..., Any], message: str) -> None:
    """The sentence shows how a save is written."""
    with pytest.raises(ValueError, match=message):
        make()


def test_fortitude_falls_back_on_constitution() -> None:
    """Who gives no Fortitude bonus saves with the body."""
    ann = Combatant("Ann", "red", 10, 12, (), constitution=3)
    assert [ann.save_bonus(kind) for kind in ("fortitude", "reflex", "will")] == [3, 0, 0]
    with pytest.raises(ValueError, match="kind is"):
        ann.save_bonus("luck")


def test_the_bestiary_gives_saves() -> None:
    """A goblin's are +3, +1 and -1."""
    goblin = Combatant.from_bestiary("goblin")
    assert [goblin.save_bonus(kind) for kind in ("fortitude", "reflex", "will")] == [3, 1, -1]


def test_a_weapon_in_each_hand() -> None:
    """Both pay 2, the off hand adds half of Strength +2; iterative attacks repeat the first weapon only."""
    ranger = Combatant.from_bestiary("ranger", attack=["longsword of two", "short sword"])
    assert [str(attack) for attack in ranger.attacks] == [
        "longsword of two +3 (1d8+2, 19-20/x2)",
        "short sword +3 (1d6+1, 19-20/x2)",
    ]


@pytest.mark.parametrize(("distance", "bonus"), [(0, 3), (29, 3), (30, 1), (60, -1), (150, -7)])
def test_distance_costs_aim(distance: int, bonus: int) -> None:
    """A goblin's javelin flies in increments of 30 feet."""
    assert Combatant.from_bestiary("goblin", attack="javelin", distance=distance).attacks[0].bonus == bonus


def test_out_of_reach() -> None:
    """A thrown weapon reaches five increments; a melee weapon no distance at all."""
    with pytest.raises(ValueError, match="distance is 151"):
        Combatant.from_bestiary("goblin", attack="javelin", distance=151)
    with pytest.raises(ValueError, match=r"morningstar strikes in melee; its ranged attacks are javelin"):
        Combatant.from_bestiary("goblin", distance=60)
    with pytest.raises(ValueError, match=r"bite strikes in melee$"):
        Combatant.from_bestiary("dog", distance=60)


def targets(battle: Battle) -> list[str]:
    """Return whom Ann attacked."""
    return [event.target for event in fields_of(battle) if event.kind == "attack roll" and event.attacker == "Ann"]


def test_random_targets_come_from_a_stream_of_their_own(warrior: Warrior) -> None:
    """No face of a script is used up by a choice; the same choices with the same seed, others with another."""
    ann = warrior("Ann", "red", policy="random", initiative=40, hp=100)
    party = [ann, *(warrior(name, "blue", hp=30) for name in ("Bob", "Cid", "Dan"))]
    fought = Encounter(party).fight(4)
    again = fought.encounter.fight(dice=ScriptedDice(fought.faces, choices=4))
    assert again.events == fought.events
    assert len(set(targets(fought))) == 3
    misses = [20, 3, 2, 1] + [1, 1, 1, 1] * 3
    chosen: set[Any] = set()
    for choices in range(10):
        with pytest.raises(ValueError, match="16 faces"):
            fought.encounter.fight(dice=ScriptedDice(misses, choices), watch=lambda event: chosen.add(event))
    attacked = [e for e in chosen if e.kind == "attack roll" and e.attacker == "Ann"]
    assert {e.target for e in attacked} == {"Bob", "Cid", "Dan"}


def test_random_targets_are_equally_likely(warrior: Warrior) -> None:
    """Each able enemy is chosen as often as any other."""
    ann = warrior("Ann", "red", policy="random", initiative=40)
    party = [ann, *(warrior(name, "blue") for name in ("Bob", "Cid", "Dan"))]
    first = Counter(targets(Encounter(party).fight(seed))[0] for seed in range(600))
    assert sum((count - 200) ** 2 / 200 for count in first.values()) < 13.8  # 2 degrees of freedom, one seed in 1000


def test_dice_of_ones_own_may_leave_choices_alone(warrior: Warrior) -> None:
    """An object with die(sides) is enough for every policy."""

    class Table:
        faces = iter([15, 10, 14, 6])

        def die(self, sides: int) -> int:
            return next(self.faces)

    ann, bob = warrior("Ann", "red", policy="random"), warrior("Bob", "blue", hp=1)
    battle = Encounter([ann, bob]).fight(dice=Table())
    assert battle.winner == "red"
    assert battle.choices == ScriptedDice([1]).choices == PromptDice().choices == 0


def test_a_policy_that_returns_the_dead_is_named(warrior: Warrior) -> None:
    """Standing where it fell, an earlier enemy is no target any more."""
    remembered = []

    def grudge(actor: Any, enemies: Any) -> Any:
        remembered.append(enemies[0])
        return remembered[0]

    ann = warrior("Ann", "red", policy=grudge, bonus=20, initiative=40)
    enemies = [warrior("Bob", "blue", hp=1), warrior("Cid", "blue", hp=1)]
    with pytest.raises(ValueError, match=r"the policy grudge of Ann returned is 'Bob, .* choose .*: Cid"):
        Encounter([ann, *enemies]).fight(1)


def test_dice_typed_at_the_prompt(warrior: Warrior) -> None:
    """Each question says what is rolled for; what is no face of the die is asked for again."""
    asked = []
    typed = iter(["15", "10", "0", "21", "", "²", "-3", "x" * 50, "y" * 21, " 14 ", "0" * 18 + "6"])

    def ask(question: str) -> str:
        asked.append(question)
        return next(typed)

    ann, bob = warrior("Ann", "red"), warrior("Bob", "blue", hp=1)
    battle = Encounter([ann, bob]).fight(dice=PromptDice(ask))
    assert battle.faces == (15, 10, 14, 6)
    assert [asked[0], asked[2], asked[-1]] == [
        "initiative of Ann, d20: ",
        "Ann attacks Bob with club, d20: ",
        "damage of Ann with club, d6: ",
    ]
    assert len(asked) == 11
    assert all(f"'{letter * 20}...' is no face" in question for letter, question in zip("xy", asked[8:10], strict=True))
    assert "'21' is no face of a d20, type a number from 1 to 20. Ann attacks" in asked[4]
    assert max(map(len, asked)) < 150


def test_every_roll_has_a_purpose(warrior: Warrior) -> None:
    """Ties, confirmations, saves and stabilising are announced like everything else."""
    asked = []
    again = iter(range(20, 0, -1))

    def ask(question: str) -> str:
        purpose = question.rpartition(",")[0]
        asked.append(purpose)
        if purpose.startswith("initiative again"):
            return str(next(again))
        return {"initiative": "9", "saving": "1", "Ann": "20", "Bob": "50"}.get(purpose.split()[0], "2")

    ann = Combatant("Ann", "red", 10, 12, Attack("oil", 40, "1d6", save=Save("reflex", 30)))
    bob, cid = warrior("Bob", "blue", hp=3), warrior("Cid", "blue", hp=9, policy="inaction")
    Encounter([ann, bob, cid], SRD35).fight(dice=PromptDice(ask))
    assert set(asked) >= {
        "initiative of Bob",
        "initiative again, for the tied in the order of the list",
        "Ann attacks Bob with oil",
        "to confirm the critical of Ann",
        "damage of Ann with oil",
        "saving throw of Bob",
        "Bob tries to stabilise",
    }


def test_the_typed_dice_may_end(warrior: Warrior) -> None:
    """Whoever closes the prompt ends the battle with a sentence."""

    def ask(question: str) -> str:
        raise EOFError

    with pytest.raises(ValueError, match="the typed dice ended before the battle did"):
        Encounter([warrior("Ann", "red"), warrior("Bob", "blue")]).fight(dice=PromptDice(ask))


def test_a_random_target_needs_something_to_draw_with(warrior: Warrior) -> None:
    """Asked outside a battle the policy says so, instead of always choosing the first."""
    ann = next(iter(Encounter([warrior("Ann", "red"), warrior("Bob", "blue")]).fight(1).standings))
    with pytest.raises(ValueError, match="there is nothing to draw with"):
        choose("random", ann, (ann,))
    assert choose("weakest", ann, (ann,)) is ann
