"""COURSE and SRD35: the switches that decide where readings of the rules differ."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Any

from d20kit.check import bare, named_arguments, one_of, refuse
from d20kit.language import N_, _


@dataclass(frozen=True)
class Switch:
    """What ``COURSE`` and ``SRD35`` choose, what is decided by it, and the house rules that choose neither.

    ``decides`` is a catalogue message. The two may choose the same: then only a house rule differs.

    >>> Switch("multiply", "multiply", "what a critical does", house=("highest-roll",)).choices
    ('multiply', 'highest-roll')
    """

    course: Any
    srd35: Any
    decides: str
    house: tuple[Any, ...] = ()

    @property
    def choices(self) -> tuple[Any, ...]:
        """Every value that the switch takes: that of ``COURSE`` first, each once."""
        return tuple(dict.fromkeys((self.course, self.srd35, *self.house)))


# The order is the order of the rules page.
SWITCHES: dict[str, Switch] = {
    "critical": Switch(
        "natural-20",
        "confirm",
        N_("whether a natural 20 is a critical by itself, or a threat that a second roll must confirm"),
    ),
    "critical_damage": Switch(
        "multiply",
        "roll-again",
        N_("whether a critical multiplies one roll of the dice, or rolls them once for each multiple"),
    ),
    "strength_scaling": Switch(
        "modifier",
        "bonus",
        N_("whether half and one-and-a-half Strength scale a penalty too, or only a bonus"),
    ),
    "projectile_strength": Switch("none", "weapon", N_("whether Strength counts for bows and slings")),
    "surprise": Switch(
        "any-unaware",
        "some-aware",
        N_("whether one unaware combatant is enough for a surprise round, or somebody must also be aware"),
    ),
    "full_attack": Switch(
        "listed",
        "iterative",
        N_("whether a high base attack bonus gives further attacks of itself"),
    ),
    "initiative_ties": Switch(
        "reroll",
        "modifier",
        N_("whether tied combatants roll again, or the higher modifier goes first"),
    ),
    "disabled_band": Switch("constitution", "zero", N_("which hit points count as disabled")),
    "disabled_attack_cost": Switch(0, 1, N_("hit points that an attack costs a disabled combatant")),
    "stabilise_chance": Switch(
        Fraction(0),
        Fraction(1, 10),
        N_("chance that a dying combatant stabilises by itself each round"),
    ),
    "massive_damage": Switch(False, True, N_("whether 50 or more damage from one hit can kill outright")),
    "save_naturals": Switch(False, True, N_("whether a natural 1 fails and a natural 20 succeeds on a saving throw")),
    "constitution_loss": Switch("modifier", "hit-points", N_("whether lost Constitution also takes hit points")),
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
    choices = SWITCHES[switch].choices
    if isinstance(choices[0], str):
        return one_of(switch, value, choices)
    given = bare(value)
    try:
        choice = choices[choices.index(given)]
        if isinstance(given, bool) == isinstance(choice, bool):
            return choice
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
SRD35 = Ruleset(**{name: switch.srd35 for name, switch in SWITCHES.items()})
# The two bundles that have a name, as files, pictures and the page call them.
RULESETS = {"COURSE": COURSE, "SRD35": SRD35}
# A chance as a file has it; with an exponent it could be of any length.
_WRITTEN = re.compile(r"[0-9]{1,9}([./][0-9]{1,9})?")


def as_table(rules: Ruleset) -> dict[str, Any]:
    """Return rules as files and saved states hold them: the nearer of the two bundles, and what differs from it.

    >>> as_table(SRD35.replace(stabilise_chance=0))
    {'base': 'SRD35', 'stabilise_chance': '0'}
    """
    base, switches = nearest(rules)
    changed = {switch: getattr(rules, switch) for switch in switches}
    return {"base": base, **{name: str(one) if isinstance(one, Fraction) else one for name, one in changed.items()}}


def from_table(table: Mapping[str, Any]) -> Ruleset:
    """Return the rules that a table means; without a base, the rest of them are those of ``COURSE``.

    Raises
    ------
    ValueError
        If a key is neither ``"base"`` nor a switch, or a value is not allowed.

    Examples
    --------
    >>> from_table({"base": "SRD35", "stabilise_chance": "0"}) == SRD35.replace(stabilise_chance=0)
    True
    """
    switches = {one_of(_("a key"), key, ("base", *SWITCHES)): value for key, value in table.items()}
    base = RULESETS[one_of("base", switches.pop("base", "COURSE"), RULESETS)]
    return base.replace(**{name: _read(name, value) for name, value in switches.items()})


def _read(switch: str, value: Any) -> Any:
    """Read a chance written as 0.1 or "1/10"; what is neither is left for the rules to take or refuse."""
    given = bare(value)
    if isinstance(SWITCHES[switch].course, Fraction) and isinstance(given, (float, str)):
        with suppress(ZeroDivisionError):
            return Fraction(str(given)) if _WRITTEN.fullmatch(str(given)) else value
    return value
