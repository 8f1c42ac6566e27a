"""``python -m notebooks.pages``: write the pages that stand beside the lessons, from what the kit and they hold."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

from d20kit.check import one_of
from d20kit.language import LANGUAGES, current_language, set_language
from notebooks import answers, glossary, guide, handout, lesson, places
from notebooks.prose import bound

PAGES: tuple[ModuleType, ...] = (places, glossary, guide, answers, handout)


def path(page: ModuleType, language: str) -> Path:
    """Return where a page stands."""
    return lesson.NOTEBOOKS / language / f"{page.NAME}.md"


def text(page: ModuleType, language: str) -> str:
    """Return a page in a language, whatever language the kit speaks.

    Raises
    ------
    ValueError
        If the language is none of the kit's.
    """
    one_of("language", language, LANGUAGES)
    before = current_language()
    set_language(language)
    try:
        return bound(str(page.page(language))) + "\n"
    finally:
        set_language(before)


def main() -> None:
    """Write every page in every language."""
    for page in PAGES:
        for language in LANGUAGES:
            path(page, language).write_text(text(page, language), encoding="utf-8", newline="\n")
            print(path(page, language).relative_to(lesson.NOTEBOOKS.parent))


if __name__ == "__main__":
    main()
