"""COURSE and SRD35: the switches that decide where two readings of the rules differ."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Any

from d20kit.check import bare, named_arguments, one_of, refuse
from d20kit.language import N_, _

# switch -> (allowed values, what it decides). The order is the order of the rules page.
SWITCHES: dict[str, tuple[tuple[Any, ...], str]] = {
    "critical": (
        ("natural-20", "confirm"),
        N_("whether a natural 20 is a critical by itself, or a threat that a second roll must confirm"),
    ),
    "critical_damage": (
        ("multiply", "roll-again"),
        N_("whether a critical multiplies one roll of the dice, or rolls them once for each multiple"),
    ),
    "strength_scaling": (
        ("modifier", "bonus"),
        N_("whether half and one-and-a-half Strength scale a penalty too, or only a bonus"),
    ),
    "projectile_strength": (("none", "weapon"), N_("whether Strength counts for bows and slings")),
    "surprise": (
        ("any-unaware", "some-aware"),
        N_("whether one unaware combatant is enough for a surprise round, or somebody must also be aware"),
    ),
    "full_attack": (
        ("listed", "iterative"),
        N_("whether a high base attack bonus gives further attacks of itself"),
    ),
    "initiative_ties": (
        ("reroll", "modifier"),
        N_("whether tied combatants roll again, or the higher modifier goes first"),
    ),
    "disabled_band": (("constitution", "zero"), N_("which hit points count as disabled")),
    "disabled_attack_cost": ((0, 1), N_("hit points that an attack costs a disabled combatant")),
    "stabilise_chance": (
        (Fraction(0), Fraction(1, 10)),
        N_("chance that a dying combatant stabilises by itself each round"),
    ),
    "massive_damage": ((False, True), N_("whether 50 or more damage from one hit can kill outright")),
    "save_naturals": ((False, True), N_("whether a natural 1 fails and a natural 20 succeeds on a saving throw")),
    "constitution_loss": (("modifier", "hit-points"), N_("whether lost Constitution also takes hit points")),
}


@named_arguments
@dataclass(frozen=True)
class Ruleset:
    """A choice for every switch of the rules; change one with :meth:`replace`.

    Raises
    ------
    ValueError
        If a switch is unknown, or given a value it does not know.

    Examples
    --------
    >>> from d20kit import COURSE
    >>> COURSE.replace(critical="confirm").critical
    'confirm'
    """

    critical: str = "natural-20"
    critical_damage: str = "multiply"
    strength_scaling: str = "modifier"
    projectile_strength: str = "none"
    surprise: str = "any-unaware"
    full_attack: str = "listed"
    initiative_ties: str = "reroll"
    disabled_band: str = "constitution"
    disabled_attack_cost: int = 0
    stabilise_chance: Fraction = Fraction(0)
    massive_damage: bool = False
    save_naturals: bool = False
    constitution_loss: str = "modifier"

    def __post_init__(self) -> None:
        for switch in fields(self):
            object.__setattr__(self, switch.name, _choice(switch.name, getattr(self, switch.name)))

    def replace(self, **switches: Any) -> Ruleset:
        """Return a copy with some switches changed.

        >>> COURSE.replace(save_naturals=True) == COURSE
        False
        """
        for name in switches:
            one_of("switch", name, SWITCHES)
        return replace(self, **switches)

    @property
    def name(self) -> str:
        """``COURSE``, ``SRD35``, or the nearer of the two with what was changed in it."""
        base, switches = nearest(self)
        changed = ", ".join(f"{switch}={getattr(self, switch)!r}" for switch in switches)
        return f"{base}.replace({changed})" if changed else base

    def __repr__(self) -> str:
        return self.name


def _choice(switch: str, value: Any) -> Any:
    """Accept one of the values that a switch knows, and return it."""
    choices = SWITCHES[switch][0]
    if isinstance(choices[0], str):
        return one_of(switch, value, choices)
    given = bare(value)
    try:
        if isinstance(given, bool) == isinstance(choices[0], bool):
            return choices[choices.index(given)]
    except Exception:  # none of them, or code of the value's own, which may raise anything
        pass
    raise refuse(switch, value, _("one of {choices}").format(choices=", ".join(map(str, choices))))


def check_rules(rules: Any) -> Ruleset:
    """Accept a rule set.

    >>> check_rules(COURSE)
    COURSE
    """
    if isinstance(rules, Ruleset):
        return rules
    raise refuse(
        "rules", rules, _("a Ruleset such as COURSE or SRD35"), _("write from d20kit import SRD35, then rules=SRD35")
    )


def nearest(rules: Ruleset) -> tuple[str, list[str]]:
    """Return the name of the nearer of the two bundles, and the switches in which rules differ from it.

    >>> nearest(SRD35.replace(full_attack="listed"))
    ('SRD35', ['full_attack'])
    """
    different = {
        name: [switch for switch in SWITCHES if getattr(rules, switch) != getattr(bundle, switch)]
        for name, bundle in RULESETS.items()
    }
    return min(different.items(), key=lambda named: len(named[1]))


COURSE = Ruleset()
SRD35 = Ruleset(**{switch: choices[1] for switch, (choices, _meaning) in SWITCHES.items()})
# The two bundles that have a name, as files, pictures and the page call them.
RULESETS = {"COURSE": COURSE, "SRD35": SRD35}
