"""Lines that end where a reader may pause, and never between a number and what belongs to it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from d20kit import language
from d20widgets import Quiz
from d20widgets.explorer import Explorer
from d20widgets.unbroken import NO_BREAK, NO_BREAK_HYPHEN, unbroken
from tests.catalogue import compile_catalogue
from tests.widgets.every import as_written

# What no line may end with, and what none may begin with.
LOOSE = re.compile(r"\d %|\b(?:AC|DC|HP) [+−-]?\d|\d (?:of|dari) \d|[=+−×] \d|\d (?:hit points|HP|rounds?|points?)\b")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("hits AC 15 with 50 %, a touch with 6.3 %", "hits AC_15 with 50_%, a touch with 6.3_%"),
        ("3 of 7 right at once; 12 faces of 20", "3_of_7 right at once; 12_faces of_20"),
        ("3 dari 7 soal; 12 dari 20 angka", "3_dari_7 soal; 12_dari_20_angka"),
        ("AC −3 = 10 − 13 size", "AC_−3 =_10 −_13_size"),
        ("d20 14 - 1 = 13 vs AC 15: miss", "d20_14 -_1 =_13 vs AC_15: miss"),
        ("5 -> -1 hit points", "5 ->_-1_hit points"),
        ("11 or more on the die", "11 or more on the die"),
        ("3 hitpoints, 2 rolled, 4 ofthem", "3 hitpoints, 2 rolled, 4 ofthem"),
    ],
)
def test_a_number_keeps_what_belongs_to_it(text: str, shown: str) -> None:
    """A sign or a unit alone at the beginning of a line is read twice, and a word more may begin one."""
    assert unbroken(text).replace(NO_BREAK, "_") == shown


@pytest.mark.parametrize("code", language.LANGUAGES)
def test_no_sentence_on_the_page_is_loose(
    explorer: Explorer, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever the window ends, in both languages and at every position."""
    monkeypatch.setattr(language, "_LOCALE", compile_catalogue(tmp_path / "locale"))
    language.set_language(code)
    try:
        explorer.redraw()
        for sentence in explorer.sentence_line.frames:
            assert LOOSE.search(sentence) is None
    finally:
        language.set_language("en")


def test_no_line_of_a_quiz_is_loose() -> None:
    """Questions, hints and what is said to an answer are sentences with numbers all over."""
    for seed in range(5):
        quiz = Quiz(n=14, seed=seed)
        while not quiz.finished:
            quiz.hint()
            quiz.answer("0.001")
            for text in (quiz.view["progress"], quiz.view["question"], quiz.view["said"], *quiz.view["hints"]):
                assert LOOSE.search(text) is None
            quiz.next()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Threat 19-20, of which 16-20 hits", "Threat 19~20, of which 16~20 hits"),
        ("miss 1-9, hit 10-19, critical 20", "miss 1~9, hit 10~19, critical 20"),
        ("rapier +4 (1d6+1, 18-20/x2) or (2-3)", "rapier +4 (1d6+1, 18~20/x2) or (2~3)"),
        ("1-2 at the start", "1~2 at the start"),
        ("1d8-1 or 2d6+10-3, d20 14 - 1, 5 -> -1, flat-footed, x-3", None),
    ],
)
def test_a_range_of_numbers_stays_together(text: str, shown: str | None) -> None:
    """Browsers break a line behind a hyphen between digits, and half a range is another number; dice can be copied."""
    kept = as_written(unbroken(text))
    assert kept == text
    assert unbroken(text).replace(NO_BREAK, " ").replace(NO_BREAK_HYPHEN, "~") == (shown or text)
