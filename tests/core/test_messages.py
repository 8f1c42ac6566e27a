"""The command that brings the catalogue up to date: it keeps what was translated and says what is not."""

from __future__ import annotations

import gettext
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from d20kit.locale import messages

HEAD = """# Indonesian catalogue.
msgid ""
msgstr ""
"Language: id\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: nplurals=1; plural=0;\\n"
"""
CODE = """
_("hit"), N_("{share} % of {whole}"), ngettext("{n} round", "{n} rounds", n)
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project of three messages whose catalogue has one of them, and one that is no longer asked for."""
    for name, code in (("d20kit", CODE), ("widgets/d20widgets", "")):
        folder = tmp_path / name
        folder.mkdir(parents=True)
        (folder / "code.py").write_text(code)
    source = tmp_path / "d20kit" / "locale" / "id" / "LC_MESSAGES" / "d20kit.po"
    source.parent.mkdir(parents=True)
    source.write_text(f'{HEAD}\nmsgid "gone"\nmsgstr "hilang"\n\nmsgid "hit"\nmsgstr "kena"\n')
    return tmp_path


def catalogue(project: Path) -> Path:
    """Return the catalogue of the small project."""
    return project / "d20kit" / "locale" / "id" / "LC_MESSAGES" / "d20kit.po"


def test_translations_stay_and_what_is_new_waits(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever adds or rewords a message needs its empty place, the list, and the translation of what it was before."""
    assert messages.main([], project) == 0
    assert capsys.readouterr().out.splitlines() == [
        "id: is brought up to date, 2 to translate",
        "    {n} round | {n} rounds",
        "    {share} % of {whole}",
        "taken away, with what its translation was:",
        "    gone",
        "        hilang",
    ]
    text = catalogue(project).read_text()
    assert text.startswith(HEAD)
    assert 'msgid "hit"\nmsgstr "kena"' in text
    assert 'msgid "{n} round"\nmsgid_plural "{n} rounds"\nmsgstr[0] ""' in text
    assert "gone" not in text
    # A per cent sign beside a field is no old-fashioned field.
    assert text.count("python-brace-format") == 2
    assert "python-format" not in text.replace("python-brace-format", "")


def test_what_was_written_is_compiled(project: Path) -> None:
    """The kit reads the compiled form, so a translation that is not compiled is not seen."""
    messages.main([], project)
    with catalogue(project).with_suffix(".mo").open("rb") as compiled:
        assert gettext.GNUTranslations(compiled).gettext("hit") == "kena"


def test_a_check_changes_nothing(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A hook that rewrote files would commit something else than was looked at."""
    before = catalogue(project).read_text()
    assert messages.main(["--check"], project) == 1
    assert catalogue(project).read_text() == before
    assert not catalogue(project).with_suffix(".mo").exists()
    assert "2 to translate" in capsys.readouterr().out


def test_a_complete_catalogue_passes_and_stays_as_it_is(project: Path) -> None:
    """The form is always the same, so that a change of the file is a change of a text."""
    messages.main([], project)
    done = catalogue(project).read_text().replace('msgstr[0] ""', 'msgstr[0] "{n} round"')
    done = done.replace('msgid "{share} % of {whole}"\nmsgstr ""', 'msgid "{share} % of {whole}"\nmsgstr "{share} %"')
    catalogue(project).write_text(done)
    assert messages.main(["--check"], project) == 0
    messages.main([], project)
    assert catalogue(project).read_text() == done


def test_the_kit_s_catalogue_has_the_form_of_this_command() -> None:
    """Else the first who adds a message would be shown a change of all the others."""
    source = messages.ROOT / "d20kit" / "locale" / "id" / "LC_MESSAGES" / "d20kit.po"
    old = source.read_text("utf-8")
    with source.open("rb") as opened:
        known = [message.id for message in read_po(opened, locale="id") if message.id]
    assert messages.merged(old, [one if isinstance(one, str) else tuple(one) for one in known], "id") == (old, [])
