"""The source format of the lessons, and the notebooks made from it."""

from __future__ import annotations

import pytest

from notebooks import lesson

SOURCE = """:::en
# A die
:::

:::id
# Sebuah dadu
:::

```python slow needs-numpy
1 + 1
```

```python
1 + 1
```
"""


def small() -> lesson.Lesson:
    """A lesson of one title and two equal code cells, in both languages."""
    return lesson.Lesson("small", lesson.parse(SOURCE))


def test_languages_share_code_and_not_prose() -> None:
    """Each notebook has the prose of its own language alone, so that no learner reads two languages."""
    english, indonesian = (small().notebook(language) for language in ("en", "id"))
    assert [cell.source for cell in english.cells if cell.cell_type == "markdown"] == ["# A die"]
    assert [cell.source for cell in indonesian.cells if cell.cell_type == "markdown"] == ["# Sebuah dadu"]
    for notebook in (english, indonesian):
        assert [cell.source for cell in notebook.cells[2:]] == ["1 + 1", "1 + 1"]


def test_each_notebook_chooses_its_language() -> None:
    """A learner's kernel does not know the language of the file, so a cell right below the title says it."""
    for language in ("en", "id"):
        assert small().notebook(language).cells[1].source.endswith(f'set_language("{language}")')


def test_a_language_without_prose_has_no_notebook() -> None:
    """A lesson that is not translated yet must not appear as a page of bare code."""
    assert lesson.Lesson("small", lesson.parse(":::en\nRoll.\n:::\n")).languages == ("en",)


@pytest.mark.parametrize(("language", "allowed"), [("xx", "'en', 'id'"), ("EN", "'en', 'id'"), (None, "'en', 'id'")])
def test_another_language_is_refused_with_those_there_are(language: str, allowed: str) -> None:
    """A notebook of bare code that sets an unknown language would fail in front of the learner."""
    with pytest.raises(ValueError, match=f"language is {language!r}, but must be one of {allowed}"):
        small().notebook(language)


def test_a_lesson_that_is_not_translated_says_so() -> None:
    """The languages that are offered are those that this lesson has."""
    english = lesson.Lesson("small", lesson.parse(":::en\nRoll.\n:::\n"))
    with pytest.raises(ValueError, match=r"language is 'id', but must be one of 'en'$"):
        english.notebook("id")


@pytest.mark.parametrize("character", ["\u2028", "\u2029", "\x0c", "\x0b", "\x1c", "\x85"])
def test_only_newlines_end_lines(character: str) -> None:
    """Any other character is part of the text, even where Python would break a line at it."""
    (prose, code) = lesson.parse(f":::en\na{character}b\n:::\n```python\n'a{character}b'\n```\n")
    assert (prose.text, code.text) == (f"a{character}b", f"'a{character}b'")


def test_tags_reach_the_cell() -> None:
    """Tools find the cells they treat differently by tag."""
    assert small().notebook("en").cells[2].metadata == {"tags": ["slow", "needs-numpy"]}


def test_ids_follow_from_the_text() -> None:
    """The same source gives the same ids, equal cells get ids of their own, and a new cell changes no other id."""
    ids = [cell.id for cell in small().notebook("en").cells]
    assert ids == [cell.id for cell in small().notebook("en").cells]
    assert len(set(ids)) == len(ids)
    longer = lesson.Lesson("small", lesson.parse(SOURCE.replace(":::id", ":::en\nNew.\n:::\n\n:::id")))
    assert [cell.id for cell in longer.notebook("en").cells if cell.source != "New."] == ids


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Roll a die.\n", "line 1 is 'Roll a die.'"),
        (":::fr\nLancez.\n:::\n", "line 1 is ':::fr'"),
        (":::en\nRoll.\n", "opens in line 1 with ':::en' does not end"),
        ("\n```python\n1 + 1\n", "opens in line 2 with '```python' does not end"),
        (":::en\n:::\n", "opens in line 1 with ':::en' is empty"),
        ("\n```python slow\n \n\n```\n", "opens in line 2 with '```python slow' is empty"),
    ],
)
def test_a_faulty_source_is_refused_with_its_line(text: str, said: str) -> None:
    """Text that falls out of a block would vanish from the lesson without a word."""
    with pytest.raises(ValueError, match=said):
        lesson.parse(text)
