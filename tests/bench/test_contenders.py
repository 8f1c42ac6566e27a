"""What is timed must be the same work, and a missed requirement must be said."""

from __future__ import annotations

import pytest

from tests.bench.distributions import KIT, PEERS, Required, lines

LINES = (
    "2d6+3",
    "8d6",
    "20d20",
    "100d6",
    "one attack",
    "1 to 50 attacks added up, all kept",
    "rounds until 60 HP are gone, 60 rounds",
)


@pytest.fixture
def peers() -> None:
    """Both other libraries; without one the test is skipped and says so."""
    for name in PEERS:
        pytest.importorskip(name, reason=f"{name} is not installed; it is in the dependency group bench")


@pytest.mark.usefixtures("peers")
@pytest.mark.parametrize("name", LINES)
def test_libraries_agree(name: str) -> None:
    """A line whose contenders answered different questions would compare nothing."""
    line, _required = lines()[name]
    answers = {library: work() for library, work in line.items()}
    assert set(answers) == {KIT, *PEERS}
    assert answers["icepool"] == answers[KIT]
    assert answers["dyce"] == answers[KIT]
    assert all(0 < chance < 1 for chance in answers[KIT][-1:])


@pytest.mark.usefixtures("peers")
def test_no_line_is_left_out() -> None:
    """The lines are the ones that were promised, and each must be faster than the better peer at least."""
    assert set(lines()) == set(LINES)
    assert all(required.ratio >= 1 for _line, required in lines().values())


def test_requirements() -> None:
    """The gate opens only when both the ratio and the absolute limit are kept."""
    required = Required(10, under=0.001)
    assert required.misses(0.0009, 0.0091) == []
    assert len(required.misses(0.0009, 0.009)) == 1
    assert len(required.misses(0.001, 0.1)) == 1
    assert len(required.misses(0.01, 0.01)) == 2
