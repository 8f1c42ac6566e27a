"""What a quiz says: where the learner is, how it went, what to repeat; never an answer that was not given yet."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from d20kit.exercises import Question
from d20kit.exercises.mistakes import SENTENCES
from d20kit.language import LANGUAGE_NAMES, N_, _, current_language, ngettext
from d20widgets.quiz_run import MOST_HINTS, Run, Standing
from d20widgets.unbroken import unbroken

TOPIC_NAMES = {
    "abilities": N_("Abilities"),
    "attack": N_("Attack roll"),
    "armor_class": N_("Armor class"),
    "damage": N_("Damage"),
    "hit_points": N_("Hit points"),
    "saves": N_("Saving throws"),
    "initiative": N_("Initiative"),
}


def title(run: Run) -> str:
    """Return the name of the quiz."""
    if run.topic is None:
        return _("Quiz")
    return _("Quiz: {topic}").format(topic=_(TOPIC_NAMES[run.topic]))


def progress(run: Run) -> str:
    """Return where the learner is: "Question 3 of 7", with the topic where they change."""
    if run.finished:
        return _("Result")
    text = _("Question {number} of {n}").format(number=run.at + 1, n=run.n)
    return text if run.topic else f"{text}: {_(TOPIC_NAMES[run.question.topic])}"


def summary(run: Run) -> str:
    """Return one sentence on how the quiz stands, or went."""
    counts = counted(standings(run))
    if run.finished:
        return f"{_right(run.n, counts)} {_repeat_sentence(run)}"
    told = ", ".join(f"{_(one.value)} {count}" for one, count in counts.items() if count)
    return _("{progress}. So far: {counts}.").format(progress=progress(run), counts=told)


def standings(run: Run) -> list[Standing]:
    """Return how the first answer to each question was."""
    return [run.standing(index) for index in range(run.n)]


def counted(found: Sequence[Standing]) -> dict[Standing, int]:
    """Count the standings; each kind has an entry."""
    return {one: found.count(one) for one in Standing}


def to_repeat(run: Run) -> list[str]:
    """Return what is worth another look: each topic that did not go right at once, with the mistakes made in it."""
    found: dict[str, list[str]] = {}
    for index, question in enumerate(run.questions):
        if run.standing(index) is Standing.RIGHT:
            continue
        mistakes = found.setdefault(question.topic, [])
        name = run.mistake(index)
        if name is not None and SENTENCES[name] not in mistakes:
            mistakes.append(SENTENCES[name])
    return [
        f"{_(TOPIC_NAMES[topic])}: {' '.join(map(_, mistakes))}" if mistakes else _(TOPIC_NAMES[topic])
        for topic, mistakes in found.items()
    ]


def rows(run: Run) -> list[dict[str, Any]]:
    """Return a row for each question; neither its answer nor what was answered is in it."""
    return [
        {
            N_("question"): index + 1,
            N_("topic"): _(TOPIC_NAMES[question.topic]),
            N_("first answer"): run.standing(index),
            N_("answers"): len(run.tries[index]),
            N_("hints"): _hints(run, index),
        }
        for index, question in enumerate(run.questions)
    ]


def right_answer(run: Run) -> str:
    """Return what is said to a learner who asked for the solution."""
    return _("The answer is {answer}.").format(answer=run.question.answer_text)


def _hints(run: Run, index: int) -> int | str:
    return _("solution") if run.gave_up(index) else run.hints[index]


def _right(n: int, counts: Mapping[Standing, int]) -> str:
    at_once = ngettext("{right} of {n} question right at once.", "{right} of {n} questions right at once.", n)
    return at_once.format(right=counts[Standing.RIGHT], n=n)


def _repeat_sentence(run: Run) -> str:
    names = [line.partition(":")[0] for line in to_repeat(run)]
    return _("To repeat: {topics}.").format(topics=", ".join(names)) if names else _("Nothing to repeat.")


def view(run: Run, said: str, invalid: bool) -> dict[str, Any]:
    """Return everything the page shows, as plain data: it puts each text where it belongs and works out nothing."""
    return {
        "title": title(run),
        "progress": unbroken(progress(run)),
        "place": f"{run!r} {run.at}",
        "said": unbroken(said),
        "invalid": invalid,
        "finished": run.finished,
        "marks": [_mark(run, index) for index in range(run.n)],
        "labels": _labels(run),
        "language": current_language(),
        "languages": [[code, name] for code, name in LANGUAGE_NAMES.items()],
        "state": json.dumps(run.pack(), separators=(",", ":")),
        **(_result(run) if run.finished else _now(run, said)),
    }


def _mark(run: Run, index: int) -> dict[str, Any]:
    standing = run.standing(index)
    told = _("Question {number}: {standing}").format(number=index + 1, standing=_(standing.value))
    return {"kind": standing.name.lower(), "text": str(index + 1), "label": told, "now": index == run.at}


def _labels(run: Run) -> dict[str, str]:
    given = 0 if run.finished else run.hints[run.at]
    return {
        "marks": _("How it goes"),
        "answer": _("Your answer"),
        "check": _("Check"),
        "hint": _("Hint {number} of {n}").format(number=min(given + 1, MOST_HINTS), n=MOST_HINTS),
        "solution": _("Show the solution"),
        "next": _("Result") if run.at == run.n - 1 else _("Next question"),
        "again": _("Again, with new numbers"),
        "language": _("Language"),
        "share": _("Your answers as text"),
        "copy": _("Copy"),
        "copied": _("Copied."),
        "load": _("Load what is written here"),
    }


def _now(run: Run, said: str) -> dict[str, Any]:
    given = run.hints[run.at]
    hints = run.question.hints[:given]
    return {
        "question": unbroken(run.question.text),
        "solved": run.solved(run.at),
        # What is just being said need not stand there twice.
        "hints": [unbroken(hint) for hint in hints if hint != said],
        "more_hints": given < MOST_HINTS,
        "solution": _solution(run.question) if run.gave_up(run.at) else [],
        "result": None,
    }


def _solution(question: Question) -> list[list[str]]:
    """The lines of a solution: what each is, and what it says."""
    solution = question.solution
    lines = [(step.label, step.text) for step in solution.steps]
    if (_("value"), question.answer_text) not in lines:
        # The rule's value is a table of chances or holds several numbers: the one that is asked for is told apart.
        lines.append((_("answer"), question.answer_text))
    lines.append((_("why"), solution.why))
    return [[unbroken(label), unbroken(text)] for label, text in lines]


def _result(run: Run) -> dict[str, Any]:
    told = [{**row, **_answers(run, index)} for index, row in enumerate(rows(run))]
    if run.topic:
        told = [{name: cell for name, cell in row.items() if name != "topic"} for row in told]
    cells = [
        [_(one.value) if isinstance(one, Standing) else unbroken(str(one)) for one in row.values()] for row in told
    ]
    table = {"caption": _("How it went"), "head": [_(name) for name in told[0]], "rows": cells}
    nothing = {"question": "", "solved": True, "hints": [], "more_hints": False, "solution": []}
    return {**nothing, "result": {**table, "repeat": to_repeat(run), "to_repeat": _("To repeat")}}


def _answers(run: Run, index: int) -> dict[str, str]:
    """What was answered first and what is right, where somebody gave an answer or asked for the solution."""
    tries = run.tries[index]
    known = tries or run.gave_up(index)
    return {
        N_("you wrote"): tries[0] if tries else "",
        N_("right answer"): run.questions[index].answer_text if known else "",
    }
