"""Every line of the table of known answers, through the public calls alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from enum import Enum
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from d20kit import COURSE, SRD35, Pmf, Ruleset, d
from d20kit.abilities import ability_modifier, size_modifier
from d20kit.armor_class import armor_class_line
from d20kit.attack import (
    base_attack_bonus,
    hit_chance,
    melee_bonus,
    multiclass_attack_bonus,
    outcome_chances,
    range_penalty,
    resolve,
)
from d20kit.damage import (
    attack_damage,
    attacks_to_fell,
    critical_damage,
    damage_dealt,
    duel_chance,
    expected_damage,
    fell_within,
    hit_damage,
    rolls_needed,
    stack_multipliers,
    strength_damage,
)
from d20kit.hit_points import (
    after_constitution_loss,
    expected_dying_rounds,
    rounds_to_death,
    state,
    survival_chance,
)
from d20kit.initiative import (
    all_tie_chance,
    expected_dice,
    expected_rerolls,
    first_chance,
    order_chances,
    pair_chances,
    roll_order,
    surprise_round,
    tie_groups,
)
from d20kit.saves import save_chance

DATA = Path(__file__).parent.parent / "data" / "cases.jsonl"
CASES = [json.loads(line) for line in DATA.read_text("utf-8").splitlines()]

# A word of the table -> the switch it stands for.
SWITCHES: dict[tuple[str, Any], dict[str, Any]] = {
    ("crit", "auto20"): {"critical": "natural-20"},
    ("crit", "confirm"): {"critical": "confirm"},
    ("crit_damage", "roll_then_multiply"): {"critical_damage": "multiply"},
    ("crit_damage", "roll_n_times"): {"critical_damage": "roll-again"},
    ("str_scaling", "seed"): {"strength_scaling": "modifier", "projectile_strength": "none"},
    ("tie_break", "reroll"): {"initiative_ties": "reroll"},
    ("tie_break", "modifier_then_reroll"): {"initiative_ties": "modifier"},
    ("disabled_range", "zero_only"): {"disabled_band": "zero"},
    ("surprise_when", "any_unaware"): {"surprise": "any-unaware"},
    ("surprise_when", "mixed"): {"surprise": "some-aware"},
    ("save_auto", True): {"save_naturals": True},
    ("hp_follows", True): {"constitution_loss": "hit-points"},
    ("hp_follows", False): {"constitution_loss": "modifier"},
    ("p", "0"): {"stabilise_chance": Fraction(0)},
    ("p", "1/10"): {"stabilise_chance": Fraction(1, 10)},
}
GRIPS = {"one": "one-handed", "off": "off-hand", "two": "two-handed"}
WORDS = {"healthy": "ok", "critical": "crit"}


def rules_of(case: dict[str, Any]) -> Ruleset:
    """Return the rules of a line: its bundle with every switch that the line names."""
    rules = SRD35 if case["rules"] == "SRD35" else COURSE
    for named in case["inputs"].items():
        if not isinstance(named[1], (list, dict)):
            rules = rules.replace(**SWITCHES.get(named, {}))
    return rules


def roll(dice: list[int]) -> Pmf:
    return dice[0] @ d(dice[1])


def attack(
    rules: Ruleset, att: int, ac: int, dice: list[int], add: int = 0, mult: int = 2, threat: int = 20, **_: Any
) -> Pmf:
    return attack_damage(att, ac, roll(dice), add, multiplier=mult, threat=threat, rules=rules)


def damage(
    rules: Ruleset,
    dice: list[int],
    add: int = 0,
    mult: int = 2,
    which: str = "hit",
    extra: list[int] | None = None,
    **_: Any,
) -> Pmf:
    bonus_dice = roll(extra) if extra else None
    if which == "crit":
        return critical_damage(roll(dice), add, multiplier=mult, extra=bonus_dice, rules=rules)
    return hit_damage(roll(dice), add, extra=bonus_dice, rules=rules)


def damage_shape(rules: Ruleset, at: int, dice: list[int], mult: int, **_: Any) -> list[Any]:
    total = critical_damage(roll(dice), multiplier=mult, rules=rules)
    odd = sum(chance for outcome, chance in total.items() if outcome % 2)
    return [total.pmf(at), total.pmf(total.support()[1]), total.var(), odd]


def fixed_crit(rules: Ruleset, weapon_rolls: list[int], add: int, extra_rolls: list[int], mult: int, **_: Any) -> int:
    rolls = weapon_rolls[: rolls_needed(mult, rules=rules)]
    return damage_dealt(rolls, add, multiplier=mult, extra=sum(extra_rolls), rules=rules)


def armor_classes(dex: int = 0, size: str = "medium", max_dex: int | None = None, **bonuses: int) -> list[int]:
    return list(armor_class_line(dexterity=dex, size=size_modifier(size), max_dexterity=max_dex, **bonuses))


def con_loss(rules: Ruleset, max_hp: int, wounds: int, hd: int, con_from: int, con_to: int) -> list[Any]:
    most, left = after_constitution_loss(max_hp, wounds, hd, con_from, con_to, rules=rules)
    return [most, left, state(left, ability_modifier(con_to), rules=rules)]


def disabled_after_con_loss(rules: Ruleset, hp: int, hd: int, con_from: int, con_to: int, **_: Any) -> list[Any]:
    before = state(hp, ability_modifier(con_from), rules=rules)
    _most, left = after_constitution_loss(100, 100 - hp, hd, con_from, con_to, rules=rules)
    return [before, left, state(left, ability_modifier(con_to), rules=rules)]


def surprise_plan(rules: Ruleset, aware: dict[str, bool], **_: Any) -> dict[str, Any]:
    plan = surprise_round(aware, rules=rules)
    return {
        "surprise_round": plan.happens,
        "act_in_surprise": sorted(plan.acting),
        "flat_footed_at_round_1": sorted(plan.flat_footed),
    }


def reroll_jump(rules: Ruleset, slot_total: int, other_total: int, **_: Any) -> Fraction:
    """Chance that rolling a tie again moves somebody of the tie behind a combatant who was not tied."""
    known = {"A": slot_total, "B": slot_total, "other": other_total}
    jumps = 0
    for pair in product(range(1, 21), repeat=2):
        faces = iter([*pair, 2, 1])
        order = roll_order(dict.fromkeys(known, 0), lambda: next(faces), faces=known, rules=rules).order  # noqa: B023
        jumps += order[-1] != "other"
    return Fraction(jumps, 400)


CALLS: dict[str, Callable[..., Any]] = {
    "hit_prob": lambda rules, att, ac: hit_chance(att, ac),
    "single_roll": lambda rules, natural, att, ac: resolve(natural, att, ac, rules=rules),
    "crit_single": lambda rules, natural, confirm, att, ac, threat, **_: resolve(
        natural, att, ac, confirm=confirm, threat=threat, rules=rules
    ),
    "attack_outcomes": lambda rules, att, ac, threat, **_: outcome_chances(att, ac, threat=threat, rules=rules),
    "expected_damage": lambda rules, att, ac, dice, add, threat, mult, **_: expected_damage(
        att, ac, roll(dice), add, multiplier=mult, threat=threat, rules=rules
    ),
    "damage_shape": damage_shape,
    "damage_stats": lambda rules, **given: [*damage(rules, **given).support(), damage(rules, **given).mean()],
    "damage_pmf": lambda rules, **given: dict(damage(rules, **given).items()),
    "multiplier": lambda rules, mults: stack_multipliers(*mults),
    "fixed_crit": fixed_crit,
    "str_damage": lambda rules, str_mod, mode, light=False, **_: strength_damage(
        str_mod, GRIPS.get(mode, mode), light=light, rules=rules
    ),
    "armor_class": lambda rules, **given: armor_classes(**given),
    "attack_bonus": lambda rules, bab, ability, size, misc=0: melee_bonus(bab, ability, size_modifier(size), misc),
    "range_penalty": lambda rules, increment, distance, **_: range_penalty(distance, increment),
    "bab": lambda rules, level, progression: base_attack_bonus(level, progression),
    "bab_multi": lambda rules, classes: multiclass_attack_bonus(classes),
    "hp_state": lambda rules, hp, con_mod, **_: state(hp, con_mod, rules=rules),
    "hp_table": lambda rules, con_mod, hps, **_: [state(hp, con_mod, rules=rules) for hp in hps],
    "bleed_rounds": lambda rules, hp, con_mod=0: rounds_to_death(hp, con_mod, rules=rules),
    "stabilise_expected_rolls": lambda rules, hp, **_: expected_dying_rounds(hp, rules=rules),
    "survive_until_help": lambda rules, hp, ticks, **_: survival_chance(hp, ticks, rules=rules),
    "save_prob": lambda rules, bonus, dc, **_: save_chance(bonus, dc, rules=rules),
    "init_first": lambda rules, mod_a, mod_b, **_: first_chance(mod_a, mod_b, rules=rules),
    "init_expected_rerolls": lambda rules, mod_a, mod_b: expected_rerolls(mod_a, mod_b),
    "init_pair": lambda rules, mod_a, mod_b: pair_chances(mod_a, mod_b),
    "init_all_same": lambda rules, n: all_tie_chance([0] * n),
    "init_expected_dice": lambda rules, n: expected_dice([0] * n),
    "init_order": lambda rules, mods, order, **_: order_chances(dict(mods), rules=rules)[tuple(order)],
    "init_sort": lambda rules, totals, mods, **_: tie_groups(totals, mods, rules=rules),
    "reroll_jump": reroll_jump,
    "surprise_plan": surprise_plan,
    "con_loss": con_loss,
    "mod_change": lambda rules, frm, to: ability_modifier(to) - ability_modifier(frm),
    "disabled_after_con_loss": disabled_after_con_loss,
    "ability_mod": lambda rules, score: ability_modifier(score),
    "one_attack_threshold": lambda rules, hp, at_most, attack: fell_within(_attack(rules, attack), hp - at_most, 1),
    "expected_attacks": lambda rules, hp, attack: attacks_to_fell(_attack(rules, attack), hp).mean(),
    "duel": lambda rules, hp_a, hp_b, out_a, out_b, attack_a, attack_b: duel_chance(
        _attack(rules, attack_a), hp_a - out_a, _attack(rules, attack_b), hp_b - out_b
    ),
}


def _attack(rules: Ruleset, given: dict[str, Any]) -> Pmf:
    return attack(rules_of({"rules": "SRD35" if rules == SRD35 else "COURSE", "inputs": given}), **given)


def written(value: Any) -> Any:
    """Write an answer the way the table does."""
    if isinstance(value, Enum):
        return WORDS.get(value.value, value.value)
    if isinstance(value, (list, tuple)):
        return [written(one) for one in value]
    if isinstance(value, dict):
        return {str(key): written(one) for key, one in value.items()}
    return value if value is None or isinstance(value, (bool, str)) else str(value)


def name_of(numbered: tuple[int, dict[str, Any]]) -> str:
    return "{id}-{kind}-{rules}".format(**numbered[1]) + f"-{numbered[0]}"


@pytest.mark.parametrize("numbered", list(enumerate(CASES, 1)), ids=name_of)
def test_case(numbered: tuple[int, dict[str, Any]]) -> None:
    """The answer was computed by exhaustive enumeration, so any difference is a mistake in a rule."""
    case = numbered[1]
    assert case["kind"] in CALLS, "no public call answers this kind"
    assert written(CALLS[case["kind"]](rules_of(case), **case["inputs"])) == case["expected"]


def test_every_switch_word_is_known() -> None:
    """A word that names a switch but is not in the table would silently leave the switch alone."""
    words = {word for word, _value in SWITCHES}
    used = {
        (word, value)
        for case in CASES
        for inputs in (case["inputs"], *(one for one in case["inputs"].values() if isinstance(one, dict)))
        for word, value in inputs.items()
        if word in words
    }
    assert used <= set(SWITCHES)
