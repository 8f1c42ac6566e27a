"""One mutant: a module of the kit with one place of its source changed."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

# Stands where an argument given by name stood, and gives nothing.
NO_KEYWORD = "**{}"
UNBRACKETED = {"pass", "break", "continue", "return None", NO_KEYWORD}


@dataclass(frozen=True)
class Mutant:
    """What is changed, where, and the lines that a test must reach to notice.

    ``nth`` counts equal changes of one function, so that an id outlives changes elsewhere in the module. Where
    ``live`` is false the change is to something that happens once, when the module is imported. ``code`` is the line it
    begins on, for readers.
    """

    module: str
    where: str
    line: int
    before: str
    after: str
    start: int
    end: int
    nth: int
    live: bool
    lines: range
    code: str = ""

    @property
    def id(self) -> str:
        """The module and six hexadecimal digits.

        >>> Mutant("attack", "is_hit", 58, ">=", ">", 0, 2, 0, True, range(58, 59)).id
        'attack-ef740e'
        """
        marks = "\0".join((self.where, self.before, self.after, str(self.nth)))
        return f"{self.module}-{hashlib.sha256(marks.encode()).hexdigest()[:6]}"

    def apply(self, source: str) -> str:
        """Return the source with the change made and every other line where it was."""
        lost = source[self.start : self.end].count("\n") - self.after.count("\n")
        padding = "\n" * max(lost, 0)
        text = f"{self.after}{padding}" if self.after in UNBRACKETED else f"({self.after}{padding})"
        return source[: self.start] + text + source[self.end :]

    def sentence(self) -> str:
        """Say where it is and what it changes, on one line."""
        place = f"{self.module.replace('.', '/')}.py:{self.line} {self.where or 'module'}"
        return f"{self.id}  {place}: {self.change()}"

    def change(self) -> str:
        """Say what it changes, on one line.

        >>> Mutant("attack", "is_hit", 58, "a >= b", "a > b", 0, 6, 0, True, range(58, 59)).change()
        'a >= b -> a > b'
        """
        change = f"{_short(self.before)} -> {_short(self.after)}"
        return f"{change} in {_short(self.code)}" if len(self.before) < 5 and self.code else change


def _short(text: str, most: int = 110) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 3]}..."
