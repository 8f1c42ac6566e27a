"""Initiative to drag: who goes first of two, how often a tie is rolled again, and the order of a whole party."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from d20kit.amounts import short_percent_sign, short_percent_text, signed_text
from d20kit.attack import FACES as SIDES
from d20kit.check import refuse
from d20kit.initiative import expected_dice, expected_rerolls, first_chance, order_chances, pair_chances
from d20kit.language import N_, _
from d20kit.magnitudes import significant
from d20kit.rulesets import RULESETS, Ruleset
from d20widgets import mathml
from d20widgets.controls import Whole, Written
from d20widgets.detail import Table
from d20widgets.explorer import Explorer
from d20widgets.initiative_picture import (
    DEPTH,
    FIRST,
    MODIFIERS,
    MOST_ORDERS,
    NOW,
    RESULTS,
    SECOND,
    TIED,
    Node,
    initiative_figure,
    region_values,
    tree_values,
)
from d20widgets.rules_choice import RulesChoice

LOW, HIGH = MODIFIERS.start, MODIFIERS.stop - 1
PAIRS = SIDES**2
FEWEST, MOST = 2, 6
SMALLEST, LARGEST = -20, 20
# Rows of the table of orders, and of the table of rerolls, that somebody still reads.
MOST_ROWS = 24


@dataclass(frozen=True)
class Numbers:
    """Two combatants and a party: chances of one roll, who is first in the end, rerolls, and the orders."""

    first: int
    second: int
    rules: Ruleset
    roll: Mapping[str, Fraction]
    chance: Fraction
    other_rules: str
    other_chance: Fraction
    rerolls: Fraction
    nodes: tuple[Node, ...]
    modifiers: tuple[int, ...]
    orders: tuple[tuple[tuple[int, ...], Fraction], ...]
    dice: Fraction


def read_modifiers(text: str) -> tuple[int, ...]:
    """Read modifiers with commas between them.

    >>> read_modifiers("3, +1, 0, -1")
    (3, 1, 0, -1)
    """
    parts = [part.strip().replace("−", "-") for part in text.split(",")]
    sound = all(re.fullmatch(r"[+-]?[0-9]{1,3}", part) and SMALLEST <= int(part) <= LARGEST for part in parts)
    if not sound or not FEWEST <= len(parts) <= MOST:
        allowed = _("{fewest} to {most} modifiers from {low} to {high}").format(
            fewest=FEWEST, most=MOST, low=SMALLEST, high=LARGEST
        )
        raise refuse("modifiers", text, allowed, _("write them with commas, like 3, 1, 0, -1"))
    return tuple(map(int, parts))


class InitiativeExplorer(Explorer):
    """Drag an initiative modifier and see who acts first.

    Parameters
    ----------
    first, second : int
        Initiative modifiers of A and B, -5 to 15. The first is the main slider.
    modifiers : str
        Modifiers of a party of two to six whose orders are shown, such as ``"3, 1, 0, -1"``; each -20 to 20.
    rules : Ruleset
        ``COURSE``, where a tie is rolled again, or ``SRD35``, where the higher modifier goes first, by itself or by
        name; or a mixture of their switches.

    Raises
    ------
    ValueError
        If a value is not allowed; the message says what is.

    Examples
    --------
    >>> InitiativeExplorer(first=2, second=1).table()[0]["in the end"]
    Fraction(70, 127)
    """

    title = N_("Initiative")
    main = "first"
    controls = (
        Whole("first", N_("Modifier of A"), 3, LOW, HIGH),
        Whole("second", N_("Modifier of B"), 1, LOW, HIGH),
        Written(
            "modifiers",
            N_("Party's modifiers"),
            "3, 1, 0, -1",
            read_modifiers,
            ("3, 1, 0, -1", "2, 2, 2", "5, 1", "4, 4, 0, 0", "6, 3, 2, -1, -2"),
        ),
        RulesChoice("rules", N_("Rules")),
    )
    detail_title = N_("Orders and rerolls")

    def numbers(self, values: Mapping[str, Any]) -> Numbers:
        first, second, rules = values["first"], values["second"], values["rules"]
        modifiers = read_modifiers(values["modifiers"])
        other = next(name for name, each in RULESETS.items() if each.initiative_ties != rules.initiative_ties)
        roll: Any = dict(zip(RESULTS, pair_chances(first, second), strict=True))
        return Numbers(
            first=first,
            second=second,
            rules=rules,
            roll=roll,
            chance=first_chance(first, second, rules=rules),
            other_rules=other,
            other_chance=first_chance(first, second, rules=RULESETS[other]),
            rerolls=expected_rerolls(first, second, rules=rules),
            nodes=_tree(first, second, roll, rules),
            modifiers=modifiers,
            orders=_orders(modifiers, rules),
            dice=_dice(modifiers, rules),
        )

    def picture(self, values: Mapping[str, Any], table: Sequence[Numbers]) -> dict[str, Any]:
        one = table[0]
        shown = [(_order_text(order), chance) for order, chance in one.orders[:MOST_ORDERS]]
        return initiative_figure(one.second, one.rules.initiative_ties == "reroll", shown, len(one.orders))

    def frame(self, numbers: Numbers) -> dict[str, Any]:
        return {
            **region_values(numbers.first - numbers.second),
            **tree_values(numbers.nodes),
            f"data.{NOW}.x": [numbers.first],
            f"data.{NOW}.y": [round(float(100 * numbers.chance), 2)],
            f"data.{NOW}.text": [short_percent_text(numbers.chance)],
            f"data.{NOW}.textposition": _beside(numbers),
            "label": _label(numbers),
        }

    def formula(self, numbers: Numbers) -> str:
        won, tied = (int(numbers.roll[result] * PAIRS) for result in (FIRST, TIED))
        start = (mathml.call("P", mathml.words(_("A first"))), mathml.sign("="))
        end = (mathml.sign(short_percent_sign(numbers.chance)), mathml.words(short_percent_text(numbers.chance)))
        again = (mathml.call("E", mathml.words(_("rerolls"))), mathml.sign("="))
        if tied and _rerolled(numbers):
            sure = mathml.row(mathml.number(PAIRS), mathml.sign("−"), mathml.number(tied))
            chance = mathml.row(*start, mathml.fraction(mathml.number(won), sure), *end)
            return mathml.formula(mathml.lines(chance, mathml.row(*again, *_series(numbers))))
        total = mathml.row(mathml.number(won), mathml.sign("+"), mathml.number(tied))
        top = total if tied and numbers.first > numbers.second else mathml.number(won)
        return mathml.formula(*start, mathml.fraction(top, mathml.number(PAIRS)), *end)

    def sentence(self, numbers: Numbers) -> str:
        return " ".join((_pair_sentence(numbers), _tie_sentence(numbers), _party_sentence(numbers)))

    def question(self, numbers: Numbers) -> tuple[str, Fraction]:
        return _("What is the chance that A acts first?"), numbers.chance

    def rows(self, numbers: Numbers) -> list[dict[str, Any]]:
        in_the_end = {FIRST: numbers.chance, TIED: Fraction(0), SECOND: 1 - numbers.chance}
        return [
            {
                N_("result"): _(result),
                N_("pairs of faces"): int(chance * PAIRS),
                N_("one roll"): chance,
                N_("in the end"): in_the_end[result],
            }
            for result, chance in numbers.roll.items()
        ]

    def detail(self, numbers: Numbers) -> list[Table]:
        orders = [[_order_text(order), short_percent_text(one)] for order, one in numbers.orders[:MOST_ROWS]]
        rest = numbers.orders[MOST_ROWS:]
        if rest:
            orders.append(
                [
                    _("{count} others").format(count=len(rest)),
                    short_percent_text(Fraction(sum(one for _order, one in rest))),
                ]
            )
        tree = [[str(node.roll), _result_text(node), node.words] for node in numbers.nodes]
        return [
            Table(_("Orders of the party"), [_("order"), _("chance")], orders),
            Table(_("A against B, roll by roll"), [_("roll"), _("result"), _("chance")], tree),
        ]


def _beside(numbers: Numbers) -> str:
    """Where the words at the mark have room: above the rising curve, but not before the beginning of the axis."""
    if numbers.first >= LOW + 9:
        return "top left"
    return "bottom right" if numbers.chance >= Fraction(1, 5) else "top right"


def _tree(first: int, second: int, roll: Mapping[str, Fraction], rules: Ruleset) -> tuple[Node, ...]:
    """What each of the first rolls comes to, as far as it is made at all."""
    if rules.initiative_ties == "modifier" and first != second:
        ahead = FIRST if first > second else SECOND
        decided = [Node(1, ahead, roll[TIED], by_modifier=True)] if roll[TIED] else []
        return (*(Node(1, result, chance) for result, chance in roll.items()), *decided)
    depth = DEPTH if roll[TIED] else 1
    return tuple(
        Node(n, result, chance * roll[TIED] ** (n - 1)) for n in range(1, depth + 1) for result, chance in roll.items()
    )


@lru_cache(maxsize=64)
def _orders(modifiers: tuple[int, ...], rules: Ruleset) -> tuple[tuple[tuple[int, ...], Fraction], ...]:
    """The chances of all orders, likeliest first; who has the same modifier is not told apart."""
    merged: dict[tuple[int, ...], Fraction] = {}
    for order, chance in order_chances(modifiers, rules=rules).items():
        seen = tuple(modifiers[place] for place in order)
        merged[seen] = merged.get(seen, Fraction(0)) + chance
    return tuple(sorted(merged.items(), key=lambda one: -one[1]))


@lru_cache(maxsize=64)
def _dice(modifiers: tuple[int, ...], rules: Ruleset) -> Fraction:
    return expected_dice(modifiers, rules=rules)


def _rerolled(numbers: Numbers) -> bool:
    """Whether A and B roll again when they tie."""
    return numbers.rules.initiative_ties == "reroll" or numbers.first == numbers.second


def _series(numbers: Numbers) -> tuple[str, ...]:
    """The rerolls of two: one with the chance of a tie, a second with its square, and so on."""
    tied = int(numbers.roll[TIED] * PAIRS)
    tie = mathml.fraction(mathml.number(tied), mathml.number(PAIRS))
    closed = mathml.fraction(
        mathml.number(tied), mathml.row(mathml.number(PAIRS), mathml.sign("−"), mathml.number(tied))
    )
    plus = mathml.sign("+")
    mean = mathml.words(_mean_text(numbers.rerolls))
    return tie, plus, mathml.power(tie, 2), plus, mathml.sign("…"), mathml.sign("="), closed, mathml.sign("≈"), mean


def _mean_text(mean: Fraction) -> str:
    return significant(mean, 3)


def _result_text(node: Node) -> str:
    return _("{result}, by modifier").format(result=_(node.result)) if node.by_modifier else _(node.result)


def _order_text(order: Sequence[int]) -> str:
    return ", ".join(map(signed_text, order))


def _pair_sentence(numbers: Numbers) -> str:
    won, tied, lost = (int(chance * PAIRS) for chance in numbers.roll.values())
    return _(
        "A with {first} acts before B with {second} with {chance}: of 400 pairs of faces {won} are A's, {lost} B's and "
        "{tied} tied."
    ).format(
        first=signed_text(numbers.first),
        second=signed_text(numbers.second),
        chance=short_percent_text(numbers.chance),
        won=won,
        lost=lost,
        tied=tied,
    )


def _tie_sentence(numbers: Numbers) -> str:
    if not numbers.roll[TIED]:
        return _("They can never tie.")
    if _rerolled(numbers):
        said = _("A tie is rolled again, {rerolls} times on average.").format(rerolls=_mean_text(numbers.rerolls))
    elif numbers.first > numbers.second:
        said = _("A tie goes to A, whose modifier is higher.")
    else:
        said = _("A tie goes to B, whose modifier is higher.")
    chance = short_percent_text(numbers.other_chance)
    if chance == short_percent_text(numbers.chance):
        return said
    return f"{said} " + _("Under {rules}: {chance}.").format(rules=numbers.other_rules, chance=chance)


def _party_sentence(numbers: Numbers) -> str:
    order, chance = numbers.orders[0]
    return _("The likeliest order of the party is {order} with {chance}; it takes {dice} dice on average.").format(
        order=_order_text(order),
        chance=short_percent_text(chance),
        dice=_mean_text(numbers.dice),
    )


def _label(numbers: Numbers) -> str:
    """The words that stand for the picture."""
    rolled = ", ".join(f"{_(result)} {short_percent_text(chance)}" for result, chance in numbers.roll.items())
    return _("One roll of A and B: {rolled}. In the end A acts first with {chance}.").format(
        rolled=rolled, chance=short_percent_text(numbers.chance)
    )
