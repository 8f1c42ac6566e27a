"""What the doctor looks at inside the environment, by running a part of `doctor_probe.py` in it."""

from __future__ import annotations

import importlib.metadata
import json
import re
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from d20kit.language import _
from d20kit.launch.checkout import PACKAGE
from d20kit.launch.doctor_findings import Finding, Patient, ok, skipped, wrong
from d20kit.launch.environment import find_lock, read_stamp
from d20kit.launch.folders import jupyter_folders
from d20kit.launch.process import clean_environment

# Without them JupyterLab shows a line of text where an explorer should be.
_EXTENSIONS = ("@jupyter-widgets/jupyterlab-manager", "anywidget")
_EXTRAS = ("arrays", "widgets", "lab")
_SECONDS = 120
_PIN = re.compile(r"^([A-Za-z0-9][\w.-]*)==([^\s;\\]+)[ \t]*(;?)", re.MULTILINE)
_REQUIREMENT = re.compile(r"^([A-Za-z0-9][\w.-]*)(?:\[[^]]*\])?\s*([^;]*)(?:;.*extra == ['\"](\w+)['\"])?")


def check_versions(patient: Patient) -> Finding:
    """Compare what is installed with the lock, or with what an installed kit asks for.

    >>> from unittest.mock import patch
    >>> with patch.object(Patient, "python", None):
    ...     check_versions(Patient(None)).state
    'skipped'
    """
    if patient.python is None:
        return skipped()
    installed = _probe(patient, "versions")
    if isinstance(installed, Finding):
        return installed
    if patient.checkout:
        lock = find_lock(patient.checkout, read_stamp(patient.checkout.venv)["profile"])
        faults, count = _against_lock(installed, lock.read_text("utf-8"))
    else:
        faults, count = _against_requirements(installed, importlib.metadata.requires("d20kit") or [])
    if faults:
        said = _("not what the kit needs: {packages}").format(packages=", ".join(faults))
        return wrong(said, patient.anew)
    return ok(_("{count} packages are as the kit needs them").format(count=count))


def _against_lock(installed: dict[str, str], lock: str) -> tuple[list[str], int]:
    wanted: dict[str, set[str]] = {}
    here_always = set()
    for name, version, marker in _PIN.findall(lock):
        wanted.setdefault(_plain(name), set()).add(version)
        if not marker:
            here_always.add(_plain(name))
    faults = []
    for name, versions in wanted.items():
        have = installed.get(name)
        # A pin with a marker may be one of another system or Python.
        if have not in versions and (have or name in here_always):
            faults.append(_fault(name, have, " / ".join(sorted(versions))))
    return faults, len(wanted.keys() & installed.keys())


def _against_requirements(installed: dict[str, str], requirements: list[str]) -> tuple[list[str], int]:
    faults, asked_for = [], set()
    for text in requirements:
        found = _REQUIREMENT.match(text)
        if found is None or _plain(found[1]) == "d20kit" or (found[3] and found[3] not in _EXTRAS):
            continue
        name, asked = _plain(found[1]), found[2].strip()
        # An extra that includes others repeats what they ask for.
        if name in asked_for:
            continue
        asked_for.add(name)
        if not _satisfies(installed.get(name), asked):
            faults.append(_fault(name, installed.get(name), asked))
    return faults, len(asked_for)


def _satisfies(version: str | None, asked: str) -> bool:
    """Return whether a version is in a range such as ``>=4.4,<5``, the only kinds that the kit asks for."""
    if version is None:
        return False
    for bound in filter(None, asked.split(",")):
        limit = _release(bound.lstrip("<>= "))
        have = _release(version)
        if bound.strip().startswith("<") and not have < limit:
            return False
        if bound.strip().startswith(">") and not have >= limit:
            return False
    return True


def _release(version: str) -> tuple[int, ...]:
    found = re.match(r"\d+(\.\d+)*", version)
    return tuple(map(int, found[0].split("."))) if found else ()


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _fault(name: str, have: str | None, asked: str) -> str:
    if have is None:
        return _("{name} is missing").format(name=name)
    return _("{name} is {have}, not {asked}").format(name=name, have=have, asked=asked)


def check_kernel(patient: Patient) -> Finding:
    """Start a kernel as JupyterLab does and import the kit and its pictures in it.

    >>> from unittest.mock import patch
    >>> with patch.object(Patient, "python", None):
    ...     check_kernel(Patient(None)).state
    'skipped'
    """
    if patient.python is None:
        return skipped()
    answer = _probe(patient, "kernel")
    if isinstance(answer, Finding):
        return answer
    if not answer["same"]:
        said = _("the kernel runs another Python, {python}").format(python=answer["python"])
        return wrong(said, patient.anew)
    return ok(_("a kernel starts and finds the kit"))


def check_extensions(patient: Patient) -> Finding:
    """Ask JupyterLab which of the extensions that draw the widgets it finds.

    >>> from unittest.mock import patch
    >>> with patch.object(Patient, "python", None):
    ...     check_extensions(Patient(None)).state
    'skipped'
    """
    if patient.python is None:
        return skipped()
    answer = _probe(patient, "extensions")
    if isinstance(answer, Finding):
        return answer
    for name in _EXTENSIONS:
        if name not in answer["found"]:
            return wrong(_("JupyterLab does not find {name}").format(name=name), patient.anew)
        off = next((one for one in answer["disabled"] if one.partition(":")[0] == name), None)
        if off:
            mend = f"jupyter labextension enable {off}"
            return wrong(_("{name} is switched off in JupyterLab's settings").format(name=off), mend)
    return ok(_("JupyterLab finds {names}").format(names=", ".join(_EXTENSIONS)))


def _probe(patient: Patient, part: str) -> Any:
    """Return what one part of the probe answers, or a finding if it has no answer."""
    assert patient.python is not None
    # As the lab starts JupyterLab: what the home folder holds must not come before the environment.
    env = clean_environment(JUPYTER_PREFER_ENV_PATH="1", PYTHONUTF8="1")
    with tempfile.TemporaryDirectory(prefix="d20kit-", ignore_cleanup_errors=True) as scratch:
        if patient.checkout:
            env |= jupyter_folders(Path(scratch))
        # -P: the modules beside the probe must not stand in for those of the standard library.
        command = [str(patient.python), "-P", str(PACKAGE / "launch" / "doctor_probe.py"), part]
        settings: dict[str, Any] = {"capture_output": True, "encoding": "utf-8", "errors": "replace"}
        try:
            done = subprocess.run(command, cwd=scratch, env=env, timeout=_SECONDS, stdin=subprocess.DEVNULL, **settings)
        except subprocess.TimeoutExpired:
            said = _("no answer within {seconds} seconds").format(seconds=_SECONDS)
            return wrong(said, patient.anew)
    if done.returncode == 0:
        return json.loads(done.stdout.splitlines()[-1])
    last = next((line.strip() for line in reversed(done.stderr.splitlines()) if line.strip()), str(done.returncode))
    return wrong(last, patient.anew)
