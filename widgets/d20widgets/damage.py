"""Damage to drag: dice, Strength and grip, what a critical multiplies, and how far it all spreads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

from d20kit import COURSE
from d20kit.amounts import signed_text
from d20kit.check import refuse
from d20kit.damage import attack_damage, critical_damage, hit_damage, stack_multipliers, strength_damage
from d20kit.expression import read
from d20kit.language import N_, _, ngettext
from d20kit.magnitudes import root_text
from d20kit.rulesets import Ruleset
from d20widgets import mathml
from d20widgets.controls import OneOf, Switch, Whole, Written
from d20widgets.damage_picture import Damages, axis_end, damage_figure, damage_frame, heights
from d20widgets.dice import mean_text
from d20widgets.dice_ends import ends
from d20widgets.explorer import Explorer
from d20widgets.rules_choice import RulesChoice
from d20widgets.twin import Amount

GRIPS = {
    "one-handed": N_("one-handed"),
    "off-hand": N_("off-hand"),
    "two-handed": N_("two-handed"),
    "thrown": N_("thrown"),
    "bow": N_("bow"),
    "composite-bow": N_("composite bow"),
    "crossbow": N_("crossbow"),
    "sling": N_("sling"),
}
WEAPONS = ("1d4", "1d6", "1d8", "1d10", "1d12", "2d4", "2d6", "3d6")
EXTRAS = ("", "1d6", "2d6", "3d6")
STRENGTHS = range(-5, 11)
# What keeps a table of all Strengths small.
MOST_DICE, MOST_EXTRA = 100, 60
ROLLED_ONCE = COURSE.replace(critical_damage="multiply")
ROLLED_AGAIN = COURSE.replace(critical_damage="roll-again")


def damage_reader(name: str, low: int, high: int, least: int = 1) -> Callable[[str], None]:
    """Return what refuses dice that mean nothing as damage, or would make too large a table.

    >>> damage_reader("dice", 0, 100)("40d6")
    Traceback (most recent call last):
    ValueError: dice is '40d6', but must be dice from 0 to 100, of which some come to 1 or more
    """

    def refuse_far(text: str) -> None:
        lowest, highest = ends(name, text)
        if not low <= lowest <= highest <= high or highest < least:
            said = _("dice from {low} to {high}, of which some come to {least} or more")
            raise refuse(name, text, said.format(low=low, high=high, least=least))

    return refuse_far


def _read_extra(text: str) -> None:
    """Refuse like other dice; without bonus dice the box is empty."""
    if text.strip():
        damage_reader("extra", 0, MOST_EXTRA)(text)


@dataclass(frozen=True)
class Numbers:
    """One Strength modifier: what it adds to damage, and what comes of that."""

    strength: int
    grip: str
    light: bool
    rules: Ruleset
    added: int
    bonus: int
    multiplier: int
    dice: str
    extra: str
    attack_bonus: int
    ac: int
    damages: Damages
    tops: tuple[float, float]
    end: int


class DamageExplorer(Explorer):
    """Drag Strength and see what a hit and a critical deal.

    Parameters
    ----------
    strength : int
        Strength modifier, -5 to 10. It is the main slider.
    dice : str
        The weapon's dice, from 0 to 100, such as ``"1d8"``.
    grip : str
        "one-handed", "off-hand", "two-handed", "thrown", "bow", "composite-bow", "crossbow" or "sling".
    multiplier, second : int
        The weapon's critical multiplier, 2 to 4, and another one that is stacked on it, 1 (none) to 3.
    light : bool
        A light weapon gains nothing from a second hand.
    rating : int
        The Strength bonus that a composite bow was built for, 0 to 10.
    other : int
        Enhancement and whatever else is multiplied with the dice, -5 to 10.
    extra : str
        Bonus dice, from 0 to 60, which are never multiplied; empty for none.
    bonus, ac, threat : int
        The attack: its bonus, -5 to 25, the armor class it meets, 5 to 45, and the lowest face of the threat range, 15
        to 20.
    rules : Ruleset
        ``COURSE`` or ``SRD35``, by itself or by name, or a mixture of their switches.

    Raises
    ------
    ValueError
        If a value is not allowed; the message says what is.

    Examples
    --------
    >>> print(DamageExplorer(strength=3, dice="2d6", grip="two-handed").summary)
    Strength +3, two-handed: +4 to damage. A hit deals 11 on average, give or take 2.415. A critical × 2 deals 22 on \
average either way, give or take 4.83 with one roll multiplied, 3.416 with 2 rolls. One attack, bonus +5 against AC \
15, deals 6.6 on average under COURSE.
    """

    title = N_("Damage")
    main = "strength"
    controls = (
        Whole("strength", N_("Strength"), 3, STRENGTHS.start, STRENGTHS.stop - 1),
        Written("dice", N_("Weapon dice"), "1d8", damage_reader("dice", 0, MOST_DICE), WEAPONS),
        OneOf("grip", N_("Grip"), GRIPS),
        Whole("multiplier", N_("Critical multiplier"), 2, 2, 4),
        RulesChoice("rules", N_("Rules")),
        Switch("light", N_("light weapon")),
        Whole("rating", N_("Rating of the bow"), 0, 0, 10),
        Whole("other", N_("Other bonus"), 0, -5, 10),
        Whole("second", N_("Second multiplier"), 1, 1, 3),
        Written("extra", N_("Bonus dice"), "", _read_extra, EXTRAS),
        Whole("bonus", N_("Attack bonus"), 5, -5, 25),
        Whole("ac", N_("Armor class"), 15, 5, 45),
        Whole("threat", N_("Threat range from"), 20, 15, 20),
    )
    groups: ClassVar[Mapping[str, Sequence[str]]] = {
        N_("More about the weapon"): ("light", "rating", "other", "second", "extra"),
        N_("The attack"): ("bonus", "ac", "threat"),
    }

    def numbers(self, values: Mapping[str, Any]) -> Numbers:
        tops, end = _ends(**{name: value for name, value in values.items() if name != "strength"})
        return Numbers(
            **{name: values[name] for name in ("strength", "grip", "light", "rules", "ac")},
            added=_added(values),
            bonus=_added(values) + values["other"],
            multiplier=stack_multipliers(values["multiplier"], values["second"]),
            dice=str(read(values["dice"])),
            extra=str(read(values["extra"])) if values["extra"].strip() else "",
            attack_bonus=values["bonus"],
            damages=_damages(**values),
            tops=tops,
            end=end,
        )

    def picture(self, values: Mapping[str, Any], table: Sequence[Numbers]) -> dict[str, Any]:
        return damage_figure([numbers.damages for numbers in table])

    def frame(self, numbers: Numbers) -> dict[str, Any]:
        return {**damage_frame(numbers.damages, numbers.tops, numbers.end), "label": self.sentence(numbers)}

    def formula(self, numbers: Numbers) -> str:
        hit = (*_weapon(numbers), *_extra(numbers))
        critical = (_multiple(numbers), mathml.sign("("), *_weapon(numbers), mathml.sign(")"), *_extra(numbers))
        rows = (_strength(numbers), _named(_("hit"), hit), _named(_("critical"), critical))
        return mathml.formula(mathml.lines(*(mathml.row(*row) for row in rows)))

    def sentence(self, numbers: Numbers) -> str:
        sentences = (_strength_sentence, _hit_sentence, _critical_sentence, _attack_sentence)
        return " ".join(sentence(numbers) for sentence in sentences)

    def question(self, numbers: Numbers) -> tuple[str, Any]:
        return _("What does a hit deal on average?"), Amount(numbers.damages.hit.mean())

    def rows(self, numbers: Numbers) -> list[dict[str, Any]]:
        names = (N_("hit"), N_("critical, one roll multiplied"), N_("critical, rolled again"), N_("one attack"))
        return [
            {
                N_("damage of"): _(name),
                N_("lowest"): pmf.support()[0],
                N_("highest"): pmf.support()[1],
                N_("mean"): Amount(pmf.mean()),
                N_("standard deviation"): round(pmf.std(), 3),
                N_("variance"): Amount(pmf.var()),
            }
            for name, pmf in zip(names, numbers.damages, strict=True)
        ]


def _added(values: Mapping[str, Any]) -> int:
    """What Strength adds to damage."""
    grip, light, rating = values["grip"], values["light"], values["rating"]
    return int(strength_damage(values["strength"], grip, light=light, rating=rating, rules=values["rules"]))


@lru_cache(maxsize=256)
def _damages(**values: Any) -> Damages:
    """All that is drawn for one Strength."""
    dice, bonus, extra = values["dice"], _added(values) + values["other"], values["extra"].strip() or None
    multiplier = stack_multipliers(values["multiplier"], values["second"])
    return Damages(
        hit_damage(dice, bonus, extra=extra),
        critical_damage(dice, bonus, multiplier=multiplier, extra=extra, rules=ROLLED_ONCE),
        critical_damage(dice, bonus, multiplier=multiplier, extra=extra, rules=ROLLED_AGAIN),
        attack_damage(
            values["bonus"],
            values["ac"],
            dice,
            bonus,
            multiplier=multiplier,
            threat=values["threat"],
            extra=extra,
            rules=values["rules"],
        ),
    )


@lru_cache(maxsize=8)
def _ends(**values: Any) -> tuple[tuple[float, float], int]:
    """Where the axes end, which no position of the slider may move."""
    table = [_damages(strength=strength, **values) for strength in STRENGTHS]
    return heights(table), axis_end(table)


def _halves(numbers: Numbers) -> int:
    """How many halves of the Strength modifier count, where it is scaled at all."""
    if numbers.rules.strength_scaling == "bonus" and numbers.strength < 0:
        return 2
    if numbers.grip == "off-hand":
        return 1
    return 3 if numbers.grip == "two-handed" and not numbers.light else 2


def _strength(numbers: Numbers) -> tuple[str, ...]:
    """Where the Strength damage comes from, and what it is."""
    told = mathml.words(_("Strength damage")), mathml.sign("=")
    halves = _halves(numbers)
    if halves == 2:
        return *told, mathml.number(numbers.added)
    product = (mathml.number(halves), mathml.sign("·")) if halves > 1 else ()
    scaled = mathml.fraction(
        mathml.row(*product, mathml.number(numbers.strength, enclose=bool(product))), mathml.number(2)
    )
    return *told, mathml.sign("⌊"), scaled, mathml.sign("⌋"), mathml.sign("="), mathml.number(numbers.added)


def _named(name: str, terms: Sequence[str]) -> tuple[str, ...]:
    return mathml.words(name), mathml.sign("="), mathml.call("max", mathml.number(1), mathml.row(*terms))


def _weapon(numbers: Numbers) -> tuple[str, ...]:
    """The dice and everything else that a critical multiplies."""
    if not numbers.bonus:
        return (mathml.words(numbers.dice),)
    sign = mathml.sign("+" if numbers.bonus > 0 else "−")
    return mathml.words(numbers.dice), sign, mathml.number(abs(numbers.bonus))


def _extra(numbers: Numbers) -> tuple[str, ...]:
    return (mathml.sign("+"), mathml.words(numbers.extra)) if numbers.extra else ()


def _multiple(numbers: Numbers) -> str:
    if numbers.rules.critical_damage == "multiply":
        return mathml.row(mathml.number(numbers.multiplier), mathml.sign("·"))
    return mathml.words(f"{_rolls(numbers.multiplier)} ")


def _rolls(count: int) -> str:
    return ngettext("{n} roll", "{n} rolls", count).format(n=count)


def _strength_sentence(numbers: Numbers) -> str:
    return _("Strength {strength}, {grip}: {added} to damage.").format(
        strength=signed_text(numbers.strength), grip=_(GRIPS[numbers.grip]), added=signed_text(numbers.added)
    )


def _hit_sentence(numbers: Numbers) -> str:
    hit = numbers.damages.hit
    return _("A hit deals {mean} on average, give or take {spread}.").format(
        mean=mean_text(hit.mean()), spread=root_text(hit.var(), 4)
    )


def _critical_sentence(numbers: Numbers) -> str:
    once, again = numbers.damages.multiplied, numbers.damages.again
    mean, mean_again = mean_text(once.mean()), mean_text(again.mean())
    if mean == mean_again:
        said = _(
            "A critical × {n} deals {mean} on average either way, give or take {spread} with one roll multiplied, "
            "{spread_again} with {rolls}."
        )
    else:
        said = _(
            "A critical × {n} deals {mean} on average, give or take {spread}, with one roll multiplied, and "
            "{mean_again}, give or take {spread_again}, with {rolls}."
        )
    return said.format(
        n=numbers.multiplier,
        mean=mean,
        spread=root_text(once.var(), 4),
        mean_again=mean_again,
        spread_again=root_text(again.var(), 4),
        rolls=_rolls(numbers.multiplier),
    )


def _attack_sentence(numbers: Numbers) -> str:
    return _("One attack, bonus {bonus} against AC {ac}, deals {mean} on average under {rules}.").format(
        bonus=signed_text(numbers.attack_bonus),
        ac=numbers.ac,
        mean=mean_text(numbers.damages.attack.mean()),
        rules=numbers.rules.name,
    )
