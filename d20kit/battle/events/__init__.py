"""Everything that can happen in a battle, each a small record that explains itself in a sentence."""

from d20kit.battle.events.attacks import AttackRoll, ConfirmationRoll, DamageRoll, HarmlessHit, SavingThrow
from d20kit.battle.events.event import Event
from d20kit.battle.events.turns import (
    Awareness,
    BattleEnds,
    Inaction,
    InitiativeOrder,
    InitiativeRoll,
    NoLongerFlatFooted,
    RoundBegins,
    SurpriseRoundBegins,
    SurpriseRoundSkipped,
    TieReroll,
)
from d20kit.battle.events.wounds import Bleeding, Exertion, HitPointChange, MassiveDamageSave, StabiliseRoll

__all__ = [
    "AttackRoll",
    "Awareness",
    "BattleEnds",
    "Bleeding",
    "ConfirmationRoll",
    "DamageRoll",
    "Event",
    "Exertion",
    "HarmlessHit",
    "HitPointChange",
    "Inaction",
    "InitiativeOrder",
    "InitiativeRoll",
    "MassiveDamageSave",
    "NoLongerFlatFooted",
    "RoundBegins",
    "SavingThrow",
    "StabiliseRoll",
    "SurpriseRoundBegins",
    "SurpriseRoundSkipped",
    "TieReroll",
]
