"""The glossary, both ways, from the one list of terms."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass

from notebooks import lesson

NAME = "glossary"
SOURCE = lesson.SOURCES / "glossary.toml"
WORDS = {
    "en": {
        "title": "Glossary",
        "intro": "The words of the course. Most stay English at an Indonesian table, so both directions are short.",
        "there": "English to Indonesian",
        "back again": "Indonesian to English",
        "columns": ("English", "Meaning", "Indonesian"),
        "columns again": ("Indonesian", "English", "Meaning"),
        "back": "Back to [Start here](00-start.ipynb).",
    },
    "id": {
        "title": "Glosarium",
        "intro": "Kata-kata kursus ini. Sebagian besar tetap bahasa Inggris di meja main, jadi kedua arah ini singkat.",
        "there": "Inggris ke Indonesia",
        "back again": "Indonesia ke Inggris",
        "columns": ("Inggris", "Indonesia", "Artinya"),
        "columns again": ("Indonesia", "Inggris", "Artinya dalam bahasa Inggris"),
        "back": "Kembali ke [Mulai di sini](00-start.ipynb).",
    },
}


@dataclass(frozen=True)
class Term:
    """A term in both languages, what it means in both, and an Indonesian word for it where the term stays English."""

    en: str
    id: str
    in_en: str
    in_id: str
    plain: str = ""

    @property
    def indonesian(self) -> tuple[str, ...]:
        """Everything it is called in Indonesian, in the order in which it is used."""
        return (self.id, *filter(None, [self.plain]))


def terms() -> list[Term]:
    """Return the terms, by their English names."""
    listed = tomllib.loads(SOURCE.read_text(encoding="utf-8"))["term"]
    return sorted((Term(**one) for one in listed), key=lambda term: term.en.lower())


def _table(columns: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    return "\n".join(f"| {' | '.join(line)} |" for line in (columns, ("---",) * len(columns), *rows))


def page(language: str) -> str:
    """Return the glossary for the readers of a language."""
    words = WORDS[language]
    called = {term: ", ".join(term.indonesian) for term in terms()}
    if language == "en":
        there = [(f"**{term.en}**", term.in_en, called[term]) for term in terms()]
    else:
        there = [(f"**{term.en}**", called[term], term.in_id) for term in terms()]
    pairs = sorted(((word, term) for term in terms() for word in term.indonesian), key=lambda pair: pair[0].lower())
    again = [(f"**{word}**", term.en, term.in_en) for word, term in pairs]
    return "\n\n".join(
        [
            f"# {words['title']}",
            str(words["intro"]),
            f"## {words['there']}",
            _table(words["columns"], there),  # type: ignore[arg-type]
            f"## {words['back again']}",
            _table(words["columns again"], again),  # type: ignore[arg-type]
            str(words["back"]),
        ]
    )
