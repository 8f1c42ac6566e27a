"""What makes a function a rule: a title, a symbol, a reason, a source and the switches that change it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

TOPICS = ("abilities", "attack", "armor_class", "damage", "hit_points", "saves", "initiative")


@dataclass(frozen=True)
class Card:
    """Everything ``explain`` says about a rule besides its numbers.

    ``title``, ``why`` and ``source`` are catalogue messages: translate them where they are shown.

    >>> from d20kit.attack import hit_chance
    >>> card = card_of(hit_chance)
    >>> card.title, card.units
    ('Chance to hit', 'chance')
    """

    title: str
    symbol: str
    why: str
    source: str
    switches: tuple[str, ...] = ()
    units: str = ""
    parts: tuple[str, ...] = ()
    function: Callable[..., Any] = field(kw_only=True, compare=False)


_CARDS: dict[str, Card] = {}


def rule(
    title: str,
    symbol: str,
    why: str,
    source: str,
    switches: tuple[str, ...] = (),
    units: str = "",
    parts: tuple[str, ...] = (),
    topic: str = "",
) -> Callable[[Function], Function]:
    """Register a function as a rule; the function itself is returned unchanged.

    Parameters
    ----------
    title, why, source : str
        Catalogue messages (mark them with ``N_``): the rule's name, the sentence that says why it is so, and the
        heading of the rule text it comes from.
    symbol : str
        LaTeX for the left-hand side of its formula, for example ``P(\\text{hit})``; its words are translated where
        :mod:`d20kit.symbols` lists them.
    switches : tuple of str
        Names of the fields of ``Ruleset`` that change the result.
    units : str
        ``"chance"`` for probabilities, ``""`` for modifiers, ``"hit points"``, ``"rounds"``, ...
    parts : tuple of str
        Catalogue messages that name the members of a result that is a tuple, such as miss, hit, critical.
    topic : str
        The page of the rules it belongs to, where that is not the module it is written in.

    Examples
    --------
    >>> from unittest.mock import patch
    >>> def doubled(bonus):
    ...     return 2 * bonus
    >>> with patch.dict(_CARDS):
    ...     same = rule(title="Doubled bonus", symbol="2b", why="It shows how.", source="None")(doubled)
    ...     card_of(doubled).title, same is doubled
    ('Doubled bonus', True)
    """

    def register(function: Function) -> Function:
        page = topic or function.__module__.rpartition(".")[2]
        _CARDS[f"{page}.{function.__name__}"] = Card(
            title, symbol, why, source, switches, units, parts, function=function
        )
        return function

    return register


def card_of(function: Callable[..., Any]) -> Card | None:
    """Return the card of a rule, or None for a function that is not one.

    >>> from d20kit.attack import hit_chance
    >>> card_of(hit_chance).source, card_of(len)
    ('Attack Roll', None)
    """
    return next((card for card in _CARDS.values() if card.function is function), None)


def all_rules() -> dict[str, Card]:
    """Return every public rule by name, such as ``"attack.hit_chance"``: topic by topic, and in a topic by name.

    >>> rules = all_rules()
    >>> rules["attack.hit_chance"].function(7, 18)
    Fraction(1, 2)
    """
    for topic in TOPICS:
        import_module(f"d20kit.{topic}")
    # modules register their rules in the order in which somebody happened to import them
    return dict(sorted(_CARDS.items(), key=lambda item: (TOPICS.index(item[0].partition(".")[0]), item[0])))
