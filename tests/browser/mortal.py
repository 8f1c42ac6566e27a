"""Run a module as a program that ends when whoever started it does, even if that one is killed.

``python mortal.py MODULE ARGUMENT...`` with a pipe as its standard input: the system closes it with the other process.
A worker of pytest-xdist is killed at Ctrl-C before it could end a server itself.
"""

from __future__ import annotations

import os
import runpy
import signal
import sys
import threading


def _end_with_parent() -> None:
    while os.read(0, 1024):  # not through sys.stdin, whose lock this thread would hold as the program ends
        pass
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    threading.Thread(target=_end_with_parent, daemon=True).start()
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
