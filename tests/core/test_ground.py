"""The ground under the rules: algebra, refusals, rule sets."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy

import d20kit
from d20kit import COURSE, SRD35, Ruleset, algebra, language
from d20kit.check import modifier, one_of, one_whole, refuse, truth, whole
from d20kit.rulesets import SWITCHES

X = sympy.Symbol("x", integer=True)
OPERATIONS: dict[str, tuple[Callable[..., Any], range]] = {
    "ratio": (lambda x: algebra.ratio(x, 4), range(-9, 10)),
    "ratio of a sum": (lambda x: algebra.ratio(x + 1, 4), range(-9, 10)),
    "ratio by one": (lambda x: algebra.ratio(x + 1, 1), range(-9, 10)),
    "floor_div": (lambda x: algebra.floor_div(x, 3), range(-9, 10)),
    "minimum": (lambda x: algebra.minimum(x, 2), range(-9, 10)),
    "maximum": (lambda x: algebra.maximum(2, x), range(-9, 10)),
    "clamp": (lambda x: algebra.clamp(x, -2, 3), range(-9, 10)),
    "where": (lambda x: algebra.where(x > 1, x, 0), range(-9, 10)),
    "power": (lambda x: algebra.power(Fraction(9, 10), x), range(0, 10)),
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_operations_agree(name: str) -> None:
    """An operation means the same for numbers, arrays and symbols; that is what lets a rule be written once."""
    operation, values = OPERATIONS[name]
    curve = operation(np.array(list(values)))
    for index, value in enumerate(values):
        plain = operation(value)
        assert curve[index] == plain
        substituted = operation(X).subs(X, value).doit()
        assert substituted == sympy.Rational(*Fraction(plain).as_integer_ratio())


def test_arrays_never_overflow_in_a_ratio() -> None:
    """NumPy's whole numbers are made Python's before they meet in a fraction."""
    assert algebra.ratio(np.array([2**62]), 2**63)[0] == Fraction(1, 2)


@pytest.mark.parametrize("value", [3, 3.0, Fraction(3), np.int8(3), np.float32(3), sympy.Integer(3)])
def test_whole_accepts_every_kind_of_three(value: object) -> None:
    """A whole number is whole whatever type carries it."""
    assert whole("n", value) == 3


@pytest.mark.parametrize(
    "value", [True, 2.5, float("nan"), float("inf"), "3", None, 3j, Fraction(1, 2), [3], np.bool_(True)]
)
def test_whole_refuses_the_rest(value: object) -> None:
    """Truth values, texts and broken numbers are no whole numbers."""
    with pytest.raises(ValueError, match=r"n is .*, but must be a whole number"):
        whole("n", value)


def test_whole_of_arrays_and_symbols() -> None:
    """Arrays are checked element by element, symbols by what is known about them."""
    assert whole("n", np.array([], dtype=int), 0, 1).size == 0
    assert list(whole("n", np.array([1.0, 2.0]))) == [1, 2]
    assert list(whole("n", np.array([1, Fraction(2)], dtype=object))) == [1, 2]
    assert whole("n", X, 0, 3) is X
    for wrong in (np.array([1, 2.5]), np.array([0, 9]), np.array(["a"]), np.array([2**63], dtype="uint64")):
        with pytest.raises(ValueError, match="n is array"):
            whole("n", wrong, 0, 5)


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [(1, 5, "from 1 to 5"), (1, None, "1 or more"), (None, 5, "5 or less"), (None, None, "a whole number")],
)
def test_range_in_words(low: int | None, high: int | None, said: str) -> None:
    """The message names exactly the ends there are."""
    with pytest.raises(ValueError, match=said):
        whole("n", "x", low, high)


def test_messages_are_short_and_helpful() -> None:
    """A huge value is cut, and the fix follows the range."""
    error = refuse("n", "x" * 500, "small", "write n=3")
    assert len(str(error)) < 130
    assert str(error).endswith("but must be small; write n=3")
    with pytest.raises(ValueError, match="from -1000 to 1000"):
        modifier("n", 1001)


def test_names_and_truth() -> None:
    """A near miss is answered with the name that was meant, anything else with the list."""
    with pytest.raises(ValueError, match="did you mean 'good'"):
        one_of("p", "Good", ("good", "poor"))
    with pytest.raises(ValueError, match=r"one of 'good', 'poor'$"):
        one_of("p", 3, ("good", "poor"))
    assert truth("t", False) is False


@pytest.mark.parametrize("name", SWITCHES)
def test_each_switch_alone(name: str) -> None:
    """Each switch takes each of its values without the others, and the name says which rules are in use."""
    switch = SWITCHES[name]
    assert len(switch.choices) > 1
    for rules, own in ((COURSE, switch.course), (SRD35, switch.srd35)):
        assert getattr(rules, name) == own
        for choice in switch.choices:
            changed = rules.replace(**{name: choice})
            assert getattr(changed, name) == choice
            assert (changed == rules) == (choice == own)
            assert changed.replace(**{name: own}) == rules
            assert eval(repr(changed), {"COURSE": COURSE, "SRD35": SRD35, "Fraction": Fraction}) == changed
    with pytest.raises(ValueError, match=f"{name} is 'nonsense'"):
        COURSE.replace(**{name: "nonsense"})


def test_rule_sets_are_constants() -> None:
    """A rule set cannot be changed in place, and an unknown switch is answered with the nearest."""
    assert (COURSE.name, SRD35.name) == ("COURSE", "SRD35")
    assert Ruleset() == COURSE
    with pytest.raises(AttributeError):
        COURSE.critical = "confirm"  # type: ignore[misc]
    with pytest.raises(ValueError, match="did you mean 'critical'"):
        COURSE.replace(criticl="confirm")


def test_languages() -> None:
    """A text without translation stays readable, and an unknown language is refused by name."""
    before = language.current_language()
    try:
        assert language.set_language("id") == language.current_language() == "id"
        assert language.set_language("en") == "en"
        assert language.ngettext("{n} roll", "{n} rolls", 2) == "{n} rolls"
        assert language._("") == ""
        with pytest.raises(ValueError, match="language is 'fr'"):
            language.set_language("fr")
    finally:
        language.set_language(before)


@pytest.mark.parametrize(
    ("environment", "chosen"),
    [({"D20KIT_LANG": "id"}, "id"), ({"LANG": "id_ID.UTF-8"}, "id"), ({"LANG": "fr_FR.UTF-8"}, "en"), ({}, "en")],
)
def test_language_of_the_environment(environment: dict[str, str], chosen: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a choice the environment decides, at the first text, and English is what remains."""
    for name in ("D20KIT_LANG", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    for first_text in (language.current_language, lambda: language._("x"), lambda: language.ngettext("x", "y", 1)):
        monkeypatch.setattr(language, "_catalogue", language._catalogue)
        monkeypatch.setattr(language, "_language", "")
        first_text()
        assert language.current_language() == chosen


def test_public_names_load_on_first_use() -> None:
    """Every name that the kit lists can be had from it, and a typing mistake is an attribute error."""
    assert {getattr(d20kit, name) is not None for name in d20kit.__all__} == {True}
    assert set(d20kit.__all__) <= set(dir(d20kit))
    with pytest.raises(AttributeError, match="no attribute 'attacks'"):
        d20kit.attacks  # noqa: B018


def test_one_number_is_asked_for_where_many_are_given() -> None:
    """Without a range the refusal still says that an array is one too many."""
    with pytest.raises(ValueError, match=r"but must be one whole number$"):
        one_whole("count", np.array([1, 2]))
