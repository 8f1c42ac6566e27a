"""``python -m tests.bench.site_load [SITE]``: what a web server carries when a class opens a lesson of the static site.

A first visit in Chromium says which files a browser asks for, and what it takes on the learner's machine. Then so many
learners ask for these very files at the same time, over six connections each as a browser does, from the server that
the kit names: Python's own. Every file has to arrive whole.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import unquote, urlsplit

import psutil
from playwright.sync_api import sync_playwright

from d20kit.launch.browser import find_chromium
from d20kit.launch.lab import free_port
from d20kit.launch.process import Child
from tests.bench.line import Line, amount, judged
from tests.bench.measure import ROOT, machine, table
from tests.browser.conftest import _FLAGS
from tests.browser.site_page import Visit, serve

LESSON = "01-attack"
_FIRST = ("AttackExplorer(", ".d20-explorer .d20-still svg")
_CONNECTIONS = 6
_PATIENCE = 120
_PIECE = 1 << 18


@dataclass(frozen=True)
class Answer:
    """How one file came: in how many seconds, in how many bytes, and what was wrong with it."""

    seconds: float
    size: int
    trouble: str


@dataclass(frozen=True)
class Class:
    """What became of many first visits at once: how long each took, and every answer to all of them."""

    visits: list[float]
    answers: list[Answer]

    @property
    def megabytes(self) -> float:
        """How much the server sent, in MB."""
        return sum(answer.size for answer in self.answers) / 1e6

    @property
    def slow(self) -> float:
        """In how many seconds 95 of a hundred files came."""
        return statistics.quantiles([answer.seconds for answer in self.answers], n=20)[-1]

    @property
    def failures(self) -> Counter[str]:
        """How many files did not come, or not whole, and why."""
        return Counter(answer.trouble for answer in self.answers if answer.trouble)


def first_visit(site: Path, language: str = "en") -> tuple[list[str], float]:
    """Let a browser open a lesson and run it; return what it asked the server for, and the MB that it then takes."""
    with serve(site) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=_FLAGS)
        visit = Visit(browser, server)
        before = _family_megabytes()
        visit.run(f"{language}/{LESSON}.ipynb", *_FIRST)
        grown = _family_megabytes() - before
        visit.context.close()
        browser.close()
    return list(server.asked), grown


def _family_megabytes() -> float:
    """Return the memory of all processes that were started from here: the browser's."""
    infos = [one.memory_full_info() for one in psutil.Process().children(recursive=True)]
    return float(sum(getattr(info, "pss", info.uss) for info in infos)) / 1e6


def file_of(site: Path, address: str) -> Path:
    """Return the file of the site that an address means.

    >>> file_of(Path("site"), "/lab/index.html?path=en/01-attack.ipynb").as_posix()
    'site/lab/index.html'
    """
    path = site / unquote(urlsplit(address).path).lstrip("/")
    return path / "index.html" if path.is_dir() else path


@contextmanager
def python_server(site: Path) -> Iterator[int]:
    """Serve the site as the kit says, ``python3 -m http.server``; return the port."""
    port = free_port()
    command = [sys.executable, "-m", "http.server", str(port), "--bind", "127.0.0.1", "--directory", str(site)]
    with Path(os.devnull).open("wb") as nowhere, Child(command, cwd=site, output=nowhere):
        end = time.monotonic() + _PATIENCE
        while not _answers(port):
            if time.monotonic() > end:
                raise SystemExit("the server did not start")
            time.sleep(0.1)
        yield port


def _answers(port: int) -> bool:
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0


async def fetch(port: int, address: str, size: int) -> Answer:
    """Ask for a file of a known size and take all of it."""
    start, got, trouble = time.perf_counter(), 0, ""
    try:
        async with asyncio.timeout(_PATIENCE):
            reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=_PIECE)
            writer.write(f"GET {address} HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n".encode())
            status = (await reader.readuntil(b"\r\n\r\n")).split(b" ", 2)[1].decode()
            while piece := await reader.read(_PIECE):
                got += len(piece)
            writer.close()
        if status != "200" or got != size:
            trouble = f"status {status}, {got} of {size} bytes"
    except (OSError, asyncio.IncompleteReadError) as error:  # also what took too long
        trouble = type(error).__name__
    return Answer(time.perf_counter() - start, got, trouble)


async def learner(port: int, files: Sequence[tuple[str, int]]) -> tuple[float, list[Answer]]:
    """Make one first visit."""
    start, waiting, answers = time.perf_counter(), deque(files), list[Answer]()

    async def connection() -> None:
        while waiting:
            answers.append(await fetch(port, *waiting.popleft()))

    await asyncio.gather(*(connection() for _each in range(_CONNECTIONS)))
    return time.perf_counter() - start, answers


async def arrive(port: int, files: Sequence[tuple[str, int]], count: int) -> Class:
    """Let a class make their first visits at the same moment."""
    came = await asyncio.gather(*(learner(port, files) for _each in range(count)))
    return Class([seconds for seconds, _answers in came], [one for _seconds, answers in came for one in answers])


def squeezed(files: Sequence[Path]) -> float:
    """Return how many MB files are when a server compresses those that become smaller."""
    contents = [file.read_bytes() for file in files]
    return sum(min(len(content), len(gzip.compress(content, 6))) for content in contents) / 1e6


@contextmanager
def built(site: Path | None) -> Iterator[Path]:
    """Give a site that was built before, or one that is built for the measurement."""
    if site is not None:
        yield site
        return
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "d20kit", "site", f"{folder}/site"], cwd=ROOT, check=True)
        yield Path(folder, "site")


def lines(given: Path | None = None, counts: Sequence[int] = (8, 50)) -> Iterator[Line]:
    """Measure a site, or one that is built for it."""
    with built(given) as site:
        asked, grown = first_visit(site)
        files = [(address, file_of(site, address).stat().st_size) for address in asked]
        yield judged(f"a first visit to {LESSON}", sum(size for _address, size in files) / 1e6, "MB", most=50)
        yield judged("the same from a server that compresses", squeezed([file_of(site, one) for one in asked]), "MB")
        yield judged("the same, files", len(files), "files")
        yield judged("a browser in which the lesson has run", grown, "MB")
        with python_server(site) as port:
            for count in counts:
                start = time.perf_counter()
                came = asyncio.run(arrive(port, files, count))
                rate = came.megabytes / (time.perf_counter() - start)
                who = f"{count} first visits at once"
                yield judged(f"{who}, in all", came.megabytes, "MB")
                yield judged(f"{who}, sent by Python's own server", rate, "MB/s")
                yield judged(f"{who}, the last is served after", max(came.visits))
                yield judged(f"{who}, 95 of 100 files come within", came.slow)
                failed = judged(f"{who}, files that failed", came.failures.total(), "files", most=0)
            yield replace(failed, note=", ".join(f"{often} {why}" for why, often in came.failures.items()))


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("site", type=Path, nargs="?", help="a built site; without one it is built first")
    options.add_argument("--learners", type=int, nargs="+", default=[8, 50])
    asked = options.parse_args()
    measured = list(lines(asked.site, asked.learners))
    rows = [[line.name, amount(line.figure, line.unit), line.note] for line in measured]
    print(table(["the static site", "takes", ""], rows))
    print(machine("playwright"))
    if not all(line.met for line in measured):
        raise SystemExit("not as required: " + "; ".join(line.name for line in measured if not line.met))


if __name__ == "__main__":
    main()
