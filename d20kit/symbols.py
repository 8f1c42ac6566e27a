"""The words in the symbols of rules, said in the language in use."""

from __future__ import annotations

import re

from d20kit.language import N_, _

# Only words that a player says in the own language: terms of the rules are in no need of translation.
WORDS = frozenset(
    {
        N_("alive"),
        N_("all tied"),
        N_("attacks"),
        N_("cost"),
        N_("critical damage"),
        N_("dice"),
        N_("felled"),
        N_("first"),
        N_("first wins"),
        N_("hp"),
        N_("killed outright"),
        N_("lowest disabled hp"),
        N_("maximum"),
        N_("order"),
        N_("outcome"),
        N_("rerolls"),
        N_("rounds"),
        N_("stable"),
        N_("state"),
        N_("state after round"),
        N_("Strength damage"),
    }
)
_TEXT = re.compile(r"(?<=\\text\{)[^{}]+")


def symbol_latex(symbol: str) -> str:
    r"""Return the LaTeX of a symbol with its words in the language in use.

    >>> print(symbol_latex(r"E[\text{dice}]"))
    E[\text{dice}]
    """
    return _TEXT.sub(lambda found: _translated(found[0]), symbol)


def _translated(text: str) -> str:
    words = text.strip()
    return text.replace(words, _(words)) if words in WORDS else text
