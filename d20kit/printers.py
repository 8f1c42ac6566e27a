"""SymPy's printers, taught to write sums in the order of the rule and cases in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from sympy.printing.latex import LatexPrinter as _Latex
from sympy.printing.str import StrPrinter as _Text

from d20kit.amounts import words_latex
from d20kit.language import _

Place = Callable[[Any], Any]


class _InOrder:
    """Sums list their terms as a reader expects them."""

    _place: Place

    def _as_ordered_terms(self, expression: Any, order: Any = None) -> list[Any]:
        return sorted(expression.args, key=self._place)


class TextPrinter(_InOrder, _Text):  # type: ignore[misc]
    """Plain text: min, max, \\|x\\|, cases as "a if ...; otherwise b".

    >>> import sympy
    >>> TextPrinter(str, {}).doprint(sympy.Abs(sympy.Min(1, sympy.Symbol("x"))))
    '|min(1, x)|'
    """

    def __init__(self, place: Place, names: Mapping[Any, str]) -> None:
        super().__init__({"order": "none"})
        self._place, self._names_of = place, names

    def _print_Symbol(self, symbol: Any) -> str:  # noqa: N802
        return self._names_of.get(symbol, symbol.name)

    def _print_Min(self, node: Any) -> str:  # noqa: N802
        return f"min({self.stringify(sorted(node.args, key=self._place), ', ')})"

    def _print_Max(self, node: Any) -> str:  # noqa: N802
        return f"max({self.stringify(sorted(node.args, key=self._place), ', ')})"

    def _print_Abs(self, node: Any) -> str:  # noqa: N802
        return f"|{self._print(node.args[0])}|"

    def _print_NaN(self, _node: Any) -> str:  # noqa: N802
        return _("none")

    def _print_And(self, node: Any) -> str:  # noqa: N802
        return _(" and ").join(self._print(part) for part in node.args)

    def _print_Pow(self, node: Any, rational: bool = False) -> str:  # noqa: N802
        return str(super()._print_Pow(node, rational)).replace("**", "^")

    def _print_Piecewise(self, node: Any) -> str:  # noqa: N802
        *cases, last = node.args
        told = [
            _("{value} if {condition}").format(value=self._print(value), condition=self._print(condition))
            for value, condition in cases
        ]
        return "; ".join([*told, _("otherwise {value}").format(value=self._print(last[0]))])


class LatexPrinter(_InOrder, _Latex):  # type: ignore[misc]
    r"""LaTeX: parameters upright as words, letters as letters.

    >>> import sympy
    >>> print(LatexPrinter(str, {}).doprint(sympy.Symbol("range_penalty")))
    \text{range penalty}
    """

    def __init__(self, place: Place, names: Mapping[Any, str]) -> None:
        super().__init__({"order": "none", "mul_symbol": "dot"})
        self._place, self._names_of = place, names

    printmethod = None  # SymPy's "not a number" would write itself

    def _print_Symbol(self, symbol: Any, style: str = "plain") -> str:  # noqa: N802
        if symbol in self._names_of:
            return self._names_of[symbol]
        return symbol.name if len(symbol.name) == 1 else words_latex(symbol.name.replace("_", " "))

    def _print_NaN(self, _node: Any) -> str:  # noqa: N802
        return words_latex(_("none"))

    def _print_Piecewise(self, node: Any) -> str:  # noqa: N802
        *cases, last = node.args
        told = [(self._print(value), self._print(condition)) for value, condition in cases]
        return cases_latex(told, self._print(last[0]))


def cases_latex(cases: Iterable[tuple[str, str]], otherwise: str) -> str:
    r"""Write values with their conditions, all in LaTeX already, one below the other.

    >>> print(cases_latex([("0", "x < 0")], "x"))
    \begin{cases} 0 & \text{if}\ x < 0 \\ x & \text{otherwise} \end{cases}
    """
    when, last = words_latex(_("if")), words_latex(_("otherwise"))
    rows = [*(rf"{value} & {when}\ {condition}" for value, condition in cases), f"{otherwise} & {last}"]
    return r"\begin{cases} " + r" \\ ".join(rows) + r" \end{cases}"
