"""Prose whose lines never end between a number and what belongs to it."""

from __future__ import annotations

import re

from d20widgets.unbroken import unbroken

# Code, mathematics, where links lead, tags, and what begins a line of a list, a quotation or a heading.
_MARKUP = re.compile(
    r"(```.*?```|`[^`]*`|\$\$.*?\$\$|\$[^$\n]*\$|\]\([^)]*\)|<[^>]+>|^ *(?:[-*+>]|\d+[.)]|#+) +)",
    flags=re.DOTALL | re.MULTILINE,
)
_GAP = re.compile(r"( |\n *)")


def bound(markdown: str) -> str:
    """Return Markdown with a no-break space wherever one belongs, in place of the end of a line too.

    >>> bound("- 20 always hits, `AC 15` too: 95 %\\n  against AC\\n  12")
    '- 20 always hits, `AC 15` too: 95\\xa0%\\n  against AC\\xa012'
    """
    # Text and markup take turns.
    parts = _MARKUP.split(markdown)
    parts[::2] = map(_bound_text, parts[::2])
    return "".join(parts)


def _bound_text(text: str) -> str:
    words_and_gaps = _GAP.split(text)
    words, gaps = words_and_gaps[::2], words_and_gaps[1::2]
    line = unbroken(" ".join(words))
    place = 0
    kept = [words[0]]
    for gap, word in zip(gaps, words[1:], strict=True):
        place += len(kept[-1])
        kept += [gap if line[place] == " " else line[place], word]
        place += 1
    return "".join(kept)
