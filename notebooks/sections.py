"""What a lesson holds, part by part, for the pages that are made from it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from notebooks import lesson

_HEADING = re.compile(r"^#{1,2} (.+)$", flags=re.MULTILINE)
_NUMBERED = re.compile(r"^\d\. .+(?:\n   .+)*", flags=re.MULTILINE)
_BULLET = re.compile(r"^- .+(?:\n  .+)*", flags=re.MULTILINE)
_CHECKS = {"en": "Two checks", "id": "Dua soal"}
_SUMMARY = {"en": "Summary", "id": "Ringkasan"}


@dataclass(frozen=True)
class Slide:
    """One slide of presenter mode: its number, its title, and the picture on it, if there is one."""

    number: int
    title: str
    picture: str = ""


@dataclass(frozen=True)
class Parts:
    """One lesson in one language."""

    name: str
    language: str

    @property
    def _blocks(self) -> list[lesson.Block]:
        return [block for block in lesson.load(self.name).blocks if block.language in (None, self.language)]

    @property
    def texts(self) -> list[str]:
        """Each text cell."""
        return [block.text for block in self._blocks if block.language]

    @property
    def code(self) -> str:
        """All code."""
        return "\n".join(block.text for block in self._blocks if block.language is None)

    @property
    def title(self) -> str:
        """The heading of the first rank."""
        return self.texts[0].partition("\n")[0].removeprefix("# ")

    @property
    def minutes(self) -> int:
        """How long it takes."""
        return int(re.findall(r"\d+", self.texts[0].split("\n\n")[1])[0])

    @property
    def objectives(self) -> list[str]:
        """What can be done after it, each with its bullet."""
        return _BULLET.findall(self.texts[0].partition("\n## ")[0])

    @property
    def slides(self) -> list[Slide]:
        """The slides: one begins at each text cell with a heading of the first or second rank."""
        slides: list[Slide] = []
        for block in self._blocks:
            if block.language:
                titles = _HEADING.findall(block.text)
                slides += [Slide(len(slides) + 1, " / ".join(titles))] if titles else []
            elif found := re.search(r"^(\w+Explorer|BattlePlayer|Quiz)\(", block.text, flags=re.MULTILINE):
                slides[-1] = Slide(slides[-1].number, slides[-1].title, found[1])
        return slides

    def _section(self, title: str) -> str:
        place = next((text for text in self.texts if f"## {title}\n" in text), "")
        return re.split(r"\n## |\n\*\*(?:Next|Lanjut)", place.partition(f"## {title}\n")[2])[0]

    @property
    def checks(self) -> list[str]:
        """The two inline checks, numbered."""
        return _NUMBERED.findall(self._section(_CHECKS[self.language]))

    @property
    def solutions(self) -> list[str]:
        """Their solutions, numbered: they open the next text cell."""
        places = [place for place, text in enumerate(self.texts) if f"## {_CHECKS[self.language]}\n" in text]
        return _NUMBERED.findall(self.texts[places[0] + 1].partition("\n## ")[0]) if places else []

    @property
    def summary(self) -> list[str]:
        """What to keep, each with its bullet."""
        return _BULLET.findall(self._section(_SUMMARY[self.language]))


def all_parts(language: str) -> list[Parts]:
    """Return the lessons of a language, in order."""
    return [Parts(name, language) for name in lesson.names()]
