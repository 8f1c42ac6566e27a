"""The arguments of a rule: which it takes, and symbols in their place."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from d20kit.algebra import is_array, is_symbolic
from d20kit.check import bare, members, one_of, refuse, shown, whole
from d20kit.language import _

# A derivation writes every member of a list in its formula, and computes every element of an array several times.
MOST_MEMBERS = 100
MOST_ELEMENTS = 10_000
# Lists of pairs are the deepest that rules take.
_DEEPEST = 2
_VARIABLE = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


def call(rule: Callable[..., Any], values: Mapping[str, Any]) -> Any:
    """Call a rule with its arguments by name; those of ``*name`` are a list.

    >>> from d20kit.damage import stack_multipliers
    >>> call(stack_multipliers, {"multipliers": [2, 2]})
    3
    """
    many = [name for name, one in inspect.signature(rule).parameters.items() if one.kind is one.VAR_POSITIONAL]
    positional = [value for name in many for value in values.get(name, ())]
    return rule(*positional, **{name: value for name, value in values.items() if name not in many})


def check_names(rule: Callable[..., Any], values: Mapping[str, Any]) -> None:
    """Refuse an argument that the rule does not know, and a call that lacks one it needs.

    >>> from d20kit.attack import hit_chance
    >>> check_names(hit_chance, {"bonus": 7})
    Traceback (most recent call last):
    ValueError: hit_chance needs a value for ac; write ac=...
    """
    parameters = inspect.signature(rule).parameters
    if not any(one.kind is one.VAR_KEYWORD for one in parameters.values()):
        for name in values:
            one_of("argument", name, parameters)
    for name, one in parameters.items():
        if one.kind is one.VAR_POSITIONAL and not isinstance(values.get(name, ()), (list, tuple)):
            raise refuse(name, values[name], _("a list"), f"{name}=[{shown(values[name])}]")
    missing = [
        name
        for name, one in parameters.items()
        if one.default is one.empty and name not in values and one.kind not in _VARIABLE
    ]
    if missing:
        raise ValueError(
            _("{rule} needs a value for {names}; write {names_with_values}").format(
                rule=rule.__name__,
                names=", ".join(missing),
                names_with_values=", ".join(f"{name}=..." for name in missing),
            )
        )


def settled(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments that may be used again and again: whole numbers of any type as ints, iterators as lists.

    What is none of these is left as it is, for the rule to accept or to refuse.

    Parameters
    ----------
    values : mapping of str to value
        The arguments of a rule.

    Raises
    ------
    ValueError
        If a list or a mapping has more than ``MOST_MEMBERS`` members, or an array more than ``MOST_ELEMENTS`` elements.

    Examples
    --------
    >>> from fractions import Fraction
    >>> settled({"bonus": Fraction(7), "rolls": iter([3.0, 4])})
    {'bonus': 7, 'rolls': [3, 4]}
    """
    return {name: _settled(name, value, _DEEPEST) for name, value in values.items()}


def _settled(name: str, value: Any, depth: int) -> Any:
    if isinstance(value, (Mapping, list, tuple, Iterator)):
        return _settled_members(name, bare(value), depth) if depth else value
    if is_array(value):
        if value.size <= MOST_ELEMENTS:
            return value
        allowed = _("an array of at most {most} elements").format(most=MOST_ELEMENTS)
        raise refuse(name, value, allowed, _("explain fewer at a time"))
    try:
        return whole(name, value)
    except ValueError:
        return bare(value) if isinstance(value, str) else value


def _settled_members(name: str, value: Any, depth: int) -> Any:
    allowed = _("a list or a mapping of at most {most} members").format(most=MOST_MEMBERS)
    if not isinstance(value, Iterator) and len(value) > MOST_MEMBERS:
        raise refuse(name, value, allowed, _("explain fewer at a time"))
    if isinstance(value, Mapping):
        return {key: _settled(name, one, depth - 1) for key, one in value.items()}
    found = [_settled(name, one, depth - 1) for one in members(name, value, allowed, most=MOST_MEMBERS)]
    return tuple(found) if isinstance(value, tuple) else found


def symbolic_names(rule: Callable[..., Any]) -> list[str]:
    """Return the names of a rule's parameters that a symbol may stand for.

    >>> from d20kit.attack import hit_chance
    >>> symbolic_names(hit_chance)
    ['bonus', 'ac']
    """
    parameters = inspect.signature(rule).parameters.values()
    return [one.name for one in parameters if str(one.annotation).partition(" ")[0] == "Number"]


def opened(rule: Callable[..., Any], values: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Put a symbol in the place of every number that one may stand for.

    Parameters
    ----------
    rule : function
    values : mapping of str to value
        Its arguments.

    Returns
    -------
    tuple
        The arguments with symbols, and the value of each symbol by its name: that of the parameter, with a number
        behind it for the members of a list.

    Examples
    --------
    >>> from d20kit.damage import stack_multipliers
    >>> opened(stack_multipliers, {"multipliers": [2, 3]})
    ({'multipliers': [multipliers_1, multipliers_2]}, {'multipliers_1': 2, 'multipliers_2': 3})
    """
    numbers: dict[str, Any] = {}
    names = symbolic_names(rule)
    symbols = {name: _open(name, value, numbers) if name in names else value for name, value in values.items()}
    return symbols, numbers


def _open(name: str, value: Any, numbers: dict[str, Any]) -> Any:
    if isinstance(value, (list, tuple)):
        return type(value)(_symbol(f"{name}_{place}", one, numbers) for place, one in enumerate(value, 1))
    if isinstance(value, bool) or not (
        isinstance(value, (int, float, Fraction)) or is_array(value) or is_symbolic(value)
    ):
        return value
    return _symbol(name, value, numbers)


def _symbol(name: str, value: Any, numbers: dict[str, Any]) -> Any:
    import sympy

    numbers[name] = value
    return sympy.Symbol(name, integer=True)


def parameters_in_order(rule: Callable[..., Any], numbers: Mapping[str, Any]) -> list[str]:
    """Return the names of symbols in the order of the rule's parameters; members of one list stay in their order.

    >>> from d20kit.attack import hit_chance
    >>> parameters_in_order(hit_chance, {"ac": 18, "bonus": 7})
    ['bonus', 'ac']
    """
    known = list(inspect.signature(rule).parameters)
    return sorted(numbers, key=lambda name: _position(name, known))


def _position(name: str, known: list[str]) -> int:
    return known.index(name if name in known else name.rpartition("_")[0])
