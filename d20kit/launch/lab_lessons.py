"""Where the kit was installed as a package, put its lessons into the learner's own folder."""

from __future__ import annotations

import os
from pathlib import Path

from d20kit.language import _
from d20kit.launch.checkout import PACKAGE
from d20kit.launch.problems import Problem

COURSE = PACKAGE / "course"


def lay_out(notebooks: Path, course: Path = COURSE) -> list[str]:
    """Copy what is not there yet of the course, never over a file, and return what to say about it.

    Parameters
    ----------
    notebooks : Path
        The learner's folder; it is made if it is missing.
    course : Path
        The lessons as they came with the kit, a folder for each language.

    Raises
    ------
    Problem
        If the folder cannot be made or filled.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     shipped, own = Path(folder, "course", "en"), Path(folder, "notebooks")
    ...     shipped.mkdir(parents=True)
    ...     _size = Path(shipped, "00-start.ipynb").write_text("{}")
    ...     said = lay_out(own, shipped.parent)
    ...     _size = Path(own, "en", "00-start.ipynb").write_text("mine")
    ...     said[0].startswith("The lessons are now in"), lay_out(own, shipped.parent)[0].partition(":")[0]
    (True, 'These files are as you left them, not as the kit brings them')
    """
    copied, kept = False, []
    for file in sorted(course.glob("*/*")):
        target = notebooks / file.relative_to(course)
        try:
            if _copy(file, target):
                copied = True
            elif not _same(file, target):
                kept.append(target.relative_to(notebooks).as_posix())
        except (FileExistsError, NotADirectoryError) as error:
            raise _in_the_way(notebooks, target) from error
        except PermissionError as error:
            raise _not_yours(notebooks) from error
    said = [_("The lessons are now in {folder}.").format(folder=notebooks)] if copied else []
    return [*said, _kept(kept)] if kept else said


def _copy(file: Path, target: Path) -> bool:
    """Copy a file unless something has its name; whoever looks sees all of the copy or none."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if os.path.lexists(target):
        return False
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        part.write_bytes(file.read_bytes())
        return _name(part, target)
    finally:
        part.unlink(missing_ok=True)


def _name(part: Path, target: Path) -> bool:
    try:
        # Unlike a rename, a link never replaces what somebody saved under this name at the same moment.
        os.link(part, target)
    except FileExistsError:
        return False
    except OSError:  # a disk without links
        if os.path.lexists(target):
            return False
        os.replace(part, target)
    return True


def _same(file: Path, target: Path) -> bool:
    return target.is_file() and target.read_bytes() == file.read_bytes()


def _kept(names: list[str]) -> str:
    return _(
        "These files are as you left them, not as the kit brings them: {names}. To have one anew, rename yours and run "
        "the same command again."
    ).format(names=", ".join(names))


def _in_the_way(notebooks: Path, target: Path) -> Problem:
    place = next((path for path in (notebooks, target.parent) if os.path.lexists(path) and not path.is_dir()), target)
    return Problem(
        _(
            "The lessons need a folder {folder}, but that is a file. Rename the file, or go to another folder and run "
            "the same command there."
        ).format(folder=place)
    )


def _not_yours(notebooks: Path) -> Problem:
    return Problem(
        _(
            "The lessons cannot be put into {folder}, since nothing may be written there. Go to a folder of your own, "
            "for example with 'cd', and run the same command there."
        ).format(folder=notebooks)
    )
