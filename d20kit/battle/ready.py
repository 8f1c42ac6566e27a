"""The ready encounters of the bestiary."""

from __future__ import annotations

from importlib.resources import as_file, files
from typing import Any

from d20kit.battle.combatant import Combatant
from d20kit.battle.encounter_file import read_file
from d20kit.check import one_of
from d20kit.language import N_
from d20kit.rulesets import Ruleset

# name of the file in the bestiary -> what happens in it
READY = {
    "duel": N_("a duel: two fighters of equal strength, each aware of the other"),
    "ambush": N_("an ambush: goblins fall upon travellers, of whom one is on guard"),
    "both-split": N_("on both sides some are aware and some are not"),
    "nobody-aware": N_("two bands run into each other, and nobody saw it coming"),
    "boss": N_("a boss fight: four heroes against an ogre"),
    "archers": N_("archers shoot at each other over a distance of 150 feet"),
    "kobolds": N_("a mass of kobolds against three heroes"),
    "last-stand": N_("the last stand of a disabled hero"),
}


def read_ready(name: Any) -> tuple[tuple[Combatant, ...], Ruleset]:
    """Return combatants and rules of a ready encounter.

    >>> combatants, rules = read_ready("duel")
    >>> [(one.name, one.hp) for one in combatants], rules
    ([('Red fighter', 19), ('Blue fighter', 19)], COURSE)
    """
    one_of("name", name, READY)
    with as_file(files("d20kit.bestiary").joinpath("encounters", f"{name}.toml")) as path:
        return read_file(path)
