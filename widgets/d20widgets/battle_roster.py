"""The table of combatants on the page: typed, picked from the bestiary, read from a file and written to one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import anywidget
import traitlets

from d20kit import bestiary
from d20kit.battle import Combatant, Encounter
from d20kit.battle.ready import READY
from d20kit.battle.validate import MOST_COMBATANTS
from d20kit.check import one_of
from d20kit.language import N_, _
from d20kit.rulesets import RULESETS
from d20widgets import battle_file
from d20widgets.answering import silence
from d20widgets.battle_sides import doubtful
from d20widgets.battle_table import ATTACK, COMBATANT, Cell, Column, edited, free_name, rows
from d20widgets.follower import script, source

_LONGEST_TEXT = 400
# What the page calls a thing -> its message.
WORDS = {
    "creature": N_("Creature or hero"),
    "add": N_("Add"),
    "copy": N_("Copy"),
    "remove": N_("Remove"),
    "of": N_("{what} of {name}"),
    "ready": N_("Ready encounter"),
    "take": N_("Take it"),
    "rules": N_("Rules"),
    "path": N_("File on this computer"),
    "load": N_("Load"),
    "save": N_("Save"),
    "replace": N_("replace the file that is there"),
    "upload": N_("Upload a file"),
    "download": N_("Download"),
    "creatures": N_("creatures"),
    "heroes": N_("heroes"),
}
CSS = source("battle.css")


class Roster(anywidget.AnyWidget):
    """An encounter to be edited; ``value`` is the last one that has a meaning.

    What is typed goes to the kernel cell by cell. As long as some cell is refused its text stays as it was typed,
    with the refusal beside it, and is tried again with every other change: two names can be exchanged.
    """

    _esm = traitlets.Unicode(script("parts", "battle_parts", "battle_roster")).tag(sync=True)
    _css = traitlets.Unicode(CSS).tag(sync=True)
    rows: Any = traitlets.List().tag(sync=True)
    columns: Any = traitlets.Dict().tag(sync=True)
    errors: Any = traitlets.Dict().tag(sync=True)
    choices: Any = traitlets.Dict().tag(sync=True)
    words: Any = traitlets.Dict().tag(sync=True)
    said: Any = traitlets.Dict({"text": "", "refused": False}).tag(sync=True)
    description = traitlets.Unicode().tag(sync=True)
    value: Any = traitlets.Instance(Encounter, allow_none=True)

    def __init__(self) -> None:
        super().__init__()
        self._texts: dict[Cell, str] = {}
        self.add_class("d20-roster")
        self.on_msg(_hear)

    def put(self, encounter: Encounter) -> None:
        """Show an encounter, and all words in the language in use."""
        if encounter != self.value:
            self._texts = {}
        # What was refused in a place that this encounter does not have is gone with it.
        self._texts = {cell: text for cell, text in self._texts.items() if cell.is_in(encounter)}
        with self.hold_sync():
            self.words = {key: _(message) for key, message in WORDS.items()} | {"silent": silence()}
            self.columns = {"own": _columns(COMBATANT), "attacks": _columns(ATTACK)}
            self.choices = _choices(encounter)
            self.rows = rows(encounter)
            self.errors = self._refusals(encounter)
        self.value = encounter

    # What the page asks for.

    def edit(self, row: int, attack: int | None, key: str, text: str) -> None:
        """Take a cell as it was typed, together with those that have been refused so far."""
        cell = self._cell(row, attack, key)
        self._texts[cell] = str(text)[:_LONGEST_TEXT]
        try:
            together = edited(self.value, self._texts)
        except ValueError:
            accepted = self._accept_each()
            self.errors = self._refusals(accepted)
            self._become(accepted, keep=True)
            return
        self._become(together)
        self._say(doubtful(together.sides))

    def add(self, creature: str) -> None:
        """Add a creature or hero of the bestiary."""
        taken = self._names()
        one = Combatant.from_bestiary(creature)
        self._become(self._with([*self.value.combatants, replace(one, name=free_name(one.name, taken))]))

    def copy(self, row: int) -> None:
        """Add another combatant like one that is there."""
        combatants = list(self.value.combatants)
        one = combatants[row]
        combatants.insert(row + 1, replace(one, name=free_name(one.name, self._names())))
        self._become(self._with(combatants))

    def remove(self, row: int) -> None:
        """Let a combatant go."""
        self._become(self._with([one for place, one in enumerate(self.value.combatants) if place != row]))

    def ready(self, name: str) -> None:
        """Take a ready encounter in place of this one."""
        self._become(Encounter.ready(name))

    def rules(self, name: str) -> None:
        """Fight under other rules."""
        self._become(replace(self.value, rules=RULESETS[one_of("rules", name, RULESETS)]))

    def load(self, path: str) -> None:
        """Read a file in place of this encounter."""
        self._become(battle_file.load(path))
        self._loaded(path.strip())

    def take(self, text: str, name: str) -> None:
        """Take the text of a file that the page has read."""
        self._become(battle_file.take(str(text), str(name)[:100]))
        self._loaded(name)

    def save(self, path: str, replace: bool) -> None:
        """Write this encounter to a file."""
        battle_file.save(self.value, path, replace is True)
        self._say(_("Saved to {path}.").format(path=path.strip()))

    def download(self) -> None:
        """Send this encounter to the page as the text of a file."""
        self.send({"kind": "file", "text": battle_file.give(self.value), "name": "encounter.toml"})

    # How it works.

    def _become(self, encounter: Encounter, keep: bool = False) -> None:
        """Take another encounter; whoever watches ``value`` shows it again. Refused cells may be kept as typed."""
        self._say("")
        if not keep:
            self._texts, self.errors = {}, {}
        if encounter == self.value:
            self.rows = rows(encounter)
        else:
            self.value = encounter

    def _with(self, combatants: list[Combatant]) -> Encounter:
        changed: Encounter = replace(self.value, combatants=tuple(combatants))
        return changed

    def _names(self) -> dict[str, Combatant]:
        return {one.name: one for one in self.value.combatants}

    def _cell(self, row: Any, attack: Any, key: Any) -> Cell:
        """Accept a place that the table has."""
        shown = rows(self.value)
        texts = shown[row]["own"] if attack is None else shown[row]["attacks"][attack]
        fixed = key if attack is None else f"{attack}.{key}"
        if key not in texts or fixed in shown[row]["fixed"]:
            raise KeyError(key)
        return Cell(row, attack, key)

    def _accept_each(self) -> Encounter:
        """Take what has a meaning by itself, and keep the rest as it was typed."""
        encounter: Encounter = self.value
        for cell, text in list(self._texts.items()):
            try:
                encounter = edited(encounter, {cell: text})
            except ValueError:
                continue
            del self._texts[cell]
        return encounter

    def _refusals(self, encounter: Encounter) -> dict[str, list[str]]:
        """For each refused cell its text and why it is refused."""
        refused = {}
        for cell, text in self._texts.items():
            try:
                edited(encounter, {cell: text})
            except ValueError as error:
                refused[cell.place] = [text, str(error)]
        return refused

    def _loaded(self, path: str) -> None:
        said = _("Loaded {path}.").format(path=path)
        self._say(f"{said} {doubtful(self.value.sides)}".rstrip())

    def _say(self, text: str, refused: bool = False) -> None:
        self.said = {"text": text, "refused": refused}

    def refuse(self, text: str) -> None:
        """Say below the table why something was not done."""
        self._say(text, refused=True)


# message -> the method that answers it, and the names of what the message brings
_ANSWERS: Mapping[str, tuple[Callable[..., None], tuple[str, ...]]] = {
    "edit": (Roster.edit, ("row", "attack", "key", "text")),
    "add": (Roster.add, ("creature",)),
    "copy": (Roster.copy, ("row",)),
    "remove": (Roster.remove, ("row",)),
    "ready": (Roster.ready, ("name",)),
    "rules": (Roster.rules, ("name",)),
    "load": (Roster.load, ("path",)),
    "take": (Roster.take, ("text", "name")),
    "save": (Roster.save, ("path", "replace")),
    "download": (Roster.download, ()),
}


def _hear(roster: Roster, message: Any, _buffers: Any) -> None:
    if not isinstance(message, dict) or message.get("kind") not in _ANSWERS:
        return
    answer, names = _ANSWERS[message["kind"]]
    try:
        answer(roster, *(message[name] for name in names))
    except ValueError as error:
        roster.refuse(str(error))
    except (KeyError, IndexError, TypeError):
        return  # about a row that is gone by now


def _columns(columns: tuple[Column, ...]) -> list[dict[str, Any]]:
    return [
        {"key": one.key, "heading": _(one.heading), "options": [[key, _(text)] for key, text in one.options.items()]}
        for one in columns
    ]


def _choices(encounter: Encounter) -> dict[str, Any]:
    own = next((name for name, rules in RULESETS.items() if rules == encounter.rules), "")
    return {
        "creatures": list(bestiary.names("creatures")),
        "heroes": list(bestiary.names("heroes")),
        "ready": [[name, _(about)] for name, about in READY.items()],
        "now": battle_file.ready_name(encounter) or next(iter(READY)),
        "rules": [*RULESETS] if own else ["", *RULESETS],
        "ruled": own,
        "full": len(encounter.combatants) >= MOST_COMBATANTS,
    }
