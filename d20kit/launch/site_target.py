"""Where the static site goes: a whole site takes the place of the old one, or nothing changes."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from d20kit.language import _
from d20kit.launch.problems import Problem, path_text

# Tells a site that the kit made, and may replace, from anything else.
MARK = "d20kit-site.json"


def check(out: Path) -> None:
    """Refuse a place that is taken by something else.

    Raises
    ------
    Problem
        If it is a file, or a folder with something in it that is not a site of the kit.

    Examples
    --------
    >>> try:
    ...     check(Path(__file__).parent)
    ... except Problem as problem:
    ...     print(str(problem).partition(" is ")[2].partition(";")[0])
    not empty and not a site that the kit made
    """
    if out.is_dir():
        if any(out.iterdir()) and not (out / MARK).is_file():
            raise Problem(
                _(
                    "{folder} is not empty and not a site that the kit made; name another folder, or empty this one."
                ).format(folder=path_text(out))
            )
        return
    place = in_the_way(out)
    if place is not None:
        raise Problem(
            _("{file} is a file, but the site is a folder; name another folder, or delete the file.").format(
                file=path_text(place)
            )
        )


def in_the_way(folder: Path) -> Path | None:
    """Return what keeps a folder from being there or being made: a file, or a link to nothing, on the way to it.

    >>> in_the_way(Path(__file__, "public")) == Path(__file__)
    True
    >>> in_the_way(Path(__file__).parent) is None
    True
    """
    place = next(place for place in (folder, *folder.absolute().parents) if os.path.lexists(place))
    return None if place.is_dir() else place


@contextmanager
def replacing(out: Path) -> Iterator[Path]:
    """Give a place for the new site, beside the old one, and exchange them when it is whole.

    Whatever stops the work in between leaves the old site as it was.

    >>> with tempfile.TemporaryDirectory() as name:
    ...     site = Path(name, "site")
    ...     with replacing(site) as fresh:
    ...         fresh.mkdir()
    ...     [path.name for path in Path(name).iterdir()], [path.name for path in site.iterdir()]
    (['site'], ['d20kit-site.json'])
    """
    out = Path(os.path.abspath(out))
    out.parent.mkdir(parents=True, exist_ok=True)
    # In the same folder, since only there a move is a mere change of name.
    with tempfile.TemporaryDirectory(prefix=f".{out.name}-", dir=out.parent, ignore_cleanup_errors=True) as beside:
        fresh, old = Path(beside, "new"), Path(beside, "old")
        yield fresh
        (fresh / MARK).write_text(json.dumps({"made by": "python3 -m d20kit site"}) + "\n", "utf-8")
        check(out)
        if out.exists():
            out.rename(old)
        try:
            fresh.rename(out)
        except OSError:
            if old.exists():
                old.rename(out)
            raise


def size(folder: Path) -> int:
    """Return the bytes of all files in a folder.

    >>> size(Path(__file__).parent) > 10_000
    True
    """
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
