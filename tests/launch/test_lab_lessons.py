"""An installed kit puts its lessons into the learner's folder, and never touches what is there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from d20kit.launch.lab_lessons import lay_out
from d20kit.launch.problems import Problem


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """Return two lessons and a page in two languages, as a wheel brings them."""
    for language in ("en", "id"):
        for name in ("00-start.ipynb", "01-attack.ipynb", "guide.md"):
            file = tmp_path / "course" / language / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(f"{language} {name}\r\n".encode())
    return tmp_path / "course"


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """Return where the lessons of a learner go, in a folder with a space in its name."""
    return tmp_path / "my folder" / "notebooks"


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_first_start_brings_the_whole_course(course: Path, own: Path) -> None:
    """Byte for byte, in every language, with nothing left over from the copying."""
    assert lay_out(own, course) == [f"The lessons are now in {own}."]
    assert contents(own) == contents(course)


def test_second_start_says_nothing(course: Path, own: Path) -> None:
    """Whoever changed nothing need not read about it."""
    lay_out(own, course)
    assert lay_out(own, course) == []


def test_work_is_kept_and_named(course: Path, own: Path) -> None:
    """A lesson that was worked on stays as it is, and its owner learns how to have it anew."""
    lay_out(own, course)
    (own / "en" / "01-attack.ipynb").write_text("my work")
    (own / "en" / "00-start.ipynb").unlink()
    (own / "en" / "99-mine.ipynb").write_text("mine")
    said = lay_out(own, course)
    assert said[0] == f"The lessons are now in {own}."
    assert "not as the kit brings them: en/01-attack.ipynb. To have one anew, rename yours" in said[1]
    assert len(said) == 2
    mine = {"en/01-attack.ipynb": b"my work", "en/99-mine.ipynb": b"mine"}
    assert contents(own) == contents(course) | mine


def test_a_renamed_lesson_comes_back_as_it_was(course: Path, own: Path) -> None:
    """The way to start a lesson over that the message names does what it says."""
    lay_out(own, course)
    lesson = own / "en" / "00-start.ipynb"
    lesson.write_text("my work")
    lesson.rename(own / "en" / "00-mine.ipynb")
    assert lay_out(own, course) == [f"The lessons are now in {own}."]
    assert lesson.read_bytes() == (course / "en" / "00-start.ipynb").read_bytes()


@pytest.mark.skipif(os.name == "nt", reason="links need a right on Windows that few have")
def test_a_link_is_a_learners_file_too(course: Path, own: Path, tmp_path: Path) -> None:
    """Somebody may keep the lessons elsewhere and link them here, also where that leads nowhere just now."""
    (own / "en").mkdir(parents=True)
    (own / "en" / "00-start.ipynb").symlink_to(tmp_path / "unplugged" / "00-start.ipynb")
    assert "en/00-start.ipynb" in lay_out(own, course)[1]
    assert not (tmp_path / "unplugged").exists()


def test_what_is_saved_at_the_same_moment_is_kept(course: Path, own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the look and the copy another program may save a file of that name: it wins."""
    real = os.link

    def link(source: Path, target: Path) -> None:
        if target.name == "00-start.ipynb":
            target.write_text("saved just now")
        real(source, target)

    monkeypatch.setattr(os, "link", link)
    lay_out(own, course)
    assert (own / "en" / "00-start.ipynb").read_text() == "saved just now"
    assert len(contents(own)) == 6


@pytest.mark.parametrize("late", [False, True])
def test_a_disk_without_links_will_do(course: Path, own: Path, monkeypatch: pytest.MonkeyPatch, late: bool) -> None:
    """Memory sticks know no links; there, too, nothing is overwritten."""

    def link(source: Path, target: Path) -> None:
        if late:
            target.write_text("saved just now")
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", link)
    lay_out(own, course)
    assert set(contents(own)) == set(contents(course))
    assert (contents(own) == contents(course)) is not late


@pytest.mark.parametrize("place", ["notebooks", "notebooks/en"])
def test_a_file_in_the_way_is_said(course: Path, own: Path, place: str) -> None:
    """A file that has the name of the folder is somebody's: it is named, and stays."""
    file = own.parent / place
    file.parent.mkdir(parents=True)
    file.write_text("mine")
    with pytest.raises(Problem, match=f"need a folder {file}, but that is a file"):
        lay_out(own, course)
    assert file.read_text() == "mine"


def test_a_folder_of_others_is_said(course: Path, own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a folder that cannot be written the lessons cannot be; the person is told to go elsewhere."""

    def mkdir(self: Path, **settings: bool) -> None:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "mkdir", mkdir)
    with pytest.raises(Problem, match=r"nothing may be written there\. Go to a folder of your own"):
        lay_out(own, course)
