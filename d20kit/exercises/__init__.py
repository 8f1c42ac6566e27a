"""Questions for every topic of the rules, with exact answers, known mistakes and hints.

>>> from d20kit.exercises import ask
>>> question = ask("attack", seed=1)
>>> question.check(question.answer).verdict.value
'right'
"""

from __future__ import annotations

from random import Random
from typing import Any

from d20kit.algebra import is_array, is_symbolic
from d20kit.check import one_of, refuse, whole
from d20kit.exercises import abilities, armor_class, attack, damage, hit_points, initiative, saves
from d20kit.exercises.given import read
from d20kit.exercises.question import Draw, Exercise, Feedback, Mistake, Question, Verdict
from d20kit.language import _
from d20kit.randomness import draw_below

__all__ = ["TOPICS", "Exercise", "Feedback", "Mistake", "Question", "Verdict", "ask", "questions", "read"]

_EXERCISES: dict[str, tuple[Exercise, ...]] = {
    "abilities": abilities.EXERCISES,
    "attack": attack.EXERCISES,
    "armor_class": armor_class.EXERCISES,
    "damage": damage.EXERCISES,
    "hit_points": hit_points.EXERCISES,
    "saves": saves.EXERCISES,
    "initiative": initiative.EXERCISES,
}
TOPICS = tuple(_EXERCISES)
MOST_QUESTIONS = 50
_LARGEST_SEED = 2**63 - 1


def _one(name: str, value: Any, low: int, high: int) -> int:
    """Accept one whole number, not an array of them or a symbol."""
    if is_array(value) or is_symbolic(value):
        raise refuse(name, value, _("one whole number from {low} to {high}").format(low=low, high=high))
    return int(whole(name, value, low, high))


def ask(topic: str, seed: int) -> Question:
    """Ask one question.

    Parameters
    ----------
    topic : str
        One of :data:`TOPICS`.
    seed : int
        Chooses question and numbers; the same seed asks the same on every machine.

    Returns
    -------
    Question

    Raises
    ------
    ValueError
        If the topic is unknown or the seed is no whole number from 0 up.

    Examples
    --------
    >>> print(ask("damage", seed=37))
    Several effects multiply the same damage: x4 and x3. By how much is it multiplied in all?
    """
    exercises = _EXERCISES[one_of("topic", topic, TOPICS)]
    number = _one("seed", seed, 0, _LARGEST_SEED)
    # one stream of random numbers for each pair of topic and seed
    draw = Draw(Random(number * len(TOPICS) + TOPICS.index(topic)))
    exercise = draw.one_of(*exercises)
    while True:
        question = Question(topic, number, exercise, exercise.draw(draw))
        if question.mistakes and not question.gives_itself_away:
            return question


def questions(topic: str, n: int, seed: int) -> list[Question]:
    """Ask several questions, no two alike.

    Parameters
    ----------
    topic : str
        One of :data:`TOPICS`.
    n : int
        How many, from 1 to ``MOST_QUESTIONS``.
    seed : int
        Chooses them.

    Returns
    -------
    list of Question

    Raises
    ------
    ValueError
        If the topic is unknown, or a number is out of range.

    Examples
    --------
    >>> len({question.text for question in questions("saves", 5, seed=1)})
    5
    """
    one_of("topic", topic, TOPICS)
    count = _one("n", n, 1, MOST_QUESTIONS)
    random = Random(_one("seed", seed, 0, _LARGEST_SEED))
    asked: dict[tuple[str, str], Question] = {}
    while len(asked) < count:
        question = ask(topic, draw_below(random, 2**32))
        asked.setdefault((question.exercise.name, str(question.values)), question)
    return list(asked.values())
