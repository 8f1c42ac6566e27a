"""The short run of every target, with shrinking; ``python -m tests.fuzz`` is the long one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz import __main__ as command
from tests.fuzz.living import forget
from tests.fuzz.run import Tally, run
from tests.fuzz.target import Target, refused
from tests.fuzz.targets import NAMES, load

# Inputs of each target: a few seconds of processor.
EXAMPLES = {"dice": 400, "encounters": 400, "states": 150, "widgets": 80, "answers": 400}


@pytest.fixture(autouse=True)
def _closed(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whatever is written lands in a folder of its own, and the explorers end with the test."""
    monkeypatch.chdir(tmp_path)
    yield
    forget()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.filterwarnings("ignore")
def test_no_input_breaks_it(name: str) -> None:
    """Whatever a stranger gives, the answer is a result whose properties hold or a sentence that says what is wrong."""
    target = load(name)

    @settings(max_examples=EXAMPLES[name], deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(target.inputs)
    def every(value: Any) -> None:
        target.check(value)

    every()


def _divided(number: int) -> bool:
    if number > 90:
        raise ValueError("too much")
    return bool(100 // (number - 7)) or True


def test_a_long_run_finds_what_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """A harness that notes no fault would call everything sound: each place is noted once, with an input."""
    monkeypatch.setattr("tests.fuzz.run.BATCH", 90)
    tally = run(Target("odd", st.integers(0, 99), _divided), 250, 1)
    assert tally.inputs == 250
    assert tally.accepted + tally.failed == 250
    kinds = {place.split(" at ")[0]: example for place, example in tally.faults.items()}
    assert set(kinds) == {"ZeroDivisionError", "ValueError"}
    assert kinds["ZeroDivisionError"].startswith("7\n")
    assert tally.slowest > 0


def test_a_long_run_is_the_same_for_a_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever reads of a fault must be able to see it again, and another seed must look elsewhere."""
    monkeypatch.setattr("tests.fuzz.run.BATCH", 20)

    def seen(first_seed: int) -> list[int]:
        found: list[int] = []

        def noted(number: int) -> bool:
            found.append(number)
            return True

        run(Target("odd", st.integers(), noted), 50, first_seed)
        return found

    assert seen(1) == seen(1)
    assert seen(1) != seen(2)


def test_a_slow_input_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer that never comes is no answer, even if it would be right."""
    monkeypatch.setattr("tests.fuzz.run.SLOWEST", 0.0)
    tally = run(Target("odd", st.integers(), lambda _number: True), 5, 1)
    assert [*tally.faults] == ["slower than 0.0 s"]


def test_too_much_memory_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """What fills a small computer's memory is found before somebody's kernel is killed."""
    monkeypatch.setattr("tests.fuzz.run._peak", lambda: 2 * 10**9)
    tally = run(Target("odd", st.integers(), lambda _number: True), 5, 1)
    assert [*tally.faults.values()] == ["2000000000 bytes"]


def test_an_error_of_python_is_no_refusal() -> None:
    """A ValueError that only passes through the kit is as raw as any other exception."""
    with pytest.raises(ValueError, match="invalid literal") as raised:
        int("x")
    with pytest.raises(AssertionError, match="not refused by the kit"):
        refused(raised.value)


def test_the_command_ends_with_1_after_a_fault(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A script must not have to read the table."""

    class Here:
        """A process that is this one."""

        def __init__(self, *_given: Any, **_named: Any) -> None:
            self.tally = Tally("dice", inputs=3, accepted=1, failed=1, faults={"KeyError at dice.py:1": "'2d6'"})

        def __enter__(self) -> Here:
            return self

        def __exit__(self, *_error: Any) -> None:
            pass

        def submit(self, _function: Any, name: str, examples: int, seed: int) -> Here:
            assert (name, examples, seed) == ("dice", 3, 5)
            return self

        def result(self) -> Tally:
            return self.tally

    monkeypatch.setattr(command, "ProcessPoolExecutor", Here)
    assert command.main(["--examples", "3", "--seed", "5", "dice"]) == 1
    said = capsys.readouterr().out
    assert "| dice | 3 | 1 | 1 | 0 | 0 | 1 |" in said
    assert "dice: KeyError at dice.py:1\n'2d6'" in said
    with pytest.raises(SystemExit):
        command.main(["cards"])
