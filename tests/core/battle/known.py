"""Battles whose exact chances are known from elsewhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from d20kit import COURSE, Ruleset
from d20kit.battle import Attack, Combatant, Encounter

KNOWN = json.loads((Path(__file__).parents[2] / "data" / "battles.json").read_text(encoding="utf-8"))
_KEPT = ("constitution", "initiative", "flat_footed_ac", "aware", "uncanny_dodge")


def known_encounter(known: dict[str, Any], rules: Ruleset = COURSE, threat: int = 20) -> Encounter:
    """Make the encounter of one of them; by other rules, or with another threat range, its chances are not known."""
    assert known["rules"] == "COURSE"
    combatants = [
        Combatant(
            one["name"],
            one["side"],
            one["hp"],
            one["ac"],
            Attack("blow", one["attack_bonus"], one["damage"], multiplier=one["multiplier"], threat=threat),
            **{name: one[name] for name in _KEPT},
        )
        for one in known["combatants"]
    ]
    return Encounter(combatants, rules)
