"""The battle player: an encounter fought on a stage, with the chance of winning from event to event."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any, ClassVar

import ipywidgets

from d20kit.battle import Battle, Encounter
from d20kit.language import N_, _
from d20kit.randomness import LARGEST_SEED
from d20widgets import battle_words as words
from d20widgets import state as saved
from d20widgets.battle_controls import FIRST, Fielded, Position, Seed, WhatIf, known_as, told
from d20widgets.battle_names import isolated
from d20widgets.battle_odds import Chances, Known
from d20widgets.battle_picture import battle_figure, battle_frame
from d20widgets.battle_stage import Stage, Transport
from d20widgets.battle_story import Change, Story, story
from d20widgets.explorer import Explorer

# Seconds of the solver before the first picture, and then between two looks at what else is to be done.
AT_FIRST = 0.25
AT_ONCE = 0.08
# Seconds between two pictures of what has been found meanwhile.
SHOWN_EVERY = 1.0


class BattlePlayer(Explorer):
    """Watch a battle: step through it, see how each roll moves the chance of winning, and ask what if.

    The slider is the position: with one event a step, or, in a battle of more than 399 events, with one roll, turn or
    round a step, whichever is the first that fits. All of it is sent at once, and stepping needs no kernel.

    The chances are exact fractions where that is quick, else floats that are off by less than 1e-9. Before initiative
    has been rolled among many, they come from a simulation, with an interval, or are not known yet. In a notebook
    they are computed little by little after the first picture; without one, as far as they are asked for, all of them
    by :meth:`compute`.

    Parameters
    ----------
    encounter : Encounter or str, optional
        Who fights: an encounter, the name of a ready one, or the text of an encounter's file. A duel unless given.
    seed : int
        Of the dice.
    what_if : sequence of changes
        Dice that shall have fallen otherwise, applied one after another: ``(event, faces, seed)``, where either faces
        or the seed of all later dice may be None; see :meth:`d20kit.battle.Battle.branch`.
    position : int
        How many steps have been told.

    Raises
    ------
    ValueError
        If a value is not allowed; the message says what is.

    Examples
    --------
    >>> player = BattlePlayer("duel", seed=1, position=8)
    >>> player.table()[0]["combatant"], player.table()[0]["hit points"]
    ('Red fighter', 19)
    >>> print(player.summary)
    Blue fighter takes a first turn and is no longer flat-footed. Chance to win: red 44.3 %, blue 55.7 %.
    """

    children: Any
    title = N_("Battle")
    main = "position"
    groups: ClassVar[Mapping[str, Sequence[str]]] = {N_("Combatants, rules and files"): ("encounter",)}
    controls = (
        Fielded("encounter", N_("Combatants")),
        Seed("seed", N_("Seed of the dice"), 0, 0, LARGEST_SEED),
        WhatIf("what_if", N_("What if")),
        Position("position", N_("Step"), 0, 0, 0),
    )

    # Of the class, since a player that is refused before it is built is closed all the same.
    _working: asyncio.Task[None] | None = None
    _stage: Stage | None = None

    def __init__(self, /, *unnamed: Any, **values: Any) -> None:
        self._refreshing = self._stopped = False
        given = {**self._placed(unnamed, values), **values}
        if given.get("encounter") is None:
            given["encounter"] = FIRST
        super().__init__(**given)
        # Takes no room before there is something to stop, and then keeps it, so that the picture stays in its place.
        self._halt = ipywidgets.Button(layout={"width": "auto", "display": "none"})
        self._halt.on_click(lambda _button: self._resume() if self._stopped else self.stop())
        self._progress = ipywidgets.Label()
        slider = self._fields[self.main].parts[0]
        self._transport, self._stage = Transport(slider), Stage(slider, self._change, self._undo)
        steps = ipywidgets.HBox([self._transport, self._progress, self._halt])
        steps.add_class("d20-steps")
        before, after = self.children.index(self.chart), self.children.index(self.sentence_line) + 1
        shown = self.children[before:after]
        self.children = (*self.children[:before], steps, *shown, self._stage, *self.children[after:])
        self.add_class("d20-battle")
        self._show_stage()
        self._resume()

    # What a topic answers.

    def numbers(self, values: Mapping[str, Any]) -> words.Numbers:
        return words.Numbers(told(values), _original(values), values["position"])

    def picture(self, values: Mapping[str, Any], table: Sequence[words.Numbers]) -> dict[str, Any]:
        return battle_figure(told(values), _original(values))

    def frame(self, numbers: words.Numbers) -> dict[str, Any]:
        drawn = battle_frame(numbers.story, numbers.position, numbers.original is not None)
        return {**drawn, "label": words.label(numbers)}

    def formula(self, numbers: words.Numbers) -> str:
        return words.formula(numbers)

    def sentence(self, numbers: words.Numbers) -> str:
        return words.sentence(numbers)

    def rows(self, numbers: words.Numbers) -> list[dict[str, Any]]:
        return words.table(numbers)

    def question(self, numbers: words.Numbers) -> tuple[str, Fraction | int]:
        known = numbers.chances
        if isinstance(known, Known) and not known.battles:
            asked = _("What is the chance that {side} win from here?")
            return asked.format(side=isolated(numbers.sides[0])), known.chances[0]
        return _("How many combatants can still act?"), numbers.able

    # What everybody may ask.

    @property
    def battle(self) -> Battle:
        """The battle that is shown."""
        return told(self._values).battle

    @property
    def summary(self) -> str:
        """The sentence for the position; its chances are computed if they are not known yet."""
        self._settle()
        return super().summary

    def table(self) -> list[dict[str, Any]]:
        """Return how everybody stands at the position, with the chance of each side."""
        self._settle()
        return super().table()

    @property
    def code(self) -> str:
        """The Python that builds this player again."""
        return f"from d20widgets import BattlePlayer\n\nBattlePlayer({self._arguments()})"

    def move(self, /, **values: Any) -> None:
        """Set any controls, as a learner would; changes of dice are left in the battle they were made in.

        Raises
        ------
        ValueError
            If a name is not a control's, or its value is not allowed; then nothing changes.
        """
        if "what_if" not in values and self._is_other(values):
            values["what_if"] = ()
        super().move(**values)

    def compute(self) -> None:
        """Find all chances now, however long that takes, and show them."""
        for chances in self._wanted():
            for position in reversed(range(len(chances.found))):
                chances.settle(position)
        self._refresh()

    def stop(self) -> None:
        """Stop computing chances until the battle changes or somebody asks to go on."""
        self._stopped = True
        if self._working is not None:
            self._working.cancel()
        self._show_progress()

    def redraw(self) -> None:
        """Compute chances for a moment, send the battle with all its positions and labels, and go on computing."""
        if not self._refreshing:
            for chances in self._wanted():
                chances.work(AT_FIRST, self._place(chances))
        super().redraw()
        if self._stage is not None:
            self._show_stage()
            if not self._refreshing:
                self._resume()

    def close(self) -> None:
        """Free the player and every widget in it, and stop computing."""
        if self._working is not None:
            self._working.cancel()
        super().close()

    # How it works.

    def _placed(self, unnamed: Sequence[Any], values: Mapping[str, Any]) -> dict[str, Any]:
        """Return encounter and seed where they are given without their names, and refuse whatever else is."""
        kind, free = type(self).__name__, self.controls[:2]
        for control, value in zip(free, unnamed, strict=False):
            stray = control.name == "encounter" and not isinstance(value, (Encounter, str, type(None)))
            if stray or control.name in values:
                saved.named(kind, (control,), (value,))
        saved.named(kind, self.controls[2:], unnamed[2:])
        return {control.name: value for control, value in zip(free, unnamed, strict=False)}

    def _settle(self) -> None:
        values = self._values
        told(values).chances.settle(values["position"])

    def _wanted(self) -> list[Chances]:
        """What is to be computed: the battle that is shown, and the one it was made from."""
        original = _original(self._values)
        return [told(self._values).chances, *([original.chances] if original else [])]

    def _is_other(self, values: Mapping[str, Any]) -> bool:
        """Whether a move leads to another battle."""
        named = [name for name in ("encounter", "seed") if name in values]
        return any(self._checked(name, {**self._values, **values}) != self._values[name] for name in named)

    def _put(self) -> None:
        """Show values and labels, but leave what is being typed alone while only chances are added."""
        if not self._refreshing:
            super()._put()

    def _change(self, position: int, faces: tuple[int, ...] | None) -> None:
        """Tell what would have come of other faces in a step, or of other dice after it."""
        told_now = told(self._values)
        position = min(max(position, 0), told_now.last)
        changes: tuple[Change, ...]
        if faces is None:
            changes = ((told_now.scenes[position].told, None, self._fresh_seed()),)
        else:
            changes = ((self._rolled(told_now, position), faces, None),)
        values = {**self._values, "position": 0, "what_if": (*self._values["what_if"], *changes)}
        values["what_if"] = self._checked("what_if", values)
        values["position"] = told(values).position(told_now.scenes[position].told)
        self._take(values)

    def _rolled(self, shown: Story, position: int) -> int:
        place = shown.rolled(position)
        if place is None:
            raise ValueError(_("no die falls in this step; go to a roll, or roll the rest anew"))
        return place

    def _fresh_seed(self) -> int:
        """Return a seed that no earlier change has used."""
        used = [self._values["seed"], *(seed for _event, _faces, seed in self._values["what_if"] if seed is not None)]
        return int((max(used) + 1) % (LARGEST_SEED + 1))

    def _undo(self) -> None:
        changes = self._values["what_if"][:-1]
        values = {**self._values, "what_if": changes}
        values["position"] = min(values["position"], told(values).last)
        self._take(values)

    def _checked(self, name: str, values: Mapping[str, Any]) -> Any:
        return self._fields[name].control.check(values[name], values)

    def _show_stage(self) -> None:
        assert self._stage is not None
        if not self._refreshing:
            self._transport.tell(told(self._values))
            self._stage.tell(told(self._values), len(self._values["what_if"]))
        self._show_progress()

    def _show_progress(self) -> None:
        wanted = self._wanted()
        done, total = sum(one.done for one in wanted), sum(len(one.found) for one in wanted)
        self._halt.layout.visibility = "hidden" if done == total else "visible"
        if done < total:
            self._halt.layout.display = ""
        self._halt.description = _("Go on computing") if self._stopped else _("Stop computing")
        self._progress.value = (
            "" if done == total else _("Chances: {done} of {total} steps").format(done=done, total=total)
        )

    def _resume(self) -> None:
        """Go on where a notebook lets other work happen; without one, chances wait until they are asked for."""
        self._stopped = False
        self._show_progress()
        if self._working is not None:
            self._working.cancel()
        if all(chances.complete for chances in self._wanted()):
            return
        with suppress(RuntimeError):  # no loop runs outside a notebook
            self._working = asyncio.get_running_loop().create_task(self._work())

    async def _work(self) -> None:
        shown = time.monotonic()
        for chances in self._wanted():
            while not chances.complete:
                await asyncio.sleep(0.01)
                chances.work(AT_ONCE, self._place(chances))
                if time.monotonic() - shown >= SHOWN_EVERY:
                    self._refresh()
                    shown = time.monotonic()
        self._refresh()

    def _place(self, chances: Chances) -> int:
        """Where to begin: at what is shown."""
        return self._values["position"] if chances is told(self._values).chances else 0

    def _refresh(self) -> None:
        """Show what has been found meanwhile."""
        self._refreshing = True
        try:
            self.redraw()
        finally:
            self._refreshing = False

    def _arguments(self) -> str:
        values = self._values
        listed = [repr(known_as(values["encounter"])), f"seed={values['seed']}"]
        if values["what_if"]:
            listed.append(f"what_if={values['what_if']!r}")
        return ", ".join([*listed, f"position={values['position']}"])

    def __repr__(self) -> str:
        values = self._values
        who = len(values["encounter"].combatants)
        return f"BattlePlayer({who} combatants, seed={values['seed']}, position={values['position']}): {self._told()}"


def _original(values: Mapping[str, Any]) -> Story | None:
    """The battle as it was rolled, where dice have been changed."""
    return story(values["encounter"], values["seed"], ()) if values["what_if"] else None
