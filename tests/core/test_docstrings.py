"""Every public name says what it is and shows it: a docstring with an example that is run as a test."""

from __future__ import annotations

import doctest
import functools
import inspect
import pkgutil
import re
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType
from typing import Any

import pytest

import d20kit

# The command line itself, and the hook that the package is built with.
NO_LIBRARY = {"d20kit.__main__", "d20kit.locale._build"}
# name -> why nothing can be shown of it in a doctest
NO_EXAMPLE = {
    "d20kit.launch.environment.ensure": "it makes an environment and installs packages into it",
    "d20kit.launch.pages_export.export": "it runs a whole lesson",
    "d20kit.launch.pages_run.run_lesson": "it runs a whole lesson",
    "d20kit.launch.site_build.build": "it fetches packages and builds the whole site",
    "d20kit.launch.site_distribution.browser_wheels": "it compiles every package of the site",
    "d20kit.launch.site_environment.run_there": "it makes an environment and installs packages into it",
    "d20kit.launch.site_reading.write": "it runs every lesson",
}
METHODS = (property, classmethod, staticmethod, functools.cached_property)


def modules() -> list[str]:
    """Return the names of all modules of the kit."""
    found = [module.name for module in pkgutil.walk_packages(d20kit.__path__, "d20kit.")]
    return sorted({"d20kit", *found} - NO_LIBRARY)


MODULES = modules()


def is_function(thing: Any) -> bool:
    """Whether it is a function, be it one that remembers what it has returned."""
    return inspect.isfunction(thing) or inspect.isfunction(getattr(thing, "__wrapped__", None))


def public(module: ModuleType) -> Iterator[tuple[str, Any]]:
    """Yield the public functions and classes that a module defines itself."""
    for name, thing in vars(module).items():
        own = getattr(thing, "__module__", None) == module.__name__
        if own and not name.startswith("_") and (inspect.isclass(thing) or is_function(thing)):
            yield f"{module.__name__}.{name}", thing


def methods(name: str, kind: type) -> Iterator[tuple[str, Any]]:
    """Yield the public methods and properties that a class defines itself."""
    fields = getattr(kind, "__dataclass_fields__", {})  # whose default may be a function
    for method, thing in vars(kind).items():
        own = not method.startswith("_") and method not in fields
        if own and (inspect.isfunction(thing) or isinstance(thing, METHODS)):
            yield f"{name}.{method}", getattr(kind, method)


def said(thing: Any) -> str:
    """Return a docstring that somebody wrote; a record without one is given its signature instead."""
    text = inspect.getdoc(thing) or ""
    return "" if inspect.isclass(thing) and text.startswith(f"{thing.__name__}(") else text


def parameters(text: str) -> list[str]:
    """Return the names that the section Parameters of a docstring describes."""
    section = re.search(r"^Parameters\n-+\n(.*?)(?=^\w[^\n]*\n-{3,}$|\Z)", text, re.MULTILINE | re.DOTALL)
    heads = re.findall(r"^([\w*][\w*, ]*?)(?: :.*)?$", section.group(1), re.MULTILINE) if section else []
    return [name.strip(" *") for head in heads for name in head.split(",")]


@pytest.mark.parametrize("module", MODULES)
def test_public_names_are_documented(module: str) -> None:
    """A name without a sentence that says what it is for can only be understood by reading its code."""
    named = list(public(import_module(module)))
    inside = [pair for name, thing in named if inspect.isclass(thing) for pair in methods(name, thing)]
    summaries = {name: said(thing).partition("\n\n")[0] for name, thing in named + inside}
    assert [name for name, summary in summaries.items() if not summary.endswith((".", "?"))] == []


@pytest.mark.parametrize("module", MODULES)
def test_public_names_are_shown(module: str) -> None:
    """An example says at a glance how a name is used, and as a doctest it stays true."""
    parser = doctest.DocTestParser()
    named = [(name, thing) for name, thing in public(import_module(module)) if name not in NO_EXAMPLE]
    assert [name for name, thing in named if not parser.get_examples(said(thing))] == []


@pytest.mark.parametrize("module", MODULES)
def test_described_parameters_are_those_of_the_signature(module: str) -> None:
    """A description of a parameter that does not exist, or the lack of one that does, leads its reader astray."""
    named = list(public(import_module(module)))
    inside = [pair for name, thing in named if inspect.isclass(thing) for pair in methods(name, thing)]
    wrong = {}
    for name, thing in named + inside:
        described = parameters(said(thing))
        if described and callable(thing):
            taken = [parameter for parameter in inspect.signature(thing).parameters if parameter != "self"]
            if sorted(described) != sorted(taken):
                wrong[name] = (described, taken)
    assert wrong == {}


def test_every_topic_is_looked_at() -> None:
    """The walk must reach packages inside packages, and what a class defines, or it proves nothing."""
    named = dict(pair for module in MODULES for pair in public(import_module(module)))
    assert {
        "d20kit.attack.hit_chance",
        "d20kit.battle.events.wounds.Bleeding",
        "d20kit.battle.solve.chain.Chain",
        "d20kit.battle.validate.expression",
        "d20kit.launch.process.Stopped",
    } <= named.keys()
    kind = named["d20kit.dice.Pmf"]
    assert {"d20kit.dice.Pmf.mixture", "d20kit.dice.Pmf.roll"} <= dict(methods("d20kit.dice.Pmf", kind)).keys()


@pytest.mark.parametrize("name", NO_EXAMPLE)
def test_names_without_an_example_need_none(name: str) -> None:
    """The list of exceptions must not outlive what it excuses."""
    module, _dot, own = name.rpartition(".")
    assert not doctest.DocTestParser().get_examples(said(getattr(import_module(module), own)))


def test_parameters_are_read_as_they_are_written() -> None:
    """The comparison with signatures needs every name of a section, however it stands there."""
    text = "Say.\n\nParameters\n----------\na, b : int\n    Two.\n**rest\n    More: all.\n\nReturns\n-------\nint\n"
    assert parameters(text) == ["a", "b", "rest"]
    assert parameters("Say.") == []
