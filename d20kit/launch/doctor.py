"""``python3 -m d20kit doctor``: what is installed, what is wrong, and the one command that mends it."""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Iterator

import d20kit
from d20kit.language import N_, _, ngettext
from d20kit.launch.checkout import find_checkout
from d20kit.launch.doctor_checks import CHECKS, examine
from d20kit.launch.doctor_findings import Finding, Patient
from d20kit.launch.environment import renew
from d20kit.launch.options import Options
from d20kit.launch.problems import Problem
from d20kit.launch.progress import Progress

SUMMARY = N_("say what is installed, what is wrong, and how to mend it")
_SIGNS = {"ok": N_("ok"), "note": N_("note"), "wrong": N_("WRONG"), "skipped": N_("skipped")}


def parser() -> Options:
    """Return the parser of this command's options.

    >>> parser().parse_args(["--json"]).json
    True
    """
    options = Options(prog="python3 -m d20kit doctor", description=_(SUMMARY))
    options.add_argument("--json", action="store_true", help=_("say it as JSON, for programs"))
    options.add_argument(
        "--mend", action="store_true", help=_("first make the kit's own environment anew, whatever is in it")
    )
    return options


def run(arguments: list[str]) -> int:
    """Look at everything the lab needs; return 0 if all is well, else 1.

    >>> from contextlib import redirect_stdout
    >>> from io import StringIO
    >>> from unittest.mock import patch
    >>> with redirect_stdout(StringIO()) as said, patch("d20kit.launch.doctor.CHECKS", {}):
    ...     code = run(["--json"])
    >>> code, json.loads(said.getvalue())["ok"]
    (0, True)
    """
    options = parser().parse_args(arguments)
    checkout = find_checkout()
    if options.mend:
        if checkout is None:
            raise Problem(
                _(
                    "Only a copy of the sources has an environment of its own that can be made anew; this kit was "
                    "installed as a package. 'python3 -m d20kit doctor' says what to do for it."
                )
            )
        renew(checkout, Progress(sys.stderr if options.json else sys.stdout))
    patient = Patient(checkout)
    return _as_json(patient) if options.json else _as_text(patient)


def _findings(patient: Patient) -> Iterator[Finding]:
    return (examine(name, check, patient) for name, check in CHECKS.items())


def _as_json(patient: Patient) -> int:
    found = list(_findings(patient))
    wrong = any(finding.state == "wrong" for finding in found)
    report = {
        "ok": not wrong,
        "version": d20kit.__version__,
        "python": platform.python_version(),
        "folder": str(patient.root),
        "checks": [finding.as_dict() for finding in found],
    }
    print(json.dumps(report, indent=1, ensure_ascii=True))
    return int(wrong)


def _as_text(patient: Patient) -> int:
    print(f"d20kit {d20kit.__version__}, Python {platform.python_version()}, {patient.root}", flush=True)
    signs = {state: _(sign) for state, sign in _SIGNS.items()}
    width = max(map(len, signs.values()))
    names = {name: _(name) for name in CHECKS}
    column = max(map(len, names.values()), default=0)
    wrong = 0
    for finding in _findings(patient):
        print(f"  {signs[finding.state]:{width}}  {names[finding.name]:{column}}  {finding.said}", flush=True)
        if finding.mend:
            print(" " * (width + column + 6) + _("mend it with: {command}").format(command=finding.mend), flush=True)
        wrong += finding.state == "wrong"
    print(_verdict(wrong))
    return int(bool(wrong))


def _verdict(wrong: int) -> str:
    if not wrong:
        return _("All is well.")
    return ngettext("{n} thing is wrong.", "{n} things are wrong; begin with the first.", wrong).format(n=wrong)
