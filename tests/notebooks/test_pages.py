"""The pages beside the lessons are those of today's kit and lessons, and nothing is missing on them."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from d20kit.exercises import questions
from d20kit.exercises.mistakes import SENTENCES
from d20kit.language import LANGUAGES
from d20kit.rule import all_rules
from d20kit.rulesets import SWITCHES, Switch
from notebooks import answers, glossary, guide, handout, lesson, pages, places, sections

each_language = pytest.mark.parametrize("language", LANGUAGES)
each_page = pytest.mark.parametrize(
    ("page", "language"),
    [(page, language) for page in pages.PAGES for language in LANGUAGES],
    ids=lambda value: value if isinstance(value, str) else value.NAME,
)
# An Indonesian lesson explains a term where it first stands: the marked term, then the explanation in brackets.
GLOSSED = re.compile(r"(?<!\*)\*{1,2}([^*]+?)\*{1,2} \([a-z][^()]+\)")


def prose(language: str) -> str:
    """Return the text of all lessons in a language, on one line."""
    blocks = (block for name in lesson.names() for block in lesson.load(name).blocks)
    return one_line(" ".join(block.text for block in blocks if block.language == language))


def one_line(text: str) -> str:
    """Return a text on one line, with a space wherever it has one of any kind."""
    return " ".join(text.split())


def stored(page: ModuleType, language: str) -> str:
    """Return a page as it is stored."""
    return pages.path(page, language).read_text(encoding="utf-8")


def rows(text: str) -> list[list[str]]:
    """Return the cells of every line of every table."""
    return [
        [cell.strip() for cell in line.strip("|").split(" | ")] for line in text.splitlines() if line.startswith("|")
    ]


@each_page
def test_a_stored_page_is_the_one_made_today(page: ModuleType, language: str) -> None:
    """A page that is not written again after a change sends its readers to the wrong place."""
    assert stored(page, language) == pages.text(page, language), "python -m notebooks.pages writes it anew"


@each_page
def test_links_of_pages_resolve(page: ModuleType, language: str) -> None:
    """A link leads to a lesson or a page of the same language, never to another machine."""
    text, folder = stored(page, language), pages.path(page, language).parent
    targets = re.findall(r"\]\(([^)]*)\)", text)
    assert "00-start.ipynb" in targets
    assert [target for target in targets if not (folder / target).is_file()] == []


@each_language
def test_tables_have_as_many_cells_as_their_heads(language: str) -> None:
    """A bar within a cell would move everything after it into the wrong column."""
    for page in pages.PAGES:
        for table in re.findall(r"(?:^\|.*\n)+", stored(page, language), flags=re.MULTILINE):
            assert len({len(cells) for cells in rows(table)}) == 1
            assert len(rows(table)) > 2


@each_language
def test_every_page_is_reached_from_the_first_lesson(language: str) -> None:
    """A page to which no link leads is found by nobody."""
    blocks = lesson.load(lesson.names()[0]).blocks
    texts = {page.NAME: stored(page, language) for page in pages.PAGES}
    reached: set[str] = set()
    waiting = ["\n".join(block.text for block in blocks if block.language == language)]
    while waiting:
        linked = set(re.findall(r"\]\(([a-z-]+)\.md\)", waiting.pop())) - reached
        reached |= linked
        waiting += [texts[name] for name in linked]
    assert reached == set(texts)


@each_language
def test_guide_key_and_handout_have_every_lesson(language: str) -> None:
    """A teacher who prepares a lesson must find it, with its checks, its solutions and its summary."""
    guided, key, printed = (one_line(stored(page, language)) for page in (guide, answers, handout))
    for parts in sections.all_parts(language):
        assert all(one_line(objective) in guided for objective in parts.objectives)
        assert len(parts.objectives) >= 3
        assert len(parts.slides) >= 5
        assert len(parts.summary) >= 3
        assert all(one_line(line) in printed for line in parts.summary)
        assert len(parts.checks) == len(parts.solutions) == (0 if parts.name == "00-start" else 2)
        assert all(one_line(solution) in key for solution in parts.solutions)


def test_a_lesson_with_a_topic_has_its_mistakes_in_the_guide() -> None:
    """The guide says what goes wrong from what the exercises know, so every topic's mistakes must be there."""
    found = {name for parts in sections.all_parts("en") for name in guide.mistakes_of(parts.name)}
    assert found == set(SENTENCES)


def test_the_key_has_the_questions_that_the_quiz_asks() -> None:
    """A key to other questions is worse than none."""
    asked = {parts.name: answers.quiz_of(parts) for parts in sections.all_parts("en")}
    assert [len(asked[name]) for name in lesson.names()] == [5] * 9
    assert [one.text for one in asked["03-damage"]] == [one.text for one in questions("damage", 5, seed=5)]
    key = one_line(stored(answers, "en"))
    assert all(one_line(question.text) in key for some in asked.values() for question in some)


@each_language
def test_every_rule_has_its_place(language: str) -> None:
    """A rule without a place is taught nowhere, and a row without a function or a lesson helps nobody."""
    found = {cells[2]: cells for cells in rows(stored(places, language)) if cells[2].startswith("`d20kit.")}
    assert set(found) == {f"`d20kit.{name}`" for name in all_rules()}
    assert all(".ipynb)" in cells[3] for cells in found.values())


@each_language
def test_every_switch_has_its_place(language: str) -> None:
    """Where the two readings differ, the learner must find the lesson that shows it."""
    found = {cells[0]: cells for cells in rows(stored(places, language)) if len(cells) == 6}
    assert all(".ipynb)" in found[f"`{switch}`"][5] for switch in SWITCHES)


@each_language
def test_a_house_rule_has_a_table_of_its_own(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the readings differ there is nothing to find on a switch that only a house rule sets."""
    decides = "whether a natural 1 drops the weapon"
    monkeypatch.setitem(SWITCHES, "fumbles", Switch(False, False, decides, house=(True,)))
    monkeypatch.setitem(SWITCHES, "surprise", replace(SWITCHES["surprise"], house=("nobody",)))
    page = one_line(pages.text(places, language))
    differ, _heading, house = page.partition(f"## {places.WORDS[language]['house']} | ")
    assert f"| `fumbles` | {decides} | `False`, `False` | `True` | — | — |" in house
    assert "| `any-unaware`, `some-aware` | `nobody` | `initiative.surprise_round` | [06]" in house
    assert "| `any-unaware` | `some-aware` | `initiative.surprise_round` | [06]" in differ
    assert "`fumbles`" not in differ
    assert decides not in one_line(pages.text(handout, language))


def test_every_heading_of_the_rule_text_has_a_rule() -> None:
    """A heading without a rule is a line of the rule text that the kit left out."""
    assert all(places.below(heading) for heading in places.HEADINGS)
    assert {card.source for card in all_rules().values()} <= set(places.HEADINGS)


def test_a_rule_is_found_in_the_lesson_that_calls_it() -> None:
    """The page is read off the lessons and explorers; this is one line of it, checked by hand."""
    assert places.lessons_of("hit_points.rounds_to_death") == ["04-hit-points"]
    assert places.lessons_with_both("hit_points.after_constitution_loss") == ["05-saves-and-attribute-damage"]
    assert places.lessons_with_both("hit_points.disabled_floor") == []
    assert places.explorers_of("saves.save_chance") == ["SaveExplorer"]
    assert places.questions_of(all_rules()["damage.stack_multipliers"]) == ["damage: multipliers"]


def test_every_term_of_the_glossary_is_used() -> None:
    """A glossary of words that the lessons do not use is read in vain."""
    english, indonesian = (prose(language).lower() for language in LANGUAGES)
    for term in glossary.terms():
        assert re.search(rf"\b{re.escape(term.en.lower())}", english), term.en
        for word in term.indonesian:
            assert re.search(rf"\b{re.escape(word.lower())}", indonesian), word


def test_every_term_that_a_lesson_explains_is_in_the_glossary() -> None:
    """Who forgets an explanation looks for it in the glossary."""
    glossed = {term.lower() for term in GLOSSED.findall(prose("id"))}
    assert len(glossed) > 10
    known = {word.lower() for term in glossary.terms() for word in (term.en, *term.indonesian)}
    assert glossed - known == set()


@pytest.mark.parametrize("language", [None, "xx"])
def test_another_language_is_refused(language: str) -> None:
    """The language of the machine would decide otherwise, and the page be half in one and half in another."""
    with pytest.raises(ValueError, match=f"language is {language!r}, but must be one of 'en', 'id'"):
        pages.text(places, language)


def test_no_term_stands_twice() -> None:
    """Two entries of one name would contradict each other sooner or later."""
    names = [term.en.lower() for term in glossary.terms()]
    assert len(set(names)) == len(names)


def test_the_command_writes_every_page(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One command makes all pages, the same on every machine."""
    for language in LANGUAGES:
        (tmp_path / language).mkdir()
    monkeypatch.setattr(lesson, "NOTEBOOKS", tmp_path)
    pages.main()
    written = {path.relative_to(tmp_path).as_posix() for path in tmp_path.glob("*/*.md")}
    assert written == {f"{language}/{page.NAME}.md" for page in pages.PAGES for language in LANGUAGES}
