"""``python -m tests.mutation [MODULE...]``: change the rules and the battle in one place, and see which tests notice.

Without MODULE all run: those of attack, armor_class, damage, hit_points, saves, initiative and battle. Ends with 1 if
fewer than 95 % of a part's mutants are caught, not counting those that equivalent.toml sets aside. Needs a system that
can fork: Linux or macOS.
"""

from __future__ import annotations

import argparse
import difflib
import os
import random
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.mutation.finder import find
from tests.mutation.groups import Group, chosen, file_of
from tests.mutation.judged import Judged, judged
from tests.mutation.mutant import Mutant
from tests.mutation.report import REQUIRED, Line, as_json, survivors_of, table, total
from tests.mutation.session import Session, Verdict, copied, load

ROOT = Path(__file__).resolve().parents[2]


def _asked(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=(__doc__ or "").partition("\n\n")[2])
    parser.add_argument("modules", nargs="*", metavar="MODULE", help="such as attack, duel or battle.exact")
    parser.add_argument("--only", action="append", default=[], metavar="ID", help="show and try this mutant")
    parser.add_argument("--list", action="store_true", help="name the mutants and try none")
    parser.add_argument("--again", type=Path, metavar="FILE.json", help="try those that survived in this earlier run")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="try a random N-th of a module's mutants")
    parser.add_argument("--seed", type=int, default=1, help="of that choice, 1 if not given")
    parser.add_argument("--budget", type=float, default=30, metavar="SECONDS", help="of tests for one mutant, 30")
    parser.add_argument("--out", type=Path, metavar="FILE.json", help="write what became of every mutant as JSON")
    parser.add_argument("--pause", type=Path, metavar="FILE", help="wait between two mutants while this file exists")
    asked = parser.parse_args(arguments)
    asked.modules += [] if asked.modules else sorted({name.rpartition("-")[0] for name in asked.only})
    try:
        asked.groups = chosen(asked.modules, ROOT)
    except ValueError as error:
        parser.error(str(error))
    return asked


def _mutants(modules: Sequence[str]) -> dict[str, list[Mutant]]:
    return {module: find(module, (ROOT / file_of(module)).read_text(encoding="utf-8")) for module in modules}


def _sample(mutants: list[Mutant], asked: argparse.Namespace) -> list[Mutant]:
    """Take those that are asked for; a sample is the same for the same seed."""
    if asked.only:
        return [mutant for mutant in mutants if mutant.id in asked.only]
    if asked.again:
        kept = survivors_of(asked.again)
        return [mutant for mutant in mutants if mutant.id in kept]
    if asked.every == 1 or not mutants:
        return mutants
    some = random.Random(f"{asked.seed} {mutants[0].module}").sample(mutants, -(-len(mutants) // asked.every))
    return sorted(some, key=mutants.index)


def _waiting(pause: Path | None) -> Callable[[], None]:
    def wait() -> None:
        while pause and pause.exists():
            time.sleep(1)

    return wait


def _show(mutant: Mutant) -> str:
    source = (ROOT / file_of(mutant.module)).read_text(encoding="utf-8")
    path = file_of(mutant.module).as_posix()
    lines = difflib.unified_diff(source.splitlines(), mutant.apply(source).splitlines(), path, path, lineterm="", n=2)
    return "\n".join(lines)


class _Run:
    """What was tried so far, written now and then so that a run that is ended is not lost."""

    def __init__(self, asked: argparse.Namespace, lists: Judged) -> None:
        self.asked, self.lists = asked, lists
        self.lines: dict[str, Line] = {}
        self.verdicts: list[Verdict] = []

    def group(self, group: Group, modules: list[str]) -> None:
        found = _mutants(modules)
        picked = {module: _sample(mutants, self.asked) for module, mutants in found.items()}
        self.lines |= {module: Line(module, len(found[module])) for module in modules if picked[module]}
        if self.asked.list:
            print("\n".join(mutant.sentence() for mutants in picked.values() for mutant in mutants))
            return
        if not any(picked.values()):
            return
        with copied(ROOT) as root:
            session = Session(group, list(found), root, self.asked.budget, _waiting(self.asked.pause))
            _say(f"{group.name}: the tests as they are ...")
            session.measure()
            known = session.known
            _say(f"{len(known.seconds)} tests, {sum(known.seconds.values()):.0f} s; broken: {known.broken or 'none'}")
            for verdict in session.try_all(mutant for mutants in picked.values() for mutant in mutants):
                self._take(verdict)
        self._write()

    def _take(self, verdict: Verdict) -> None:
        mutant = verdict.mutant
        self.verdicts.append(verdict)
        self.lines[mutant.module].add(verdict, self.lists)
        if len(self.verdicts) % 20 == 0:
            self._write()
        if self.asked.only:
            print(f"{_show(mutant)}\n{mutant.sentence()}\n{verdict.by or f'not caught by {verdict.tests} tests'}")
        elif verdict.by is None and mutant.id not in self.lists.equivalent:
            reason = self.lists.survivors.get(mutant.id)
            _say(f"SURVIVED {mutant.sentence()}  ({verdict.tests} tests){f': {reason}' if reason else ''}")

    def _write(self) -> None:
        if self.asked.out:
            sample = f"one of {self.asked.every}, seed {self.asked.seed}" if self.asked.every > 1 else "all"
            text = as_json(self.lines.values(), self.verdicts, self.lists, sample)
            self.asked.out.write_text(text, encoding="utf-8")


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Try what is asked for, print the table, and return the exit code."""
    asked = _asked(arguments)
    if not hasattr(os, "fork"):
        _say("Mutants are tried in forks of one process, and this system has none: use Linux, macOS or WSL.")
        return 2
    load()
    run = _Run(asked, judged())
    for group, modules in asked.groups:
        run.group(group, modules)
    if asked.list:
        return 0
    lines = list(run.lines.values())
    print(table(lines))
    rules = [line for line in lines if not line.module.startswith("battle.")]
    battle = total("battle", (line for line in lines if line.module.startswith("battle.")))
    return int(not asked.only and any(line.score < REQUIRED for line in (*rules, battle)))


if __name__ == "__main__":
    sys.exit(main())
