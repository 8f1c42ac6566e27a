"""Who fights: attacks and combatants, checked when they are made and never changed afterwards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, NamedTuple

from d20kit import bestiary
from d20kit.battle.attack import Attack
from d20kit.battle.policies import Policy, check_policy
from d20kit.battle.validate import LARGEST_HP, label, set_checked
from d20kit.battle.wording import fold
from d20kit.check import MODIFIER_LIMIT, members, named_arguments, one_modifier, one_of, one_whole, refuse, truth
from d20kit.language import _
from d20kit.rulesets import Ruleset, check_rules
from d20kit.saves import ABILITY

__all__ = ["Attack", "Combatant", "Defence"]

MOST_ATTACKS = 20
LARGEST_DISTANCE = 100_000


class Defence(NamedTuple):
    """The armor class an attack must reach, and whether the flat-footed lose something by it.

    >>> spell = Attack("shocking grasp", 2, "1d8", touch=True)
    >>> ann = Combatant("Ann", "red", 5, 15, (), flat_footed_ac=13, touch_ac=12)
    >>> ann.defence(spell, flat_footed=True)
    Defence(ac=10, touch=True, flat_footed=True, uncanny_dodge=False)
    """

    ac: int
    touch: bool
    flat_footed: bool
    uncanny_dodge: bool


@named_arguments
@dataclass(frozen=True)
class Combatant:
    """Somebody who fights on a side.

    Parameters
    ----------
    name, side : str
        Any text of 1 to 60 characters on one line; the name is unique in its encounter.
    hp : int
        Current hit points at the start of the battle.
    ac : int
        Armor class.
    attacks : Attack or iterable of Attack
        The attacks of one turn, in order; none for somebody who never attacks.
    constitution : int
        Constitution modifier.
    initiative : int
        Initiative modifier.
    flat_footed_ac, touch_ac : int, optional
        Armor class while flat-footed and against touch attacks; ``ac`` where not given.
    aware : bool
        Whether it is aware of the enemy as the battle begins.
    uncanny_dodge : bool
        Whether it keeps its armor class while flat-footed.
    fortitude : int, optional
        Fortitude save bonus; the Constitution modifier where not given.
    reflex, will : int
        The other save bonuses.
    base_attack_bonus : int
        Repeats the first attack from +6 on, where the rules let it.
    policy : str or callable
        Whom it attacks; see :mod:`d20kit.battle.policies`.

    Raises
    ------
    ValueError
        If a value is out of its range or an argument is unknown.

    Examples
    --------
    >>> from d20kit.battle import Attack, Combatant
    >>> print(Combatant("Rogue", "heroes", 11, 15, Attack("rapier", 4, "1d6+1"), initiative=3, flat_footed_ac=12))
    Rogue (heroes), aware: 11 hit points, Con +0, AC 15 (flat-footed 12, touch 15),
        initiative +3; rapier +4 (1d6+1, 20/x2)
    """

    name: str
    side: str
    hp: int
    ac: int
    attacks: tuple[Attack, ...]
    constitution: int = field(default=0, kw_only=True)
    initiative: int = field(default=0, kw_only=True)
    flat_footed_ac: int = field(default=None, kw_only=True)  # type: ignore[assignment]
    touch_ac: int = field(default=None, kw_only=True)  # type: ignore[assignment]
    aware: bool = field(default=True, kw_only=True)
    uncanny_dodge: bool = field(default=False, kw_only=True)
    fortitude: int | None = field(default=None, kw_only=True)
    reflex: int = field(default=0, kw_only=True)
    will: int = field(default=0, kw_only=True)
    base_attack_bonus: int = field(default=0, kw_only=True)
    policy: str | Policy = field(default="first-able", kw_only=True)

    if TYPE_CHECKING:  # what is taken is more than what is kept

        def __init__(
            self,
            name: str,
            side: str,
            hp: int,
            ac: int,
            attacks: Attack | Iterable[Attack],
            *,
            constitution: int = 0,
            initiative: int = 0,
            flat_footed_ac: int | None = None,
            touch_ac: int | None = None,
            aware: bool = True,
            uncanny_dodge: bool = False,
            fortitude: int | None = None,
            reflex: int = 0,
            will: int = 0,
            base_attack_bonus: int = 0,
            policy: str | Policy = "first-able",
        ) -> None: ...

    def __post_init__(self) -> None:
        set_checked(
            self,
            name=label("name", self.name),
            side=label("side", self.side),
            hp=one_whole("hp", self.hp, -9, LARGEST_HP, _("at -10 hit points a combatant is dead")),
            ac=one_modifier("ac", self.ac),
            attacks=_attacks(self.attacks),
            constitution=one_modifier("constitution", self.constitution),
            initiative=one_modifier("initiative", self.initiative),
            aware=truth("aware", self.aware),
            uncanny_dodge=truth("uncanny_dodge", self.uncanny_dodge),
            fortitude=None if self.fortitude is None else one_modifier("fortitude", self.fortitude),
            reflex=one_modifier("reflex", self.reflex),
            will=one_modifier("will", self.will),
            base_attack_bonus=one_whole("base_attack_bonus", self.base_attack_bonus, 0, MODIFIER_LIMIT),
            policy=check_policy(self.policy),
        )
        set_checked(
            self,
            flat_footed_ac=self._lesser_ac("flat_footed_ac", self.flat_footed_ac),
            touch_ac=self._lesser_ac("touch_ac", self.touch_ac),
        )

    def _lesser_ac(self, name: str, value: Any) -> int:
        if value is None:
            return self.ac
        return one_whole(name, value, -MODIFIER_LIMIT, self.ac, _("ac, {ac}, is the largest").format(ac=self.ac))

    @classmethod
    def from_bestiary(
        cls,
        creature: str,
        name: str | None = None,
        side: str | None = None,
        *,
        attack: str | Sequence[str] | None = None,
        distance: int | None = None,
        rules: Ruleset = bestiary.AS_PRINTED,
        **changes: Any,
    ) -> Combatant:
        """Make a combatant from a creature or ready hero.

        Parameters
        ----------
        creature : str
            A name of :func:`d20kit.bestiary.names`.
        name, side : str, optional
            The creature's own name, and "heroes" or "monsters", where not given.
        attack : str or sequence of str, optional
            One of the creature's attacks, or several, instead of its usual turn; ``"javelin"`` for a goblin that
            throws, ``["longsword of two", "short sword"]`` for a ranger with a weapon in each hand.
        distance : int, optional
            Feet to the enemy, for the whole battle: attacks must be ranged and pay for each range increment.
        rules : Ruleset
            Whose Strength damage counts; the published stat blocks' unless given.
        **changes
            Anything else a combatant has: ``aware=False``, ``hp=3``, ``policy="weakest"``.

        Raises
        ------
        ValueError
            If the creature or attack is unknown, where the nearest is offered, or out of reach at that distance.

        Examples
        --------
        >>> from d20kit.battle import Combatant
        >>> print(Combatant.from_bestiary("goblin", name="Goblin A", side="monsters", aware=False))
        Goblin A (monsters), unaware: 5 hit points, Con +1, AC 15 (flat-footed 14, touch 12),
            initiative +1; morningstar +2 (1d6, 20/x2)
        """
        check_rules(rules)
        for change in changes:
            one_of("argument", change, [one.name for one in fields(cls) if one.name not in ("name", "side")])
        block = bestiary.load(one_of("creature", creature, bestiary.names()))
        if distance is not None:
            distance = one_whole("distance", distance, 0, LARGEST_DISTANCE)
        names = _attack_names(block.turn if attack is None else attack)
        lines = [block.attack(each, rules, distance=distance) for each in names]
        printed: dict[str, Any] = {
            "hp": block.hit_points,
            "ac": block.ac,
            "attacks": tuple(_from_line(line) for line in lines),
            "constitution": block.modifier("constitution"),
            "initiative": block.initiative,
            "flat_footed_ac": block.flat_footed_ac,
            "touch_ac": block.touch_ac,
            "uncanny_dodge": block.uncanny_dodge,
            **block.saves,
            "base_attack_bonus": block.base_attack_bonus,
        }
        home = "heroes" if creature in bestiary.names("heroes") else "monsters"
        own_name = creature[:1].upper() + creature[1:]
        return cls(own_name if name is None else name, home if side is None else side, **printed | changes)

    def defence(self, attack: Attack, flat_footed: bool) -> Defence:
        """Return the armor class against an attack; the flat-footed loss is the same against touch attacks."""
        ac = self.touch_ac if attack.touch else self.ac
        if flat_footed and not self.uncanny_dodge:
            ac -= self.ac - self.flat_footed_ac
        return Defence(ac, attack.touch, flat_footed, flat_footed and self.uncanny_dodge)

    def save_bonus(self, kind: str) -> int:
        """Return the bonus of a saving throw, "fortitude", "reflex" or "will"."""
        bonus: int | None = getattr(self, one_of("kind", kind, ABILITY))
        return self.constitution if bonus is None else bonus

    def __str__(self) -> str:
        line = _(
            "{name} ({side}), {awareness}: {hp} hit points, Con {constitution}, "
            "AC {ac} (flat-footed {flat_footed}, touch {touch}), initiative {initiative}; {attacks}"
        ).format(
            name=self.name,
            side=self.side,
            awareness=_("aware") if self.aware else _("unaware"),
            hp=self.hp,
            constitution=f"{self.constitution:+d}",
            ac=self.ac,
            flat_footed=self._flat_footed_words(),
            touch=self.touch_ac,
            initiative=f"{self.initiative:+d}",
            attacks=", ".join(map(str, self.attacks)) or _("no attack"),
        )
        return fold(line)

    def _flat_footed_words(self) -> str:
        """The armor class in force while flat-footed; uncanny dodge keeps the usual one."""
        return _("{ac} by uncanny dodge").format(ac=self.ac) if self.uncanny_dodge else str(self.flat_footed_ac)


def _attacks(value: Any) -> tuple[Attack, ...]:
    if isinstance(value, Attack):
        return (value,)
    allowed = _("an Attack or a list of at most {most} of them").format(most=MOST_ATTACKS)
    fix = 'attacks=[Attack("longsword", 5, "1d8+3")]'
    attacks = tuple(members("attacks", value, allowed, fix, MOST_ATTACKS))
    if not all(isinstance(attack, Attack) for attack in attacks):
        raise refuse("attacks", value, allowed, fix)
    return attacks


def _attack_names(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    return members("attack", value, _("the name of an attack, or a list of names"), 'attack="javelin"', MOST_ATTACKS)


def _from_line(line: bestiary.AttackLine) -> Attack:
    return Attack(
        line.name,
        line.bonus,
        line.damage,
        multiplier=line.multiplier,
        threat=line.threat,
        ranged=line.ranged,
        touch=line.touch,
        natural=line.natural,
    )
