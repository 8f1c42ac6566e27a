"""Where each rule is at home: the page that leads from the rule text to lesson, function, explorer and exercise.

Nothing is listed by hand that the code tells: functions come from the kit's rules, lessons and explorers are those
that call them, exercises are those that ask for them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from importlib import import_module
from typing import Any

import d20widgets
from d20kit.exercises import TOPICS
from d20kit.language import _
from d20kit.rule import Card, all_rules
from d20kit.rulesets import SWITCHES, Switch
from notebooks import lesson

WIDGETS = lesson.NOTEBOOKS.parent / "widgets" / "d20widgets"
ORDER = "Order of a battle"
REFERENCE = "d20 system reference"
# The headings of the rule text in its order, each with the rules below it that name another heading as their source.
HEADINGS: dict[str, tuple[str, ...]] = {
    ORDER: ("initiative.surprise_round", "initiative.order_chances"),
    "Attack Roll": (),
    "Automatic Misses and Hits": (),
    "Attack Bonus": (),
    "Base Attack Bonus": (),
    "Size Modifiers": (),
    "Damage": (),
    "Minimum Damage": (),
    "Strength Bonus": (),
    "Off-Hand Weapon": ("damage.strength_damage",),
    "Wielding a Weapon Two-Handed": ("damage.strength_damage",),
    "Multiplying Damage": (),
    "Attribute Damage": (),
    "Armor Class": (),
    "Other Modifiers": ("armor_class.armor_class",),
    "Touch Attacks": ("armor_class.armor_class",),
    "Hit Points": (),
    "Saving throws": (),
    "Initiative Checks": (),
    "Flat-Footed": ("armor_class.armor_class",),
    "Inaction": ("initiative.surprise_round",),
    REFERENCE: (),
}
NAME = "rules-and-places"
WORDS = {
    "en": {
        "title": "Where each rule is at home",
        "intro": (
            "Every rule of the rule text, heading by heading: the function that computes it, the lessons and explorers "
            "that call that function, and the kinds of question that ask for it, which "
            '`Quiz("topic")` from `d20widgets` draws. A dash means none.'
        ),
        "back": "Back to [Start here](00-start.ipynb). For teachers: the [guide](guide.md).",
        "rules": "The rules",
        "rule columns": ("Heading", "Rule", "Function", "Lesson", "Explorer", "Questions"),
        "switches": "Where the two readings differ",
        "switch intro": (
            "Each switch can be set alone, for example `COURSE.replace(save_naturals=True)`. The lessons named compute "
            "under `SRD35` with a function that depends on the switch."
        ),
        "switch columns": ("Switch", "What it decides", "`COURSE`", "`SRD35`", "Functions", "Lesson"),
        "house": "House rules",
        "house columns": ("Switch", "What it decides", "`COURSE`, `SRD35`", "House rule", "Functions", "Lesson"),
        "order": "Order of a battle",
    },
    "id": {
        "title": "Di mana letak setiap aturan",
        "intro": (
            "Semua aturan dalam teks aturan, judul demi judul: fungsi yang menghitungnya, pelajaran dan explorer yang "
            "memanggil fungsi itu, dan jenis soal yang menanyakannya, yang diundi oleh "
            '`Quiz("topic")` dari `d20widgets`. Tanda pisah berarti tidak ada.'
        ),
        "back": "Kembali ke [Mulai di sini](00-start.ipynb). Untuk pengajar: [panduan](guide.md).",
        "rules": "Aturan-aturannya",
        "rule columns": ("Judul", "Aturan", "Fungsi", "Pelajaran", "Explorer", "Soal"),
        "switches": "Beda kedua versi aturan",
        "switch intro": (
            "Setiap sakelar bisa diatur sendiri, misalnya `COURSE.replace(save_naturals=True)`. Pelajaran yang disebut "
            "menghitung dengan `SRD35` memakai fungsi yang bergantung pada sakelar itu."
        ),
        "switch columns": ("Sakelar", "Yang ditentukan", "`COURSE`", "`SRD35`", "Fungsi", "Pelajaran"),
        "house": "House rule",
        "house columns": ("Sakelar", "Yang ditentukan", "`COURSE`, `SRD35`", "House rule", "Fungsi", "Pelajaran"),
        "order": "Urutan terjadinya sebuah battle",
    },
}


@cache
def _codes() -> dict[str, str]:
    """Return the code of each lesson by name."""
    blocks = {name: lesson.load(name).blocks for name in lesson.names()}
    return {name: "\n".join(each.text for each in blocks[name] if each.language is None) for name in blocks}


@cache
def _explorers() -> dict[str, str]:
    """Return the code of each explorer by name, that of its modules together."""
    homes = {name: getattr(d20widgets, name).__module__.rpartition(".")[2] for name in d20widgets.__all__}
    return {
        name: "\n".join(path.read_text(encoding="utf-8") for path in sorted(WIDGETS.glob(f"{home}*.py")))
        for name, home in homes.items()
        if name.endswith("Explorer")
    }


def _callers(codes: dict[str, str], name: str) -> list[str]:
    """Return whose code calls the function of a rule, by itself or through ``explain``."""
    function = name.rpartition(".")[2]
    pattern = re.compile(rf"(?<![.\w]){function}\(|explain\({function}\b")
    return [caller for caller, code in codes.items() if pattern.search(code)]


def lessons_of(name: str) -> list[str]:
    """Return the lessons that call the function of a rule such as ``"attack.hit_chance"``."""
    return _callers(_codes(), name)


def lessons_with_both(name: str) -> list[str]:
    """Return the lessons that call the function of a rule with its ``rules`` chosen, so that the two can differ."""
    function = name.rpartition(".")[2]
    pattern = re.compile(rf"(?:(?<![.\w]){function}\(|explain\({function},)(?:[^()]|\([^()]*\))*rules=")
    return [one for one, code in _codes().items() if pattern.search(code)]


def explorers_of(name: str) -> list[str]:
    """Return the explorers that call the function of a rule."""
    return _callers(_explorers(), name)


def questions_of(card: Card) -> list[str]:
    """Return the kinds of question that a rule answers, each as "topic: kind"."""
    asked = {topic: import_module(f"d20kit.exercises.{topic}").EXERCISES for topic in TOPICS}
    return [
        f"{topic}: {one.name}" for topic, exercises in asked.items() for one in exercises if one.rule is card.function
    ]


def below(heading: str) -> dict[str, Card]:
    """Return the rules that belong to a heading of the rule text."""
    return {name: card for name, card in all_rules().items() if card.source == heading or name in HEADINGS[heading]}


def _links(found: Iterable[str]) -> str:
    """Link lessons by their number."""
    return ", ".join(f"[{name[:2]}]({name}.ipynb)" for name in found)


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join(f"| {' | '.join(cell or '—' for cell in line)} |" for line in lines)


def _code(names: Iterable[Any]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _rule_rows(order: str) -> list[list[str]]:
    return [
        [
            order if heading == ORDER else _(heading),
            _(card.title),
            f"`d20kit.{name}`",
            _links(lessons_of(name)),
            _code(explorers_of(name)),
            ", ".join(questions_of(card)),
        ]
        for heading in HEADINGS
        for name, card in below(heading).items()
    ]


def _switch_row(name: str, switch: Switch, *values: Any) -> list[str]:
    """Return the row of a switch, with the values that a table has a column for."""
    functions = [function for function, card in all_rules().items() if name in card.switches]
    chosen = sorted({one for function in functions for one in lessons_with_both(function)})
    return [f"`{name}`", _(switch.decides), *map(_code, values), _code(functions), _links(chosen)]


def _switches(language: str) -> list[str]:
    """Return what tells the switches: where the two readings differ, and the house rules, if there are any."""
    words = WORDS[language]
    differ = [
        _switch_row(name, switch, [switch.course], [switch.srd35])
        for name, switch in SWITCHES.items()
        if switch.course != switch.srd35
    ]
    house = [
        _switch_row(name, switch, [switch.course, switch.srd35], switch.house)
        for name, switch in SWITCHES.items()
        if switch.house
    ]
    told = [f"## {words['switches']}", str(words["switch intro"]), _table(words["switch columns"], differ)]
    return [*told, f"## {words['house']}", _table(words["house columns"], house)] if house else told


def page(language: str) -> str:
    """Return the page in a language; the kit must speak it already."""
    words = WORDS[language]
    return "\n\n".join(
        [
            f"# {words['title']}",
            str(words["intro"]),
            f"## {words['rules']}",
            _table(words["rule columns"], _rule_rows(str(words["order"]))),
            *_switches(language),
            str(words["back"]),
        ]
    )
