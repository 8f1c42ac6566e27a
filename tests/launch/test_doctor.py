"""The doctor finds each thing that can be wrong, by that thing being wrong, and names what mends it."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import os
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from d20kit.launch import doctor, doctor_checks, doctor_environment, lab
from d20kit.launch.checkout import PACKAGE, Checkout, base_python, digest, python_tag
from d20kit.launch.doctor_checks import CHECKS, examine
from d20kit.launch.doctor_findings import Finding, Patient
from d20kit.launch.environment import STAMP
from d20kit.launch.problems import Problem
from tests.catalogue import compile_catalogue
from tests.launch.layers import layered

ROOT = PACKAGE.parent
_MANAGER = "@jupyter-widgets/jupyterlab-manager"
AGAIN = "python3 -m d20kit doctor --mend"
pytestmark = pytest.mark.skipif(os.name == "nt", reason="links need a right on Windows that few have")


def write_lock(kit: Checkout, *more: str) -> None:
    """Lock what is installed here, and what other systems and Pythons would have."""
    own = [f"{name}=={importlib.metadata.version(name)}" for name in ("sympy", "python-flint", "ipywidgets")]
    elsewhere = ["appnope==1.0.0 ; sys_platform == 'darwin'", "numpy==0.1 ; python_version < '3'"]
    here = f"numpy=={importlib.metadata.version('numpy')} ; python_version >= '3'"
    lines = [*own, *elsewhere, here, *more]
    hashed = "".join(f"{line} \\\n    --hash=sha256:{'0' * 64}\n" for line in lines)
    for profile in ("lab", "test"):
        kit.lock(profile).write_text(hashed)
    stamp(kit)


def stamp(checkout: Checkout, **different: str) -> None:
    ready = {"state": "ready", "profile": "lab", "python": python_tag(), "lock": digest(checkout.lock("lab"))}
    (checkout.venv / STAMP).write_text(json.dumps(ready | {"kit": checkout.kit_digest()} | different))


@pytest.fixture
def whole(tmp_path: Path) -> Checkout:
    """Return a copy of the sources, in a folder with a space in its name, whose environment is whole."""
    kit = Checkout(tmp_path / "with space")
    kit.lock("lab").parent.mkdir(parents=True)
    shutil.copy(ROOT / "pyproject.toml", kit.root)
    shutil.copytree(ROOT / "notebooks", kit.root / "notebooks", ignore=shutil.ignore_patterns("*.py"))
    layered(kit.venv, ROOT, ROOT / "widgets")
    write_lock(kit)
    return kit


@pytest.fixture(autouse=True)
def compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the compiled texts: whether those of this copy are compiled depends on who runs the tests."""
    folder = compile_catalogue(tmp_path / "locale")
    monkeypatch.setattr(doctor_checks, "_LOCALE", folder)
    return folder / "id" / "LC_MESSAGES" / "d20kit.mo"


def look(kit: Checkout | None, name: str) -> Finding:
    return examine(name, CHECKS[name], Patient(kit))


def test_a_whole_kit_is_well(
    whole: Checkout, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every check really looks: in a kit where all is right each says so, and the exit code is 0."""
    monkeypatch.setattr(doctor, "find_checkout", lambda: whole)
    monkeypatch.setattr(doctor_checks, "has_screen", lambda: False)
    assert doctor.run(["--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["ok"] is True
    assert report["folder"] == str(whole.root)
    states = {check["name"]: check["state"] for check in report["checks"]}
    assert states == dict.fromkeys(CHECKS, "ok") | {"browser": "note"}


def no_environment(kit: Checkout) -> None:
    shutil.rmtree(kit.venv)


def foreign_environment(kit: Checkout) -> None:
    (kit.venv / STAMP).unlink()


def unfinished(kit: Checkout) -> None:
    stamp(kit, state="unfinished")


def of_another_python(kit: Checkout) -> None:
    stamp(kit, python="cpython-310")


def no_interpreter(kit: Checkout) -> None:
    kit.python.unlink()


def older_than_the_lock(kit: Checkout) -> None:
    stamp(kit, lock="0")


def older_than_the_kit(kit: Checkout) -> None:
    stamp(kit, kit="0")


def no_lock(kit: Checkout) -> None:
    kit.lock("lab").unlink()


def folder_for_guard(kit: Checkout) -> None:
    kit.guard.mkdir()


def wrong_version(kit: Checkout) -> None:
    write_lock(kit, "lark==0.1")


def missing_package(kit: Checkout) -> None:
    write_lock(kit, "Not_There==1.0")


def missing_lesson(kit: Checkout) -> None:
    (kit.root / "notebooks" / "id" / "04-hit-points.ipynb").unlink()


def no_lessons(kit: Checkout) -> None:
    shutil.rmtree(kit.root / "notebooks")


def broken_pictures(kit: Checkout) -> None:
    package = kit.root / "broken" / "d20widgets"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise ImportError('half a file')")
    layered(kit.venv, ROOT, package.parent)


def kernel_of_another_python(kit: Checkout) -> None:
    folder = kit.venv / "share" / "jupyter" / "kernels" / "python3"
    folder.unlink()
    folder.mkdir()
    other = layered(kit.root / "other", ROOT, ROOT / "widgets")
    argv = [str(other), "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    (folder / "kernel.json").write_text(json.dumps({"argv": argv, "display_name": "Other", "language": "python"}))


def kernel_that_dies(kit: Checkout) -> None:
    kernel_of_another_python(kit)
    spec = kit.venv / "share" / "jupyter" / "kernels" / "python3" / "kernel.json"
    spec.write_text(json.dumps({"argv": [sys.executable, "-c", ""], "display_name": "Dead", "language": "python"}))


def no_widgets(kit: Checkout) -> None:
    (kit.venv / "share" / "jupyter" / "labextensions" / "@jupyter-widgets").unlink()


def no_anywidget(kit: Checkout) -> None:
    (kit.venv / "share" / "jupyter" / "labextensions" / "anywidget").unlink()


def widgets_off(kit: Checkout) -> None:
    settings = kit.venv / "etc" / "jupyter" / "labconfig"
    settings.mkdir(parents=True)
    off = {"disabledExtensions": {f"{_MANAGER}:plugin": True, "anywidget": False}}
    (settings / "page_config.json").write_text(json.dumps(off))


@pytest.mark.parametrize(
    ("damage", "name", "said", "mend"),
    [
        (foreign_environment, "environment", "was not made by the kit", "python3 -m d20kit lab"),
        (unfinished, "environment", "is unfinished, broken or of another", "python3 -m d20kit lab"),
        (of_another_python, "environment", "is unfinished, broken or of another", "python3 -m d20kit lab"),
        (no_interpreter, "environment", "is unfinished, broken or of another", "python3 -m d20kit lab"),
        (older_than_the_lock, "environment", "is older than this copy", "python3 -m d20kit lab"),
        (older_than_the_kit, "environment", "is older than this copy", "python3 -m d20kit lab"),
        (no_lock, "environment", "lab.txt is missing", "git restore binder"),
        (folder_for_guard, "environment", ".venv.lock is a folder", "rmdir '{root}/.venv.lock'"),
        (wrong_version, "versions", "lark is 1.", AGAIN),
        (missing_package, "versions", "needs: not-there is missing", AGAIN),
        (missing_lesson, "lessons", "en 9, id 8", "git restore notebooks"),
        (no_lessons, "lessons", "en 0, id 0", "git restore notebooks"),
        (broken_pictures, "kernel", "ImportError: half a file", AGAIN),
        (kernel_of_another_python, "kernel", "another Python, {root}/other/bin/python", AGAIN),
        (kernel_that_dies, "kernel", "Kernel died", AGAIN),
        (no_widgets, "widgets in Lab", f"does not find {_MANAGER}", AGAIN),
        (no_anywidget, "widgets in Lab", "does not find anywidget", AGAIN),
        (
            widgets_off,
            "widgets in Lab",
            "switched off",
            f"labextension enable {_MANAGER}:plugin",
        ),
    ],
)
def test_what_is_wrong_is_found(
    whole: Checkout, damage: Callable[[Checkout], None], name: str, said: str, mend: str
) -> None:
    """Each damage is found by its own check, and answered with the command that mends it."""
    damage(whole)
    found = look(whole, name)
    assert found.state == "wrong"
    assert said.format(root=whole.root) in found.said
    assert found.mend.endswith(mend.format(root=whole.root))


def test_without_an_environment_nothing_in_it_is_looked_at(whole: Checkout) -> None:
    """One cause must not look like four, and before the first start it is no illness at all."""
    no_environment(whole)
    found = look(whole, "environment")
    assert (found.state, found.mend) == ("note", "")
    assert found.said.endswith("is not made yet: 'python3 -m d20kit lab' makes it")
    assert [look(whole, name).state for name in ("versions", "kernel", "widgets in Lab")] == ["skipped"] * 3


def test_python_without_venv_is_found(whole: Checkout, monkeypatch: pytest.MonkeyPatch) -> None:
    """On Debian the environment cannot be made before another package is there: that comes first."""
    no_environment(whole)
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert look(whole, "environment").mend == "sudo apt install python3-venv"


@pytest.mark.parametrize("text", [None, b"", b"\xde\x12\x04\x95 not whole"])
def test_texts_that_are_not_compiled_are_found(whole: Checkout, compiled: Path, text: bytes | None) -> None:
    """Without them an Indonesian class would get English, and nobody would know why."""
    compiled.unlink() if text is None else compiled.write_bytes(text)
    found = look(whole, "catalogue")
    assert (found.state, found.mend) == ("wrong", AGAIN)
    assert found.said.endswith("id")


def test_a_fresh_copy_has_nothing_wrong(whole: Checkout, compiled: Path) -> None:
    """Texts are compiled as the environment is made: who asks first must not be told to mend what is still to come."""
    no_environment(whole)
    compiled.unlink()
    states = {name: look(whole, name).state for name in ("environment", "catalogue")}
    assert states == {"environment": "note", "catalogue": "skipped"}


def test_a_full_disk_is_found(whole: Checkout, monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment that is still to be made needs more than one that is there."""
    monkeypatch.setattr(shutil, "disk_usage", lambda path: (10**12, 0, 300_000_000))
    assert look(whole, "disk space").state == "ok"
    no_environment(whole)
    found = look(whole, "disk space")
    assert (found.state, found.said) == ("wrong", "only 300 MB are free, and the kit needs 700 MB")


@pytest.mark.parametrize("place", ["", "notebooks/en", None])
def test_folders_of_others_are_found(whole: Checkout, monkeypatch: pytest.MonkeyPatch, place: str | None) -> None:
    """A learner's work would be lost in a folder where it cannot be saved."""
    real = tempfile.TemporaryFile

    def refuse(dir: Path | None = None) -> Any:
        if dir == (None if place is None else whole.root / place):
            raise PermissionError(13, "Permission denied")
        return real(dir=dir)

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    found = look(whole, "write access")
    assert found.state == "wrong"
    assert found.mend == (f"cp -r '{whole.root}' ~/d20kit && cd ~/d20kit" if place is not None else "export TMPDIR=~")


def test_a_machine_without_a_free_port_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command that mends it names a port that is free."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        monkeypatch.setattr(lab, "_PORTS", range(taken, taken + 1))
        found = look(None, "port")
    assert found.state == "wrong"
    assert lab.port_is_free(int(found.mend.removeprefix("python3 -m d20kit lab --port ")))


@pytest.mark.skipif(sys.platform != "linux", reason="other systems always have a browser")
def test_a_screen_without_a_browser_is_found(tmp_path: Path) -> None:
    """A desktop without any browser cannot show a lesson; a machine without a screen need not."""
    code = "from d20kit.launch.doctor_checks import *; print(check_browser(Patient(None)).state)"
    states = []
    for screen in (":0", ""):
        env = {"PATH": "", "DISPLAY": screen, "PYTHONPATH": str(ROOT), "HOME": str(tmp_path)}
        done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)
        states.append(done.stdout.strip() or done.stderr)
    assert states == ["wrong", "note"]


def test_a_check_that_fails_is_a_finding() -> None:
    """Whatever a broken machine throws, the other checks still answer."""

    def ill(patient: Patient) -> Finding:
        raise RuntimeError("unforeseen")

    found = examine("port", ill, Patient(None))
    assert (found.state, found.said) == ("wrong", "the check itself failed: RuntimeError: unforeseen")


def test_a_kernel_that_never_answers_is_not_waited_for(whole: Checkout, monkeypatch: pytest.MonkeyPatch) -> None:
    """The doctor ends even where Python hangs."""
    monkeypatch.setattr(doctor_environment, "_SECONDS", 0)
    found = look(whole, "kernel")
    assert (found.state, found.said) == ("wrong", "no answer within 0 seconds")


@pytest.mark.parametrize(
    ("installed", "said"),
    [({"sympy": "1.12", "lark": "1.2.2"}, ["sympy is 1.12, not >=1.13"]), ({"sympy": "1.13"}, ["lark is missing"])],
)
def test_an_installed_kit_is_held_against_what_it_asks_for(installed: dict[str, str], said: list[str]) -> None:
    """Without a lock the requirements of the package decide; those of extras nobody needs for the lab do not."""
    asked = ["lark>=1.2", "sympy>=1.13", 'd20kit[arrays]; extra == "lab"', 'distributed>=2025.1; extra == "dask"']
    asked.append("lark>=1.2; extra == 'lab'")
    assert doctor_environment._against_requirements(installed, asked) == (said, 2)


@pytest.mark.parametrize(("version", "fits"), [("4.4.0", True), ("4.10.1", True), ("4.3.9", False), ("5.0.0a1", False)])
def test_ranges_are_compared_as_numbers(version: str, fits: bool) -> None:
    """4.10 comes after 4.4, and 5 no longer fits."""
    assert doctor_environment._satisfies(version, "<5,>=4.4") is fits


@pytest.mark.parametrize(
    ("missing", "tool"), [("jupyterlab", f"{shlex.quote(sys.executable)} -m pip"), ("pip", "uv pip install")]
)
def test_an_installed_kit_without_the_lab_is_one_thing_wrong(
    missing: str, tool: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever installed the rules alone learns the one command that adds the rest, with the tool that is there."""
    absent = {"jupyterlab", missing}
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name in absent else object())
    monkeypatch.setattr(doctor, "find_checkout", lambda: None)
    monkeypatch.setattr(doctor_checks, "COURSE", ROOT / "notebooks")
    assert doctor.run(["--json"]) == 1
    wrong = [check for check in json.loads(capsys.readouterr().out)["checks"] if check["state"] == "wrong"]
    assert [check["said"] for check in wrong] == ["JupyterLab is not installed beside the kit"]
    assert wrong[0]["mend"].startswith(tool)
    assert "d20kit[lab]" in wrong[0]["mend"]


def test_text_names_what_is_wrong_and_what_mends_it(
    whole: Checkout, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What a person reads: one line each, the command under what is wrong, and a last line that sums up."""
    unfinished(whole)
    monkeypatch.setattr(doctor, "find_checkout", lambda: whole)
    assert doctor.run([]) == 1
    lines = capsys.readouterr().out.splitlines()
    at = next(number for number, line in enumerate(lines) if "is unfinished" in line)
    assert lines[at].split()[:2] == ["WRONG", "environment"]
    assert lines[at + 1].strip() == "mend it with: python3 -m d20kit lab"
    assert lines[-1] == "1 thing is wrong."


def test_mending_makes_the_environment_anew(
    kit: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command that the doctor names does what it says, and keeps standard output for JSON."""
    monkeypatch.setattr(doctor, "find_checkout", lambda: kit)
    monkeypatch.setattr(doctor, "CHECKS", {"environment": CHECKS["environment"]})
    for _time in range(2):
        assert doctor.run(["--mend", "--json"]) == 0
        assert kit.done() == ["make", "packages", "kit"]
        assert json.loads(capsys.readouterr().out)["ok"] is True


def test_mending_an_installed_kit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """There the environment belongs to the person, who may have much else in it."""
    monkeypatch.setattr(doctor, "find_checkout", lambda: None)
    with pytest.raises(Problem, match="Only a copy of the sources"):
        doctor.run(["--mend"])


@pytest.mark.parametrize("language", ["en", "id"])
def test_a_bare_python_gets_an_answer(tmp_path: Path, language: str) -> None:
    """The doctor must come before any package: here without any, in a copy with nothing but the kit and half a file."""
    for name in ("d20kit", "binder"):
        shutil.copytree(ROOT / name, tmp_path / "kit" / name, ignore=shutil.ignore_patterns("__pycache__", "*.mo"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path / "kit")
    (tmp_path / "kit/d20kit/locale/id/LC_MESSAGES/d20kit.mo").write_bytes(b"\xde\x12\x04\x95 half")
    command = [base_python(), "-S", "-m", "d20kit", "doctor", "--json"]
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "D20KIT_LANG": language}
    done = subprocess.run(command, cwd=tmp_path / "kit", env=env, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (1, "")
    wrong = {check["name"] for check in json.loads(done.stdout)["checks"] if check["state"] == "wrong"}
    assert wrong == {"lessons", "catalogue"}
