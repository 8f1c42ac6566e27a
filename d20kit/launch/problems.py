"""What can go wrong before anything runs, said in one paragraph and without a traceback."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from shutil import disk_usage

from d20kit.language import _

# Bytes. With this much left the disk of the kit is not what is full, so it must be where the output goes.
_ROOM = 10_000_000


class Problem(Exception):  # noqa: N818  (it is what the person reads, not what went wrong in the code)
    """Something the person at the keyboard can put right; the message says how.

    >>> isinstance(disk_full("kit"), Problem)
    True
    """


def path_text(path: str | Path) -> str:
    r"""Write a path on one line, whatever characters are in it.

    >>> print(path_text("kit\n\x1b[31m"))
    kit\n\x1b[31m
    """
    return "".join(one if one.isprintable() else repr(one)[1:-1] for one in str(path))


def from_os_error(error: OSError) -> Problem:
    """Turn the system's refusal to write into a paragraph.

    >>> str(from_os_error(OSError(errno.ENOSPC, "No space left on device", "kit"))).partition(";")[0]
    'The disk is full: kit could not be written. The kit needs about 700 MB'
    """
    if error.filename is None and error.errno == errno.ENOSPC and disk_usage(Path(__file__).parent).free > _ROOM:
        return Problem(_("What the command says could not be written: {reason}.").format(reason=error.strerror))
    where = os.fsdecode(error.filename) if error.filename else _("the folder of the kit")
    if error.errno == errno.ENOSPC:
        return disk_full(where)
    if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
        return not_writable(where)
    return Problem(
        _("The system refused something the kit needs: {reason} ({where}).").format(
            reason=error.strerror, where=path_text(where)
        )
    )


def disk_full(where: str) -> Problem:
    """Build the paragraph for a full disk.

    >>> str(disk_full("kit")).partition(";")[0]
    'The disk is full: kit could not be written. The kit needs about 700 MB'
    """
    return Problem(
        _(
            "The disk is full: {where} could not be written. The kit needs about 700 MB; free some space, then run the "
            "same command again."
        ).format(where=path_text(where))
    )


def not_writable(where: str) -> Problem:
    """Build the paragraph for a folder that cannot be written.

    >>> str(not_writable("kit")).partition(",")[0]
    'kit cannot be written. Copy the kit to a folder of your own'
    """
    return Problem(
        _(
            "{where} cannot be written. Copy the kit to a folder of your own, for example in your home folder, and run "
            "the same command there."
        ).format(where=path_text(where))
    )


def no_network(tool: str) -> Problem:
    """Build the paragraph for packages that cannot be fetched.

    >>> str(no_network("uv")).partition(",")[0]
    'uv could not fetch the packages: there is no network'
    """
    return Problem(
        _(
            "{tool} could not fetch the packages: there is no network, or the package index cannot be reached from "
            "here. The first start needs it once; later starts do not. Check the connection (and the proxy or index "
            "settings of {tool}, if you use any), then run the same command again."
        ).format(tool=tool)
    )
