"""Questions for every topic of the rules, with exact answers, known mistakes and hints.

>>> from d20kit.exercises import ask
>>> question = ask("attack", seed=1)
>>> question.check(question.answer).verdict.value
'right'
"""

from __future__ import annotations

from random import Random

from d20kit.check import one_of, one_whole
from d20kit.exercises import abilities, armor_class, attack, damage, hit_points, initiative, saves
from d20kit.exercises.given import read
from d20kit.exercises.question import Draw, Exercise, Feedback, Mistake, Question, Verdict
from d20kit.randomness import LARGEST_SEED, draw_below

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
    number = one_whole("seed", seed, 0, LARGEST_SEED)
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
    count = one_whole("n", n, 1, MOST_QUESTIONS)
    random = Random(one_whole("seed", seed, 0, LARGEST_SEED))
    asked: dict[tuple[str, str], Question] = {}
    while len(asked) < count:
        question = ask(topic, draw_below(random, 2**32))
        asked.setdefault((question.exercise.name, str(question.values)), question)
    return list(asked.values())
