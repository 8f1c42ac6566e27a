"""Runs in the environment that the doctor examines: ``python -P doctor_probe.py versions|kernel|extensions``.

Prints one line of JSON; where something fails, Python's own last line says what. Jupyter is imported by name and late:
this module, too, must be readable where nothing is installed.
"""

from __future__ import annotations

import json
import os
import re
import sys
from importlib import import_module
from importlib.metadata import distributions
from typing import Any


def versions() -> dict[str, str]:
    """Return the version of every installed package.

    >>> "pytest" in versions()
    True
    """
    found = ((each.metadata["Name"], each.version) for each in distributions())
    # The first of several is the one that is imported.
    return {re.sub(r"[-_.]+", "-", name).lower(): version for name, version in reversed(list(found)) if name}


def kernel() -> dict[str, Any]:
    """Start a kernel, import the kit in it, and return whose Python it is.

    >>> kernel.__name__  # it takes seconds: shown in the tests
    'kernel'
    """
    start = import_module("jupyter_client.manager").start_new_kernel
    # What a kernel says of itself on the way goes to standard error, where the last line is what went wrong.
    manager, client = start(startup_timeout=60, stdout=sys.stderr, stderr=sys.stderr)
    try:
        code = "import sys, d20kit, d20widgets"
        asked = client.execute(code, user_expressions={"prefix": "sys.prefix", "python": "sys.executable"})
        while True:
            reply = client.get_shell_msg(timeout=60)
            if reply["parent_header"].get("msg_id") == asked:
                break
        content = reply["content"]
        if content["status"] != "ok":
            raise SystemExit(f"{content['ename']}: {content['evalue']}")
        said = {name: answer["data"]["text/plain"] for name, answer in content["user_expressions"].items()}
        return {"same": said["prefix"] == repr(sys.prefix), "python": said["python"].strip("'")}
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def extensions() -> dict[str, list[str]]:
    """Return the extensions that JupyterLab finds, and those that are switched off.

    >>> sorted(extensions())
    ['disabled', 'found']
    """
    places = import_module("jupyter_core.paths").jupyter_path("labextensions")
    config = import_module("jupyterlab_server.config")
    off = config.get_page_config(places).get("disabledExtensions", [])
    disabled = off if isinstance(off, list) else [name for name in off if off[name]]
    return {"found": sorted(config.get_federated_extensions(places)), "disabled": sorted(disabled)}


if __name__ == "__main__":
    answer = {"versions": versions, "kernel": kernel, "extensions": extensions}[sys.argv[1]]()
    print("\n" + json.dumps(answer), flush=True)
    # Threads of a client may still wait for a kernel that is gone.
    os._exit(0)
