"""Refuse what has no meaning, in a sentence that says what to write instead."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import fields
from fractions import Fraction
from functools import wraps
from itertools import islice
from typing import Any, TypeVar

from d20kit.algebra import is_array, is_short, is_symbolic
from d20kit.language import _

Made = TypeVar("Made")

# Each of Python's own kinds of value -> what makes one of a class derived from it, by no method that it may override.
_KINDS: dict[type, Callable[[Any], Any]] = {
    bool: bool,
    str: str.__str__,
    int: int.__pos__,
    float: float.__pos__,
    Fraction: Fraction.__pos__,
    list: list.copy,
    tuple: lambda value: tuple.__getitem__(value, slice(None)),
    dict: lambda value: dict(dict.items(value)),
}


def bare(value: Any) -> Any:
    """Return a value of a class derived from one of Python's own kinds as that kind itself, whatever else as it is.

    A class of the reader's own may compare, measure or write itself in its own way, and raise anything on the way;
    what is inside is asked no such thing.

    >>> class Shy(str):
    ...     def __len__(self):
    ...         raise RuntimeError
    >>> bare(Shy("bow")), bare(None)
    ('bow', None)
    """
    if type(value) in _KINDS:
        return value
    return next((inside(value) for kind, inside in _KINDS.items() if isinstance(value, kind)), value)


def refuse(name: str, value: Any, allowed: str, fix: str = "") -> ValueError:
    """Build the error: argument, value given, what is allowed, what to write instead.

    >>> raise refuse("face", 0, "a whole number from 1 to 20", "the d20 has no 0")
    Traceback (most recent call last):
    ValueError: face is 0, but must be a whole number from 1 to 20; the d20 has no 0
    """
    text = _("{name} is {value}, but must be {allowed}").format(name=name, value=shown(value), allowed=allowed)
    return ValueError(f"{text}; {fix}" if fix else text)


def shown(value: Any) -> str:
    """Write any value in at most 80 characters on one line, even one that cannot write itself.

    >>> shown("1d6"), shown(10**5000)
    ("'1d6'", 'a number of 5001 digits')
    """
    if is_symbolic(value) and not is_short(value, 1000):  # to write so many parts might take for ever
        return _("a {kind} that cannot be shown").format(kind=type(value).__name__)
    try:
        text = " ".join(repr(value).splitlines())
    except Exception:  # the value's own code, which may raise anything
        if isinstance(value, int):
            return _("a number of {digits} digits").format(digits=_digits(abs(bare(value))))
        return _("a {kind} that cannot be shown").format(kind=type(value).__name__)
    return text if len(text) <= 80 else text[:77] + "..."


def _digits(number: int) -> int:
    """Count the digits of a number that Python would not write."""
    digits = int(number.bit_length() * math.log10(2))
    return digits + int(number >= 10**digits)


def one_of(name: str, value: Any, choices: Iterable[str]) -> str:
    """Accept one of some names; otherwise offer the nearest.

    >>> one_of("progression", "good", ("good", "poor"))
    'good'
    """
    known, text = list(choices), bare(value)
    if isinstance(text, str) and text in known:
        return text
    allowed = _("one of {choices}").format(choices=", ".join(repr(choice) for choice in known))
    near = _nearest(text, known) if isinstance(text, str) else []
    fix = _("did you mean {nearest!r}?").format(nearest=near[0]) if near else ""
    raise refuse(name, value, allowed, fix)


def _nearest(text: str, known: list[str]) -> list[str]:
    import difflib  # loaded here: only a refusal needs it

    return difflib.get_close_matches(text.lower(), known, 1)


def named_arguments(made: type[Made]) -> type[Made]:
    """Let a dataclass refuse an argument that it does not know, naming the nearest that it does.

    >>> from dataclasses import dataclass
    >>> @named_arguments
    ... @dataclass
    ... class Band:
    ...     low: int
    >>> Band(lov=3)
    Traceback (most recent call last):
    ValueError: argument is 'lov', but must be one of 'low'; did you mean 'low'?
    """
    usual: Any = made.__init__
    known = [one.name for one in fields(made)]  # type: ignore[arg-type]

    @wraps(usual)
    def checked(self: Made, *values: Any, **named: Any) -> None:
        for name in named:
            one_of("argument", name, known)
        usual(self, *values, **named)

    made.__init__ = checked  # type: ignore[method-assign, assignment]
    return made


def truth(name: str, value: Any) -> bool:
    """Accept True or False and nothing that only behaves like them.

    >>> truth("touch", True)
    True
    >>> truth("touch", 1)
    Traceback (most recent call last):
    ValueError: touch is 1, but must be True or False
    """
    if isinstance(value, bool):
        return value
    raise refuse(name, value, _("True or False"))


def _range_text(low: int | None, high: int | None) -> str:
    if low is not None and high is not None:
        return _("a whole number from {low} to {high}").format(low=low, high=high)
    if low is not None:
        return _("a whole number, {low} or more").format(low=low)
    if high is not None:
        return _("a whole number, {high} or less").format(high=high)
    return _("a whole number")


def whole(name: str, value: Any, low: int | None = None, high: int | None = None, fix: str = "") -> Any:
    """Accept a whole number, an array of them or a symbol; return numbers of any type, SymPy's too, as ints.

    >>> whole("level", 3.0, low=1)
    3
    """
    if type(value) is int and (low is None or low <= value) and (high is None or value <= high):
        return value  # the usual case, and the quick one
    if is_array(value) and value.size > LARGEST_ARRAY:
        raise _too_large(name, value)
    sound = value if type(value) is int else _as_whole(value)
    if sound is None or not _within(sound, low, high):
        raise refuse(name, value, _range_text(low, high), fix)
    return sound


def _as_whole(value: Any) -> Any:
    if is_symbolic(value):
        return _whole_symbol(value)
    return _whole_array(value) if is_array(value) else _whole_number(value)


def one_whole(name: str, value: Any, low: int | None = None, high: int | None = None, fix: str = "") -> int:
    """Accept one whole number, neither an array nor a symbol.

    >>> one_whole("face", 20, 1, 20)
    20
    """
    if type(value) is int and (low is None or low <= value) and (high is None or value <= high):
        return value  # the usual case, and the quick one
    sound: Any = value if type(value) is int else None if is_array(value) else _as_whole(value)
    if type(sound) is not int or not _within(sound, low, high):
        many = is_array(value) or is_symbolic(value)
        raise refuse(name, value, (_one_range_text if many else _range_text)(low, high), fix)
    return int(sound)


def _one_range_text(low: int | None, high: int | None) -> str:
    if low is not None and high is not None:
        return _("one whole number from {low} to {high}").format(low=low, high=high)
    return _("one whole number")


# Of the die of every attack roll, saving throw and initiative roll.
FACES = 20
# No bonus, penalty, class or difficulty of the rules comes near this.
MODIFIER_LIMIT = 1000


def modifier(name: str, value: Any, fix: str = "") -> Any:
    """Accept a bonus, a penalty, an armor class or a difficulty class: a whole number of sane size.

    >>> modifier("bonus", -2)
    -2
    """
    return whole(name, value, -MODIFIER_LIMIT, MODIFIER_LIMIT, fix)


def one_modifier(name: str, value: Any, fix: str = "") -> int:
    """Accept one bonus, penalty or class, neither an array nor a symbol.

    >>> one_modifier("bonus", -2)
    -2
    """
    return one_whole(name, value, -MODIFIER_LIMIT, MODIFIER_LIMIT, fix)


# Exact results are objects: so many of them take about a second.
LARGEST_ARRAY = 50_000


def _too_large(name: str, value: Any) -> ValueError:
    allowed = _("an array that gives at most {most} results").format(most=LARGEST_ARRAY)
    return refuse(name, value, allowed, _("give a part of it at a time"))


def together(**numbers: Any) -> None:
    """Refuse arrays whose shapes do not fit each other or give too many results, and arrays beside symbols.

    >>> together(bonus=3, ac=15)
    """
    if {int}.issuperset(map(type, numbers.values())):
        return  # the usual case, and the quick one
    arrays = {name: value for name, value in numbers.items() if is_array(value)}
    if not arrays:
        return
    if is_symbolic(*numbers.values()):
        name, symbol = next((name, value) for name, value in numbers.items() if is_symbolic(value))
        raise refuse(
            name, symbol, _("a number or an array, because {other} is an array").format(other=next(iter(arrays)))
        )
    shape: tuple[int, ...] = ()
    for name, value in arrays.items():
        try:
            shape = sys.modules["numpy"].broadcast_shapes(shape, value.shape)
        except ValueError:
            allowed = _("an array whose shape fits the shape {shape} of the others").format(shape=shape)
            raise refuse(name, value, allowed, _("give a number or arrays of one length")) from None
        if math.prod(shape) > LARGEST_ARRAY:
            raise _too_large(name, value)


# Longer lists than this are no list of combatants, classes, dice or multipliers.
LONGEST_LIST = 1000


def members(name: str, value: Any, allowed: str, fix: str = "", most: int = LONGEST_LIST) -> list[Any]:
    """Accept a list, a tuple or whatever else gives its members in an order, and return them.

    >>> members("rolls", (3, 4), "a list of totals")
    [3, 4]
    """
    loose = isinstance(value, (str, bytes, bytearray, Mapping, Set, type)) or is_symbolic(value)
    if loose or not isinstance(value, Iterable):
        raise refuse(name, value, allowed, fix)
    try:
        found = list(islice(bare(value), most + 1))
    except Exception:  # an array without a dimension, or whatever an iterator of the reader raises
        raise refuse(name, value, allowed, fix) from None
    if len(found) > most:
        raise refuse(name, value, _("at most {most} of them").format(most=most), fix)
    return found


def called(name: str, value: Any, allowed: str, fix: str = "") -> Any:
    """Accept a function, or whatever else can be called.

    >>> called("watch", print, "a function of an event") is print
    True
    """
    if callable(value):
        return value
    raise refuse(name, value, allowed, fix)


def mapping(name: str, value: Any, allowed: str, fix: str = "") -> dict[Any, Any]:
    """Accept a mapping of names to something, and return a copy.

    >>> mapping("totals", {"wolf": 12}, "a mapping of names to totals")
    {'wolf': 12}
    """
    if not isinstance(value, Mapping):
        raise refuse(name, value, allowed, fix)
    given = bare(value)
    try:
        found = dict(given) if len(given) <= LONGEST_LIST else None
    except Exception:  # a mapping of the reader's own, which may raise anything
        raise refuse(name, value, allowed, fix) from None
    if found is None:
        raise refuse(name, value, _("at most {most} of them").format(most=LONGEST_LIST), fix)
    return found


def _within(value: Any, low: int | None, high: int | None) -> bool:
    if type(value) is not int:
        if is_array(value):
            return not value.size or (_within(value.min(), low, high) and _within(value.max(), low, high))
        if is_symbolic(value):
            return True
    return (low is None or value >= low) and (high is None or value <= high)


def _whole_number(value: Any) -> int | None:
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(value, numpy.generic):
        value = value.item()
    if isinstance(value, bool) or not isinstance(value, (int, float, Fraction)):
        return None
    if isinstance(value, float) and not math.isfinite(value):
        return None
    try:
        return int(value) if value == int(value) else None
    except Exception:  # a subclass's own conversion, which may raise anything
        return None


def exactly(value: Any) -> Fraction | None:
    """Return a whole number, a float or a Fraction as a Fraction; None for a truth, an infinity, NaN and all else.

    >>> exactly(0.5), exactly("1/2")
    (Fraction(1, 2), None)
    """
    number = bare(value)
    if isinstance(number, bool) or not isinstance(number, (int, float, Fraction)):
        return None
    if isinstance(number, float) and not math.isfinite(number):
        return None
    return Fraction(number)


def _whole_symbol(value: Any) -> Any:
    sympy = sys.modules["sympy"]
    if not isinstance(value, sympy.Expr) or value.is_finite is False:
        return None
    if value.is_number:
        return int(value) if value.is_integer else None
    return None if value.is_integer is False else value


def _whole_array(value: Any) -> Any:
    numpy = sys.modules["numpy"]
    if isinstance(value, numpy.ma.MaskedArray):
        return None  # what is hidden in it is no number
    if not value.ndim:
        return _whole_number(value.item())
    value = numpy.asarray(value)  # a matrix would multiply as matrices do
    if value.dtype.kind in "iu":
        # small or unsigned types would wrap around in the first sum
        return value.astype("int64") if not value.size or value.max() < 2**63 else None
    if value.dtype.kind not in "fO":
        return None
    numbers = [_whole_number(item) for item in value.flat]
    if None in numbers:
        return None
    return numpy.array(numbers, dtype=object if value.dtype.kind == "O" else None).reshape(value.shape)
