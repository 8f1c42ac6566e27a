"""The small pieces of sentences that several events share."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Sequence

from d20kit.amounts import WIDEST_LINE
from d20kit.attack import Outcome, by_itself
from d20kit.hit_points import State
from d20kit.language import N_, _
from d20kit.saves import NAMES

_STATES = {
    State.HEALTHY: N_("healthy"),
    State.DISABLED: N_("disabled"),
    State.DYING: N_("dying"),
    State.STABLE: N_("stable"),
    State.DEAD: N_("dead"),
}

# After a comma or semicolon, but not inside parentheses.
_BREAKS = re.compile(r"(?<=[,;]) (?![^()]*\))")
# After a colon too.
_MORE_BREAKS = re.compile(r"(?<=[,;:]) (?![^()]*\))")


def state_word(state: State) -> str:
    """Name a state in the language in use.

    >>> [state_word(state) for state in State]
    ['healthy', 'disabled', 'dying', 'stable', 'dead']
    """
    return _(_STATES[state])


def save_word(kind: str) -> str:
    """Name a saving throw in the language in use.

    >>> save_word("reflex")
    'Reflex'
    """
    return _(NAMES[kind])


def roll_text(face: int, modifier: int) -> str:
    """Spell out a d20 roll.

    >>> roll_text(14, -1)
    'd20 14 - 1 = 13'
    """
    return f"d20 {face} {'-' if modifier < 0 else '+'} {abs(modifier)} = {face + modifier}"


def join_names(names: Sequence[str]) -> str:
    """List names in a sentence.

    >>> join_names(["Rogue", "Fighter", "Cleric"])
    'Rogue, Fighter and Cleric'
    """
    if len(names) < 2:
        return "".join(names)
    return _("{names} and {last}").format(names=", ".join(names[:-1]), last=names[-1])


def defence_words(ac: int, touch: bool, flat_footed: bool, uncanny_dodge: bool) -> str:
    """Say which armor class was to be reached, and why that one.

    >>> defence_words(14, False, True, False)
    '14 flat-footed (no Dex)'
    """
    words = [str(ac)]
    if touch:
        words.append(_("touch"))
    if uncanny_dodge:
        words.append(_("flat-footed, but uncanny dodge keeps Dex"))
    elif flat_footed:
        words.append(_("flat-footed (no Dex)"))
    return " ".join(words)


def outcome_words(face: int, outcome: Outcome, threat: bool) -> str:
    """Say what an attack roll came to; the natural 1 and 20 explain themselves.

    >>> outcome_words(1, Outcome.MISS, False)
    'natural 1, always a miss'
    """
    decided = by_itself(face)
    if decided is False:
        return _("natural 1, always a miss")
    if threat:
        return _("natural 20, always a hit, and a threat") if decided else _("hit, and a threat")
    if outcome is Outcome.CRITICAL:
        return _("natural 20, always a hit and a critical")
    return _("hit") if outcome is Outcome.HIT else _("miss")


def saved_words(face: int, success: bool, reached: bool) -> str:
    """Say what a saving throw came to; a face that decides against the total explains itself.

    >>> saved_words(12, True, True), saved_words(1, False, True)
    ('succeeds', 'natural 1, always fails')
    """
    if success == reached:
        return _("succeeds") if success else _("fails")
    return _("natural 20, always succeeds") if success else _("natural 1, always fails")


def pad(text: str, width: int) -> str:
    """Fill up with blanks to a width counted as a terminal shows it.

    >>> pad("剣", 4) + "|", pad("sword", 4) + "|"
    ('剣  |', 'sword|')
    """
    return text + " " * (width - shown_width(text))


def fold(text: str, width: int = WIDEST_LINE, indent: int = 4) -> str:
    """Break a long line at its commas and semicolons, outside parentheses, and indent what follows.

    >>> print(fold("AC 15 (flat-footed 14, touch 12), initiative +1, unaware", 50))
    AC 15 (flat-footed 14, touch 12), initiative +1,
        unaware
    """
    return "\n".join(_filled(_BREAKS.split(text), width, indent))


def fold_evenly(text: str, width: int = WIDEST_LINE, indent: int = 4) -> str:
    """Break a long line as :func:`fold` does, or after a colon, into as few lines, and those about as long.

    >>> print(fold_evenly("Orc attacks Ann with axe: d20 20 + 4 = 24 vs AC 18: natural 20, always a hit", 70))
    Orc attacks Ann with axe: d20 20 + 4 = 24 vs AC 18:
        natural 20, always a hit
    """
    pieces = _MORE_BREAKS.split(text)
    widest = _filled(pieces, width, indent)
    if len(widest) == 1:
        return text
    # narrower lines are never fewer, so the narrowest width for as few is found by halving
    narrowest = bisect_left(range(width), -len(widest), key=lambda to: -len(_filled(pieces, to, indent)))
    return "\n".join(_filled(pieces, narrowest, indent))


def _filled(pieces: Sequence[str], width: int, indent: int) -> list[str]:
    first, *rest = pieces
    lines, taken = [first], shown_width(first)
    for piece in rest:
        more = shown_width(piece)
        if taken + 1 + more <= width:
            lines[-1] += f" {piece}"
            taken += 1 + more
        else:
            lines.append(" " * indent + piece)
            taken = indent + more
    return lines


def shown_width(text: str) -> int:
    """Columns a text takes in a terminal: two for wide characters, none for combining ones.

    >>> shown_width("剣"), shown_width("e\\u0301")
    (2, 1)
    """
    if text.isascii():  # the usual case, and the quick one
        return len(text)
    return sum(
        0 if unicodedata.category(c) in ("Mn", "Me", "Cf") else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )
