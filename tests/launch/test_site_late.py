"""What comes to the static site only when something imports it."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from d20kit.launch import site_late

ROOT = Path(__file__).parent.parent.parent
Site = tuple[Path, Path]

# In place of the browser: what it can fetch is in one folder, what it unpacks belongs to the first place of the path.
BROWSER = """
import io, os, sys, sysconfig, types, zipfile
from pathlib import Path

sysconfig.get_path = {"purelib": sys.path[0]}.__getitem__

class Object(types.SimpleNamespace):
    def to_py(self):
        return vars(self)

class Request:
    def open(self, method, address, later):
        assert (method, later) == ("GET", False)
        self.file = Path(address)
    def send(self):
        if os.environ.get("AWAY"):
            raise OSError("network")
        self.status = 200 if self.file.exists() else 404
        self.response = self.file.read_bytes() if self.file.exists() else None
        print("fetched", self.file.name)

def unpack(content, kind, *, extractDir):
    zipfile.ZipFile(io.BytesIO(content)).extractall(extractDir)

lock = {
    "sympy": {"file_name": "sympy.whl", "depends": ["mpmath"]},
    "mpmath": {"file_name": "mpmath.whl", "depends": []},
    "python-flint": {"file_name": "flint.whl", "depends": []},
}
XMLHttpRequest = Object(new=Request)
packages = Object(**lock)
lockfile, loadedPackages, lockfileBaseUrl = Object(packages=packages), Object(), sys.path[1] + "/"
unpackArchive = unpack
"""


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """Two folders: what Python sees from the start, and what the site gives out."""
    there, given = tmp_path / "there", tmp_path / "given"
    there.mkdir()
    given.mkdir()
    zipfile.ZipFile(site_late.wheel(tmp_path)).extractall(there)
    (there / "js.py").write_text(BROWSER)
    (there / "pyodide_js.py").write_text("from js import *")
    for module, needs in {"sympy": "import mpmath", "mpmath": "", "flint": ""}.items():
        with zipfile.ZipFile(given / f"{module}.whl", "w") as packed:
            packed.writestr(f"{module}/__init__.py", f"{needs}\nanswer = 42")
            packed.writestr(f"{module}/deep.py", "deeper = 43")
    return there, given


def run(site: Site, script: str, **more: str) -> tuple[list[str], str]:
    """Return what a script of the site prints, line by line, and what it complains of."""
    there, given = site
    before = f"import sys\nsys.path[:0] = [{str(there)!r}, {str(given)!r}]\nsys.path.insert(2, {str(ROOT)!r})\n"
    command = [sys.executable, "-I", "-c", before + script]
    done = subprocess.run(command, capture_output=True, text=True, env={"D20KIT_LANG": "en", **more}, check=False)
    return done.stdout.splitlines(), done.stderr


def test_a_deep_import_brings_the_package_and_what_it_needs(site: Site) -> None:
    """The importer gets the real module, each package is fetched once, and nobody sees the stand-in again."""
    script = "from sympy.deep import deeper\nimport sympy, mpmath, sys\n"
    script += "print(deeper, sympy.answer, sys.modules['sympy'] is sympy, 'there/sympy/' in sympy.__file__)"
    said, complaint = run(site, script)
    assert said == ["fetched mpmath.whl", "fetched sympy.whl", "43 42 True True"], complaint


def test_what_a_cell_has_loaded_is_not_fetched_again(site: Site) -> None:
    """A cell that says "import sympy" loads it before it runs; the kit then finds it there."""
    zipfile.ZipFile(site[1] / "sympy.whl").extractall(site[0])
    zipfile.ZipFile(site[1] / "mpmath.whl").extractall(site[0])
    said, complaint = run(site, "import sympy\nprint(sympy.answer)")
    assert said == ["42"], complaint


@pytest.mark.parametrize(("away", "fetched"), [("", ["fetched flint.whl"]), ("1", [])])
def test_a_missing_file_is_one_sentence_and_can_be_tried_again(site: Site, away: str, fetched: list[str]) -> None:
    """No half loaded module stays where the network is away, or the site lacks a file."""
    (site[1] / "flint.whl").unlink()
    attempt = "try:\n    import flint\nexcept ImportError as error:\n    print(error, error.name)\n"
    said, complaint = run(site, attempt + attempt + "print('flint' in sys.modules)", AWAY=away)
    sentence = "python-flint could not be loaded. Check the connection, then run the cell again. python-flint"
    assert said == [*fetched, sentence, *fetched, sentence, "False"], complaint
