"""Sentences whose lines never end between a number and what belongs to it, or inside a range of numbers."""

from __future__ import annotations

import re

NO_BREAK = "\N{NO-BREAK SPACE}"
NO_BREAK_HYPHEN = "\N{NON-BREAKING HYPHEN}"
# What stands before a number, and is nothing to end a line with: names of numbers, and "of" in both languages.
_BEFORE = (
    *("AC", "DC", "HP", "CON", "STR", "DEX", "INT", "WIS", "CHA", "BAB", "d20"),
    *("Natural", "natural", "Round", "round", "seed", "of", "dari"),
)
# What stands behind it: what is counted, in both languages, and the parts that a bonus or an armor class is made of.
_BEHIND = (
    *("%", "HP", "hit", "points?", "poin", "rounds?", "rolls?", "turns?", "feet", "kaki", "faces?", "angka", "dice"),
    *("dadu", "times", "kali", "pairs", "pasangan", "damage", "armor", "shield", "natural", "Dexterity", "Strength"),
    *("Constitution", "Wisdom", "size", "deflection", "dodge", "range", "jarak", "base", "dasar", "other", "lain-lain"),
)
_NUMBER = r"[+−-]?\d"
_AFTER = "|".join([r"(?<=[=≈≤≥<>×+−] )", r"(?<= - )", *(rf"(?<=\b{word} )" for word in _BEFORE)])
_COUNTED = "|".join(_BEHIND)
# Each begins with the space, so that a search has only the spaces to look at: a sentence is one of many.
_GAP = re.compile(rf" (?={_NUMBER})(?:{_AFTER})| (?<=\d )(?=(?:{_COUNTED})(?!\w)|(?:of|dari) {_NUMBER})")

# The hyphen of a range such as 16-20, after which browsers break a line; dice such as 2d6-1 can be copied as they are.
_RANGE = re.compile(r"-(?=\d)(?:(?<=(?<![^\s(])\d-)|(?<=(?<![^\s(])\d\d-))")


def unbroken(text: str) -> str:
    """Return a text of the same length, unbreakable between a number and its sign, unit or name, and inside a range.

    >>> unbroken("3 of 7 hit AC 15: 50 % = 10 + 4 armor").replace(NO_BREAK, "_")
    '3_of_7_hit AC_15: 50_% =_10 +_4_armor'
    >>> unbroken("threat 19-20").replace(NO_BREAK_HYPHEN, "~")
    'threat 19~20'
    """
    return _RANGE.sub(NO_BREAK_HYPHEN, _GAP.sub(NO_BREAK, text))
