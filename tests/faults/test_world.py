"""Another language of the machine, and a clock that jumps: the kit computes and says the same."""

from __future__ import annotations

import ast
import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from d20kit.launch.checkout import PACKAGE
from d20kit.launch.environment import ensure, missing
from d20kit.launch.progress import Progress
from tests.launch.conftest import bare_kit

ROOT = PACKAGE.parent
# How a machine speaks: its LANG, what it puts before the fraction of a number, and the kit's language there.
LANGS = {"tr_TR.UTF-8": (",", "en"), "id_ID.UTF-8": (",", "id"), "C": (".", "en")}
# Whatever leaves the encoding of a file to the machine fails.
STRICT = "import warnings; warnings.filterwarnings('error', category=EncodingWarning, module='d20kit|d20widgets')"
BYTES = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
# IPython asks that machine how it writes, which is its own affair.
WARN_NOBODY = "warnings.filterwarnings('ignore', category=EncodingWarning, module='IPython')"
LATER = {"1970": 60, "2038": 2**31 + 1, "2999": 32_472_144_000}


def evening(folder: Path, before: str = "", file: str = "ışık.toml", **env: str) -> dict[str, Any]:
    """Spend an evening in a process of its own, which first does something else."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "D20KIT_"))}
    kept |= {"PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "widgets"))), **env}
    code = f"{STRICT}\n{before}\nfrom tests.faults import evening\nevening.main()"
    command = [sys.executable, "-X", "warn_default_encoding", "-c", code, file]
    said = subprocess.run(command, cwd=folder, env=kept, capture_output=True, timeout=300)
    assert said.returncode == 0, said.stderr.decode(errors="replace")
    return json.loads(said.stdout)  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The evening on a usual machine."""
    return evening(tmp_path_factory.mktemp("usual"), LANG="C.UTF-8", D20KIT_LANG="en")


@pytest.fixture(scope="module")
def languages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The languages of machines, made here as far as this machine can: few have them all."""
    made = tmp_path_factory.mktemp("locales")
    if shutil.which("localedef"):
        for name in LANGS:
            source = name.partition(".")[0]
            subprocess.run(["localedef", "-i", source, "-f", "UTF-8", str(made / name)], capture_output=True)
    return made


@pytest.mark.parametrize("lang", LANGS)
def test_the_language_of_the_machine_changes_no_number(
    tmp_path: Path, usual: dict[str, Any], languages: Path, lang: str
) -> None:
    """Turkish has another small I, Indonesian another point, and C no letters but ASCII: dice know nothing of it."""
    point, _language = LANGS[lang]
    said = evening(tmp_path, LANG=lang, LOCPATH=str(languages), D20KIT_LANG="en")
    assert said["told"] == usual["told"]
    assert said["doctor"] == usual["doctor"]
    # Where this machine has the language at all; otherwise the variable alone was tried.
    assert said["point"] == (point if (languages / lang).exists() else ".")


def test_a_machine_of_bytes_saves_the_same_names(tmp_path: Path, usual: dict[str, Any]) -> None:
    """C without Python's own help knows ASCII alone; files are UTF-8 all the same, and only their names have to fit."""
    said = evening(tmp_path, WARN_NOBODY, "mine.toml", D20KIT_LANG="en", **BYTES)
    assert said["told"] == usual["told"]
    code = 'from d20kit.battle import Encounter; Encounter.ready("duel").dump("\\u0131\\u015f\\u0131k.toml")'
    env = os.environ | {"PYTHONPATH": str(ROOT)} | BYTES
    refused = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=env, capture_output=True, text=True)
    assert refused.stderr.splitlines()[-1].startswith("ValueError: path is '\\u0131")
    assert "must be the path of a file" in refused.stderr


@pytest.mark.parametrize("lang", LANGS)
def test_the_kit_speaks_the_language_of_the_machine(tmp_path: Path, lang: str) -> None:
    """Indonesian where the machine speaks it, else English; a machine without a language of ours is no error."""
    code = "from d20kit.language import current_language; print(current_language())"
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "LANG": lang}
    said = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=env, capture_output=True, text=True)
    assert (said.stdout.strip(), said.stderr) == (LANGS[lang][1], "")


def test_what_an_evening_tells_is_known(usual: dict[str, Any]) -> None:
    """The comparisons above would hold for nothing at all; here stands what it is, for the parts that cases change."""
    told = usual["told"]
    assert told["cases"][:5] == ["4", "03-initiative", "04-hit-points", "10", "2"]
    assert told["cases"][5].endswith("did you mean 'hide'?")
    assert told["numbers"][:4] == ["63 %", "63.0 %", "−1234567", "0.630"]
    assert told["numbers"][-1].startswith("answer is '1.234,5', but must be a number")
    assert told["saved"][1] is True
    assert all(name in told["saved"][2] for name in ("ılgın", "İzmirli", "ßigurd"))
    assert told["orders"] == {"I ı": "70/127", "ı I": "57/127"}


# Clocks.

FAKE = """
import itertools, time
start, count = {start}, itertools.count()
# Now and then it is set back by a day, as by a machine that has just found the right time.
time.time = lambda: float(start + next(count) % 7 * -86_400)
time.time_ns = lambda: int(time.time() * 10**9)
"""


@pytest.mark.parametrize("year", LATER)
def test_a_wrong_clock_changes_nothing(tmp_path: Path, usual: dict[str, Any], year: str) -> None:
    """A machine without a battery lives in 1970, another in a century to come, and each may be set back at any time."""
    said = evening(tmp_path, FAKE.format(start=LATER[year]), LANG="C.UTF-8", D20KIT_LANG="en")
    assert said["told"] == usual["told"]
    assert said["doctor"] == usual["doctor"]


def clocks(path: Path) -> Iterator[str]:
    """Yield every question after the time of day in a module."""
    day = {"time", "time_ns", "localtime", "gmtime", "ctime", "strftime", "now", "today", "utcnow"}
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Attribute) and node.attr in day and isinstance(node.value, ast.Name):
            if node.value.id in ("time", "datetime", "date"):
                yield f"{path.name}: {node.value.id}.{node.attr}"
        elif isinstance(node, ast.ImportFrom) and node.module in ("time", "datetime"):
            yield f"{path.name}: from {node.module}"


def test_nothing_asks_for_the_time_of_day(tmp_path: Path) -> None:
    """Waiting is measured by a clock that nobody can set; so no jump can end a wait, or make it last for ever."""
    files = [*(ROOT / "d20kit").rglob("*.py"), *(ROOT / "widgets").rglob("*.py")]
    assert len(files) > 100
    assert [found for file in files for found in clocks(file)] == []
    (tmp_path / "late.py").write_text("import time\nfrom datetime import date\nprint(time.time())\n")
    assert sorted(clocks(tmp_path / "late.py")) == ["late.py: from datetime", "late.py: time.time"]


@pytest.mark.parametrize("when", LATER.values(), ids=LATER)
def test_files_of_another_time_are_neither_old_nor_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, when: int
) -> None:
    """A changed lock is found by what is in it, and a whole environment stays whole, whatever dates the files have."""
    kit = bare_kit(tmp_path, monkeypatch)
    ensure(kit, "lab", Progress(io.StringIO()))
    when = min(when, 2**33)  # what disks can write down
    for file in kit.root.rglob("*"):
        os.utime(file, (when, when), follow_symlinks=False)
    assert missing(kit, "lab") == []
    kit.lock("lab").write_text("sympy==2.0\n")
    os.utime(kit.lock("lab"), (when, when))
    assert missing(kit, "lab") == ["packages", "kit"]
