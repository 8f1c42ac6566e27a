"""What an installer prints becomes one plain line, whose count ends where it said it would."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from d20kit.launch.progress import Progress
from d20kit.launch.tally import Tally, count_pins

PIP = """\
Looking in indexes: https://index.invalid/simple
Ignoring pywinpty: markers 'os_name == "nt"' don't match your environment
Requirement already satisfied: lark==1.3.1 in ./.venv/lib/python3.11/site-packages (from -r lock.txt (line 1))
Collecting argon2-cffi==25.1.0 (from -r lock.txt (line 11))
  Downloading argon2_cffi-25.1.0-py3-none-any.whl (14 kB)
Collecting beautifulsoup4==4.15.0 (from -r lock.txt (line 67))
  Downloading https://index.invalid/4b/beautifulsoup4-4.15.0-py3-none-any.whl (109 kB)
Collecting cffi==2.1.1 (from -r lock.txt (line 75))
  Using cached cffi-2.1.1-cp311-cp311-manylinux2014_x86_64.manylinux_2_17_x86_64.whl (217 kB)
Collecting odd==1.0.post1 (from -r lock.txt (line 99))
  Downloading odd-1.0.post1.tar.gz (3 kB)
Installing collected packages: cffi, beautifulsoup4, argon2-cffi
Successfully installed argon2-cffi-25.1.0 beautifulsoup4-4.15.0 cffi-2.1.1
"""
UV = """\
Using Python 3.11.7 environment at: .venv
Resolved 108 packages in 1.20s
Downloading numpy (16.1MiB)
 Downloaded numpy
Prepared 2 packages in 9.79s
Installed 2 packages in 4.35s
 + argon2-cffi==25.1.0
 + numpy==2.5.5
"""


def shown(said: str, total: int) -> list[str]:
    """Return the lines that a person sees."""
    out = io.StringIO()
    tally = Tally(total, Progress(out, every=0))
    for line in said.splitlines(keepends=True):
        tally.read(line)
    return out.getvalue().splitlines()


def test_pip_is_read() -> None:
    """Names and versions only, the packages of other systems not counted, and a word before the long silence."""
    assert shown(PIP, total=6) == [
        "  1 of 5: lark 1.3.1",
        "  2 of 5: argon2-cffi 25.1.0",
        "  2 of 5: argon2-cffi 25.1.0",
        "  3 of 5: beautifulsoup4 4.15.0",
        "  3 of 5: beautifulsoup4 4.15.0",
        "  4 of 5: cffi 2.1.1",
        "  4 of 5: cffi 2.1.1",
        "  5 of 5: odd 1.0.post1",
        "  5 of 5: odd 1.0.post1",
        "Unpacking them; this can take a minute",
    ]


def test_uv_is_read() -> None:
    """uv counts what it needs first and what it had to add at the end."""
    assert shown(UV, total=113) == [
        "  0 of 108: numpy",
        "  0 of 108: numpy",
        "  1 of 2: argon2-cffi 25.1.0",
        "  2 of 2: numpy 2.5.5",
    ]


@pytest.mark.parametrize("line", ["Downloading", "  Downloading https://index.invalid/", "Collecting from nowhere", ""])
def test_other_lines_say_nothing(line: str) -> None:
    """An installer may say anything at any time; no address of an index reaches the person's screen as a package."""
    assert shown(line, total=3) == []


def test_pins_are_counted(tmp_path: Path) -> None:
    """Versions in a marker are no pins."""
    lock = tmp_path / "lock.txt"
    lock.write_text("# made by a tool\na==1.0 \\\n    --hash=sha256:0\nb==2.0 ; python_full_version == '3.12' \\\n")
    assert count_pins(lock) == 2


class Terminal(io.StringIO):
    """A terminal that shows what is left of its lines once some were written over."""

    def isatty(self) -> bool:
        return True

    def shown(self) -> list[str]:
        lines = []
        for written in self.getvalue().split("\n"):
            line = ""
            for text in written.split("\r"):
                line = text + line[len(text) :]
            lines.append(line.rstrip())
        return lines


def test_a_terminal_shows_one_passing_line() -> None:
    """A shorter line must not end in the rest of a longer one, and when the work is done nothing of it is left."""
    terminal = Terminal()
    with Progress(terminal) as progress:
        progress.step("Installing")
        progress.detail("1 of 12: a package with a long name")
        progress.detail("2 of 12: flint")
        assert terminal.shown() == ["Installing", "  2 of 12: flint"]
        progress.step("Unpacking")
        progress.detail("x" * 200)
        assert len(terminal.shown()[-1]) < 80
    assert terminal.shown() == ["Installing", "Unpacking", ""]
