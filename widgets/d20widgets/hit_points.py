"""Hit points to drag: the line from the maximum to -10, and what a stream of attacks makes of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar

from d20kit import Pmf
from d20kit.attack import hit_chance
from d20kit.check import refuse
from d20kit.damage import attack_damage, attacks_to_fell
from d20kit.hit_points import DEATH, MASSIVE_DAMAGE, State, disabled_floor, rounds_to_death, state, state_chances
from d20kit.language import N_, _, ngettext
from d20kit.rulesets import RULESETS, Ruleset
from d20widgets import hit_points_detail, hit_points_words
from d20widgets.controls import OneOf, Whole, Written
from d20widgets.detail import Table
from d20widgets.dice_ends import ends
from d20widgets.explorer import Explorer
from d20widgets.hit_points_body import Body, body
from d20widgets.hit_points_picture import hit_point_figure, moving
from d20widgets.rules_choice import RulesChoice

# How somebody dying may stabilise alone: as the rules say, or by this chance whatever they say.
STABILISING = {"rules": None, "tenth": Fraction(1, 10), "never": Fraction(0)}


@dataclass(frozen=True)
class Numbers:
    """One number of hit points: its state and why, and the chance of every state after each attack."""

    body: Body
    rules: Ruleset
    state: State
    floor: int
    rounds_left: int | None
    hit: Fraction
    damage: Pmf
    felled: Fraction | None
    massive: bool
    chances: Sequence[Mapping[State, Fraction]]

    @property
    def hp(self) -> int:
        """Hit points after damage and healing."""
        return self.body.hp


# Its table looks some rounds ahead from every number of hit points, and each round makes all chances longer.
MOST_DIGITS = 40


def read_damage(text: str) -> None:
    """Refuse dice that mean nothing as damage, or with which some attack would be too much work."""
    if ends("damage", text, MOST_DIGITS)[1] < 1:
        raise refuse("damage", text, _("dice that can come to 1 or more"), _("write dice like 2d4+4"))
    for rules in RULESETS.values():
        # A chance of 9/20: no other makes the fractions longer.
        attack_damage(0, 12, text, rules=rules)


class HitPointExplorer(Explorer):
    """Drag the hit points of a combatant under attack and see what becomes of it.

    Parameters
    ----------
    maximum : int
        Hit points when unhurt, 1 to 80.
    hp : int
        Hit points now, -10 to the maximum, where it starts. It is the main slider.
    constitution : int
        Constitution modifier, -5 to 10.
    bonus, ac : int
        Attack bonus of the attacks, -5 to 25, and the armor class they meet, 5 to 45.
    damage : str
        Damage of a hit as a dice expression, such as ``"1d8+3"``.
    rounds : int
        Rounds looked ahead, one attack in each, 1 to 15.
    rules : Ruleset
        ``COURSE`` or ``SRD35``, by itself or by name, or a mixture of their switches.
    blow, healing : int
        Damage taken at once, 0 to 60, and hit points healed after it, 0 to 60. The dead are not healed.
    lost : int
        Points of Constitution lost, 0 to 20: the modifier falls, and under ``SRD35`` hit points with it.
    hit_dice : int
        Hit dice, 1 to 20: how many hit points each step of the modifier is worth under ``SRD35``.
    stabilising : str
        ``"rules"``, ``"tenth"`` for 10 % a round, or ``"never"``: how somebody dying stabilises alone.

    Raises
    ------
    ValueError
        If a value is not allowed; the message says what is.

    Examples
    --------
    >>> HitPointExplorer(maximum=12, hp=7).table()[0]
    {'round': 0, 'healthy': Fraction(1, 1), 'disabled': Fraction(0, 1), 'dying': Fraction(0, 1), 'dead': Fraction(0, 1)}
    """

    title = N_("Hit points")
    main = "hp"
    controls = (
        Whole("maximum", N_("Maximum"), 12, 1, 80),
        Whole("hp", N_("Hit points now"), "maximum", DEATH, "maximum"),
        Whole("constitution", N_("Constitution modifier"), 2, -5, 10),
        Whole("bonus", N_("Attack bonus"), 4, -5, 25),
        Whole("ac", N_("Armor class"), 15, 5, 45),
        Whole("rounds", N_("Rounds ahead"), 5, 1, 15),
        Written("damage", N_("Damage dice"), "1d8+3", read_damage, ("1d4", "1d8+3", "2d4+4", "2d6", "4d6kh3", "3d10")),
        RulesChoice("rules", N_("Rules")),
        Whole("blow", N_("Damage now"), 0, 0, 60, since=3),
        Whole("healing", N_("Healing after it"), 0, 0, 60, since=3),
        Whole("lost", N_("Constitution lost"), 0, 0, 20, since=3),
        Whole("hit_dice", N_("Hit dice"), 1, 1, 20, since=3),
        OneOf(
            "stabilising",
            N_("Stabilising"),
            {"rules": N_("as the rules say"), "tenth": N_("10 % a round"), "never": N_("never")},
            since=3,
        ),
    )
    groups: ClassVar[Mapping[str, Sequence[str]]] = {
        N_("Damage, healing and lost Constitution"): ("blow", "healing", "lost", "hit_dice"),
        N_("Dying alone"): ("stabilising",),
    }
    detail_title = N_("Expected rounds and the transition matrix")

    def numbers(self, values: Mapping[str, Any]) -> Numbers:
        rules, now = rules_in_force(values), body(values)
        attack = values["bonus"], values["ac"], values["damage"], values["rules"]
        damage = _damage(*attack)
        return Numbers(
            body=now,
            rules=rules,
            state=state(now.hp, now.constitution, rules=rules),
            floor=disabled_floor(now.constitution, rules=rules),
            rounds_left=rounds_to_death(now.hp, now.constitution, rules=rules),
            hit=hit_chance(values["bonus"], values["ac"]),
            damage=damage,
            felled=_felled(now.hp, *attack) if now.hp > 0 else None,
            massive=rules.massive_damage and damage.support()[1] >= MASSIVE_DAMAGE,
            chances=_ahead(now.hp, now.constitution, values["rounds"], rules, *attack),
        )

    def picture(self, values: Mapping[str, Any], table: Sequence[Numbers]) -> dict[str, Any]:
        one = table[0]
        return hit_point_figure(values, one.body, one.rules, list(one.chances[0]))

    def frame(self, numbers: Numbers) -> dict[str, Any]:
        return {**moving(numbers.body, numbers.rounds_left, numbers.chances), "label": hit_points_words.label(numbers)}

    def formula(self, numbers: Numbers) -> str:
        return hit_points_words.formula(numbers)

    def sentence(self, numbers: Numbers) -> str:
        return hit_points_words.sentence(numbers)

    def detail(self, numbers: Numbers) -> list[Table]:
        return hit_points_detail.tables(numbers.body, numbers.state, numbers.damage, numbers.rules)

    def matrix(self) -> Any:
        """Return the chances from every state to every other in one round, as a SymPy matrix.

        Its states are those of :func:`d20kit.hit_points.chain_states`.
        """
        one = self.numbers(self._values)
        return hit_points_detail.chain(one.body.maximum, one.body.constitution, one.damage, one.rules).matrix

    def rows(self, numbers: Numbers) -> list[dict[str, Any]]:
        return [
            {N_("round"): i, **{one.value: chance for one, chance in chances.items()}}
            for i, chances in enumerate(numbers.chances)
        ]

    def question(self, numbers: Numbers) -> tuple[str, Fraction]:
        rounds = len(numbers.chances) - 1
        asked = ngettext(
            "What is the chance to be dead after {n} round?", "What is the chance to be dead after {n} rounds?", rounds
        )
        return asked.format(n=rounds), numbers.chances[-1][State.DEAD]


def rules_in_force(values: Mapping[str, Any]) -> Ruleset:
    """Return the rules with the chance to stabilise that was chosen, if one was."""
    chance, rules = STABILISING[values["stabilising"]], values["rules"]
    assert isinstance(rules, Ruleset)
    return rules if chance is None else rules.replace(stabilise_chance=chance)


# One table asks for the same attack at every position, and the next table often for the same bodies again.
@lru_cache(maxsize=64)
def _damage(bonus: int, ac: int, dice: str, rules: Ruleset) -> Pmf:
    return attack_damage(bonus, ac, dice, rules=rules)


@lru_cache(maxsize=512)
def _felled(hp: int, *attack: Any) -> Fraction:
    return attacks_to_fell(_damage(*attack), hp).mean()


@lru_cache(maxsize=512)
def _ahead(
    hp: int, constitution: int, rounds: int, rules: Ruleset, *attack: Any
) -> tuple[Mapping[State, Fraction], ...]:
    # The saving throw against massive damage is not this explorer's: the sentence says that it is left out.
    rules = rules.replace(massive_damage=False)
    ahead = state_chances(hp, constitution, _damage(*attack), rounds, rules=rules)
    return tuple(_shown(chances, rules) for chances in ahead)


def _shown(chances: Mapping[State, Fraction], rules: Ruleset) -> dict[State, Fraction]:
    """Leave out the stable state where nobody can come into it by chance."""
    return {one: chance for one, chance in chances.items() if one is not State.STABLE or rules.stabilise_chance}
