"""What the doctor looks at on the machine and in the kit's own files."""

from __future__ import annotations

import gettext
import os
import shutil
import socket
import tempfile
import webbrowser
from collections.abc import Callable
from pathlib import Path

from d20kit.language import LANGUAGES, N_, _
from d20kit.launch import installers, lab
from d20kit.launch.browser import has_screen
from d20kit.launch.checkout import PACKAGE, Checkout
from d20kit.launch.doctor_environment import check_extensions, check_kernel, check_versions
from d20kit.launch.doctor_findings import Finding, Patient, note, ok, shown, skipped, wrong
from d20kit.launch.environment import STAMP, find_lock, missing
from d20kit.launch.lab_lessons import COURSE
from d20kit.launch.lessons import lessons
from d20kit.launch.problems import Problem

_LOCALE = PACKAGE / "locale"
# Bytes: what an environment takes, and what a whole one needs to go on.
_TO_MAKE, _TO_RUN = 700_000_000, 100_000_000


def examine(name: str, check: Callable[[Patient], Finding], patient: Patient) -> Finding:
    """Make one check; what it did not foresee is a finding, too, since a doctor must not fall ill.

    >>> examine("port", lambda patient: 1 / 0, Patient(None)).said
    'the check itself failed: ZeroDivisionError: division by zero'
    """
    try:
        found = check(patient)
    except Problem as problem:
        found = wrong(str(problem))
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        found = wrong(_("the check itself failed: {reason}").format(reason=reason))
    return found.named(name)


def check_environment(patient: Patient) -> Finding:
    """Find the environment whole, or say how it is made.

    >>> check_environment(Patient(Checkout(Path("nowhere")))).state
    'wrong'
    """
    checkout = patient.checkout
    if checkout is None:
        return _check_installed(patient)
    if not checkout.lock("lab").is_file():
        try:
            find_lock(checkout, "lab")
        except Problem as problem:
            return wrong(str(problem), "git restore binder")
    if checkout.guard.is_dir():
        said = _("{folder} is a folder, where the kit needs a file of that name").format(folder=checkout.guard)
        return wrong(said, shown("rmdir", checkout.guard))
    work = missing(checkout, "lab")
    if not work:
        return ok(_("{folder} is whole").format(folder=checkout.venv))
    try:
        installers.choose(checkout)
    except Problem as problem:
        return wrong(str(problem), "sudo apt install python3-venv")
    if not os.path.lexists(checkout.venv):
        # So it is for everybody once.
        said = _("{folder} is not made yet: '{command}' makes it")
        return note(said.format(folder=checkout.venv, command="python3 -m d20kit lab"))
    return wrong(_ill(checkout, work), "python3 -m d20kit lab")


def _ill(checkout: Checkout, work: list[str]) -> str:
    folder = checkout.venv
    if "make" not in work:
        return _("{folder} is older than this copy of the kit").format(folder=folder)
    if (folder / STAMP).exists():
        return _("{folder} is unfinished, broken or of another Python").format(folder=folder)
    return _("{folder} was not made by the kit, which will move it aside").format(folder=folder)


def _check_installed(patient: Patient) -> Finding:
    if patient.python is None:
        return wrong(_("JupyterLab is not installed beside the kit"), patient.install)
    return ok(_("JupyterLab is installed beside the kit"))


def check_lessons(patient: Patient) -> Finding:
    """Count the lessons in every language.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     check_lessons(Patient(Checkout(Path(folder)))).said
    'lessons are missing: en 0, id 0'
    """
    folder = patient.root / "notebooks" if patient.checkout else COURSE
    counts = {language: len(lessons(folder, language)) for language in LANGUAGES}
    said = ", ".join(f"{language} {count}" for language, count in counts.items())
    if min(counts.values()) < max(1, *counts.values()):
        mend = "git restore notebooks" if patient.checkout else patient.install
        return wrong(_("lessons are missing: {counts}").format(counts=said), mend)
    return ok(_("all are there: {counts}").format(counts=said))


def check_catalogue(patient: Patient) -> Finding:
    """Load the compiled texts of every language but English, which needs none.

    >>> from unittest.mock import patch
    >>> with patch("d20kit.launch.doctor_checks._LOCALE", Path("nowhere")):
    ...     check_catalogue(Patient(None)).said
    'the texts are not compiled for: id'
    """
    silent = [language for language in LANGUAGES if language != "en" and not _speaks(language)]
    if silent and patient.checkout and not patient.python and not any(map(_compiled, silent)):
        # Making the environment compiles them: a fresh copy has nothing wrong.
        return skipped()
    if silent:
        said = _("the texts are not compiled for: {languages}").format(languages=", ".join(silent))
        return wrong(said, patient.anew)
    return ok(_("the texts are compiled for: {languages}").format(languages=", ".join(LANGUAGES)))


def _compiled(language: str) -> bool:
    return gettext.find("d20kit", _LOCALE, [language]) is not None


def _speaks(language: str) -> bool:
    try:
        return bool(gettext.translation("d20kit", _LOCALE, [language]).gettext("Chance to hit"))
    except Exception:  # gettext fails in many ways at a file that is not whole
        return False


def check_port(patient: Patient) -> Finding:
    """Find a port that JupyterLab may listen on.

    >>> check_port(Patient(None)).state
    'ok'
    """
    try:
        port = lab.free_port()
    except Problem as problem:
        with socket.create_server(("127.0.0.1", 0)) as probe:
            other = probe.getsockname()[1]
        return wrong(str(problem), f"python3 -m d20kit lab --port {other}")
    return ok(_("port {port} of 127.0.0.1 is free").format(port=port))


def check_browser(patient: Patient) -> Finding:
    """Find a browser that Python can open; without a screen none is needed here.

    >>> check_browser(Patient(None)).state in ("ok", "note", "wrong")
    True
    """
    if not has_screen():
        return note(_("there is no screen here: open the address that the lab prints in a browser elsewhere"))
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return wrong(_("no browser was found"), "sudo apt install chromium")
    return ok(_("the lab opens in {browser}").format(browser=getattr(browser, "name", type(browser).__name__)))


def check_write_access(patient: Patient) -> Finding:
    """Write where the lab writes: into the lessons, and into the folder for passing files.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     check_write_access(Patient(Checkout(Path(folder)))).state
    'ok'
    """
    notebooks = patient.root / "notebooks"
    work = [path for path in (notebooks, *(notebooks / language for language in LANGUAGES)) if path.is_dir()]
    for folder in (patient.root, *work):
        if not _writable(folder):
            return wrong(_("{folder} cannot be written").format(folder=folder), _elsewhere(patient))
    if not _writable(None):
        return wrong(_("no folder for passing files can be written"), "export TMPDIR=~")
    return ok(_("{folder} can be written").format(folder=patient.root))


def _writable(folder: Path | None) -> bool:
    try:
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _elsewhere(patient: Patient) -> str:
    if patient.checkout is None:
        return "mkdir -p ~/d20kit && cd ~/d20kit"
    copy = ("git", "clone") if (patient.root / ".git").exists() else ("cp", "-r")
    return f"{shown(*copy, patient.root)} ~/d20kit && cd ~/d20kit"


def check_disk(patient: Patient) -> Finding:
    """Compare the free space with what is still to be installed.

    >>> from unittest.mock import patch
    >>> with patch("shutil.disk_usage", return_value=(0, 0, 5_000_000)):
    ...     check_disk(Patient(None)).said
    'only 5 MB are free, and the kit needs 100 MB'
    """
    needed = _TO_RUN if patient.python else _TO_MAKE
    free = shutil.disk_usage(patient.root)[2]
    sizes = {"free": free // 1_000_000, "needed": needed // 1_000_000}
    if free < needed:
        mend = "uv cache clean" if shutil.which("uv") else "python3 -m pip cache purge"
        return wrong(_("only {free} MB are free, and the kit needs {needed} MB").format(**sizes), mend)
    return ok(_("{free} MB are free").format(**sizes))


# The names stay as they are in --json; as text they are translated. What others rest on comes first.
CHECKS: dict[str, Callable[[Patient], Finding]] = {
    N_("disk space"): check_disk,
    N_("write access"): check_write_access,
    N_("environment"): check_environment,
    N_("versions"): check_versions,
    N_("lessons"): check_lessons,
    N_("catalogue"): check_catalogue,
    N_("kernel"): check_kernel,
    N_("widgets in Lab"): check_extensions,
    N_("port"): check_port,
    N_("browser"): check_browser,
}
