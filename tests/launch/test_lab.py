"""``lab`` opens the lesson that was meant, on a port that is free, and closes all of it."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from d20kit.launch import lab
from d20kit.launch.checkout import PACKAGE
from d20kit.launch.lessons import find_lesson
from d20kit.launch.problems import Problem

NAMES = ["00-start", "01-attack", "04-hit-points", "07-surprise-round-battle"]
EMPTY = {"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


@pytest.mark.parametrize("wanted", ["04", "4", "hit-points", "Hit-Points", "04-hit-points", "04-hit-points.ipynb"])
def test_lesson_by_any_name(wanted: str) -> None:
    """People name a lesson by its number, its topic or its file."""
    assert find_lesson(NAMES, wanted) == "04-hit-points"


def test_first_lesson_by_default() -> None:
    """Whoever names none starts at the start; 0 is that one's number, too."""
    assert find_lesson(NAMES, None) == find_lesson(NAMES, "0") == "00-start"


def test_unknown_lesson_offers_the_nearest() -> None:
    """A misspelt lesson is not an empty JupyterLab."""
    with pytest.raises(Problem, match=r"no lesson 'hitpoint'.*Did you mean '04-hit-points'.*01-attack"):
        find_lesson(NAMES, "hitpoint")


def write_lesson(root: Path, language: str, name: str = "00-start") -> None:
    path = root / "notebooks" / language / f"{name}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(EMPTY))


def test_english_stands_in_only_if_no_language_was_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that speaks Indonesian must still start; a person who asks for it must not get English unasked."""
    write_lesson(tmp_path, "en")
    monkeypatch.setattr(lab, "current_language", lambda: "id")
    assert lab.choose_lesson(tmp_path / "notebooks", None, None) == "notebooks/en/00-start.ipynb"
    with pytest.raises(Problem, match="no lessons"):
        lab.choose_lesson(tmp_path / "notebooks", "id", None)
    write_lesson(tmp_path, "id")
    assert lab.choose_lesson(tmp_path / "notebooks", None, None) == "notebooks/id/00-start.ipynb"


@pytest.fixture
def taken_port():
    """Return a port that another program listens on."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield other.getsockname()[1]


def test_taken_port_is_said_before_anything_is_made(taken_port: int) -> None:
    """The person named a port that another program has: say so, and name a free one."""
    with pytest.raises(Problem, match=rf"Port {taken_port} is taken.*--port \d+") as caught:
        lab.run(["--no-browser", "--port", str(taken_port)])
    other = int(re.findall(r"--port (\d+)", str(caught.value))[-1])
    assert lab.port_is_free(other)


def test_free_port_passes_over_a_taken_one(taken_port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without --port a second JupyterLab must not fail because of the first."""
    monkeypatch.setattr(lab, "_PORTS", range(taken_port, taken_port + 50))
    assert lab.free_port() > taken_port


@pytest.mark.parametrize("port", ["0", "65536", "x", "-1", "80.0"])
def test_port_must_be_one(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A port that is none is refused with the range."""
    with pytest.raises(SystemExit):
        lab.run([f"--port={port}"])
    assert "from 1 to 65535" in capsys.readouterr().err


# The command as installed from a wheel: no checkout, so the running interpreter serves.
INSTALLED = """
import sys
from d20kit.launch import command, lab
lab.find_checkout = lambda: None
sys.exit(command.run(["lab", "--no-browser", "--lesson", "4"]))
"""


def call(address: str, token: str, data: bytes | None = None) -> dict:
    request = urllib.request.Request(address, data=data, headers={"Authorization": f"token {token}"})
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=30) as answer:
        return json.load(answer)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no signals to send to another process")
def test_real_server_serves_the_lesson_and_ends_with_its_kernels(tmp_path: Path) -> None:
    """The whole way: the printed address answers, the settings ask for no news, Ctrl-C ends server and kernel."""
    psutil = pytest.importorskip("psutil")
    root = tmp_path / "with space"
    write_lesson(root, "en", "04-hit-points")
    env = os.environ | {"PYTHONPATH": str(PACKAGE.parent), "D20KIT_LANG": "en", "IPYTHONDIR": str(tmp_path)}
    start = subprocess.Popen([sys.executable, "-c", INSTALLED], cwd=root, env=env, stdout=subprocess.PIPE, text=True)
    assert start.stdout is not None
    try:
        lines = iter(start.stdout.readline, "")
        url = next(found.group() for line in lines if (found := re.search(r"http://\S+", line)))
        base, token = re.fullmatch(r"(.*)/lab/tree/notebooks/en/04-hit-points\.ipynb\?token=(\w+)", url).groups()
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(url, timeout=30) as page:
            assert page.status == 200
        news = call(f"{base}/lab/api/settings/@jupyterlab/apputils-extension:notification", token)
        assert news["schema"]["properties"]["fetchNews"]["default"] == "false"
        call(f"{base}/api/kernels", token, b"{}")
        family = psutil.Process(start.pid).children(recursive=True)
        assert len(family) >= 2
    finally:
        start.send_signal(signal.SIGINT)
        code = start.wait(30)
    start.stdout.close()
    assert code == 130
    _gone, left = psutil.wait_procs(family, timeout=5)
    assert [process for process in left if process.status() != psutil.STATUS_ZOMBIE] == []


def test_token_is_not_on_the_command_line(tmp_path: Path) -> None:
    """Everybody on a shared machine can read command lines, and the token opens a shell."""
    server = lab.Server(Path(sys.executable), tmp_path, "notebooks/en/00-start.ipynb", 8888, "secret")
    assert "secret" not in " ".join(server.command)
    assert "--ServerApp.ip=127.0.0.1" in server.command
    assert server.url.endswith("?token=secret")
