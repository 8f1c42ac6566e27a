"""How formulas are written: in plain text, in LaTeX, with the numbers put in."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from d20kit.amounts import amount_latex
from d20kit.language import _

if TYPE_CHECKING:
    import sympy

_LETTERS = "kmnuvw"


@dataclass(frozen=True)
class Notation:
    """How the symbols of a formula are written.

    Attributes
    ----------
    order : sequence of str
        Names in the order in which a sum shall list them: that of the rule's parameters.
    values : mapping of str to value, optional
        What to write instead of each symbol.

    Examples
    --------
    >>> import sympy
    >>> bonus, ac = sympy.symbols("bonus ac")
    >>> Notation(["bonus", "ac"]).text(21 + bonus - ac), Notation([], {"bonus": 7, "ac": 18}).text(bonus + ac)
    ('21 + bonus - ac', '18 + 7')
    """

    order: Sequence[str] = ()
    values: Mapping[str, Any] | None = None

    def text(self, expression: Any) -> str:
        """Write an expression in plain text."""
        from d20kit.printers import TextPrinter

        return _without_idle_parentheses(TextPrinter(self._place, self._names(expression)).doprint(expression))

    def latex(self, expression: Any) -> str:
        """Write an expression in LaTeX."""
        from d20kit.printers import LatexPrinter

        known = self.values or {}
        names = {
            symbol: amount_latex(known[symbol.name]) if isinstance(known[symbol.name], Fraction) else name
            for symbol, name in self._names(expression).items()
            if symbol.name in known
        }
        return str(LatexPrinter(self._place, names).doprint(expression))

    def _names(self, expression: Any) -> dict[Any, str]:
        return {symbol: self._name(symbol.name) for symbol in getattr(expression, "free_symbols", ())}

    def _name(self, name: str) -> str:
        """The value, in parentheses where a minus sign would run into an operator; without one the name."""
        if name not in (self.values or {}):
            return name
        value = str(self.values[name])  # type: ignore[index]
        return f"({value})" if value.startswith("-") or "/" in value else value

    def _place(self, term: Any) -> tuple[int, bool, int]:
        """Where a term stands in a sum: numbers first, then symbols in their order; what is taken away last."""
        negative = bool(term.could_extract_minus_sign())
        if term.is_number:
            return (2 if negative else 0), negative, 0
        known = [self.order.index(one.name) for one in term.free_symbols if one.name in self.order]
        return 1, negative, min(known, default=len(self.order))


def _without_idle_parentheses(text: str) -> str:
    """Remove the parentheses of a negative number that nothing stands before: ``max(0, (-1))``."""
    return re.sub(r"(?:(?<=[(\[|])|(?<=, )|^)\((-\d+)\)(?=[,)\]| ]|$)", r"\1", text)


def share(parts: Sequence[Any], taken: Sequence[str]) -> tuple[list[Any], dict[sympy.Symbol, Any]]:
    """Give what appears more than once in formulas a letter of its own.

    Parameters
    ----------
    parts : sequence of SymPy expressions
    taken : sequence of str
        Letters that already mean something.

    Returns
    -------
    tuple
        The shortened formulas, and the expression that each letter stands for, in the order to be read.

    Examples
    --------
    >>> import sympy
    >>> x = sympy.Symbol("x")
    >>> share([1 - sympy.Max(0, x), sympy.Max(0, x)], [])
    ([1 - k, k], {k: Max(0, x)})
    """
    import sympy

    shortened = list(parts)
    meanings: dict[sympy.Symbol, Any] = {}
    letters = [letter for letter in _LETTERS if letter not in taken]
    while letters and (often := [node for node, times in Counter(_clamps(shortened)).items() if times > 1]):
        node = min(often, key=lambda one: one.count_ops())
        symbol = sympy.Symbol(letters.pop(0), integer=True)
        shortened = [part.xreplace({node: symbol}) for part in shortened]
        meanings[symbol] = node
    for symbol in [one for one in meanings if _uses(one, [*shortened, *meanings.values()]) == 1]:
        alone = {symbol: meanings.pop(symbol)}
        shortened = [part.xreplace(alone) for part in shortened]
        meanings = {one: meaning.xreplace(alone) for one, meaning in meanings.items()}
    return [_flat(part) for part in shortened], meanings


def _uses(symbol: Any, expressions: Sequence[Any]) -> int:
    import sympy

    return sum(node == symbol for one in expressions for node in sympy.preorder_traversal(one))


def _flat(expression: Any) -> Any:
    """Case distinctions inside one another, or inside a quotient, as one list of cases."""
    import sympy

    if not expression.has(sympy.Piecewise):
        return expression
    folded = sympy.piecewise_fold(expression)
    cases: list[tuple[Any, Any]] = []
    for value, condition in folded.args if isinstance(folded, sympy.Piecewise) else [(folded, True)]:
        condition = _plain(condition)
        if condition not in [known for _value, known in cases]:
            cases.append((value, condition))
    return sympy.Piecewise(*cases, evaluate=False)


def _plain(condition: Any) -> Any:
    """A conjunction without the parts that another part says more sharply."""
    import sympy

    if not isinstance(condition, sympy.And):
        return condition
    strict = {(part.lhs, part.rhs) for part in condition.args if isinstance(part, (sympy.Gt, sympy.Lt))}
    kept = [
        part
        for part in condition.args
        if not (isinstance(part, (sympy.Ge, sympy.Le)) and (part.lhs, part.rhs) in strict)
    ]
    return sympy.And(*kept, evaluate=False) if len(kept) > 1 else kept[0]


def _is_clamp(node: Any) -> bool:
    import sympy

    return isinstance(node, (sympy.Min, sympy.Max))


def _clamps(parts: Sequence[Any]) -> Iterator[Any]:
    """Every minimum and maximum; one held between two ends counts as a whole."""
    waiting = list(parts)
    while waiting:
        node = waiting.pop()
        inner = node.args
        if _is_clamp(node):
            yield node
            if (end := _end(node)) and _is_clamp(end.inner):
                inner = end.inner.args
        waiting += inner


def branch(expression: Any, values: Mapping[str, Any]) -> Any:
    """Keep of each case distinction the case that the values are in.

    >>> import sympy
    >>> x = sympy.Symbol("x")
    >>> branch(sympy.Piecewise((x, x > 0), (-x, True)), {"x": -3})
    -x
    """
    import sympy

    def chosen(*cases: Any) -> Any:
        return next((value for value, condition in cases if evaluate(condition, values) == True), cases[-1][0])  # noqa: E712

    return expression.replace(sympy.Piecewise, chosen)


def evaluate(expression: Any, values: Mapping[str, Any]) -> Any:
    """Put the values in and compute, exactly.

    >>> import sympy
    >>> evaluate(sympy.floor(sympy.Symbol("x") / 2), {"x": -3})
    -2
    """
    import sympy

    def exact(value: Any) -> Any:
        return sympy.Rational(value.numerator, value.denominator) if hasattr(value, "denominator") else value

    known = {symbol: exact(values[symbol.name]) for symbol in expression.free_symbols if symbol.name in values}
    return expression.subs(known).doit() if known else expression


@dataclass(frozen=True)
class End:
    """A part of a formula that is held between two ends, or at one.

    ``low`` or ``high`` is None where there is no such end.

    >>> import sympy
    >>> End(sympy.Symbol("x"), low=1).sentence(Notation(), {"x": -2})
    'x counts as at least 1: below that the curve is flat; here it is -2, counted as 1'
    """

    inner: Any
    low: Any = None
    high: Any = None

    def sentence(self, notation: Notation, values: Mapping[str, Any]) -> str:
        """Say what is held, and what that means for the values."""
        import sympy

        said = self._held().format(inner=notation.text(self.inner), low=self.low, high=self.high)
        free = evaluate(self.inner, values)
        if not isinstance(free, sympy.Rational):
            return said
        here = _("{said}; here it is {free}").format(said=said, free=free)
        end = self._hit(free)
        return here if end is None else _("{here}, counted as {end}").format(here=here, end=end)

    def _hit(self, free: Any) -> Any:
        """The end that a value lies beyond, or None."""
        if self.low is not None and free < self.low:
            return self.low
        return self.high if self.high is not None and free > self.high else None

    def _held(self) -> str:
        if self.high is None:
            return _("{inner} counts as at least {low}: below that the curve is flat")
        if self.low is None:
            return _("{inner} counts as at most {high}: above that the curve is flat")
        return _("{inner} counts as at least {low} and at most {high}: beyond them the curve is flat")

    def latex(self, notation: Notation) -> str:
        """Write the cases one below the other."""
        from d20kit.printers import cases_latex

        inner = notation.latex(self.inner)
        cases = [(self.low, f"{inner} < {self.low}"), (self.high, f"{inner} > {self.high}")]
        held = [(str(end), condition) for end, condition in cases if end is not None]
        return rf"{inner} \to {cases_latex(held, inner)}"


def find_ends(expression: Any) -> list[End]:
    """Return every part of a formula that is held between two numbers or at one, outermost first.

    >>> import sympy
    >>> find_ends(sympy.Min(19, sympy.Max(1, sympy.Symbol("x"))))
    [End(inner=x, low=1, high=19)]
    """
    import sympy

    found: list[End] = []
    covered = set()
    for node in sympy.preorder_traversal(expression):
        if not _is_clamp(node) or node in covered:
            continue
        one = _end(node)
        if one is None:
            continue
        if _is_clamp(one.inner) and type(one.inner) is not type(node) and (within := _end(one.inner)):
            covered.add(one.inner)
            ends = (value for value in (one.low, one.high, within.low, within.high) if value is not None)
            low, high = sorted(ends)
            one = End(within.inner, low, high)
        found.append(one)
    return list(dict.fromkeys(found))


def _end(node: Any) -> End | None:
    """A minimum or maximum of one number and one other thing."""
    import sympy

    bounds = [part for part in node.args if part.is_number]
    free = [part for part in node.args if not part.is_number]
    if len(bounds) != 1 or len(free) != 1:
        return None
    return End(free[0], high=bounds[0]) if isinstance(node, sympy.Min) else End(free[0], low=bounds[0])
