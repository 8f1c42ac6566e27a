"""Dice expressions: read, written, rolled, counted, refused."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from d20kit import Pmf, d, expression, parse
from d20kit.expression import MAX_LENGTH, distribution, read
from d20kit.expression_tree import Combined, Dice, Expression, Negated, Number
from d20kit.expression_work import MAX_EXPRESSION_WORK, afford_expression, expression_work
from d20kit.keeping import afford_keeping, keep_highest, keep_lowest

trees = st.recursive(
    st.builds(Number, st.integers(0, 9)) | st.builds(Dice, st.integers(1, 3), st.sampled_from([2, 4, 6])),
    lambda inner: st.builds(Negated, inner) | st.builds(Combined, st.sampled_from("+-*"), inner, inner),
    max_leaves=4,
)


@given(trees)
def test_written_and_read_again(tree: Expression) -> None:
    """The plainest form of an expression means the same expression: no parenthesis is missing."""
    assert read(str(tree)) == tree or read(str(tree)).pmf() == tree.pmf()
    assert str(read(str(tree))) == str(tree)


@given(trees, st.integers(0, 99))
def test_rolls_lie_in_the_support(tree: Expression, seed: int) -> None:
    """A roll is one of the outcomes, shows every face, and its own arithmetic gives its total."""
    rolled = tree.roll(Random(seed))
    assert tree.pmf().pmf(rolled.total) > 0
    assert len(rolled.faces) == sum(int(part) for part in _counts(str(tree)))
    low, high, _bits = tree.span()
    assert (low, high) == tree.pmf().support()


@pytest.mark.parametrize(("count", "sides"), [(1, 1), (1, 8), (2, 6), (10, 10), (99, 99)])
def test_plain_dice_need_no_grammar_and_mean_the_same(count: int, sides: int) -> None:
    """What is read without the grammar is what the grammar reads, and never more than an expression may cost."""
    text = f"{count}d{sides}"
    grammar: Any = expression._parser().parse(text)
    assert read(text) == grammar
    assert type(read(text)) is Dice
    grammar.span()
    afford_expression(grammar)


def test_a_weapon_needs_no_grammar() -> None:
    """The first picture of a lesson would wait for the grammar to be built, and its weapons are plain dice."""
    script = "import sys; from d20kit import parse; parse('1d8'); assert 'lark' not in sys.modules; parse('1d8+1')"
    subprocess.run([sys.executable, "-c", script], check=True)


def _counts(text: str) -> list[str]:
    for sign in "+-*()":
        text = text.replace(sign, " ")
    return [part.partition("d")[0] for part in text.split() if "d" in part]


@pytest.mark.parametrize(
    ("text", "plain", "pmf"),
    [
        ("2d6+3", "2d6+3", 2 @ d(6) + 3),
        (" 2 D 6 + 3 ", "2d6+3", 2 @ d(6) + 3),
        ("d%", "1d100", d(100)),
        ("D20", "1d20", d(20)),
        ("2*(1d4-1)", "2*(1d4-1)", (d(4) - 1) * 2),
        ("-(1d4)", "-1d4", -d(4)),
        ("1d6-(1d4-1)", "1d6-(1d4-1)", d(6) - d(4) + 1),
        ("1d6-1d4-1", "1d6-1d4-1", d(6) - d(4) - 1),
        ("2+3*4", "2+3*4", Pmf({14: 1})),
        ("2d20KL", "2d20kl1", keep_lowest(2, 20, 1)),
        ("1d4*1d4", "1d4*1d4", d(4) * d(4)),
        ("(2d6)*2", "2d6*2", (2 @ d(6)) * 2),
    ],
)
def test_meaning(text: str, plain: str, pmf: Pmf) -> None:
    """Each form of the grammar has one meaning."""
    assert str(read(text)) == plain
    assert parse(text) == pmf


@pytest.mark.parametrize(("count", "sides"), [(1, 6), (2, 6), (3, 4), (4, 3), (4, 6)])
def test_keeping_against_every_roll(count: int, sides: int) -> None:
    """The face-by-face recursion must be the same as sorting every possible roll."""
    rolls = list(product(range(1, sides + 1), repeat=count))
    for kept in range(1, count + 1):
        high = Counter(sum(sorted(roll)[-kept:]) for roll in rolls)
        low = Counter(sum(sorted(roll)[:kept]) for roll in rolls)
        assert keep_highest(count, sides, kept) == Pmf(high) == parse(f"{count}d{sides}kh{kept}")
        assert keep_lowest(count, sides, kept) == Pmf(low) == parse(f"{count}d{sides}kl{kept}")


def test_roll_shows_what_is_kept() -> None:
    """The line of a roll lets a reader check the total."""
    rolled = read("4d6kh3 + 1").roll(Random(1))
    assert rolled.text == "4d6kh3 (2, 3, 4, 4 → 4, 4, 3) + 1 = 12"
    assert rolled.faces == (2, 3, 4, 4)
    assert read("-(1d4-2)").roll(Random(1)).text == "-(1d4 (1) - 2) = 1"
    assert read("3").roll(Random(1)).text == "3"


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("2d6+", 5),
        ("2d", 3),
        ("2d6 7", 5),
        ("(2d6", 5),
        ("2d6)", 4),
        ("banana", 1),
        ("٣d6", 1),
        ("４d6", 1),
        ("2d6\n+ x", 7),
        ("2d6e5", 4),
        ("1//2", 2),
        ("2d-6", 3),
    ],
)
def test_error_points_at_the_place(text: str, column: int) -> None:
    """A reader sees where the expression stops making sense and how one is written, without a parser's speech."""
    rest = text[column - 1 :]
    where = f"from {rest!r} on" if rest else f"{text!r}, which ends too early"
    with pytest.raises(
        ValueError,
        match=re.escape(f"cannot read the dice expression {where}, at column {column}; write dice like 2d4+4") + "$",
    ):
        parse(text)


@pytest.mark.parametrize("text", ["+1d6", "1d6++3", "-+3", "+(2)*2"])
def test_a_sign_may_be_a_plus(text: str) -> None:
    """A leading plus says nothing, so it is read like a leading minus and changes nothing."""
    assert parse(text) == parse(text.replace("++", "+").replace("-+", "-").removeprefix("+"))


@pytest.mark.parametrize(
    ("name", "dice"), [("dice", "2d"), ("extra", "d0"), ("damage", ""), ("dice", 10**400), ("dice", True)]
)
def test_a_refusal_names_the_argument(name: str, dice: object) -> None:
    """Where a rule has two arguments that are dice, the reader must be told which one to mend."""
    with pytest.raises(ValueError, match=rf"^{name}( is|:) "):
        distribution(name, dice)  # type: ignore[arg-type]


TOO_MUCH = {
    "many dice": "999999d999999",
    "many sides": "1d999999",
    "no dice": "0d6",
    "no sides": "1d0",
    "huge number": "9" * 150,
    "huge exponent of dice": "9" * 90 + "d" + "9" * 90,
    "deep parentheses": "(" * 100 + "1" + ")" * 98,
    "deep signs": "-" * 199,
    "long": "1" + "+1" * MAX_LENGTH,
    "wide weights": "9999d20",
    "wide sum": "+".join(["1000d100"] * 20),
    "wide product": "1d1000*1d1000",
    "far product": "1000000*1000000*1d6",
    "keep more than rolled": "4d6kh5",
    "keep none": "4d6kh0",
    "heavy keeping": "200d200kh100",
    "empty": "",
    "blank": " \t\n",
}


@pytest.mark.parametrize("text", TOO_MUCH.values(), ids=TOO_MUCH)
def test_refused_before_any_work(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing a stranger types may hang the kit or fill the memory: it is refused before any polynomial is made."""
    worked: list[object] = []
    for maker in ("dice.polynomial", "keeping.long_polynomial"):
        monkeypatch.setattr(f"d20kit.{maker}", worked.append)
    with pytest.raises(ValueError, match=r"\w+ \w+"):
        parse(text)
    assert not worked


ALLOWED_PARTS = {
    "2d6+3": 2 @ d(6) + 3,
    "4d6kh3": keep_highest(4, 6, 3),
    "20d20": 20 @ d(20),
    "100d6": 100 @ d(6),
    "1000d6": 1000 @ d(6),
    "1000d6+5": 1000 @ d(6) + 5,
    "2500d6": 2500 @ d(6),
    "100d100": 100 @ d(100),
    "20d1000": 20 @ d(1000),
    "20d20kh10": keep_highest(20, 20, 10),
    "30d30kh15": keep_highest(30, 30, 15),
    "d10000": d(10000),
    "d100000": d(100000),
    "d100000-d100000": d(100000) - d(100000),
    "d90000*-2": -(d(90000) * 2),
    "d400*d400": d(400) * d(400),
}


@pytest.mark.parametrize("text", ALLOWED_PARTS)
def test_what_is_quick_stays_allowed(text: str) -> None:
    """The limit for a whole expression must not take away what a table of players, or a lesson, may ask for."""
    assert expression_work(read(text)) <= MAX_EXPRESSION_WORK
    assert parse(text) == ALLOWED_PARTS[text]


TOGETHER_TOO_MUCH = {
    "equal parts to add": "+".join(["1d9999"] * 18),
    "equal parts to keep from": "+".join(["30d30kh15"] * 18),
    "different parts to keep from": "+".join(f"{count}d30kh{count // 2}" for count in range(20, 29)),
    "sums in parentheses": "((((1000d6-20d1000)-(100))-(3d100))-(20d20kh10))+(d400)",
    "a product in a sum": "((100d100)+(1000d6)+20d20kh10*d20)-(d5000)",
    "products": "+".join(f"d{sides}*d400" for sides in (99, 98, 97, 96, 95)),
    "one power": "99d1000",
    "an odd power": "63d1000",
    "hidden under signs": "-(-(99d1000))",
}


@pytest.mark.parametrize("text", TOGETHER_TOO_MUCH.values(), ids=TOGETHER_TOO_MUCH)
def test_parts_are_counted_together(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each part passes the limits for one distribution, but a reader would wait for all of them: nothing is begun."""
    worked: list[object] = []
    for maker in ("dice.polynomial", "keeping.long_polynomial"):
        monkeypatch.setattr(f"d20kit.{maker}", worked.append)
    with pytest.raises(ValueError, match="would need too much work; use fewer dice or smaller ones, or fewer parts"):
        parse(text)
    assert not worked


def test_equal_parts_are_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever writes the same dice five times asks one question: its answer is used again, and stays right."""
    kept: list[tuple[int, ...]] = []

    def counted(*dice: int) -> Pmf:
        kept.append(dice)
        return keep_highest(*dice)

    monkeypatch.setattr("d20kit.expression_tree.keep_highest", counted)
    assert parse("3d5kh2+3d5kh2-(3d5kh2+2d5kh1)+3d5kh2").mean() == 2 * keep_highest(3, 5, 2).mean() - Fraction(19, 5)
    assert kept == [(3, 5, 2), (2, 5, 1)]


def test_each_further_part_is_more_work() -> None:
    """An estimate that forgot a kind of part would let it through in any number."""
    for part in ("40d40", "9d9kh4", "-(40d40)", "40d40*3", "d40*d40", "d999"):
        one, more = read(f"d7+{part}"), read(f"d7+{part}-2d7*2")
        assert 0 < expression_work(read(part)) < expression_work(one) < expression_work(more)


@given(st.integers(1, 40), st.integers(2, 90))
def test_powers_by_squaring(count: int, sides: int) -> None:
    """Short and long dice are added in two ways, which must agree with adding one die at a time."""
    total = d(1) - 1
    for _die in range(count):
        total = total + d(sides)
    assert count @ d(sides) == total


def test_deepest_expression_still_works() -> None:
    """What the length allows must not break the call stack."""
    assert parse("-" * 198 + "d4") == d(4)
    assert parse("(" * 99 + "1" + ")" * 99) == Pmf({1: 1})
    assert parse("1" + "+1" * 99).mean() == 100


@pytest.mark.parametrize("value", [None, True, 6, 2.5, ["1d6"], d(6)])
def test_only_text_is_parsed(value: object) -> None:
    """A number or a list is a mistake worth a sentence, not a crash."""
    with pytest.raises(ValueError, match="a dice expression"):
        parse(value)  # type: ignore[arg-type]


def test_distribution_accepts_three_forms() -> None:
    """Rules take dice as text, as a distribution or as a plain number."""
    assert distribution("dice", "1d6") == distribution("dice", d(6)) == d(6)
    assert distribution("dice", 3) == Pmf({3: 1})
    with pytest.raises(ValueError, match="dice is None"):
        distribution("dice", None)  # type: ignore[arg-type]


def test_keeping_limit_names_the_dice() -> None:
    """The refusal says which dice were too many."""
    with pytest.raises(ValueError, match="keeping 100 of 200 dice"):
        afford_keeping(200, 200, 100)


def test_known_keeping_value() -> None:
    """Best three of four dice: the value every player knows."""
    assert parse("4d6kh3").pmf(18) == Fraction(21, 1296)


def test_large_distributions_are_not_kept_by_the_hundred() -> None:
    """Whoever asks for 2500d6, plus one, plus two, and so on, must not fill the memory with what was asked before."""
    expression._large.cache_clear()
    assert [parse(f"2500d6+{bonus}").support()[0] for bonus in range(5)] == [2500, 2501, 2502, 2503, 2504]
    assert expression._large.cache_info().currsize == 2
    for text in ("1d8+3", "4d6kh3", "100d6", "200d2", "d400*3", "20d20kh10"):
        assert parse(text) is parse(text), f"{text} is computed again each time"
        assert expression._small(text) is parse(text)
    for text in ("1000d6", "d100000", "2500d6", "d90000*-2"):
        assert expression._small(text) is None, f"hundreds like {text} are kept"
