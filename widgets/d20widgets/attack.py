"""The attack roll to drag: bonus, armor class, the die's twenty faces, and the curve of the chance to hit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from d20kit import COURSE, SRD35
from d20kit.amounts import number_text, short_percent_text
from d20kit.armor_class import armor_class
from d20kit.attack import Outcome, hit_chance, outcome_chances, resolve
from d20kit.language import N_, _
from d20kit.rulesets import Ruleset
from d20widgets import mathml
from d20widgets.attack_picture import CURVE, FACES, attack_figure
from d20widgets.controls import Choice, Switch, Whole
from d20widgets.explorer import Explorer


@dataclass(frozen=True)
class Numbers:
    """One attack: what was set, the armor class in force, and what every face and the whole roll come to."""

    bonus: int
    ac: int
    in_force: int
    armor: int
    dexterity: int
    touch: bool
    flat_footed: bool
    threat: int
    rules: Ruleset
    faces: Mapping[Outcome, tuple[int, ...]]
    chances: Mapping[Outcome, Fraction]
    hit: Fraction


class AttackExplorer(Explorer):
    """Drag an armor class and see which faces of the die hit it.

    Parameters
    ----------
    bonus : int
        Attack bonus, -5 to 25.
    ac : int
        Armor class against an ordinary attack, 5 to 45. It is the main slider.
    armor : int
        How much of it is armor, shield and natural armor together, 0 to 15: what a touch attack passes by.
    dexterity : int
        How much of it is the Dexterity modifier, -5 to 8: a bonus is lost while flat-footed, a penalty stays.
    flat_footed, touch : bool
        Whether the target is flat-footed, and whether a touch is enough.
    threat : int
        Lowest face of the weapon's threat range, 15 to 20: 19 for 19-20. It counts where a critical is confirmed.
    rules : Ruleset
        ``COURSE`` or ``SRD35``, by itself or by name.

    Raises
    ------
    ValueError
        If a value is not allowed; the message says what is.

    Examples
    --------
    >>> AttackExplorer(bonus=7, ac=18).table()[0]["chance"]
    Fraction(1, 2)
    >>> print(AttackExplorer(bonus=7, ac=18).summary)
    Attack bonus +7 against AC 18: 11 or more on the die hits, 10 faces of 20: 50 %. Natural 20 is a critical.
    """

    title = N_("Attack roll")
    main = "ac"
    controls = (
        Whole("bonus", N_("Attack bonus"), 7, -5, 25),
        Whole("ac", N_("Armor class"), 18, 5, 45),
        Whole("armor", N_("Armor part"), 5, 0, 15),
        Whole("dexterity", N_("Dexterity part"), 2, -5, 8),
        Switch("flat_footed", N_("flat-footed target")),
        Switch("touch", N_("touch attack")),
        Whole("threat", N_("Threat range from"), 20, 15, 20, since=2),
        Choice("rules", N_("Rules"), {"COURSE": COURSE, "SRD35": SRD35}),
    )

    def numbers(self, values: Mapping[str, Any]) -> Numbers:
        bonus, threat, rules = values["bonus"], values["threat"], values["rules"]
        in_force = _armor_class(values)
        faces: dict[Outcome, list[int]] = {outcome: [] for outcome in Outcome}
        for face in FACES:
            # The best second roll: what is coloured critical may still need to be confirmed.
            faces[resolve(face, bonus, in_force, confirm=20, threat=threat, rules=rules)].append(face)
        chances = outcome_chances(bonus, in_force, threat=threat, rules=rules)
        return Numbers(
            **values,
            in_force=in_force,
            faces={outcome: tuple(found) for outcome, found in faces.items()},
            chances=dict(zip((Outcome.MISS, Outcome.HIT, Outcome.CRITICAL), chances, strict=True)),
            hit=hit_chance(bonus, in_force),
        )

    def picture(self, values: Mapping[str, Any], table: Sequence[Numbers]) -> dict[str, Any]:
        return attack_figure(values["bonus"])

    def frame(self, numbers: Numbers) -> dict[str, Any]:
        # A lone None keeps a trace, and so its place in the legend, where no face belongs to it.
        cells: list[list[int | None]] = [[*numbers.faces[outcome]] or [None] for outcome in Outcome]
        faces = {f"data.{i}.x": cell for i, cell in enumerate(cells, start=1)}
        return {**faces, **_point(numbers), "label": _label(numbers)}

    def formula(self, numbers: Numbers) -> str:
        total = (mathml.number(21), mathml.sign("+"), mathml.number(numbers.bonus, enclose=True))
        inner = mathml.row(*total, mathml.sign("−"), mathml.number(numbers.in_force, enclose=True))
        held = mathml.call("min", mathml.number(19), mathml.call("max", mathml.number(1), inner))
        return mathml.formula(
            mathml.call("P", mathml.words(_("hit"))),
            mathml.sign("="),
            mathml.fraction(held, mathml.number(20)),
            mathml.sign("="),
            mathml.fraction(mathml.number(int(numbers.hit * 20)), mathml.number(20)),
            mathml.sign("="),
            mathml.words(short_percent_text(numbers.hit)),
        )

    def sentence(self, numbers: Numbers) -> str:
        parts = (_armor_sentence(numbers), _roll_sentence(numbers), _critical_sentence(numbers))
        return " ".join(part for part in parts if part)

    def rows(self, numbers: Numbers) -> list[dict[str, Any]]:
        return [
            {
                N_("outcome"): outcome,
                N_("faces"): _span(numbers.faces[outcome]),
                N_("chance"): numbers.chances[outcome],
            }
            for outcome in Outcome
        ]


def _rest(values: Mapping[str, Any]) -> int:
    """What makes up the armor class besides ten, armor and Dexterity: size, deflection and the like."""
    return values["ac"] - armor_class(armor=values["armor"], dexterity=values["dexterity"])


def _armor_class(values: Mapping[str, Any]) -> int:
    return armor_class(
        armor=values["armor"],
        dexterity=values["dexterity"],
        other=_rest(values),
        touch=values["touch"],
        flat_footed=values["flat_footed"],
    )


def _span(faces: Sequence[int]) -> str:
    """Write faces in short; those of one outcome always stand side by side."""
    if not faces:
        return "-"
    return str(faces[0]) if len(faces) == 1 else f"{faces[0]}-{faces[-1]}"


def _point(numbers: Numbers) -> dict[str, Any]:
    """The mark on the curve; what lies beyond the axis is marked at its end."""
    text = short_percent_text(numbers.hit)
    if numbers.in_force != numbers.ac:
        text += "<br>" + _("AC against this attack: {ac}").format(ac=number_text(numbers.in_force))
    return {
        "data.4.x": [max(numbers.in_force, CURVE.start)],
        "data.4.y": [float(100 * numbers.hit)],
        "data.4.text": [text],
        # The words need room up to the end of the axis.
        "data.4.textposition": "top right" if numbers.in_force < CURVE.stop // 2 or "<br>" not in text else "top left",
    }


def _armor_sentence(numbers: Numbers) -> str:
    if not (numbers.touch or numbers.flat_footed):
        return ""
    parts = _("AC {ac} = 10 {armor} armor {dexterity} Dexterity {other} other.").format(
        ac=numbers.ac,
        armor=_term(numbers.armor),
        dexterity=_term(numbers.dexterity),
        other=_term(_rest(vars(numbers))),
    )
    reasons = [_touch_reason()] if numbers.touch else []
    if numbers.flat_footed:
        reasons.append(_flat_footed_reason(numbers.dexterity))
    return f"{parts} {' '.join(reasons)}"


def _term(value: int) -> str:
    return f"+ {value}" if value >= 0 else f"− {-value}"


def _touch_reason() -> str:
    return _("A touch attack passes by the armor.")


def _flat_footed_reason(dexterity: int) -> str:
    if dexterity < 0:
        return _("Flat-footed, the Dexterity penalty stays.")
    return _("Flat-footed, the Dexterity bonus is lost.")


def _roll_sentence(numbers: Numbers) -> str:
    hits = len(FACES) - len(numbers.faces[Outcome.MISS])
    lowest = len(FACES) + 1 - hits
    if hits == 1:
        which = _("only a 20 on the die hits, 1 face of 20")
    else:
        which = _("{lowest} or more on the die hits, {hits} faces of 20").format(lowest=lowest, hits=hits)
    return _("Attack bonus {bonus} against AC {ac}: {which}: {chance}.").format(
        bonus=number_text(numbers.bonus) if numbers.bonus < 0 else f"+{numbers.bonus}",
        ac=number_text(numbers.in_force),
        which=which,
        chance=short_percent_text(numbers.hit),
    )


def _critical_sentence(numbers: Numbers) -> str:
    threat = _span(range(numbers.threat, len(FACES) + 1))
    if numbers.rules.critical == "natural-20":
        if numbers.threat == len(FACES):
            return _("Natural 20 is a critical.")
        return _("Natural 20 is a critical; threat {threat} counts only under SRD35.").format(threat=threat)
    chance = short_percent_text(numbers.chances[Outcome.CRITICAL])
    hitting = _span(numbers.faces[Outcome.CRITICAL])
    if hitting == threat:
        return _("Threat {threat}: a critical if a second roll hits too: {chance}.").format(
            threat=threat, chance=chance
        )
    return _("Threat {threat}, of which {hitting} hits: a critical if a second roll hits too: {chance}.").format(
        threat=threat, hitting=hitting, chance=chance
    )


def _label(numbers: Numbers) -> str:
    """The words that stand for the picture."""
    faces = ", ".join(f"{_(outcome.value)} {_span(numbers.faces[outcome])}" for outcome in Outcome)
    return _("Faces of the die: {faces}. Chance to hit at AC {ac}: {chance}.").format(
        faces=faces, ac=number_text(numbers.in_force), chance=short_percent_text(numbers.hit)
    )
