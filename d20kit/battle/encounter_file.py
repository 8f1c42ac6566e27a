"""Encounters on disk: read with care for whatever a file may hold, written whole or not at all."""

from __future__ import annotations

import errno
import os
import re
import secrets
import shutil
import tomllib
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from d20kit.battle.combatant import Combatant
from d20kit.battle.encounter_read import MOST_DIGITS, about, contents
from d20kit.battle.encounter_write import toml_text
from d20kit.check import bare, refuse, shown
from d20kit.language import _
from d20kit.rulesets import Ruleset

if TYPE_CHECKING:
    from d20kit.battle.encounter import Encounter

LARGEST_FILE = 1_000_000
_MOST_PARTS = 100
# Systems take no longer ones.
_LONGEST_PATH = 4096
FilePath: TypeAlias = str | os.PathLike[str]


def read_file(path: FilePath) -> tuple[tuple[Combatant, ...], Ruleset]:
    """Return the combatants and the rules that a file describes.

    Raises
    ------
    ValueError
        If it cannot be read or says what has no meaning; the message names the file and the place in it.

    Examples
    --------
    >>> from importlib.resources import files
    >>> combatants, rules = read_file(files("d20kit.bestiary") / "encounters" / "duel.toml")
    >>> [one.name for one in combatants], rules
    (['Red fighter', 'Blue fighter'], COURSE)
    """
    file = checked_path(path)
    with about(file.name):
        return contents(_tables(_bytes(file)))


def read_bytes(raw: bytes, name: str) -> tuple[tuple[Combatant, ...], Ruleset]:
    """Return the combatants and the rules that the bytes of a file describe; refusals call the file ``name``.

    Raises
    ------
    ValueError
        If they say what has no meaning; the message names the file and the place in it.

    Examples
    --------
    >>> from d20kit.battle.encounter_file import read_bytes
    >>> combatants, rules = read_bytes(b"combatants = [{ creature = 'goblin' }]", "mine.toml")
    >>> combatants[0].name, rules.name
    ('Goblin', 'COURSE')
    """
    with about(name):
        return contents(_tables(_small(raw)))


def checked_path(path: Any, fix: str = 'Encounter.load("ambush.toml")') -> Path:
    """Accept the path of a file.

    >>> checked_path("battles/ambush.toml").name
    'ambush.toml'
    >>> checked_path(7)
    Traceback (most recent call last):
    ValueError: path is 7, but must be the path of a file; Encounter.load("ambush.toml")
    """
    try:
        named = Path(bare(path))
        os.fsencode(named)
    except Exception:  # no path at all, letters that no name of a file can have here, or a path of the reader's own
        named = Path()
    if not named.name or "\0" in str(named) or len(str(named)) > _LONGEST_PATH:
        raise refuse("path", path, _("the path of a file"), fix)
    return named


def _bytes(file: Path) -> bytes:
    try:
        with file.open("rb") as opened:
            raw = opened.read(LARGEST_FILE + 1)
    except OSError as error:
        raise ValueError(_refusal(error, file)) from None
    return _small(raw)


def _small(raw: bytes) -> bytes:
    if len(raw) > LARGEST_FILE:
        raise ValueError(_("it has more than {most} bytes, too many for an encounter").format(most=LARGEST_FILE))
    return raw


def _refusal(error: OSError, file: Path) -> str:
    if error.errno == errno.ENOENT:
        # Who writes in a notebook stands in its folder, which is seldom the one they think of.
        said = _("there is no such file in {folder}; look at the folder and the spelling")
        return said.format(folder=file.absolute().parent)
    if error.errno == errno.EISDIR:
        return _("this is a folder, but an encounter is a file")
    if error.errno in (errno.EACCES, errno.EPERM):
        return _("you may not read or write this file")
    return _("the system refuses the file: {reason}").format(reason=error.strerror)


def _tables(raw: bytes) -> dict[str, Any]:
    try:
        text = raw.decode("utf-8-sig")
        _refuse_endless_keys(text)
        return _parsed(text)
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ValueError(_("line {line} is not UTF-8 text; save the file as UTF-8").format(line=line)) from None
    except RecursionError:
        raise ValueError(_("it is nested too deeply to be an encounter")) from None
    except tomllib.TOMLDecodeError as error:
        raise ValueError(_("this is no TOML: {reason}").format(reason=error)) from None


def _parsed(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except ValueError:  # Python reads no whole number of so many digits
        longest = max(re.finditer("[0-9_]+", text), key=lambda run: len(run[0]))
        line = text.count("\n", 0, longest.start()) + 1
        said = _("line {line} has a number of more than {most} digits, but no number of an encounter is so long")
        raise ValueError(said.format(line=line, most=MOST_DIGITS)) from None


def _refuse_endless_keys(text: str) -> None:
    """Refuse a.b.c... before the parser sees it: its time grows with the square of their number."""
    if max(part.count(".") for part in re.split("[=,#\n]", text)) >= _MOST_PARTS:
        raise ValueError(_("a key has more than {most} parts").format(most=_MOST_PARTS))


def write_file(encounter: Encounter, path: FilePath) -> None:
    """Write an encounter; until the new file is whole on the disk the old one stays as it was.

    Raises
    ------
    ValueError
        If somebody's policy is a function, or the file cannot be written.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from d20kit.battle import Encounter
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "duel.toml")
    ...     write_file(Encounter.ready("duel"), file)
    ...     Encounter.load(file) == Encounter.ready("duel")
    True
    """
    text = toml_text(encounter)
    file = checked_path(path, 'encounter.dump("ambush.toml")')
    with about(file.name):
        _check_that_it_reads_back(encounter, text)
        try:
            _replace(Path(os.path.realpath(file)), text.encode("utf-8"))
        except OSError as error:
            raise ValueError(_refusal(error, file)) from None


def _check_that_it_reads_back(encounter: Encounter, text: str) -> None:
    raw = text.encode("utf-8")
    if len(raw) > LARGEST_FILE or contents(_tables(raw)) != (encounter.combatants, encounter.rules):
        raise ValueError(_("this encounter is too large for a file; write its damage as dice"))


def _replace(file: Path, raw: bytes) -> None:
    if not file.parent.is_dir():
        raise ValueError(
            _("there is no folder {folder}; make it first, or look at the spelling").format(
                folder=shown(str(file.parent))
            )
        )
    if file.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(file))
    fresh = file.with_name(f".encounter-{secrets.token_hex(8)}.new")
    try:
        with fresh.open("xb") as opened:
            opened.write(raw)
            opened.flush()
            os.fsync(opened.fileno())
        if file.exists():
            shutil.copymode(file, fresh)
        os.replace(fresh, file)
    finally:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
