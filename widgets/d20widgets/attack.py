"""The attack roll to drag: bonus, armor class, the die's twenty faces, the chance to hit, and the damage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar

from d20kit import Pmf
from d20kit.amounts import faces_text, number_text, short_percent_text
from d20kit.attack import Outcome, hit_chance, outcome_chances, resolve
from d20kit.damage import attack_damage, critical_damage, hit_damage
from d20kit.language import N_, _
from d20kit.rulesets import Ruleset
from d20widgets import attack_parts as parts
from d20widgets import attack_words as words
from d20widgets import mathml
from d20widgets import state as saved
from d20widgets.armor_class import SIZES
from d20widgets.attack_picture import CURVE, attack_figure, damage_frame
from d20widgets.attack_words import Numbers
from d20widgets.controls import OneOf, Switch, Whole, Written
from d20widgets.damage import GRIPS, WEAPONS, damage_reader
from d20widgets.detail import Table
from d20widgets.dice import mean_text
from d20widgets.explorer import Explorer
from d20widgets.rules_choice import RulesChoice, beside
from d20widgets.style import FACES
from d20widgets.twin import Amount

# What keeps the table of all armor classes small.
MOST_DICE = 60
TOTALS = {"bonus": parts.made_bonus, "ac": parts.made_armor_class}


class AttackExplorer(Explorer):
    """Drag an armor class and see which faces of the die hit it, and what that deals.

    Attack bonus and armor class are totals. Moving one of their parts moves the total with it; what the parts do not
    make is counted as other.

    Parameters
    ----------
    bonus : int
        Attack bonus, -5 to 25.
    ac : int
        Armor class against an ordinary attack, 5 to 45. It is the main slider.
    armor, shield, natural : int
        How much of it is armor, shield and natural armor, 0 to 15 each: what a touch attack passes by.
    dexterity, dodge : int
        How much of it is the Dexterity modifier, -5 to 8, and dodge, 0 to 10: their bonuses are lost while
        flat-footed, a penalty stays.
    deflection : int
        How much of it is deflection, 0 to 10, which always counts.
    flat_footed, touch : bool
        Whether the target is flat-footed, and whether a touch is enough.
    threat : int
        Lowest face of the weapon's threat range, 15 to 20: 19 for 19-20. It counts where a critical is confirmed.
    rules : Ruleset
        ``COURSE`` or ``SRD35``, by itself or by name, or a mixture of their switches.
    dice : str
        The weapon's dice, from 0 to 60, such as ``"1d8"``.
    grip : str
        "one-handed", "off-hand" and "two-handed" attack with Strength; "thrown", "bow", "composite-bow", "crossbow"
        and "sling" with Dexterity and at a distance.
    light : bool
        A light weapon gains nothing from a second hand.
    rating : int
        The Strength bonus that a composite bow was built for, 0 to 10.
    multiplier : int
        The weapon's critical multiplier, 2 to 4.
    damage_bonus : int
        Enhancement and whatever else is added to the dice besides Strength, -5 to 10.
    strength, attacker_dexterity : int
        The attacker's modifiers, -5 to 10.
    base : int
        Base attack bonus, 0 to 20. It starts so that it makes the attack bonus together with Strength.
    attacker_size, target_size : str
        Sizes, from "colossal" to "fine".
    increment, distance : int
        Range increment of the weapon, 5 to 120 feet, and feet to the target, as far as the weapon reaches.

    Raises
    ------
    ValueError
        If a value is not allowed; the message says what is.

    Examples
    --------
    >>> AttackExplorer(bonus=7, ac=18).table()[0]["chance"]
    Fraction(1, 2)
    >>> print(AttackExplorer(bonus=7, ac=18).summary)
    Attack bonus +7 against AC 18: 11 or more on the die hits, 10 faces of 20: 50 %. Natural 20 is a critical. One \
attack deals 4.125 on average, misses included; under SRD35 it would be 3.938.
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
        RulesChoice("rules", N_("Rules")),
        Written("dice", N_("Weapon dice"), "1d8", damage_reader("dice", 0, MOST_DICE), WEAPONS, since=3),
        OneOf("grip", N_("Grip"), GRIPS, since=3),
        Switch("light", N_("light weapon"), since=3),
        Whole("rating", N_("Rating of the bow"), 0, 0, 10, since=3),
        Whole("multiplier", N_("Critical multiplier"), 2, 2, 4, since=3),
        Whole("damage_bonus", N_("Other damage bonus"), 0, -5, 10, since=3),
        Whole("strength", N_("Strength modifier"), 3, -5, 10, since=3),
        parts.Training("base", N_("Base attack bonus"), 0, 0, 20, since=3),
        Whole("attacker_dexterity", N_("Dexterity modifier"), 2, -5, 10, since=3),
        OneOf("attacker_size", N_("Attacker's size"), SIZES, "medium", since=3),
        Whole("increment", N_("Range increment"), 30, 5, 120, since=3),
        parts.Distance("distance", N_("Distance in feet"), 0, 0, 0, since=3),
        Whole("shield", N_("Shield part"), 0, 0, 15, since=3),
        Whole("natural", N_("Natural armor part"), 0, 0, 15, since=3),
        Whole("deflection", N_("Deflection part"), 0, 0, 10, since=3),
        Whole("dodge", N_("Dodge part"), 0, 0, 10, since=3),
        OneOf("target_size", N_("Target's size"), SIZES, "medium", since=3),
    )
    groups: ClassVar[Mapping[str, Sequence[str]]] = {
        N_("Weapon"): ("dice", "grip", "multiplier", "damage_bonus", "light", "rating"),
        N_("Bonus built from parts"): (
            "base",
            "strength",
            "attacker_dexterity",
            "attacker_size",
            "increment",
            "distance",
        ),
        N_("Armor class built from parts"): (
            "armor",
            "shield",
            "natural",
            "dexterity",
            "target_size",
            "deflection",
            "dodge",
        ),
    }
    detail_title = N_("Where bonus and armor class come from")

    def move(self, /, **values: Any) -> None:
        """Set any controls, as a learner would, with one redraw; a total follows its parts unless it is set too.

        Raises
        ------
        ValueError
            If a name is not a control's, or its value is not allowed; then nothing changes.
        """
        before, after = self._values, saved.checked(self.controls, values, self._values)
        for control in self.controls[:2]:
            made = TOTALS[control.name]
            if control.name not in values and made(after) != made(before):
                values[control.name] = control.fit(before[control.name] + made(after) - made(before), after)
        super().move(**values)

    def numbers(self, values: Mapping[str, Any]) -> Numbers:
        bonus, threat, rules = values["bonus"], values["threat"], values["rules"]
        in_force = parts.armor_class_in_force(values)
        chances = outcome_chances(bonus, in_force, threat=threat, rules=rules)
        return Numbers(
            values=values,
            in_force=in_force,
            faces=_faces(bonus, in_force, threat, rules),
            chances=dict(zip(Outcome, chances, strict=True)),
            hit=hit_chance(bonus, in_force),
            means=dict(zip(Outcome, _means(*_weapon(values, rules), rules), strict=True)),
            damages={name: _damage_at(in_force, values, one) for name, one in beside(rules).items()},
        )

    def picture(self, values: Mapping[str, Any], table: Sequence[Numbers]) -> dict[str, Any]:
        shown = beside(values["rules"])
        means = {name: [_damage_at(ac, values, rules).mean() for ac in CURVE] for name, rules in shown.items()}
        return attack_figure(values["bonus"], means, [one.damages for one in table], table[0].two)

    def frame(self, numbers: Numbers) -> dict[str, Any]:
        # A lone None keeps a trace, and so its place in the legend, where no face belongs to it.
        cells: list[list[int | None]] = [[*numbers.faces[outcome]] or [None] for outcome in Outcome]
        faces = {f"data.{i}.x": cell for i, cell in enumerate(cells, start=3)}
        damage = damage_frame(numbers.damages, numbers.two)
        return {**faces, **_point(numbers), **damage, "label": words.label(numbers)}

    def formula(self, numbers: Numbers) -> str:
        return mathml.formula(*mathml.roll(_("hit"), numbers.values["bonus"], numbers.in_force, numbers.hit))

    def sentence(self, numbers: Numbers) -> str:
        sentences = (
            words.bonus_sentence,
            words.armor_sentence,
            words.roll_sentence,
            words.critical_sentence,
            words.damage_sentence,
        )
        return " ".join(filter(None, (sentence(numbers) for sentence in sentences)))

    def question(self, numbers: Numbers) -> tuple[str, Any]:
        return _("What is the chance to hit?"), numbers.hit

    def detail(self, numbers: Numbers) -> list[Table]:
        return words.parts_tables(numbers)

    def rows(self, numbers: Numbers) -> list[dict[str, Any]]:
        return [
            {
                N_("outcome"): outcome,
                N_("faces"): faces_text(numbers.faces[outcome]),
                N_("chance"): numbers.chances[outcome],
                N_("mean damage"): Amount(numbers.means[outcome]),
            }
            for outcome in Outcome
        ]


@lru_cache(maxsize=256)
def _faces(bonus: int, ac: int, threat: int, rules: Ruleset) -> Mapping[Outcome, tuple[int, ...]]:
    """Which faces come to what, given the best second roll: what is coloured critical may need to be confirmed."""
    found: dict[Outcome, list[int]] = {outcome: [] for outcome in Outcome}
    for face in FACES:
        found[resolve(face, bonus, ac, confirm=20, threat=threat, rules=rules)].append(face)
    return {outcome: tuple(faces) for outcome, faces in found.items()}


def _weapon(values: Mapping[str, Any], rules: Ruleset) -> tuple[str, int, int]:
    """Dice, bonus and multiplier of the weapon in this hand."""
    return values["dice"], parts.weapon_bonus(values, rules), values["multiplier"]


@lru_cache(maxsize=64)
def _means(dice: str, bonus: int, multiplier: int, rules: Ruleset) -> tuple[Fraction, ...]:
    """Mean damage of a miss, a hit and a critical."""
    critical = critical_damage(dice, bonus, multiplier=multiplier, rules=rules)
    return Fraction(0), hit_damage(dice, bonus, rules=rules).mean(), critical.mean()


@lru_cache(maxsize=512)
def _damage(attack: int, ac: int, dice: str, bonus: int, multiplier: int, threat: int, rules: Ruleset) -> Pmf:
    return attack_damage(attack, ac, dice, bonus, multiplier=multiplier, threat=threat, rules=rules)


def _damage_at(ac: int, values: Mapping[str, Any], rules: Ruleset) -> Pmf:
    """What the attack deals against an armor class."""
    return _damage(values["bonus"], ac, *_weapon(values, rules), values["threat"], rules)


def _point(numbers: Numbers) -> dict[str, Any]:
    """The marks on both curves; what lies beyond the axis is marked at its end."""
    place = max(numbers.in_force, CURVE.start)
    text = short_percent_text(numbers.hit)
    if numbers.in_force != numbers.values["ac"]:
        text += "<br>" + _("AC against this attack: {ac}").format(ac=number_text(numbers.in_force))
    mean = numbers.damage.mean()
    # The words need room up to the end of the axis.
    right = numbers.in_force < CURVE.stop // 2 if "<br>" in text else numbers.in_force < CURVE.stop - 6
    return {
        "data.6.x": [place],
        "data.6.y": [float(100 * numbers.hit)],
        "data.6.text": [text],
        "data.6.textposition": "top right" if right else "top left",
        "data.7.x": [place],
        "data.7.y": [round(float(mean), 3)],
        "data.7.text": [mean_text(mean)],
        "data.7.textposition": "top right" if place < CURVE.stop - 6 else "top left",
    }
