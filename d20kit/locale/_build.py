"""Hatch build hook: compile every catalogue so that the installed kit can speak its languages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CatalogueHook(BuildHookInterface):  # type: ignore[type-arg]
    """Runs before a wheel, an sdist or an editable install is made."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write a .mo beside each .po."""
        for source in sorted(Path(self.root, "d20kit", "locale").glob("*/LC_MESSAGES/*.po")):
            catalogue = read_po(source.open("rb"), locale=source.parts[-3])
            with source.with_suffix(".mo").open("wb") as target:
                write_mo(target, catalogue)
