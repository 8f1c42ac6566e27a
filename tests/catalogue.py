"""The Indonesian catalogue, compiled for a test: an installed kit has it so, and a checkout may not."""

from __future__ import annotations

from functools import cache
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from d20kit.launch.checkout import PACKAGE

_FOLDER = Path("id", "LC_MESSAGES")
SOURCE = PACKAGE / "locale" / _FOLDER / "d20kit.po"


@cache
def read_catalogue() -> Catalog:
    """Read the catalogue as it is translated now."""
    with SOURCE.open("rb") as written:
        return read_po(written, locale="id", abort_invalid=True)


@cache
def _compiled() -> bytes:
    target = BytesIO()
    write_mo(target, read_catalogue())
    return target.getvalue()


def compile_catalogue(folder: Path) -> Path:
    """Write the compiled catalogue below a folder, which can take the place of the kit's own."""
    (folder / _FOLDER).mkdir(parents=True)
    (folder / _FOLDER / "d20kit.mo").write_bytes(_compiled())
    return folder
