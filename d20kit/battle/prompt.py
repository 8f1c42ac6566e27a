"""Dice that people roll themselves."""

from __future__ import annotations

from collections.abc import Callable

from d20kit.battle.faces import Choices
from d20kit.check import bare, called, refuse
from d20kit.language import _

# Nobody mistypes so often; a function that stands in for somebody may.
_MOST_TRIES = 100


class PromptDice(Choices):
    """Dice rolled at the table, their faces typed at a prompt.

    Parameters
    ----------
    ask : callable
        Shows a question and returns what was typed, as :func:`input` does.
    choices : int
        Seed of the draws of the policy "random", which are no dice.

    Examples
    --------
    >>> typed = iter(["twenty", "20"])
    >>> def ask(question):
    ...     print(question.strip())
    ...     return next(typed)
    >>> dice = PromptDice(ask)
    >>> dice.expect("initiative of Rogue")
    >>> dice.die(20)
    initiative of Rogue, d20:
    'twenty' is no face of a d20, type a number from 1 to 20. initiative of Rogue, d20:
    20
    """

    def __init__(self, ask: Callable[[str], str] = input, choices: int = 0) -> None:
        super().__init__(choices)
        self._ask = called("ask", ask, _("a function that shows a question and returns what was typed"), "ask=input")
        self._purpose = ""

    def expect(self, purpose: str) -> None:
        """Hear what the next die is rolled for."""
        self._purpose = purpose

    def die(self, sides: int) -> int:
        """Ask for a face until one is typed that the die has.

        Raises
        ------
        ValueError
            If nothing more can be typed.
        """
        question = _("{purpose}, d{sides}:").format(purpose=self._purpose, sides=sides) + " "
        asked = question
        for _try in range(_MOST_TRIES):
            typed = self._answer(asked).strip()
            if typed.isascii() and typed.isdecimal() and len(typed) < 20 and 1 <= int(typed) <= sides:
                return int(typed)
            shown = typed if len(typed) <= 20 else typed[:20] + "..."
            wrong = _("{typed!r} is no face of a d{sides}, type a number from 1 to {sides}.")
            asked = wrong.format(typed=shown, sides=sides) + " " + question
        raise ValueError(_("no face of a d{sides} was typed in {tries} tries").format(sides=sides, tries=_MOST_TRIES))

    def _answer(self, question: str) -> str:
        try:
            typed = self._ask(question)
        except EOFError:
            raise ValueError(_("the typed dice ended before the battle did")) from None
        if isinstance(typed, str):
            return str(bare(typed))
        raise refuse(_("what ask returned"), typed, _("text"), "ask=input")
