"""The rules that tests go through: both readings, and every switch of either set alone to each value that it takes."""

from __future__ import annotations

from collections.abc import Collection

from d20kit import Ruleset
from d20kit.rulesets import RULESETS, SWITCHES

# What makes a combatant, and nothing that happens to one in a battle.
BEFORE_A_BATTLE = ("strength_scaling", "projectile_strength", "constitution_loss")


def variants(*, without: Collection[str] = ()) -> dict[str, Ruleset]:
    """Return the rule sets by name, so that a new switch, or a new value of one, is among them by itself."""
    all_of_them = (
        base.replace(**{name: choice})
        for base in RULESETS.values()
        for name, switch in SWITCHES.items()
        for choice in switch.choices
        if name not in without
    )
    return {rules.name: rules for rules in all_of_them}
