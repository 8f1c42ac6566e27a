"""Encounters from and to files, as somebody in front of a page asks for them."""

from __future__ import annotations

import os
from functools import cache

from d20kit.battle import Encounter
from d20kit.battle.encounter_file import checked_path, read_bytes
from d20kit.battle.encounter_write import toml_text
from d20kit.check import bare, refuse
from d20kit.language import _

LONGEST_PATH = 1_000


@cache
def _ready() -> dict[Encounter, str]:
    return {Encounter.ready(name): name for name in Encounter.ready_names()}


def ready_name(encounter: Encounter) -> str:
    """Return the name of an encounter among the ready ones; empty for any other.

    >>> ready_name(Encounter.ready("boss"))
    'boss'
    """
    return _ready().get(encounter, "")


def load(path: str) -> Encounter:
    """Read an encounter from a path that was typed.

    Raises
    ------
    ValueError
        If there is none there, or it has no meaning.
    """
    return Encounter.load(_path(path))


def take(text: str, name: str) -> Encounter:
    """Read an encounter from the text of a file that the page has read.

    Raises
    ------
    ValueError
        If it has no meaning; the message names the file and the place in it.

    Examples
    --------
    >>> text = give(Encounter.ready("duel"))
    >>> take(text, "mine.toml") == Encounter.ready("duel")
    True
    """
    return Encounter(*read_bytes(text.encode("utf-8", "replace"), name))


def give(encounter: Encounter) -> str:
    """Write an encounter as the text of a file.

    Raises
    ------
    ValueError
        If somebody's policy is a function, which no file can hold.
    """
    return toml_text(encounter)


def save(encounter: Encounter, path: str, replace: bool) -> None:
    """Write an encounter to a path that was typed; a file that is there already only where that is wanted.

    Raises
    ------
    ValueError
        If there is a file and ``replace`` is false, or it cannot be written.
    """
    wanted = _path(path)
    if os.path.lexists(wanted) and not replace:
        raise ValueError(
            _("there is a file {path} already; tick the box to replace it, or choose another name").format(path=wanted)
        )
    encounter.dump(wanted)


def _path(typed: str) -> str:
    """A path without blanks around it and with the home folder's sign read."""
    path = bare(typed)
    if not isinstance(path, str) or len(path) > LONGEST_PATH or not path.strip():
        raise refuse("path", typed, _("the path of a file"), "ambush.toml")
    return os.fspath(checked_path(os.path.expanduser(path.strip())))
