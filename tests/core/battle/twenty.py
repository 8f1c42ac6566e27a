"""Twenty encounters in which all the rules of a battle matter, small enough to be solved."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from d20kit import COURSE, SRD35, Ruleset, d
from d20kit.battle import Attack, Combatant, Encounter, Save
from tests.core.battle.known import KNOWN, known_encounter


def _duel(red: Attack | list[Attack], blue: Attack, rules: Ruleset, hp: int = 14, **changes: Any) -> Encounter:
    """A duel of two combatants who differ in their attacks."""
    ann = Combatant("Ann", "red", hp, 15, red, constitution=2, initiative=2, flat_footed_ac=13, **changes)
    return Encounter([ann, Combatant("Bob", "blue", 18, 14, blue, constitution=1, initiative=1)], rules)


def _made() -> Iterator[tuple[str, Encounter]]:
    club = Attack("club", 4, "1d6+1")
    yield "iterative attacks", _duel(Attack("sword", 7, "1d8+2", threat=17), club, SRD35, base_attack_bonus=7)
    yield "two attacks", _duel([Attack("sword", 4, "1d8"), Attack("dagger", 2, "1d4", multiplier=3)], club, COURSE)
    yield "bonus dice", _duel(Attack("rapier", 4, "1d6", threat=18, extra="2d6"), club, SRD35)
    yield "minimum damage", _duel(Attack("fist", 5, "1d3-3"), Attack("fist", 3, "1d4-2"), COURSE, hp=4)
    yield "massive damage", _duel(Attack("boulder", 2, "55"), Attack("club", 9, "1d6+2"), SRD35, hp=30)
    yield "a save for half", _duel(Attack("oil", 6, "2d6", touch=True, save=Save("reflex", 14)), club, COURSE)
    yield "a save for none", _duel(Attack("ray", 6, "3d4", save=Save("will", 12, "none")), club, SRD35)
    yield "a distribution", _duel(Attack("flail", 4, (2 @ d(4)).map(lambda total: max(total, 4))), club, COURSE)
    yield "a disabled hero", _duel(Attack("axe", 6, "1d12+3"), club, SRD35, hp=0)
    yield "two against two", _teams()


def _teams() -> Encounter:
    """Two against two, somebody unaware on both sides, and red looks for the weakest."""
    return Encounter(
        [
            Combatant(
                f"{side} {place}",
                side,
                7 + place,
                13,
                Attack("axe", 3 + place, "1d8+1"),
                aware=place == 0,
                flat_footed_ac=11,
                initiative=place,
                policy="weakest" if side == "red" else "first-able",
            )
            for side in ("red", "blue")
            for place in range(2)
        ],
        SRD35,
    )


TWENTY = {
    **{
        f"{known['title']}, {rules.name}": known_encounter(known, rules, threat=19)
        for rules in (COURSE, SRD35)
        for known in KNOWN
    },
    **dict(_made()),
}
