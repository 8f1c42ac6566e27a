"""What is published: the sdist builds the wheel, the wheel brings all it needs, and a clean environment runs it."""

from __future__ import annotations

import email
import gettext
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest

from d20kit import __version__
from d20kit.launch.checkout import PACKAGE, find_checkout
from tests.launch.asking import direct
from tests.launch.layers import layered

ROOT = PACKAGE.parent
NAME = f"d20kit-{__version__}"
PARTS = ("d20kit", "widgets", "tests", "notebooks", "binder", ".ci", ".github")
FILES = ("pyproject.toml", "README.md", "LICENSE", ".gitignore")
CACHES = shutil.ignore_patterns("__pycache__", ".*_cache", ".ipynb_checkpoints", "*.mo")


def build(target: str, source: Path, out: Path) -> Path:
    """Build one thing with the backend that pip and uv would call."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(out)]
    run = subprocess.run(command, cwd=source, capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    return next(out.iterdir())


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the unpacked sdist, built from a copy that somebody has worked in."""
    copy = tmp_path_factory.mktemp("copy")
    for part in PARTS:
        shutil.copytree(ROOT / part, copy / part, ignore=CACHES)
    for file in FILES:
        shutil.copy(ROOT / file, copy)
    for litter in ("notebooks/en/.ipynb_checkpoints/00-start-checkpoint.ipynb", "d20kit/__pycache__/dice.pyc"):
        (copy / litter).parent.mkdir()
        (copy / litter).write_text("litter")
    packed = build("sdist", copy, tmp_path_factory.mktemp("sdist"))
    place = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(packed) as archive:
        archive.extractall(place)
    return place / NAME


@pytest.fixture(scope="module")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the wheel, built from the sdist as somebody without a wheel for their system would."""
    return build("wheel", sdist, tmp_path_factory.mktemp("wheel"))


def test_sdist_is_a_whole_copy_of_the_sources(sdist: Path) -> None:
    """Whoever gets the sources this way can start, test and lock the kit as in a clone."""
    checkout = find_checkout(sdist / "d20kit")
    assert checkout is not None
    for profile in ("lab", "test"):
        assert checkout.lock(profile).is_file()
    missing = [
        path
        for part in PARTS
        for path in (ROOT / part).rglob("*.*")
        if path.suffix in (".py", ".ipynb", ".md", ".po", ".js", ".css", ".toml", ".txt", ".yml")
        and not {"__pycache__", ".ipynb_checkpoints", "node_modules"} & set(path.parts)
        and not (sdist / path.relative_to(ROOT)).is_file()
    ]
    assert missing == []
    assert not list(sdist.rglob("*checkpoint*"))


def test_wheel_brings_all_and_nothing_else(wheel: Path) -> None:
    """Lessons in both languages, texts, bestiary, plotly and the notices; no tests, no litter, no build script."""
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {name.partition("/")[0] for name in names} == {"d20kit", "d20widgets", f"{NAME}.dist-info"}
    expected = {
        *(f"d20kit/course/{file.relative_to(ROOT / 'notebooks').as_posix()}" for file in course()),
        *(path.relative_to(ROOT).as_posix() for path in (ROOT / "d20kit").rglob("*.*")),
        *(path.relative_to(ROOT / "widgets").as_posix() for path in (ROOT / "widgets").rglob("*.*")),
        "d20kit/locale/id/LC_MESSAGES/d20kit.mo",
        f"{NAME}.dist-info/licenses/LICENSE",
        f"{NAME}.dist-info/licenses/d20kit/bestiary/OGL.txt",
        f"{NAME}.dist-info/licenses/widgets/d20widgets/static/plotly-basic.LICENSE",
    }
    tools = {"d20kit/locale/_build.py", "d20kit/locale/messages.py"}
    expected = {name for name in expected if "__pycache__" not in name} - tools
    assert expected - names == set()
    assert {name for name in names - expected if not name.startswith(f"{NAME}.dist-info/")} == set()


def course() -> list[Path]:
    """Return every lesson and page of the course."""
    kinds = (".ipynb", ".md")
    return [path for code in ("en", "id") for path in (ROOT / "notebooks" / code).iterdir() if path.suffix in kinds]


def test_wheel_speaks_and_knows_its_licences(wheel: Path) -> None:
    """The compiled texts load, the lessons are the same to the byte, and both licences are named."""
    with zipfile.ZipFile(wheel) as archive:
        texts = gettext.GNUTranslations(io.BytesIO(archive.read("d20kit/locale/id/LC_MESSAGES/d20kit.mo")))
        assert texts.gettext("Chance to hit") != "Chance to hit"
        for file in course():
            assert archive.read(f"d20kit/course/{file.parent.name}/{file.name}") == file.read_bytes()
        metadata = archive.read(f"{NAME}.dist-info/METADATA").decode()
    assert "License-Expression: MIT AND LicenseRef-OGL-1.0a\n" in metadata
    assert "Requires-Python: >=3.11\n" in metadata


def links(text: str) -> list[tuple[str, str]]:
    """Return what every link and image of a text leads to, images marked as in it."""
    return re.findall(r"(!\[[^\]]*)?\]\(([^)\s]+)\)", text)


def test_readme_leads_out_of_the_package(wheel: Path) -> None:
    """A package index shows the README without the files around it: there a relative link is dead, an image a hole."""
    with zipfile.ZipFile(wheel) as archive:
        metadata = email.message_from_bytes(archive.read(f"{NAME}.dist-info/METADATA"))
    assert metadata["Description-Content-Type"] == "text/markdown"
    given, shown = links((ROOT / "README.md").read_text("utf-8")), links(str(metadata.get_payload()))
    assert len(given) == len(shown) > 30
    source = next(url.split(", ")[1] for url in metadata.get_all("Project-URL", []) if url.startswith("Source, "))
    inside = 0
    for (image, target), (_same, address) in zip(given, shown, strict=True):
        if "://" in target:
            assert address == target
        else:
            assert (ROOT / target).is_file()
            assert address == f"{source}/{'raw' if image else 'blob'}/v{__version__}/{target}"
            inside += 1
    assert inside > 10


def install(wheel: Path, python: Path) -> None:
    """Install the wheel with uv or pip, without a network."""
    uv = shutil.which("uv")
    tool = [uv, "pip", "install", "--python", str(python)] if uv else [sys.executable, "-m", "pip", "--python"]
    command = tool if uv else [*tool, str(python), "install", "--no-compile"]
    run = subprocess.run([*command, "--no-deps", "--no-index", str(wheel)], capture_output=True, text=True)
    if "No module named pip" in run.stderr:
        pytest.skip("neither uv nor pip is here to install a wheel")
    assert run.returncode == 0, run.stderr


class Installed:
    """The kit, installed from its wheel, and a learner with an empty folder."""

    def __init__(self, python: Path, folder: Path, home: Path) -> None:
        self.script, self.python, self.folder = python.with_name("d20kit"), python, folder
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "JUPYTER", "XDG"))}
        self.env = kept | {"HOME": str(home), "D20KIT_LANG": "en"}

    def run(self, *command: str | Path) -> subprocess.CompletedProcess[str]:
        words = [str(word) for word in command]
        return subprocess.run(words, cwd=self.folder, env=self.env, capture_output=True, text=True, timeout=200)

    def lab(self) -> list[str]:
        """Start the lab as a learner does, ask for the first lesson, end it, and return what was said."""
        command = [str(self.script), "lab", "--no-browser"]
        pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
        with subprocess.Popen(command, cwd=self.folder, env=self.env, **pipes) as start:
            said = []
            assert start.stdout is not None
            for line in start.stdout:
                said.append(line.strip())
                if named := re.search(r"the whole address is in: (.+)$", line):
                    url = Path(named[1]).read_text("utf-8").strip()
                    with direct.open(url, timeout=60) as got:
                        assert got.status == 200
                    start.send_signal(signal.SIGINT)
        assert start.returncode == 130, said
        return said


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Return the kit as pip or pipx would install it: the wheel, in an environment that has no other copy of it."""
    if os.name == "nt":
        pytest.skip("links need a right on Windows that few have")
    place = tmp_path_factory.mktemp("with space")
    python = layered(place / "environment")
    install(wheel, python)
    for name in ("own folder", "home"):
        (place / name).mkdir()
    return Installed(python, place / "own folder", place / "home")


def test_installed_kit_is_the_one_of_the_wheel(installed: Installed) -> None:
    """Otherwise the tests below would test the sources."""
    run = installed.run(
        installed.python, "-c", "import d20kit, d20widgets; print(d20kit.__file__, d20widgets.__file__)"
    )
    places = run.stdout.split(".py ")
    assert len(places) == 2, run.stderr
    assert all(str(installed.python.parent.parent) in place for place in places)


@pytest.mark.parametrize("module", [False, True])
def test_installed_commands_work(installed: Installed, module: bool) -> None:
    """The command that pipx runs, and ``python -m d20kit``: version, help, and a battle with its exact odds."""
    command = (installed.python, "-m", "d20kit") if module else (installed.script,)
    assert installed.run(*command, "--version").stdout == f"d20kit {__version__}\n"
    assert "doctor" in installed.run(*command, "--help").stdout
    battle = installed.run(*command, "fight", "ambush", "--seed", "1")
    assert (battle.returncode, battle.stderr) == (0, "")
    assert battle.stdout.count("%") >= 2


def test_installed_kit_speaks_indonesian(installed: Installed) -> None:
    """The texts were compiled when the wheel was built, and the installed kit finds them."""
    words = [str(installed.python), "-c", "from d20kit.language import _; print(_('Chance to hit'))"]
    said = subprocess.run(words, env=installed.env | {"D20KIT_LANG": "id"}, capture_output=True, text=True).stdout
    assert said.strip() not in ("", "Chance to hit")


def test_installed_kit_is_well(installed: Installed) -> None:
    """The doctor looks at the installed kit, its lessons and texts, a real kernel and the widgets of JupyterLab."""
    run = installed.run(installed.script, "doctor", "--json")
    report = json.loads(run.stdout)
    assert [check for check in report["checks"] if check["state"] not in ("ok", "note")] == []
    assert run.returncode == 0


def test_one_command_reaches_a_running_lesson(installed: Installed) -> None:
    """In an empty folder the lab brings the lessons and serves the first; the second start leaves work alone."""
    first = installed.lab()
    assert first[0] == f"The lessons are now in {installed.folder / 'notebooks'}."
    assert sorted(path.name for path in (installed.folder / "notebooks").iterdir()) == ["en", "id"]
    lesson = installed.folder / "notebooks" / "en" / "01-attack.ipynb"
    run = installed.run(installed.python, "-c", "from nbclient.cli import main; main()", "--inplace", lesson)
    assert run.returncode == 0, run.stderr
    work = lesson.read_bytes()
    second = installed.lab()
    assert second[0].startswith("These files are as you left them, not as the kit brings them: en/01-attack.ipynb.")
    assert lesson.read_bytes() == work
