"""Exported pages: what is on them, that nothing of it can run, and what is said when one cannot be written.

Long because a page is looked at from all sides: its words, its pictures, its links and its refusals.
"""

from __future__ import annotations

import io
import json
import os
import re
import sys
import types
from pathlib import Path
from typing import Any

import pytest

from d20kit import language
from d20kit.launch import command, pages_export, pages_run, pages_target
from d20kit.launch.checkout import PACKAGE, Checkout
from d20kit.launch.pages_explorers import Explorers
from d20kit.launch.pages_markup import Markup
from d20kit.launch.pages_sheet import Surroundings, Way
from d20kit.launch.problems import Problem
from d20kit.launch.progress import Progress
from d20kit.launch.site_parts import Parts

ROOT = PACKAGE.parent
STATIC = ROOT / "widgets" / "d20widgets" / "static"
EVIL = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '<a href="javascript:alert(1)">go</a>',
    '<p onclick="alert(1)">text</p>',
    '<p style="background: url(//elsewhere)">text</p>',
    "<iframe src='//elsewhere'></iframe>",
    "<math><mtext><script>alert(1)</script></mtext></math>",
    '<math><mi href="javascript:alert(1)">x</mi></math>',
    "<svg><script>alert(1)</script></svg>",
    '<div data-explorer="0"></div>',
]
HARM = re.compile(r"<(?:script|img|iframe|svg)|javascript:|\son\w+=|url\(|data-explorer|href=.//", re.IGNORECASE)


@pytest.fixture
def markup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Markup:
    """Return markup whose formulas are made by a stand-in: the package for them has to be fetched."""
    package = types.SimpleNamespace(convert=lambda latex: f"<math><mi>{latex.replace('<', '&lt;')}</mi></math>")
    monkeypatch.setitem(sys.modules, "latex2mathml.converter", package)
    return Markup(tmp_path, ["01-attack"])


@pytest.mark.parametrize("evil", EVIL)
def test_nothing_in_a_handout_can_run(markup: Markup, evil: str) -> None:
    """It is written by the course, and read by whoever gets it; both its name and its text are data."""
    page, clean = (
        pages_export.render_page(text, f"# {text}\n\n{text}\n\nafter", "en", markup, STATIC) for text in (evil, "x")
    )
    body = page.partition("<main>")[2].partition("</main>")[0]
    assert not HARM.search(body)
    assert "after" in body
    for sign in ("<", '"'):
        assert page.partition("<main>")[0].count(sign) == clean.partition("<main>")[0].count(sign)


@pytest.mark.parametrize("evil", EVIL)
def test_nothing_in_prose_or_outputs_can_run(markup: Markup, evil: str) -> None:
    """A lesson may show names that others typed, and its page is sent around."""
    for shown in (markup.prose(f"before\n\n{evil}\n\nafter"), markup.table(evil)):
        assert not HARM.search(shown)
    assert "after" in markup.prose(f"before\n\n{evil}\n\nafter")


def test_code_is_text(markup: Markup) -> None:
    """A string in a cell is shown, whatever is in it."""
    assert not HARM.search(markup.code(f"x = {EVIL[0]!r}"))


def test_links_lead_to_pages_that_are_there(markup: Markup) -> None:
    """A page travels alone or with some others; a dead link is worse than none."""
    shown = markup.prose("[there](01-attack.ipynb) [not there](02-damage.ipynb) [elsewhere](https://example.org/)")
    assert re.findall(r'href="([^"]*)"', shown) == ["01-attack.html", "https://example.org/"]
    assert "not there" in shown


def test_formulas_are_markup_for_browsers(markup: Markup) -> None:
    """Without a network there is no MathJax; dollars that are money stay as they are."""
    shown = markup.table(r"<td>$\displaystyle 1 &lt; x$ for 3 $</td>")
    assert "<math><mi> 1 &lt; x</mi></math>".replace(" 1", "1") in shown.replace("<mi> ", "<mi>")
    assert "for 3 $" in shown
    assert markup.formula(r"$\displaystyle x$").startswith("<math>")


def widgets(**models: dict[str, Any]) -> dict[str, Any]:
    return {"application/vnd.jupyter.widget-state+json": {"state": {n: {"state": s} for n, s in models.items()}}}


def explorer(words: str) -> dict[str, Any]:
    """Return the state of a small explorer: a slider and a sentence, in a box in a box."""
    sentence = {"_esm": f"// {words}", "_css": "p {}", "frames": [words, "b"], "first": 0, "slider": "IPY_MODEL_s"}
    return widgets(
        s={"value": 0, "min": 0, "max": 1, "description": words, "style": "IPY_MODEL_x"},
        t=sentence,
        inner={"children": ["IPY_MODEL_t"]},
        box={"children": ["IPY_MODEL_s", "IPY_MODEL_inner"]},
    )


def notebook(words: str, output: dict[str, Any]) -> dict[str, Any]:
    cells = [
        {"cell_type": "markdown", "source": [f"# {words}\n", "\n", "Prose."]},
        {"cell_type": "code", "source": ["1 + 1"], "outputs": [output]},
    ]
    return {"metadata": {"widgets": explorer(words)}, "cells": cells}


def shown(markup: Markup, words: str, **data: Any) -> str:
    output = {"output_type": "display_data", "data": data}
    return pages_export.render(notebook(words, output), "en", markup, STATIC)


VIEW = {"application/vnd.jupyter.widget-view+json": {"model_id": "box"}}


def test_the_table_travels_with_the_page(markup: Markup) -> None:
    """The main slider of a picture looks its frames up; without a script the twin is there to read."""
    page = shown(markup, "one", **VIEW, **{"text/html": "<p>twin</p>"})
    assert '<div class="explorer" data-explorer="0"><p>twin</p></div>' in page
    (told,) = re.findall(r'<script type="application/json" id="d20-page">(.*?)</script>', page)
    data = json.loads(told)
    (found,) = data["explorers"]
    assert found["slider"] == {"value": 0, "min": 0, "max": 1, "description": "one"}
    assert found["parts"] == [{"script": 0, "state": {"frames": ["one", "b"], "first": 0}}]
    assert data["scripts"] == ["// one"]
    assert "Plotly" in page


def test_a_page_without_pictures_carries_no_library(markup: Markup) -> None:
    """A million bytes for nothing would make every page slow to send."""
    page = shown(markup, "one", **{"text/plain": "2"})
    assert "<pre>2</pre>" in page
    assert len(page) < 40_000


def test_a_page_says_what_it_is(markup: Markup) -> None:
    """Who looks for the second slider, or for the button of a quiz, has to learn that it is in the lesson."""
    page = shown(markup, "one", **VIEW, **{"text/html": "<p>twin</p>"})
    assert page.count('<p class="note">This is the lesson as a page to read:') == 1
    handout = pages_export.render_page("handout", "# Two pages", "en", markup, STATIC)
    assert '<p class="note">To have it on paper, two pages of it, print this page.</p>' in handout
    assert '<p class="note"></p>' in pages_export.render_page("glossary", "# Words", "en", markup, STATIC)


def test_a_page_of_the_site_takes_the_library_from_beside_it(markup: Markup) -> None:
    """One copy for all lessons and languages; and nothing but the site itself may be asked for it."""
    output = {"output_type": "display_data", "data": {**VIEW, "text/html": "<p>twin</p>"}}
    around = Surroundings("../plotly.min.js", (Way("<All>", "../../index.html"), Way("Bahasa", "../id/x.html", "id")))
    page = pages_export.render(notebook("one", output), "en", markup, STATIC, around)
    assert '<script src="../plotly.min.js"></script>' in page
    assert len(page) < 60_000
    assert "script-src 'unsafe-inline' 'self' blob:;" in page
    assert '<nav><a href="../../index.html">&lt;All&gt;</a> · <a href="../id/x.html" lang="id"' in page


@pytest.mark.parametrize(
    ("wanted", "name"), [("handout", "handout"), ("Handout.md", "handout"), ("4", "04-hit-points")]
)
def test_pages_are_named_as_their_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], exported: list[Path], wanted: str, name: str
) -> None:
    """The handout stands beside the lessons and is asked for as they are."""
    assert run(capsys, wanted, str(tmp_path / "out")) == (0, "")
    assert exported == [tmp_path / "out" / f"{name}.html"]


def test_what_stands_beside_the_lessons_needs_no_kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is text: to write it takes no time."""
    monkeypatch.setattr(Parts, "fetch_math", lambda self, progress: tmp_path)
    monkeypatch.setattr(pages_export, "run_lesson", None)
    for code in ("en", "id"):
        page = tmp_path / f"{code}.html"
        pages_export.export(Checkout(ROOT), tmp_path, code, "handout", ["00-start"], page, Progress(io.StringIO()))
        text = page.read_text("utf-8")
        assert f'<html lang="{code}">' in text
        assert 'href="00-start.html"' in text
        assert text.count("<tr>") > 10


def test_a_battle_is_told_in_words(markup: Markup) -> None:
    """A player of battles has no twin; what it prints is the battle itself."""
    output = {"output_type": "execute_result", "data": {**VIEW, "text/plain": "Round 1"}}
    battle = {"metadata": {}, "cells": [{"cell_type": "code", "source": [], "outputs": [output]}]}
    lesson = notebook("one", output)
    lesson["metadata"], lesson["cells"][1:] = battle["metadata"], battle["cells"]
    assert "<pre>Round 1</pre>" in pages_export.render(lesson, "en", markup, STATIC)


def test_a_table_that_was_never_asked_for_is_left_out() -> None:
    """It would have to be computed."""
    empty = {"_esm": "//", "frames": [], "first": 0, "slider": "IPY_MODEL_s"}
    models = explorer("one")["application/vnd.jupyter.widget-state+json"]["state"]
    models["inner"]["state"]["children"].append("IPY_MODEL_e")
    explorers = Explorers(widgets(**{name: model["state"] for name, model in models.items()}, e=empty))
    explorers.place("box", "")
    assert len(explorers.found[0]["parts"]) == 1


def test_what_needs_python_shows_its_twin() -> None:
    """A quiz without a kernel would be a row of dead buttons."""
    quiz = widgets(box={"children": ["IPY_MODEL_q"]}, q={"_esm": "//", "questions": []})
    explorers = Explorers(quiz)
    assert explorers.place("box", "<p>twin</p>") == "<p>twin</p>"
    assert explorers.found == []


@pytest.mark.parametrize(
    "evil", ["</script><script>alert(1)</script>", "<!--<script>", "</style><script>alert(1)</script>"]
)
def test_words_in_tables_and_titles_stay_data(markup: Markup, evil: str) -> None:
    """A name must not end the element that holds it."""
    page = shown(markup, evil, **VIEW, **{"text/html": "<p>twin</p>"})
    clean = shown(markup, "one", **VIEW, **{"text/html": "<p>twin</p>"})
    for tag in ("<script", "</script", "<style", "</style", "<!--"):
        assert page.count(tag) == clean.count(tag)


def test_pages_ask_the_network_for_nothing(markup: Markup) -> None:
    """The browser itself is told to refuse, whatever a script might try."""
    page = shown(markup, "one", **{"text/plain": "2"})
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert policy.startswith("default-src 'none';")
    assert "http" not in policy
    assert not re.search(r'\b(?:src|href)="(?:https?:)?//', page)


@pytest.mark.parametrize(
    ("output", "words"),
    [
        ({"output_type": "stream", "name": "stdout", "text": ["<b>\n"]}, "<pre>&lt;b&gt;\n</pre>"),
        ({"output_type": "execute_result", "data": {"text/plain": ["'<b>'"]}}, "<pre>&#x27;&lt;b&gt;&#x27;</pre>"),
        ({"output_type": "display_data", "data": {"text/latex": "$x$"}}, "<math><mi>x</mi></math>"),
        ({"output_type": "display_data", "data": {"image/png": "AAAA\n"}}, 'src="data:image/png;base64,AAAA"'),
        ({"output_type": "display_data", "data": {}}, '<div class="output"></div>'),
    ],
)
def test_every_kind_of_output_is_shown(markup: Markup, output: dict[str, Any], words: str) -> None:
    """A page that loses an output tells half a lesson."""
    assert words in pages_export.render(notebook("one", output), "en", markup, STATIC)


def test_a_lesson_that_fails_is_named(tmp_path: Path) -> None:
    """The last lines say which cell, as in the lab."""
    cell: dict[str, Any] = {
        "cell_type": "code",
        "id": "a",
        "metadata": {},
        "source": "1 / 0",
        "outputs": [],
        "execution_count": None,
    }
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    broken = {"cells": [cell], "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    (tmp_path / "broken.ipynb").write_text(json.dumps(broken))
    with pytest.raises(Problem, match=r"(?s)broken did not run.*ZeroDivisionError"):
        pages_run.run_lesson(Checkout(ROOT), tmp_path / "broken.ipynb")


def test_an_old_page_stays_until_the_new_one_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that fills up must not leave half a page where a whole one was."""
    page = tmp_path / "01-attack.html"
    page.write_text("old")

    def fail(*_given: object) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Parts, "fetch_math", lambda self, progress: tmp_path)
    monkeypatch.setattr(
        pages_export, "run_lesson", lambda *_given: notebook("one", {"output_type": "stream", "text": ""})
    )
    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="No space"):
        pages_export.export(Checkout(ROOT), tmp_path, "en", "01-attack", [], page, Progress())
    assert [path.name for path in tmp_path.iterdir()] == [page.name]
    assert page.read_text() == "old"


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = command.run(["page", *arguments])
    return code, capsys.readouterr().err


def test_a_file_in_place_of_the_folder_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is somebody's file."""
    (tmp_path / "out").write_text("dear")
    code, said = run(capsys, "01", str(tmp_path / "out"))
    assert code == 1
    assert "is a file, but the pages go into a folder" in said


@pytest.mark.parametrize("blank", ["", " ", "\n"])
def test_a_blank_folder_is_refused(blank: str, capsys: pytest.CaptureFixture[str]) -> None:
    """An unset variable in a script must not fill the current folder with pages."""
    with pytest.raises(SystemExit) as end:
        command.run(["page", "01", blank])
    assert end.value.code == 2
    assert f"argument OUT: {blank!r} is no folder; name one" in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["file", "link"])
@pytest.mark.parametrize("inside", ["", "sub"])
def test_what_is_in_the_way_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str, inside: str
) -> None:
    """A folder below a file, or behind a link to nothing, cannot be made, and the reader has to know which it is."""
    place = tmp_path / "out"
    if kind == "file":
        place.write_text("dear")
    else:
        try:
            place.symlink_to(tmp_path / "nowhere")
        except OSError as error:
            pytest.skip(f"links cannot be made here: {error}")
    code, said = run(capsys, "01", str(place / inside))
    assert code == 1
    assert said == f"{place} is a file, but the pages go into a folder; name another.\n"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.fixture
def exported(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Return the pages that would be written."""
    pages: list[Path] = []
    monkeypatch.setattr(pages_export, "export", lambda *given: pages.append(given[5]))
    return pages


def test_a_folder_in_place_of_a_page_is_noticed_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], exported: list[Path]
) -> None:
    """To run a lesson takes a while; what cannot be written is said before."""
    (tmp_path / "03-damage.html").mkdir()
    code, said = run(capsys, "all", str(tmp_path))
    assert code == 1
    assert said.startswith(f"{tmp_path / '03-damage.html'} is a folder, but the page would be a file of that name;")
    assert exported == []


def test_a_file_of_somebody_else_stays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], exported: list[Path]
) -> None:
    """A page that a teacher wrote under the name of a lesson must not be lost."""
    page = tmp_path / "01-attack.html"
    page.write_text("<title>My own</title>")
    code, said = run(capsys, "01", str(tmp_path))
    assert code == 1
    assert said.startswith(f"{page} is not a page that the kit made; rename or delete it")
    assert (exported, page.read_text()) == ([], "<title>My own</title>")


def test_a_page_of_the_kit_is_replaced(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], exported: list[Path], markup: Markup
) -> None:
    """Pages are written again after every change of a lesson."""
    page = tmp_path / "01-attack.html"
    page.write_text(shown(markup, "one", **{"text/plain": "2"}), "utf-8")
    assert run(capsys, "01", str(tmp_path)) == (0, "")
    assert exported == [page]


def test_words_of_a_lesson_are_no_mark(tmp_path: Path, markup: Markup) -> None:
    """Only the kit itself signs a page: a title that holds the mark is text."""
    assert shown(markup, pages_target.MARK, **{"text/plain": "2"}).count(pages_target.MARK) == 1


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
def test_a_pipe_in_place_of_a_page_is_refused(tmp_path: Path) -> None:
    """To look for the mark in it would wait for a writer that never comes."""
    os.mkfifo(tmp_path / "01-attack.html")
    with pytest.raises(Problem, match="is not a page that the kit made"):
        pages_target.check_page(tmp_path / "01-attack.html")


def test_an_unknown_lesson_is_answered_with_the_known(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nobody remembers the names."""
    code, said = run(capsys, "atack", str(tmp_path / "out"))
    assert code == 1
    assert "Did you mean '01-attack'?" in said
    assert not (tmp_path / "out").exists()


def test_all_lessons_link_to_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With ``all`` every lesson, and all that stands beside, gets its page and knows of the others."""
    before = language.current_language()
    asked: list[tuple[Any, ...]] = []
    monkeypatch.setattr(pages_export, "export", lambda *given: asked.append(given))
    try:
        assert command.run(["page", "all", str(tmp_path / "out"), "--language", "id"]) == 0
    finally:
        language.set_language(before)
    names = [path.stem for kind in ("*.ipynb", "*.md") for path in sorted((ROOT / "notebooks" / "id").glob(kind))]
    assert "handout" in names
    assert [(given[2], given[3], given[4]) for given in asked] == [("id", name, names) for name in names]
    assert str(tmp_path / "out") in capsys.readouterr().out.splitlines()[-1]
