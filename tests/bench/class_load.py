"""``python -m tests.bench class``: what a class on one machine takes, in memory and in waiting.

Starts JupyterLab's server once and one kernel for each learner, runs every cell of a lesson in all of them at the same
time, and measures the memory of each. On Linux that is the proportional share (PSS): pages that kernels share count
once, divided among them, so that the sum is what the machine really gives. ``python -m tests.bench.class_load`` takes
another number of learners or another lesson.
"""

from __future__ import annotations

import argparse
import os
import secrets
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Barrier
from typing import TYPE_CHECKING, Any

import nbformat
import psutil
from jupyter_client.manager import start_new_kernel

from d20kit.launch.folders import jupyter_folders
from d20kit.launch.lab import Server, free_port, wait_until_it_answers
from d20kit.launch.lessons import choose_lesson
from d20kit.launch.process import Child
from tests.bench.line import Line, amount, judged
from tests.bench.measure import ROOT, machine, table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jupyter_client.blocking.client import BlockingKernelClient
    from jupyter_client.manager import KernelManager

_SECONDS = 300


def cells(lesson: Path) -> list[str]:
    """Return the code of a lesson, cell by cell."""
    return [cell.source for cell in nbformat.read(lesson, as_version=4).cells if cell.cell_type == "code"]


def megabytes(process: psutil.Process) -> float:
    """Return the memory of a process and its children, in MB (a million bytes)."""
    family = [process, *process.children(recursive=True)]
    infos = [one.memory_full_info() for one in family]
    return float(sum(getattr(info, "pss", info.uss) for info in infos)) / 1e6


@contextmanager
def kernel(folder: Path) -> Iterator[tuple[KernelManager, BlockingKernelClient]]:
    """Start a kernel, and end it."""
    quiet: Any = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    manager, client = start_new_kernel(cwd=str(folder), startup_timeout=_SECONDS, **quiet)
    try:
        yield manager, client
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def _process_id(manager: KernelManager) -> int:
    provisioner: Any = manager.provisioner  # of a kernel that runs on this machine
    return int(provisioner.pid)


def study(client: BlockingKernelClient, code: list[str], together: Barrier) -> float:
    """Run the cells of a lesson as soon as everybody is ready; return the seconds that took."""
    together.wait(_SECONDS)
    start = time.perf_counter()
    for source in code:
        reply = client.execute_interactive(source, timeout=_SECONDS, output_hook=lambda message: None)
        if reply["content"]["status"] != "ok":
            raise SystemExit(f"{source}\n{reply['content']['ename']}: {reply['content']['evalue']}")
    return time.perf_counter() - start


def learners(count: int, lesson: Path) -> tuple[list[float], list[float]]:
    """Return how many seconds the lesson took each of some learners, and how many MB each kernel has after it."""
    code, together = cells(lesson), Barrier(count)
    with ExitStack() as stack, ThreadPoolExecutor(count) as pool:
        started = [stack.enter_context(kernel(lesson.parent)) for _learner in range(count)]
        seconds = list(pool.map(lambda one: study(one[1], code, together), started))
        memory = [megabytes(psutil.Process(_process_id(manager))) for manager, _client in started]
    return seconds, memory


def server_megabytes(lesson: Path, scratch: Path) -> float:
    """Return the memory of a JupyterLab that has opened a lesson, without kernels."""
    path = lesson.relative_to(ROOT).as_posix()
    server = Server(Path(sys.executable), ROOT, path, free_port(), secrets.token_hex(16))
    env = os.environ | {"JUPYTER_TOKEN": server.token} | jupyter_folders(scratch)
    with (
        (scratch / "said.txt").open("wb") as said,
        Child(server.command, cwd=ROOT, env=env, output=said, gentle=signal.SIGTERM) as child,
    ):
        if not wait_until_it_answers(server, child):
            raise SystemExit((scratch / "said.txt").read_text())
        return megabytes(psutil.Process(child.process.pid))


@contextmanager
def own_folders() -> Iterator[Path]:
    """Let the servers and kernels find these sources, and keep what they write in a folder that is then removed."""
    places = [str(ROOT), str(ROOT / "widgets"), *filter(None, [os.environ.get("PYTHONPATH")])]
    os.environ["PYTHONPATH"] = os.pathsep.join(places)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        os.environ.update(jupyter_folders(Path(scratch)))
        yield Path(scratch)


def lines(count: int = 8, lesson: str = "01", language: str = "en") -> Iterator[Line]:
    """Let some learners run a lesson, first one alone and then all at once."""
    path = ROOT / choose_lesson(ROOT / "notebooks", language, lesson)
    with own_folders() as scratch:
        server = server_megabytes(path, scratch)
        alone, alone_memory = learners(1, path)
        seconds, memory = learners(count, path)
    who = f"{count} learners run all of {path.stem} at once"
    yield judged(f"one learner alone runs all of {path.stem}", alone[0])
    yield judged(f"{who}, the one in the middle", statistics.median(seconds))
    yield judged(f"{who}, the last", max(seconds))
    yield judged("a kernel after the lesson, one of as many", statistics.median(memory), "MB")
    yield judged("a kernel after the lesson that shares nothing, as in a container", alone_memory[0], "MB")
    yield judged("a JupyterLab server", server, "MB")
    yield judged("a learner of a hub: one of each", statistics.median(memory) + server, "MB")


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--learners", type=int, default=8)
    options.add_argument("--lesson", default="01")
    options.add_argument("--language", default="en")
    asked = options.parse_args()
    measured = lines(asked.learners, asked.lesson, asked.language)
    print(
        table(["a class on one machine", "takes"], [[line.name, amount(line.figure, line.unit)] for line in measured])
    )
    print(machine("jupyterlab", "ipykernel"))


if __name__ == "__main__":
    main()
