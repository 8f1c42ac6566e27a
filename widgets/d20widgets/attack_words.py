"""The sentences of the attack explorer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from d20kit import Pmf
from d20kit.amounts import faces_text, number_text, short_percent_text, signed_text, term_text
from d20kit.attack import Outcome
from d20kit.language import _
from d20kit.rulesets import Ruleset
from d20widgets.attack_parts import Part, armor_parts, bonus_parts, counting
from d20widgets.detail import Table
from d20widgets.dice import mean_text
from d20widgets.rules_choice import called, compared
from d20widgets.style import FACES


@dataclass(frozen=True)
class Numbers:
    """One attack: what was set, the armor class in force, what every face and the whole roll come to, its damage."""

    values: Mapping[str, Any]
    in_force: int
    faces: Mapping[Outcome, tuple[int, ...]]
    chances: Mapping[Outcome, Fraction]
    hit: Fraction
    means: Mapping[Outcome, Fraction]
    damages: Mapping[str, Pmf]

    @property
    def rules(self) -> Ruleset:
        """The rules in force."""
        return self.values["rules"]  # type: ignore[no-any-return]

    @property
    def two(self) -> tuple[str, str]:
        """What the rules in force are called, and the reading that they are compared with."""
        return called(self.rules), compared(self.rules)

    @property
    def damage(self) -> Pmf:
        """What the attack deals under the rules in force."""
        return self.damages[called(self.rules)]


def _terms(parts: Sequence[Part]) -> str:
    return " ".join(f"{term_text(part.value)} {_(part.name)}" for part in parts)


def bonus_sentence(numbers: Numbers) -> str:
    """Say what the bonus is made of, where that is more than training and Strength."""
    base, ability, *rest = bonus_parts(numbers.values)
    if ability.name == "Strength" and not any(part.value for part in rest[:-1]):
        return ""
    first = f"{number_text(base.value)} {_(base.name)}"
    others = _terms([ability, *(part for part in rest if part.value)])
    return _("Attack bonus {bonus} = {parts}.").format(
        bonus=signed_text(numbers.values["bonus"]), parts=f"{first} {others}"
    )


def armor_sentence(numbers: Numbers) -> str:
    """Say what the armor class is made of, where some of it does not count or is rarer than armor."""
    values = numbers.values
    parts = {part.name: part for part in armor_parts(values)}
    rare = [parts[name] for name in ("shield", "natural armor", "size", "deflection", "dodge") if parts[name].value]
    if not (values["touch"] or values["flat_footed"] or rare):
        return ""
    told = _("AC {ac} = 10 {parts}.").format(
        ac=values["ac"], parts=_terms([parts["armor"], parts["Dexterity"], *rare, parts["other"]])
    )
    return " ".join([told, *_reasons(values)])


def _reasons(values: Mapping[str, Any]) -> list[str]:
    """Why some of the armor class does not count, or that nothing of it is lost."""
    touched = [_touch_reason(values)] if values["touch"] else []
    return [*touched, *(_flat_reasons(values) if values["flat_footed"] else [])]


def _touch_reason(values: Mapping[str, Any]) -> str:
    if values["shield"] or values["natural"]:
        return _("A touch attack passes by armor, shield and natural armor.")
    if values["armor"]:
        return _("A touch attack passes by the armor.")
    return _("Touch attack: there is no armor to pass by.")


def _flat_reasons(values: Mapping[str, Any]) -> list[str]:
    dexterity, dodge = values["dexterity"], values["dodge"]
    if dexterity > 0:
        lost = _("Flat-footed, the Dexterity bonus is lost.")
        return [lost, _("The dodge bonus is lost too.")] if dodge else [lost]
    kept = [_("Flat-footed, the Dexterity penalty stays.")] if dexterity < 0 else []
    if dodge:
        return [*kept, _("Flat-footed, the dodge bonus is lost.")]
    return kept or [_("Flat-footed: there is no bonus to lose.")]


def roll_sentence(numbers: Numbers) -> str:
    """Say which faces hit, and how often that is."""
    hits = len(FACES) - len(numbers.faces[Outcome.MISS])
    lowest = len(FACES) + 1 - hits
    if hits == 1:
        which = _("only a 20 on the die hits, 1 face of 20")
    else:
        which = _("{lowest} or more on the die hits, {hits} faces of 20").format(lowest=lowest, hits=hits)
    return _("Attack bonus {bonus} against AC {ac}: {which}: {chance}.").format(
        bonus=signed_text(numbers.values["bonus"]),
        ac=number_text(numbers.in_force),
        which=which,
        chance=short_percent_text(numbers.hit),
    )


def critical_sentence(numbers: Numbers) -> str:
    """Say what is a critical, and how often it comes where it must be confirmed."""
    lowest = numbers.values["threat"]
    threat = faces_text(range(lowest, len(FACES) + 1))
    if numbers.rules.critical == "natural-20":
        if lowest == len(FACES):
            return _("Natural 20 is a critical.")
        return _("Natural 20 is a critical; threat {threat} counts only under SRD35.").format(threat=threat)
    chance = short_percent_text(numbers.chances[Outcome.CRITICAL])
    hitting = faces_text(numbers.faces[Outcome.CRITICAL])
    if hitting == threat:
        return _("Threat {threat}: a critical if a second roll hits too: {chance}.").format(
            threat=threat, chance=chance
        )
    return _("Threat {threat}, of which {hitting} hits: a critical if a second roll hits too: {chance}.").format(
        threat=threat, hitting=hitting, chance=chance
    )


def damage_sentence(numbers: Numbers) -> str:
    """Say what one attack deals, under the rules in force and under those they are compared with."""
    other = compared(numbers.rules)
    mean, other_mean = mean_text(numbers.damage.mean()), mean_text(numbers.damages[other].mean())
    if mean == other_mean:
        said = _("One attack deals {mean} on average, misses included; under {other} it is the same.")
    else:
        said = _("One attack deals {mean} on average, misses included; under {other} it would be {other_mean}.")
    return said.format(mean=mean, other=other, other_mean=other_mean)


def label(numbers: Numbers) -> str:
    """Return the words that stand for the picture."""
    faces = ", ".join(f"{_(outcome.value)} {faces_text(numbers.faces[outcome])}" for outcome in Outcome)
    said = _("Faces of the die: {faces}. Chance to hit at AC {ac}: {chance}. Damage of one attack: mean {mean}.")
    return said.format(
        faces=faces,
        ac=number_text(numbers.in_force),
        chance=short_percent_text(numbers.hit),
        mean=mean_text(numbers.damage.mean()),
    )


def parts_tables(numbers: Numbers) -> list[Table]:
    """Return the parts of the attack bonus, and those of the armor class with what counts of them."""
    values = numbers.values
    armor = [
        [_(part.name), signed_text(part.value), signed_text(counting(values, part))] for part in armor_parts(values)
    ]
    return [
        Table(
            _("Attack bonus {bonus}").format(bonus=signed_text(values["bonus"])),
            [_("part"), _("value")],
            [[_(part.name), signed_text(part.value)] for part in bonus_parts(values)],
        ),
        Table(
            _("AC {ac}, {in_force} against this attack").format(
                ac=values["ac"], in_force=number_text(numbers.in_force)
            ),
            [_("part"), _("value"), _("counts")],
            [[_("start"), "10", "10"], *armor],
        ),
    ]
