"""The style sheets of the page: colours that can be read."""

from __future__ import annotations

import re

import pytest

from d20widgets.follower import source

DARK = "#111111"
_IN_THE_DARK = re.compile(r'\[data-jp-theme-light="false"\] \.d20-\w+ \{[^}]*--jp-error-color0: (#[0-9a-f]{6});')


def luminance(colour: str) -> float:
    """Return how bright a colour is to the eye, as the guidelines for readable pages reckon it."""
    parts = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("file", ["explorer.css", "quiz.css"])
def test_refusals_can_be_read_in_the_dark(file: str) -> None:
    """The dark theme's own red stands out 3.8 times from its page, where small text needs 4.5."""
    (colour,) = _IN_THE_DARK.findall(source(file))
    assert (luminance(colour) + 0.05) / (luminance(DARK) + 0.05) >= 4.5
    assert (luminance("#d32f2f") + 0.05) / (luminance(DARK) + 0.05) < 4.5
