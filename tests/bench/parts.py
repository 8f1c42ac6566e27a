"""Which benches there are, and how one of them is run: in a process of its own, whose end is only a line."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from d20kit.launch.process import Child
from tests.bench.line import Line
from tests.bench.measure import ROOT


class Part(NamedTuple):
    """A bench: the function that yields its lines, how many seconds it may take, and whether it is a long one."""

    source: str
    patience: float = 900
    long: bool = False


PARTS = {
    "distributions": Part("tests.bench.distributions:lines"),
    "drawing": Part("tests.bench.drawing:lines"),
    "battles": Part("tests.bench.battles:lines"),
    "simulation": Part("tests.bench.simulation:lines"),
    "latency": Part("tests.bench.pages:latency", 1800),
    "scaling": Part("tests.bench.scaling:lines", long=True),
    "agreement": Part("tests.bench.agreement:lines", 3600, long=True),
    "memory": Part("tests.bench.pages:memory", 7200, long=True),
    "class": Part("tests.bench.class_load:lines", long=True),
    "site-start": Part("tests.bench.site_start:lines", 1800, long=True),
    "site-load": Part("tests.bench.site_load:lines", 1800, long=True),
}


def run(name: str, part: Part) -> list[Line]:
    """Return the lines of a bench; one more says so if it broke or took too long."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        found, said = Path(folder, "lines.json"), Path(folder, "said.txt")
        found.touch()
        command = [sys.executable, "-m", "tests.bench.worker", part.source, str(found)]
        with (
            said.open("wb") as output,
            # Ctrl-C, not a kill: a bench has servers and browsers to close.
            Child(command, cwd=ROOT, env=_environment(), gentle=signal.SIGINT, output=output) as child,
        ):
            try:
                code = child.process.wait(part.patience)
                reason = _last_words(said) or f"ended with code {code}"
            except subprocess.TimeoutExpired:
                code, reason = 1, f"took longer than {part.patience:g} s"
        # what was killed in the middle of a line has not ended it
        whole = [text for text in found.read_text(encoding="utf-8").splitlines(keepends=True) if text.endswith("\n")]
    lines = [Line(**json.loads(text)) for text in whole]
    if code or not lines:
        lines.append(Line(name, None, required="to run to its end", met=False, note=reason if code else "no lines"))
    return lines


def _environment() -> dict[str, str]:
    places = [str(ROOT), str(ROOT / "widgets"), *filter(None, [os.environ.get("PYTHONPATH")])]
    return os.environ | {"PYTHONPATH": os.pathsep.join(places), "PYTHONIOENCODING": "utf-8", "D20KIT_LANG": "en"}


def _last_words(said: Path) -> str:
    """Return the last line that a bench printed; of a traceback that is its error."""
    printed = [text.strip() for text in said.read_text(encoding="utf-8", errors="replace").splitlines()]
    return next((text for text in reversed(printed) if text), "")
