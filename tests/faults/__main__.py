"""``python -m tests.faults``: print the fault matrix; with ``--run``, run its tests and say which passed."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Mapping, Sequence

import pytest

from tests.faults.matrix import MATRIX, ROOT, Fault

_WORST = ("failed", "skipped", "passed")


class Heard:
    """Listens to pytest: for each test, with all its parameters, the worst that became of it.

    >>> heard = Heard()
    >>> heard.note("test_it.py::test[a]", "passed")
    >>> heard.note("test_it.py::test[b]", "failed")
    >>> heard.outcomes
    {'test_it.py::test': 'failed'}
    """

    def __init__(self) -> None:
        self.outcomes: dict[str, str] = {}

    def note(self, nodeid: str, outcome: str) -> None:
        """Take an outcome of one test into account."""
        name = nodeid.partition("[")[0]
        self.outcomes[name] = min(self.outcomes.get(name, "passed"), outcome, key=_WORST.index)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Hear of a test's set-up, call or end."""
        self.note(report.nodeid, report.outcome)


def lines(faults: Sequence[Fault], outcomes: Mapping[str, str]) -> Iterator[str]:
    """Yield the matrix as a Markdown table, with what became of each test where that is known.

    >>> print("\\n".join(lines([Fault("disk full", "saves", "the old file", "t.py::test")], {"t.py::test": "passed"})))
    | fault | what somebody does | what must hold | test | result |
    |---|---|---|---|---|
    | disk full | saves | the old file | `t.py::test` | passed |
    """
    head = ["fault", "what somebody does", "what must hold", "test", *(["result"] if outcomes else [])]
    yield _row(head)
    yield "|" + "---|" * len(head)
    for one in faults:
        result = [outcomes.get(one.test, "not run")] if outcomes else []
        yield _row([one.fault, one.doing, one.holds, f"`{one.test}`", *result])


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def main(arguments: Sequence[str]) -> int:
    """Print the matrix and return 0, or 1 where a test of it has failed or was not found."""
    options = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    options.add_argument("--run", action="store_true", help="run the tests and say which passed; takes some minutes")
    if not options.parse_args(arguments).run:
        print("\n".join(lines(MATRIX, {})))
        return 0
    os.chdir(ROOT)
    heard = Heard()
    code = pytest.main(["-q", *dict.fromkeys(one.test for one in MATRIX)], plugins=[heard])
    print("\n".join(["", *lines(MATRIX, heard.outcomes)]))
    return int(code != 0 or any(heard.outcomes.get(one.test) not in ("passed", "skipped") for one in MATRIX))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
