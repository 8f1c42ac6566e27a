"""The table of a run, and the file that keeps it."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.mutation.judged import Judged
from tests.mutation.session import Verdict

REQUIRED = 95


@dataclass
class Line:
    """One module: of its mutants, how many were tried and what became of them."""

    module: str
    mutants: int
    tried: int = 0
    caught: int = 0
    equivalent: int = 0
    survived: int = 0

    @property
    def score(self) -> float:
        """Caught ones of those that can be caught, in per cent.

        >>> Line("saves", mutants=50, tried=50, caught=36, equivalent=10, survived=4).score
        90.0
        """
        return 100 * self.caught / (self.caught + self.survived) if self.caught + self.survived else 100.0

    def add(self, verdict: Verdict, lists: Judged) -> None:
        """Count one."""
        self.tried += 1
        if verdict.by is not None:
            self.caught += 1
        elif verdict.mutant.id in lists.equivalent:
            self.equivalent += 1
        else:
            self.survived += 1


def total(name: str, lines: Iterable[Line]) -> Line:
    """Return the sum of lines."""
    added = Line(name, 0)
    for line in lines:
        for part in ("mutants", "tried", "caught", "equivalent", "survived"):
            setattr(added, part, getattr(added, part) + getattr(line, part))
    return added


def table(lines: Sequence[Line]) -> str:
    """Return the lines as Markdown, the battle's modules and everything added up."""
    battle = [line for line in lines if line.module.startswith("battle.")]
    every = [*lines]
    if len(battle) > 1:
        every.append(total("battle", battle))
    if len(lines) > 1 and len(battle) < len(lines):
        every.append(total("together", lines))
    rows = ["| module | mutants | tried | caught | equivalent | survived | score |", "|---|--:|--:|--:|--:|--:|--:|"]
    rows += [
        f"| {line.module} | {line.mutants} | {line.tried} | {line.caught} | {line.equivalent} | {line.survived} "
        f"| {line.score:.1f} % |"
        for line in every
    ]
    return "\n".join(rows)


def as_json(lines: Iterable[Line], verdicts: Iterable[Verdict], lists: Judged, sample: str) -> str:
    """Return everything there is to know of a run."""
    return json.dumps(
        {
            "python": platform.python_version(),
            "machine": platform.machine(),
            "sample": sample,
            "modules": [vars(line) | {"score": round(line.score, 2)} for line in lines],
            "mutants": [_facts(verdict, lists) for verdict in verdicts],
        },
        indent=1,
    )


def _facts(verdict: Verdict, lists: Judged) -> dict[str, Any]:
    mutant = verdict.mutant
    reason = lists.equivalent.get(mutant.id) or lists.survivors.get(mutant.id) or ""
    return {
        "id": mutant.id,
        "module": mutant.module,
        "where": mutant.where,
        "line": mutant.line,
        "before": mutant.before,
        "after": mutant.after,
        "caught_by": verdict.by,
        "tests": verdict.tests,
        "seconds": verdict.seconds,
        "equivalent": mutant.id in lists.equivalent,
        "reason": reason,
    }


def survivors_of(path: Path) -> set[str]:
    """Return the ids of those that an earlier run did not catch."""
    kept = json.loads(path.read_text(encoding="utf-8"))
    return {mutant["id"] for mutant in kept["mutants"] if mutant["caught_by"] is None}
