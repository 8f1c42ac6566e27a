"""Turn a wheel into one that loads faster. Runs in the Python of the site, which alone knows its own byte code."""

import base64
import contextlib
import hashlib
import importlib.util
import io
import marshal
import re
import sys
import zipfile
from typing import Any

# Tests; what belongs to a server or a front end; plotly.js, which the kit brings in a smaller form; type stubs of
# packages that are not here.
ABSENT = re.compile(
    r"/tests?/|\.data/|/labextension/|/nbextension/|/package_data/(plotly\.min|widgetbundle)\.js$"
    r"|/third_party/(django-stubs|typeshed/stubs)/|/sympy/benchmarks/|\.(js\.map|whl)$|/isympy\.py$|/direct_url\.json$"
)
# How packages ask for their own version as they are imported: for the browser that is half a second, most of it for
# reading e-mail, which is what metadata are written as. They are told it here.
ASKED = b"from importlib.metadata import PackageNotFoundError, version\n"
_DATE = (2020, 1, 1, 0, 0, 0)
# In the head of byte code: found by the hash of its source, which nobody compares.
_UNCHECKED = (0b01).to_bytes(4, "little")


def compiled(source: bytes, name: str) -> bytes:
    """Return a module's byte code, marked so that Python never compares it with its source."""
    code = compile(source, f"/lib/python{sys.version_info.major}.{sys.version_info.minor}/site-packages/{name}", "exec")
    return importlib.util.MAGIC_NUMBER + _UNCHECKED + importlib.util.source_hash(source) + marshal.dumps(code)


def answered(source: bytes, record: str) -> bytes:
    """Return a module's source, with the version of its own package written where it asks for it.

    >>> answered(ASKED + b'__version__ = version("die")', "die-1.2.dist-info/RECORD").decode()
    'PackageNotFoundError, version = LookupError, {"die": "1.2"}.__getitem__\\n__version__ = version("die")'
    """
    name, _dash, number = record.partition(".dist-info/")[0].partition("-")
    if f'version("{name}")'.encode() not in source:
        return source
    answer = f'PackageNotFoundError, version = LookupError, {{"{name}": "{number}"}}.__getitem__\n'
    return source.replace(ASKED, answer.encode())


def beside(name: str) -> str:
    """Return where Python looks for the byte code of a module whose source is there.

    >>> beside("d20kit/attack.py").startswith("d20kit/__pycache__/attack.")
    True
    """
    folder, _slash, file = name.rpartition("/")
    return f"{folder}/__pycache__/{file[:-3]}.{sys.implementation.cache_tag}.pyc".lstrip("/")


def members(given: zipfile.ZipFile, record: str, with_source: bool) -> dict[str, bytes]:
    """Return the files of the new wheel, less its record."""
    kept = {}
    for name in given.namelist():
        if name.endswith("/") or name == record or ABSENT.search(f"/{name}"):
            continue
        content = given.read(name)
        code = b""
        if name.endswith(".py") and ".dist-info/" not in name:
            with contextlib.suppress(SyntaxError):  # a template, or meant for another Python
                code = compiled(answered(content, record), name)
        if not code or with_source:
            kept[name] = content
        if code:
            kept[beside(name) if with_source else name + "c"] = code
    return kept


def recompile(wheel: Any, with_source: bool) -> bytes:
    """Return the bytes of the new wheel: the same for the same wheel, whenever it is made."""
    given = zipfile.ZipFile(io.BytesIO(bytes(wheel)))
    record = next(name for name in given.namelist() if name.endswith(".dist-info/RECORD"))
    packed, lines = io.BytesIO(), []
    with zipfile.ZipFile(packed, "w") as made:
        for name, content in members(given, record, with_source).items():
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            lines.append(f"{name},sha256={digest},{len(content)}\n")
            made.writestr(zipfile.ZipInfo(name, _DATE), content, zipfile.ZIP_DEFLATED, 9)
        made.writestr(zipfile.ZipInfo(record, _DATE), "".join([*lines, f"{record},,\n"]), zipfile.ZIP_DEFLATED, 9)
    return packed.getvalue()
