"""The Indonesian catalogue: complete, its fields intact, and speaking when it is compiled."""

from __future__ import annotations

import ast
import gettext
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
from babel.messages.catalog import Message

from d20kit import explain, language
from d20kit.attack import Outcome, hit_chance
from d20kit.battle import Encounter
from d20kit.exercises import TOPICS, ask, questions
from d20kit.hit_points import State, disabled_floor
from d20kit.locale import messages
from tests.catalogue import SOURCE, compile_catalogue, read_catalogue

HEADER = {"Project-Id-Version", "Language", "Content-Type", "Plural-Forms"}

# Why a translation may be the English text itself -> the texts.
UNCHANGED = {
    "a term of the rules, which Indonesian players say in English": {
        "AC", "Ability modifier", "Ability score", "Armor", "Attack bonus", "Attack roll", "Base save",
        "Constitution", "DC", "Deflection", "Dexterity", "Dodge", "Duel", "Fortitude", "Hit dice", "Initiative",
        "Massive damage", "Natural armor", "Progression", "Range penalty", "Reflex", "Saving throw", "Shield", "Size",
        "Size modifier", "Strength", "Surprise round", "Will", "Wisdom", "ability", "armor", "aware",
        "base attack bonus", "bonus", "colossal", "combatant", "composite bow", "critical", "crossbow", "damage",
        "deflection", "diminutive", "disabled", "dodge", "dying", "fine", "flat-footed", "flat-footed, touch",
        "gargantuan", "hit", "huge", "initiative", "large", "level", "medium", "miss", "miss, hit, critical",
        "multiplier", "natural", "natural armor", "roll", "round", "save", "shield", "size", "sling", "small",
        "surprise round", "target", "tiny", "total", "touch", "touch attack", "uncanny dodge",
    },
    "a heading of the rule text, which is English there": {
        "Armor Class", "Attack Bonus", "Attack Roll", "Attribute Damage", "Automatic Misses and Hits",
        "Base Attack Bonus", "Damage", "Flat-Footed", "Hit Points", "Initiative Checks", "Minimum Damage",
        "Multiplying Damage", "Saving throws", "Size Modifiers", "Strength Bonus",
    },
    "also the value that the code is given": {
        "good", "poor",
    },
    "nothing but fields, signs and terms of the rules": {
        "AC {ac} = 10 {parts}.",
        "AC {ac} = {sum}.",
        "Attack bonus {bonus}",
        "Attack bonus {bonus} = {parts}.",
        "Round {number}",
        "Round {n}: {chances}",
        "S",
        "damage {rolls} = {rolled}",
        "round (S: surprise round)",
        "round {number}",
        "seed {seed}",
        "{ability} {before} -> {after}, modifier {modifier_before:+d} -> {modifier:+d}",
        "{count} x: {sentence}",
        "{face} + {bonus} = {total} {reaches} {ac}",
        "{labels}: {problem}",
        "{progression}, level {level}",
        "{purpose}, d{sides}:",
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def marked() -> set[messages.Message]:
    """Every message of the code."""
    return messages.marked()


CATALOGUE = read_catalogue()
MESSAGES: list[Message] = [message for message in CATALOGUE if message.id]


def forms(text: Any) -> tuple[str, ...]:
    """Return a text, or its forms by count, as a tuple."""
    return (text,) if isinstance(text, str) else tuple(text)


def fields(text: str) -> set[tuple[str, str | None, str | None]]:
    """Return the fields of a message, each with its format and conversion.

    >>> fields("{bonus:+d} {name!r}") == {("bonus", "+d", None), ("name", "", "r")}
    True
    """
    return {(name, how, turned) for _text, name, how, turned in Formatter().parse(text) if name is not None}


def commands(text: str) -> set[str]:
    """Return what a reader types as it stands: options, modules, calls, assignments, keys of TOML.

    >>> sorted(commands("write rules=COURSE, use simulate() or python3 -m d20kit with --port"))
    ['--port', '-m d20kit', 'rules=COURSE', 'simulate()']
    """
    return set(re.findall(r"--\w[\w-]*|-m \w+|[\w.]+\(\)|\b\w+=[\w{.]+|\[\[?\w+\]\]?", text))


def test_every_marked_message_is_translated(marked: set[messages.Message]) -> None:
    """A message without a translation would leave an English sentence among Indonesian ones."""
    translated = {message.id for message in MESSAGES if all(forms(message.string))}
    assert sorted(map(forms, marked - translated)) == []


def test_nothing_in_the_catalogue_is_left_over(marked: set[messages.Message]) -> None:
    """A translation that no code asks for hides that its message was reworded."""
    assert sorted(map(forms, {message.id for message in MESSAGES} - marked)) == []
    assert list(CATALOGUE.obsolete) == []


def test_nothing_is_fuzzy() -> None:
    """A guess of the merging tool is not a translation, and is never shown."""
    assert [message.id for message in CATALOGUE if message.fuzzy] == []


@pytest.mark.parametrize("seen", [fields, commands])
def test_what_is_not_language_is_the_same_on_both_sides(seen: Any) -> None:
    """A lost field would fail when the sentence is said; a translated option could not be typed."""
    changed = {
        english: indonesian
        for message in MESSAGES
        for english in forms(message.id)
        for indonesian in forms(message.string)
        if seen(english) != seen(indonesian)
    }
    assert changed == {}


def test_blanks_and_line_breaks_stay() -> None:
    """Messages are joined to others, so a blank at an end, or a line of a help text, must not get lost."""
    for message in MESSAGES:
        for english, indonesian in zip(forms(message.id), forms(message.string), strict=False):
            assert re.findall(r"^\s+|\n|\s+$", english) == re.findall(r"^\s+|\n|\s+$", indonesian), english


def test_header_says_what_is_needed_and_no_more() -> None:
    """Indonesian has one form for every count, and dates or names of people would change with every edit."""
    assert CATALOGUE.num_plurals == 1
    text = SOURCE.read_text("utf-8")
    header = ast.literal_eval("(" + text.split('msgstr ""\n', 1)[1].split("\n\n", 1)[0] + ")")
    entries = dict(line.split(": ", 1) for line in header.splitlines())
    assert set(entries) == HEADER
    assert entries["Language"] == "id"
    assert entries["Plural-Forms"] == "nplurals=1; plural=0;"
    assert entries["Content-Type"] == "text/plain; charset=utf-8"


def test_what_stays_english_is_listed_with_its_reason() -> None:
    """A translation equal to its message is either a term of the rules or was forgotten."""
    same = {message.id for message in MESSAGES if message.id == message.string}
    assert same == set(chain.from_iterable(UNCHANGED.values()))


def test_words_that_are_looked_up_by_value_are_in_the_catalogue() -> None:
    """States and outcomes are translated by their value, where no tool can see the message."""
    known = {message.id for message in MESSAGES}
    assert {one.value for one in (*State, *Outcome)} <= known


@pytest.fixture
def indonesian(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Speak Indonesian from a catalogue compiled for this test, and afterwards what was spoken before."""
    before = language.current_language()
    with monkeypatch.context() as patched:
        patched.setattr(language, "_LOCALE", compile_catalogue(tmp_path))
        assert language.set_language("id") == "id"
        yield
    language.set_language(before)


@pytest.mark.usefixtures("indonesian")
class TestCompiled:
    """The compiled catalogue is what a reader gets."""

    def test_explanation(self) -> None:
        """A derivation puts the title, its labels, the reason and a chance together."""
        told = str(explain(hit_chance, bonus=7, ac=18))
        assert told.startswith("Peluang hit\n")
        assert "= 50 % = 1 dari 2" in told
        assert "di luar itu kurvanya datar; di sini" in " ".join(told.split())
        assert "Dari dua puluh angka dadu" in told

    @pytest.mark.parametrize("topic", TOPICS)
    def test_a_seed_asks_the_same_in_every_language(self, topic: str) -> None:
        """A class answers one quiz in two languages, and what it answered is counted together."""
        theirs = [(question.exercise.name, question.values) for question in questions(topic, 50, 7)]
        language.set_language("en")
        assert theirs == [(question.exercise.name, question.values) for question in questions(topic, 50, 7)]

    @pytest.mark.parametrize("topic", TOPICS)
    def test_hints_name_the_same_numbers_in_every_language(self, topic: str) -> None:
        """A question is set aside if a number in a hint is its answer, by the hints in English alone."""
        hints = {hint for seed in range(100) for hint in ask(topic, seed).exercise.hints}
        numbers = {
            hint: [re.findall(r"\d+", re.sub(r"{.*?}", "", text)) for text in (hint, language._(hint))]
            for hint in hints
        }
        assert {hint for hint, (english, translated) in numbers.items() if english != translated} == set()

    def test_symbol_of_a_formula(self) -> None:
        """The left-hand side of a formula is read as well as its right-hand side."""
        shown = explain(disabled_floor, constitution=2)._repr_latex_()
        assert r"\text{HP disabled terendah} = " in shown

    def test_refusal(self) -> None:
        """A refusal is put together from three messages."""
        with pytest.raises(ValueError, match=r"^ac bernilai 'x', padahal harus bilangan bulat dari -\d+ sampai \d+"):
            hit_chance(7, "x")

    @pytest.mark.parametrize("name", ["ambush", "nobody-aware"])
    def test_every_event_of_a_battle(self, name: str) -> None:
        """A battle says most of its sentences with fields, and a wrong one would end it."""
        battle = Encounter.ready(name).fight(3)
        told = [event.sentence() for event in battle.events]
        assert any(re.search(r"menyerang .* dengan .*: d20 \d+ . \d+ = -?\d+ vs AC \d+", line) for line in told)
        assert told[-1].endswith(" menang")

    def test_exercise(self) -> None:
        """Question, hints and feedback are filled in from the same values."""
        question = ask("attack", seed=18)
        assert question.text.endswith("?")
        assert question.check(question.answer).sentence.startswith("Benar: ")
        assert question.hints[0] == "Hitung angka d20 yang hit, lalu bagi dengan banyaknya angka."

    def test_count(self) -> None:
        """One form serves one and many."""
        told = {language.ngettext("{n} round to death", "{n} rounds to death", rounds) for rounds in (1, 2)}
        assert told == {"{n} round lagi sampai mati"}

    def test_explorer(self) -> None:
        """The sentence under a picture joins several messages."""
        widgets = pytest.importorskip("d20widgets", reason="the pictures need ipywidgets and anywidget")
        assert widgets.AttackExplorer(bonus=7, ac=18).summary == (
            "Attack bonus +7 terhadap AC 18: angka 11 ke atas hit, 10 dari 20 angka: 50 %. Natural 20 adalah critical. "
            "Satu serangan rata-rata memberi damage 4.125, miss ikut dihitung; dengan SRD35 jadinya 3.938."
        )


def test_english_needs_no_catalogue(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where nothing was compiled, sentences come out in English, and whoever asked for others is told why."""
    monkeypatch.setattr(language, "_LOCALE", tmp_path)
    before = language.current_language()
    try:
        with pytest.warns(UserWarning, match=r"'id' are not compiled here.*python3 -m d20kit lab"):
            language.set_language("id")
        assert language._("hit points") == "hit points"
        assert isinstance(language._catalogue, gettext.NullTranslations)
    finally:
        monkeypatch.undo()
        language.set_language(before)
