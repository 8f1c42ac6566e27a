"""``python -m tests.bench [PART...]``: every bench, one after the other, and one table of all their lines.

Without PART all short ones run, some minutes; ``--long`` adds those that take longer. Ends with 1 if a bench broke or
a line does not reach what is required; with ``--gate`` instead if a ratio to a peer fell below its floor in
``expected.json``, whatever the seconds are on this machine.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from d20kit.launch.process import Stopped, stoppable
from tests.bench import gate
from tests.bench.line import Line
from tests.bench.parts import PARTS, run
from tests.bench.report import Run, as_json, circumstances, markdown, sentence, update_readme


def _asked(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__.partition("\n\n")[2])
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"which benches: {', '.join(PARTS)}")
    parser.add_argument("--long", action="store_true", help="the long ones, too")
    parser.add_argument("--out", type=Path, metavar="FILE.json", help="write facts and lines as JSON")
    parser.add_argument("--readme", action="store_true", help="write the table into the README")
    parser.add_argument("--gate", action="store_true", help="compare the ratios with expected.json")
    parser.add_argument("--expect", action="store_true", help="write expected.json anew for the parts that run")
    asked = parser.parse_args(arguments)
    if unknown := set(asked.parts) - set(PARTS):
        parser.error(f"no such part: {', '.join(sorted(unknown))}; choose from {', '.join(PARTS)}")
    if asked.readme and asked.parts:
        parser.error("--readme shows all short parts; leave PART out")
    asked.parts = asked.parts or [name for name, part in PARTS.items() if asked.long or not part.long]
    return asked


def _measured(parts: Sequence[str]) -> dict[str, list[Line]]:
    lines = {}
    for name in parts:
        print(f"{name} ...", file=sys.stderr, flush=True)
        lines[name] = run(name, PARTS[name])
    return lines


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what is asked for, write it, and return the exit code."""
    asked = _asked(arguments)
    try:
        with stoppable():
            done = Run(circumstances(), _measured(asked.parts))
    except Stopped as stop:
        return 128 + stop.signum
    print(f"{markdown(done.every)}\n\n{sentence(done)}")
    if asked.out:
        asked.out.write_text(as_json(done), encoding="utf-8")
    if asked.readme:
        update_readme(done)
    if asked.expect:
        gate.save(done.lines, gate.EXPECTED)
    return _verdict(done, asked.gate)


def _verdict(done: Run, by_ratio: bool) -> int:
    failed, word = done.failed, "MISSED"
    if by_ratio:
        failed, word = done.broken + gate.fallen(done.lines, gate.load(gate.EXPECTED)), "FELL"
    for said in failed:
        print(f"{word}  {said}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
