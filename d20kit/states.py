"""The states that hit points put a combatant in."""

from __future__ import annotations

from enum import Enum
from typing import Any, TypeAlias

from d20kit.algebra import Number, clamp, is_array, is_symbolic, where
from d20kit.check import modifier, refuse, together, truth, whole
from d20kit.language import N_, _
from d20kit.rule import rule
from d20kit.rulesets import COURSE, Ruleset, check_rules

# A state is a name, so there is no formula for it: numbers and arrays of them only.
Array: TypeAlias = Any
DEATH = -10
HP_LIMIT = 100_000
# What one hit must take at least to be massive damage, and the Fortitude save that it calls for.
MASSIVE_DAMAGE = 50
MASSIVE_DAMAGE_DC = 15


class State(Enum):
    """What hit points allow a combatant to do.

    >>> [state.value for state in State if state.can_act]
    ['healthy', 'disabled']
    """

    HEALTHY = "healthy"
    DISABLED = "disabled"
    DYING = "dying"
    STABLE = "stable"
    DEAD = "dead"

    @property
    def can_act(self) -> bool:
        """Whether a combatant in this state takes actions."""
        return self in (State.HEALTHY, State.DISABLED)


def hit_points(name: str, value: Number) -> Number:
    """Accept current hit points: a whole number of sane size.

    >>> hit_points("hp", -3)
    -3
    """
    return whole(name, value, -HP_LIMIT, HP_LIMIT)


@rule(
    title=N_("Disabled band"),
    symbol=r"\text{lowest disabled hp}",
    why=N_(
        "A tough body stays on its feet below 0: as far as its Constitution modifier reaches, but never to -10, which "
        "is death. A weak body has no such reserve, and is disabled at 0 only."
    ),
    source=N_("Hit Points"),
    switches=("disabled_band",),
    units="hit points",
    topic="hit_points",
)
def disabled_floor(constitution: Number = 0, *, rules: Ruleset = COURSE) -> Number:
    """Return the lowest hit points at which a combatant is disabled and not dying.

    Parameters
    ----------
    constitution : number
        Constitution modifier.
    rules : Ruleset
        ``disabled_band`` decides whether Constitution counts or the band is exactly 0.

    Examples
    --------
    >>> from d20kit.hit_points import disabled_floor
    >>> disabled_floor(2), disabled_floor(-1), disabled_floor(12)
    (-2, 0, -9)
    """
    constitution = modifier("constitution", constitution)
    if check_rules(rules).disabled_band == "zero":
        return 0 * constitution
    return -clamp(constitution, 0, -DEATH - 1)


@rule(
    title=N_("State"),
    symbol=r"\text{state}",
    why=N_(
        "Above 0 a combatant is whole; in the narrow band at 0 and just below it can still strike but not walk; below "
        "that it bleeds; at -10 it is dead, whatever else would hold."
    ),
    source=N_("Hit Points"),
    switches=("disabled_band",),
    topic="hit_points",
)
def state(
    hp: int | Array,
    constitution: int | Array = 0,
    *,
    stable: bool = False,
    rules: Ruleset = COURSE,
) -> State:
    """Return the state of a combatant.

    Parameters
    ----------
    hp : int or array
        Current hit points.
    constitution : int or array
        Constitution modifier.
    stable : bool
        Whether it has stopped bleeding: then it is stable where it would be dying.
    rules : Ruleset
        ``disabled_band`` decides.

    Returns
    -------
    State, or an array of them

    Examples
    --------
    >>> from d20kit.hit_points import state
    >>> [state(hp, constitution=2).value for hp in (1, 0, -2, -3, -9, -10)]
    ['healthy', 'disabled', 'disabled', 'dying', 'dying', 'dead']
    """
    hp, constitution = hit_points("hp", hp), modifier("constitution", constitution)
    for name, value in (("hp", hp), ("constitution", constitution)):
        if is_symbolic(value):
            allowed = _("a number: a state has a name, not a formula")
            raise refuse(name, value, allowed, _("disabled_floor() has a formula"))
    together(hp=hp, constitution=constitution)
    floor = disabled_floor(constitution, rules=rules)
    down = State.STABLE if truth("stable", stable) else State.DYING
    if is_array(floor) and not is_array(hp):
        hp = hp + 0 * floor
    living = where(hp >= 1, State.HEALTHY, where(hp >= floor, State.DISABLED, down))
    found: State = where(hp <= DEATH, State.DEAD, living)
    return found
