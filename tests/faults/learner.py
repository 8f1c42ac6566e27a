"""Somebody who plays with one widget as the page would let them: any move at any moment, the same for a seed."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

import ipywidgets

import d20widgets
from d20widgets.battle_roster import Roster
from d20widgets.controls import ShortText
from d20widgets.explorer import Explorer
from d20widgets.tools import state_text

KINDS: tuple[Any, ...] = tuple(
    kind for name in d20widgets.__all__ if isinstance(kind := getattr(d20widgets, name), type)
)
# Read or refused, as the case may be.
_TEXTS = ("2d6+3", "d20", "4d6kh3", "no dice", "", "<b>x</b>", "1d8", "99d99", "7", "1234")
_ANSWERS = ("1/2", "0.3", "7", "55 %", "two", "1/0")
_TOOLS = ("code", "state", "data", "language", "predict")
# Examples that a learner may meet.
_SEEDS = 1_000_000


class Learner:
    """One widget and everything that is done to it.

    Parameters
    ----------
    kind : type
        An explorer, the battle player or the quiz.
    rng : Random
        Chooses the moves.

    Examples
    --------
    >>> learner = Learner(d20widgets.SaveExplorer, Random(1))
    >>> for _move in range(5):
    ...     learner.move()
    >>> learner.rest()
    """

    def __init__(self, kind: Any, rng: Random) -> None:
        self.rng = rng
        self._kind = kind
        self.widget: Any = kind()
        self._moves = self._of_explorer if issubclass(kind, Explorer) else self._of_quiz

    def move(self) -> None:
        """Make one move; like the page, which hears a refusal as a sentence, go on after it."""
        self._moves()

    def rest(self) -> None:
        """Put everything back as in a cell that has just run, so that what is still held can be compared."""
        self.widget.close()
        self.widget = self._kind()

    def close(self) -> None:
        """Leave the widget."""
        self.widget.close()

    def _choose(self, moves: dict[Callable[[], None], int]) -> None:
        self.rng.choices(list(moves), list(moves.values()))[0]()

    # An explorer or the battle player.

    def _of_explorer(self) -> None:
        moves = {self._drag: 60, self._tool: 12, self._predict: 8, self._open: 3, self._show: 6, self._run_again: 1}
        if isinstance(self.widget, d20widgets.BattlePlayer):
            moves |= {self._change_dice: 12, self._change_table: 6}
        self._choose(moves)

    def _drag(self) -> None:
        """Move the main slider mostly, now and then any other control."""
        fields = self.widget._fields
        name = self.widget.main if self.rng.random() < 0.6 else self.rng.choice(list(fields))
        self._touch(fields[name].parts[0])

    def _touch(self, part: Any) -> None:
        if isinstance(part, (ipywidgets.IntSlider, ipywidgets.BoundedIntText)):
            part.set_state({"value": self.rng.randint(part.min, min(part.max, part.min + 9_999))})
        elif isinstance(part, ipywidgets.Checkbox):
            part.set_state({"value": not part.value})
        elif isinstance(part, ipywidgets.Dropdown):
            part.set_state({"index": self.rng.randrange(len(part.options))})
        elif isinstance(part, ShortText):
            part.set_state({"value": self.rng.choice(_TEXTS)})

    def _tool(self) -> None:
        tools = self.widget.tools
        action = self.rng.choice([*_TOOLS, "use", "example"])
        if action == "example":
            # Not by its message: the page's own button draws a seed that nobody chose.
            self.widget.random(self.rng.randrange(_SEEDS))
        elif action == "language":
            self._send(tools, {"do": action, "language": self.rng.choice(("en", "id"))})
        elif action == "use":
            text = state_text(self.widget.state) if self.rng.random() < 0.8 else "{broken"
            self._send(tools, {"do": action, "text": text})
        else:
            self._send(tools, {"do": action})

    def _predict(self) -> None:
        prediction = self.widget.prediction
        if prediction.phase == "off":
            prediction.start()
        elif self.rng.random() < 0.3:
            prediction.set_state({"phase": "off"})
        else:
            self._send(prediction, {"do": "lock", "answer": self.rng.choice(_ANSWERS)})

    def _open(self) -> None:
        if self.widget.detail_box:
            self.widget.detail_box.set_state({"opened": not self.widget.detail_box.opened})
        self.widget._reset.click()

    def _show(self) -> None:
        self.widget._repr_mimebundle_()

    def _run_again(self) -> None:
        self.rest()

    def _change_dice(self) -> None:
        at = self.rng.randrange(len(self.widget.chart.frames))
        kind = self.rng.choice(("what if", "anew", "undo", "undo"))
        self._send(self.widget._stage, {"kind": kind, "at": at, "text": str(self.rng.randint(1, 20))})

    def _change_table(self) -> None:
        roster: Roster = self.widget._fields["encounter"].parts[0]
        row = self.rng.randrange(len(roster.value.combatants))
        typed = {"row": row, "attack": None, "key": "hp", "text": str(self.rng.randint(1, 30))}
        message = self.rng.choice(
            (
                {"kind": "ready", "name": self.rng.choice(("duel", "boss", "last-stand"))},
                {"kind": "edit", **typed},
                {"kind": "edit", **typed, "text": "many"},
                {"kind": "copy", "row": row},
                {"kind": "remove", "row": row},
                {"kind": "remove", "row": row},
                {"kind": "rules", "name": self.rng.choice(("COURSE", "SRD35"))},
                {"kind": "download"},
            )
        )
        self._send(roster, message)

    # The quiz.

    def _of_quiz(self) -> None:
        moves = {self._answer: 40, self._ask: 20, self._go_on: 30, self._load: 4, self._show: 5, self._run_again: 1}
        self._choose(moves)

    def _answer(self) -> None:
        right = None if self.widget.finished else self.widget._run.question.answer
        text = self.rng.choice((*_ANSWERS, str(right)))
        self._send(self.widget, {"kind": "check", "text": text})

    def _ask(self) -> None:
        self._send(self.widget, {"kind": self.rng.choice(("hint", "hint", "language")), "text": "en"})

    def _go_on(self) -> None:
        self._send(self.widget, {"kind": "again" if self.widget.finished else "next"})

    def _load(self) -> None:
        text = json.dumps(self.widget.state) if self.rng.random() < 0.8 else "{broken"
        self._send(self.widget, {"kind": "load", "text": text})

    def _send(self, widget: Any, message: dict[str, Any]) -> None:
        """Hand a message over as it comes from the page."""
        numbered = message if "kind" in message else {**message, "request": "1"}
        widget._handle_custom_msg(numbered, [])
