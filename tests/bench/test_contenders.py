"""What is timed must be the same work, and a missed requirement must be said."""

from __future__ import annotations

import warnings

import pytest

from tests.bench import drawing
from tests.bench.distributions import KIT, PEERS, questions
from tests.bench.line import judged

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
    line, _required = questions()[name]
    answers = {library: work() for library, work in line.items()}
    assert set(answers) == {KIT, *PEERS}
    assert answers["icepool"] == answers[KIT]
    assert answers["dyce"] == answers[KIT]
    assert all(0 < chance < 1 for chance in answers[KIT][-1:])


@pytest.mark.usefixtures("peers")
def test_no_line_is_left_out() -> None:
    """The lines are the ones that were promised, and each must be faster than the better peer at least."""
    assert set(questions()) == set(LINES)
    assert all(required.ratio >= 1 for _line, required in questions().values())


@pytest.mark.usefixtures("peers")
def test_plotly_shows_what_the_kit_shows() -> None:
    """A picture of other chances would be no peer of ours."""
    ours = drawing.kit_figure(8, 6)["data"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        bars, at_least, at_most = (spec["data"][0]["y"] for spec in drawing.plotly_figures(8, 6))
    assert ours[0]["y"] == pytest.approx(bars, abs=0.001)
    assert ours[2]["y"] == pytest.approx(at_least, abs=0.001)
    assert ours[3]["y"] == pytest.approx(at_most, abs=0.001)
    more, equal, less = (trace["x"][0] for trace in ours[4:7])
    assert more + equal + less == pytest.approx(100, abs=0.01)


def test_requirements() -> None:
    """A line is met only when both the ratio and the absolute limit are kept."""

    def met(figure: float, ratio: float) -> bool:
        return judged("line", figure, peer="dyce", ratio=ratio, most=0.001, least_ratio=10).met

    assert met(0.0009, 10.1)
    assert not met(0.0009, 9)
    assert not met(0.0011, 11)
    assert not met(0.01, 1)
    assert judged("rate", 5, "battles/s", least=5).met
    assert not judged("rate", 4, "battles/s", least=5).met
