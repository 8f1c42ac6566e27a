"""Formulas as markup: well-formed, and inert whatever words are in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import pytest

from d20widgets import mathml

HOSTILE = "</mtext><script>alert(1)</script> & \"'"


@pytest.mark.parametrize("build", [mathml.words, mathml.sign, lambda text: mathml.call(text, mathml.number(1))])
def test_words_stay_words(build: Callable[..., Any]) -> None:
    """A name with tags in it must come out as the letters it has, in no element of its own."""
    root = ElementTree.fromstring(mathml.formula(build(HOSTILE)))
    assert HOSTILE in "".join(root.itertext())
    assert not [node for node in root.iter() if "script" in node.tag]


def test_a_negative_number_after_a_sign_is_enclosed() -> None:
    """21 + -2 would read as a slip; 21 + (-2) is how it is written."""
    root = ElementTree.fromstring(mathml.formula(mathml.number(21), mathml.sign("+"), mathml.number(-2, enclose=True)))
    assert "".join(root.itertext()) == "21+(−2)"
