"""What is timed beside the simulator must be the same battle, and a missed requirement must be said."""

from __future__ import annotations

from tests.bench import plain
from tests.bench.battles import team_battle
from tests.bench.simulation import missed


def test_plain_battles_are_the_same_battles() -> None:
    """A peer that played by easier rules would compare nothing."""
    encounter, battles = team_battle(2, 2, 10), 20_000
    share, chance = plain.share(encounter, "red", battles, 1), encounter.win_chance("red")
    assert abs(share - float(chance)) < 4 * float(chance * (1 - chance) / battles) ** 0.5


def test_what_is_too_slow_is_said() -> None:
    """Rate and ratio are asked for separately."""
    assert missed({"simulated": 150_000, "narrated": 1_000}) == []
    assert len(missed({"simulated": 90_000, "narrated": 1_000})) == 2
    assert missed({"simulated": 90_000, "narrated": 10}) == ["90,000 battles a second, but must be 100,000"]
