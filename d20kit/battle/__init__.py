"""Battles, told roll by roll."""

from d20kit.battle.attack import Attack, Save
from d20kit.battle.battle import Battle
from d20kit.battle.combatant import Combatant
from d20kit.battle.encounter import Encounter
from d20kit.battle.engine import ROUND_LIMIT
from d20kit.battle.faces import ScriptedDice, SeededDice
from d20kit.battle.policies import POLICIES, POLICY_NAMES, Standing
from d20kit.battle.prompt import PromptDice
from d20kit.battle.replay import Moment
from d20kit.battle.simulation import Simulation
from d20kit.battle.sweeps import Sweep, grid, sweep

__all__ = [
    "POLICIES",
    "POLICY_NAMES",
    "ROUND_LIMIT",
    "Attack",
    "Battle",
    "Combatant",
    "Encounter",
    "Moment",
    "PromptDice",
    "Save",
    "ScriptedDice",
    "SeededDice",
    "Simulation",
    "Standing",
    "Sweep",
    "grid",
    "sweep",
]
