"""What is said of missing NumPy: a warning in a program, one sentence in a cell of a notebook."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from pathlib import Path
from types import SimpleNamespace

import pytest

from d20kit.battle import Encounter, notice
from d20kit.battle.notice import remark

_CELLS = """
import sys
from IPython.core.interactiveshell import InteractiveShell
sys.modules["numpy"] = None
shell = InteractiveShell.instance()
for cell in sys.argv[1:]:
    print(">")
    shell.run_cell(cell, store_history=True)
"""
_IMPORTS = "from d20kit.battle import Encounter\nduel = Encounter.ready('duel')"
_ONCE = "few = duel.simulate(20, 1)"
SENTENCE = "The battles are fought one by one, because NumPy is not installed; with it this is many times faster."


def outputs(tmp_path: Path, *cells: str) -> list[str]:
    """Return what each cell of a notebook shows in a kernel that has no NumPy."""
    pytest.importorskip("IPython", reason="IPython is not installed; it runs the cells of a notebook")
    environment = {
        "IPYTHONDIR": str(tmp_path),
        "D20KIT_LANG": "en",
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
    }
    run = subprocess.run([sys.executable, "-c", _CELLS, *cells], env=environment, capture_output=True, text=True)
    assert (run.returncode, run.stderr) == (0, "")
    return [said.strip() for said in run.stdout.split(">\n")[1:]]


def test_a_cell_says_it_in_one_sentence(tmp_path: Path) -> None:
    """A learner can do nothing with a file, a line number and a quoted line of source."""
    assert outputs(tmp_path, _IMPORTS, _ONCE) == ["", SENTENCE]


def test_a_cell_says_it_once_and_says_it_again_when_it_runs_again(tmp_path: Path) -> None:
    """In a loop the sentence would bury the answer; and an answer that comes anew must not come without it."""
    loop = f"for _round in range(3):\n    {_ONCE}\nprint('done')"
    assert outputs(tmp_path, _IMPORTS, loop, loop) == ["", *[f"{SENTENCE}\ndone"] * 2]


def test_filters_hold_in_a_notebook(tmp_path: Path) -> None:
    """Who silences warnings has read this one; and with errors asked for it is one."""
    ignore = f"import warnings\nwith warnings.catch_warnings(action='ignore'):\n    {_ONCE}"
    strict = ignore.replace("'ignore'", "'error'").replace(_ONCE, f"try: {_ONCE}\n    except UserWarning: print('!')")
    assert outputs(tmp_path, _IMPORTS, ignore, strict) == ["", "", "!"]


def test_a_notebook_is_told_once_a_cell(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], recwarn: pytest.WarningsRecorder
) -> None:
    """What is printed takes the place of the warning; the next cell is told anew, and whoever filters hears nothing."""
    shell = SimpleNamespace(execution_count=1)
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    monkeypatch.setattr(notice, "_shown", {})
    for sentence in ("One.", "One.", "Two."):
        remark(sentence)
    assert capsys.readouterr().out == "One.\nTwo.\n"
    shell.execution_count = 2
    remark("One.")
    assert capsys.readouterr().out == "One.\n"
    shell.execution_count = 3
    with warnings.catch_warnings(action="ignore"):
        remark("One.")
    assert capsys.readouterr().out == ""
    assert not recwarn


def test_a_program_gets_a_warning_that_names_its_own_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Outside of notebooks a warning is what filters, loggers and test runners know."""
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.warns(UserWarning, match="NumPy is not installed") as caught:
        Encounter.ready("duel").simulate(20, 1)
    assert [warning.filename for warning in caught] == [__file__]
    assert str(caught[0].message) == SENTENCE


def test_with_numpy_nothing_is_said(recwarn: pytest.WarningsRecorder, capsys: pytest.CaptureFixture[str]) -> None:
    """The lessons of the lab must keep their outputs to the letter."""
    pytest.importorskip("numpy", reason="NumPy is not installed; without it there is something to say")
    Encounter.ready("duel").simulate(20, 1)
    assert (list(recwarn), capsys.readouterr().out) == ([], "")


def test_a_remark_is_given_for_what_it_is(recwarn: pytest.WarningsRecorder) -> None:
    """The sentence is the whole message; nothing is put before or after it."""
    remark("The dice are slow today.")
    assert [str(warning.message) for warning in recwarn] == ["The dice are slow today."]
