"""What a run of benches comes to: its facts, its lines as JSON, as one Markdown table, and in the README."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.bench.line import Line, amount
from tests.bench.measure import ROOT, facts, table

PACKAGES = (
    "numpy",
    "sympy",
    "python-flint",
    "icepool",
    "dyce",
    "matplotlib",
    "plotly",
    "ipywidgets",
    "anywidget",
    "jupyterlab",
    "playwright",
)
HEADS = ("what", "d20kit", "beside", "times as fast", "required")
START, END = "<!-- bench: written by python -m tests.bench --readme -->", "<!-- end of bench -->"


@dataclass(frozen=True)
class Run:
    """The lines of every bench that ran, and where and when that was."""

    facts: Mapping[str, Any]
    lines: Mapping[str, Sequence[Line]]

    @property
    def every(self) -> list[Line]:
        """All lines, one after the other."""
        return [line for lines in self.lines.values() for line in lines]

    @property
    def failed(self) -> list[str]:
        """Name the lines that do not reach what is required, and the benches that broke."""
        return [f"{part}: {line.note or line.name}" for part, line in self._missed()]

    @property
    def broken(self) -> list[str]:
        """Name the benches that broke."""
        return [f"{part}: {line.note}" for part, line in self._missed() if line.figure is None]

    def _missed(self) -> Iterator[tuple[str, Line]]:
        return ((part, line) for part, lines in self.lines.items() for line in lines if not line.met)


def circumstances() -> dict[str, Any]:
    """Return the machine, Python, the versions of the packages, the commit and the date."""
    return {**facts(*PACKAGES), "commit": _commit(), "date": datetime.now(UTC).date().isoformat()}


def _commit() -> str:
    """Return the short name of the commit; a plus follows if files differ from it, and nothing is known without git."""
    done = subprocess.run(
        ["git", "describe", "--always", "--dirty=+", "--exclude=*"], cwd=ROOT, capture_output=True, text=True
    )
    return done.stdout.strip()


def as_json(run: Run) -> str:
    """Write a run as JSON."""
    lines = {part: [asdict(line) for line in lines] for part, lines in run.lines.items()}
    return json.dumps({**run.facts, "lines": lines}, indent=2, ensure_ascii=False) + "\n"


def sentence(run: Run) -> str:
    """Say where, when and with what a run was measured."""
    known, packages = run.facts, ", ".join(f"{name} {number}" for name, number in run.facts["packages"].items())
    where = f"{known['processor']}, {known['cores']} cores, {known['system']}, {known['python']}"
    commit = f"commit {known['commit']}, " if known["commit"] else ""
    return f"Measured {known['date']}, {commit}on {where}, with {packages}."


def markdown(lines: Sequence[Line]) -> str:
    """Write lines as one table.

    >>> print(markdown([Line("8d6", 1.3e-5, peer="dyce", ratio=36.3), Line("odd", None, met=False, note="none")]))
    | what | d20kit | beside | times as fast |         required |
    |:-----|-------:|-------:|--------------:|-----------------:|
    | 8d6  |  13 µs |   dyce |          36.3 |                  |
    | odd  |        |        |               | **missed**: none |
    """
    return table(HEADS, [_cells(line) for line in lines])


def _cells(line: Line) -> list[str]:
    last = ": ".join(filter(None, ["" if line.met else "**missed**", line.required, line.note]))
    cells = [line.name, amount(line.figure, line.unit), line.peer, _ratio(line.ratio), last]
    return [cell.replace("|", "\\|") for cell in cells]


def _ratio(ratio: float | None) -> str:
    if ratio is None:
        return ""
    return f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.3g}"


def for_readme(run: Run) -> str:
    """Write what the README shows: what has a peer, or is missed; the rest folded away."""
    shown = [line for line in run.every if line.peer or not line.met]
    folded = [line for line in run.every if line not in shown]
    parts = [markdown(shown), ""]
    if folded:
        summary = f"{len(folded)} figures without a peer"
        parts += [f"<details><summary>{summary}</summary>", "", markdown(folded), "", "</details>", ""]
    return "\n".join([*parts, sentence(run)])


def put_into(text: str, between: str) -> str:
    """Return a README with everything between its two marks replaced.

    >>> put_into(f"a\\n{START}\\nold\\n{END}\\nb", "new") == f"a\\n{START}\\n\\nnew\\n\\n{END}\\nb"
    True

    Raises
    ------
    ValueError
        If the text does not have both marks, once each and in order.
    """
    before, start, rest = text.partition(START)
    _old, end, after = rest.partition(END)
    if not (start and end) or START in after or END in after:
        raise ValueError(f"the README must have {START} and then {END}, once each")
    return f"{before}{START}\n\n{between}\n\n{END}{after}"


def update_readme(run: Run, readme: Path = ROOT / "README.md") -> None:
    """Write the table into the README."""
    readme.write_text(put_into(readme.read_text(encoding="utf-8"), for_readme(run)), encoding="utf-8")
