"""Builds and starts the kit as Binder does, without Docker: repo2docker's own steps, run by a user who is not root.

Left out is what needs root or conda: Debian packages, and the base environment, which is installed with the versions
of repo2docker's lock from the package index instead.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from uv import find_uv_bin

from tests.launch.asking import direct

BASE = "/user/somebody-kit-1a2b3c/"
# What Binder's base environment has that answers an address, or that the kit leaves to it.
_ROOTS = ("jupyterlab", "notebook", "jupyter_server", "jupyterhub", "ipywidgets", "ipykernel", "jupyter-resource-usage")
_NOBODY = 65534
_LOCKED = re.compile(r"https?://.*/(.+)-([^-]+)-([^-]+)\.(?:conda|tar\.bz2)")
# Where pip finds its packages here, and whom it trusts.
_PASSED_ON = re.compile(r"(?i)PIP_(?!NO_CACHE|USER|TARGET|PREFIX)|SSL_CERT|REQUESTS_CA|UV_|https?_proxy|no_proxy")


class NotBuilt(Exception):  # noqa: N818  (what failed is a step of the build, not this code)
    """A step of the build failed; the message is what it said."""


def identity() -> dict[str, Any]:
    """Return the settings that make a child run as somebody who is not root."""
    return {"user": _NOBODY, "group": _NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}


def python_for(version: str) -> str | None:
    """Return a Python of a version that such a user may run."""
    for name in (getattr(sys, "_base_executable", sys.executable), f"/usr/local/bin/python{version}"):
        if _is(name, version):
            return name
    found = [shutil.which(f"python{version}", path=folder) for folder in os.get_exec_path()]
    return next((name for name in [*found, f"/usr/bin/python{version}"] if name and _is(name, version)), None)


def _is(name: str, version: str) -> bool:
    code = "import sys, venv; print('%d.%d' % sys.version_info[:2])"
    try:
        run = subprocess.run([name, "-I", "-c", code], cwd="/", capture_output=True, text=True, **identity())
    except OSError:
        return False
    return bool(run.stdout.strip() == version)


def steps_for(repository: Path) -> dict[str, Any]:
    """Return the steps of the build pack that repo2docker chooses for a repository."""
    from repo2docker.app import Repo2Docker

    before = Path.cwd()
    os.chdir(repository)
    try:
        application = Repo2Docker()
        packs = (pack(base_image=application.base_image) for pack in application.buildpacks)
        chosen = next(pack for pack in packs if pack.detect())
        chosen.platform = "linux/amd64"
        # Asked for here: it reads the files of the folder it is in.
        return {
            "version": chosen.python_version,
            "files": chosen.get_preassemble_script_files(),
            "install": [script for user, script in chosen.get_preassemble_scripts() if user != "root"],
            "assemble": [script for user, script in chosen.get_assemble_scripts() if user != "root"],
            "post": chosen.get_post_build_scripts(),
            "start": chosen.get_start_script(),
        }
    finally:
        os.chdir(before)


def base_pins(version: str) -> list[str]:
    """Return the versions of Python packages in repo2docker's base environment."""
    import repo2docker.buildpacks.conda as conda

    lock = Path(conda.__file__).with_name(f"environment.py-{version}-linux-64.lock")
    found = filter(None, map(_LOCKED.match, lock.read_text().splitlines()))
    return [f"{name}=={number}" for name, number, kind in (one.groups() for one in found) if "py" in kind]


@dataclass
class Image:
    """A built repository.

    Parameters
    ----------
    repository : Path
        What is built; its copy becomes the home folder.
    work : Path
        An empty folder that everybody may enter.
    """

    repository: Path
    work: Path

    def __post_init__(self) -> None:
        self.home = self.work / "home" / "jovyan"
        self.prefix = self.work / "srv" / "conda" / "envs" / "notebook"
        self.python = self.prefix / "bin" / "python"
        self.steps = steps_for(self.repository)
        self.seconds: dict[str, float] = {}
        passed_on = {name: value for name, value in os.environ.items() if _PASSED_ON.match(name)}
        self.env = passed_on | {
            "HOME": str(self.home),
            "USER": "jovyan",
            "NB_USER": "jovyan",
            "REPO_DIR": str(self.home),
            "LC_ALL": "C.UTF-8",
            "SHELL": "/bin/bash",
            "NB_PYTHON_PREFIX": str(self.prefix),
            "KERNEL_PYTHON_PREFIX": str(self.prefix),
            "CONDA_DIR": str(self.work / "srv" / "conda"),
            "PATH": f"{self.home}/.local/bin:{self.prefix}/bin:/usr/bin:/bin",
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "PIP_NO_CACHE_DIR": "1",
            # No package is compiled that nobody imports; pip takes this for the value that --no-compile sets.
            "PIP_NO_COMPILE": "0",
        }

    def build(self, python: str) -> None:
        """Make the base environment, then take repo2docker's steps in its order."""
        self.home.mkdir(parents=True)
        self.prefix.parent.mkdir(parents=True)
        self._give()
        start = time.monotonic()
        self._base(python)
        self.seconds["base environment"] = time.monotonic() - start
        self.base_megabytes = size(self.prefix)
        start = time.monotonic()
        # Before the first step repo2docker copies only the files that the step reads.
        for source, target in self.steps["files"].items():
            (self.home / target).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(self.repository / source, self.home / target)
        self._give()
        self.install()
        ignore = shutil.ignore_patterns(".git", ".venv*", "__pycache__", ".*_cache", "*.mo", "node_modules")
        shutil.copytree(self.repository, self.home, ignore=ignore, dirs_exist_ok=True)
        self._give()
        self.finish()
        self.seconds["the kit"] = time.monotonic() - start

    def _base(self, python: str) -> None:
        constraints = self.work / "base.txt"
        pins = [pin for pin in base_pins(self.steps["version"]) if not pin.startswith(("python==", "pip=="))]
        constraints.write_text("\n".join(pins) + "\n")
        self.run([python, "-m", "venv", "--without-pip", str(self.prefix)])
        wanted = ["-c", str(constraints), "pip", *_ROOTS]
        # Binder's own packages come ready in its image, so they may come by the quickest way that finds them here.
        quick = [find_uv_bin(), "pip", "install", "-q", "--system-certs", "--python", str(self.python)]
        slow = [sys.executable, "-m", "pip", "--python", str(self.python), "install", "-q", "--no-compile"]
        for tool in (quick, slow):
            run = subprocess.run([*tool, *wanted], capture_output=True, text=True)
            if not run.returncode:
                return
        raise NotBuilt(run.stdout + run.stderr)

    def install(self) -> None:
        """Install the requirements, as repo2docker does before it copies the repository."""
        for script in self.steps["install"]:
            self.run(["bash", "-c", script])

    def finish(self) -> None:
        """Take the steps that come after the repository was copied."""
        for script in self.steps["assemble"]:
            self.run(["bash", "-c", script])
        for script in self.steps["post"]:
            self.run(["bash", "-c", f"chmod +x {script} && ./{script}"])

    def install_and_finish(self) -> None:
        """Take all steps anew, as for a changed repository."""
        self.install()
        self.finish()

    def run(self, command: list[str], **extra: str) -> str:
        """Run something in the image and return what it said."""
        settings: dict[str, Any] = {
            "stdout": subprocess.PIPE,
            "stderr": subprocess.STDOUT,
            "text": True,
            "timeout": 280,
        }
        env = self.env | extra
        run = subprocess.run(command, cwd=self.home, env=env, stdin=subprocess.DEVNULL, **settings, **identity())
        if run.returncode:
            raise NotBuilt(f"{' '.join(command)[:200]}\n{run.stdout}")
        return str(run.stdout)

    def _give(self) -> None:
        """Give what was written here to the user who works in the image."""
        if os.geteuid() == 0:
            subprocess.run(["chown", "-R", f"{_NOBODY}:{_NOBODY}", str(self.work)], check=True)

    @property
    def megabytes(self) -> dict[str, int]:
        """The size of the environment, what of it Binder's own part is, and the home folder with the kit, in MB."""
        return {"environment": size(self.prefix), "of which Binder's own": self.base_megabytes, "home": size(self.home)}

    @contextmanager
    def started(self) -> Iterator[Server]:
        """Start the image with BinderHub's arguments through repo2docker's entry point."""
        import repo2docker.buildpacks.base as base

        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        server = Server(f"http://127.0.0.1:{port}{BASE}", secrets.token_hex(16))
        options = {"base_url": BASE, "token": server.token, "trust_xheaders": "True", "allow_origin": "*"}
        arguments = [
            f"--{kind}.{name}={value}" for kind in ("NotebookApp", "ServerApp") for name, value in options.items()
        ]
        entry = self.work / "entrypoint.py"
        # Its first line names the Python of an image that has Docker's layout.
        entry.write_text(Path(base.__file__).with_name("repo2docker-entrypoint").read_text().partition("\n")[2])
        env = dict(self.env)
        if self.steps["start"]:
            env["R2D_ENTRYPOINT"] = self.steps["start"].replace("${REPO_DIR}", str(self.home))
        self._give()
        command = [
            str(self.python),
            "-u",
            str(entry),
            "jupyter-lab",
            "--no-browser",
            "--ip=127.0.0.1",
            f"--port={port}",
        ]
        log = self.work / "server.log"
        began = time.monotonic()
        with log.open("wb") as said:
            child = subprocess.Popen(
                [*command, *arguments],
                cwd=self.home,
                env=env,
                stdout=said,
                stderr=said,
                start_new_session=True,
                **identity(),
            )
        try:
            server.wait(child, log)
            self.seconds["start to 200"] = time.monotonic() - began
            yield server
        finally:
            child.terminate()
            child.wait(30)


@dataclass
class Server:
    """A started image."""

    address: str
    token: str

    def get(self, path: str, data: bytes | None = None) -> tuple[int, bytes]:
        """Return the status and the body of an address under the base URL; with data it is posted."""
        headers = {"Authorization": f"token {self.token}", "Content-Type": "application/json"}
        request = urllib.request.Request(self.address + path, data=data, headers=headers)
        try:
            with direct.open(request, timeout=60) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()

    def wait(self, child: subprocess.Popen[bytes], log: Path) -> None:
        """Wait for the first landing page."""
        end = time.monotonic() + 120
        while time.monotonic() < end and child.poll() is None:
            try:
                if self.get("doc/tree/notebooks/en/00-start.ipynb")[0] == 200:
                    return
            except OSError:
                pass
            time.sleep(0.1)
        raise NotBuilt(log.read_text(errors="replace"))

    def new_kernel(self) -> str:
        """Start a kernel and return its id."""
        status, body = self.get("api/kernels", b'{"name": "python3"}')
        assert status == 201, body
        return str(json.loads(body)["id"])


def size(folder: Path) -> int:
    """Return how much of the disk a folder takes, in MB."""
    return int(subprocess.run(["du", "-sm", folder], capture_output=True, text=True).stdout.split()[0])
