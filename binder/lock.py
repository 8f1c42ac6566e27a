"""Make the lock: one resolution, written as hashed requirement files that uv and pip both install.

Run ``python3 binder/lock.py`` after a change of the requirements in pyproject.toml (uv must be on PATH). Versions
that are locked already stay; ``--upgrade`` takes the newest ones.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EVERYTHING = "binder/lock/dev.txt"
_ALL_GROUPS = ("build", "test", "lint", "bench")
# jsonschema does without it and then checks no IRI, of which Jupyter has none. With it JupyterLab, and whatever else
# reads a notebook, first builds a parser: more than two seconds of a processor at every start.
_QUICK = "--prune=rfc3987-syntax"
# Binder's image brings JupyterLab and ipywidgets of its own, so its file leaves them and what only they need out.
# It has no hashes: pip would then ask for the hash of what the image brings, too.
FILES = {
    "binder/lock/lab.txt": ("--extra=lab", "--group=build", _QUICK),
    "binder/lock/test.txt": ("--extra=lab", "--extra=dask", "--group=build", "--group=test", _QUICK),
    EVERYTHING: ("--all-extras", *(f"--group={group}" for group in _ALL_GROUPS), _QUICK),
    "binder/requirements.txt": (
        "--extra=arrays",
        "--extra=widgets",
        "--group=build",
        "--prune=ipywidgets",
        "--no-hashes",
    ),
}
_PIN = re.compile(r"^[A-Za-z0-9][\w.-]*==[^\\]+")


def requirements_digest(pyproject: Path) -> str:
    """Return a digest of everything in pyproject.toml that a lock depends on."""
    table = tomllib.loads(pyproject.read_text(encoding="utf-8"))
    project = table["project"]
    wanted = [
        table["build-system"]["requires"],
        table["dependency-groups"],
        [project[key] for key in ("requires-python", "dependencies", "optional-dependencies")],
    ]
    return hashlib.sha256(json.dumps(wanted, sort_keys=True).encode()).hexdigest()[:16]


def header(pyproject: Path) -> str:
    """Return the first line of every lock file: how it was made, from which requirements."""
    return f"# Made by binder/lock.py from pyproject.toml, requirements {requirements_digest(pyproject)}.\n"


def pins(text: str) -> list[str]:
    """Return the ``name==version ; marker`` lines of a lock file, without hashes."""
    return [found.group().strip() for line in text.splitlines() if (found := _PIN.match(line))]


def _uv(uv: str, where: Path, *arguments: str) -> str:
    run = subprocess.run([uv, *arguments], cwd=where, stdout=subprocess.PIPE, text=True)
    if run.returncode:
        sys.exit(f"uv {arguments[0]} failed; the lock is as it was.")
    return run.stdout


def write_locks(uv: str, upgrade: bool) -> None:
    """Resolve once, then write every file of the lock."""
    pyproject = ROOT / "pyproject.toml"
    texts = {}
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch, "pyproject.toml")
        copy.write_text(pyproject.read_text(encoding="utf-8"), encoding="utf-8")
        old = ROOT / EVERYTHING
        if old.exists() and not upgrade:
            with copy.open("a", encoding="utf-8") as file:
                file.write(f"\n[tool.uv]\nconstraint-dependencies = {json.dumps(pins(old.read_text('utf-8')))}\n")
        _uv(uv, Path(scratch), "lock", "--quiet")
        for name, choice in FILES.items():
            common = ("--frozen", "--no-emit-project", "--no-header", "--no-annotate", "--no-default-groups", "--quiet")
            texts[name] = header(pyproject) + _uv(uv, Path(scratch), "export", *common, *choice)
    for name, text in texts.items():
        if "://" in text:
            sys.exit(f"{name} would name a host; the lock is as it was.")
    for name, text in texts.items():
        (ROOT / name).parent.mkdir(exist_ok=True)
        (ROOT / name).write_text(text, encoding="utf-8", newline="\n")
        print(f"{name}: {len(pins(text))} packages")


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--upgrade", action="store_true", help="take the newest versions")
    arguments = parser.parse_args()
    uv = shutil.which("uv")
    if uv is None:
        sys.exit("uv is not on PATH. Install it (python3 -m pip install uv), then run this again.")
    write_locks(uv, arguments.upgrade)


if __name__ == "__main__":
    main()
