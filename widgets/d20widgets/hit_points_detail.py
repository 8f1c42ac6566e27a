"""The chain behind the hit points, for those who open it: expected rounds, and the chances of one round."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from d20kit import Pmf
from d20kit.amounts import number_text, short_percent_text
from d20kit.damage import attacks_to_fell
from d20kit.hit_points import DEATH, State, absorption, chain_states, expected_rounds, transition_matrix
from d20kit.language import _
from d20kit.rulesets import Ruleset
from d20widgets.detail import Table
from d20widgets.hit_points_body import Body
from d20widgets.hit_points_words import decimal

# A larger matrix is read row by row: the row of the hit points now is always there.
LARGEST_MATRIX = 33


class Chain(NamedTuple):
    """The states, the chances from each to each in a round, and from each the mean rounds to death."""

    states: list[tuple[int, State]]
    matrix: Any
    rounds: list[Any]


def tables(now: Body, state: State, damage: Pmf, rules: Ruleset) -> list[Table]:
    """Return what is behind the disclosure for one number of hit points."""
    hp = max(now.hp, DEATH)
    under_attack = chain(now.maximum, now.constitution, damage, rules)
    row = under_attack.states.index((hp, state))
    found = [_expected(now, damage, under_attack.rounds[row])]
    if state is State.DYING:
        found.append(_alone(hp, now.constitution, rules))
    found.append(_one_round(under_attack, row))
    if len(under_attack.states) <= LARGEST_MATRIX:
        found.append(_whole(under_attack))
    return found


@lru_cache(maxsize=16)
def chain(maximum: int, constitution: int, damage: Pmf | None, rules: Ruleset) -> Chain:
    """Return the chain of hit points under one attack a round, or of bleeding alone."""
    matrix = transition_matrix(maximum, constitution, damage=damage, rules=rules)
    return Chain(chain_states(maximum, constitution, rules=rules), matrix, expected_rounds(matrix))


def _expected(now: Body, damage: Pmf, to_death: Any) -> Table:
    rows = [[_("to death"), _mean(to_death)]]
    if now.hp > 0:
        rows.insert(0, [_("to 0 hit points or less"), _mean(attacks_to_fell(damage, now.hp).mean())])
    return Table(_("Expected rounds under one attack a round"), [_("way"), _("rounds on average")], rows)


def _alone(hp: int, constitution: int, rules: Ruleset) -> Table:
    """Without attacks a dying combatant bleeds, and ends stable or dead."""
    bleeding = chain(0, constitution, None, rules)
    row = bleeding.states.index((hp, State.DYING))
    ends = absorption(bleeding.matrix)
    dead = _exact(ends[row, ends.cols - 1])
    rows = [
        [_("rounds on average until that is decided"), _mean(bleeding.rounds[row])],
        [_("chance to be stable in the end"), short_percent_text(1 - dead)],
        [_("chance to be dead in the end"), short_percent_text(dead)],
    ]
    return Table(_("Left alone, without attacks"), [_("question"), _("answer")], rows)


def _one_round(under_attack: Chain, row: int) -> Table:
    """The row of the matrix, less what cannot happen."""
    rows = [
        [_name(one), short_percent_text(_exact(under_attack.matrix[row, column]))]
        for column, one in enumerate(under_attack.states)
        if under_attack.matrix[row, column]
    ]
    caption = _("From {state}: where the next round leads").format(state=_name(under_attack.states[row]))
    return Table(caption, [_("to"), _("chance")], rows)


def _whole(under_attack: Chain) -> Table:
    names = [_name(one) for one in under_attack.states]
    size = range(len(names))
    rows = [[names[i], *(_short(under_attack.matrix[i, j]) for j in size)] for i in size]
    return Table(
        _("Transition matrix in percent: from each row to each column in one round"), [_("from"), *names], rows
    )


def _name(one: tuple[int, State]) -> str:
    hp, state = one
    return f"{number_text(hp)} {_(state.value)}" if state in (State.STABLE, State.DEAD) else number_text(hp)


def _short(chance: Any) -> str:
    """An entry of a wide table: percent without the sign, and nothing for what cannot happen."""
    return short_percent_text(_exact(chance)).removesuffix(" %") if chance else ""


def _mean(value: Any) -> str:
    return decimal(_exact(value))


def _exact(value: Any) -> Fraction:
    """A whole number, a fraction or SymPy's own kind of it as a fraction."""
    return Fraction(int(value.numerator), int(value.denominator))
