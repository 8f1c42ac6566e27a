"""Stands in for uv or pip: ``fake_installer.py NOTES make VENV`` or ``NOTES packages|kit NAME...``."""

import sys
import sysconfig
import time
import venv
from pathlib import Path


def main(notes: str, what: str, *names: str) -> None:
    """Note the step, then make an environment or put empty packages into the one that runs this."""
    with open(notes, "a") as file:
        file.write(what + "\n")
    if what == "make":
        # Long enough for a second start to meet the first at work.
        time.sleep(0.3)
        venv.create(names[0], symlinks=sys.platform != "win32")
        return
    for name in (name for name in names if not Path(name).is_absolute()):
        folder = Path(sysconfig.get_paths()["purelib"], name)
        folder.mkdir(exist_ok=True)
        (folder / "__init__.py").touch()
        print(f"Collecting {name}==1.0")


if __name__ == "__main__":
    main(*sys.argv[1:])
