"""Find a screen, and a Chromium for the tests that look at the lessons in a browser."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
_APPLICATIONS = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "%PROGRAMFILES%/Google/Chrome/Application/chrome.exe",
    "%PROGRAMFILES(X86)%/Microsoft/Edge/Application/msedge.exe",
)
_PLAYWRIGHT = (
    "chromium-*/chrome-linux*/chrome",
    "chromium-*/chrome-mac*/*.app/Contents/MacOS/*",
    "chromium-*/chrome-win*/chrome.exe",
)


def find_chromium() -> str | None:
    """Return the path of a Chromium or Chrome: on PATH, installed as an application, or kept by playwright.

    >>> found = find_chromium()
    >>> found is None or Path(found).is_file()
    True
    """
    on_path = next(filter(None, map(shutil.which, _NAMES)), None)
    if on_path:
        return on_path
    files = [*_applications(), *_of_playwright(playwright_folder())]
    return next((str(file) for file in files if os.access(file, os.X_OK)), None)


def has_screen() -> bool:
    """Return whether a browser could show anything: without a screen, Python may pick one that takes over a terminal.

    >>> isinstance(has_screen(), bool)
    True
    """
    return sys.platform in ("win32", "darwin") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")))


def _applications() -> Iterator[Path]:
    for name in _APPLICATIONS:
        path = Path(os.path.expandvars(name))
        if path.is_file():
            yield path


def _of_playwright(folder: Path) -> list[Path]:
    return sorted((file for pattern in _PLAYWRIGHT for file in folder.glob(pattern)), reverse=True)


def playwright_folder() -> Path:
    """Return where playwright keeps the browsers that it downloads.

    >>> from unittest.mock import patch
    >>> with patch.dict(os.environ, {"PLAYWRIGHT_BROWSERS_PATH": "browsers"}):
    ...     playwright_folder() == Path("browsers")
    True
    """
    chosen = os.environ.get("PLAYWRIGHT_BROWSERS_PATH")
    if chosen and chosen != "0":
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"), "ms-playwright")
    caches = Path("Library", "Caches") if sys.platform == "darwin" else Path(".cache")
    return Path.home() / caches / "ms-playwright"
