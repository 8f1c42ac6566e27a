"""What a learner may change about a battle: who fights, the seed of the dice, single dice, and the position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import ipywidgets
import traitlets

from d20kit.battle import Encounter
from d20kit.battle.ready import READY
from d20kit.check import bare, members, one_whole, refuse
from d20kit.language import _
from d20kit.randomness import LARGEST_SEED, draw_below
from d20widgets import battle_file
from d20widgets.battle_roster import Roster
from d20widgets.battle_story import Change, Story, story
from d20widgets.controls import Control, Typed, Values, Whole
from d20widgets.looks import Looks

FIRST = "duel"
# More changed dice than anybody follows; each costs another telling of the battle.
MOST_CHANGES = 20
_DRAWN_SEEDS = 10_000


def told(values: Values) -> Story:
    """Return the battle that these values tell."""
    return story(values["encounter"], values["seed"], values["what_if"])


def known_as(encounter: Encounter) -> str:
    """Return the name of a ready encounter, or any other as the text of a file.

    >>> known_as(Encounter.ready("boss"))
    'boss'
    """
    return battle_file.ready_name(encounter) or battle_file.give(encounter)


@dataclass(frozen=True)
class Fielded(Typed):
    """An encounter: the table of combatants. A saved state holds it as the text of a file."""

    def check(self, value: Any, values: Values) -> Encounter:
        if isinstance(value, Encounter):
            return value
        text = bare(value)
        if isinstance(text, str):
            return Encounter.ready(text) if text in READY else battle_file.take(text, self.name)
        allowed = _("an Encounter, the name of a ready one, or the text of an encounter's file")
        raise refuse(self.name, value, allowed, 'Encounter.ready("duel")')

    def initial(self, values: Values) -> Encounter:
        return Encounter.ready(FIRST)

    def draw(self, rng: Random, values: Values) -> Encounter:
        return Encounter.ready([*READY][draw_below(rng, len(READY))])

    def plain(self, value: Encounter) -> str:
        return battle_file.give(value)

    def build(self, looks: Looks, value: Encounter, values: Values) -> tuple[ipywidgets.Widget, ...]:
        return Roster(), self.room(looks)

    def put(self, parts: tuple[Any, ...], value: Encounter, values: Values) -> None:
        roster, error = parts
        roster.description = _(self.label)
        roster.put(value)
        error.value = ""


@dataclass(frozen=True)
class Seed(Typed, Whole):
    """The seed of the dice: a slider could not reach them all, and the numbers of a page not tell all apart."""

    def check(self, value: Any, values: Values) -> int:
        text = bare(value).strip() if isinstance(value, str) else ""
        typed = text.isdecimal() and len(text) <= len(str(LARGEST_SEED))
        return super().check(int(text) if typed else value, values)

    def draw(self, rng: Random, values: Values) -> int:
        return draw_below(rng, _DRAWN_SEEDS)

    def shown(self, value: int, values: Values) -> dict[str, Any]:
        return {"value": str(value), "description": _(self.label)}


class Held(traitlets.HasTraits):
    """A value that is changed elsewhere on the page than in a field of its own."""

    value = traitlets.Any()
    description = traitlets.Unicode()

    def close(self) -> None:
        """Nothing is shown, so nothing is to be closed."""


@dataclass(frozen=True)
class WhatIf(Control):
    """Dice that shall have fallen otherwise: each is an event, its faces or None, a seed of later dice or None."""

    def check(self, value: Any, values: Values) -> tuple[Change, ...]:
        allowed = _("a list of changes, each of an event, its faces or None, and a seed or None")
        listed = members(self.name, value, allowed, "[(8, [20], None)]", MOST_CHANGES)
        changes = tuple(self._change(one, allowed) for one in listed)
        story(values["encounter"], values["seed"], changes)
        return changes

    def _change(self, value: Any, allowed: str) -> Change:
        match bare(value):
            case [index, None | [*_] | int() as faces, None | int() as seed] if type(index) is int:
                if seed is not None:
                    seed = one_whole("seed", seed, 0, LARGEST_SEED)
                if faces is None:
                    return index, None, seed
                listed = (faces,) if isinstance(faces, int) else bare(faces)
                return index, tuple(one_whole("face", face) for face in listed), seed
        raise refuse(self.name, value, allowed, "[(8, [20], None)]")

    def fit(self, value: tuple[Change, ...], values: Values) -> tuple[Change, ...]:
        try:
            return self.check(value, values)
        except ValueError:
            return ()

    def initial(self, values: Values) -> tuple[Change, ...]:
        return ()

    def draw(self, rng: Random, values: Values) -> tuple[Change, ...]:
        return ()

    def plain(self, value: Sequence[Change]) -> list[list[Any]]:
        return [[index, None if faces is None else list(faces), seed] for index, faces, seed in value]

    def build(self, looks: Looks, value: tuple[Change, ...], values: Values) -> tuple[Any, ...]:
        return (Held(value=value, description=_(self.label)),)

    def put(self, parts: tuple[Any, ...], value: tuple[Change, ...], values: Values) -> None:
        parts[0].value, parts[0].description = value, _(self.label)


@dataclass(frozen=True)
class Position(Whole):
    """How far a battle has been told, in steps."""

    def top(self, values: Values) -> int:
        return told(values).last
