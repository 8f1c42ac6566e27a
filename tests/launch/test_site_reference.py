"""The reference on the site: every public name, links that lead somewhere, and nothing but text from the docstrings."""

from __future__ import annotations

import inspect
import re
import shutil
from html import unescape
from html.parser import HTMLParser
from importlib import import_module
from itertools import pairwise
from pathlib import Path

import pytest

import d20kit
import d20widgets
from d20kit.launch import site_docstrings, site_landing, site_reference
from d20kit.launch.lessons import lessons

ROOT = Path(d20kit.__file__).resolve().parent.parent


class Places(HTMLParser):
    """What a page links to, what can be linked to on it, and how its headings step."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.links: list[str] = []
        self.ids: list[str] = []
        self.tags: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        given = dict(attrs)
        self.tags.append(tag)
        self.links += [str(given["href"])] if "href" in given else []
        self.ids += [str(given["id"])] if "id" in given else []


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The text of every page by the name of its file, in a site that has the lessons."""
    site = tmp_path_factory.mktemp("site")
    shutil.copytree(ROOT / "notebooks" / "en", site / "files" / "en")
    site_reference.write(site, ROOT)
    return {page.name: page.read_text("utf-8") for page in (site / site_reference.FOLDER).iterdir()}


def public() -> dict[str, str]:
    """Return every public name and the file it has to be in."""
    found = dict.fromkeys(d20kit._HOME, "d20kit.html") | dict.fromkeys(d20widgets.__all__, "d20widgets.html")
    for topic in d20kit._TOPICS:
        module = import_module(f"d20kit.{topic}")
        own = [name for name, thing in vars(module).items() if getattr(thing, "__module__", "") == module.__name__]
        names = getattr(module, "__all__", own)
        found |= {name: f"{topic}.html" for name in names if not name.startswith("_")}
    return found


def test_every_public_name_has_its_place(reference: dict[str, str]) -> None:
    """A name that is not there can only be found by reading the code."""
    places = {file: Places(text).ids for file, text in reference.items()}
    assert len(public()) > 80
    assert [name for name, file in public().items() if name not in places[file]] == []
    overview = Places(reference["index.html"]).links
    assert [name for name, file in public().items() if f"{file}#{name}" not in overview] == []


def test_every_link_leads_somewhere(reference: dict[str, str]) -> None:
    """The pages are made from texts that change; a link to what was there before must not stay."""
    places = {file: {"", *Places(text).ids} for file, text in reference.items()}
    read = {f"../{site_landing.READ}en/{name}.html" for name in lessons(ROOT / "notebooks", "en")}
    beside = {"../index.html", "../lab/favicon.ico"} | read
    used = {(file, link) for file, text in reference.items() for link in Places(text).links}
    inner = {(file, link) for file, link in used if link not in beside}
    assert {link for _file, link in used} >= beside
    assert [link for _file, link in inner if link.partition("#")[2] not in places[link.partition("#")[0]]] == []


def test_a_page_asks_for_nothing_and_runs_nothing(reference: dict[str, str]) -> None:
    """It can be read without a network, and there is no script in it that could be the wrong one."""
    for text in reference.values():
        page = Places(text)
        assert not {"script", "img", "iframe", "object", "form"} & set(page.tags)
        assert "url(" not in text
        assert len(page.ids) == len(set(page.ids))
        headings = [int(tag[1]) for tag in page.tags if re.fullmatch(r"h\d", tag)]
        assert headings[0] == 1
        assert all(after <= before + 1 for before, after in pairwise(headings))


def test_a_name_is_told_as_its_docstring_tells_it(reference: dict[str, str]) -> None:
    """Signature, text, parameters, errors and example of one name, and the lesson that uses it."""
    text = reference["attack.html"].partition('<h2 id="hit_chance">')[2].partition("<h2 ")[0]
    assert '<pre class="signature" tabindex="0">hit_chance(bonus, ac)</pre>' in text
    assert "<dt><code>ac</code> <i>number</i></dt><dd><p>The target&#x27;s armor class.</p></dd>" in text
    assert '<span class="gp">&gt;&gt;&gt; </span>' in text
    assert '<p class="taught">In the lessons: <a href="../read/en/' in text


def test_data_and_long_calls_are_written_out(reference: dict[str, str]) -> None:
    """A rule set says its switches, a method its class, and a call of many arguments more lines than one."""
    kit, battle = reference["d20kit.html"], reference["battle.html"]
    assert "<code>Ruleset(critical=&#x27;natural-20&#x27;, " in kit
    assert '<h3 id="Encounter.win_chance">' in battle
    (call,) = re.findall(r'<h2 id="Combatant">.*?<pre class="signature" tabindex="0">(.*?)</pre>', battle, re.DOTALL)
    assert call.startswith("Combatant(name, side, hp, ac, attacks, *, constitution=0,")
    assert max(map(len, unescape(call).splitlines())) <= 84


def test_docstrings_are_text() -> None:
    """A combatant's name in an example, or a sign of mathematics, must not become an element."""
    hostile = (
        "<b>&\n\nParameters\n----------\n<i> : <u>\n    A `<s>` and ``<q>``.\n\nExamples\n--------\n>>> '<p>'\n'<p>'\n"
    )
    shown = site_docstrings.markup(hostile, {"<s>": '"><script>'})
    assert set(Places(shown).tags) == {"p", "dl", "dt", "dd", "code", "i", "a", "pre", "span"}
    assert '<a href="&quot;&gt;&lt;script&gt;"><code>&lt;s&gt;</code></a>' in shown


def test_lists_and_indented_lines_keep_their_shape() -> None:
    """What stands one below the other in a docstring does so on the page."""
    shown = site_docstrings.markup("Say::\n\n    as it is\n\n* one\n* two\n", {})
    assert shown == ('<p>Say:</p>\n<pre tabindex="0">as it is</pre>\n<ul><li>one\n</li><li>two</li></ul>')


def test_the_first_page_leads_to_it() -> None:
    """Somebody who looks for a name begins at the site's front."""
    template = (ROOT / "binder" / "lite" / "landing.html").read_text("utf-8")
    assert f'href="{site_reference.FOLDER}/index.html"' in template
    assert "site_reference.write(" in inspect.getsource(import_module("d20kit.launch.site_build").build)
