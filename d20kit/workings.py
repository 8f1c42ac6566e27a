"""What lies between the arguments of a rule and its value, for rules that are a procedure and not one formula.

Each working asks the rules themselves for the numbers it shows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

from d20kit import attack, damage, hit_points, initiative, saves
from d20kit.algebra import is_array
from d20kit.amounts import amount, fraction_text, key_text
from d20kit.dice import Pmf
from d20kit.expression import distribution
from d20kit.language import _
from d20kit.rulesets import COURSE

Row = tuple[str, str]
Working = Callable[[Mapping[str, Any], Any], Iterable[Row]]
_MOST_ROWS = 12


def _sum_text(parts: Iterable[Any]) -> str:
    return " + ".join(f"({part})" if part < 0 else str(part) for part in parts)


def _class_parts(part: Callable[[int, str], Any]) -> Working:
    def rows(values: Mapping[str, Any], value: Any) -> Iterable[Row]:
        classes = list(values["classes"])
        for progression, level in classes:
            yield (
                _("{progression}, level {level}").format(progression=_(progression), level=level),
                str(part(level, progression)),
            )
        yield _("added"), _sum_text(part(level, progression) for progression, level in classes)

    return rows


def _iterative(values: Mapping[str, Any], value: Any) -> Iterable[Row]:
    yield (
        _("attacks"),
        ", ".join(f"{values['base']} - {5 * step}" if step else str(values["base"]) for step in range(len(value))),
    )


def _attack_roll(values: Mapping[str, Any], value: Any) -> Iterable[Row]:
    yield _("roll"), _roll_text(values["face"], values["bonus"], values["ac"])
    if values.get("confirm") is not None:
        yield _("second roll"), _roll_text(values["confirm"], values["bonus"], values["ac"])


def _roll_text(face: int, bonus: int, ac: int) -> str:
    decided = attack.by_itself(face)
    if decided is not None:
        return _("natural 20: a hit, whatever the total") if decided else _("natural 1: a miss, whatever the total")
    reached = _("reaches") if attack.is_hit(face, bonus, ac) else _("does not reach")
    return _("{face} + {bonus} = {total} {reaches} {ac}").format(
        face=face, bonus=f"({bonus})" if bonus < 0 else bonus, total=face + bonus, reaches=reached, ac=ac
    )


def _dealt(values: Mapping[str, Any], value: Any) -> Iterable[Row]:
    rolls, bonus = values["rolls"], values.get("bonus", 0)
    totals = [rolls] if isinstance(rolls, int) else list(rolls)
    multiplier, extra = values.get("multiplier", 1), values.get("extra", 0)
    times = multiplier if len(totals) == 1 else 1
    weapon = f"{times} · {totals[0]}" if times > 1 else _sum_text(totals)
    yield _("dice"), weapon
    yield _("bonus"), f"{multiplier} · {bonus}" if multiplier > 1 else str(bonus)
    if extra:
        yield _("bonus dice, once"), str(extra)
    total = sum(totals) * times + multiplier * bonus + extra
    yield _("sum"), str(total) if total == value else _("{total}, counted as {value}").format(total=total, value=value)


def _damage_parts(values: Mapping[str, Any], multiplier: int = 1) -> Iterable[Row]:
    yield _("dice"), amount(distribution("dice", values["dice"]))
    if bonus := values.get("bonus", 0):
        yield _("bonus"), f"{multiplier} · {bonus}" if multiplier > 1 else str(bonus)
    if values.get("extra") is not None:
        yield _("bonus dice, once"), amount(distribution("extra", values["extra"]))


def _hit(values: Mapping[str, Any], value: Any) -> Iterable[Row]:
    return _damage_parts(values)


def _critical(values: Mapping[str, Any], value: Any) -> Iterable[Row]:
    multiplier, rules = values.get("multiplier", 2), values.get("rules", COURSE)
    yield from _damage_parts(values, multiplier)
    rolls = damage.rolls_needed(multiplier, rules=rules)
    multiplied = _("one roll of the dice, times {multiplier}").format(multiplier=multiplier)
    added = _("{rolls} rolls of the dice, added").format(rolls=rolls)
    yield _("multiplied"), multiplied if rolls == 1 else added


def _attack(values: Mapping[str, Any], value: Any) -> Iterable[Row]:
    """The three ends of an attack, and how their means are put together."""
    given = {name: values[name] for name in ("dice", "bonus", "extra", "rules") if name in values}
    more = {"multiplier": values["multiplier"]} if "multiplier" in values else {}
    to_hit = {name: values[name] for name in ("ac", "threat", "rules") if name in values}
    chances = attack.outcome_chances(values["bonus_to_hit"], **to_hit)
    hit, critical = damage.hit_damage(**given), damage.critical_damage(**given, **more)
    yield _("miss, hit, critical"), ", ".join(map(str, chances))
    yield _("a hit takes"), amount(hit)
    yield _("a critical takes"), amount(critical)
    yield _("mean"), f"{chances[1]} · {_mean(hit)} + {chances[2]} · {_mean(critical)}"


def _mean(damage: Pmf) -> str:
    return fraction_text(damage.mean())


def _felled(values: Mapping[str, Any], value: Any) -> Iterable[Row]:
    n, points, one = values["n"], values["hp"], values["damage"]
    yield _("one attack takes"), amount(one)
    for fewer in range(max(1, n - 2), n):
        chance = damage.fell_within(one, points, fewer)
        yield _("within {n}").format(n=fewer), amount(chance, "chance")


def _attacks(values: Mapping[str, Any], value: Any) -> Iterable[Row]:
    yield _("one attack takes"), amount(values["damage"])
    share = Fraction(values["hp"]) / values["damage"].mean()
    yield _("hit points over the mean"), amount(share)


def _duel(values: Mapping[str, Any], value: Any) -> Iterable[Row]:
    yield _("the first takes"), amount(values["damage"])
    yield _("the other takes"), amount(values["enemy_damage"])


def _bands(values: Mapping[str, Any], value: Any) -> Iterable[Row]:
    rules = values.get("rules", COURSE)
    floor = hit_points.disabled_floor(values.get("constitution", 0), rules=rules)
    yield _("healthy"), _("{low} and more").format(low=1)
    yield _("disabled"), _("from {high} to {low}").format(high=0, low=floor) if floor < 0 else "0"
    if floor - 1 > hit_points.DEATH:
        yield _("dying"), _("from {high} to {low}").format(high=floor - 1, low=hit_points.DEATH + 1)
    yield _("dead"), _("{high} and less").format(high=hit_points.DEATH)


def _rounds(values: Mapping[str, Any], value: Any) -> Iterable[Row]:
    """The table round by round, the middle of a long one left out."""
    shown = [*range(_MOST_ROWS - 1), len(value) - 1] if len(value) > _MOST_ROWS else range(len(value))
    for played in shown:
        label = _("after round {n}").format(n=played) if played else _("at the start")
        yield label, amount(value[played], "chance")


def _chain(values: Mapping[str, Any], value: Any) -> Iterable[Row]:
    rules = values.get("rules", COURSE)
    states = hit_points.chain_states(values["maximum"], values.get("constitution", 0), rules=rules)
    named = [f"{points} ({key_text(state)})" for points, state in states]
    for row, name in list(enumerate(named))[:_MOST_ROWS]:
        targets = [
            f"{named[column]}: {_entry(value[row, column])}" for column in range(value.cols) if value[row, column]
        ]
        yield _("from {state}").format(state=name), ", ".join(targets)


def _entry(chance: Any) -> str:
    """An entry of a matrix: a number, or an expression."""
    return fraction_text(Fraction(int(chance.p), int(chance.q))) if chance.is_Rational else str(chance)


def _all_tied(values: Mapping[str, Any], value: Fraction) -> Iterable[Row]:
    count = len(values["modifiers"])
    ways = attack.FACES**count
    yield _("ways to roll {count} dice").format(count=count), amount(ways)
    yield _("ways to tie"), amount(value * ways)


def _dice(values: Mapping[str, Any], value: Fraction) -> Iterable[Row]:
    count = len(values["modifiers"])
    yield _("first rolls"), str(count)
    yield _("rerolls"), amount(value - count)


def _orders(values: Mapping[str, Any], value: Mapping[Any, Fraction]) -> Iterable[Row]:
    for order in sorted(value, key=lambda one: value[one], reverse=True)[:_MOST_ROWS]:
        yield key_text(order), amount(value[order], "chance")


def _aware(values: Mapping[str, Any], value: Any) -> Iterable[Row]:
    yield _("aware"), amount(tuple(name for name, notices in values["aware"].items() if notices))
    yield _("unaware"), amount(tuple(name for name, notices in values["aware"].items() if not notices))


WORKINGS: dict[Callable[..., Any], Working] = {
    attack.multiclass_attack_bonus: _class_parts(attack.base_attack_bonus),
    attack.iterative_attacks: _iterative,
    attack.resolve: _attack_roll,
    damage.damage_dealt: _dealt,
    damage.hit_damage: _hit,
    damage.critical_damage: _critical,
    damage.attack_damage: _attack,
    damage.expected_damage: _attack,
    damage.fell_within: _felled,
    damage.attacks_to_fell: _attacks,
    damage.duel_chance: _duel,
    hit_points.state: _bands,
    hit_points.state_chances: _rounds,
    hit_points.transition_matrix: _chain,
    saves.multiclass_save: _class_parts(saves.base_save),
    initiative.all_tie_chance: _all_tied,
    initiative.expected_dice: _dice,
    initiative.order_chances: _orders,
    initiative.surprise_round: _aware,
}


def working(rule: Callable[..., Any], values: Mapping[str, Any], value: Any) -> list[Row]:
    """Return the labelled lines between the arguments of a rule and its value; none for a rule that is a formula.

    >>> from d20kit.attack import Outcome, resolve
    >>> working(resolve, {"face": 7, "bonus": 4, "ac": 15}, Outcome.MISS)
    [('roll', '7 + 4 = 11 does not reach 15')]
    """
    if rule not in WORKINGS or any(map(is_array, values.values())):
        return []
    return list(WORKINGS[rule](values, value))
