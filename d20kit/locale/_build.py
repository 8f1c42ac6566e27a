"""Hatch hooks: compile every catalogue, put the lessons into the wheel, and let the README lead out of the package."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

_IMAGE = re.compile(r"(!\[[^\]]*\]\()(?!https?:)([^)\s]+)(?=\))")
_LINK = re.compile(r"(\]\()(?!https?:|#)([^)\s]+)(?=\))")


class KitHook(BuildHookInterface):  # type: ignore[type-arg]
    """Runs before a wheel, an sdist or an editable install is made."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write a .mo beside each .po, so that the installed kit speaks its languages; add the lessons to a wheel."""
        for source in sorted(Path(self.root, "d20kit", "locale").glob("*/LC_MESSAGES/*.po")):
            catalogue = read_po(source.open("rb"), locale=source.parts[-3])
            with source.with_suffix(".mo").open("wb") as target:
                write_mo(target, catalogue)
        # An editable install finds them where they are.
        if self.target_name == "wheel" and version == "standard":
            build_data["force_include"].update(self._course())

    def _course(self) -> dict[str, str]:
        """Return where each file of the course goes; what Jupyter left beside them stays out."""
        folders = [start.parent for start in Path(self.root, "notebooks").glob("*/00-start.ipynb")]
        files = sorted(file for folder in folders for kind in ("*.ipynb", "*.md") for file in folder.glob(kind))
        return {str(file): f"d20kit/course/{file.parent.name}/{file.name}" for file in files}


class ReadmeHook(MetadataHookInterface):
    """Gives the package the README with links that work where its files are not, as on a package index."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Lead every link that is relative, as a copy of the sources needs it, to this version in the repository."""
        text = Path(self.root, "README.md").read_text("utf-8")
        source, tag = metadata["urls"]["Source"], f"v{metadata['version']}"
        text = _IMAGE.sub(rf"\g<1>{source}/raw/{tag}/\g<2>", text)
        text = _LINK.sub(rf"\g<1>{source}/blob/{tag}/\g<2>", text)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
