"""The saving throw to drag: the bonus in parts, the faces that save, and the curve of the chance over the DC."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from d20kit.abilities import AbilityChange, drain
from d20kit.amounts import faces_text, short_percent_text, signed_text, term_text
from d20kit.language import N_, _
from d20kit.rulesets import RULESETS, Ruleset
from d20kit.saves import ABILITY, NAMES, PROGRESSIONS, base_save, save_bonus, save_chance, save_succeeds
from d20widgets import mathml
from d20widgets.controls import OneOf, Whole
from d20widgets.detail import Table
from d20widgets.explorer import Explorer
from d20widgets.rules_choice import RulesChoice
from d20widgets.saves_picture import DCS, FAILS, MIDDLE, NATURALS, NOW, ROWS, SAVES, save_figure
from d20widgets.style import FACES

ABILITY_NAMES = {"constitution": N_("Constitution"), "dexterity": N_("Dexterity"), "wisdom": N_("Wisdom")}
MOST_LEVELS = 20


@dataclass(frozen=True)
class Numbers:
    """One saving throw: what was set, the bonus and its parts, and what each face and the whole roll come to."""

    dc: int
    save: str
    level: int
    progression: str
    other: int
    rules: Ruleset
    change: AbilityChange
    base: int
    bonus: int
    before: int
    saving: Mapping[str, tuple[int, ...]]
    naturals: Mapping[str, tuple[int, ...]]
    chances: Mapping[str, Fraction]
    chance: Fraction
    chance_before: Fraction


class SaveExplorer(Explorer):
    """Drag a difficulty class and see which faces of the die save.

    Parameters
    ----------
    dc : int
        Difficulty class, 5 to 40. It is the main slider.
    save : str
        ``"fortitude"``, ``"reflex"`` or ``"will"``; it decides which ability counts.
    level : int
        Class level, 1 to 20.
    progression : str
        ``"good"`` or ``"poor"``.
    score : int
        Score of the ability, 1 to 30.
    loss : int
        Attribute damage: points of it that are lost, 0 to all of them.
    other : int
        Everything else that is added, -5 to 10.
    rules : Ruleset
        ``COURSE`` or ``SRD35``, by itself or by name, or a mixture of their switches: whether a natural 1 or 20
        decides.

    Raises
    ------
    ValueError
        If a value is not allowed; the message says what is.

    Examples
    --------
    >>> SaveExplorer(dc=15, level=5, score=14).table()[0]["chance"]
    Fraction(3, 5)
    """

    title = N_("Saving throw")
    main = "dc"
    controls = (
        Whole("dc", N_("Difficulty class"), 15, 5, 40),
        OneOf("save", N_("Saving throw"), NAMES),
        Whole("level", N_("Class level"), 5, 1, MOST_LEVELS),
        OneOf("progression", N_("Progression"), {"good": N_("good"), "poor": N_("poor")}),
        Whole("score", N_("Ability score"), 14, 1, 30),
        Whole("loss", N_("Attribute damage"), 0, 0, "score"),
        Whole("other", N_("Everything else"), 0, -5, 10),
        RulesChoice("rules", N_("Rules")),
    )
    detail_title = N_("Base saves by level")

    def numbers(self, values: Mapping[str, Any]) -> Numbers:
        dc, rules = values["dc"], values["rules"]
        ability = ABILITY[values["save"]]
        change = drain({ability: values["score"]}, **{ability: values["loss"]})[ability]
        base: Any = base_save(values["level"], values["progression"])
        bonus, before = (
            int(save_bonus(base, modifier, values["other"])) for modifier in (change.modifier, change.modifier_before)
        )
        saving = {name: _saving(bonus, dc, each) for name, each in RULESETS.items()}
        return Numbers(
            dc=dc,
            save=values["save"],
            level=values["level"],
            progression=values["progression"],
            other=values["other"],
            rules=rules,
            change=change,
            base=base,
            bonus=bonus,
            before=before,
            saving=saving,
            naturals={name: _naturals(saving[name], bonus, dc, each) for name, each in RULESETS.items()},
            chances={name: save_chance(bonus, dc, rules=each) for name, each in RULESETS.items()},
            chance=save_chance(bonus, dc, rules=rules),
            chance_before=save_chance(before, dc, rules=rules),
        )

    def picture(self, values: Mapping[str, Any], table: Sequence[Numbers]) -> dict[str, Any]:
        one = table[0]
        parts = {"base": one.base, "ability": one.change.modifier, "other": one.other}
        title = _("{save} bonus {bonus}").format(save=_(NAMES[one.save]), bonus=signed_text(one.bonus))
        return save_figure(title, parts, _lost(one), one.bonus, one.before, values["rules"])

    def frame(self, numbers: Numbers) -> dict[str, Any]:
        rings = [(face, ROWS[name]) for name, faces in numbers.naturals.items() for face in faces]
        return {
            **_cells(numbers),
            f"data.{NATURALS}.x": [face for face, _row in rings] or [None],
            f"data.{NATURALS}.y": [row + MIDDLE for _face, row in rings] or [None],
            f"data.{NOW}.x": [numbers.dc],
            f"data.{NOW}.y": [float(100 * numbers.chance)],
            f"data.{NOW}.text": [short_percent_text(numbers.chance)],
            f"data.{NOW}.textposition": _beside(numbers),
            "label": _label(numbers),
        }

    def formula(self, numbers: Numbers) -> str:
        name, equals, total = mathml.words(_("Save bonus")), mathml.sign("="), mathml.number(numbers.bonus)
        bonus = mathml.row(name, equals, *_bonus_terms(numbers), equals, total)
        naturals = numbers.rules.save_naturals
        chance = mathml.roll(_("save"), numbers.bonus, numbers.dc, numbers.chance, naturals)
        return mathml.formula(mathml.lines(bonus, mathml.row(*chance)))

    def sentence(self, numbers: Numbers) -> str:
        parts = (_bonus_sentence(numbers), _roll_sentence(numbers), _loss_sentence(numbers), _rules_sentence(numbers))
        return " ".join(part for part in parts if part)

    def question(self, numbers: Numbers) -> tuple[str, Fraction]:
        return _("What is the chance to save?"), numbers.chance

    def rows(self, numbers: Numbers) -> list[dict[str, Any]]:
        return [
            {
                N_("rules"): name,
                N_("outcome"): _(outcome),
                N_("faces"): faces_text([face for face in FACES if (face in numbers.saving[name]) == saved]),
                N_("chance"): numbers.chances[name] if saved else 1 - numbers.chances[name],
            }
            for name in sorted(RULESETS, key=lambda name: RULESETS[name].save_naturals != numbers.rules.save_naturals)
            for outcome, saved in ((N_("saves"), True), (N_("fails"), False))
        ]

    def detail(self, numbers: Numbers) -> list[Table]:
        head = [_("level"), *map(_, PROGRESSIONS)]
        rows = [
            [str(level), *(f"+{base_save(level, progression)}" for progression in PROGRESSIONS)]
            for level in range(1, MOST_LEVELS + 1)
        ]
        return [Table(_("Base save"), head, rows)]


def _saving(bonus: int, dc: int, rules: Ruleset) -> tuple[int, ...]:
    return tuple(face for face in FACES if save_succeeds(face, bonus, dc, rules=rules))


def _naturals(saving: tuple[int, ...], bonus: int, dc: int, rules: Ruleset) -> tuple[int, ...]:
    """The faces that do other than their total says."""
    by_total = _saving(bonus, dc, rules.replace(save_naturals=False))
    return tuple(face for face in FACES if (face in saving) != (face in by_total))


def _beside(numbers: Numbers) -> str:
    """Where the words at the mark have room: above the falling curve, but not beyond the end of the axis."""
    if numbers.dc <= DCS.stop - 5:
        return "top right"
    return "bottom left" if numbers.chance >= Fraction(1, 5) else "top left"


def _lost(numbers: Numbers) -> dict[str, int]:
    """What the damage has taken from a bonus; what it has added to a penalty is in the penalty's own piece."""
    before, now = (max(0, one) for one in (numbers.change.modifier_before, numbers.change.modifier))
    return {"ability": before - now}


def _cells(numbers: Numbers) -> dict[str, Any]:
    """The faces of every row; a lone None keeps a trace, and so its place in the legend, without a face."""
    cells: dict[str, Any] = {}
    for name, faces in numbers.saving.items():
        cells[f"data.{SAVES[name]}.x"] = [*faces] or [None]
        cells[f"data.{FAILS[name]}.x"] = [face for face in FACES if face not in faces] or [None]
    return cells


def _bonus_terms(numbers: Numbers) -> list[str]:
    level, change = mathml.number(numbers.level), numbers.change
    if numbers.progression == "good":
        halved = mathml.floor(mathml.fraction(level, mathml.number(2)))
        base = mathml.row(mathml.number(2), mathml.sign("+"), halved)
    else:
        base = mathml.floor(mathml.fraction(level, mathml.number(3)))
    score = mathml.number(change.score_before or 0)
    lost = numbers.change.score_before - numbers.change.score  # type: ignore[operator]
    if lost:
        score = mathml.row(score, mathml.sign("−"), mathml.number(lost))
    above = mathml.row(score, mathml.sign("−"), mathml.number(10))
    modifier = mathml.floor(mathml.fraction(above, mathml.number(2)))
    other = [mathml.sign("+"), mathml.number(numbers.other, enclose=True)] if numbers.other else []
    return [base, mathml.sign("+"), modifier, *other]


def _ability(numbers: Numbers) -> str:
    return _(ABILITY_NAMES[numbers.change.ability])


def _bonus_sentence(numbers: Numbers) -> str:
    return _("{save} {bonus} = {base} base {modifier} {ability} {other} other.").format(
        save=_(NAMES[numbers.save]),
        bonus=signed_text(numbers.bonus),
        base=numbers.base,
        modifier=term_text(numbers.change.modifier),
        ability=_ability(numbers),
        other=term_text(numbers.other),
    )


def _roll_sentence(numbers: Numbers) -> str:
    count = int(numbers.chance * len(FACES))
    if count == 0:
        which = _("no face of the die saves")
    elif count == 1:
        which = _("only a 20 on the die saves, 1 face of 20")
    elif count == len(FACES):
        which = _("every face of the die saves")
    else:
        which = _("{lowest} or more on the die saves, {count} faces of 20").format(
            lowest=len(FACES) + 1 - count, count=count
        )
    return _("Against DC {dc}: {which}: {chance}.").format(
        dc=numbers.dc, which=which, chance=short_percent_text(numbers.chance)
    )


def _loss_sentence(numbers: Numbers) -> str:
    change = numbers.change
    if change.score == change.score_before:
        return ""
    told = {"ability": _ability(numbers), "before": change.score_before, "now": change.score}
    if not change.modifier_change:
        return _("{ability} {before} fell to {now}: the modifier is the same.").format(**told)
    return _("{ability} {before} fell to {now}, the modifier from {old} to {new}; before that it was {chance}.").format(
        **told,
        old=signed_text(change.modifier_before),
        new=signed_text(change.modifier),
        chance=short_percent_text(numbers.chance_before),
    )


def _rules_sentence(numbers: Numbers) -> str:
    """What the other rule set says, where it says something else."""
    for name, chance in numbers.chances.items():
        if chance == numbers.chance:
            continue
        told = {"rules": name, "chance": short_percent_text(chance)}
        if RULESETS[name].save_naturals:
            said = (
                _("Under {rules} a natural 20 always saves: {chance}.")
                if chance > numbers.chance
                else _("Under {rules} a natural 1 always fails: {chance}.")
            )
        else:
            said = _("Under {rules} no face is special: {chance}.")
        return said.format(**told)
    return ""


def _label(numbers: Numbers) -> str:
    """The words that stand for the picture."""
    each = "; ".join(
        _("{rules}: saves {faces}, {chance}").format(
            rules=name, faces=faces_text(faces), chance=short_percent_text(numbers.chances[name])
        )
        for name, faces in numbers.saving.items()
    )
    return _("Faces of the die that save against DC {dc} under each rule set. {each}.").format(dc=numbers.dc, each=each)
