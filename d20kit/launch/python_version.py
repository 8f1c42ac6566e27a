"""Which Python the kit needs. Syntax of old Pythons only: an old Python must be able to read this file."""

NEEDED = (3, 11)


def too_old(version_info):  # type: (tuple[int, ...]) -> str | None
    """Return the sentence for a Python that is too old, or None if this one will do.

    >>> too_old((3, 11, 0)) is None
    True
    """
    if tuple(version_info[:2]) >= NEEDED:
        return None
    return (  # noqa: UP032  (old Pythons know no f-strings)
        "d20kit needs Python {}.{} or newer, but this is Python {}.{}. Install a newer one: on Debian or Ubuntu "
        "with 'sudo apt install python3 python3-venv', on macOS with 'brew install python', on Windows from the "
        "Microsoft Store or python.org; then run the same command with it, for example "
        "'python{}.{} -m d20kit lab'."
    ).format(NEEDED[0], NEEDED[1], version_info[0], version_info[1], NEEDED[0], NEEDED[1])
