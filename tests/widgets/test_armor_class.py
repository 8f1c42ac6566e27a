"""The armor class explorer says for every position what the rules say."""

from __future__ import annotations

from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import pytest

from d20kit.abilities import size_modifier
from d20kit.armor_class import armor_class, armor_class_line
from d20kit.attack import hit_chance
from d20widgets import ArmorClassExplorer
from d20widgets.armor_class_picture import CHANCES, KINDS, PARTS, PIECES, ROWS, TOTAL, WORDS
from d20widgets.stack import CLEAR, CROSSED, LEAST, Piece, end, pieces, span
from tests.widgets.every import each_of

HEAVY = {"armor": 10, "armor_enhancement": 5, "shield": 4, "natural": 15, "size": "fine", "deflection": 5}
SETTINGS = [
    {},
    {"limited": False, "uncanny_dodge": True},
    {"max_dexterity": 0, "natural": 3, "natural_enhancement": 2, "size": "huge"},
    {"dodge": -3, "other": -4, "size": "colossal", "armor": 0, "shield": 0},
    {**HEAVY, "dodge": -5, "other": -5, "bonus": 25},
]
SWITCHES = [(False, False), (True, False), (False, True), (True, True)]


explorer = each_of(ArmorClassExplorer, SETTINGS)


def given(explorer: ArmorClassExplorer, dexterity: int) -> tuple[int, dict[str, Any]]:
    """What the rule takes, put together once more."""
    values = dict(explorer.values)
    bonus, limited = values.pop("bonus"), values.pop("limited")
    values |= {"dexterity": dexterity, "size": size_modifier(values["size"])}
    return bonus, values if limited else {**values, "max_dexterity": None}


def drawn(explorer: ArmorClassExplorer, dexterity: int) -> tuple[list[Any], list[Any]]:
    """The pieces of every row at one position, as (row, base, length, text, hover), less what gives nothing.

    First those that count, then those that are crossed out.
    """
    trace = explorer.chart.at(dexterity)["data"][PIECES]
    columns = [trace[name] for name in ("y", "base", "x", "text", "hovertext")]
    every = list(zip(*columns, trace["marker"]["line"]["color"], strict=False))
    assert len(every) == len(trace["x"]) == len(trace["hovertext"])
    return (
        [piece for *piece, line in every if piece[2] and line != CROSSED],
        [piece for *piece, line in every if piece[2] and line == CROSSED],
    )


def amount(piece: Any) -> int:
    """What a piece is worth, as it says when the pointer is on it."""
    return int(piece[-1].rpartition(": ")[2].replace("−", "-"))


def test_every_frame_has_the_four_armor_classes_of_the_rule(explorer: ArmorClassExplorer) -> None:
    """The page looks up and never computes: totals, their words and the chances must be direct calls of the rules."""
    for dexterity in range(-5, 11):
        bonus, parts = given(explorer, dexterity)
        classes = list(armor_class_line(**parts))
        data = explorer.chart.at(dexterity)["data"]
        assert data[TOTAL]["x"] == classes
        assert [text.strip().replace("−", "-") for text in data[WORDS]["text"][: len(ROWS)]] == [
            str(ac) for ac in classes
        ]
        assert data[CHANCES]["x"] == [float(100 * hit_chance(bonus, ac)) for ac in classes]


def test_the_pieces_of_every_row_add_up_to_its_total(explorer: ArmorClassExplorer) -> None:
    """A stack that ends elsewhere than the number beside it says would teach a wrong sum."""
    for dexterity in range(-5, 11):
        totals = explorer.chart.at(dexterity)["data"][TOTAL]["x"]
        for place, total in zip(ROWS, totals, strict=True):
            shown = [(*piece[1:3], amount(piece)) for piece in drawn(explorer, dexterity)[0] if piece[0] == place]
            assert sum(value for _base, _length, value in shown) == total
            bonuses = sorted((base, length) for base, length, value in shown if value > 0)
            assert all(base + length == following for (base, length), (following, _l) in pairwise(bonuses))
            penalties = [base for base, _length, value in shown if value < 0]
            if penalties:
                assert min(penalties) == total


def test_every_piece_has_its_number_or_stands_beside_a_sum(explorer: ArmorClassExplorer) -> None:
    """In a narrow window small penalties would lie on each other's numbers, and without any number be a riddle."""
    for dexterity in range(-5, 11):
        beside = explorer.chart.at(dexterity)["data"][WORDS]["text"][len(ROWS) : 2 * len(ROWS)]
        for place, text in zip(ROWS, beside, strict=True):
            row = [piece for piece in drawn(explorer, dexterity)[0] if piece[0] == place]
            small = [amount(piece) for piece in row if -LEAST < amount(piece) < 0]
            penalties = sum(min(amount(piece), 0) for piece in row)
            assert text.strip().replace("−", "-") == (str(penalties) if small else "")
            written = [piece for piece in row if amount(piece) not in small]
            assert [piece[3] for piece in row if piece[3]] == [str(amount(p)).replace("-", "−") for p in written]


def test_every_piece_is_painted_as_its_part(explorer: ArmorClassExplorer) -> None:
    """All pieces are one trace: each must have its own part's colour and pattern, as the legend shows them."""
    for dexterity in (-5, 10):
        trace = explorer.chart.at(dexterity)["data"][PIECES]
        paints = dict(PARTS.values())
        counted = len(trace["marker"]["line"]["color"]) - len(PARTS) * len(KINDS)
        for i, hover in enumerate(trace["hovertext"]):
            if hover and i < counted:
                paint = paints[hover.split(":")[0]]
                pattern = trace["marker"]["pattern"]
                assert pattern["bgcolor"][i] == trace["hoverlabel"]["bgcolor"][i] == paint.fill
                assert (pattern["shape"][i] if pattern["fgcolor"][i] != CLEAR else "") == paint.pattern


def test_each_part_counts_what_it_changes_in_the_rule(explorer: ArmorClassExplorer) -> None:
    """Parts are asked for by themselves; taking one out of the whole must change the whole by as much."""
    for dexterity in (-5, 0, 3, 10):
        _bonus, parts = given(explorer, dexterity)
        numbers = explorer.numbers({**explorer.values, "dexterity": dexterity})
        for (touch, flat_footed), counted in zip(SWITCHES, numbers.counted, strict=True):
            held = {"touch": touch, "flat_footed": flat_footed}
            for part in PARTS:
                if part != "ten":
                    without = {**parts, **{name: 0 for name in (part, f"{part}_enhancement") if name in parts}}
                    assert counted[part] == armor_class(**parts, **held) - armor_class(**without, **held)


def test_what_drops_is_crossed_out_behind_what_counts(explorer: ArmorClassExplorer) -> None:
    """Together they are what the combatant brought: nothing disappears from a row without a trace."""
    for dexterity in range(-5, 11):
        numbers = explorer.numbers({**explorer.values, "dexterity": dexterity})
        words = explorer.chart.at(dexterity)["data"][WORDS]
        ghosts = drawn(explorer, dexterity)[1]
        for place, counted, lost in zip(ROWS, numbers.counted, numbers.dropped, strict=True):
            mine = [(base, width) for row, base, width, *_words in ghosts if row == place]
            assert sum(width for _base, width in mine) == sum(numbers.parts.values()) - sum(counted.values())
            assert [width for _base, width in mine] == [value for value in lost.values() if value]
            if mine:
                assert mine[0][0] == end([*counted.values()])
        assert words["text"][2 * len(ROWS) :] == [str(width) for _row, _base, width, *_words in ghosts]
        assert words["x"][2 * len(ROWS) :] == [base + width / 2 for _row, base, width, *_words in ghosts]


def test_the_axis_holds_every_frame(explorer: ArmorClassExplorer) -> None:
    """The axis never slides: a piece or a total beyond its end would be cut off."""
    low, high = explorer.chart.figure["layout"]["xaxis"]["range"]
    for dexterity in range(-5, 11):
        counted, crossed = drawn(explorer, dexterity)
        assert all(low <= base and base + length <= high for _row, base, length, *_words in counted + crossed)
        assert low <= min(explorer.chart.at(dexterity)["data"][TOTAL]["x"])


def test_the_formula_adds_up(explorer: ArmorClassExplorer) -> None:
    """The formula is set by hand: evaluated as it is written, its labels left out, it must give the armor class."""
    for dexterity in range(-5, 11):
        tree = ElementTree.fromstring(explorer.formula_line.frames[dexterity + 5])
        for label in [node for node in tree.iter() if node.tag.endswith("munder")]:
            label.remove(label[1])
        _name, written, total = "".join(tree.itertext()).replace("−", "-").split("=")
        _bonus, parts = given(explorer, dexterity)
        assert eval(written, {"min": min}) == int(total) == armor_class(**parts)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        (
            {},
            "AC 19 = 10 + 4 armor + 1 shield + 3 Dexterity + 1 dodge. Touch AC 14, without 4 armor, 1 shield. "
            "Flat-footed AC 15, without 3 Dexterity, 1 dodge; touched as well 10. "
            "An attack of +7 hits with 45 %, a touch with 70 %; flat-footed 65 % and 90 %.",
        ),
        (
            {"dexterity": -3, "dodge": -1, "size": "large", "armor": 0, "shield": 0, "bonus": -1},
            "AC 5 = 10 − 3 Dexterity − 1 size − 1 dodge. Touch AC 5: there is no armor to pass by. "
            "Flat-footed AC 5: there is no bonus to lose; touched as well 5. The Dexterity penalty stays. "
            "An attack of −1 hits with 75 %, a touch with 75 %; flat-footed 75 % and 75 %.",
        ),
        (
            {"dexterity": 5, "armor": 8, "max_dexterity": 1, "shield": 0, "dodge": 0, "uncanny_dodge": True},
            "AC 19 = 10 + 8 armor + 1 Dexterity. Of the Dexterity bonus +5 the armor allows +1. "
            "Touch AC 11, without 8 armor. "
            "Flat-footed AC 19: uncanny dodge keeps Dexterity and dodge; touched as well 11. "
            "An attack of +7 hits with 45 %, a touch with 85 %; flat-footed 45 % and 85 %.",
        ),
    ],
)
def test_the_sentence_says_it(settings: dict[str, Any], sentence: str) -> None:
    """The sentence is what is read aloud: these are read by a person, word by word."""
    assert ArmorClassExplorer(**settings).summary == sentence


def test_the_table_s_rows_add_up(explorer: ArmorClassExplorer) -> None:
    """Whoever copies the table into a spreadsheet adds it up there."""
    for row in explorer.table():
        parts = {name: value for name, value in row.items() if name in [label for label, _paint in PARTS.values()]}
        assert sum(parts.values()) == row["AC"]
        assert row["chance to hit"] == hit_chance(explorer.values["bonus"], row["AC"])


def test_the_question_is_about_the_bonus_that_is_lost(explorer: ArmorClassExplorer) -> None:
    """What a learner gets wrong is the surprised combatant: that is what is asked, and answered exactly."""
    for dexterity in (-5, 10):
        _bonus, parts = given(explorer, dexterity)
        words, answer = explorer.question(explorer.numbers({**explorer.values, "dexterity": dexterity}))
        assert "flat-footed" in words
        assert answer == armor_class(**parts, flat_footed=True)


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        ({"size": "enormous"}, "size is 'enormous'"),
        ({"size": "Large"}, "did you mean 'large'"),
        ({"limited": 1}, "limited is 1"),
        ({"armor": -1}, "armor is -1"),
        ({"max_dexterity": None}, "max_dexterity is None"),
    ],
)
def test_what_has_no_meaning_is_refused(wrong: dict[str, Any], complaint: str) -> None:
    """A wrong argument is named, with what is allowed."""
    with pytest.raises(ValueError, match=complaint):
        ArmorClassExplorer(**wrong)


def test_penalties_run_back_from_the_bonuses_end() -> None:
    """Two penalties must not lie on each other: the last one ends at the total."""
    assert pieces([10, -2, 4, -3]) == [Piece(0, 10), Piece(12, 2), Piece(10, 4), Piece(9, 3)]


def test_a_sum_below_zero_has_room_on_the_axis() -> None:
    """A weak save is negative, and its total must be on the axis like any other."""
    assert span([[0, -5, -5], [3]]) == (-10, 5)
