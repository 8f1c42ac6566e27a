"""How amounts are written for a reader: fractions, chances, distributions, tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from fractions import Fraction
from typing import Any

from d20kit.algebra import is_array, is_symbolic
from d20kit.language import _
from d20kit.magnitudes import is_longer, root_text, significant

LONGEST = 40
# Columns of a printed line: a notebook breaks a longer one inside a word, in a window of 1200 pixels.
WIDEST_LINE = 88
# What is not spelled out in full: a longer mapping, array or matrix is told by its most telling part.
_SHORT = 5
_WIDEST_MATRIX = 16
_LONGEST_WAIT = 500


def fraction_text(value: Fraction) -> str:
    """Write a fraction; a very long one in short, since nobody reads forty digits.

    >>> fraction_text(Fraction(11, 20)), fraction_text(Fraction(1, 3**100))
    ('11/20', '≈ 1.94033e-48')
    """
    return f"≈ {significant(value)}" if is_longer(value, LONGEST) else str(value)


def decimal_text(value: Fraction) -> str:
    """Write a fraction as "= decimal" where that is exact, as "≈ decimal" where it is rounded.

    >>> decimal_text(Fraction(9, 2)), decimal_text(Fraction(1, 3))
    ('= 4.5', '≈ 0.333333')
    """
    short = significant(value)
    exact = not is_longer(value, LONGEST) and Fraction(short) == value
    return f"{_sign(exact)} {short}"


def percent_text(chance: Fraction) -> str:
    """Write a chance in percent with up to two decimals, never rounding a possible event to 0 % or 100 %.

    >>> percent_text(Fraction(11, 20)), percent_text(Fraction(1, 3)), percent_text(Fraction(1, 10**6))
    ('55 %', '33.33 %', 'under 0.01 %')
    """
    percent = 100 * chance
    rounded = f"{float(percent):.2f}".rstrip("0").rstrip(".")
    if chance > 0 and rounded == "0":
        return _("under 0.01 %")
    if chance < 1 and rounded == "100":
        return _("over 99.99 %")
    return f"{rounded} %"


def short_percent_text(chance: Fraction) -> str:
    """Write a chance in percent with one decimal, with none where that is exact; else like :func:`percent_text`.

    For chances that stand side by side. Halves are rounded up, as a reader would.

    >>> [short_percent_text(Fraction(1, n)) for n in (2, 16, 10**6)]
    ['50 %', '6.3 %', 'under 0.1 %']
    """
    percent = 100 * Fraction(chance)
    if percent.denominator == 1:
        return f"{percent} %"
    tenths = int(10 * percent + Fraction(1, 2))
    if tenths == 0:
        return _("under 0.1 %")
    if tenths == 1000:
        return _("over 99.9 %")
    return f"{tenths // 10}.{tenths % 10} %"


def short_percent_sign(chance: Fraction) -> str:
    """Return what stands between a chance and its :func:`short_percent_text`: "=" where that is exact, else "≈".

    >>> short_percent_sign(Fraction(1, 2)), short_percent_sign(Fraction(1, 16))
    ('=', '≈')
    """
    return _sign((chance * 1000).denominator == 1)


def number_text(value: int) -> str:
    """Write a whole number with a true minus sign, as formulas and axes have it.

    >>> number_text(-3), number_text(7)
    ('−3', '7')
    """
    return str(value).replace("-", "−")


def signed_text(value: int) -> str:
    """Write a modifier with its sign.

    >>> signed_text(3), signed_text(-3)
    ('+3', '−3')
    """
    return number_text(value) if value < 0 else f"+{value}"


def term_text(value: int) -> str:
    """Write a whole number as what is added to a sum.

    >>> term_text(3), term_text(-3)
    ('+ 3', '− 3')
    """
    return f"{'−' if value < 0 else '+'} {abs(value)}"


def faces_text(faces: Sequence[int]) -> str:
    """Write faces of a die in short, from the lowest to the highest; there are no gaps between them.

    >>> faces_text([19, 20]), faces_text([20]), faces_text([])
    ('19-20', '20', '-')
    """
    if not faces:
        return "-"
    return str(faces[0]) if len(faces) == 1 else f"{faces[0]}-{faces[-1]}"


def one_in_text(chance: Fraction) -> str:
    """Write a chance as "1 in N", or as "all but 1 in N" where N is whole.

    >>> one_in_text(Fraction(1, 20)), one_in_text(Fraction(2, 5)), one_in_text(Fraction(19, 20))
    ('1 in 20', '1 in 2.5', 'all but 1 in 20')
    >>> one_in_text(Fraction(3, 5))
    '1 in 1.67'
    """
    if chance in (0, 1):
        return _("always") if chance else _("never")
    missing = 1 - chance
    if chance > missing and (missing.numerator == 1 or missing < Fraction(1, 10)):
        return _("all but 1 in {n}").format(n=_turns(missing))
    return _("1 in {n}").format(n=_turns(chance))


def _turns(chance: Fraction) -> str:
    """How many tries a chance takes on average: whole where it is, else as many digits as a reader uses."""
    turns = 1 / chance
    whole_digits = 10 if turns >= 10**9 else len(str(int(turns)))
    return significant(turns, 3 if whole_digits > 9 else max(3, whole_digits + 1))


def chance_text(chance: Fraction) -> str:
    """Write a chance in its three forms, "≈" before what is rounded.

    >>> chance_text(Fraction(1, 2)), chance_text(Fraction(1, 3))
    ('1/2 = 50 % = 1 in 2', '1/3 ≈ 33.33 % = 1 in 3')
    """
    rare = min(chance, 1 - chance)
    exact_odds = not rare or (10 / rare).denominator == 1
    return f"{_two_forms(chance)} {_sign(exact_odds)} {one_in_text(chance)}"


def _two_forms(chance: Fraction) -> str:
    exact = (chance * 10_000).denominator == 1
    return f"{fraction_text(chance)} {_sign(exact)} {percent_text(chance)}"


def _sign(exact: bool) -> str:
    return "=" if exact else "≈"


def is_chance(value: Any, units: str) -> bool:
    """Whether a value is a chance to be written in percent as well.

    >>> is_chance(Fraction(1, 2), "chance"), is_chance(Fraction(1, 2), "rounds")
    (True, False)
    """
    return units == "chance" and isinstance(value, (int, Fraction)) and 0 <= value <= 1


def amount(value: Any, units: str = "") -> str:
    """Write what a rule returned for a reader, in one line.

    >>> amount(Fraction(9, 2)), amount((11, 6, 1)), amount(None), amount(())
    ('9/2 = 4.5', '11, 6, 1', 'none', 'nobody')
    """
    if value is None or isinstance(value, bool):
        return _("none") if value is None else _("yes") if value else _("no")
    if is_chance(value, units):
        return chance_text(Fraction(value))
    if isinstance(value, (int, Fraction)):
        text = fraction_text(Fraction(value))
        return text if value.denominator == 1 or text.startswith("≈") else f"{text} {decimal_text(Fraction(value))}"
    if isinstance(value, Enum):
        return _(str(value.value))
    return _compound(value, units)


def brief(value: Any, units: str = "") -> str:
    """Write an amount for the middle of a sentence: a chance in fewer forms than in a line of its own.

    >>> brief(Fraction(19, 20), "chance"), brief(Fraction(0), "chance"), brief(Fraction(9, 2))
    ('19/20 = 95 %', '0 %', '9/2 = 4.5')
    """
    if not is_chance(value, units):
        return amount(value, units)
    return percent_text(Fraction(value)) if value in (0, 1) else _two_forms(Fraction(value))


def _compound(value: Any, units: str) -> str:
    if isinstance(value, tuple):
        return ", ".join(amount(part, units) for part in value) if value else _("nobody")
    if isinstance(value, Mapping):
        return _mapping_text(value, units)
    if isinstance(value, list):
        return _("at the end {last}").format(last=amount(value[-1], units)) if value else _("none")
    if is_array(value):
        return _array_text(value, units)
    if hasattr(value, "ppf"):
        return _distribution_text(value)
    if hasattr(value, "cols"):
        return _matrix_text(value)
    return str(value)


def _mapping_text(value: Mapping[Any, Any], units: str) -> str:
    """States and other short tables in full, a chance table of many entries by its likeliest."""
    if len(value) > _SHORT and units == "chance":
        likeliest = max(value, key=lambda key: value[key])
        return _("most likely {key} with {chance}").format(
            key=key_text(likeliest), chance=amount(value[likeliest], units)
        )
    parts = ((key, part) for key, part in value.items() if units != "chance" or part)
    separator = "; " if any(isinstance(key, tuple) for key in value) else ", "
    return separator.join(_entry(key_text(key), part, units) for key, part in parts)


def _entry(key: str, part: Any, units: str) -> str:
    if is_chance(part, units):
        return f"{key} {percent_text(Fraction(part))}"
    text = amount(part, units)
    return text if text.startswith(key) else f"{key}: {text}"


def key_text(key: Any) -> str:
    """Write the key of a table: a state, a name, or an order of names.

    >>> key_text(("wolf", "orc")), key_text(2)
    ('wolf, orc', '2')
    """
    if isinstance(key, tuple):
        return ", ".join(map(key_text, key))
    return _(str(key.value)) if isinstance(key, Enum) else str(key)


def _array_text(value: Any, units: str) -> str:
    """The elements of a short array, the two ends of a long one."""
    long = value.size > 2 * _SHORT
    shown = [*value.flat[:_SHORT], *value.flat[-1:]] if long else value.flat
    parts = [amount(part, units).removeprefix("≈ ").partition(" ")[0] for part in shown]
    if not long:
        return ", ".join(parts) or _("none")
    return _("{first}, ..., {last} ({count} values)").format(
        first=", ".join(parts[:-1]), last=parts[-1], count=value.size
    )


def _distribution_text(value: Any) -> str:
    """A distribution in one line: a reader who wants it whole prints the distribution itself."""
    mean = value.mean()
    shape = _("mean {mean}, standard deviation {spread}").format(mean=amount(mean), spread=root_text(value.var(), 4))
    if hasattr(value, "support"):
        low, high = value.support()
        return (
            _("always {outcome}").format(outcome=low)
            if low == high
            else _("from {low} to {high}, {shape}").format(low=low, high=high, shape=shape)
        )
    if mean > _LONGEST_WAIT:
        return shape
    try:
        half, most = value.ppf(Fraction(1, 2)), value.ppf(Fraction(9, 10))
    except ValueError:  # further away than may be asked
        return shape
    return _("{shape}; {half} suffice half of the time, {most} nine times in ten").format(
        shape=shape, half=half, most=most
    )


def _matrix_text(value: Any) -> str:
    kept = sum(value[row, row] == 1 for row in range(min(value.shape)))
    return _("{rows} x {columns} matrix, {kept} states that are never left").format(
        rows=value.rows, columns=value.cols, kept=kept
    )


def amount_latex(value: Any, units: str = "") -> str:
    r"""Write a number, a tuple of numbers or a small matrix in LaTeX; empty for what is none of them.

    >>> print(amount_latex(Fraction(1, 2), "chance"))
    \frac{1}{2} = 50\,\%
    """
    if isinstance(value, tuple) and value and all(type(part) is int for part in value):
        return r",\ ".join(map(str, value))
    if is_symbolic(value) or hasattr(value, "cols"):
        return _symbolic_latex(value)
    if isinstance(value, bool) or not isinstance(value, (int, Fraction)):
        return ""
    number = _number_latex(Fraction(value))
    if not is_chance(value, units):
        return number
    sign = "=" if (value * 10_000).denominator == 1 else r"\approx"
    percent = percent_text(Fraction(value))
    written = percent.replace(" %", r"\,\%") if percent[0].isdigit() else words_latex(percent)
    return rf"{number} {sign} {written}"


def _symbolic_latex(value: Any) -> str:
    import sympy

    if getattr(value, "cols", 0) > _WIDEST_MATRIX:
        return ""
    return str(sympy.latex(value, mat_str="array"))


def _number_latex(value: Fraction) -> str:
    if is_longer(value, LONGEST):
        return significant(value)
    if value.denominator == 1:
        return str(value)
    sign = "-" if value < 0 else ""
    return rf"{sign}\frac{{{abs(value.numerator)}}}{{{value.denominator}}}"


# LaTeX gives these characters a meaning; outside \text each has a name that both LaTeX and MathJax know.
_SPECIAL = {
    **{character: rf"\{character}" for character in "%_$#&{}"},
    "\\": r"\backslash ",
    "^": r"\wedge ",
    "~": r"\sim ",
}


def words_latex(text: str) -> str:
    r"""Write words in LaTeX so that nothing in them, a name for example, is read as a command.

    >>> print(words_latex("50 %"))
    \text{50 }\%\text{}
    """
    return r"\text{" + "".join(rf"}}{_SPECIAL[one]}\text{{" if one in _SPECIAL else one for one in text) + "}"


def same(one: Any, other: Any) -> bool:
    """Whether two results are equal, arrays included.

    >>> same((1, 2), (1, 2)), same(1, 2)
    (True, False)
    """
    if is_array(one) or is_array(other):
        return bool((one == other).all())
    return bool(one == other)
