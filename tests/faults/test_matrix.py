"""The fault matrix names tests that are there, each for one fault, and says what became of them."""

from __future__ import annotations

import pytest

from tests.faults.__main__ import Heard, lines, main
from tests.faults.matrix import MATRIX, Fault


@pytest.mark.parametrize("fault", MATRIX, ids=lambda fault: fault.test.partition("::")[2])
def test_every_test_of_the_matrix_exists(fault: Fault) -> None:
    """A line without a test behind it is a promise that nobody keeps."""
    assert fault.exists(), fault.test
    assert all((fault.fault, fault.doing, fault.holds))


def test_no_test_stands_for_two_faults() -> None:
    """One failing test must name one fault."""
    assert len({one.test for one in MATRIX}) == len(MATRIX)


def test_a_test_that_is_gone_is_noticed() -> None:
    """The first test could not fail if any name would do."""
    assert not Fault("", "", "", "tests/faults/test_matrix.py::test_nothing").exists()
    assert not Fault("", "", "", "tests/faults/test_gone.py::test_nothing").exists()


def test_the_matrix_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """Without ``--run`` it is a table to read, a line for each fault."""
    assert main([]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert len(printed) == len(MATRIX) + 2
    assert all(line.count("|") == 5 for line in printed)


def test_the_worst_of_a_test_counts() -> None:
    """A test that fails for one of its parameters has failed; one that never ran is no success."""
    heard = Heard()
    for name, outcome in (
        ("a[1]", "passed"),
        ("a[2]", "failed"),
        ("a[3]", "skipped"),
        ("b", "skipped"),
        ("b", "passed"),
    ):
        heard.note(f"t.py::{name}", outcome)
    shown = [Fault("f", "d", "h", f"t.py::{name}") for name in "abc"]
    assert [line.split(" | ")[-1] for line in list(lines(shown, heard.outcomes))[2:]] == [
        "failed |",
        "skipped |",
        "not run |",
    ]
