"""Encounter files: the ready ones and some by hand, with slips in their tables, their text and their bytes."""

from __future__ import annotations

import json
import tempfile
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from d20kit.battle import Encounter
from d20kit.battle.encounter_file import read_bytes
from d20kit.battle.encounter_write import toml_text
from tests.fuzz import odd, trees
from tests.fuzz.target import Target, refused

_BY_HAND = (
    """[rules]
base = "SRD35"
massive_damage = false
stabilise_chance = "1/10"
[[combatants]]
creature = "goblin"
count = 3
attack = "javelin"
distance = 60
aware = false
[[combatants]]
creature = "rogue"
[[combatants]]
name = "Ann"
side = "heroes"
hp = 11
ac = 15
flat_footed_ac = 13
touch_ac = 12
policy = "weakest"
base_attack_bonus = 6
attacks = [
    { name = "rapier", bonus = 4, damage = "1d6+1", extra = "1d6", threat = 18 },
    { name = "oil", bonus = 2, damage = [[1, 3], [2, 1]], touch = true, save = { kind = "reflex", dc = 15 } },
    { name = "touch", bonus = 2, damage = "none", natural = true, ranged = true, multiplier = 3 },
]
""",
    """combatants = [{ creature = "wolf", name = "Fang", side = "red" }, { creature = "fighter", count = 2 }]""",
)


class Raw(str):
    """A value as TOML writes it."""


_ODD = (
    *("inf", "nan", "-0", "+5", "0x10", "0b1", "1e400", "5.0", "true", "''", "[1,]", "[[1,2]]", "{}", "{hp=1}"),
    *("1979-05-27", "07:32:00", "1979-05-27T07:32:00Z"),
)
_VALUES = odd.shares(
    (3, odd.json_values.map(lambda value: Raw("none") if value is None else value)),
    (
        2,
        st.sampled_from(
            ["1d6", "2d4+4", "0d6", "100d1000", "goblin", "rogue", "javelin", "red", "heroes", "random", "half"]
        ),
    ),
    (1, st.sampled_from(_ODD).map(Raw)),
    (1, st.integers(1, 300).map(lambda depth: Raw("[" * depth + "]" * depth))),
)


@cache
def _bases() -> list[dict[str, Any]]:
    ready = [toml_text(Encounter.ready(name)) for name in Encounter.ready_names()]
    return [tomllib.loads(text) for text in (*_BY_HAND, *ready)]


def _known() -> list[str]:
    found = (key for base in _bases() for _holder, key in trees.places(base))
    return sorted({key for key in found if isinstance(key, str)} | {"fortitude", "constitution", "critical"})


def written(tree: Any) -> str:
    """Write tables as TOML, the inner ones in one line.

    >>> written({"rules": {"base": "COURSE"}, "combatants": [{"hp": 5}]})
    'rules = {base = "COURSE"}\\ncombatants = [{hp = 5}]'
    """
    if not isinstance(tree, dict):
        return _inline(tree)
    return "\n".join(f"{_key(key)} = {_inline(value)}" for key, value in tree.items())


def _key(key: str) -> str:
    return key if key.isascii() and key.isidentifier() else json.dumps(key, ensure_ascii=False)


def _inline(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(key)} = {_inline(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_inline, value)) + "]"
    return str(value) if isinstance(value, Raw) else json.dumps(value, ensure_ascii=False)


TEXTS = st.deferred(lambda: trees.slipped(_bases(), _VALUES, trees.keys(_known())).map(written))
_ENCODINGS = st.sampled_from(["utf-8"] * 6 + ["utf-8-sig", "utf-16"])


@st.composite
def _spoilt_bytes(draw: st.DrawFn) -> bytes:
    raw = draw(TEXTS).encode(draw(_ENCODINGS), "surrogatepass")
    place = draw(st.integers(0, len(raw)))
    return raw[:place] + draw(st.binary(max_size=3)) + raw[place + draw(st.integers(0, 3)) :]


files = odd.shares(
    (7, TEXTS.map(lambda text: text.encode("utf-8", "surrogatepass"))),
    (2, odd.spoilt(TEXTS).map(lambda text: text.encode("utf-8", "surrogatepass"))),
    (1, _spoilt_bytes()),
    (1, odd.texts.map(lambda text: text.encode("utf-8", "surrogatepass"))),
)


class Folder:
    """A folder of this process, for files to be written to and read from."""

    _made: tempfile.TemporaryDirectory[str] | None = None

    @classmethod
    def path(cls) -> Path:
        """Return the folder, made when it is first asked for."""
        if cls._made is None:
            cls._made = tempfile.TemporaryDirectory()
        return Path(cls._made.name)


def check(raw: bytes) -> bool:
    """Load the file; what is accepted is written and read back as the same encounter."""
    file = Folder.path() / "party.toml"
    file.write_bytes(raw)
    try:
        encounter = Encounter.load(file)
    except ValueError as error:
        return refused(error, "party.toml: ")
    text = toml_text(encounter)
    again = Encounter(*read_bytes(text.encode(), "again.toml"))
    assert again == encounter, "written and read again it is another encounter"
    assert toml_text(again) == text
    assert str(encounter) == str(again)
    if len(raw) % 16 == 0:  # seldom, for a disk takes its time
        encounter.dump(file)
        assert file.read_text("utf-8") == text
    return True


ENCOUNTERS = Target("encounters", files, check)
