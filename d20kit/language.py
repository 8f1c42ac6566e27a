"""The language catalogue: every text a user sees passes through here."""

from __future__ import annotations

import gettext
import os
import struct
import warnings
from pathlib import Path

# What each language calls itself.
LANGUAGE_NAMES = {"en": "English", "id": "Bahasa Indonesia"}
LANGUAGES = tuple(LANGUAGE_NAMES)
_LOCALE = Path(__file__).parent / "locale"
_catalogue = gettext.NullTranslations()
_language = ""


def set_language(language: str | None = None) -> str:
    """Choose the language of every sentence the kit says.

    Parameters
    ----------
    language : {"en", "id"}, optional
        English or Indonesian. Without it the environment decides: ``D20KIT_LANG``, then ``LANG``, then English.

    Returns
    -------
    str
        The language now in use.

    Raises
    ------
    ValueError
        If the language is asked for by name and is none of these.

    Warns
    -----
    UserWarning
        If it is asked for by name and its catalogue has not been compiled, as in a checkout that was never installed;
        then the kit goes on in English.

    Examples
    --------
    >>> from d20kit import set_language
    >>> set_language("en")
    'en'
    """
    global _catalogue, _language
    asked = language is not None
    if language is None:
        wanted = (os.environ.get("D20KIT_LANG") or os.environ.get("LANG") or "en")[:2].lower()
        language = wanted if wanted in LANGUAGES else "en"
    else:
        from d20kit.check import one_of  # which asks this module for its words

        language = one_of("language", language, LANGUAGES)
    _catalogue = _load(language)
    if asked and language != "en" and not isinstance(_catalogue, gettext.GNUTranslations):
        warnings.warn(
            f"the texts of language {language!r} are not compiled here, so the kit goes on in English; to have them, "
            "run: python3 -m d20kit lab, or: pip install -e . in the folder of the kit",
            stacklevel=2,
        )
    _language = language
    return language


def _load(language: str) -> gettext.NullTranslations:
    try:
        return gettext.translation("d20kit", _LOCALE, [language], fallback=True)
    except (OSError, ValueError, struct.error):  # compiled, but not whole
        return gettext.NullTranslations()


def current_language() -> str:
    """Return the code of the language in use, "en" or "id".

    >>> set_language("en"), current_language()
    ('en', 'en')
    """
    return _language or set_language()


def _(message: str) -> str:
    """Translate a message into the language in use."""
    current_language()
    return _catalogue.gettext(message) if message else ""


def ngettext(one: str, many: str, n: int) -> str:
    """Translate a message whose wording depends on a count.

    >>> [ngettext("{n} round", "{n} rounds", n).format(n=n) for n in (1, 2)]
    ['1 round', '2 rounds']
    """
    current_language()
    return _catalogue.ngettext(one, many, n)


def N_(message: str) -> str:  # noqa: N802  (the name gettext tools look for)
    """Mark a message for the catalogue where it is written; translate it with ``_`` where it is shown.

    >>> N_("Chance to hit")
    'Chance to hit'
    """
    return message
