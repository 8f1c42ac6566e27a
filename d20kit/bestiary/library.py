"""Read the tables of this folder, once, and hand out what is asked for by name."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from d20kit.bestiary.creature import Creature, build
from d20kit.bestiary.weapon import ClassProgression, Weapon
from d20kit.check import one_of


def _table(file: str) -> dict[str, Any]:
    return tomllib.loads(files("d20kit.bestiary").joinpath(file).read_text(encoding="utf-8"))


@cache
def _creatures() -> dict[str, dict[str, Any]]:
    return _table("creatures.toml")


@cache
def _heroes() -> dict[str, dict[str, Any]]:
    return _table("heroes.toml")


@cache
def _weapons() -> dict[str, Weapon]:
    return {
        name: Weapon(
            name,
            training,
            use,
            tuple(row["damage"]),
            row["threat"],
            row["multiplier"],
            row["type"],
            row.get("range"),
        )
        for training, uses in _table("weapons.toml").items()
        for use, rows in uses.items()
        for name, row in rows.items()
    }


@cache
def _classes() -> dict[str, ClassProgression]:
    return {name: ClassProgression(name, **row) for name, row in _table("classes.toml").items()}


def names(kind: str = "all") -> tuple[str, ...]:
    """Return the names that :func:`load` knows.

    Parameters
    ----------
    kind : {"all", "creatures", "heroes"}
        Which of them.

    Examples
    --------
    >>> from d20kit.bestiary import names
    >>> names("heroes")
    ('fighter', 'rogue', 'cleric', 'wizard', 'ranger', 'barbarian')
    """
    one_of("kind", kind, ("all", "creatures", "heroes"))
    creatures = tuple(_creatures()) if kind != "heroes" else ()
    heroes = tuple(_heroes()) if kind != "creatures" else ()
    return creatures + heroes


@cache
def _built(name: str) -> Creature:
    return build(name, _creatures().get(name) or _heroes()[name], _weapons(), _classes())


def load(name: str) -> Creature:
    """Return a creature or ready hero by name.

    Raises
    ------
    ValueError
        If no creature has that name; the nearest name is offered.

    Examples
    --------
    >>> from d20kit.bestiary import load
    >>> goblin = load("goblin")
    >>> goblin.ac, goblin.touch_ac, goblin.flat_footed_ac
    (15, 12, 14)
    """
    return _built(one_of("name", name, names()))


def weapons() -> tuple[str, ...]:
    """Return the names that :func:`weapon` knows.

    >>> [name for name in weapons() if "longbow" in name]
    ['longbow', 'composite longbow']
    """
    return tuple(_weapons())


def weapon(name: str) -> Weapon:
    """Return one line of the weapon tables.

    Raises
    ------
    ValueError
        If no weapon has that name; the nearest name is offered.

    Examples
    --------
    >>> from d20kit.bestiary import weapon
    >>> weapon("longsword").dice("medium"), weapon("longsword").threat
    ('1d8', 19)
    """
    return _weapons()[one_of("weapon", name, _weapons())]


def classes() -> tuple[str, ...]:
    """Return the names that :func:`class_progression` knows.

    >>> classes()
    ('barbarian', 'bard', 'cleric', 'druid', 'fighter', 'monk', 'paladin', 'ranger', 'rogue', 'sorcerer', 'wizard')
    """
    return tuple(_classes())


def class_progression(name: str) -> ClassProgression:
    """Return hit die, attack and save progressions of one of the eleven base classes.

    Raises
    ------
    ValueError
        If no class has that name; the nearest name is offered.

    Examples
    --------
    >>> from d20kit.bestiary import class_progression
    >>> class_progression("rogue").attack
    'average'
    """
    return _classes()[one_of("class", name, _classes())]
