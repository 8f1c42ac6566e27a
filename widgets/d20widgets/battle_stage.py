"""The stage on the page: buttons to step and play, who acts when, the log, and what if on a die."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ipywidgets
import traitlets

from d20kit.battle.wording import state_word
from d20kit.hit_points import State
from d20kit.language import N_, _
from d20widgets import style
from d20widgets.answering import silence
from d20widgets.battle_picture import MOST_BARS
from d20widgets.battle_roster import CSS
from d20widgets.battle_story import Story
from d20widgets.follower import STYLE, Follower, script
from d20widgets.unbroken import unbroken

STEPS = {
    "first": N_("To the beginning"),
    "back": N_("Step back"),
    "play": N_("Play"),
    "pause": N_("Pause"),
    "forward": N_("Step forward"),
    "last": N_("To the end"),
    "jump": N_("Jump to"),
    "speed": N_("Seconds a step"),
}
WORDS = {
    "track": N_("Order of turns"),
    "unordered": N_("Combatants; initiative has not been rolled yet"),
    "acts": N_("acts"),
    "target": N_("target"),
    "flat": N_("flat-footed"),
    "log": N_("Log, with every die"),
    "dice": N_("Rolled: {faces}. What if it had been"),
    "no dice": N_("No die falls in this step"),
    "tell": N_("What if?"),
    "anew": N_("Roll the rest anew"),
    "undo": N_("Take the last change back"),
}
_CODES = dict(zip(State, "HIYSD", strict=True))
_LONGEST_FACES = 200


class Transport(Follower):
    """Buttons that move the slider in the browser: step, play, jump to a round.

    Parameters
    ----------
    slider : ipywidgets.IntSlider
        The slider they move.
    """

    _esm = traitlets.Unicode(script("parts", "battle_parts", "battle_staged", "battle_transport")).tag(sync=True)
    _css = traitlets.Unicode(STYLE + CSS).tag(sync=True)
    jumps: Any = traitlets.List().tag(sync=True)
    words: Any = traitlets.Dict().tag(sync=True)

    def tell(self, story: Story) -> None:
        """Send the rounds of a battle, in one message."""
        with self.hold_sync():
            self.words = {key: _(message) for key, message in STEPS.items()}
            self.jumps = [[position, _round_name(number)] for position, number in story.rounds()]
            self.show(list(story), 0)


class Stage(Follower):
    """Who acts when, the log and what if, at the slider's position; looked up in the browser.

    Parameters
    ----------
    slider : ipywidgets.IntSlider
        The slider it follows.
    change : callable
        Called with position and faces, None for all dice from there on, when the learner asks what if.
    undo : callable
        Called to take the last of these changes back.
    """

    _esm = traitlets.Unicode(script("parts", "battle_parts", "battle_staged", "battle_track", "battle_stage")).tag(
        sync=True
    )
    _css = traitlets.Unicode(STYLE + CSS).tag(sync=True)
    log: Any = traitlets.List().tag(sync=True)
    cast: Any = traitlets.List().tag(sync=True)
    orders: Any = traitlets.List().tag(sync=True)
    paints: Any = traitlets.Dict().tag(sync=True)
    words: Any = traitlets.Dict().tag(sync=True)
    changes = traitlets.Int().tag(sync=True)
    refused = traitlets.Unicode().tag(sync=True)

    def __init__(
        self,
        slider: ipywidgets.Widget,
        change: Callable[[int, tuple[int, ...] | None], None],
        undo: Callable[[], None],
    ) -> None:
        super().__init__(slider)
        self._change, self._undo = change, undo
        self.on_msg(_hear)

    def tell(self, story: Story, changes: int) -> None:
        """Send a battle, in one message."""
        combatants = story.battle.encounter.combatants[:MOST_BARS]
        places = {one.name: who for who, one in enumerate(combatants)}
        orders: dict[tuple[int, ...], int] = {}
        frames = [_frame(story, position, places, orders) for position in story]
        with self.hold_sync():
            self.words = {key: _(message) for key, message in WORDS.items()} | {"silent": silence()}
            self.paints = {
                code: [style.STATES[state].fill, style.STATES[state].pattern, state_word(state)]
                for state, code in _CODES.items()
            }
            self.cast = [[one.name, one.side] for one in combatants]
            self.log = [[(depth, unbroken(line)) for depth, line in step] for step in story.log()]
            self.changes, self.refused = changes, ""
            self.orders = [list(order) for order in orders]
            self.show(frames, 0)

    def hear(self, message: dict[str, Any]) -> None:
        """Change the dice as the page asks; what is refused is said beside the field."""
        self.refused = ""
        try:
            match message:
                case {"kind": "what if", "at": int(at), "text": str(text)}:
                    self._change(at, _faces(text[:_LONGEST_FACES]))
                case {"kind": "anew", "at": int(at)}:
                    self._change(at, None)
                case {"kind": "undo"}:
                    self._undo()
        except ValueError as error:
            self.refused = str(error)


def _hear(stage: Stage, message: Any, _buffers: Any) -> None:
    if isinstance(message, dict):
        stage.hear(message)


def _faces(text: str) -> tuple[int, ...]:
    """Read faces as they are typed: whole numbers with anything but digits between them."""
    try:
        return tuple(int(one) for one in text.replace(",", " ").replace(";", " ").split())
    except ValueError:
        raise ValueError(
            _("{text!r} is no face; write whole numbers, for two dice such as: 3, 5").format(text=text)
        ) from None


def _round_name(number: int) -> str:
    return _("Round {number}").format(number=number) if number else _("Surprise round")


def _frame(story: Story, position: int, places: dict[str, int], orders: dict[tuple[int, ...], int]) -> dict[str, Any]:
    """One position as the page looks it up; everybody is a place in the cast, and each order is sent once."""
    scene = story.scenes[position]
    order = tuple(places[name] for name in scene.order if name in places)
    standings = scene.standings[: len(places)]
    return {
        "at": position,
        "order": orders.setdefault(order, len(orders)),
        "actor": _place(places, scene.actor),
        "target": _place(places, scene.target),
        "states": "".join(_CODES[one.state] for one in standings),
        "flat": "".join("1" if one.flat_footed else "0" for one in standings),
        "hp": [one.hp for one in standings],
        "dice": _dice(story, position),
    }


def _place(places: dict[str, int], name: str | None) -> int:
    return -1 if name is None else places.get(name, -1)


def _dice(story: Story, position: int) -> str:
    place = story.rolled(position)
    return "" if place is None else ", ".join(map(str, story.battle.events[place].dice()))
