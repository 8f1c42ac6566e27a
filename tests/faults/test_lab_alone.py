"""JupyterLab and its kernels, as the kit starts them, listen to this machine alone."""

from __future__ import annotations

import json
import os
import secrets
import socket
import sys
import time
import urllib.error
from pathlib import Path
from typing import Any

import pytest

from d20kit.launch.folders import jupyter_folders
from d20kit.launch.lab import Server, free_port, wait_until_it_answers
from d20kit.launch.process import Child, clean_environment
from tests.launch.asking import EMPTY, ask

LESSON = "notebooks/en/00-start.ipynb"


def listening(family: list[Any]) -> set[str]:
    """Return the addresses at which some processes wait for others."""
    return {one.laddr.ip for process in family for one in process.net_connections("inet") if one.status == "LISTEN"}


def test_nobody_else_can_reach_the_lab(tmp_path: Path) -> None:
    """In a class room everybody shares a network: neither the server nor a kernel may answer to the neighbour."""
    psutil = pytest.importorskip("psutil")
    lesson = tmp_path / LESSON
    lesson.parent.mkdir(parents=True)
    lesson.write_text(json.dumps(EMPTY))
    server = Server(Path(sys.executable), tmp_path, LESSON, free_port(), secrets.token_hex(16))
    env = clean_environment(JUPYTER_TOKEN=server.token, HOME=str(tmp_path), **jupyter_folders(tmp_path / "scratch"))
    with (
        (tmp_path / "said.txt").open("wb") as said,
        Child(server.command, cwd=tmp_path, env=env, output=said) as child,
    ):
        assert wait_until_it_answers(server, child), (tmp_path / "said.txt").read_text()
        # Without the key nothing is told, to this machine either.
        kernels = f"http://127.0.0.1:{server.port}/api/kernels"
        with pytest.raises(urllib.error.HTTPError) as refused:
            ask(kernels, "wrong")
        assert refused.value.code == 403
        ask(kernels, server.token, b"{}")
        root = psutil.Process(child.process.pid)
        for _wait in range(300):
            family = [root, *root.children(recursive=True)]
            # The server has one door, a kernel five.
            if sum(len(process.net_connections("inet")) for process in family) > 5:
                break
            time.sleep(0.1)
        assert len(family) > 1
        assert listening(family) == {"127.0.0.1"}


def test_a_server_for_everybody_would_be_seen() -> None:
    """The test above could not fail if a door to all networks did not show."""
    psutil = pytest.importorskip("psutil")
    with socket.create_server(("0.0.0.0", 0)):
        assert "0.0.0.0" in listening([psutil.Process(os.getpid())])
