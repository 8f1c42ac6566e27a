"""The one battle that lesson 07 walks through still holds what its text points at."""

from __future__ import annotations

import re
from itertools import groupby
from typing import Any

import pytest

from d20kit.attack import Outcome
from d20kit.battle import Battle
from d20kit.battle.events import (
    AttackRoll,
    Bleeding,
    DamageRoll,
    HitPointChange,
    InitiativeRoll,
    RoundBegins,
    TieReroll,
)
from d20kit.hit_points import State, disabled_floor
from notebooks import lesson

LESSON = lesson.load("07-surprise-round-battle")
# What the text says of single events, in the words of each language; the battle fills in the numbers.
SAID = {
    "en": (
        "its die shows {opening.face}, and {opening.face} + {opening.bonus} = {opening.total}",
        "The gnoll's {one.face} is a natural {one.face}",
        "Goblin A, at {wounded.after}, is *disabled*",
        "Ranger and Goblin A both came to {tied}.",
        "its {reroll.total} does not lift the goblin beside the fighter's {fighter}",
        "The rogue has {opened.after} hit point left",
        "The rogue falls to {fallen.after}. Her band ends at {band}",
        "from {bled.before}, its own turn kills it",
        "natural 20 against the fighter, who has {critical.before}",
        "{product}. It takes the fighter from {critical.before} to {critical.after}",
        "she strikes the gnoll for {blow.damage}",
        "the last one {last}",
        "left the rogue at {rogue} and the fighter at {left}",
    ),
    "id": (
        "dadunya menunjukkan {opening.face}, dan {opening.face} + {opening.bonus} = {opening.total}",
        "Angka {one.face} milik gnoll adalah natural {one.face}",
        "Goblin A, dengan HP {wounded.after}, kondisinya *disabled*",
        "Ranger dan Goblin A sama-sama mendapat {tied}.",
        "{reroll.total} dari roll ulangnya tidak mengangkat goblin itu ke sebelah fighter, yang dapat {fighter}",
        "HP rogue tinggal {opened.after}",
        "Rogue jatuh ke {fallen.after}. Rentang disabled-nya berakhir di {band}",
        "dari {bled.before}, gilirannya sendiri yang membunuhnya",
        "natural 20 terhadap fighter, yang HP-nya {critical.before}",
        "{product}. Fighter jatuh dari {critical.before} ke {critical.after}",
        "ia menghantam gnoll dengan damage {blow.damage}",
        "yang terakhir {last}",
        "meninggalkan rogue pada {rogue} dan fighter pada {left}",
    ),
}


@pytest.fixture(scope="module")
def battle() -> Battle:
    """The battle, fought by the lesson's own cells."""
    names: dict[str, Any] = {}
    for block in LESSON.blocks:
        if block.language is None:
            exec(block.text, names)
        if "battle" in names:
            break
    battle: Battle = names["battle"]
    return battle


def attacks(battle: Battle) -> list[AttackRoll]:
    """All attack rolls, in order."""
    return [event for event in battle.events if isinstance(event, AttackRoll)]


def test_the_first_blow_hits_only_because_its_target_is_flat_footed(battle: Battle) -> None:
    """The prediction of the lesson is about this roll."""
    first = attacks(battle)[0]
    armor = next(one.ac for one in battle.encounter.combatants if one.name == first.target)
    assert (first.attacker, first.target, first.total, armor) == ("Orc", "Rogue", 12, 15)
    assert first.flat_footed
    assert first.outcome is Outcome.HIT


def test_a_natural_one_is_in_the_surprise_round(battle: Battle) -> None:
    """The text points at the gnoll's 1."""
    first_round = next(place for place, event in enumerate(battle.events) if isinstance(event, RoundBegins))
    ones = [event for event in battle.events[:first_round] if isinstance(event, AttackRoll) and event.face == 1]
    assert [one.attacker for one in ones] == ["Gnoll"]


def test_one_tie_is_rerolled_when_the_late_ones_are_merged(battle: Battle) -> None:
    """Step 3 explains this tie, and that it moves nobody else."""
    ties = [event for event in battle.events if isinstance(event, TieReroll)]
    assert [(tie.name, tie.total) for tie in ties] == [("Ranger", 7), ("Goblin A", 11)]
    rolls = {event.name: event.total for event in battle.events if type(event) is InitiativeRoll}
    assert rolls["Ranger"] == rolls["Goblin A"] == 8
    assert rolls["Fighter"] == 11
    order = battle.orders["regular"]
    assert order.index("Fighter") < order.index("Goblin A") < order.index("Ranger")


def test_a_late_combatant_is_flat_footed_until_its_turn(battle: Battle) -> None:
    """Step 4 shows Goblin B with both armor classes in one round."""
    assert [attack.flat_footed for attack in attacks(battle) if attack.target == "Goblin B"] == [True, False]


def test_a_critical_disables_the_fighter_who_then_hits(battle: Battle) -> None:
    """Step 5 is about this turn."""
    changes = [event for event in battle.events if isinstance(event, HitPointChange) and event.name == "Fighter"]
    (change,) = [event for event in changes if event.after == -2]
    place = battle.events.index(change)
    damage = battle.events[place - 1]
    assert isinstance(damage, DamageRoll)
    assert (damage.critical, damage.damage, change.state) == (True, 18, State.DISABLED)
    later = (event for event in battle.events[place:] if isinstance(event, AttackRoll))
    own = next(event for event in later if event.attacker == "Fighter")
    assert (own.target, own.outcome) == ("Gnoll", Outcome.HIT)


def test_two_heroes_bleed_and_one_goblin_bleeds_to_death(battle: Battle) -> None:
    """The text follows the bleeding to its end."""
    bleeding = [event for event in battle.events if isinstance(event, Bleeding)]
    assert {event.name for event in bleeding} >= {"Rogue", "Fighter"}
    assert [event.name for event in bleeding if event.state is State.DEAD] == ["Goblin A"]


def test_the_last_blow_and_its_price(battle: Battle) -> None:
    """The end of the story, as the text tells it."""
    last = attacks(battle)[-1]
    assert (last.attacker, last.face, battle.winner, battle.rounds) == ("Barbarian", 20, "heroes", 3)
    left = {one.name: one.hp for one in battle.standings}
    assert (left["Rogue"], left["Fighter"]) == (-5, -9)


def first(battle: Battle, kind: type[Any], **wanted: Any) -> Any:
    """Return the first event of a kind whose fields have the wanted values."""
    found = (event for event in battle.events if type(event) is kind)
    return next(event for event in found if all(getattr(event, name) == value for name, value in wanted.items()))


def multiplied(battle: Battle, attacker: str) -> tuple[str, str]:
    """Return a combatant's critical as the text writes it: with dice and bonus, and with their sum."""
    blow = first(battle, DamageRoll, attacker=attacker, critical=True)
    (times,) = {one.attacks[0].multiplier for one in battle.encounter.combatants if one.name == attacker}
    once, dice = blow.damage // times, sum(blow.faces)
    return f"({dice} + {once - dice}) x {times} = {blow.damage}", f"{once} x {times} = {blow.damage}"


def facts(battle: Battle) -> dict[str, Any]:
    """Return what the sentences of ``SAID`` ask for."""
    left = {one.name: one.hp for one in battle.standings}
    (constitution,) = {one.constitution for one in battle.encounter.combatants if one.name == "Rogue"}
    return {
        "opening": first(battle, AttackRoll),
        "one": first(battle, AttackRoll, face=1),
        "wounded": first(battle, HitPointChange, name="Goblin A", state=State.DISABLED),
        "tied": first(battle, InitiativeRoll, name="Ranger").total,
        "reroll": first(battle, TieReroll, name="Goblin A"),
        "fighter": first(battle, InitiativeRoll, name="Fighter").total,
        "opened": first(battle, HitPointChange, name="Rogue"),
        "fallen": first(battle, HitPointChange, name="Rogue", state=State.DYING),
        "band": disabled_floor(constitution),
        "bled": first(battle, Bleeding, name="Goblin A", state=State.DEAD),
        "critical": first(battle, HitPointChange, name="Fighter", state=State.DISABLED),
        "product": multiplied(battle, "Orc")[0],
        "blow": first(battle, DamageRoll, attacker="Fighter", target="Gnoll"),
        "last": multiplied(battle, "Barbarian")[1],
        "rogue": left["Rogue"],
        "left": left["Fighter"],
    }


def stretches(language: str) -> list[str]:
    """Return the prose between one run of code cells and the next, each on one line."""
    blocks = [block for block in LESSON.blocks if block.language in (None, language)]
    runs = groupby(blocks, key=lambda block: block.language is None)
    return [" ".join(" ".join(block.text for block in run).split()) for code, run in runs if not code]


@pytest.mark.parametrize("language", LESSON.languages)
def test_the_text_says_what_happened(battle: Battle, language: str) -> None:
    """Each language tells the same battle, and a slip in one is not seen by those who read the other."""
    text = " ".join(stretches(language))
    for sentence in SAID[language]:
        assert sentence.format_map(facts(battle)) in text


@pytest.mark.parametrize("language", LESSON.languages[1:])
def test_each_stretch_names_the_same_numbers_and_combatants(battle: Battle, language: str) -> None:
    """A number or a name that got lost in one language leaves its readers with another battle."""
    names = [re.compile(rf"\b{one.name}\b", re.IGNORECASE) for one in battle.encounter.combatants]
    for original, told in zip(stretches(LESSON.languages[0]), stretches(language), strict=True):
        assert set(re.findall(r"-?\d+", told)) == set(re.findall(r"-?\d+", original)), told
        assert [name.pattern for name in names if name.search(original) and not name.search(told)] == [], told
