"""Build the static site: the lessons, JupyterLite around them, and a Python of its own."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from d20kit.language import LANGUAGES, _
from d20kit.launch import site_distribution, site_landing, site_late, site_numpy, site_reading, site_reference
from d20kit.launch.checkout import PACKAGE, Checkout
from d20kit.launch.folders import jupyter_folders
from d20kit.launch.process import Child, clean_environment
from d20kit.launch.progress import Progress
from d20kit.launch.site_environment import failed
from d20kit.launch.site_parts import Parts

_KERNEL_PLUGIN = "@jupyterlite/pyodide-kernel-extension:kernel"
# The contents a visitor cannot change the name of: lessons and what they link to.
_PAGES = ("*.ipynb", "*.md")
_EPOCH = "1577836800"


def build(checkout: Checkout, kept: Path, site: Path, progress: Progress) -> None:
    """Build the whole site.

    Parameters
    ----------
    checkout : Checkout
        The folder with the kit's sources.
    kept : Path
        Where fetched and compiled files stay for the next time.
    site : Path
        The folder to make; it is not there yet.
    progress : Progress
        Where to say what is going on.

    Raises
    ------
    Problem
        If something cannot be fetched, or a tool fails.
    """
    parts = Parts(checkout, kept)
    parts.fetch(progress)
    # Beside the site: the system's own folder for such things may be small.
    with tempfile.TemporaryDirectory(dir=site.parent, ignore_cleanup_errors=True) as name:
        scratch = Path(name)
        kit = _build_wheel(parts, scratch)
        wheels = site_distribution.browser_wheels(parts, kit, progress)
        progress.step(_("Building the site"))
        wheels += [site_numpy.wheel(scratch), site_late.wheel(scratch)]
        site_distribution.write(scratch / "lite" / "static" / "pyodide", parts.runtime, wheels)
        copy_lessons(checkout.root / "notebooks", scratch / "lessons")
        (scratch / "lite" / "jupyter-lite.json").write_text(json.dumps(_page_settings()), "utf-8")
        (scratch / "lite" / "jupyter_lite_config.json").write_text(json.dumps(_build_settings(parts, scratch)), "utf-8")
        _lite(parts, scratch)
        _prune(scratch / "site")
        _name_icon(scratch / "site" / "lab" / "index.html")
        site_landing.write(scratch / "site", checkout.root)
        site_reading.write(parts, kit, scratch / "site", progress)
        site_reference.write(scratch / "site", checkout.root)
        (scratch / "site").rename(site)


def _build_wheel(parts: Parts, scratch: Path) -> Path:
    """Build the wheel of the kit, from a copy: the checkout stays as it is."""
    source, out = scratch / "source", scratch / "wheel"
    for name in ("d20kit", "widgets"):
        unwanted = shutil.ignore_patterns("__pycache__", "*.mo")
        shutil.copytree(parts.checkout.root / name, source / name, ignore=unwanted)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy2(parts.checkout.root / name, source)
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(out)]
    _tool(command, source, clean_environment())
    (wheel,) = out.glob("*.whl")
    return wheel


def copy_lessons(notebooks: Path, folder: Path) -> None:
    """Copy the lessons of every language, with the kernel's name on the site written into them.

    >>> with tempfile.TemporaryDirectory() as name:
    ...     copy_lessons(Path("nowhere"), Path(name))
    ...     sorted(folder.name for folder in Path(name).iterdir())
    ['en', 'id']
    """
    for language in LANGUAGES:
        (folder / language).mkdir(parents=True)
        for shape in _PAGES:
            for file in sorted((notebooks / language).glob(shape)):
                target = folder / language / file.name
                if file.suffix == ".ipynb":
                    target.write_text(json.dumps(_for_site(json.loads(file.read_text("utf-8")))), "utf-8")
                else:
                    shutil.copy2(file, target)


def _for_site(notebook: dict[str, Any]) -> dict[str, Any]:
    notebook["metadata"]["kernelspec"] = {"name": "python", "display_name": "Python (Pyodide)", "language": "python"}
    return notebook


def _page_settings() -> dict[str, Any]:
    """What a page of JupyterLite reads when it opens: one kernel, which looks for packages nowhere else."""
    kernel = {
        "disablePyPIFallback": True,
        "loadPyodideOptions": {"packages": list(site_distribution.START)},
    }
    return {
        "jupyter-lite-schema-version": 0,
        "jupyter-config-data": {
            "appName": "d20kit",
            "enableMemoryStorage": True,
            "exposeAppInBrowser": True,
            "litePluginSettings": {_KERNEL_PLUGIN: kernel},
        },
    }


def _build_settings(parts: Parts, scratch: Path) -> dict[str, Any]:
    labextensions = Path(sys.prefix, "share", "jupyter", "labextensions")
    kernel = parts.tools / "share" / "jupyter" / "labextensions" / "@jupyterlite" / "pyodide-kernel-extension"
    extensions = [labextensions / "@jupyter-widgets" / "jupyterlab-manager", labextensions / "anywidget", kernel]
    return {
        "LiteBuildConfig": {
            "lite_dir": str(scratch / "lite"),
            "output_dir": str(scratch / "site"),
            "cache_dir": str(scratch / "cache"),
            "contents": [str(scratch / "lessons")],
            "apps": ["lab"],
            "federated_extensions": [str(extension) for extension in extensions],
            "ignore_sys_prefix": True,
            "no_sourcemaps": True,
            "no_unused_shared_packages": True,
            "no_libarchive": True,
            "settings_overrides": [str(PACKAGE / "launch" / "settings" / "overrides.json")],
        }
    }


def _prune(site: Path) -> None:
    """Delete what only those who develop JupyterLite need."""
    for shape in ("rspack.config*.js", "package.json", "*/package.json"):
        for file in site.glob(shape):
            file.unlink()


def _name_icon(page: Path) -> None:
    """Tell the browser where the icon is; else it looks for one where the host begins, which is not ours."""
    head = '<head>\n    <link rel="icon" href="favicon.ico">'
    page.write_text(page.read_text("utf-8").replace("<head>", head, 1), "utf-8")


def _lite(parts: Parts, scratch: Path) -> None:
    env = clean_environment(PYTHONPATH=str(parts.tools), SOURCE_DATE_EPOCH=_EPOCH, **jupyter_folders(scratch))
    _tool([sys.executable, "-m", "jupyterlite_core", "build"], scratch / "lite", env)


def _tool(command: list[str], where: Path, env: dict[str, str]) -> None:
    with Child(command, cwd=where, env=env, piped=True) as child:
        said = child.lines.read()
        if child.wait():
            last = "\n".join(said.strip().splitlines()[-20:])
            name = os.path.basename(command[2])
            words = _("The site could not be built: {tool} failed. The last it said:\n{last}")
            raise failed(said, where, words.format(tool=name, last=last))
