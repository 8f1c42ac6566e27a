"""Which modules are mutated, and which tests have to notice."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

# The modules that the rules of each topic are written in.
TOPICS = {
    "attack": ("attack", "attack_bonus"),
    "armor_class": ("armor_class",),
    "damage": ("damage", "felling", "duel"),
    "hit_points": ("hit_points", "states", "chains"),
    "saves": ("saves",),
    "initiative": ("initiative", "turn_order", "order_chances", "order_table"),
}


@dataclass(frozen=True)
class Group:
    """Modules, by the names they have inside the kit, and the tests of all of them as pytest takes them.

    ``left_out`` are tests that cost more than all others together or start processes of their own.
    """

    name: str
    modules: tuple[str, ...]
    tests: tuple[str, ...]
    left_out: tuple[str, ...] = ()


def file_of(module: str) -> Path:
    """Return where a module stands.

    >>> file_of("battle.exact").as_posix()
    'd20kit/battle/exact.py'
    """
    return Path("d20kit", *module.split(".")).with_suffix(".py")


def groups(root: Path) -> list[Group]:
    """Return the rules and the battle, the rules first."""
    rules = tuple(module for modules in TOPICS.values() for module in modules)
    # a topic's own tests are called after it or after one of its modules, the others are about all rules at once
    tests = (*TOPICS, "felling", "chains")
    tests += ("cases", "explain", "identities", "odd_numbers", "refusals", "rules", "symbolic")
    files = sorted(root.glob("d20kit/battle/**/*.py"))
    battle = [".".join(file.relative_to(root / "d20kit").with_suffix("").parts) for file in files]
    return [
        Group(
            "rules",
            rules,
            (*(f"tests/core/test_{name}.py" for name in tests), *(f"d20kit/{name}.py" for name in rules)),
        ),
        Group(
            "battle",
            tuple(name for name in battle if not name.endswith("__init__")),
            ("tests/core/battle", "tests/launch/test_fight.py", "d20kit/battle"),
            (
                "test_exact_twin.py::test_three",
                "test_simulate.py::test_a_dask_cluster",
                "_in_every_process",
                "test_a_broken_pipe",
                "test_a_poor_terminal",
                "test_help_needs",
            ),
        ),
    ]


def chosen(names: Iterable[str], root: Path) -> list[tuple[Group, list[str]]]:
    """Return the groups with the modules that are asked for, all if none is.

    A topic stands for its modules, and so does a package.

    Raises
    ------
    ValueError
        If a name is none of them.
    """
    asked = [name.removeprefix("d20kit.") for name in names]
    wanted = tuple(module for name in asked for module in TOPICS.get(name, (name,)))
    every = groups(root)
    for name in wanted:
        if not any(_is_within(module, name) for group in every for module in group.modules):
            raise ValueError(
                f"{name} is none of the mutated modules: {', '.join(every[0].modules)}, battle or battle.MODULE"
            )
    found = []
    for group in every:
        modules = [module for module in group.modules if not wanted or any(_is_within(module, name) for name in wanted)]
        if modules:
            found.append((group, modules))
    return found


def _is_within(module: str, name: str) -> bool:
    return module == name or module.startswith(f"{name}.")
