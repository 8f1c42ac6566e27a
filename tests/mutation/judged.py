"""What people found out about mutants: which are equivalent, and why the others that survive may."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
EQUIVALENT = "equivalent.toml"
SURVIVORS = "survivors.toml"


@dataclass(frozen=True)
class Judgement:
    """One entry of a list: which mutant, in which function, what it changes, and the reason."""

    id: str
    where: str
    change: str
    reason: str

    @property
    def module(self) -> str:
        """The module it is in.

        >>> Judgement("battle.exact-0123ab", "solve", "a -> b", "both are zero").module
        'battle.exact'
        """
        return self.id.rpartition("-")[0]


@dataclass(frozen=True)
class Judged:
    """The reasons by id: of mutants that nobody can tell from the original, and of those that no test catches."""

    equivalent: dict[str, str]
    survivors: dict[str, str]


def judged() -> Judged:
    """Read both lists."""
    return Judged(*({one.id: one.reason for one in read(name)} for name in (EQUIVALENT, SURVIVORS)))


def read(name: str) -> list[Judgement]:
    """Read one list."""
    entries = tomllib.loads((HERE / name).read_text(encoding="utf-8")).get("mutant", [])
    return [Judgement(entry["id"], entry["where"], entry["change"], entry["reason"]) for entry in entries]
