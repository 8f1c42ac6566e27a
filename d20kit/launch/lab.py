"""``python3 -m d20kit lab``: JupyterLab on a lesson."""

from __future__ import annotations

import argparse
import importlib.util
import os
import secrets
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from d20kit.language import LANGUAGES, N_, _, set_language
from d20kit.launch.browser import has_screen
from d20kit.launch.checkout import PACKAGE, Checkout, find_checkout
from d20kit.launch.environment import ensure
from d20kit.launch.folders import jupyter_folders, kept_folder
from d20kit.launch.lab_lessons import lay_out
from d20kit.launch.lessons import choose_lesson
from d20kit.launch.options import Options
from d20kit.launch.problems import Problem
from d20kit.launch.process import Child, clean_environment, farewell

SUMMARY = N_("open JupyterLab on a lesson")
_HOST = "127.0.0.1"
_PORTS = range(8888, 8988)
_SETTINGS = PACKAGE / "launch" / "settings"
_LAST_LINES = 30
# The kit asks nothing of the network: no news, no look for updates, no list of extensions.
_QUIET = (
    f"--LabApp.app_settings_dir={_SETTINGS}",
    "--LabApp.news_url=None",
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    "--LabApp.extension_manager=readonly",
    # Looking for them runs npm, which writes into the home folder.
    "--LanguageServerManager.autodetect=False",
    "--ServerApp.log_level=WARN",
    "--LabApp.log_level=WARN",
)


@dataclass(frozen=True)
class Server:
    """One JupyterLab: what it serves and where it answers.

    >>> Server(Path("python3"), Path("kit"), "notebooks/en/04-hit-points.ipynb", 8888, "secret").url
    'http://127.0.0.1:8888/lab/tree/notebooks/en/04-hit-points.ipynb?token=secret'
    """

    python: Path
    root: Path
    lesson: str
    port: int
    token: str

    @property
    def command(self) -> list[str]:
        """The command line of JupyterLab. The token is not in it: others on the machine could read it there."""
        command = [str(self.python), "-m", "jupyterlab", "--no-browser", *_QUIET]
        command += [f"--ServerApp.ip={_HOST}", f"--ServerApp.port={self.port}", "--ServerApp.port_retries=0"]
        command += [f"--ServerApp.root_dir={self.root}"]
        return [*command, "--allow-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else command

    @property
    def place(self) -> str:
        """The address of the lesson, without what opens it."""
        return f"http://{_HOST}:{self.port}/lab/tree/{self.lesson}"

    @property
    def url(self) -> str:
        """The address that opens the lesson."""
        return f"{self.place}?token={self.token}"

    def answers(self) -> bool:
        """Return whether this very server has the lesson ready; another one on the port knows no such token."""
        address = f"http://{_HOST}:{self.port}/api/contents/{self.lesson}?content=0"
        request = urllib.request.Request(address, headers={"Authorization": f"token {self.token}"})
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with direct.open(request, timeout=10) as answer:
                return bool(answer.status == 200)
        except (OSError, urllib.error.URLError):
            return False


def parser() -> argparse.ArgumentParser:
    """Return the parser of this command's options.

    >>> options = parser().parse_args(["--lesson", "04", "--no-browser"])
    >>> options.lesson, options.no_browser, options.port
    ('04', True, None)
    """
    options = Options(prog="python3 -m d20kit lab", description=_(SUMMARY))
    options.add_argument("--no-browser", action="store_true", help=_("print the address instead of opening a browser"))
    options.add_argument("--port", type=_port, help=_("answer on this port of 127.0.0.1"))
    options.add_argument("--lesson", help=_("the lesson to open: 04, hit-points or 04-hit-points"))
    options.add_argument("--language", choices=LANGUAGES, help=_("the language of the lessons"))
    return options


def run(arguments: list[str]) -> int:
    """Open JupyterLab on a lesson and stay until it is closed.

    >>> run(["--port", "0"])  # refused before anything starts
    Traceback (most recent call last):
    SystemExit: 2
    """
    options = parser().parse_args(arguments)
    if options.language:
        set_language(options.language)
    if options.port and not port_is_free(options.port):
        raise port_taken(options.port)
    checkout = find_checkout()
    root = checkout.root if checkout else Path.cwd()
    if checkout is None:
        python = _own_python()
        for line in lay_out(root / "notebooks"):
            print(line, flush=True)
    lesson = choose_lesson(root / "notebooks", options.language, options.lesson)
    if checkout:
        python = ensure(checkout, "lab")
    with farewell(_closed(lesson)):
        return _serve(python, root, lesson, options, checkout)


def _serve(python: Path, root: Path, lesson: str, options: argparse.Namespace, checkout: Checkout | None) -> int:
    print(_("Starting JupyterLab"), flush=True)
    while True:
        server = Server(python, root, lesson, options.port or free_port(), secrets.token_hex(16))
        with tempfile.TemporaryDirectory(prefix="d20kit-", ignore_cleanup_errors=True) as scratch:
            code = _attend(server, Path(scratch), checkout, not options.no_browser)
        if code is not None:
            print(_closed(lesson), flush=True)
            return code
        if options.port:
            raise port_taken(options.port)


def _attend(server: Server, scratch: Path, checkout: Checkout | None, browser: bool) -> int | None:
    """Stay with one JupyterLab until it is closed; None if another program took its port before it did."""
    language = Path(server.lesson).parts[-2]
    env = clean_environment(D20KIT_LANG=language, JUPYTER_TOKEN=server.token, JUPYTER_PREFER_ENV_PATH="1")
    if checkout:
        env |= jupyter_folders(scratch, kept_folder(checkout))
    with (
        _aside(scratch / "said.txt", server.token) as said,
        Child(server.command, cwd=server.root, env=env, stdin=subprocess.DEVNULL, output=said) as child,
    ):
        if wait_until_it_answers(server, child):
            _announce(server, browser, scratch)
            code = child.wait()
            if code:
                raise Problem(_("JupyterLab ended by itself (exit code {code}).").format(code=code))
            return code
        if port_is_free(server.port):
            raise Problem(_("JupyterLab stopped before it answered."))
    return None


@contextmanager
def _aside(log: Path, secret: str) -> Iterator[IO[bytes]]:
    """Keep what the server says out of sight, since an ordinary visit reads alarming; a problem ends with the last."""
    with log.open("wb") as said:
        try:
            yield said
        except Problem as problem:
            told = log.read_text("utf-8", "replace").replace(secret, "...")
            last = told.strip().splitlines()[-_LAST_LINES:]
            words = [_("The last it said:"), *last] if last else []
            raise Problem("\n".join([str(problem), *words])) from problem


def _closed(lesson: str) -> str:
    folder = Path(lesson).parent.as_posix()
    return _("The lab is closed; your work, as it was last saved, is in {folder}.").format(folder=folder)


def wait_until_it_answers(server: Server, child: Child, seconds: float = 120) -> bool:
    """Return whether the server came up; False if it ended before it did.

    >>> server = Server(Path(sys.executable), Path.cwd(), "notebooks/en/00-start.ipynb", 8888, "secret")
    >>> with Child([sys.executable, "-c", ""], cwd=Path.cwd()) as child:
    ...     code = child.wait()
    ...     wait_until_it_answers(server, child)
    False
    """
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if child.process.poll() is not None:
            return False
        if server.answers():
            return True
        time.sleep(0.1)
    raise Problem(_("JupyterLab did not answer within {seconds} seconds; it was ended.").format(seconds=seconds))


def _announce(server: Server, browser: bool, scratch: Path) -> None:
    """Say where the lesson is; what is no terminal may be a log that others read, and the token opens a shell."""
    private = sys.stdout.isatty()
    print(_("JupyterLab is ready: {url}").format(url=server.url if private else server.place))
    if not private:
        whole = scratch / "address.txt"
        whole.touch(0o600)
        whole.write_text(server.url + "\n", "utf-8")
        print(_("Its key is not printed where others may read it; the whole address is in: {file}").format(file=whole))
    print(_("Ctrl-C here ends it."), flush=True)
    if browser and not (has_screen() and webbrowser.open(server.url)):
        print(_("No browser could be opened; open that address yourself."), flush=True)


def _own_python() -> Path:
    if importlib.util.find_spec("jupyterlab") is None:
        raise Problem(
            _(
                "JupyterLab is not installed beside the kit. Install it with "
                "'python3 -m pip install \"d20kit[lab]\"', then run the same command again."
            )
        )
    return Path(sys.executable)


def _port(text: str) -> int:
    if text.isdecimal() and 1 <= int(text) <= 65535:
        return int(text)
    raise argparse.ArgumentTypeError(_("{text!r} is no port; write a number from 1 to 65535").format(text=text))


def port_is_free(port: int) -> bool:
    """Return whether a server could listen on a port of this machine.

    >>> with socket.create_server(("127.0.0.1", 0)) as taken:
    ...     port_is_free(taken.getsockname()[1])
    False
    """
    with socket.socket() as probe:
        if os.name != "nt":  # pragma: no branch  (on Windows this option would give a taken port away)
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((_HOST, port))
        except OSError:
            return False
    return True


def free_port() -> int:
    """Return the first free port of the usual ones.

    >>> 8888 <= free_port() <= 8987
    True
    """
    port = next(filter(port_is_free, _PORTS), None)
    if port is None:
        raise Problem(_("Every port from 8888 to 8987 is taken; close some programs, or name one with --port."))
    return port


def port_taken(port: int) -> Problem:
    """Build the paragraph for a port that another program has.

    >>> str(port_taken(9000)).partition(" by ")[0]
    'Port 9000 is taken'
    """
    return Problem(
        _(
            "Port {port} is taken by another program, perhaps by a JupyterLab that still runs. Leave --port out to let "
            "the kit choose a free one, or name another, for example --port {other}."
        ).format(port=port, other=free_port())
    )
