"""The changes that mutants make, one kind of syntax at a time.

Each function takes a node and yields what it could be replaced by; :mod:`tests.mutation.finder` says where they apply.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from typing import TypeVar

Node = TypeVar("Node", bound=ast.AST)

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.BitXor: ast.BitOr,
}
TWINS = {"min": "max", "minimum": "maximum", "any": "all"}
TWINS |= {twin: name for name, twin in TWINS.items()}


def changed(node: Node, **fields: object) -> Node:
    """Return a copy of a node with some of its fields changed."""
    other = copy.copy(node)
    for name, value in fields.items():
        setattr(other, name, value)
    return other


def comparisons(node: ast.Compare) -> Iterator[ast.expr]:
    """Move each boundary by one, and turn each comparison round."""
    for place, operator in enumerate(node.ops):
        for kind in COMPARISONS[type(operator)]:
            yield changed(node, ops=[*node.ops[:place], kind(), *node.ops[place + 1 :]])


def arithmetic(node: ast.BinOp) -> Iterator[ast.expr]:
    """Calculate something else; joining texts or lists is no arithmetic."""
    if not any(is_joined(side) for side in (node.left, node.right)) and type(node.op) in ARITHMETIC:
        yield changed(node, op=ARITHMETIC[type(node.op)]())


def constants(node: ast.Constant) -> Iterator[ast.expr]:
    """Turn a truth value round, and move a number by one both ways."""
    if isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node.value, (int, float)):
        yield ast.Constant(node.value + 1)
        yield ast.Constant(node.value - 1)


def truths(node: ast.BoolOp) -> Iterator[ast.expr]:
    """Join conditions the other way."""
    yield changed(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())


def is_joined(node: ast.expr) -> bool:
    """Whether it is a text or a list, written out."""
    text = isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes))
    return text or isinstance(node, (ast.JoinedStr, ast.List, ast.Tuple, ast.ListComp))


def signs(node: ast.UnaryOp) -> Iterator[ast.expr]:
    """Leave out a minus or a not."""
    if isinstance(node.op, (ast.USub, ast.Not, ast.Invert)):
        yield node.operand


def choices(node: ast.IfExp) -> Iterator[ast.expr]:
    """Choose the other value."""
    yield changed(node, body=node.orelse, orelse=node.body)


def twins(node: ast.Call) -> Iterator[ast.expr]:
    """Call the function that is most easily mistaken for this one."""
    if isinstance(node.func, ast.Name) and node.func.id in TWINS:
        yield changed(node, func=ast.Name(TWINS[node.func.id]))


def condition(node: ast.expr) -> Iterator[ast.expr]:
    """Turn a condition round, where no other change does."""
    if not isinstance(node, (ast.Compare, ast.BoolOp, ast.Constant)) and not is_not(node):
        yield ast.UnaryOp(ast.Not(), node)


def is_not(node: ast.expr) -> bool:
    """Whether it is a condition that is already turned round."""
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)


def statement(node: ast.stmt) -> Iterator[ast.stmt]:
    """Leave out a statement, or return nothing, or go on where a loop should end."""
    dropped = isinstance(node, ast.Expr) and not isinstance(node.value, ast.Constant)
    if dropped or isinstance(node, (ast.Raise, ast.AugAssign, ast.Delete)):
        yield ast.Pass()
    elif isinstance(node, ast.Return) and node.value is not None and not isinstance(node.value, ast.Constant):
        yield ast.Return(ast.Constant(None))
    elif isinstance(node, ast.Continue):
        yield ast.Break()
    elif isinstance(node, ast.Break):
        yield ast.Continue()
