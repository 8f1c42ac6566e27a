"""Where a battle's dice come from."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from typing import Any

import pytest

from d20kit import Pmf
from d20kit.battle import ScriptedDice, SeededDice

FACES_OF_2024 = [16, 10, 14, 9, 8, 16, 14, 10, 17, 7]


def test_a_seed_gives_these_faces_forever() -> None:
    """Battles must be told again on every machine: the very faces of a seed are part of the promise."""
    dice = SeededDice(2024)
    assert [dice.die(20) for _ in range(10)] == FACES_OF_2024


def test_faces_do_not_depend_on_the_process() -> None:
    """Hash randomisation and a fresh interpreter must not change a seed's faces."""
    code = "from d20kit.battle import SeededDice; d = SeededDice(2024); print([d.die(20) for _ in range(10)])"
    for hash_seed in ("0", "1"):
        run = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": hash_seed, "PYTHONPATH": ":".join(filter(None, sys.path))},
        )
        assert run.stdout.strip() == str(FACES_OF_2024)


def test_every_face_is_as_likely() -> None:
    """A face that came up too rarely would bend every chance that the lessons check against battles."""
    dice = SeededDice(1)
    counts = Counter(dice.die(20) for _ in range(20_000))
    assert set(counts) == set(range(1, 21))
    chi_square = sum((count - 1000) ** 2 / 1000 for count in counts.values())
    assert chi_square < 43.8  # 19 degrees of freedom: exceeded once in a thousand seeds, and this seed is fixed


@pytest.mark.parametrize("seed", [None, "7", True, 1.5, -1, 2**63, float("nan"), [1]])
def test_odd_seeds_are_refused_with_a_sentence(seed: Any) -> None:
    """A battle without a clear seed could not be told again."""
    with pytest.raises(ValueError, match=r"seed is .* must be a whole number from 0 to .*; write fight\(1\)"):
        SeededDice(seed)


def test_a_script_gives_its_faces_in_order() -> None:
    """An instructor's script is followed to the letter."""
    dice = ScriptedDice([14, 4])
    assert (dice.die(20), dice.die(6)) == (14, 4)


def test_a_script_that_runs_out_says_so() -> None:
    """The message tells how long the script is and which die came next."""
    dice = ScriptedDice([14])
    dice.die(20)
    with pytest.raises(ValueError, match="the script has 1 faces, but a d6 is rolled after the last"):
        dice.die(6)


def test_a_face_that_the_die_does_not_have_is_refused() -> None:
    """A script that is one roll out of step must fail at once, not tell another battle."""
    with pytest.raises(ValueError, match=r"faces\[0\] is 14, but must be .* from 1 to 6; this roll is a d6"):
        ScriptedDice([14]).die(6)


def test_a_script_without_an_end_is_refused() -> None:
    """An iterable that never ends would be read for ever."""
    with pytest.raises(ValueError, match=r"^faces is .* at most 1000000 of them"):
        ScriptedDice(iter(lambda: 1, 2))


@pytest.mark.parametrize("faces", ["14", 14, [0], [2.5], [True], None])
def test_what_is_no_script_is_refused(faces: Any) -> None:
    """Faces are whole numbers from 1 up, in a list."""
    with pytest.raises(ValueError, match="faces"):
        ScriptedDice(faces)


def test_a_face_is_judged_by_the_die_that_is_rolled() -> None:
    """The script of a battle with a weighted damage has faces that no die on a table has, and tells it again."""
    weighted = Pmf({1: 999_999_999, 2: 1})
    assert weighted.roll(ScriptedDice([10**9])) == 2
    dice = ScriptedDice([14, 10**9])
    assert dice.die(20) == 14
    with pytest.raises(ValueError, match=r"^faces\[1\] is 1000000000, .* from 1 to 6; this roll is a d6"):
        dice.die(6)
