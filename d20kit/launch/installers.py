"""The two ways to fill an environment, uv and pip: what each is called with, what it says, how it fails."""

from __future__ import annotations

import importlib.util
import re
import shutil
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from d20kit.language import _
from d20kit.launch import problems
from d20kit.launch.checkout import Checkout, base_python
from d20kit.launch.problems import Problem
from d20kit.launch.process import Child, clean_environment
from d20kit.launch.progress import Progress
from d20kit.launch.tally import Tally

# Settings of the caller's pip that would send packages elsewhere than into the environment.
_PIP = {"PIP_USER": "0", "PIP_TARGET": "", "PIP_PREFIX": "", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INPUT": "1"}
_FAILURES = (
    (r"No space left on device|os error 28|Errno 28", problems.disk_full),
    (r"Read-only file system|Permission denied|os error (13|30)\b|Errno (13|30)\b", problems.not_writable),
)
_NO_NETWORK = re.compile(
    r"NewConnectionError|ConnectTimeout|Name or service not known|name resolution|from versions: none"
    r"|error sending request|dns error|[Cc]onnection refused|Network is unreachable|getaddrinfo failed"
    r"|Network connectivity is disabled"
)


@dataclass(frozen=True)
class Installer:
    """One tool and its three commands; `requirements` is put behind the second.

    >>> uv = uv_installer("uv", Checkout(Path("kit")))
    >>> uv.tool, uv.packages[-2:]
    ('uv', ('--require-hashes', '--requirement'))
    """

    tool: str
    make: tuple[str, ...]
    packages: tuple[str, ...]
    kit: tuple[str, ...]


def uv_installer(uv: str, checkout: Checkout) -> Installer:
    """Return the commands of uv.

    >>> uv_installer("uv", Checkout(Path("kit"))).make[:3]
    ('uv', 'venv', '--allow-existing')
    """
    install = (uv, "pip", "install", "--python", str(checkout.python), "--no-deps")
    return Installer(
        "uv",
        (uv, "venv", "--allow-existing", "--python", base_python(), str(checkout.venv)),
        (*install, "--require-hashes", "--requirement"),
        (*install, "--no-build-isolation", "--editable", str(checkout.root)),
    )


def pip_installer(checkout: Checkout) -> Installer:
    """Return the commands of venv and pip.

    >>> pip_installer(Checkout(Path("kit"))).packages[1:5]
    ('-m', 'pip', 'install', '--no-deps')
    """
    install = (str(checkout.python), "-m", "pip", "install", "--no-deps", "--progress-bar", "off", "--no-compile")
    return Installer(
        "pip",
        (base_python(), "-m", "venv", str(checkout.venv)),
        (*install, "--retries", "2", "--require-hashes", "--requirement"),
        (*install, "--no-build-isolation", "--no-index", "--editable", str(checkout.root)),
    )


def choose(checkout: Checkout) -> Installer:
    """Return uv where it is on PATH, else pip.

    Raises
    ------
    Problem
        If neither uv nor Python's own venv is there.

    Examples
    --------
    >>> from unittest.mock import patch
    >>> with patch("shutil.which", return_value="/usr/bin/uv"):
    ...     choose(Checkout(Path("kit"))).tool
    'uv'
    """
    uv = shutil.which("uv")
    if uv:
        return uv_installer(uv, checkout)
    if not all(importlib.util.find_spec(name) for name in ("venv", "ensurepip")):
        raise no_venv()
    return pip_installer(checkout)


def no_venv() -> Problem:
    """Build the paragraph for a Python that came without venv.

    >>> str(no_venv()).partition(",")[0]
    'This Python came without venv'
    """
    return Problem(
        _(
            "This Python came without venv, which the kit needs to make its own environment. On Debian or Ubuntu "
            "install it with 'sudo apt install python3-venv'; elsewhere install a complete Python or uv. Then run the "
            "same command again."
        )
    )


def run(
    installer: Installer,
    command: tuple[str, ...],
    checkout: Checkout,
    progress: Progress,
    total: int = 0,
    guard: IO[str] | None = None,
) -> None:
    """Run one command of an installer, show how far it is, and explain it if it fails.

    The installer holds the guard file as well: should the kit be killed, the next start waits until it has ended, too.

    >>> import sys
    >>> pip = Installer("pip", (sys.executable, "-c", "raise SystemExit('No space left on device')"), (), ())
    >>> try:
    ...     run(pip, pip.make, Checkout(Path.cwd()), Progress())
    ... except Problem as problem:
    ...     print(str(problem).partition(":")[0])
    The disk is full
    """
    said: deque[str] = deque(maxlen=400)
    tally = Tally(total, progress) if total else None
    with Child(command, cwd=checkout.root, env=clean_environment(**_PIP), piped=True, guard=guard) as child:
        for line in child.lines:
            said.append(line)
            if tally:
                tally.read(line)
        code = child.wait()
    if code:
        raise explain(installer.tool, code, "".join(said), checkout.venv)


def explain(tool: str, code: int, said: str, where: Path) -> Problem:
    """Turn what a failed installer said into one paragraph.

    >>> print(explain("uv", 2, "error: no such option", Path("kit")))
    uv could not set up the environment (exit code 2). The last it said: error: no such option
    """
    if "ensurepip is not available" in said or "No module named ensurepip" in said:
        return no_venv()
    for pattern, problem in _FAILURES:
        if re.search(pattern, said):
            return problem(str(where))
    if _NO_NETWORK.search(said):
        return problems.no_network(tool)
    if re.search(r"DO NOT MATCH THE HASHES|[Hh]ash mismatch", said):
        return Problem(
            _(
                "A package that {tool} fetched is not the one the lock names (its hash differs), so it was not "
                "installed. Run the same command again; if it fails again, the package index or a proxy in between "
                "is serving changed files."
            ).format(tool=tool)
        )
    last = next((line.strip() for line in reversed(said.splitlines()) if line.strip()), "")
    return Problem(
        _("{tool} could not set up the environment (exit code {code}). The last it said: {last}").format(
            tool=tool, code=code, last=last
        )
    )
