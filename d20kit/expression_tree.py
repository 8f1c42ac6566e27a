"""What a dice expression means: each node knows its distribution, how it is rolled and how it is written."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any, NamedTuple

from d20kit.dice import Pmf, as_constant, d
from d20kit.keeping import afford_keeping, keep_highest, keep_lowest
from d20kit.language import _
from d20kit.polynomials import MAX_SIDES, afford
from d20kit.randomness import Roller, draw_below

MAX_DICE = 10_000
MAX_NUMBER = 1_000_000


class Rolled(NamedTuple):
    """One roll of an expression: its total, every face that was rolled, and the line that shows the arithmetic.

    >>> Combined("+", Dice(2, 6), Number(3)).roll(Random(1))
    Rolled(total=8, faces=(2, 3), text='2d6 (2, 3) + 3 = 8')
    """

    total: int
    faces: tuple[int, ...]
    text: str


class Span(NamedTuple):
    """What a distribution will need, known before it is computed.

    >>> Dice(4, 6, kept=3).span()
    Span(low=3, high=18, bits=12)
    """

    low: int
    high: int
    bits: int


class Expression(ABC):
    """A node of a dice expression; make one with :func:`d20kit.expression.read`.

    >>> from d20kit.expression import read
    >>> damage = read("2d4 + 4")
    >>> isinstance(damage, Expression), str(damage), damage.pmf().mean()
    (True, '2d4+4', Fraction(9, 1))
    """

    @property
    def strength(self) -> int:
        """How tightly the node binds: what binds less than its surroundings needs parentheses."""
        return 4

    def pmf(self) -> Pmf:
        """Return the exact distribution; equal parts are computed once.

        >>> from d20kit.expression import read
        >>> read("1d6+1d6").pmf().pmf(7)
        Fraction(1, 6)
        """
        return self._pmf({})

    def _pmf(self, known: dict[Expression, Pmf]) -> Pmf:
        """Return the distribution, and remember it for equal parts of the same expression."""
        if self not in known:
            known[self] = self._computed(known)
        return known[self]

    @abstractmethod
    def _computed(self, known: dict[Expression, Pmf]) -> Pmf:
        """Compute the distribution from those of the parts."""

    def span(self) -> Span:
        """Return lowest and highest total and the size of the weights, refusing what would be too much work."""
        return self._ends

    @cached_property
    def _ends(self) -> Span:
        return self._measured()

    @abstractmethod
    def _measured(self) -> Span:
        """Find the span from those of the parts."""

    def roll(self, random: Random | Roller) -> Rolled:
        """Roll every die once.

        >>> from random import Random
        >>> from d20kit.expression import read
        >>> read("2d6+3").roll(Random(1)).text
        '2d6 (2, 3) + 3 = 8'
        """
        total, faces, shown = self._rolled(random)
        return Rolled(total, faces, f"{shown} = {total}" if faces else shown)

    @abstractmethod
    def _rolled(self, random: Random | Roller) -> tuple[int, tuple[int, ...], str]:
        """Return total, faces and the text that shows them."""

    def _inside(self, text: str, strength: int) -> str:
        return f"({text})" if self.strength < strength else text


@dataclass(frozen=True)
class Number(Expression):
    """A number that is always itself.

    >>> Number(4).pmf().mean()
    Fraction(4, 1)
    """

    value: int

    def __post_init__(self) -> None:
        if self.value > MAX_NUMBER:
            raise ValueError(_("a number in a dice expression may be at most {most}").format(most=MAX_NUMBER))

    def _computed(self, known: dict[Expression, Pmf]) -> Pmf:
        return as_constant(self.value)

    def _measured(self) -> Span:
        return Span(self.value, self.value, 1)

    def _rolled(self, random: Random | Roller) -> tuple[int, tuple[int, ...], str]:
        return self.value, (), str(self.value)

    def __str__(self) -> str:
        return str(self.value)


@dataclass(frozen=True)
class Dice(Expression):
    """Some equal dice, of which perhaps only the highest or lowest count.

    >>> better = Dice(2, 20, kept=1)
    >>> str(better), better.pmf().pmf(20)
    ('2d20kh1', Fraction(39, 400))
    """

    count: int
    sides: int
    kept: int | None = None
    highest: bool = True

    def __post_init__(self) -> None:
        if not (1 <= self.count <= MAX_DICE and 1 <= self.sides <= MAX_SIDES):
            raise ValueError(
                _("dice must be from 1d1 to {dice}d{sides}, but {text} was given").format(
                    dice=MAX_DICE, sides=MAX_SIDES, text=_shorten(f"{self.count}d{self.sides}")
                )
            )
        if self.kept is not None and not 1 <= self.kept <= self.count:
            raise ValueError(
                _("from {count} dice 1 to {count} can be kept, but {kept} was given").format(
                    count=self.count, kept=_shorten(str(self.kept))
                )
            )

    def _computed(self, known: dict[Expression, Pmf]) -> Pmf:
        if self.kept is None or self.kept == self.count:
            return self.count @ d(self.sides)
        return (keep_highest if self.highest else keep_lowest)(self.count, self.sides, self.kept)

    def _measured(self) -> Span:
        kept = self.kept or self.count
        bits = self.count * self.sides.bit_length()
        afford(kept * (self.sides - 1) + 1, bits)
        if kept < self.count:
            afford_keeping(self.count, self.sides, kept)
        return Span(kept, kept * self.sides, bits)

    def _rolled(self, random: Random | Roller) -> tuple[int, tuple[int, ...], str]:
        faces = tuple(1 + draw_below(random, self.sides) for _die in range(self.count))
        kept = sorted(faces, reverse=self.highest)[: self.kept]
        shown = ", ".join(map(str, faces))
        if len(kept) < len(faces):
            shown += " → " + ", ".join(map(str, kept))
        return sum(kept), faces, f"{self} ({shown})"

    def __str__(self) -> str:
        keep = "" if self.kept is None else f"k{'h' if self.highest else 'l'}{self.kept}"
        return f"{self.count}d{self.sides}{keep}"


@dataclass(frozen=True)
class Negated(Expression):
    """An expression counted downwards.

    >>> str(Negated(Dice(1, 4))), Negated(Dice(1, 4)).span()[:2]
    ('-1d4', (-4, -1))
    """

    inner: Expression

    @property
    def strength(self) -> int:
        return 3

    def _computed(self, known: dict[Expression, Pmf]) -> Pmf:
        return -self.inner._pmf(known)

    def _measured(self) -> Span:
        low, high, bits = self.inner.span()
        return Span(-high, -low, bits)

    def _rolled(self, random: Random | Roller) -> tuple[int, tuple[int, ...], str]:
        total, faces, shown = self.inner._rolled(random)
        return -total, faces, "-" + self.inner._inside(shown, 3)

    def __str__(self) -> str:
        return "-" + self.inner._inside(str(self.inner), 3)


@dataclass(frozen=True)
class Combined(Expression):
    """Two expressions joined by +, - or *.

    >>> doubled = Combined("*", Combined("+", Dice(1, 8), Number(3)), Number(2))
    >>> str(doubled), doubled.pmf().support(), doubled.pmf().pmf(9)
    ('(1d8+3)*2', (8, 22), Fraction(0, 1))
    """

    sign: str
    left: Expression
    right: Expression

    @property
    def strength(self) -> int:
        return 2 if self.sign == "*" else 1

    def _computed(self, known: dict[Expression, Pmf]) -> Pmf:
        joined: Pmf = self._join(self.left._pmf(known), self.right._pmf(known))
        return joined

    def _join(self, left: Any, right: Any) -> Any:
        if self.sign == "+":
            return left + right
        return left - right if self.sign == "-" else left * right

    def _measured(self) -> Span:
        left, right = self.left.span(), self.right.span()
        ends = [self._join(a, b) for a in left[:2] for b in right[:2]]
        span = Span(min(ends), max(ends), left.bits + right.bits)
        if self.sign == "*" and left.low < left.high and right.low < right.high:
            afford((left.high - left.low + 1) * (right.high - right.low + 1), 1)
        if max(-span.low, span.high) > MAX_NUMBER:
            raise ValueError(_("a dice expression may reach at most {most}").format(most=MAX_NUMBER))
        afford(span.high - span.low + 1, span.bits)
        return span

    def _rolled(self, random: Random | Roller) -> tuple[int, tuple[int, ...], str]:
        left, left_faces, left_text = self.left._rolled(random)
        right, right_faces, right_text = self.right._rolled(random)
        return self._join(left, right), left_faces + right_faces, self._write(left_text, right_text, f" {self.sign} ")

    def __str__(self) -> str:
        return self._write(str(self.left), str(self.right), self.sign)

    def _write(self, left: str, right: str, sign: str) -> str:
        # the right side must bind tighter, or a - (b - c) would lose its parentheses
        return self.left._inside(left, self.strength) + sign + self.right._inside(right, self.strength + 1)


def _shorten(text: str) -> str:
    return text if len(text) <= 30 else text[:27] + "..."
