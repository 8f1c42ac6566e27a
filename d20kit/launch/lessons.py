"""Find the lesson that somebody names."""

from __future__ import annotations

import difflib
from pathlib import Path

from d20kit.language import LANGUAGES, N_, _, current_language
from d20kit.launch.problems import Problem

_SPOKEN = {"en": N_("English"), "id": N_("Indonesian")}


def lessons(notebooks: Path, language: str) -> list[str]:
    """Return the names of the lessons in a language, in the order of the course.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     Path(folder, "en").mkdir()
    ...     for name in ("02-attack", "01-dice"):
    ...         Path(folder, "en", f"{name}.ipynb").touch()
    ...     lessons(Path(folder), "en")
    ['01-dice', '02-attack']
    """
    return sorted(path.stem for path in (notebooks / language).glob("*.ipynb"))


def find_lesson(names: list[str], wanted: str | None) -> str:
    """Return the lesson that is meant by its number, its topic or its whole name; the first without one.

    >>> find_lesson(["00-start", "04-hit-points"], "4")
    '04-hit-points'

    Raises
    ------
    Problem
        If no lesson has that name; it offers the nearest.
    """
    if wanted is None:
        return names[0]
    wanted = wanted.removesuffix(".ipynb").lower()
    for name in names:
        number, _dash, topic = name.partition("-")
        if wanted in (name, topic, number, number.lstrip("0") or "0"):
            return name
    known = {topic: name for name in names for topic in (name, name.partition("-")[2])}
    near = difflib.get_close_matches(wanted, known, 1, 0.4)
    hint = _("Did you mean {nearest!r}?").format(nearest=known[near[0]]) + " " if near else ""
    raise Problem(
        _("There is no lesson {wanted!r}. {hint}The lessons are: {names}.").format(
            wanted=wanted, hint=hint, names=", ".join(names)
        )
    )


def choose_lesson(notebooks: Path, language: str | None, wanted: str | None) -> str:
    """Return the path of a lesson, as JupyterLab wants it: relative, with slashes.

    Without a language asked for, another stands in for one that has no lessons yet.

    Raises
    ------
    Problem
        If no lesson is meant, or none is there.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     Path(folder, "en").mkdir()
    ...     Path(folder, "en", "04-hit-points.ipynb").touch()
    ...     choose_lesson(Path(folder), "en", "hit-points")
    'notebooks/en/04-hit-points.ipynb'
    """
    written = {code: names for code in LANGUAGES if (names := lessons(notebooks, code))}
    if not written:
        raise Problem(
            _(
                "There are no lessons in {folder}, so this copy of the kit is not whole. In a copy made with git, "
                "'git restore notebooks' brings them back; otherwise get the kit again."
            ).format(folder=notebooks)
        )
    spoken = language or current_language()
    if spoken not in written:
        if language:
            raise _not_yet(language, next(iter(written)))
        spoken = next(iter(written))
    return f"notebooks/{spoken}/{find_lesson(written[spoken], wanted)}.ipynb"


def _not_yet(language: str, other: str) -> Problem:
    return Problem(
        _("The lessons are not there in {language} yet; write --language {other}.").format(
            language=_(_SPOKEN[language]), other=other
        )
    )
