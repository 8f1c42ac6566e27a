"""What the battle player's scripts do on a page: stepping without a kernel, typing, and names that stay characters."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from d20kit.battle import Attack, Combatant, Encounter
from d20widgets import BattlePlayer
from d20widgets.battle_roster import Roster
from d20widgets.battle_stage import Stage, Transport
from tests.widgets.every import stage_of

EVIL = ["<script>globalThis.hacked = 1</script>", '<img src=x onerror="globalThis.hacked = 1">', "\u05d0\u05d1\u05d2"]
ROSTER = ("rows", "columns", "errors", "choices", "words", "said", "description")
STAGE = ("frames", "first", "log", "cast", "orders", "paints", "words", "changes", "refused")
TRANSPORT = ("frames", "first", "jumps", "words")


@pytest.fixture
def player() -> Any:
    """A battle of combatants whose names are attacks on the page."""
    fighters = [Combatant(name, EVIL[k % 2], 9, 12, Attack(EVIL[0], 3, "1d6")) for k, name in enumerate(EVIL)]
    made = BattlePlayer(Encounter(fighters), seed=3)
    yield made
    made.close()


def state(widget: Any, names: tuple[str, ...]) -> dict[str, Any]:
    """What the page has of a widget."""
    return {name: getattr(widget, name) for name in names}


def slider(player: BattlePlayer, value: int) -> dict[str, Any]:
    """The slider's model."""
    return {"slider": {"value": value, "min": 0, "max": player._fields["position"].parts[0].max}}


def test_the_buttons_move_the_slider_without_the_kernel(show: Callable[..., Page], player: BattlePlayer) -> None:
    """A slow or a lost kernel must not keep anybody from stepping through a battle."""
    last = player._fields["position"].parts[0].max
    page = show(
        Transport._esm.default_value, state(player._transport, TRANSPORT), answers=None, models=slider(player, 5)
    )
    at = "models.slider.get('value')"
    for name, position in (("Step forward", 6), ("Step back", 5), ("To the end", last), ("To the beginning", 0)):
        page.get_by_role("button", name=name).press("Enter")
        assert page.evaluate(at) == position
    page.get_by_label("Jump to").select_option(label="Round 2")
    assert page.evaluate(at) == dict(map(reversed, player._transport.jumps))["Round 2"]
    page.get_by_label("Seconds a step").select_option("0.3")
    page.get_by_role("button", name="To the beginning").click()
    page.get_by_role("button", name="Play").click()
    page.wait_for_function(f"{at} >= 2")
    page.get_by_role("button", name="Pause").click()
    stopped = page.evaluate(at)
    page.wait_for_timeout(700)
    assert page.evaluate(at) == stopped


def test_stage_and_log_are_looked_up(show: Callable[..., Page], player: BattlePlayer) -> None:
    """The log grows and shrinks with the slider, and the page never shows what has not happened."""
    page = show(Stage._esm.default_value, state(stage_of(player), STAGE), answers=None, models=slider(player, 0))
    for position in (12, 30, 7):
        page.evaluate(f"models.slider.set('value', {position})")
        told = [text for step in stage_of(player).log[: position + 1] for _level, text in step]
        page.wait_for_function(f"document.querySelectorAll('.d20-log li').length === {len(told)}")
        assert page.locator(".d20-log li").all_text_contents() == told
        current = page.locator(".d20-log [aria-current]").all_text_contents()
        assert current == [text for _level, text in stage_of(player).log[position]]


@pytest.mark.parametrize(
    ("kind", "names", "shown"),
    [
        (Stage, STAGE, {"track", "log", "flat", "tell", "anew"}),
        (Transport, TRANSPORT, {"play", "jump", "speed", "first", "last"}),
    ],
)
def test_words_change_while_they_are_shown(
    show: Callable[..., Page], player: BattlePlayer, kind: Any, names: tuple[str, ...], shown: set[str]
) -> None:
    """The language is switched in the middle of a battle, and nothing but the words may tell the page of it."""
    widget = stage_of(player) if kind is Stage else player._transport
    assert widget
    page = show(kind._esm.default_value, state(widget, names), models=slider(player, 12))
    page.wait_for_selector(".d20-stage button")
    page.evaluate("(words) => model.set('words', words)", {name: f"<{name}>" for name in widget.words})
    page.wait_for_function("document.querySelector('.d20-stage').innerText.includes('<')")
    seen = page.locator(".d20-stage").inner_text()
    assert {name for name in shown if f"<{name}>" not in seen} == set()


def test_names_on_stage_are_characters(show: Callable[..., Page], player: BattlePlayer) -> None:
    """Whoever named a goblin must not be able to run a script in a classmate's page."""
    page = show(Stage._esm.default_value, state(stage_of(player), STAGE), models=slider(player, 12))
    page.wait_for_selector(".d20-chip")
    assert sorted(page.locator(".d20-chip-name").all_text_contents()) == sorted(EVIL)
    assert page.locator("img").count() == 0
    assert page.evaluate("globalThis.hacked") is None
    assert page.locator("[aria-live], [role=status], [role=log]").count() == 0


def test_what_if_is_asked_by_keyboard(show: Callable[..., Page], player: BattlePlayer) -> None:
    """Type a face, press Enter: the kernel hears which position and which faces; a refusal stands at the field."""
    position = next(k for k, frame in enumerate(stage_of(player).frames) if frame["dice"])
    page = show(Stage._esm.default_value, state(stage_of(player), STAGE), models=slider(player, position))
    field = page.get_by_label(f"Rolled: {stage_of(player).frames[position]['dice']}. What if it had been")
    field.fill("20")
    field.press("Enter")
    assert page.evaluate("asked") == [{"kind": "what if", "text": "20", "at": position}]
    page.evaluate("model.set('refused', 'face is 99')")
    assert field.get_attribute("aria-invalid") == "true"
    assert page.locator(f"#{field.get_attribute('aria-describedby')}").text_content() == "face is 99"
    page.wait_for_selector(".d20-told.d20-unseen:text-is('face is 99')", state="attached")


def test_a_cell_is_sent_when_typing_rests_and_keeps_its_text(show: Callable[..., Page], player: BattlePlayer) -> None:
    """Checked as it is typed, and what is being typed is never overwritten."""
    roster = player._fields["encounter"].parts[0]
    page = show(Roster._esm.default_value, state(roster, ROSTER))
    cell = page.get_by_label(f"hit points of {EVIL[0]}", exact=True)
    cell.fill("7x")
    page.wait_for_function("asked.length === 1")
    assert page.evaluate("asked[0]") == {"kind": "edit", "row": 0, "attack": None, "key": "hp", "text": "7x"}
    page.evaluate("model.set('errors', { '0..hp': ['7x', 'hp is 7x'] })")
    page.wait_for_function("document.querySelector('.d20-cell-hp input').getAttribute('aria-invalid') === 'true'")
    page.wait_for_selector(".d20-told.d20-unseen:text-is('hp is 7x')", state="attached")
    assert cell.input_value() == "7x"
    assert page.locator(f"[id='{cell.get_attribute('aria-describedby')}']").text_content() == "hp is 7x"
    assert cell.get_attribute("data-lm-suppress-shortcuts") == "true"


def test_names_in_the_table_are_characters(show: Callable[..., Page], player: BattlePlayer) -> None:
    """The table is where names come in."""
    page = show(Roster._esm.default_value, state(player._fields["encounter"].parts[0], ROSTER))
    names = page.locator(".d20-cell-name input").evaluate_all("(nodes) => nodes.map((node) => node.value)")
    assert names == EVIL
    assert page.locator("img").count() == 0
    assert page.evaluate("globalThis.hacked") is None


def test_the_table_is_handed_over_as_a_file(show: Callable[..., Page], player: BattlePlayer, tmp_path: Path) -> None:
    """What a learner keeps is the kernel's text, byte for byte."""
    page = show(Roster._esm.default_value, state(player._fields["encounter"].parts[0], ROSTER))
    page.get_by_role("button", name="Download").click()
    assert page.evaluate("asked") == [{"kind": "download"}]
    with page.expect_download() as download:
        page.evaluate("model.fire('msg:custom', { kind: 'file', text: 'a = \u2212 1\\n', name: 'encounter.toml' })")
    assert download.value.suggested_filename == "encounter.toml"
    download.value.save_as(tmp_path / "encounter.toml")
    assert (tmp_path / "encounter.toml").read_text(encoding="utf-8") == "a = \u2212 1\n"


def test_a_lost_kernel_is_said(show: Callable[..., Page], player: BattlePlayer) -> None:
    """A button that does nothing and says nothing makes people click on."""
    roster = player._fields["encounter"].parts[0]
    page = show(Roster._esm.default_value, state(roster, ROSTER), answers=None)
    page.get_by_role("button", name="Take it").click()
    page.wait_for_function("document.querySelector('.d20-told').textContent.startsWith('No answer')")
