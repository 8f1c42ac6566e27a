"""What is timed beside the simulator must be the same battle, and a missed requirement must be said."""

from __future__ import annotations

from tests.bench import plain
from tests.bench.battles import team_battle
from tests.bench.simulation import NARRATED, PLAIN, judgements


def test_plain_battles_are_the_same_battles() -> None:
    """A peer that played by easier rules would compare nothing."""
    encounter, battles = team_battle(2, 2, 10), 20_000
    share, chance = plain.share(encounter, "red", battles, 1), encounter.win_chance("red")
    assert abs(share - float(chance)) < 4 * float(chance * (1 - chance) / battles) ** 0.5


def test_what_is_too_slow_is_said() -> None:
    """The rate is asked for beside plain Python, the ratio beside the narrated engine; telling need not be quick."""

    def met(simulated: float, narrated: float) -> list[bool]:
        return [line.met for line in judgements({"simulated": simulated, NARRATED: narrated, PLAIN: 1e4})]

    assert met(150_000, 1_000) == [True, True, True]
    assert met(90_000, 1_000) == [False, False, True]
    assert met(90_000, 10) == [False, True, True]
