"""What every explorer does: values in and out, moves, refusals, text for those without a kernel, and being freed."""

import gc
import json
import os
import re
import subprocess
import sys
import weakref
from html.parser import HTMLParser

import ipywidgets
import plotly.graph_objects
import pytest

import d20kit
from d20kit import SRD35, set_language
from d20widgets import AttackExplorer, HitPointExplorer

EXPLORERS = [AttackExplorer, HitPointExplorer]
MOVED = {
    AttackExplorer: {"bonus": 3, "ac": 21, "dexterity": -1, "flat_footed": True, "rules": SRD35},
    HitPointExplorer: {"maximum": 20, "hp": -3, "constitution": 0, "damage": "2d6", "rounds": 3, "rules": SRD35},
}


@pytest.fixture(params=EXPLORERS, ids=lambda kind: kind.__name__)
def explorer(request):
    """One explorer of each kind, closed afterwards."""
    made = request.param()
    yield made
    made.close()


def widget_of(explorer, name):
    """The widget that a learner moves for a control."""
    return explorer._fields[name].parts[0]


def every_frame(explorer):
    """Picture, formula and sentence of every position of the main control."""
    return explorer.chart.frames, explorer.formula_line.frames, explorer.sentence_line.frames


def test_every_position_of_the_main_slider_has_a_frame(explorer):
    """The browser looks up by value minus lowest value: a frame too few would show a wrong neighbour."""
    slider = widget_of(explorer, explorer.main)
    for frames in every_frame(explorer):
        assert len(frames) == slider.max - slider.min + 1
    assert explorer.chart.first == explorer.formula_line.first == explorer.sentence_line.first == slider.min


def test_what_the_browser_looks_up_is_what_the_kernel_says(explorer):
    """Kernel and page must never tell two stories about one position."""
    for position, sentence in enumerate(explorer.sentence_line.frames, start=explorer.sentence_line.first):
        explorer.move(**{explorer.main: position})
        assert explorer.summary == sentence
        assert explorer.formula_line.frames[position - explorer.formula_line.first] == explorer.formula(
            explorer.numbers(explorer.values)
        )


def test_moving_the_main_slider_sends_no_table(explorer, monkeypatch):
    """The main slider is fast because nothing but its own value goes over the line."""
    monkeypatch.setattr(explorer, "redraw", lambda: pytest.fail("a table was computed"))
    slider = widget_of(explorer, explorer.main)
    slider.value = slider.min
    assert explorer.values[explorer.main] == slider.min


def test_moving_another_control_computes_the_same_as_building_anew(explorer):
    """A table that depended on how one came to it would be wrong one way or the other."""
    name = "bonus"
    widget_of(explorer, name).value = 9
    fresh = type(explorer)(bonus=9)
    assert every_frame(explorer) == every_frame(fresh)
    assert explorer.chart.figure == fresh.chart.figure


def test_the_kernel_follows_the_main_slider(explorer):
    """After a learner has moved the slider, the cell below may print the explorer: it must say what is seen."""
    before = repr(explorer), explorer.summary
    slider = widget_of(explorer, explorer.main)
    slider.value = slider.min
    assert (repr(explorer), explorer.summary) != before
    assert explorer.figure == plotly.graph_objects.Figure(explorer.chart.at(slider.min))


def test_number_boxes_start_and_end_with_their_sliders(explorer):
    """The box is moved by its slider in the browser only, so the kernel must set both alike."""
    explorer.move(bonus=11)
    for field in explorer._fields.values():
        if isinstance(field.parts[0], ipywidgets.IntSlider):
            slider, box, _link = field.parts
            assert (slider.min, slider.value, slider.max) == (box.min, box.value, box.max)


def test_state_goes_out_and_in_through_json(explorer):
    """A learner shares a state as text: what comes back must be the same explorer."""
    explorer.move(**MOVED[type(explorer)])
    back = type(explorer).from_state(json.loads(json.dumps(explorer.state)))
    assert back.values == explorer.values
    assert repr(back) == repr(explorer)


def test_the_code_builds_the_same_explorer(explorer):
    """Copied code that shows something else would be worse than none."""
    explorer.move(**MOVED[type(explorer)])
    lines = explorer.code.splitlines()
    names: dict = {}
    exec("\n".join(lines[:-1]), names)  # the kit's own output: that it runs is what is tested
    built = eval(lines[-1], names)
    assert built.state == explorer.state


@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        (lambda state: "text", "state is 'text'"),
        (lambda state: {**state, "version": 99}, r"state\['version'\] is 99"),
        (lambda state: {**state, "version": 0}, r"state\['version'\] is 0"),
        (lambda state: {**state, "version": True}, r"state\['version'\] is True"),
        (lambda state: {**state, "explorer": "Other"}, r"state\['explorer'\] is 'Other'"),
        (lambda state: {**state, "values": [1]}, r"state\['values'\] is"),
        (lambda state: {**state, "values": {**state["values"], "bonus": 7.5}}, "bonus is 7.5"),
        (lambda state: {**state, "values": {**state["values"], "rules": "HOUSE"}}, "rules is 'HOUSE'"),
        (lambda state: {**state, "values": {**state["values"], "more": 1}}, r"state\['values'\] is"),
        (lambda state: {**state, "values": {}}, r"state\['values'\] is"),
        (lambda state: {**state, "extra": 1}, "state is"),
    ],
)
def test_a_broken_state_is_refused_in_a_sentence(explorer, damage, complaint):
    """States come from other people's messages: each kind of damage needs its own clear answer."""
    with pytest.raises(ValueError, match=complaint):
        type(explorer).from_state(damage(explorer.state))


def test_an_unknown_name_is_refused_with_the_nearest(explorer):
    """A typing slip in a keyword must not be swallowed."""
    with pytest.raises(ValueError, match="did you mean 'bonus'"):
        type(explorer)(bonis=3)


def test_a_refused_move_changes_nothing(explorer):
    """Half a move would leave controls and picture saying different things."""
    before = explorer.state, every_frame(explorer)
    with pytest.raises(ValueError, match="bonus is 99"):
        explorer.move(ac=12, bonus=99)
    assert (explorer.state, every_frame(explorer)) == before


def test_reset_goes_back_to_the_start(explorer):
    """A learner who is lost needs one way back: to what the lesson's cell opened with, not to some other example."""
    start = repr(explorer)
    explorer.move(**MOVED[type(explorer)])
    opened = type(explorer)(**MOVED[type(explorer)])
    assert repr(opened) == repr(explorer)
    opened.move(bonus=9)
    opened._reset.click()
    assert repr(opened) == repr(explorer)
    opened.close()
    explorer._reset.click()
    assert repr(explorer) == start
    assert widget_of(explorer, "bonus").value == explorer.values["bonus"]


def test_work_in_hand_shows_and_ends(explorer, monkeypatch):
    """A table that takes long leaves the old picture standing: it must look like the old one meanwhile."""
    seen = []
    redraw = explorer.redraw
    monkeypatch.setattr(explorer, "redraw", lambda: (seen.append("d20-busy" in explorer._dom_classes), redraw()))
    widget_of(explorer, "bonus").value = 9
    assert seen == [True]
    assert "d20-busy" not in explorer._dom_classes


def test_every_figure_is_valid_plotly(explorer):
    """Figures are built as plain dicts for speed; graph_objects refuses an attribute that plotly.js would ignore."""
    slider = widget_of(explorer, explorer.main)
    for position in (slider.min, slider.value, slider.max):
        explorer.move(**{explorer.main: position})
        assert isinstance(explorer.figure, plotly.graph_objects.Figure)


def test_axes_have_fixed_ranges(explorer):
    """Only the moving traces are redrawn, so an axis that adjusted itself would part from them."""
    layout = explorer.chart.figure["layout"]
    axes = [layout[key] for key in layout if re.match("[xy]axis", key)]
    assert len(axes) == 4
    assert all(axis["range"] and not axis["automargin"] for axis in axes)
    assert layout["margin"]["autoexpand"] is False


def test_each_kind_has_a_colour_and_a_pattern_of_its_own(explorer):
    """Printed in grey or seen without red and green, the kinds must still be told apart."""
    bars = {trace["name"]: trace["marker"] for trace in explorer.chart.figure["data"] if trace["type"] == "bar"}
    assert len({marker["color"] for marker in bars.values()}) == len(bars)
    assert len({marker["pattern"]["shape"] for marker in bars.values()}) == len(bars)


def test_the_largest_table_stays_small(explorer):
    """Six explorers share a page and perhaps a slow line; even the largest table must not weigh like the library."""
    if isinstance(explorer, HitPointExplorer):
        explorer.move(maximum=80, rounds=15, rules=SRD35)
    sent = json.dumps([explorer.chart.figure, *every_frame(explorer)])
    assert len(sent) < 250_000


def test_an_ordinary_table_is_a_few_kilobytes(explorer):
    """What a learner's usual move sends, with all three lines, is what a slow line feels."""
    assert len(json.dumps([explorer.chart.figure, *every_frame(explorer)])) < 50_000


def test_repr_has_the_numbers_and_no_identity(explorer):
    """A stored notebook is compared text by text: an address or a model id in it would break that."""
    other = type(explorer)()
    assert repr(explorer) == repr(other)
    assert explorer.summary in repr(explorer)
    assert explorer._model_id not in repr(explorer)


def test_a_viewer_without_a_kernel_reads_sentence_and_table(explorer):
    """On a page that runs nothing, the text must stand in for the picture."""
    shown = explorer._repr_mimebundle_()
    assert shown["application/vnd.jupyter.widget-view+json"]["model_id"] == explorer._model_id
    assert explorer._model_id not in shown["text/html"]
    assert shown["text/html"].count("<tr>") == len(explorer.table()) + 1
    reader = HTMLParser(convert_charrefs=True)
    texts: list[str] = []
    reader.handle_data = texts.append
    reader.feed(shown["text/html"])
    assert explorer.summary in texts


def test_a_closed_explorer_is_freed(explorer):
    """A notebook that runs a cell a hundred times must not keep a hundred explorers."""
    gc.collect()
    before = len(ipywidgets.widgets.widget._instances)
    made = type(explorer)()
    made.move(bonus=2)
    trace = weakref.ref(made)
    made.close()
    del made
    gc.collect()
    assert trace() is None
    assert len(ipywidgets.widgets.widget._instances) == before


def test_closing_twice_is_harmless(explorer):
    """Python closes a widget again when it frees it."""
    explorer.close()
    explorer.close()
    assert explorer.comm is None


def test_a_change_of_language_changes_every_label_at_the_next_redraw(explorer, monkeypatch):
    """Labels are looked up when they are shown, never stored, so that the language can be switched live."""
    set_language("en")
    monkeypatch.setattr(d20kit.language._catalogue, "gettext", lambda message: f"<{message}>")
    explorer.redraw()
    assert widget_of(explorer, "bonus").description == "<Attack bonus>"
    assert explorer._access.title == f"<{explorer.title}>"
    assert "&lt;" in explorer._repr_mimebundle_()["text/html"]
    assert re.search("&lt;(hit|healthy|dead|disabled)&gt;", explorer.formula_line.frames[-1])


def test_an_explorer_loads_no_heavy_library():
    """The first picture of a lesson waits for every import, and none of these libraries is needed for it."""
    code = (
        "import sys; from d20widgets import AttackExplorer, HitPointExplorer; AttackExplorer(); HitPointExplorer(); "
        "print([name for name in ('sympy', 'numpy', 'pandas', 'plotly') if name in sys.modules])"
    )
    paths = os.pathsep.join(path for path in sys.path if path)
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": paths},
    )
    assert done.stdout.strip() == "[]"


def test_a_rule_that_refuses_changes_nothing(monkeypatch):
    """A value may pass its own check and still be refused by a rule: the explorer must stay usable as it was."""
    explorer = AttackExplorer()
    before, summary = explorer.state, explorer.summary

    def refusing(values):
        raise ValueError("no such attack")

    with monkeypatch.context() as broken:
        broken.setattr(explorer, "numbers", refusing)
        with pytest.raises(ValueError, match="no such attack"):
            explorer.move(bonus=3)
    assert (explorer.state, explorer.summary) == (before, summary)
    explorer.move(bonus=3)
    assert explorer.values["bonus"] == 3
