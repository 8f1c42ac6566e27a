"""Where the faces of a battle's dice come from: a seed, or a script written beforehand.

Any object with ``die(sides)`` will do. One that also has ``expect(purpose)`` is told before each roll what it is for;
one with ``choose(count)`` draws for the policy "random". Such draws never use up a face: they are no dice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random
from typing import Any

from d20kit.check import members, one_whole, refuse, whole
from d20kit.language import _
from d20kit.randomness import LARGEST_SEED, Roller, draw_below

LONGEST_SCRIPT = 1_000_000


def check_seed(seed: Any, name: str = "seed") -> int:
    """Accept a whole number as a seed.

    Raises
    ------
    ValueError
        If it is missing, not a whole number, or out of range.

    Examples
    --------
    >>> check_seed(7.0)
    7
    """
    allowed = _("a whole number from 0 to {most}, so that the same battle can be told again").format(most=LARGEST_SEED)
    try:
        return one_whole(name, seed, 0, LARGEST_SEED)
    except ValueError:
        example = "fight(1)" if name == "seed" else f"{name}=1"
        raise refuse(name, seed, allowed, _("write {example}").format(example=example)) from None


class Choices:
    """Draws for the policy "random", a stream of their own beside the dice; ``choices`` is its seed.

    >>> choices = Choices(1)
    >>> [choices.choose(3) for _draw in range(6)]
    [2, 0, 0, 2, 0, 1]
    """

    def __init__(self, choices: int) -> None:
        self.choices = check_seed(choices, "choices")
        # beyond the largest seed of dice, so that the two streams of a seed have nothing in common
        self._random = Random(LARGEST_SEED + 1 + self.choices)

    def choose(self, count: int) -> int:
        """Draw a whole number from 0 to ``count - 1``."""
        return draw_below(self._random, count)


class SeededDice(Choices):
    """Dice whose faces follow from a seed, the same on every machine and in every Python version.

    They ask nothing of Python's generator but ``random()``, the one method whose sequence for a seed is promised
    never to change.

    Examples
    --------
    >>> dice = SeededDice(1)
    >>> [dice.die(20) for _ in range(3)]
    [5, 9, 16]
    """

    def __init__(self, seed: int) -> None:
        super().__init__(check_seed(seed))
        self._dice = Random(self.choices)

    def die(self, sides: int) -> int:
        """Roll one fair die."""
        return 1 + draw_below(self._dice, sides)


class ScriptedDice(Choices):
    """Dice whose faces an instructor has written down, in the order they will be rolled.

    ``battle.faces`` of any battle is such a script: it tells the battle again.

    Parameters
    ----------
    faces : iterable of int
        One face for each die the battle will roll, at most ``LONGEST_SCRIPT`` of them. Damage may be any dice, and a
        distribution is rolled as one die with as many sides as its weights add up to: so whether a die has a face
        can be said no earlier than when it is rolled.
    choices : int
        Seed of the draws of the policy "random", which are in no script; the seed of the battle to tell it again.

    Examples
    --------
    >>> dice = ScriptedDice([14, 4])
    >>> dice.die(20), dice.die(6)
    (14, 4)
    >>> ScriptedDice([21]).die(20)
    Traceback (most recent call last):
    ValueError: faces[0] is 21, but must be a whole number from 1 to 20; this roll is a d20
    """

    def __init__(self, faces: Iterable[int], choices: int = 0) -> None:
        super().__init__(choices)
        script = members("faces", faces, _("a list of whole numbers"), "ScriptedDice([14, 4])", LONGEST_SCRIPT)
        self._faces = [whole(f"faces[{index}]", face, low=1) for index, face in enumerate(script)]
        self._next = 0

    def die(self, sides: int) -> int:
        """Return the next face of the script.

        Raises
        ------
        ValueError
            If the script has run out, or its next face does not exist on this die.
        """
        position = self._next
        if position == len(self._faces):
            raise ValueError(
                _("the script has {count} faces, but a d{sides} is rolled after the last; add its face").format(
                    count=position, sides=sides
                )
            )
        face = within_die(f"faces[{position}]", self._faces[position], sides)
        self._next += 1
        return face


class ChangedDice(Choices):
    """The dice of a seed with some faces changed; all others fall as they would have fallen.

    Parameters
    ----------
    seed : int
        The seed of the dice.
    changes : mapping of int to int
        Position of a die, counted from 0 -> its face.
    choices : int
        Seed of the draws of the policy "random".

    Examples
    --------
    >>> dice = ChangedDice(1, {1: 20}, 1)
    >>> [dice.die(20) for _ in range(3)]
    [5, 20, 16]
    """

    def __init__(self, seed: int, changes: Mapping[int, int], choices: int) -> None:
        super().__init__(choices)
        self._dice = SeededDice(seed)
        self._changes = changes
        self._position = 0

    def die(self, sides: int) -> int:
        """Roll one die of the seed, and show the changed face where there is one."""
        rolled = self._dice.die(sides)
        position, self._position = self._position, self._position + 1
        return within_die("face", self._changes.get(position, rolled), sides)


def within_die(name: str, face: Any, sides: int) -> int:
    """Accept a face that a die has.

    >>> within_die("faces[0]", 7, 6)
    Traceback (most recent call last):
    ValueError: faces[0] is 7, but must be a whole number from 1 to 6; this roll is a d6
    """
    if type(face) is int and 1 <= face <= sides:
        return face
    allowed = _("a whole number from 1 to {sides}").format(sides=sides)
    raise refuse(name, face, allowed, _("this roll is a d{sides}").format(sides=sides))


class Recorder:
    """Pass dice on and remember every face.

    >>> dice = Recorder(ScriptedDice([14, 4]))
    >>> dice.die(20) + dice.die(6), dice.faces
    (18, [14, 4])
    """

    def __init__(self, dice: Roller) -> None:
        self._dice = dice
        self._expect = getattr(dice, "expect", None)
        self.choose = getattr(dice, "choose", None) or Choices(0).choose
        self.faces: list[int] = []

    def expect(self, purpose: str, **names: str) -> None:
        """Tell the dice what comes next, if they care to know."""
        if self._expect is not None:
            self._expect(_(purpose).format(**names))

    def die(self, sides: int) -> int:
        """Roll through, and remember."""
        face = within_die("die", self._dice.die(sides), sides)
        self.faces.append(face)
        return face
