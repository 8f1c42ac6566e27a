"""The battle player: every position as the battle has it, what if, long battles, and names that others wrote.

Long because every part of the player is asked of the same few battles.
"""

from __future__ import annotations

import asyncio
import gc
import json
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy
import pytest

from d20kit import SRD35, language, set_language
from d20kit.amounts import short_percent_text
from d20kit.battle import Attack, Combatant, Encounter
from d20kit.battle.encounter_write import toml_text
from d20kit.battle.events import RoundBegins
from d20kit.hit_points import State
from d20widgets import BattlePlayer, battle_story
from d20widgets.battle_names import drawn, inert, isolated, shortened, told
from d20widgets.battle_odds import FEWEST_SIMULATED, SIMULATED, Chances, Known
from d20widgets.battle_picture import MOST_BARS, bars, side_lines
from d20widgets.battle_stage import Stage
from d20widgets.battle_story import MOST_LINES, story
from d20widgets.chart import MOST_FRAMES
from d20widgets.unbroken import NO_BREAK
from tests.widgets.every import stage_of

EVIL = [
    "<script>globalThis.hacked = 1</script>",
    '<b onclick="x">Orc</b>',
    "\u05d0\u05d1\u05d2",
    "\U0001f409 $x$",
    "W" * 60,
]


@pytest.fixture
def player() -> Iterator[BattlePlayer]:
    """A duel whose ninth event is an attack roll."""
    made = BattlePlayer("duel", seed=1)
    yield made
    made.close()


def duellist(name: str, side: str, hp: int = 10, **settings: Any) -> Combatant:
    """Somebody with one plain attack."""
    return Combatant(name, side, hp, 14, Attack("club", 3, "1d6"), **settings)


def crowd() -> Encounter:
    """Combatants whose names and sides are attacks on a page."""
    return Encounter([duellist(name, EVIL[k % 2]) for k, name in enumerate(EVIL)])


def endless(fighters: int) -> Encounter:
    """A battle of a thousand rounds: nobody ever does anything."""
    return Encounter([duellist(f"N{k}", "ab"[k % 2], policy="inaction") for k in range(fighters)])


def bar_frames(player: BattlePlayer, position: int) -> dict[int, tuple[str, float, str]]:
    """Hit points by row, as the picture has them at a position."""
    figure = player.chart.at(position)
    found = {}
    for trace in figure["data"]:
        if trace["type"] == "bar":
            for length, row, words in zip(trace["x"], trace["y"], trace["text"], strict=True):
                if length is not None:
                    found[row] = trace["name"], length, words
    return found


def test_every_position_stands_as_the_battle_has_it(player: BattlePlayer) -> None:
    """Table, bars and stage are three readings of one battle; its replay is the authority."""
    moments = list(player.battle.replay())
    assert player._fields["position"].parts[0].max == len(moments)
    for moment in moments:
        position = moment.place + 1
        player.move(position=position)
        rows = player.table()
        assert [(row["combatant"], row["hit points"], row["state"]) for row in rows] == [
            (one.name, one.hp, one.state) for one in moment.standings
        ]
        drawn_bars = bar_frames(player, position)
        for row, one in enumerate(moment.standings):
            name, length, _words = drawn_bars[row]
            assert name == one.state.value
            assert length == max(one.hp + 10, length if one.hp <= -10 else 0)
        assert stage_of(player).frames[position]["hp"] == [one.hp for one in moment.standings]


def test_chances_are_those_of_the_solver_given_what_was_told(player: BattlePlayer) -> None:
    """The curve is only worth watching if each of its points is the exact chance at that moment."""
    events = player.battle.events
    for position in range(len(events) + 1):
        player.move(position=position)
        exact = player.battle.encounter.win_chance("red", given=events[:position])
        assert player.table()[0]["chance of the side"] == exact
        assert player.question(player.numbers(player.values)) == ("What is the chance that red win from here?", exact)


def test_the_number_of_the_position_stands_above_every_curve(player: BattlePlayer) -> None:
    """On a curve, and between two that cross, no number could be read."""
    player.compute()
    top = player.chart.figure["layout"]["yaxis"]["range"][1]
    for position, known in enumerate(story(player.values["encounter"], 1, ()).chances.found):
        line, marks = player.chart.at(position)["data"][-2:]
        assert isinstance(known, Known)
        assert line["text"][1].strip() == short_percent_text(known.chances[0])
        assert 100 < line["y"][1] < top
        assert set(marks["x"]) == {position} == set(line["x"])
        assert "text" not in marks


def test_the_log_tells_every_event_and_every_die(player: BattlePlayer) -> None:
    """A learner checks the battle by the log: nothing may be left out."""
    lines = [text.replace(NO_BREAK, " ") for step in stage_of(player).log for _level, text in step]
    for event in player.battle.events:
        if not isinstance(event, RoundBegins):
            assert event.sentence() in lines
    assert [text for text in lines if text.startswith("Round ")] == [
        f"Round {n + 1}" for n in range(player.battle.rounds)
    ]
    rolled = [face for frame in stage_of(player).frames for face in frame["dice"].split(", ") if face]
    assert list(map(int, rolled)) == list(player.battle.faces)


def test_the_order_of_turns_is_known_once_it_is_told(player: BattlePlayer) -> None:
    """Before initiative nobody has a place; afterwards the track shows the order the battle has."""
    orders, frames = stage_of(player).orders, stage_of(player).frames
    names = [one.name for one in player.battle.encounter.combatants]
    assert orders[frames[0]["order"]] == []
    assert tuple(names[who] for who in orders[frames[-1]["order"]]) == player.battle.orders["regular"]


def test_a_side_called_red_is_drawn_in_red(player: BattlePlayer) -> None:
    """A blue line called red is read wrongly by everybody in the room."""
    colours = {trace.get("name"): trace["line"]["color"] for trace in player.chart.figure["data"] if "line" in trace}
    assert (colours["red"], colours["blue"]) == ("#d55e00", "#0072b2")
    marks = [trace["marker"]["color"] for trace in player.chart.figure["data"] if trace.get("mode") == "markers"]
    assert marks == [["#d55e00", "#0072b2"]]
    assert len(set(side_lines(("a", "red", "b", "hijau", "c")))) == 5
    assert len(set(side_lines(("red", "Red", "merah", "a", "b")))) == 5
    assert side_lines(("red", "RED"))[0] == side_lines(("red",))[0]


def test_what_if_tells_the_branch_and_takes_it_back(player: BattlePlayer) -> None:
    """The die of the position is changed, everything before it stays, and one click undoes it."""
    before = player.battle
    player.move(position=9)
    stage_of(player).hear({"kind": "what if", "at": 9, "text": "20"})
    assert player.battle == before.branch(8, 20)
    assert player.battle.events[:8] == before.events[:8]
    assert player.values["position"] == 9
    assert player.summary.endswith("This is a what-if: some dice were changed.")
    assert "red, as rolled" in [trace.get("name") for trace in player.chart.figure["data"]]
    stage_of(player).hear({"kind": "undo"})
    assert player.battle == before
    assert player.values["what_if"] == ()


def test_the_rest_can_be_rolled_anew(player: BattlePlayer) -> None:
    """The same moment with other dice shows what luck is; every new roll is another one, and what was told stays."""
    before = player.battle
    for _again in range(2):
        stage_of(player).hear({"kind": "anew", "at": 12})
    assert player.battle.events[:12] == before.events[:12]
    seeds = [seed for _event, _faces, seed in player.values["what_if"]]
    assert len({*seeds, 1}) == 3


@pytest.mark.parametrize(
    ("message", "complaint"),
    [
        ({"kind": "what if", "at": 9, "text": "99"}, "face is 99"),
        ({"kind": "what if", "at": 9, "text": "3, 5"}, "face is (3, 5)"),
        ({"kind": "what if", "at": 9, "text": "<b>"}, "'<b>' is no face"),
        ({"kind": "what if", "at": 1, "text": "5"}, "no die falls in this step"),
        ({"kind": "what if", "at": -7, "text": "5"}, "no die falls in this step"),
    ],
)
def test_a_face_that_cannot_be_is_refused_beside_the_field(
    player: BattlePlayer, message: dict[str, Any], complaint: str
) -> None:
    """A slip must cost nothing: the battle stays, and the sentence says what is allowed."""
    before = player.state
    stage_of(player).hear(message)
    assert complaint in stage_of(player).refused
    assert player.state == before
    stage_of(player).hear({"kind": "what if", "at": 9, "text": "20"})
    assert stage_of(player).refused == ""


@pytest.mark.parametrize("message", [None, 3, {}, {"kind": "what if"}, {"kind": "what if", "at": "9", "text": 3}])
def test_what_is_no_request_changes_nothing(player: BattlePlayer, message: Any) -> None:
    """Anything may come over the line."""
    before = player.state
    stage_of(player)._handle_custom_msg(message, [])
    assert player.state == before


def test_another_seed_forgets_the_changed_dice(player: BattlePlayer) -> None:
    """Event eight of another battle is another event: a change must not be carried over silently."""
    player.move(what_if=[(8, [20], None)], position=20)
    player.move(seed=2)
    assert player.values["what_if"] == ()
    assert player.battle == Encounter.ready("duel").fight(2)


def test_a_state_brings_its_own_changed_dice(player: BattlePlayer) -> None:
    """Two states with the same change of dice, shown one after the other, must each be shown as they were saved."""
    states = []
    for seed in (1, 2):
        other = BattlePlayer("duel", seed=seed, what_if=[(3, None, 9)], position=5)
        states.append(other.state)
        other.close()
    for state in states:
        player.use(state)
        assert player.state == state
    player.move(seed=2.0, position=4)
    assert player.state["values"]["what_if"] == [[3, None, 9]], "the same battle by another number"
    player.move(encounter="duel", seed=3)
    assert player.state["values"]["what_if"] == []
    with pytest.raises(ValueError, match="seed is 'x'"):
        player.move(seed="x")


def test_state_holds_everything_and_comes_back(player: BattlePlayer) -> None:
    """Who fights, the dice, the changes and the position: shared as text, another reader sees the same."""
    house = Encounter([duellist("Ann", "red"), duellist("Bob", "blue", 12)], SRD35.replace(massive_damage=False))
    player.move(encounter=house, seed=2**60, what_if=[(5, None, 3)], position=7)
    back = BattlePlayer.from_state(json.loads(json.dumps(player.state)))
    assert back.battle == player.battle
    assert back.values == player.values
    assert eval(player.code.splitlines()[-1], {"BattlePlayer": BattlePlayer}).state == player.state
    back.close()


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        ({"encounter": "dual"}, "encounter: "),
        ({"encounter": "combatants = 3"}, "encounter: combatants is 3"),
        ({"seed": -1}, "seed is -1"),
        ({"what_if": "8"}, "what_if is '8'"),
        ({"what_if": [(8, [21], None)]}, "face is 21"),
        ({"what_if": [(8,)]}, r"what_if is \(8,\)"),
        ({"what_if": [(8, [True], None)]}, "face is True"),
        ({"what_if": [(8, True, None)]}, "face is True"),
        ({"what_if": [[8, [[20]], None]]}, r"face is \[20\], but must be a whole number"),
        ({"what_if": [[8, [{}], None]]}, r"face is \{\}, but must be a whole number"),
        ({"what_if": [(8, None, True)]}, "seed is True"),
        ({"what_if": [(8, None, -1)]}, "seed is -1"),
        ({"what_if": [(10**9, [3], None)]}, "index is 1000000000"),
        ({"position": 99}, "position is 99"),
    ],
)
def test_what_has_no_meaning_is_refused_in_a_sentence(values: dict[str, Any], complaint: str) -> None:
    """States come from other people: each kind of nonsense needs its own answer."""
    with pytest.raises(ValueError, match=complaint):
        BattlePlayer(**{"seed": 1, **values})


@pytest.mark.parametrize("sound", [(8, (1,), None), (8, None, 1)])
def test_a_truth_is_no_face_and_no_seed_even_where_its_number_is_known(sound: tuple[Any, ...]) -> None:
    """True equals 1, so a battle that is kept for 1 must not be given out for True."""
    BattlePlayer("duel", seed=1, what_if=[sound]).close()
    with pytest.raises(ValueError, match="is True, but must be a whole number"):
        BattlePlayer("duel", seed=1, what_if=[(8, [True], None) if sound[1] else (8, None, True)])


def test_faces_of_any_whole_type_are_kept_as_plain_numbers() -> None:
    """A face that was counted with NumPy must survive JSON as any other."""
    player = BattlePlayer("duel", seed=1, what_if=[(8, [20.0], None), (8, [numpy.int64(3)], None)])
    assert player.values["what_if"] == ((8, (20,), None), (8, (3,), None))
    assert json.loads(json.dumps(player.state)) == player.state
    player.close()


@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize(
    ("unnamed", "values", "complaint"),
    [
        (("duel", 1, 2), {}, r"argument is 2, but must be given by name; write BattlePlayer\(what_if="),
        (
            ("duel",),
            {"encounter": "duel"},
            r"argument is 'duel', but must be given by name; write BattlePlayer\(encounter=",
        ),
        (("duel", 1), {"seed": 2}, r"argument is 1, but must be given by name; write BattlePlayer\(seed="),
        ((3,), {}, r"argument is 3, but must be given by name; write BattlePlayer\(encounter="),
    ],
)
def test_what_is_given_twice_or_without_its_name_is_refused(
    unnamed: Any, values: dict[str, Any], complaint: str
) -> None:
    """Only who fights and the seed stand without a name, once; a refused player leaves no broken rest behind."""
    with pytest.raises(ValueError, match=complaint):
        BattlePlayer(*unnamed, **values)
    gc.collect()


def test_who_fights_and_the_seed_stand_without_their_names() -> None:
    """The short way of writing is that of the lessons, and means the same as the long one."""
    short, long = BattlePlayer("boss", 3), BattlePlayer(encounter="boss", seed=3)
    assert short.state == long.state
    assert BattlePlayer(None).values["encounter"] == BattlePlayer().values["encounter"] == Encounter.ready("duel")
    short.close()
    long.close()


def test_a_policy_of_ones_own_is_played_but_not_saved() -> None:
    """It can be fought and simulated; a file cannot hold it, and the refusal says so."""
    player = BattlePlayer(
        Encounter([duellist("Ann", "a", policy=lambda me, enemies: enemies[0]), duellist("Bob", "b")])
    )
    assert "simulated battles" in player.summary
    player.move(position=player._fields["position"].parts[0].max)
    assert "100 %" in player.summary
    with pytest.raises(ValueError, match="ready policies"):
        player.state  # noqa: B018
    player.close()


def test_a_long_battle_takes_coarser_steps() -> None:
    """A browser gets at most so many frames; the sentence says what one step is, and the end is reached."""
    encounter = endless(4)
    shown = story(encounter, 0, ())
    assert shown.battle.rounds == 1000
    assert shown.grain == "stretch"
    assert len(shown.scenes) <= MOST_FRAMES
    assert shown.scenes[-1].told == len(shown.battle.events)
    assert all(len(lines) <= MOST_LINES for lines in shown.log())
    player = BattlePlayer(encounter)
    assert "each step is several rounds" in player.sentence_line.frames[0]
    assert len(json.dumps([player.chart.frames, stage_of(player).frames, stage_of(player).log])) < 300_000
    player.close()


def test_the_finest_grain_that_fits_is_taken() -> None:
    """Kobolds: an event a step; the same with many more of them: a roll or a turn a step."""
    few = story(Encounter.ready("kobolds"), 1, ())
    assert few.grain == "event"
    many = story(Encounter([duellist(f"K{k}", "ab"[k % 2], 30) for k in range(16)]), 1, ())
    assert many.grain in ("roll", "turn")
    assert len(many.scenes) <= MOST_FRAMES < len(many.battle.events)


def test_a_crowd_is_drawn_in_part_and_says_so() -> None:
    """Two hundred bars are no picture; the table still has everybody."""
    player = BattlePlayer(Encounter([duellist(f"N{k}", "ab"[k % 2], 1) for k in range(2 * MOST_BARS)]))
    headings = [one["text"] for one in player.chart.figure["layout"]["annotations"]]
    assert f"Hit points (the first {MOST_BARS} of {2 * MOST_BARS})" in headings
    assert len(bars(story(player.values["encounter"], 0, ()))) == MOST_BARS
    assert len(player.table()) == 2 * MOST_BARS
    player.close()


def test_chances_are_found_little_by_little_and_can_be_stopped() -> None:
    """A large battle must show at once; a learner who waits sees the curve grow, and may stop it."""

    async def watched() -> None:
        player = BattlePlayer("boss", seed=1)
        assert player._working is not None
        await asyncio.sleep(0)
        player.stop()
        stopped = player._wanted()[0].done
        assert player._halt.description == "Go on computing"
        assert player._progress.value == f"Chances: {stopped} of 53 steps"
        player._halt.click()
        await player._working
        assert player._wanted()[0].complete
        assert player._progress.value == ""
        curve = next(trace for trace in player.chart.figure["data"] if trace.get("name") == "heroes")
        assert None not in curve["y"]
        player.close()

    set_language("en")
    asyncio.run(watched())


def test_closing_ends_the_work() -> None:
    """A task that went on would keep the player alive and the kernel busy."""

    async def closed() -> None:
        player = BattlePlayer("boss", seed=2)
        task = player._working
        assert task is not None
        player.close()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(closed())


def test_chances_added_meanwhile_leave_typing_alone(player: BattlePlayer) -> None:
    """Whoever types while the curve grows must not lose the text or the slider's place."""
    player._fields["encounter"].parts[0].edit(0, None, "hp", "many")
    player._refresh()
    assert "0..hp" in player._fields["encounter"].parts[0].errors


def test_names_reach_plotly_as_entities_and_nothing_else() -> None:
    """Plotly reads tags, links and formulas in any text; in a name they are characters."""
    player = BattlePlayer(crowd(), seed=3)
    figure = player.chart.at(9)
    texts = json.dumps(
        [[trace.get("name"), trace.get("hovertemplate", "").replace("<extra></extra>", "")] for trace in figure["data"]]
    )
    layout = json.dumps(figure["layout"])
    for text in (texts, layout):
        assert "<" not in text
        assert "$" not in text
    assert "<script" not in player._repr_mimebundle_()["text/html"]
    assert stage_of(player).cast[0][0] == EVIL[0]
    assert "&lt;" in player.formula_line.frames[0]
    player.close()


def test_a_name_that_runs_backwards_is_closed_off() -> None:
    """Without isolation the numbers after a Hebrew name would read in the wrong order."""
    player = BattlePlayer(crowd(), seed=3)
    said = [sentence for sentence in player.sentence_line.frames if EVIL[2] in sentence]
    assert said
    assert all(f"\u2068{EVIL[2]}\u2069" in sentence for sentence in said)
    assert isolated("Orc") == "Orc"
    player.close()


def test_names_are_never_changed_at_the_beginning_of_a_sentence() -> None:
    """The goblin "grik" is not "Grik"."""
    player = BattlePlayer(Encounter([duellist("grik", "red"), duellist("Bob", "blue")]), seed=1)
    assert any(sentence.startswith("grik ") for sentence in player.sentence_line.frames)
    assert not any("Grik" in sentence for sentence in player.sentence_line.frames)
    player.close()


@pytest.mark.parametrize("name", EVIL)
def test_a_drawn_name_fits_and_is_inert(name: str) -> None:
    """The margin has room for so many letters."""
    assert len(shortened(name, 10)) <= 10
    assert not set("<>$") & set(drawn(name, 10))
    assert inert("a&b") == "a&#38;b"


def test_sentences_keep_what_is_no_name() -> None:
    """Isolating touches names alone."""
    for event in Encounter.ready("both-split").fight(1).events:
        assert told(event) == event.sentence()


def test_unknown_chances_say_why() -> None:
    """Among many the order of turns has too many ways to fall: until it is known the picture must say so."""
    player = BattlePlayer("kobolds", seed=1)
    assert "simulated battles" in player.summary
    first_roll = next(k for k, event in enumerate(player.battle.events) if event.dice())
    player.move(position=first_roll + 2)
    assert "not known until everybody has rolled initiative" in player.summary
    text, answer = player.question(player.numbers(player.values))
    assert (text, answer) == ("How many combatants can still act?", 15)
    player.close()


def test_a_crowd_is_simulated_less_often() -> None:
    """Twenty thousand battles of two hundred would keep the page waiting for a minute; fewer say less, and say so."""
    crowds = [Encounter([duellist(f"N{k}", "ab"[k % 2]) for k in range(size)]) for size in (8, 16, 60)]
    found: list[Any] = [Chances(one.fight(seed=1), [0], 1).settle(0) for one in crowds]
    assert [one.battles for one in found] == [SIMULATED, SIMULATED // 4, FEWEST_SIMULATED]
    widths = [high - low for one in found for low, high in one.intervals[:1]]
    assert widths == sorted(widths)


def test_a_simulated_chance_comes_with_its_interval() -> None:
    """A number from a simulation without its uncertainty would pass for exact."""
    player = BattlePlayer("kobolds", seed=1)
    known = story(player.values["encounter"], 1, ()).chances[0]
    assert isinstance(known, Known)
    for chance, (low, high) in zip(known.chances, known.intervals, strict=True):
        assert low < chance < high
    assert player.table()[0]["chance of the side"].startswith("≈")
    player.close()


def test_the_stage_names_every_state_in_its_colour_and_pattern(player: BattlePlayer) -> None:
    """Track and bars use the same paints, so that one legend explains both."""
    traces = {trace["name"]: trace["marker"] for trace in player.chart.figure["data"] if trace["type"] == "bar"}
    assert len(stage_of(player).paints) == len(State)
    for fill, pattern, word in stage_of(player).paints.values():
        assert traces[word]["color"] == fill
        assert traces[word]["pattern"]["shape"] == pattern


def test_a_stage_is_freed_with_its_player(player: BattlePlayer) -> None:
    """The stage and its buttons are the player's own."""
    stage = stage_of(player)
    assert isinstance(stage, Stage)
    player.close()
    assert stage.comm is None
    assert player._transport.comm is None


def test_floats_are_told_from_fractions() -> None:
    """Where floats were quicker the table must not claim exactness."""
    shown = story(Encounter.ready("boss"), 1, ())
    known = shown.chances.settle(0)
    assert isinstance(known, Known)
    assert 0 < known.error < 1e-9
    exact = Encounter.ready("boss").win_chance("heroes")
    assert abs(known.chances[0] - Fraction(exact)) <= Fraction(known.error)


def test_every_word_on_the_page_follows_the_language(player: BattlePlayer, monkeypatch: pytest.MonkeyPatch) -> None:
    """A class may change the language in the middle of a battle: buttons, stage, log and table have to follow."""
    set_language("en")
    player.move(position=9)
    before = player._transport.frames, stage_of(player).frames
    for name in ("gettext", "ngettext"):
        monkeypatch.setattr(language._catalogue, name, lambda *message: f"<{message[0]}>")
    player.redraw()
    transport, stage, roster = player._transport, stage_of(player), player._fields["encounter"].parts[0]
    columns = [column for kind in roster.columns.values() for column in kind]
    said = [
        *(text for part in (transport, stage, roster) for text in part.words.values()),
        *(text for _position, text in transport.jumps),
        *(text for _fill, _pattern, text in stage.paints.values()),
        *(text for step in stage.log for _level, text in step),
        *(column["heading"] for column in columns),
        *(text for column in columns for _key, text in column["options"]),
        *(about for _name, about in roster.choices["ready"]),
        *(player._halt.description, roster.description),
    ]
    assert [text for text in said if not text.lstrip().startswith("<")] == []
    assert (transport.frames, stage.frames) == before


def stalemate(*attacks: Attack, hp: int = 5) -> Encounter:
    """Two who never hurt each other enough, for as many rounds as there are."""
    return Encounter([Combatant(name, name, hp, 5, attacks) for name in ("Ann", "Bob")])


@pytest.mark.parametrize(
    "endless",
    [stalemate(*[Attack("club", -5, None)] * 20), stalemate(Attack("rain", 20, "1000d1-999"), hp=10_000)],
    ids=["many attacks", "many dice"],
)
def test_a_battle_that_never_ends_is_refused(player: BattlePlayer, endless: Encounter) -> None:
    """A thousand rounds of many rolls would take the page, or the kernel, for minutes; the fight before stays."""
    before = player.state
    with pytest.raises(ValueError, match="goes on for more than 10000 events and dice, too many to be shown"):
        player.move(encounter=endless)
    assert player.state == before
    with pytest.raises(ValueError, match="goes on for more than"):
        BattlePlayer.from_state({**before, "values": {**before["values"], "encounter": toml_text(endless)}})


def test_changed_dice_must_not_lead_to_an_endless_battle(monkeypatch: pytest.MonkeyPatch) -> None:
    """What if a blow had missed: the battle that comes of it may be longer than a page can show."""
    duel = Encounter.ready("duel")
    fought = duel.fight(1)
    misses = [(index, (1,), None) for index, event in enumerate(fought.events) if event.kind == "attack roll"]
    longer = next(one for one in misses if len(fought.branch(*one[:2]).events) > len(fought.events))
    counted = sum(max(1, len(event.dice())) for event in fought.events)
    monkeypatch.setattr(battle_story, "MOST_EVENTS", counted)
    story.cache_clear()
    assert story(duel, 1, ()).battle == fought
    with pytest.raises(ValueError, match=f"more than {counted} events and dice"):
        story(duel, 1, (longer,))
