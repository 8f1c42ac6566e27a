"""Read from what an installer prints how far it is."""

from __future__ import annotations

import re
from pathlib import Path

from d20kit.language import _
from d20kit.launch.progress import Progress

# "Collecting sympy==1.14.0 (from ...)" and "Requirement already satisfied: ..." of pip, " + sympy==1.14.0" of uv.
_SETTLED = re.compile(r"^(?:Collecting | \+ |Requirement already satisfied: )([A-Za-z0-9][\w.-]*)==([\w.!+]+)")
# "  Downloading sympy-1.14.0-py3-none-any.whl (6.3 MB)" of pip, perhaps with an address before it.
_FILE = re.compile(
    r"^ *(?:Downloading|Using cached) (?:\S*/)?([A-Za-z0-9][\w.]*)-(\d[\w.!+]*?)(?:-\S*|\.tar\.gz|\.zip)(?= |$)"
)
# "Downloading sympy (6.3MiB)" of uv.
_BARE = re.compile(r"^ *(?:Downloading|Downloaded) ([A-Za-z0-9][\w.-]*)(?: \(|$)")
# pip passes over the pins of other systems and Pythons, which the lock names, too.
_NOT_HERE = re.compile(r"^Ignoring \S+: markers ")
# uv says first how many it needs, then how many of them were not there yet.
_COUNTED = re.compile(r"^(?:Resolved|Installed) (\d+) packages? in ")
_UNPACKING = re.compile(r"^Installing collected packages: ")


def count_pins(lock: Path) -> int:
    """Return how many packages a requirement file pins.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     lock = Path(folder, "lab.txt")
    ...     _size = lock.write_text("sympy==1.14.0 ; python_version > '3'")
    ...     count_pins(lock)
    1
    """
    return sum("==" in line.partition(";")[0] for line in lock.read_text("utf-8").splitlines())


class Tally:
    """How many of the packages are settled.

    Parameters
    ----------
    total : int
        How many the lock names; those of other systems are taken off as they turn up.
    progress : Progress
        Where to say it.

    Examples
    --------
    >>> from io import StringIO
    >>> tally = Tally(12, Progress(StringIO()))
    >>> tally.read("Collecting sympy==1.14.0 (from -r lab.txt)")
    >>> tally.done, tally.total
    ({'sympy'}, 12)
    """

    def __init__(self, total: int, progress: Progress) -> None:
        self.total = total
        self.progress = progress
        self.done: set[str] = set()

    def read(self, line: str) -> None:
        """Read one line that an installer printed."""
        if _NOT_HERE.match(line):
            self.total -= 1
        elif found := _COUNTED.match(line):
            self.total = int(found.group(1))
        elif _UNPACKING.match(line):
            self.progress.step(_("Unpacking them; this can take a minute"))
        elif found := _SETTLED.match(line):
            self.done.add(found.group(1))
            self._say(found)
        elif found := _FILE.match(line) or _BARE.match(line):
            self._say(found)

    def _say(self, found: re.Match[str]) -> None:
        # A file's name has underscores where the package's has hyphens.
        name = " ".join(found.groups()).replace("_", "-")
        text = _("{done} of {total}: {name}")
        self.progress.detail(text.format(done=len(self.done), total=self.total, name=name))
