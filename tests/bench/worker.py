"""``python -m tests.bench.worker MODULE:FUNCTION FILE``: run one bench and append its lines to a file, one JSON each.

The command starts one for every bench, so that no bench meets what another has loaded or kept, nor ends with it.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from importlib import import_module
from pathlib import Path


def main() -> None:
    """Write each line as soon as it is measured: what breaks later leaves those before it."""
    source, found = sys.argv[1:]
    module, _colon, function = source.partition(":")
    with Path(found).open("a", encoding="utf-8") as file:
        for line in getattr(import_module(module), function)():
            file.write(json.dumps(asdict(line)) + "\n")
            file.flush()


if __name__ == "__main__":
    main()
