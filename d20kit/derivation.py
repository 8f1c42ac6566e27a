"""Formula, substitution, value and reason, for any rule."""

from __future__ import annotations

import html
import inspect
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from d20kit import amounts
from d20kit.algebra import is_array
from d20kit.amounts import WIDEST_LINE
from d20kit.arguments import call, check_names, opened, parameters_in_order, settled
from d20kit.check import refuse
from d20kit.formula import Notation, branch, evaluate, find_ends, share
from d20kit.language import _
from d20kit.rule import Card, card_of
from d20kit.rulesets import SWITCHES, Ruleset
from d20kit.symbols import symbol_latex
from d20kit.workings import working


@dataclass(frozen=True)
class Step:
    """One line of a derivation: what it is, in plain text and, where it is a formula, in LaTeX.

    ``words`` is what the text says and the LaTeX does not.

    >>> Step("value", "1/2 = 50 % = 1 in 2").latex
    ''
    """

    label: str
    text: str
    latex: str = ""
    words: str = ""


@dataclass(frozen=True)
class Derivation:
    """A rule at work on given values; print it, or let a notebook show it.

    Attributes
    ----------
    value
        What the rule gives for the values: the very object the rule returns.
    formula : sympy.Expr, tuple of them, or None
        The rule with symbols for the values; None where a rule has no formula (a table or a procedure).
    numbers : dict of str to value
        The value of each symbol of the formula.
    steps : tuple of Step
        Formula, substitution, what lies between, value, what its ends mean, and what each switch would change.

    Examples
    --------
    >>> from d20kit import explain
    >>> from d20kit.initiative import initiative_bonus
    >>> print(explain(initiative_bonus, dexterity=-1, other=4))  # doctest: +ELLIPSIS
    Initiative bonus
      formula           dexterity + other
      with the numbers  -1 + 4
      value             3
      why               ...
      in the rules      Initiative Checks
    """

    card: Card
    values: Mapping[str, Any]
    value: Any
    formula: Any
    numbers: Mapping[str, Any]

    @property
    def title(self) -> str:
        """The rule's name, in the language in use."""
        return _(self.card.title)

    @property
    def why(self) -> str:
        """The sentence that says why the rule is so."""
        return _(self.card.why)

    @property
    def source(self) -> str:
        """The heading of the rule text that this rule reads."""
        return _(self.card.source)

    @property
    def _symbol(self) -> str:
        return symbol_latex(self.card.symbol)

    @property
    def rules(self) -> Ruleset | None:
        """The rules in force, or None where no switch matters."""
        default = inspect.signature(self._rule).parameters.get("rules")
        return self.values.get("rules", default.default) if default else None

    @property
    def _rule(self) -> Callable[..., Any]:
        return self.card.function

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The lines of the derivation, in order."""
        between = [Step(label, text) for label, text in working(self._rule, self.values, self.value)]
        return (*self._formula_steps(), *between, *self._value_steps(), *self._end_steps(), *self._switch_steps())

    def _parts(self) -> list[tuple[str, Any]]:
        """The formulas with their labels: one, or one for each member of a tuple."""
        if self.formula is None:
            return []
        if not isinstance(self.formula, tuple):
            return [("", self.formula)]
        return list(zip(self._part_names(), self.formula, strict=True))

    def _part_names(self) -> list[str]:
        return [_(name) for name in self.card.parts]

    def _formula_steps(self) -> list[Step]:
        order = parameters_in_order(self._rule, self.numbers)
        named = self._parts()
        if not named:
            return []
        formulas, meanings = share([part for _name, part in named], order)
        numbers = dict(self.numbers)
        steps = [
            self._written(_("formula"), name, part, Notation(order))
            for (name, _p), part in zip(named, formulas, strict=True)
        ]
        shared = []
        for symbol, meaning in meanings.items():
            steps.append(_meaning(symbol, meaning, Notation(order)))
            if not _has_arrays(numbers):
                value = _exact(evaluate(meaning, numbers))
                shared.append(_meaning(symbol, meaning, Notation(order, numbers), value))
                numbers[symbol.name] = value
        if _has_arrays(numbers):
            return steps
        filled = [
            self._written(_("with the numbers"), name, branch(part, numbers), Notation(order, numbers))
            for (name, _p), part in zip(named, formulas, strict=True)
            if part.free_symbols
        ]
        return steps + shared + filled

    def _written(self, label: str, name: str, part: Any, notation: Notation) -> Step:
        return Step(_labelled(label, name), notation.text(part), self._equation(name, notation.latex(part)))

    def _equation(self, name: str, right: str) -> str:
        words = amounts.words_latex(name)
        left = f"P({words})" if name and self.card.units == "chance" else words
        return f"{left if name else self._symbol} = {right}"

    def _value_steps(self) -> list[Step]:
        if self.card.parts:
            return [self._value_step(name, one) for name, one in zip(self._part_names(), self.value, strict=True)]
        return [self._value_step("", self.value)]

    def _value_step(self, name: str, value: Any) -> Step:
        shown = amounts.amount_latex(value, self.card.units)
        text = amounts.amount(value, self.card.units)
        odds = amounts.one_in_text(Fraction(value)) if amounts.is_chance(value, self.card.units) else ""
        return Step(_labelled(_("value"), name), text, self._equation(name, shown) if shown else "", odds)

    def _end_steps(self) -> list[Step]:
        order = Notation(parameters_in_order(self._rule, self.numbers))
        known = set(self.values)  # the members of a list are no curve
        found = dict.fromkeys(
            end
            for _name, part in self._parts()
            for end in find_ends(part)
            if {symbol.name for symbol in end.inner.free_symbols} <= known
        )
        numbers = {} if _has_arrays(self.numbers) else self.numbers
        said = ((end.sentence(order, numbers), end.latex(order)) for end in found)
        return [Step(_("limits"), sentence, latex, sentence) for sentence, latex in said]

    def _switch_steps(self) -> list[Step]:
        rules = self.rules
        if rules is None:
            return []
        return [
            Step(_("switch"), self._switch_sentence(rules, switch, choice))
            for switch in self.card.switches
            for choice in SWITCHES[switch].choices
            if choice != getattr(rules, switch)
        ]

    def under(self, rules: Ruleset) -> Any:
        """Return the value under other rules.

        >>> from d20kit import SRD35, explain
        >>> from d20kit.saves import save_chance
        >>> explain(save_chance, bonus=19, dc=15).under(SRD35)
        Fraction(19, 20)
        """
        return call(self._rule, {**self.values, "rules": rules})

    def _switch_sentence(self, rules: Ruleset, switch: str, choice: Any) -> str:
        try:
            value = self.under(rules.replace(**{switch: choice}))
            same = amounts.same(value, self.value)
            effect = _("the value is the same") if same else _("the value is {value}").format(value=self._brief(value))
        except ValueError as refusal:  # the other reading may need an argument that this one does not
            effect = _("other values are needed, because {refusal}").format(refusal=refusal)
        sentence = _("{switch} ({meaning}) is {now} here; with {choice} {effect}")
        return sentence.format(
            switch=switch,
            now=_choice(getattr(rules, switch)),
            meaning=_(SWITCHES[switch].decides),
            choice=_choice(choice),
            effect=effect,
        )

    def _amount(self, value: Any) -> str:
        return self._parted(value, amounts.amount)

    def _brief(self, value: Any) -> str:
        return self._parted(value, amounts.brief)

    def _parted(self, value: Any, write: Callable[[Any, str], str]) -> str:
        if not self.card.parts:
            return write(value, self.card.units)
        named = zip(self._part_names(), value, strict=True)
        return "; ".join(f"{name} {write(part, self.card.units)}" for name, part in named)

    def _frame(self) -> list[tuple[str, str]]:
        """What is said after the steps."""
        in_force = [(_("rules"), repr(self.rules))] if self.rules is not None and self.card.switches else []
        return [*in_force, (_("why"), self.why), (_("in the rules"), self.source)]

    def __str__(self) -> str:
        rows = [(step.label, step.text) for step in self.steps] + self._frame()
        width = min(max(len(label) for label, _text in rows), 30)
        return "\n".join([self.title, *(_row(label, text, width) for label, text in rows)])

    def __repr__(self) -> str:
        return f"<{self.title}: {self._amount(self.value)}>"

    def _repr_latex_(self) -> str:
        rows = [step.latex for step in self.steps if step.latex]
        if not rows:
            rows = [rf"{self._symbol} = {amounts.words_latex(self._amount(self.value))}"]
        return "$\\displaystyle \\begin{gathered} " + " \\\\[4pt] ".join(rows) + " \\end{gathered}$"

    def _repr_html_(self) -> str:
        rows = "".join(_html_row(step) for step in self.steps)
        rows += "".join(_html_row(Step(label, text)) for label, text in self._frame())
        caption = f"<caption style='text-align:left'>{html.escape(self.title)}</caption>"
        return f"<table>{caption}<tbody>{rows}</tbody></table>"


def _choice(value: Any) -> str:
    return repr(value) if isinstance(value, str) else str(value)


def _exact(value: Any) -> Any:
    """SymPy's numbers as Python's."""
    return Fraction(int(value.p), int(value.q)) if getattr(value, "is_Rational", False) else value


def _meaning(symbol: Any, meaning: Any, notation: Notation, value: Any = None) -> Step:
    text, latex = f"{symbol.name} = {notation.text(meaning)}", f"{symbol.name} = {notation.latex(meaning)}"
    if value is None:
        return Step(_("where"), text, latex)
    return Step(_("where"), f"{text} = {value}", f"{latex} = {amounts.amount_latex(value)}")


# MathJax would read a dollar sign in a name as the start of a formula; this class keeps words from it.
_WORDS = "class='mathjax_ignore tex2jax_ignore'"


def _html_row(step: Step) -> str:
    formula = f"$\\displaystyle {html.escape(step.latex)}$" if step.latex else ""
    words = html.escape(step.words if step.latex else step.text)
    line = "<br>" if formula and words else ""  # beside a tall formula, words would seem to be part of its last case
    return (
        f"<tr><th scope='row' {_WORDS} style='text-align:left'>{html.escape(step.label)}</th>"
        f"<td style='text-align:left'>{formula}{line}<span {_WORDS}>{words}</span></td></tr>"
    )


def _row(label: str, text: str, width: int) -> str:
    first = f"  {label:<{width}}  "
    later = " " * (width + 4)
    return textwrap.fill(text, WIDEST_LINE, initial_indent=first, subsequent_indent=later, break_on_hyphens=False)


def _labelled(label: str, name: str) -> str:
    return f"{label}, {name}" if name else label


def _has_arrays(numbers: Mapping[str, Any]) -> bool:
    return any(is_array(value) for value in numbers.values())


def explain(rule: Callable[..., Any], **values: Any) -> Derivation:
    """Derive a rule's value step by step.

    Parameters
    ----------
    rule : function
        Any public rule, such as ``d20kit.attack.hit_chance``.
    **values
        The rule's own arguments, by name. What the rule takes as ``*name`` is given as a list. Lists and mappings
        have at most ``MOST_MEMBERS`` members, arrays at most ``MOST_ELEMENTS`` elements, both of
        :mod:`d20kit.arguments`.

    Returns
    -------
    Derivation
        Prints as text; shows formula, substitution, value, reason, source and switches in a notebook.

    Raises
    ------
    ValueError
        If the function is not a rule, an argument is unknown, missing or too long, or the rule refuses a value.

    Examples
    --------
    >>> from d20kit import explain
    >>> from d20kit.attack import hit_chance
    >>> explain(hit_chance, bonus=7, ac=18).value
    Fraction(1, 2)
    >>> explain(hit_chance, bonus=7, ac=18).steps[1].text
    'min(19, max(1, 21 + 7 - 18))/20'
    """
    card = card_of(rule)
    if card is None:
        fix = _("write explain(d20kit.attack.hit_chance, bonus=7, ac=18)")
        raise refuse("rule", rule, _("a public rule of d20kit"), fix)
    check_names(rule, values)
    values = settled(values)
    value = call(rule, values)
    symbols, numbers = opened(rule, values)
    # the rule itself, called with symbols: the formula can never differ from the rule
    return Derivation(card, values, value, call(rule, symbols) if numbers else None, numbers)
