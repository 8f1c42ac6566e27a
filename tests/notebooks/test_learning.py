"""What a learner leans on in every lesson: a quiz that answers to every answer, terms explained, names defined."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from functools import cache
from io import StringIO

import pytest

from d20kit.exercises import Question, Verdict
from d20kit.exercises.mistakes import SENTENCES
from d20kit.language import LANGUAGES, _, current_language, set_language
from d20kit.rule import all_rules
from d20kit.rulesets import SWITCHES
from notebooks import glossary, lesson, places, sections
from notebooks.answers import quiz_of
from tests.notebooks.showing import Call, calls_of, shows

SET = 5
PREDICT = {"en": ("Predict first", "Tools"), "id": ("Tebak dulu", "Alat")}
# Words set in bold for their weight in a sentence, or as names of things, which no glossary explains.
NO_TERMS = {
    "en": {
        "flat",
        "greatsword",
        "greataxe",
        "two hands",
        "a tie",
        "multiplied",
        "at least 1",
        "a dexterity penalty stays",
    },
    "id": {"datar", "greatsword", "greataxe", "dua tangan", "dikalikan", "paling sedikit 1", "initiative roll"},
}
# Switches on which the readings differ, and no battle: where nobody is aware, there is no surprise round in either.
IN_WORDS_ONLY = {"surprise"}
# A term in bold: it begins with a small letter, as labels of controls and openings of paragraphs do not.
EMPHASISED = re.compile(r"(?<!\*)\*\*([a-z][^*]*)\*\*")

each_language = pytest.mark.parametrize("language", LANGUAGES)
each_lesson = pytest.mark.parametrize("name", lesson.names())


@pytest.fixture
def spoken(language: str) -> Iterator[str]:
    """The language of the lesson, spoken by the kit as well."""
    before = current_language()
    yield set_language(language)
    set_language(before)


def quiz(name: str, language: str) -> list[Question]:
    """Return the questions of a lesson's quiz."""
    return quiz_of(sections.Parts(name, language))


def text(name: str, language: str) -> str:
    """Return the prose of a lesson on one line."""
    return " ".join(" ".join(sections.Parts(name, language).texts).split())


@each_language
@each_lesson
def test_every_lesson_ends_with_five_questions_that_a_seed_chooses(name: str, language: str) -> None:
    """Who does not practise forgets, and neighbours who have the same numbers copy."""
    parts = sections.Parts(name, language)
    assert len(quiz_of(parts)) == SET
    assert re.search(r"Quiz\([^)]*seed=\d+\)", parts.code)
    assert re.search(r"\bseed\b", parts.texts[-1] + parts.texts[-2], flags=re.IGNORECASE)


@each_lesson
def test_no_question_of_a_set_stands_twice(name: str) -> None:
    """The second time it would only be typed again."""
    asked = [question.text for question in quiz(name, "en")]
    assert len(set(asked)) == len(asked)


@each_language
@each_lesson
def test_every_answer_of_the_key_is_right(name: str, language: str, spoken: str) -> None:
    """A key that its own check refuses leaves the class without an answer."""
    for question in quiz(name, language):
        assert question.check(question.answer).verdict is Verdict.RIGHT
        assert question.check(str(question.answer)).verdict is Verdict.RIGHT


@each_language
@each_lesson
def test_every_known_wrong_answer_hears_what_is_wrong(name: str, language: str, spoken: str) -> None:
    """One answer for all mistakes, or for a mistake that was not made, teaches nothing."""
    for question in quiz(name, language):
        assert question.mistakes, question.text
        said = {mistake: question.check(wrong) for mistake, wrong in question.mistakes.items()}
        for mistake, feedback in said.items():
            assert (feedback.verdict, feedback.mistake) == (Verdict.MISTAKE, mistake)
            assert _(SENTENCES[mistake]) in feedback.sentence
        right = question.check(question.answer).sentence
        assert len({right, *(feedback.sentence for feedback in said.values())}) == len(said) + 1


@each_language
@each_lesson
def test_a_lesson_with_an_explorer_invites_to_predict(name: str, language: str) -> None:
    """A picture that is seen before it is guessed is believed, and not remembered."""
    if re.search(r"^\w+Explorer\(", sections.Parts(name, language).code, flags=re.MULTILINE):
        for label in PREDICT[language]:
            assert re.search(rf"\*{label}\*", text(name, language)), label


def test_predict_labels_are_those_of_the_tools() -> None:
    """A button of another name is looked for in vain."""
    before = current_language()
    for language, labels in PREDICT.items():
        set_language(language)
        said = (_("Predict first"), _("Tools"))
        set_language(before)
        assert said == labels


@each_language
def test_every_emphasised_term_is_in_the_glossary(language: str) -> None:
    """A word that a lesson makes stand out is looked up where words are explained."""
    known = {word.lower() for term in glossary.terms() for word in (term.en, *term.indonesian)}
    prose = " ".join(text(name, language) for name in lesson.names())
    marked = {term.lower() for term in EMPHASISED.findall(prose)}
    assert marked - known - NO_TERMS[language] == set()
    assert NO_TERMS[language] <= marked


def names_in(statement: ast.stmt) -> tuple[set[str], set[str]]:
    """Return the names that a statement reads and those that it defines, its inner ones included."""
    reads: set[str] = set()
    defines: set[str] = set()
    for node in ast.walk(statement):
        if isinstance(node, ast.Name):
            (reads if isinstance(node.ctx, ast.Load) else defines).add(node.id)
        elif isinstance(node, ast.FunctionDef):
            defines.add(node.name)
        elif isinstance(node, ast.arg):
            defines.add(node.arg)
        elif isinstance(node, ast.alias):
            defines.add(node.asname or node.name)
    return reads, defines


def undefined(code: str, known: set[str]) -> set[str]:
    """Return the names that code reads before they are defined; what it defines is added to those known."""
    missing = set()
    for statement in ast.parse(code).body:
        reads, defines = names_in(statement)
        missing |= reads - defines - known
        known |= defines
    return missing


@each_lesson
def test_no_cell_uses_a_name_that_stands_further_down(name: str) -> None:
    """Whoever reads from the top must be able to follow, and to run, every cell."""
    known = set(dir(builtins))
    for block in lesson.load(name).blocks:
        if block.language is None:
            assert undefined(block.text, known) == set(), block.text


def test_an_undefined_name_is_found() -> None:
    """The check above would pass for ever if it saw nothing."""
    known = set(dir(builtins))
    assert undefined("from x import a\nb = a + c\nprint(b, [k for k in a])", known) == {"c"}
    assert undefined("print(b)", known) == set()


@pytest.mark.parametrize("rule", all_rules())
def test_every_rule_is_called_by_a_lesson(rule: str) -> None:
    """A line of the rule text that no lesson computes is one that nobody learns."""
    assert places.lessons_of(rule)


@cache
def told() -> dict[str, list[Call]]:
    """The calls of rules that each lesson makes while its cells run."""
    codes = {name: sections.Parts(name, "en").code for name in lesson.names()}
    with redirect_stdout(StringIO()):
        return {name: calls_of(code) for name, code in codes.items()}


@pytest.mark.parametrize("switch", SWITCHES)
def test_every_switch_is_shown_by_a_lesson(switch: str) -> None:
    """Where readings differ, a lesson computes what each comes to, with numbers at which it matters."""
    assert any(shows(calls, switch, matters=switch not in IN_WORDS_ONLY) for calls in told().values()), (
        f"no lesson calls a rule of {switch!r} under each of {SWITCHES[switch].choices} with the same numbers, "
        "at which one of them differs"
    )


def test_a_switch_in_words_only_changes_nothing() -> None:
    """One that is shown with a difference needs no excuse."""
    assert not any(shows(calls, switch) for switch in IN_WORDS_ONLY for calls in told().values())


SAVE = "from d20kit import *; from d20kit.saves import save_chance"


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        ("[save_chance(19, 15, rules=rules) for rules in (COURSE, SRD35)]", True),
        ("save_chance(19, 15), save_chance(bonus=19, dc=15, rules=COURSE.replace(save_naturals=True))", True),
        ("explain(save_chance, bonus=19, dc=15)", True),
        ("save_chance(19, 15, rules=SRD35)", False),
        ("save_chance(19, 15), save_chance(19, 16, rules=SRD35)", False),
        ("[save_chance(4, 15, rules=rules) for rules in (COURSE, SRD35)]", False),
        ("[save_chance(19, 15, rules=SRD35.replace(critical=one)) for one in ('confirm', 'natural-20')]", False),
        ("explain(save_chance, bonus=4, dc=15)", False),
    ],
)
def test_what_shows_a_switch(code: str, shown: bool) -> None:
    """The check above would pass for ever if any call were enough: each value, the same numbers, and a difference."""
    assert shows(calls_of(f"{SAVE}\n{code}"), "save_naturals") == shown
    assert not shows(calls_of(f"{SAVE}\n{code}"), "critical")
