"""A wheel of the static site whose modules stand where others are expected."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path

_DATE = (2020, 1, 1, 0, 0, 0)


def wheel(folder: Path, name: str, modules: Mapping[str, str]) -> Path:
    """Write a wheel that needs the kit, with the source of each of its modules, and return it.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as given:
    ...     file = wheel(Path(given), "no-die", {"die": "raise ImportError"})
    ...     file.name, zipfile.ZipFile(file).namelist()[0]
    ('no_die-1-py3-none-any.whl', 'die.py')
    """
    stem = f"{name.replace('-', '_')}-1"
    texts = {f"{module}.py": source for module, source in modules.items()} | {
        f"{stem}.dist-info/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\nRequires-Dist: d20kit\n",
        f"{stem}.dist-info/WHEEL": "Wheel-Version: 1.0\nGenerator: d20kit\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    texts[f"{stem}.dist-info/RECORD"] = "".join(f"{file},,\n" for file in [*texts, f"{stem}.dist-info/RECORD"])
    made = folder / f"{stem}-py3-none-any.whl"
    with zipfile.ZipFile(made, "w") as packed:
        for file, text in texts.items():
            packed.writestr(zipfile.ZipInfo(file, _DATE), text)
    return made
