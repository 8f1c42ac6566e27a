"""What every explorer does: values in and out, moves, refusals, text for those without a kernel.

Long because each thing that holds for every explorer is a test here, and the fixtures serve them all.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from typing import Any

import ipywidgets
import numpy
import plotly.graph_objects
import pytest

import d20kit
from d20kit import set_language
from d20widgets import AttackExplorer, DamageExplorer, DiceExplorer, HitPointExplorer
from d20widgets.controls import LONGEST, Whole
from d20widgets.explorer import Explorer
from tests.widgets.every import SEEDS, Rude, as_written, every_frame, other, run, sent, turn, widget_of


@pytest.fixture
def attack() -> Iterator[AttackExplorer]:
    """An explorer whose controls the tests know by name."""
    made = AttackExplorer()
    yield made
    made.close()


def test_every_position_of_the_main_slider_has_a_frame(explorer: Explorer) -> None:
    """The browser looks up by value minus lowest value: a frame too few would show a wrong neighbour."""
    slider = widget_of(explorer, explorer.main)
    for frames in every_frame(explorer):
        assert len(frames) == slider.max - slider.min + 1
    assert explorer.chart.first == explorer.formula_line.first == explorer.sentence_line.first == slider.min


def test_what_the_browser_looks_up_is_what_the_kernel_says(explorer: Explorer) -> None:
    """Kernel and page must never tell two stories about one position."""
    for position, sentence in enumerate(explorer.sentence_line.frames, start=explorer.sentence_line.first):
        explorer.move(**{explorer.main: position})
        assert explorer.summary == as_written(sentence)
        assert explorer.formula_line.frames[position - explorer.formula_line.first] == explorer.formula(
            explorer.numbers(explorer.values)
        )


def test_moving_the_main_slider_sends_no_table(explorer: Explorer, monkeypatch: pytest.MonkeyPatch) -> None:
    """The main slider is fast because nothing but its own value goes over the line."""
    monkeypatch.setattr(explorer, "redraw", lambda: pytest.fail("a table was computed"))
    slider = widget_of(explorer, explorer.main)
    slider.value = slider.max if slider.value == slider.min else slider.min
    assert explorer.values[explorer.main] == slider.value


def test_moving_another_control_computes_the_same_as_building_anew(explorer: Explorer) -> None:
    """A table that depended on how one came to it would be wrong one way or the other."""
    name, value = other(explorer)
    turn(explorer, name, value)
    fresh = type(explorer)(**explorer.values)
    assert explorer.values[name] == value
    assert every_frame(explorer) == every_frame(fresh)
    assert explorer.chart.figure == fresh.chart.figure
    fresh.close()


def test_the_kernel_follows_the_main_slider(explorer: Explorer) -> None:
    """After a learner has moved the slider, the cell below may print the explorer: it must say what is seen."""
    before = repr(explorer)
    slider = widget_of(explorer, explorer.main)
    slider.value = slider.max if slider.value == slider.min else slider.min
    assert repr(explorer) != before
    assert explorer.figure == plotly.graph_objects.Figure(explorer.chart.at(slider.value))


def test_number_boxes_start_and_end_with_their_sliders(explorer: Explorer) -> None:
    """The box is moved by its slider in the browser only, so the kernel must set both alike."""
    explorer.random(1)
    for field in explorer._fields.values():
        if isinstance(field.parts[0], ipywidgets.IntSlider):
            slider, box, *_rest = field.parts
            assert (slider.min, slider.value, slider.max) == (box.min, box.value, box.max)


def test_state_goes_out_and_in_through_json(explorer: Explorer) -> None:
    """A learner shares a state as text: what comes back must be the same explorer."""
    explorer.random(3)
    back = type(explorer).from_state(json.loads(json.dumps(explorer.state)))
    assert back.values == explorer.values
    assert repr(back) == repr(explorer)
    back.close()


def test_the_code_builds_the_same_explorer(explorer: Explorer) -> None:
    """Copied code that shows something else would be worse than none."""
    explorer.random(3)
    built = run(explorer.code)
    assert built.state == explorer.state
    built.close()


@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        (lambda state: "text", "state is 'text'"),
        (lambda state: {**state, "version": 99}, r"state\['version'\] is 99"),
        (lambda state: {**state, "version": 0}, r"state\['version'\] is 0"),
        (lambda state: {**state, "version": True}, r"state\['version'\] is True"),
        (lambda state: {**state, "version": 1.0}, r"state\['version'\] is 1.0"),
        (lambda state: {**state, "version": numpy.array([1, 2])}, r"state\['version'\] is array"),
        (lambda state: {**state, "explorer": "Other"}, r"state\['explorer'\] is 'Other'"),
        (lambda state: {**state, "explorer": numpy.array(["a", "b"])}, r"state\['explorer'\] is array"),
        (lambda state: {**state, "values": [1]}, r"state\['values'\] is"),
        (lambda state: {**state, "values": {**state["values"], "more": 1}}, r"state\['values'\] is"),
        (lambda state: {**state, "values": {}}, r"state\['values'\] is"),
        (lambda state: {**state, "extra": 1}, "state is"),
    ],
)
def test_a_broken_state_is_refused_in_a_sentence(
    untouched: Explorer, damage: Callable[..., Any], complaint: str
) -> None:
    """States come from other people's messages: each kind of damage needs its own clear answer."""
    with pytest.raises(ValueError, match=complaint):
        type(untouched).from_state(damage(untouched.state))


@pytest.mark.parametrize("bad", [7.5, "7", None, True, [7], numpy.array([1, 2]), float("nan"), 10**4000])
def test_no_slider_takes_what_is_not_a_whole_number_in_its_range(untouched: Explorer, bad: Any) -> None:
    """A value that slipped through would be shown by the browser as some other one."""
    with pytest.raises(ValueError, match=rf"{untouched.main} is .* whole number from"):
        untouched.move(**{untouched.main: bad})


def test_a_number_that_raises_is_refused_as_any_other(untouched: Explorer) -> None:
    """What raises while it is looked at must not end the learner's cell with an error of its own."""
    for control in untouched.controls:
        if isinstance(control, Whole):
            for attempt in (untouched.move, type(untouched)):
                with pytest.raises(ValueError, match=f"{control.name} is .*, but must be a whole number"):
                    attempt(**{control.name: Rude(3)})
            state = {**untouched.state, "values": {**untouched.state["values"], control.name: Rude(3)}}
            with pytest.raises(ValueError, match="but must be a whole number"):
                untouched.use(state)
    with pytest.raises(ValueError, match=r"seed is .*, but must be a whole number"):
        untouched.random(Rude(3))


def test_values_without_their_names_are_refused(untouched: Explorer) -> None:
    """AttackExplorer(3) says nothing about what the 3 is: the answer shows how to say it."""
    with pytest.raises(
        ValueError, match=rf"argument is 3, but must be given by name; write {type(untouched).__name__}\("
    ):
        type(untouched)(3)


def test_an_unknown_name_is_refused_with_the_nearest() -> None:
    """A typing slip in a keyword must not be swallowed."""
    with pytest.raises(ValueError, match="did you mean 'bonus'"):
        AttackExplorer(bonis=3)


@pytest.mark.parametrize("name", ["self", "cls", "unnamed", "values"])
def test_a_name_of_python_s_own_is_refused_as_any_unknown_one(untouched: Explorer, name: str) -> None:
    """A reader knows nothing of the arguments inside: each name that is no control's gets the same answer."""
    refused = f"argument is '{name}', but must be one of "
    with pytest.raises(ValueError, match=refused):
        type(untouched)(**{name: 1})
    with pytest.raises(ValueError, match=refused):
        untouched.move(**{name: 1})


@pytest.mark.parametrize("bad", ["HOUSE", 3, None, numpy.array(["COURSE", "SRD35"])])
def test_an_unknown_choice_is_refused_with_the_choices(attack: AttackExplorer, bad: Any) -> None:
    """Rules by a wrong name must not be taken for some other rules."""
    with pytest.raises(ValueError, match=r"rules is .*, but must be .*COURSE.*SRD35"):
        attack.move(rules=bad)


def test_a_refused_move_changes_nothing(attack: AttackExplorer) -> None:
    """Half a move would leave controls and picture saying different things."""
    before = attack.state, every_frame(attack)
    with pytest.raises(ValueError, match="bonus is 99"):
        attack.move(ac=12, bonus=99)
    assert (attack.state, every_frame(attack)) == before


def test_a_drop_down_that_nothing_is_chosen_in_shows_the_value_again(explorer: Explorer) -> None:
    """What is refused beside no box for words must not stay on the page as if it held."""
    downs = [one.name for one in explorer.controls if isinstance(widget_of(explorer, one.name), ipywidgets.Dropdown)]
    before = explorer.state
    for name in downs:
        shown = widget_of(explorer, name).value
        widget_of(explorer, name).value = None
        assert explorer.state == before
        assert widget_of(explorer, name).value == shown


@pytest.mark.parametrize("text", ["5309d12kh2", "2000d6kl1-1000d2kh1", "-(-(1500d3kh2))"])
@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (DiceExplorer, "dice"),
        (DiceExplorer, "against"),
        (DamageExplorer, "dice"),
        (DamageExplorer, "extra"),
        (AttackExplorer, "dice"),
        (HitPointExplorer, "damage"),
    ],
)
def test_dice_whose_chances_are_endless_numbers_are_refused(kind: type[Explorer], name: str, text: str) -> None:
    """A few totals may have chances of thousands of digits: drawn, they would keep the kernel busy for a minute.

    Hit points look rounds ahead, which makes them longer still: (100d31kh2)+-100d31kh2 took half a minute.
    """
    explorer = kind()
    before = explorer.state
    most, longest = (40, "40d6kh2") if kind is HitPointExplorer else (300, "300d7kh2")
    with pytest.raises(ValueError, match=f"^{name} is .*, but must be dice whose chances have at most {most} digits"):
        explorer.move(**{name: text})
    assert explorer.state == before
    explorer.move(**{name: longest})
    explorer.close()


def test_reset_goes_back_to_the_start(explorer: Explorer) -> None:
    """A learner who is lost needs one way back: to what the lesson's cell opened with, not to some other example."""
    start = repr(explorer)
    explorer.random(3)
    opened = type(explorer)(**explorer.values)
    assert repr(opened) == repr(explorer)
    opened.random(4)
    opened._reset.click()
    assert repr(opened) == repr(explorer)
    opened.close()
    explorer._reset.click()
    assert repr(explorer) == start
    for name, value in explorer.values.items():
        if isinstance(widget_of(explorer, name), ipywidgets.IntSlider):
            assert widget_of(explorer, name).value == value


def test_a_random_example_is_the_same_for_a_seed(explorer: Explorer) -> None:
    """An instructor says a seed and everybody sees the same; other seeds show something else."""
    shown = []
    for seed in SEEDS:
        explorer.random(seed)
        first = explorer.state
        explorer.random(seed)
        assert explorer.state == first
        shown.append(json.dumps(first))
    assert len(set(shown)) > len(SEEDS) // 2


@pytest.mark.parametrize("bad", [-1, 1.5, "7", None, True, 2**63])
def test_an_odd_seed_is_refused(attack: AttackExplorer, bad: Any) -> None:
    """A seed that cannot be written down again is no use to anybody."""
    with pytest.raises(ValueError, match="seed is"):
        attack.random(bad)


def test_an_example_that_a_rule_refuses_is_drawn_again(attack: AttackExplorer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Values that are each allowed may be refused together: the learner gets another example, not an error."""
    numbers, calls = attack.numbers, []

    def choosy(values: dict[str, Any]) -> Any:
        calls.append(values)
        if len(calls) == 1:
            raise ValueError("not together")
        return numbers(values)

    monkeypatch.setattr(attack, "numbers", choosy)
    attack.random(5)
    assert calls[0] != calls[1]


def test_work_in_hand_shows_and_ends(explorer: Explorer, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that takes long leaves the old picture standing: it must look like the old one meanwhile."""
    seen = []
    redraw = explorer.redraw

    def seeing() -> None:
        seen.append("d20-busy" in explorer._dom_classes)
        redraw()

    monkeypatch.setattr(explorer, "redraw", seeing)
    turn(explorer, *other(explorer))
    assert seen == [True]
    assert "d20-busy" not in explorer._dom_classes


def test_every_figure_is_valid_plotly(explorer: Explorer) -> None:
    """Figures are built as plain dicts for speed; graph_objects refuses an attribute that plotly.js would ignore."""
    slider = widget_of(explorer, explorer.main)
    for position in (slider.min, slider.value, slider.max):
        explorer.move(**{explorer.main: position})
        assert isinstance(explorer.figure, plotly.graph_objects.Figure)


def test_axes_have_fixed_ranges(explorer: Explorer) -> None:
    """Only the moving traces are redrawn, so an axis that adjusted itself would part from them."""
    layout = explorer.chart.figure["layout"]
    axes = [layout[key] for key in layout if re.match("[xy]axis", key)]
    assert len(axes) >= 2
    assert all(axis["range"] and not axis["automargin"] for axis in axes)
    assert layout["margin"]["autoexpand"] is False


@pytest.mark.parametrize("kind", [AttackExplorer, HitPointExplorer])
def test_each_kind_has_a_colour_and_a_pattern_of_its_own(kind: Any) -> None:
    """Printed in grey or seen without red and green, the kinds must still be told apart."""
    explorer = kind()
    legend = {trace["name"]: trace["marker"] for trace in explorer.chart.figure["data"] if trace["type"] == "bar"}
    painted = {name: marker for name, marker in legend.items() if "pattern" in marker}
    assert len(painted) >= 3
    assert len({marker["color"] for marker in painted.values()}) == len(painted)
    assert len({marker["pattern"]["shape"] for marker in painted.values()}) == len(painted)
    explorer.close()


def test_figure_and_frames_are_plain_data_and_small(explorer: Explorer) -> None:
    """A browser reads no infinity; and six explorers share a slow line, where none may weigh like the library."""
    assert len(sent(explorer)) < 150_000
    for seed in SEEDS:
        explorer.random(seed)
        assert len(sent(explorer)) < 300_000


def test_repr_has_the_numbers_and_no_identity(explorer: Explorer) -> None:
    """A stored notebook is compared text by text: an address or a model id in it would break that."""
    other = type(explorer)()
    assert repr(explorer) == repr(other)
    assert explorer.summary in repr(explorer)
    assert explorer._model_id not in repr(explorer)


def test_a_viewer_without_a_kernel_reads_sentence_and_table(explorer: Explorer) -> None:
    """On a page that runs nothing, the text must stand in for the picture."""
    shown = explorer._repr_mimebundle_()
    assert shown["application/vnd.jupyter.widget-view+json"]["model_id"] == explorer._model_id
    assert explorer._model_id not in shown["text/html"]
    assert shown["text/html"].count("<tr>") == len(explorer.table()) + 1
    reader = HTMLParser(convert_charrefs=True)
    texts: list[str] = []
    reader.handle_data = texts.append  # type: ignore[method-assign, assignment]
    reader.feed(shown["text/html"])
    assert explorer.summary in map(as_written, texts)


def test_a_refused_text_is_kept_short() -> None:
    """Somebody pastes a book into the dice box: it must not travel back to the page, nor stay in the kernel."""
    explorer = HitPointExplorer()
    box = widget_of(explorer, "damage")
    messages = []
    box._send = lambda message, buffers=None: messages.append(message)
    box.set_state({"value": "9" * 1_000_000})
    assert len(json.dumps(messages)) < 5 * LONGEST
    assert len(box.value) == LONGEST + 1
    assert f"at most {LONGEST} characters" in explorer._fields["damage"].parts[1].value
    box.set_state({"value": "2d6"})
    assert explorer.values["damage"] == "2d6"
    assert explorer._fields["damage"].parts[1].value == ""
    del box._send
    explorer.close()


def test_a_change_of_language_changes_every_label_at_the_next_redraw(
    explorer: Explorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Labels are looked up when they are shown, never stored, so that the language can be switched live."""
    set_language("en")
    monkeypatch.setattr(d20kit.language._catalogue, "gettext", lambda message: f"<{message}>")
    explorer.redraw()
    for control in explorer.controls:
        assert widget_of(explorer, control.name).description == f"<{control.label}>"
    assert explorer._access.title == explorer.tools.title == f"<{explorer.title}>"
    assert all(word.startswith("<") for word in explorer.tools.words.values())
    assert "&lt;" in explorer._repr_mimebundle_()["text/html"]


def test_an_explorer_loads_no_heavy_library() -> None:
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


@pytest.mark.parametrize("failure", [ValueError("no such attack"), KeyboardInterrupt("enough")])
def test_a_redraw_that_fails_changes_nothing(monkeypatch: pytest.MonkeyPatch, failure: BaseException) -> None:
    """Whether a rule refuses or a learner interrupts: numbers that are not drawn would contradict the picture."""
    explorer = AttackExplorer()
    before, summary = explorer.state, explorer.summary

    def failing(values: dict[str, Any]) -> None:
        raise failure

    with monkeypatch.context() as broken:
        broken.setattr(explorer, "numbers", failing)
        with pytest.raises(type(failure), match=str(failure)):
            explorer.move(bonus=3)
    assert (explorer.state, explorer.summary) == (before, summary)
    explorer.move(bonus=3)
    assert explorer.values["bonus"] == 3
