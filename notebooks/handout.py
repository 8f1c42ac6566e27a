"""The handout: what to keep of each lesson, and where the two readings of the rules differ, on two pages."""

from __future__ import annotations

from textwrap import indent

from d20kit.language import _
from d20kit.rulesets import SWITCHES
from notebooks.sections import all_parts

NAME = "handout"
WORDS = {
    "en": {
        "title": "The rules on two pages",
        "switches": "Where the two readings differ",
        "columns": "| What is decided | `COURSE` | `SRD35` |",
        "back": "The course: [Start here](00-start.ipynb).",
    },
    "id": {
        "title": "Aturan dalam dua halaman",
        "switches": "Beda kedua versi aturan",
        "columns": "| Yang ditentukan | `COURSE` | `SRD35` |",
        "back": "Kursusnya: [Mulai di sini](00-start.ipynb).",
    },
}


def page(language: str) -> str:
    """Return the handout in a language; the kit must speak it already."""
    words = WORDS[language]
    # A list within a list, since headings would take a third page.
    kept = [f"- **{parts.title}**\n{indent(chr(10).join(parts.summary), '  ')}" for parts in all_parts(language)]
    rows = [
        f"| {_(switch.decides)} | `{switch.course}` | `{switch.srd35}` |"
        for switch in SWITCHES.values()
        if switch.course != switch.srd35
    ]
    table = "\n".join([words["columns"], "| --- | --- | --- |", *rows])
    return "\n\n".join([f"# {words['title']}", "\n".join(kept), f"## {words['switches']}", table, words["back"]])
