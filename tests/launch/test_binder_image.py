"""Binder, emulated: the image is built by a user who is not root, starts under a base URL, and every link lands."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlparse

import pytest

from d20kit import __version__
from d20kit.language import LANGUAGES
from d20kit.launch.installers import explain
from d20kit.launch.lessons import lessons
from tests.launch.binder_image import Image, NotBuilt, Server, python_for

ROOT = Path(__file__).parent.parent.parent
LESSONS = [f"notebooks/{code}/{name}.ipynb" for code in LANGUAGES for name in lessons(ROOT / "notebooks", code)]

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Binder's images are Linux")


@pytest.fixture(scope="module")
def image() -> Iterator[Image]:
    """Return the built image; it takes a network, like Binder itself."""
    version = (ROOT / "binder" / "runtime.txt").read_text().strip().removeprefix("python-")
    python = python_for(version)
    if python is None:
        pytest.skip(f"there is no Python {version} here that every user may run")
    # Not in pytest's own folder, which only its owner may enter.
    work = Path(tempfile.mkdtemp(prefix="d20kit-binder-"))
    work.chmod(0o755)
    try:
        built = Image(ROOT, work)
        try:
            built.build(python)
        except NotBuilt as failed:
            offline = "there is no network" in str(explain("pip", 1, str(failed), work))
            if offline and os.environ.get("CI", "").lower() not in ("1", "true"):
                pytest.skip("there is no network, or no package index, to build Binder's environment from")
            raise
        yield built
    finally:
        shutil.rmtree(work, ignore_errors=True)


@pytest.fixture(scope="module")
def server(image: Image) -> Iterator[Server]:
    """Return the started image."""
    with image.started() as server:
        yield server


def test_size_and_start(image: Image, server: Server, record_property: Callable[[str, str], None]) -> None:
    """Printed at the end of the tests: how large the environment is, and how long a start takes."""
    figures = [f"{name} {seconds:.1f} s" for name, seconds in image.seconds.items()]
    figures += [f"{name} {size} MB" for name, size in image.megabytes.items()]
    record_property("figure", f"Binder, emulated: {', '.join(figures)}")
    assert image.megabytes["home"] < 100, "something large is copied into the image"


@pytest.mark.parametrize("lesson", LESSONS)
def test_every_lesson_lands(server: Server, lesson: str) -> None:
    """The single-document view and JupyterLab both open it under the base URL, and the server has the file."""
    for view in ("doc/tree", "lab/tree"):
        status, page = server.get(f"{view}/{lesson}")
        assert (status, b"jupyter-config-data" in page) == (200, True)
    # A view of a file that is not there would land as well.
    assert server.get(f"api/contents/{lesson}?content=0")[0] == 200


def test_a_lesson_that_is_not_there_is_seen(server: Server) -> None:
    """The question above can be answered with no."""
    assert server.get("api/contents/notebooks/en/99-gone.ipynb?content=0")[0] == 404


def test_links_of_the_readme_land(server: Server) -> None:
    """Every Binder link that people find opens a file of the course in the single-document view."""
    links = re.findall(r"https://mybinder\.org/v2/[^\s)\"'>]+", (ROOT / "README.md").read_text("utf-8"))
    places = [parse_qs(urlparse(link).query)["urlpath"][0] for link in links]
    assert "doc/tree/notebooks/en/00-start.ipynb" in places
    for place in places:
        assert place.startswith("doc/tree/notebooks/")
        assert server.get(place)[0] == 200
        assert server.get(f"api/contents/{place.removeprefix('doc/tree/')}?content=0")[0] == 200


def test_a_kernel_runs_lesson_one(image: Image, server: Server) -> None:
    """Every cell of it, in a kernel that the started server gives, as a visitor's browser asks for it."""
    address = server.address.replace("http", "ws", 1)
    channels = f"{address}api/kernels/{server.new_kernel()}/channels?token={server.token}"
    script = str(image.home / "tests" / "launch" / "run_lesson.py")
    said = image.run([str(image.python), script, channels, "notebooks/en/01-attack.ipynb"])
    assert int(said) >= 5


def test_image_is_quiet_and_not_of_root(image: Image, server: Server) -> None:
    """The kit's settings are in force, and a visitor may write into the lessons and into the environment."""
    news = json.loads(server.get("lab/api/settings/@jupyterlab/apputils-extension:notification")[1])
    assert news["schema"]["properties"]["fetchNews"]["default"] == "false"
    may = "os.access('notebooks/en/00-start.ipynb', os.W_OK), os.access(sys.prefix, os.W_OK)"
    user, *answers = image.run([str(image.python), "-c", f"import os, sys; print(os.geteuid(), {may})"]).split()
    assert user != "0"
    assert answers == ["True", "True"]


def test_versions_agree(image: Image) -> None:
    """No package in the image is at odds with another, the image's own ones included."""
    assert "No broken requirements found." in image.run([str(image.python), "-m", "pip", "check"])


# Last, for what the third one installs stays in the image.
@pytest.mark.parametrize(
    ("pin", "said"),
    [
        ("sympy==0.0.99", "No matching distribution found for sympy==0.0.99"),
        ("narwhals==1.9.0", "these package versions have conflicting dependencies"),
        ("lark==1.1.9", f"d20kit {__version__} has requirement lark"),
    ],
)
def test_a_bad_pin_does_not_build(image: Image, pin: str, said: str) -> None:
    """A version that does not exist, or that another package or the kit itself cannot work with, stops the build."""
    requirements = image.home / "binder" / "requirements.txt"
    good = requirements.read_text()
    name = pin.partition("==")[0]
    requirements.write_text(re.sub(rf"^{name}==.*$", pin, good, flags=re.MULTILINE))
    assert requirements.read_text() != good
    try:
        with pytest.raises(NotBuilt, match=re.escape(said)):
            image.install_and_finish()
    finally:
        requirements.write_text(good)
