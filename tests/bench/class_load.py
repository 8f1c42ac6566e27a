"""``python tests/bench/class_load.py``: what a class on one machine takes, in memory and in waiting.

Starts JupyterLab's server once and one kernel for each learner, runs every cell of a lesson in all of them at the same
time, and prints the memory of each. On Linux that is the proportional share (PSS): pages that kernels share count once,
divided among them, so that the sum is what the machine really gives.
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
from typing import TYPE_CHECKING

import nbformat
import psutil
from jupyter_client.manager import start_new_kernel

from d20kit.launch.folders import jupyter_folders
from d20kit.launch.lab import Server, free_port, wait_until_it_answers
from d20kit.launch.lessons import choose_lesson
from d20kit.launch.process import Child

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jupyter_client import BlockingKernelClient, KernelManager

ROOT = Path(__file__).parents[2]
_SECONDS = 300


def cells(lesson: Path) -> list[str]:
    """Return the code of a lesson, cell by cell."""
    return [cell.source for cell in nbformat.read(lesson, as_version=4).cells if cell.cell_type == "code"]


def megabytes(process: psutil.Process) -> float:
    """Return the memory of a process and its children, in MB (a million bytes)."""
    family = [process, *process.children(recursive=True)]
    infos = [one.memory_full_info() for one in family]
    return sum(getattr(info, "pss", info.uss) for info in infos) / 1e6


@contextmanager
def kernel(folder: Path) -> Iterator[tuple[KernelManager, BlockingKernelClient]]:
    """Start a kernel, and end it."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    manager, client = start_new_kernel(cwd=str(folder), startup_timeout=_SECONDS, **quiet)
    try:
        yield manager, client
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


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
        memory = [megabytes(psutil.Process(manager.provisioner.pid)) for manager, _client in started]
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


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--learners", type=int, default=8)
    options.add_argument("--lesson", default="01")
    options.add_argument("--language", default="en")
    asked = options.parse_args()
    lesson = ROOT / choose_lesson(ROOT / "notebooks", asked.language, asked.lesson)
    places = [str(ROOT), str(ROOT / "widgets"), *filter(None, [os.environ.get("PYTHONPATH")])]
    os.environ["PYTHONPATH"] = os.pathsep.join(places)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        os.environ.update(jupyter_folders(Path(scratch)))
        server = server_megabytes(lesson, Path(scratch))
        alone, alone_memory = learners(1, lesson)
        seconds, memory = learners(asked.learners, lesson)
    cores, total = psutil.cpu_count(), psutil.virtual_memory().total / 1e9
    print(f"{asked.learners} learners run all of {lesson.stem} at once on {cores} cores and {total:.0f} GB")
    print(f"  all cells, one learner alone    {alone[0]:6.1f} s")
    print(f"  all cells, everybody at once    {statistics.median(seconds):6.1f} s, the last {max(seconds):.1f} s")
    print(f"  a kernel after the lesson       {statistics.median(memory):6.0f} MB, the largest {max(memory):.0f} MB")
    print(f"  a kernel that shares nothing    {alone_memory[0]:6.0f} MB, as in a container of its own")
    print(f"  a JupyterLab server             {server:6.0f} MB")
    print(f"  a learner of a hub: one of each {statistics.median(memory) + server:6.0f} MB")


if __name__ == "__main__":
    main()
