"""The instructor guide: minutes, aims, what to show on which slide, board questions and misconceptions."""

from __future__ import annotations

from importlib import import_module

from d20kit.exercises.mistakes import SENTENCES
from d20kit.language import _
from notebooks.sections import Parts, Slide, all_parts

NAME = "guide"
TOPICS_OF = {
    "01-attack": ("attack",),
    "02-armor-class": ("armor_class",),
    "03-damage": ("damage",),
    "04-hit-points": ("hit_points",),
    "05-saves-and-attribute-damage": ("saves", "abilities"),
    "06-initiative-and-surprise": ("initiative",),
}
WORDS = {
    "en": {
        "title": "Instructor guide",
        "intro": (
            "{n} lessons, {total} minutes in all. For each: the aims, the slides, two questions for the board and the "
            "mistakes to listen for. In a cell below a lesson write `from d20widgets import present`, then "
            "`present()`, and run it: the lesson becomes slides, numbered as here. Run the lesson first (*Run > Run "
            "All Cells*), or each cell in class, after the guesses. The solutions stand in the "
            "[answer key](answers.md); the [handout](handout.md) is for printing."
        ),
        "minutes": "{n} minutes at the lesson's own pace.",
        "aims": "Aims",
        "slides": "Slides",
        "show": "drag `{picture}` here",
        "quiz": "`Quiz` together: first all write an answer, then one is typed",
        "play": "play the battle in `BattlePlayer`, one step at a time",
        "board": "For the board",
        "mistakes": "Mistakes to listen for, and what to say",
        "back": "Back to [Start here](00-start.ipynb).",
    },
    "id": {
        "title": "Panduan pengajar",
        "intro": (
            "{n} pelajaran, {total} menit seluruhnya. Untuk masing-masing: tujuannya, slide-slidenya, dua soal untuk "
            "papan tulis, dan kekeliruan yang perlu diwaspadai. Di sel di bawah sebuah pelajaran tulis "
            "`from d20widgets import present`, lalu `present()`, dan jalankan: pelajaran itu jadi slide dengan nomor "
            "seperti di sini. Jalankan dulu seluruh pelajaran (*Run > Run All Cells*), atau jalankan selnya satu per "
            "satu di kelas, setelah semua menebak. Jawabannya ada di [kunci jawaban](answers.md); "
            "[selebaran](handout.md) tinggal dicetak."
        ),
        "minutes": "{n} menit kalau mengikuti irama pelajaran.",
        "aims": "Tujuan",
        "slides": "Slide",
        "show": "geser `{picture}` di sini",
        "quiz": "`Quiz` bersama-sama: semua menulis jawaban dulu, baru satu yang diketik",
        "play": "mainkan battle di `BattlePlayer`, selangkah demi selangkah",
        "board": "Untuk papan tulis",
        "mistakes": "Kekeliruan yang sering terdengar, dan tanggapannya",
        "back": "Kembali ke [Mulai di sini](00-start.ipynb).",
    },
}


def mistakes_of(name: str) -> list[str]:
    """Return the names of the mistakes known for the topics of a lesson, each once."""
    exercises = [
        one for topic in TOPICS_OF.get(name, ()) for one in import_module(f"d20kit.exercises.{topic}").EXERCISES
    ]
    return list(dict.fromkeys(mistake.name for exercise in exercises for mistake in exercise.mistakes))


def _slide(slide: Slide, words: dict[str, str]) -> str:
    hint = {"": "", "Quiz": words["quiz"], "BattlePlayer": words["play"]}.get(slide.picture, words["show"])
    shown = f": {hint.format(picture=slide.picture)}" if hint else ""
    return f"{slide.number}. {slide.title}{shown}"


def _lesson(parts: Parts, words: dict[str, str]) -> list[str]:
    said = [f"- {_(SENTENCES[name])}" for name in mistakes_of(parts.name)]
    lists = {
        "aims": parts.objectives,
        "slides": [_slide(slide, words) for slide in parts.slides],
        "board": parts.checks,
        "mistakes": said,
    }
    return [
        f"## [{parts.name[:2]} {parts.title}]({parts.name}.ipynb)",
        words["minutes"].format(n=parts.minutes),
        *(text for title, lines in lists.items() if lines for text in (f"### {words[title]}", "\n".join(lines))),
    ]


def page(language: str) -> str:
    """Return the guide in a language; the kit must speak it already."""
    words, lessons = WORDS[language], all_parts(language)
    total = sum(parts.minutes for parts in lessons)
    texts = [text for parts in lessons for text in _lesson(parts, words)]
    return "\n\n".join(
        [f"# {words['title']}", words["intro"].format(n=len(lessons), total=total), *texts, words["back"]]
    )
