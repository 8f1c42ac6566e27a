"""A remark to whoever runs the code: in a program a warning, in a notebook a sentence above the answer of the cell."""

from __future__ import annotations

import sys
import warnings
from typing import Any

# The cell that each sentence was last shown in.
_shown: dict[str, int] = {}


def remark(sentence: str) -> None:
    """Warn whoever called the function that calls this one's caller.

    In a notebook a warning would name a file and quote a line of it, in red; a learner needs the sentence alone, and
    once a cell. Filters hold in both: a warning that is ignored is not printed either.

    Parameters
    ----------
    sentence : str
        A whole sentence, in the language in use.

    Examples
    --------
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     remark("The dice are slow today.")
    >>> str(caught[0].message), caught[0].category.__name__
    ('The dice are slow today.', 'UserWarning')
    """
    shell = _notebook()
    if shell is None:
        warnings.warn(sentence, stacklevel=4)
        return
    with warnings.catch_warnings(record=True) as passed:
        warnings.warn(sentence, stacklevel=4)
    if passed and _shown.get(sentence) != shell.execution_count:
        _shown[sentence] = shell.execution_count
        print(sentence)


def _notebook() -> Any:
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython else None
