"""``python -m d20kit.locale.messages``: bring the catalogue up to date with the code, and compile it.

Every message of both packages gets its place in the ``.po`` of each language; translations stay, messages that no code
asks for any more go, and the ones that wait for a translation are printed. What the kit reads while it runs is the
``.mo`` beside it, which this writes as well; it is not kept in the repository, since every installation makes its own.
``--check`` changes nothing and ends with 1 if something would have to be done.
"""

from __future__ import annotations

import argparse
import ast
import io
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parent.parent.parent
SOURCES = (ROOT / "d20kit", ROOT / "widgets" / "d20widgets")
KEYWORDS = {"_": None, "N_": None, "ngettext": (1, 2)}
# One text, or that for one and that for many.
Message = str | tuple[str, ...]
_WIDTH = 110


def found_by_babel(sources: Iterable[Path] = SOURCES) -> Iterator[Message]:
    """Yield the messages that the usual tool finds.

    >>> "Chance to hit" in set(found_by_babel())
    True
    """
    for source in sources:
        for _file, _line, message, _comments, _context in extract_from_dir(
            source, method_map=[("**.py", "python")], keywords=KEYWORDS
        ):
            yield message


def found_inside_f_strings(sources: Iterable[Path] = SOURCES) -> Iterator[Message]:
    """Yield the messages inside f-strings, which the usual tool sees in some versions of Python only.

    >>> all(isinstance(message, str) for message in found_inside_f_strings())
    True
    """
    for path in (path for source in sources for path in sorted(source.rglob("*.py"))):
        for text in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(text, ast.JoinedStr):
                for node in ast.walk(text):
                    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("_", "N_"):
                        yield from (str(one.value) for one in node.args[:1] if isinstance(one, ast.Constant))


def marked(sources: Iterable[Path] = SOURCES) -> set[Message]:
    """Return every message of the code.

    >>> ("{n} round to death", "{n} rounds to death") in marked()
    True
    """
    sources = tuple(sources)
    return {*found_by_babel(sources), *found_inside_f_strings(sources)}


def merged(old: str, messages: Iterable[Message], language: str) -> tuple[str, list[Message]]:
    """Return the text of a catalogue with these messages and no others, and those without a translation.

    >>> old = 'msgid ""\\nmsgstr "Content-Type: text/plain; charset=utf-8\\\\n"\\n\\nmsgid "hit"\\nmsgstr "kena"\\n'
    >>> text, missing = merged(old, ["hit", "miss"], "id")
    >>> missing
    ['miss']
    >>> print(text.partition("\\n\\n")[2])
    msgid "hit"
    msgstr "kena"
    <BLANKLINE>
    msgid "miss"
    msgstr ""
    <BLANKLINE>
    """
    known = {message.id: message.string for message in read_po(io.BytesIO(old.encode()), locale=language)}
    fresh, missing = Catalog(locale=language), []
    for message in sorted(messages, key=_forms):
        translation = known.get(message) or ""
        if not any(_forms(translation)):
            missing.append(message)
        fresh.add(message, translation, flags=["python-brace-format"] if "{" in "".join(_forms(message)) else [])
    body = io.BytesIO()
    write_po(body, fresh, width=_WIDTH, sort_output=True, omit_header=True)
    # Babel sees old-fashioned fields in every per cent sign.
    lines = [
        line.replace(", python-format", "")
        for line in body.getvalue().decode().splitlines()
        if line != "#, python-format"
    ]
    head = old.partition("\n\n")[0]
    return "\n".join([head, "", *lines]).rstrip("\n") + "\n", missing


def _forms(message: Message | list[str]) -> tuple[str, ...]:
    return (message,) if isinstance(message, str) else tuple(message)


def compile_catalogue(source: Path) -> None:
    """Write the ``.mo`` of a ``.po`` beside it.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as name:
    ...     source = Path(name, "d20kit.po")
    ...     written = source.write_text('msgid "hit"\\nmsgstr "kena"\\n')
    ...     compile_catalogue(source)
    ...     b"kena" in source.with_suffix(".mo").read_bytes()
    True
    """
    with source.open("rb") as text, source.with_suffix(".mo").open("wb") as target:
        write_mo(target, read_po(text))


def main(arguments: list[str] | None = None, root: Path = ROOT) -> int:
    """Run the command and return its exit code.

    >>> main(["--help"])
    Traceback (most recent call last):
    SystemExit: 0
    """
    parser = argparse.ArgumentParser(
        prog="python -m d20kit.locale.messages", description="Bring the catalogues up to date and compile them."
    )
    parser.add_argument("--check", action="store_true", help="change nothing; end with 1 if something is to be done")
    check = parser.parse_args(arguments).check
    messages = marked((root / "d20kit", root / "widgets" / "d20widgets"))
    done = True
    for source in sorted((root / "d20kit" / "locale").glob("*/LC_MESSAGES/*.po")):
        old = source.read_text("utf-8")
        text, missing = merged(old, messages, source.parts[-3])
        done &= text == old and not missing
        _report(source.parts[-3], missing, dropped(old, text, source.parts[-3]), _state(text != old, written=not check))
        if not check:
            source.write_text(text, "utf-8", newline="\n")
            compile_catalogue(source)
    return int(check and not done)


def dropped(old: str, new: str, language: str) -> dict[str, str]:
    """Return the translations that a new catalogue no longer has, by their message: a new wording may want them.

    >>> head = 'msgid ""\\nmsgstr "Content-Type: text/plain; charset=utf-8\\\\n"\\n\\n'
    >>> dropped(head + 'msgid "hit"\\nmsgstr "kena"\\n', head + 'msgid "a hit"\\nmsgstr ""\\n', "id")
    {'hit': 'kena'}
    """
    before, after = (
        {_shown(one.id): _shown(one.string or "") for one in read_po(io.BytesIO(text.encode()), locale=language)}
        for text in (old, new)
    )
    return {message: before[message] for message in before if message not in after and before[message].strip(" |")}


def _shown(message: Message | list[str]) -> str:
    return " | ".join(_forms(message))


def _state(changed: bool, written: bool) -> str:
    if not changed:
        return "is as the code is"
    return "is brought up to date" if written else "differs from the code"


def _report(language: str, missing: list[Message], gone: dict[str, str], state: str) -> None:
    print(f"{language}: {state}, {len(missing) or 'nothing'} to translate")
    for message in missing:
        print("   ", _shown(message))
    if gone:
        print("taken away, with what its translation was:")
    for message, translation in gone.items():
        print(f"    {message}\n        {translation}")


if __name__ == "__main__":
    sys.exit(main())
