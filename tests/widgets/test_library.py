"""The drawing library on its way to the page: sent before it is needed, taken once, asked for if it does not come."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from playwright.sync_api import Page
from plotly.offline import get_plotlyjs_version

from d20widgets.follower import STATIC
from d20widgets.library import Library, library, send_library

# A stand-in for plotly.js that counts how often it is run, and a chart's model that a kernel answers.
COUNTS = "globalThis.ran = (globalThis.ran ?? 0) + 1; globalThis.Plotly = {{ named: {name!r} }};"
MODEL = """
const heard = new Set();
globalThis.asked = 0;
globalThis.chart = {
  on: (_, call) => heard.add(call), off: (_, call) => heard.delete(call),
  send: () => { asked += 1; },
  answer: (text) => heard.forEach((call) => call({ kind: "plotly" }, [new TextEncoder().encode(text)])),
};
globalThis.code = (text) => ({
  get: () => new DataView(new TextEncoder().encode(text).buffer),
  set(_, value) { this.left = value.byteLength; },
});
"""


def script(*names: str) -> str:
    """The page's scripts as one, and what a test calls in them."""
    return "\n".join((STATIC / f"{name}.js").read_text(encoding="utf-8") for name in names)


@pytest.fixture
def loading(page: Page) -> Page:
    """A page with the scripts that load the library, and none loaded."""
    page.goto("about:blank")
    without_exports = re.sub(r"(?m)^export default.*$", "", script("loading", "library"))
    page.add_script_tag(
        content=f"{without_exports}\nObject.assign(globalThis, {{ library, plotly, initialize }});{MODEL}"
    )
    return page


def test_the_library_is_the_one_python_plotly_writes_for() -> None:
    """A figure valid in Python must be drawn by the same version, or an attribute may be unknown to it."""
    found = re.search(rb"plotly\.js \(basic - minified\) v([\d.]+)", library()[:300])
    assert found
    assert found.group(1).decode() == get_plotlyjs_version()


def test_the_library_comes_with_its_licence() -> None:
    """The MIT licence asks that it travels with every copy."""
    licence = (STATIC / "plotly-basic.LICENSE").read_text(encoding="utf-8")
    assert "MIT License" in licence
    assert "Plotly" in licence


def test_a_kernel_sends_it_once() -> None:
    """Six explorers in one notebook must not send 1.2 MB six times."""
    assert send_library() is send_library()
    assert send_library().code == library()


def test_it_is_sent_before_the_explorer_that_needs_it_is_loaded() -> None:
    """The page reads it while the kernel loads the rest; asking for the name alone is enough."""
    told = (
        "import sys; from d20widgets import library; sent = library.send_library\n"
        "library.send_library = lambda: print('d20widgets.attack' in sys.modules)\n"
        "import d20widgets; d20widgets.AttackExplorer; print('d20widgets.attack' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["False", "True"]


def test_a_library_that_came_unasked_is_run_once_and_let_go(loading: Page) -> None:
    """Another notebook's kernel brings it again; a page that has it neither runs nor keeps nor asks for it."""
    name = loading.evaluate(
        """async ([first, second]) => {
            const [one, two] = [code(first), code(second)];
            initialize({ model: one });
            initialize({ model: two });
            const { ready } = plotly(chart);
            return [(await ready).named, ran, asked, one.left, two.left];
        }""",
        [COUNTS.format(name="first"), COUNTS.format(name="second")],
    )
    assert name == ["first", 1, 0, 0, 0]


def test_a_chart_asks_where_none_came(loading: Page) -> None:
    """A notebook whose widgets were all closed has no library to send, and its next chart is drawn all the same."""
    name = loading.evaluate(
        """async (text) => {
            const { ready } = plotly(chart);
            chart.answer(text);
            chart.answer(text);
            return [(await ready).named, ran, asked];
        }""",
        COUNTS.format(name="asked"),
    )
    assert name == ["asked", 1, 1]


def test_a_broken_library_is_not_kept(loading: Page) -> None:
    """One that was cut on its way must not take the pictures from every later chart of the page."""
    name = loading.evaluate(
        """async ([broken, whole]) => {
            initialize({ model: code(broken) });
            const failed = await plotly(chart).ready.then(() => "no", () => "yes");
            initialize({ model: code(whole) });
            return [failed, (await plotly(chart).ready).named];
        }""",
        ["this is not a script", COUNTS.format(name="whole")],
    )
    assert name == ["yes", "whole"]


def test_it_is_no_widget_that_anybody_sees() -> None:
    """It has bytes and a script that takes them, and no view."""
    made = Library(code=b"bytes")
    assert "render" not in made._esm
    made.close()
