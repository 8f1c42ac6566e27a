"""What the guides for contributors say is so: the lines they quote, the files they name, the commands they give."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from tests.structure.modules import ROOT

GUIDES = [ROOT / ".github" / name for name in ("CONTRIBUTING.md", "SECURITY.md")]
TEXTS = {path.name: path.read_text("utf-8") for path in GUIDES}
# A quoted block says in its first line where its lines stand.
QUOTED = re.compile(r"```\w+\n(?:# |<!-- )([\w./-]+)(?: -->)?\n(.*?)```", re.DOTALL)
CODE = re.compile(r"`([^`\n]+)`")
MODULE = re.compile(r"python3? -m ([\w.]+)")
# Modules of other packages that a contributor runs.
TOOLS = {"pytest", "ruff", "mypy", "pre_commit", "pip"}
HOOKS = (ROOT / ".pre-commit-config.yaml").read_text("utf-8")


def named_files(text: str) -> list[str]:
    """Return what looks like a file or folder of the project."""
    words = [word for code in CODE.findall(text) for word in code.split()]
    return [word for word in words if re.fullmatch(r"\.?[\w-]+(/[\w.*-]+)+/?", word) and not word.startswith(".venv")]


@pytest.mark.parametrize(("file", "quoted"), QUOTED.findall(TEXTS["CONTRIBUTING.md"]))
def test_quoted_lines_stand_where_it_says(file: str, quoted: str) -> None:
    """Whoever follows the example looks for these lines."""
    lines = (ROOT / file).read_text("utf-8").splitlines()
    assert [line for line in quoted.splitlines() if line not in lines] == []


def test_the_example_goes_through_all_rooms() -> None:
    """A room that is left out is a room that is forgotten."""
    files = {Path(file).parts[0] for file, _quoted in QUOTED.findall(TEXTS["CONTRIBUTING.md"])}
    assert files == {"d20kit", "widgets", "notebooks", "tests"}


@pytest.mark.parametrize("name", TEXTS)
def test_named_files_are_there(name: str) -> None:
    """A file that has been renamed leaves its old name in the guides first of all."""
    names = named_files(TEXTS[name])
    assert len(names) > 10
    assert [one for one in names if not list(ROOT.glob(one.rstrip("/")))] == []


@pytest.mark.parametrize("text", [*TEXTS.values(), HOOKS], ids=[*TEXTS, "hooks"])
def test_commands_can_be_given(text: str) -> None:
    """A command of the project is a module of it, or of a tool that the locks bring."""
    modules = set(MODULE.findall(text)) - TOOLS
    assert modules
    for module in modules:
        place = ROOT.joinpath(*module.split("."))
        assert place.with_suffix(".py").is_file() or (place / "__main__.py").is_file(), module


def test_hooks_need_no_network_and_no_host() -> None:
    """They are the repository's own and run in the environment that the locks make."""
    assert re.findall(r"- repo: (\S+)", HOOKS) == ["local"]
    assert set(re.findall(r"language: (\S+)", HOOKS)) == {"system"}
    assert "://" not in HOOKS


def test_types_are_checked_as_strictly_as_can_be() -> None:
    """One configuration serves the hook, the workflow and whoever types the command."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["mypy"]
    assert settings["strict"] is True
    assert {"d20kit", "widgets/d20widgets", "notebooks", "tests"} <= set(settings["files"])
    assert "- run: mypy\n" in (ROOT / ".github" / "workflows" / "ci.yml").read_text("utf-8")
