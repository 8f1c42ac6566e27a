"""The mutants themselves: what may be changed, what may not, and that every judgement is about one that exists."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

from d20kit.rule import all_rules
from tests.mutation import judged
from tests.mutation.baseline import PROBE, probed
from tests.mutation.finder import find
from tests.mutation.groups import TOPICS, chosen, file_of, groups
from tests.mutation.mutant import Mutant
from tests.mutation.trial import Loaded, forked

ROOT = Path(__file__).resolve().parents[2]
MODULES = [module for group in groups(ROOT) for module in group.modules]
SOURCE = '''"""At least 1."""
from functools import cache

LIMIT: "1 < 2" = 10

class Odd:
    """More than 1."""
    size = 3

@cache
@rule(title="Half", units="points")
def half(total: "1 + 1", most=LIMIT - 4) -> "2 + 2":
    """Halve 1 + 1."""
    if total > most:
        raise ValueError("more than 6" + str(total + 1))
    return (lambda part: part // 2)(
        total
        + 1
    )
'''


def mutants_of(module: str) -> list[Mutant]:
    """All mutants of a module of the kit."""
    return find(module, (ROOT / file_of(module)).read_text(encoding="utf-8"))


def test_only_what_is_calculated_changes() -> None:
    """Words and annotations decide nothing, so changing them would only say that somebody tests words."""
    changes = {(mutant.before, mutant.after) for mutant in find("half", SOURCE)}
    assert ("total > most", "total >= most") in changes
    assert ("LIMIT - 4", "LIMIT + 4") in changes
    assert ("10", "11") in changes
    assert ("3", "2") in changes
    assert ("part // 2", "part * 2") in changes
    assert not any("1 < 2" in before or "1 + 1" in before or "2 + 2" in before for before, _after in changes)
    assert ('units="points"', "**{}") in changes
    assert not any("Half" in before for before, _after in changes)
    assert [after for before, after in changes if "more than 6" in before] == ["pass"]


def test_every_mutant_is_a_module_of_as_many_lines() -> None:
    """The tests that reach a line are found by its number, so a change may not move the lines below it."""
    for mutant in find("half", SOURCE):
        changed = mutant.apply(SOURCE)
        compile(changed, "half.py", "exec")
        assert changed != SOURCE
        assert changed.count("\n") == SOURCE.count("\n")


@pytest.mark.parametrize("module", MODULES)
def test_ids_name_one_mutant(module: str) -> None:
    """Judgements are kept by id: two mutants of one id would share theirs."""
    ids = [mutant.id for mutant in mutants_of(module)]
    assert len(set(ids)) == len(ids)


def test_ids_outlive_changes_elsewhere() -> None:
    """Whoever adds a line to one function should not have to judge those of all others again."""
    ids = {mutant.id for mutant in find("half", SOURCE)}
    later = SOURCE.replace("class Odd", "def other(a):\n    return a + 1\n\nclass Odd")
    assert ids < {mutant.id for mutant in find("half", later)}


@pytest.mark.parametrize("name", [judged.EQUIVALENT, judged.SURVIVORS])
def test_judgements_are_about_mutants_that_exist(name: str) -> None:
    """A judgement about code that has changed since would excuse nothing, or the wrong thing."""
    there = {mutant.id: mutant for module in MODULES for mutant in mutants_of(module)}
    for one in judged.read(name):
        assert one.id in there, f"{one.id} of {name} is gone: judge {one.module}.{one.where} again"
        assert (one.where, one.change) == (there[one.id].where, there[one.id].change())
        assert len(one.reason.split()) >= 4


def test_no_mutant_is_judged_twice() -> None:
    """It is either the same as the original or it is not."""
    ids = [one.id for name in (judged.EQUIVALENT, judged.SURVIVORS) for one in judged.read(name)]
    assert len(set(ids)) == len(ids)


def test_modules_are_chosen_by_name() -> None:
    """A topic and a package stand for their modules, and a slip of the pen is told."""
    assert [(group.name, modules) for group, modules in chosen(["saves"], ROOT)] == [("rules", ["saves"])]
    assert [modules for _group, modules in chosen(["attack", "duel"], ROOT)] == [["attack", "attack_bonus", "duel"]]
    (battle,) = chosen(["battle.vector", "d20kit.battle.exact"], ROOT)
    assert "battle.exact" in battle[1]
    assert {module.rpartition(".")[0] for module in battle[1]} == {"battle", "battle.vector"}
    with pytest.raises(ValueError, match="batle is none of the mutated modules: attack, attack_bonus"):
        chosen(["batle"], ROOT)


def test_rules_are_mutated_with_their_topic() -> None:
    """A rule that moves into a module of its own must not drop out of the score of its topic."""
    homes = {name.partition(".")[0]: set[str]() for name in all_rules()}
    for name, card in all_rules().items():
        homes[name.partition(".")[0]].add(card.function.__module__.removeprefix("d20kit."))
    assert set(homes) - set(TOPICS) == {"abilities"}
    assert all(homes[topic] <= set(modules) for topic, modules in TOPICS.items())


def test_loaded_functions_are_exchanged(tmp_path: Path) -> None:
    """A function may be held by a cache or another module: it must change there too, and its cache be empty."""
    path = str(tmp_path / "half.py")
    names: dict[str, Any] = {"rule": lambda **_card: lambda function: function}
    exec(compile(SOURCE, path, "exec"), names)
    half = names["half"]
    held: FunctionType = half.__wrapped__
    assert half(5) == held(5) == 3
    (mutant,) = (one for one in find("half", SOURCE) if (one.before, one.after) == ("2", "3"))
    assert Loaded([path]).exchange(path, mutant.apply(SOURCE))
    assert half(5) == held(5) == 2


def fall() -> str:
    """End the process."""
    os.kill(os.getpid(), signal.SIGTERM)
    return "still there"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
@pytest.mark.parametrize(
    ("work", "said"),
    [
        (lambda: "caught", "caught"),
        (fall, "crash"),
        (lambda: str(sum(iter(int, 1))), "time"),
    ],
    ids=["caught", "crash", "time"],
)
def test_a_mutant_that_ends_its_process_is_told(work: Callable[[], str], said: str) -> None:
    """A change may make a loop endless or the interpreter fall: that is a difference that tests notice."""
    assert forked(work, 0) == said


def test_functions_tell_what_they_reach() -> None:
    """A mutant is tried only by tests that reach it, so no branch and no inner function may be silent."""
    inside = "    def g():\n        return b\n    return g()\n"
    source = f"def f(a):\n    if a:\n        return 1\n    else:\n        b = [\n            2]\n{inside}"
    lines: list[int] = []
    names: dict[str, Any] = {PROBE: lambda _module, line: lines.append(line)}
    exec(compile(probed("f", source), "f.py", "exec"), names)
    assert names["f"](1) == 1
    assert lines == [2, 3]
    lines.clear()
    assert names["f"](0) == [2]
    assert lines == [2, 5, 7, 9, 8]
