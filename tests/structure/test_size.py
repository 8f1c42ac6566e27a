"""No module is longer than a reader holds in the head, unless its first lines say why."""

from __future__ import annotations

from tests.structure.modules import ROOT, files_of, name_of

LONGEST = 400
# How the reason begins, in the first lines of a longer file.
REASON = "Long because"
SCRIPTS = [
    path
    for folder in ("widgets/d20widgets/static", "d20kit/launch", "binder/lite", "tests/browser")
    for path in sorted((ROOT / folder).iterdir())
    if path.suffix in (".js", ".mjs", ".css") and ".min." not in path.name
]
MODULES = [
    *(path for package in ("d20kit", "d20widgets", "notebooks", "tests") for path in files_of(package)),
    *SCRIPTS,
]


def excused(text: str) -> bool:
    """Whether a text is short enough, or says at its top why it is not.

    >>> excused("x\\n" * 400), excused("x\\n" * 401), excused("Long because it is a table.\\n" + "x\\n" * 401)
    (True, False, True)
    """
    lines = text.splitlines()
    return len(lines) <= LONGEST or REASON in "\n".join(lines[:8])


def test_no_module_is_longer_than_its_reader_bears() -> None:
    """A module that needs a table of contents is two modules."""
    long = [name_of(path) for path in MODULES if not excused(path.read_text("utf-8"))]
    assert long == [], f"over {LONGEST} lines: make each two modules, or say at its top '{REASON} ...'"


def test_every_kind_of_file_is_looked_at() -> None:
    """The list must not become empty unnoticed, or the test above cannot fail."""
    assert {"attack.py", "chart.js", "battle.css", "compile.mjs"} <= {path.name for path in MODULES}
