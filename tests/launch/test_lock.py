"""The lock agrees with pyproject.toml and with itself, and names no host."""

from __future__ import annotations

import importlib.util
import re
import tomllib
from pathlib import Path
from types import ModuleType

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent.parent


def _load_lock() -> ModuleType:
    spec = importlib.util.spec_from_file_location("d20kit_lock", ROOT / "binder" / "lock.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


lock = _load_lock()


def text(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def versions(name: str) -> set[str]:
    """Return the pins of a file, without the markers, which depend on who else asks for the package."""
    return {pin.partition(";")[0].strip() for pin in lock.pins(text(name))}


@pytest.mark.parametrize("name", lock.FILES)
def test_lock_was_made_from_these_requirements(name: str) -> None:
    """A requirement that changes without ``python3 binder/lock.py`` would never be installed."""
    assert text(name).startswith(lock.header(ROOT / "pyproject.toml"))


@pytest.mark.parametrize("name", lock.FILES)
def test_lock_names_no_host(name: str) -> None:
    """Everybody's own pip or uv decides where packages come from."""
    assert "://" not in text(name)


def test_digest_follows_the_requirements_only(tmp_path: Path) -> None:
    """A new requirement changes the digest; a new description does not."""
    original = text("pyproject.toml")
    copy = tmp_path / "pyproject.toml"
    copy.write_text(original.replace("Learn and teach", "Teach and learn"), "utf-8")
    assert lock.requirements_digest(copy) == lock.requirements_digest(ROOT / "pyproject.toml")
    copy.write_text(original.replace('"sympy>=1.13"', '"sympy>=1.12"'), "utf-8")
    assert lock.requirements_digest(copy) != lock.requirements_digest(ROOT / "pyproject.toml")


@pytest.mark.parametrize("name", [name for name in lock.FILES if "/lock/" in name])
def test_every_pin_has_a_hash(name: str) -> None:
    """One package without a hash would let pip refuse the whole file, or a changed package in."""
    entries = re.split(r"\n(?=\S)", text(name).partition("\n")[2].strip())
    assert len(entries) == len(lock.pins(text(name))) > 50
    assert all("--hash=sha256:" in entry for entry in entries)


def test_smaller_locks_are_parts_of_the_larger() -> None:
    """One resolution: an environment can grow from ``lab`` to ``test`` without changing a version."""
    assert versions("binder/lock/lab.txt") < versions("binder/lock/test.txt") < versions("binder/lock/dev.txt")


def test_what_only_slows_the_start_is_left_out() -> None:
    """It would come back with the next lock if nobody asked, and every JupyterLab start two seconds later."""
    assert [name for name in lock.FILES if "rfc3987-syntax" in text(name)] == []


def test_every_requirement_is_locked() -> None:
    """What pyproject.toml asks for is in the file that is installed for it."""
    table = tomllib.loads(text("pyproject.toml"))
    project, groups = table["project"], table["dependency-groups"]
    extras = project["optional-dependencies"]
    needed = project["dependencies"] + extras["arrays"] + extras["widgets"] + extras["lab"] + groups["build"]
    included = [group for group in groups["test"] if isinstance(group, dict)]
    tested = [one for one in groups["test"] if isinstance(one, str)] + extras["dask"]
    tested += [one for group in included for one in groups[group["include-group"]]]
    for name, wanted in (("lab", needed), ("test", needed + tested)):
        pinned = {pin.partition("==")[0] for pin in versions(f"binder/lock/{name}.txt")}
        assert {re.split(r"[^\w-]", one)[0] for one in wanted} - {"d20kit"} <= pinned


SYSTEMS = {"linux": ("posix", "Linux"), "darwin": ("posix", "Darwin"), "win32": ("nt", "Windows")}


@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13", "3.14"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_lock_serves_every_python_and_system(python: str, system: str) -> None:
    """On each of them a package has one version, and whatever pyproject.toml asks for is among them and fits."""
    os_name, platform_system = SYSTEMS[system]
    where = {"python_version": python, "python_full_version": f"{python}.0", "sys_platform": system}
    where |= {"os_name": os_name, "platform_system": platform_system, "implementation_name": "cpython"}
    where |= {"platform_python_implementation": "CPython", "platform_machine": "x86_64", "extra": ""}
    table = tomllib.loads(text("pyproject.toml"))["project"]
    extras = table["optional-dependencies"]
    asked = [*table["dependencies"], *extras["arrays"], *extras["widgets"], *extras["lab"]]
    needed = [one for one in map(Requirement, asked) if one.name != "d20kit"]
    for name in ("binder/lock/lab.txt", "binder/lock/test.txt"):
        pins = [Requirement(pin) for pin in lock.pins(text(name))]
        here = [pin for pin in pins if pin.marker is None or pin.marker.evaluate(where)]
        names = [canonicalize_name(pin.name) for pin in here]
        assert len(names) == len(set(names))
        locked = {canonicalize_name(pin.name): str(pin.specifier).removeprefix("==") for pin in here}
        for one in needed:
            assert one.specifier.contains(locked[canonicalize_name(one.name)])


def test_classifiers_name_the_pythons_that_are_tried() -> None:
    """What the package promises is what the release workflow installs it on."""
    promised = re.findall(r"Python :: (3\.\d+)", text("pyproject.toml"))
    for workflow in ("ci.yml", "release.yml"):
        (tried,) = re.findall(r"python: \[(.*)\]", text(f".github/workflows/{workflow}"))
        assert re.findall(r"[\d.]+", tried) == promised


def test_build_requirements_are_locked_too() -> None:
    """The kit is installed without build isolation, so its build backend has to be in the environment already."""
    table = tomllib.loads(text("pyproject.toml"))
    assert set(table["build-system"]["requires"]) <= set(table["dependency-groups"]["build"])
