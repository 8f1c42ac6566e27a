"""Where the pages go: a page takes the place of an older page, and of nothing else."""

from __future__ import annotations

import os
from pathlib import Path

from d20kit.language import _
from d20kit.launch.problems import Problem, path_text
from d20kit.launch.site_target import in_the_way

# Stands near the top of every page and tells one that the kit made, and may replace, from anything else.
MARK = '<meta name="generator" content="python3 -m d20kit page">'
_TOP = 1000


def check_folder(out: Path) -> None:
    """Refuse a folder that is not there and cannot be made.

    >>> check_folder(Path(__file__).parent)

    Raises
    ------
    Problem
        If a file, or a link to nothing, stands in its place or on the way to it.
    """
    place = in_the_way(out)
    if place is not None:
        raise Problem(
            _("{file} is a file, but the pages go into a folder; name another.").format(file=path_text(place))
        )


def check_page(page: Path) -> None:
    """Refuse a place that is taken by something else than a page of the kit.

    Raises
    ------
    Problem
        If it is a folder, or a file that the kit did not make.

    Examples
    --------
    >>> check_page(Path("nowhere.html"))
    >>> try:
    ...     check_page(Path(__file__).with_name("pages.html"))
    ... except Problem as problem:
    ...     print(str(problem).partition(" is ")[2].partition(";")[0])
    not a page that the kit made
    """
    if page.is_dir():
        raise Problem(
            _("{page} is a folder, but the page would be a file of that name; rename it, or name another OUT.").format(
                page=path_text(page)
            )
        )
    if os.path.lexists(page) and not _is_ours(page):
        raise Problem(
            _("{page} is not a page that the kit made; rename or delete it, or name another OUT.").format(
                page=path_text(page)
            )
        )


def _is_ours(page: Path) -> bool:
    if not page.is_file():  # to read from a pipe would take for ever
        return False
    with page.open("rb") as file:
        return MARK.encode() in file.read(_TOP)
