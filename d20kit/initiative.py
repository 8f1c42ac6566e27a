"""Initiative: who acts first, how often ties are rolled again, who is surprised."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from d20kit.algebra import Number, maximum, ratio, where
from d20kit.check import FACES, LONGEST_LIST, mapping, modifier, refuse, shown, together, truth
from d20kit.language import N_, _
from d20kit.order_chances import all_tied, dice_count
from d20kit.order_table import order_table
from d20kit.rule import rule
from d20kit.rulesets import COURSE, Ruleset, check_rules
from d20kit.turn_order import Order, Reroll, check_modifiers, roll_order, tie_groups

__all__ = [
    "MAX_COMBATANTS",
    "Order",
    "Reroll",
    "SurpriseRound",
    "all_tie_chance",
    "expected_dice",
    "expected_rerolls",
    "first_chance",
    "initiative_bonus",
    "order_chances",
    "pair_chances",
    "roll_order",
    "surprise_round",
    "tie_groups",
]

# All orders of more combatants would take seconds, and be a table nobody reads.
MAX_COMBATANTS = 7
_MAX_DICE_COMBATANTS = 12
# What two dice can show.
_PAIRS = FACES**2


@rule(
    title=N_("Initiative bonus"),
    symbol=r"\text{initiative}",
    why=N_("Initiative is a Dexterity check: quick hands and quick eyes act first."),
    source=N_("Initiative Checks"),
)
def initiative_bonus(dexterity: Number, other: Number = 0) -> Number:
    """Add up the modifier of an initiative roll.

    Parameters
    ----------
    dexterity : number
        Dexterity modifier.
    other : number
        Everything else, such as a feat.

    Examples
    --------
    >>> from d20kit.initiative import initiative_bonus
    >>> initiative_bonus(1, other=4)
    5
    """
    dexterity, other = modifier("dexterity", dexterity), modifier("other", other)
    together(dexterity=dexterity, other=other)
    return dexterity + other


@rule(
    title=N_("One roll against another"),
    symbol=r"\left(P(A>B),\,P(A=B),\,P(A<B)\right)",
    why=N_(
        "Of the 400 pairs of faces, those on one line are ties: 20 for equal modifiers and one fewer for each point "
        "between them; the pairs on either side of the line form triangles."
    ),
    source=N_("Initiative Checks"),
    units="chance",
    parts=(N_("higher"), N_("tied"), N_("lower")),
)
def pair_chances(a: Number, b: Number) -> tuple[Number, Number, Number]:
    """Return the chances that the roll d20 + a is higher than, equal to, lower than d20 + b.

    Parameters
    ----------
    a, b : number
        Modifiers.

    Returns
    -------
    tuple of three numbers
        Their sum is 1.

    Examples
    --------
    >>> from d20kit.initiative import pair_chances
    >>> [str(chance) for chance in pair_chances(2, 1)]
    ['21/40', '19/400', '171/400']
    """
    a, b = modifier("a", a), modifier("b", b)
    together(a=a, b=b)
    gap: Any = a - b
    left: Any = maximum(FACES - abs(gap), 0)
    tie = ratio(left, _PAIRS)
    slower: Any = ratio(left * (left - 1), 2 * _PAIRS)
    faster = 1 - tie - slower
    return where(gap >= 0, faster, slower), tie, where(gap >= 0, slower, faster)


@rule(
    title=N_("Chance to act first"),
    symbol=r"P(A\ \text{first})",
    why=N_(
        "A tie decides nothing: it is rolled again, so only the rolls that do decide count, and the chance to win one "
        "of those is shared out among them. Where the higher modifier breaks ties, it simply takes them all."
    ),
    source=N_("Initiative Checks"),
    switches=("initiative_ties",),
    units="chance",
)
def first_chance(a: Number, b: Number, *, rules: Ruleset = COURSE) -> Number:
    """Return the chance that the first of two combatants acts before the second.

    Parameters
    ----------
    a, b : number
        Initiative modifiers.
    rules : Ruleset
        ``initiative_ties`` decides what a tie means.

    Examples
    --------
    >>> from d20kit import SRD35
    >>> from d20kit.initiative import first_chance
    >>> first_chance(2, 1), first_chance(2, 1, rules=SRD35)
    (Fraction(70, 127), Fraction(229, 400))
    """
    win, tie, _lose = pair_chances(a, b)
    if check_rules(rules).initiative_ties == "reroll":
        return ratio(win, 1 - tie)
    gap: Any = modifier("a", a) - modifier("b", b)
    return where(gap > 0, win + tie, where(gap < 0, win, ratio(1, 2)))


@rule(
    title=N_("Expected rerolls of a pair"),
    symbol=r"E[\text{rerolls}]",
    why=N_("Every tie asks for one more roll of both, and that roll can tie again: a geometric series."),
    source=N_("Initiative Checks"),
    switches=("initiative_ties",),
    units="rerolls",
)
def expected_rerolls(a: Number, b: Number, *, rules: Ruleset = COURSE) -> Number:
    """Return how often two combatants roll again on average.

    Parameters
    ----------
    a, b : number
        Initiative modifiers.
    rules : Ruleset
        With ``initiative_ties="modifier"`` different modifiers never roll again.

    Examples
    --------
    >>> from d20kit.initiative import expected_rerolls
    >>> expected_rerolls(0, 0), expected_rerolls(4, 0)
    (Fraction(1, 19), Fraction(1, 24))
    """
    _win, tie, _lose = pair_chances(a, b)
    again = ratio(tie, 1 - tie)
    if check_rules(rules).initiative_ties == "reroll":
        return again
    gap: Any = modifier("a", a) - modifier("b", b)
    return where(abs(gap) > 0, ratio(0, 1), again)


def _few(modifiers: Mapping[str, int] | Sequence[int], most: int) -> dict[Any, int]:
    named = check_modifiers(modifiers)
    if not 1 <= len(named) <= most:
        raise refuse("modifiers", modifiers, _("1 to {most} modifiers").format(most=most), '{"wolf": 2, "orc": 0}')
    return named


@rule(
    title=N_("Chance that all tie"),
    symbol=r"P(\text{all tied})",
    why=N_("The first die is free and every other one must match it."),
    source=N_("Initiative Checks"),
    units="chance",
)
def all_tie_chance(modifiers: Mapping[str, int] | Sequence[int]) -> Fraction:
    """Return the chance that the first rolls of all combatants have the same total.

    Parameters
    ----------
    modifiers : mapping of str to int, or sequence of int
        Initiative modifiers.

    Examples
    --------
    >>> from d20kit.initiative import all_tie_chance
    >>> all_tie_chance([0, 0, 0])
    Fraction(1, 400)
    """
    return all_tied(tuple(_few(modifiers, LONGEST_LIST).values()))


@rule(
    title=N_("Expected initiative dice"),
    symbol=r"E[\text{dice}]",
    why=N_("Everybody rolls once, and every tied group then does the same again by itself."),
    source=N_("Initiative Checks"),
    switches=("initiative_ties",),
    units="dice",
)
def expected_dice(modifiers: Mapping[str, int] | Sequence[int], *, rules: Ruleset = COURSE) -> Fraction:
    """Return how many d20 are rolled on average until everybody has a place.

    Parameters
    ----------
    modifiers : mapping of str to int, or sequence of int
        Initiative modifiers of up to twelve combatants.
    rules : Ruleset
        ``initiative_ties`` decides who rolls again.

    Examples
    --------
    >>> from d20kit.initiative import expected_dice
    >>> expected_dice([0, 0]), expected_dice([0, 0, 0])
    (Fraction(40, 19), Fraction(440, 133))
    """
    named = _few(modifiers, _MAX_DICE_COMBATANTS)
    return dice_count(tuple(named.values()), check_rules(rules).initiative_ties == "modifier")


@rule(
    title=N_("Chances of every order"),
    symbol=r"P(\text{order})",
    why=N_(
        "An order comes about when totals fall along it, and wherever some are equal the tie is broken the same way; "
        "adding up the ways gives its chance, and all orders together have chance 1."
    ),
    source=N_("Initiative Checks"),
    switches=("initiative_ties",),
    units="chance",
)
def order_chances(
    modifiers: Mapping[str, int] | Sequence[int], *, rules: Ruleset = COURSE
) -> dict[tuple[Any, ...], Fraction]:
    """Return the chance of every order in which combatants may act.

    Parameters
    ----------
    modifiers : mapping of str to int, or sequence of int
        Initiative modifiers of up to ``MAX_COMBATANTS`` combatants, by name; without names they are called
        0, 1, 2, ...
    rules : Ruleset
        ``initiative_ties`` decides how ties are broken.

    Returns
    -------
    dict of tuple to Fraction
        Order, first to act first, and its chance; orders of chance 0 are kept.

    Examples
    --------
    >>> from d20kit.initiative import order_chances
    >>> order_chances({"wolf": 2, "goblin": 1})
    {('wolf', 'goblin'): Fraction(70, 127), ('goblin', 'wolf'): Fraction(57, 127)}
    """
    named = _few(modifiers, MAX_COMBATANTS)
    return order_table(named, check_rules(rules).initiative_ties == "modifier")


class SurpriseRound(NamedTuple):
    """Whether there is a surprise round, who acts in it, and who is flat-footed when the first round begins.

    >>> surprise_round({"hunter": True, "prey": False}).flat_footed
    ('prey',)
    """

    happens: bool
    acting: tuple[str, ...]
    flat_footed: tuple[str, ...]


@rule(
    title=N_("Surprise round"),
    symbol=r"\text{surprise round}",
    why=N_(
        "Whoever notices the enemy first gets one action before the battle proper; it also ends being flat-footed, "
        "which everybody is until they act."
    ),
    source=N_("Flat-Footed"),
    switches=("surprise",),
    parts=(N_("surprise round"), N_("acting"), N_("flat-footed")),
)
def surprise_round(aware: Mapping[str, bool], *, rules: Ruleset = COURSE) -> SurpriseRound:
    """Say whether a battle begins with a surprise round and what it changes.

    Parameters
    ----------
    aware : mapping of str to bool
        Who is aware of an enemy at the start.
    rules : Ruleset
        ``surprise`` decides whether one unaware combatant is enough or somebody must also be aware. If nobody is
        aware nothing can happen in a surprise round, so it is skipped either way.

    Returns
    -------
    SurpriseRound
        Names in the order given.

    Examples
    --------
    >>> from d20kit.initiative import surprise_round
    >>> surprise_round({"hunter": True, "prey": False})
    SurpriseRound(happens=True, acting=('hunter',), flat_footed=('prey',))
    """
    allowed, fix = _("a mapping of names to True or False"), '{"hunter": True, "prey": False}'
    aware = mapping("aware", aware, allowed, fix)
    if not aware:
        raise refuse("aware", aware, allowed, fix)
    check_rules(rules)
    noticing = tuple(name for name, notices in aware.items() if truth(f"aware[{shown(name)}]", notices))
    called = len(noticing) < len(aware) and (rules.surprise == "any-unaware" or bool(noticing))
    acting = noticing if called else ()
    return SurpriseRound(bool(acting), acting, tuple(name for name in aware if name not in acting))
