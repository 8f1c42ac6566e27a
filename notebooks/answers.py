"""The answer key: the inline checks, and every question that a lesson's quiz asks with its own seed."""

from __future__ import annotations

import ast

from d20kit.amounts import amount, chance_text
from d20kit.exercises import Question
from d20kit.exercises.mistakes import SENTENCES
from d20kit.language import _
from d20widgets.quiz_run import Run
from notebooks.sections import Parts, all_parts

NAME = "answers"
WORDS = {
    "en": {
        "title": "Answer key",
        "intro": (
            "For teachers. The questions of a quiz follow from its seed: these are the ones it asks as the lesson is "
            "written. Below each answer stand the wrong answers that are known, with what is said to them."
        ),
        "checks": "Two checks",
        "quiz": "Practice",
        "answer": "**Answer:** {answer}",
        "back": "Back to the [guide](guide.md) or to [Start here](00-start.ipynb).",
    },
    "id": {
        "title": "Kunci jawaban",
        "intro": (
            "Untuk pengajar. Pertanyaan sebuah kuis mengikuti seed-nya: inilah yang ditanyakan kalau seed di pelajaran "
            "tidak diubah. Di bawah setiap jawaban ada jawaban salah yang dikenal, beserta tanggapannya."
        ),
        "checks": "Dua soal",
        "quiz": "Latihan",
        "answer": "**Jawaban:** {answer}",
        "back": "Kembali ke [panduan](guide.md) atau ke [Mulai di sini](00-start.ipynb).",
    },
}


def quiz_of(parts: Parts) -> list[Question]:
    """Return the questions that the quiz of a lesson asks, in order; none where it has no quiz."""
    calls = [
        node
        for node in ast.walk(ast.parse(parts.code))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Quiz"
    ]
    chosen = [{str(word.arg): ast.literal_eval(word.value) for word in call.keywords} for call in calls]
    return [question for keywords in chosen for question in Run(**keywords).questions]


def _value(question: Question, value: object) -> str:
    return chance_text(value) if question.units == "chance" else amount(value)  # type: ignore[arg-type]


def _asked(number: int, question: Question, answer: str) -> str:
    wrong = [f"   - {_value(question, value)}: {_(SENTENCES[name])}" for name, value in question.mistakes.items()]
    right = answer.format(answer=_value(question, question.answer))
    return "\n".join([f"{number}. {question.text}", "", f"   {right}", "", *wrong])


def _lesson(parts: Parts, words: dict[str, str]) -> list[str]:
    texts = [f"## [{parts.name[:2]} {parts.title}]({parts.name}.ipynb)"]
    if parts.solutions:
        texts += [f"### {words['checks']}", "\n".join(parts.solutions)]
    asked = [_asked(number, question, words["answer"]) for number, question in enumerate(quiz_of(parts), 1)]
    if asked:
        texts += [f"### {words['quiz']}", *asked]
    return texts if len(texts) > 1 else []


def page(language: str) -> str:
    """Return the answer key in a language; the kit must speak it already."""
    words = WORDS[language]
    texts = [text for parts in all_parts(language) for text in _lesson(parts, words)]
    return "\n\n".join([f"# {words['title']}", words["intro"], *texts, words["back"]])
