"""``lab`` opens the lesson that was meant, on a port that is free, and closes all of it."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import webbrowser
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from d20kit.launch import folders, lab, lessons
from d20kit.launch.checkout import PACKAGE, Checkout
from d20kit.launch.lessons import choose_lesson, find_lesson
from d20kit.launch.problems import Problem
from d20kit.launch.process import Child
from tests.launch.asking import EMPTY, ask, direct

NAMES = ["00-start", "01-attack", "04-hit-points", "07-surprise-round-battle"]


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
    monkeypatch.setattr(lessons, "current_language", lambda: "id")
    assert choose_lesson(tmp_path / "notebooks", None, None) == "notebooks/en/00-start.ipynb"
    with pytest.raises(Problem) as caught:
        choose_lesson(tmp_path / "notebooks", "id", None)
    assert str(caught.value) == "The lessons are not there in Indonesian yet; write --language en."
    write_lesson(tmp_path, "id")
    assert choose_lesson(tmp_path / "notebooks", None, None) == "notebooks/id/00-start.ipynb"


def test_no_lessons_at_all_is_a_copy_without_them(tmp_path: Path) -> None:
    """Only where no language has lessons is the folder to blame."""
    with pytest.raises(Problem, match="so this copy of the kit is not whole"):
        choose_lesson(tmp_path / "notebooks", "en", None)


@pytest.fixture
def taken_port() -> Iterator[int]:
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


# The command in a checkout whose environment stands already: the running interpreter serves.
READY = """
import pathlib, sys
from d20kit.launch import checkout, command, lab
kit = checkout.Checkout(pathlib.Path.cwd())
kit.venv.mkdir(exist_ok=True)
lab.find_checkout = lambda: kit
lab.ensure = lambda checkout, profile: pathlib.Path(sys.executable)
sys.exit(command.run(["lab", "--no-browser", *sys.argv[1:]]))
"""


@dataclass
class Home:
    """A person's machine: a home folder, a folder for passing files, a checkout with one lesson."""

    root: Path
    home: Path
    scratch: Path

    def start(self) -> subprocess.Popen[str]:
        """Start the command on that machine."""
        kept = {
            name: value for name, value in os.environ.items() if not name.startswith(("JUPYTER", "XDG_", "IPYTHON"))
        }
        env = kept | {"HOME": str(self.home), "TMPDIR": str(self.scratch), "D20KIT_LANG": "en"}
        env |= {"PYTHONPATH": str(PACKAGE.parent)}
        command = [sys.executable, "-B", "-c", READY, "--lesson", "4"]
        pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
        started: subprocess.Popen[str] = subprocess.Popen(command, cwd=self.root, env=env, **pipes)
        return started

    def started_kernel(self) -> bool:
        """Wait until a kernel has left the first of its files, and return whether it did."""
        for _wait in range(600):
            if any(self.scratch.glob("d20kit-*/ipython/profile_default")):
                return True
            time.sleep(0.05)
        return False


@pytest.fixture
def machine(tmp_path: Path) -> Home:
    """Return a machine on which nothing was ever started."""
    home = Home(tmp_path / "with space", tmp_path / "home", tmp_path / "scratch")
    write_lesson(home.root, "en", "04-hit-points")
    home.home.mkdir()
    home.scratch.mkdir()
    return home


def printed_address(start: subprocess.Popen[str]) -> tuple[str, str, list[str]]:
    """Return the server's address, its token from the file that is named, and the lines up to it."""
    lines = []
    assert start.stdout is not None
    for line in iter(start.stdout.readline, ""):
        lines.append(line)
        if named := re.search(r"the whole address is in: (.+)$", line):
            whole = Path(named[1]).read_text("utf-8")
            found = re.fullmatch(r"(http://\S+)/lab/tree/notebooks/en/04-hit-points\.ipynb\?token=(\w+)\n", whole)
            assert found
            return found[1], found[2], lines
    raise AssertionError("".join(lines))


def end_by_ctrl_c(start: subprocess.Popen[str], base: str, token: str) -> int:
    start.send_signal(signal.SIGINT)
    return 130


def end_from_the_menu(start: subprocess.Popen[str], base: str, token: str) -> int:
    ask(f"{base}/api/shutdown", token, b"")
    return 0


@pytest.mark.skipif(os.name == "nt", reason="Windows has no signals to send to another process")
def test_real_server_serves_the_lesson_and_ends_with_its_kernels(machine: Home) -> None:
    """The whole way, twice: the address answers, its key is in no log, no news is asked for, and nothing stays."""
    psutil = pytest.importorskip("psutil")
    for end in (end_by_ctrl_c, end_from_the_menu):
        with machine.start() as start:
            try:
                base, token, lines = printed_address(start)
                url = f"{base}/lab/tree/notebooks/en/04-hit-points.ipynb?token={token}"
                with direct.open(url, timeout=30) as page:
                    assert page.status == 200
                news = ask(f"{base}/lab/api/settings/@jupyterlab/apputils-extension:notification", token)
                assert news["schema"]["properties"]["fetchNews"]["default"] == "false"
                (file,) = machine.scratch.glob("d20kit-*/address.txt")
                assert [path.stat().st_mode & 0o077 for path in (file, file.parent)] == [0, 0]
                ask(f"{base}/api/kernels", token, b"{}")
                assert machine.started_kernel()
                family = psutil.Process(start.pid).children(recursive=True)
                assert len(family) >= 2
                code = end(start, base, token)
            except BaseException:
                start.terminate()
                raise
            assert start.stdout is not None
            said = [line for line in [*lines, *start.stdout] if line != "\n"]
        assert start.returncode == code
        _gone, left = psutil.wait_procs(family, timeout=5)
        assert [process for process in left if process.status() != psutil.STATUS_ZOMBIE] == []
        assert token not in "".join(said)
        assert said == [
            "Starting JupyterLab\n",
            f"JupyterLab is ready: {url.partition('?')[0]}\n",
            f"Its key is not printed where others may read it; the whole address is in: {file}\n",
            "Ctrl-C here ends it.\n",
            "The lab is closed; your work, as it was last saved, is in notebooks/en.\n",
        ]
        assert list(machine.home.iterdir()) == list(machine.scratch.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="Windows has no signals to send to another process")
def test_server_that_dies_has_the_last_word(machine: Home) -> None:
    """What the server says is out of sight, so it must be shown when it is the only clue."""
    psutil = pytest.importorskip("psutil")
    with machine.start() as start:
        base, token, _lines = printed_address(start)
        # A server answers before it writes into its log; with the second answer the first line is there.
        for name in ("gone.ipynb", "gone too.ipynb"):
            with pytest.raises(urllib.error.HTTPError):
                ask(f"{base}/api/contents/{urllib.parse.quote(name)}", token)
        psutil.Process(start.pid).children()[0].kill()
        assert start.stdout is not None
        said = start.stdout.read()
    assert start.returncode == 1
    assert "JupyterLab ended by itself (exit code -9).\nThe last it said:\n" in said
    assert "gone.ipynb" in said


def test_server_that_cannot_start_has_the_last_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A broken installation shows in what Python says about it, and a long complaint by its end."""
    complaint = "for n in range(99): print('line', n, flush=True)\nraise SystemExit('no module named jupyterlab')"
    command = property(lambda self: [sys.executable, "-c", complaint])
    monkeypatch.setattr(lab.Server, "command", command)
    write_lesson(tmp_path, "en")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(lab, "find_checkout", lambda: None)
    with pytest.raises(Problem) as caught:
        lab.run(["--no-browser", "--language", "en"])
    said = str(caught.value).splitlines()
    assert said[:2] == ["JupyterLab stopped before it answered.", "The last it said:"]
    assert said[-1] == "no module named jupyterlab"
    assert "line 98" in said
    assert "line 0" not in said
    assert "line" not in capsys.readouterr().out


def test_an_environment_of_others_keeps_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a class room the kit may lie where its users cannot write; they must be able to start it all the same."""
    kit = Checkout(tmp_path)
    kit.venv.mkdir()
    assert folders.kept_folder(kit) == kit.venv / "jupyter"
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert folders.kept_folder(kit) is None
    for place in folders.jupyter_folders(tmp_path / "scratch").values():
        assert Path(place).is_relative_to(tmp_path / "scratch")


def test_token_is_not_on_the_command_line(tmp_path: Path) -> None:
    """Everybody on a shared machine can read command lines, and the token opens a shell."""
    server = lab.Server(Path(sys.executable), tmp_path, "notebooks/en/00-start.ipynb", 8888, "secret")
    assert "secret" not in " ".join(server.command)
    assert "--ServerApp.ip=127.0.0.1" in server.command
    assert server.url.endswith("?token=secret")


def test_no_free_port_at_all_is_said(taken_port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where every usual port is taken the person must name one."""
    monkeypatch.setattr(lab, "_PORTS", range(taken_port, taken_port + 1))
    with pytest.raises(Problem, match="name one with --port"):
        lab.free_port()


@pytest.fixture
def short_lived(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a lesson, in which JupyterLab ends as soon as it is started."""
    monkeypatch.setattr(lab.Server, "command", property(lambda self: [sys.executable, "-c", ""]))
    write_lesson(tmp_path, "en")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(lab, "find_checkout", lambda: None)
    return tmp_path


def test_a_port_lost_at_the_last_moment_is_said(short_lived: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the look at a port and JupyterLab's own, another program may take it: that is the reason to give."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        port = other.getsockname()[1]
        looks = iter([True])
        monkeypatch.setattr(lab, "port_is_free", lambda one: next(looks, one != port))
        with pytest.raises(Problem, match=f"Port {port} is taken by another program"):
            lab.run(["--no-browser", "--port", str(port)])


def test_another_port_is_tried_if_none_was_asked_for(short_lived: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two people who start at once may meet at one port; the second just takes the next."""
    tried: list[int] = []
    real = lab.wait_until_it_answers

    def wait(server: lab.Server, child: Any) -> bool:
        tried.append(server.port)
        return real(server, child)

    monkeypatch.setattr(lab, "wait_until_it_answers", wait)
    ports = iter([8901, 8902])
    monkeypatch.setattr(lab, "free_port", lambda: next(ports))
    monkeypatch.setattr(lab, "port_is_free", lambda port: port != 8901)
    with pytest.raises(Problem, match="stopped before it answered"):
        lab.run(["--no-browser"])
    assert tried == [8901, 8902]


def test_a_silent_server_is_not_waited_for_for_ever(tmp_path: Path) -> None:
    """A server that hangs would otherwise leave the person with nothing but a still terminal."""
    server = lab.Server(Path(sys.executable), tmp_path, "notebooks/en/00-start.ipynb", lab.free_port(), "secret")
    with (
        pytest.raises(Problem, match="did not answer within 0 seconds; it was ended"),
        Child([sys.executable, "-c", "import time; time.sleep(300)"], cwd=tmp_path) as child,
    ):
        lab.wait_until_it_answers(server, child, seconds=0)


@pytest.mark.parametrize("terminal", [True, False])
def test_the_key_is_printed_on_a_terminal_alone(
    terminal: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever sits at a terminal needs the whole address; a log may be read by everybody, and the key opens a shell."""
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal)
    server = lab.Server(Path(sys.executable), Path(), "notebooks/en/00-start.ipynb", 8888, "secret")
    lab._announce(server, browser=False, scratch=tmp_path)
    printed = capsys.readouterr().out
    assert ("secret" in printed) is terminal
    assert server.place in printed
    kept = [file.read_text("utf-8") for file in tmp_path.iterdir()]
    assert kept == ([] if terminal else [f"{server.url}\n"])


def test_last_words_of_a_server_do_not_tell_the_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What the server said goes to the terminal, or into a log, or into a question that somebody asks in public."""
    complaint = "import os; raise SystemExit('GET /lab?token=' + os.environ['JUPYTER_TOKEN'] + ' failed')"
    monkeypatch.setattr(lab.Server, "command", property(lambda self: [sys.executable, "-c", complaint]))
    write_lesson(tmp_path, "en")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(lab, "find_checkout", lambda: None)
    with pytest.raises(Problem) as caught:
        lab.run(["--no-browser", "--language", "en"])
    assert str(caught.value).splitlines()[-1] == "GET /lab?token=... failed"


@pytest.mark.parametrize(("screen", "opens", "said"), [(":0", True, False), (":0", False, True), ("", True, True)])
def test_a_browser_that_cannot_be_opened_is_said(
    screen: str,
    opens: bool,
    said: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Without a screen none is even tried, since Python may find one that takes over the terminal."""
    asked: list[str] = []
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DISPLAY", screen)

    def opened(url: str) -> bool:
        asked.append(url)
        return opens

    monkeypatch.setattr(webbrowser, "open", opened)
    server = lab.Server(Path(sys.executable), Path(), "notebooks/en/00-start.ipynb", 8888, "secret")
    lab._announce(server, browser=True, scratch=tmp_path)
    assert asked == ([server.url] if screen else [])
    assert ("open that address yourself" in capsys.readouterr().out) is said


def test_an_installed_kit_without_jupyterlab_says_so(short_lived: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The kit alone is enough for the rules; whoever wants the lessons is told what to add."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(Problem, match=re.escape('python3 -m pip install "d20kit[lab]"')):
        lab.run(["--no-browser"])
