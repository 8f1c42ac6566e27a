"""The moving parts of a battle under way: who stands how, the dice, and the story so far."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from d20kit.attack import iterative_attacks
from d20kit.battle.combatant import Attack, Combatant
from d20kit.battle.events import Event
from d20kit.battle.faces import Recorder
from d20kit.battle.policies import Standing
from d20kit.battle.validate import expression
from d20kit.dice import Pmf
from d20kit.expression import Rolled
from d20kit.hit_points import State, state
from d20kit.randomness import Roller
from d20kit.rulesets import Ruleset


def able_to_act(combatant: Combatant, rules: Ruleset) -> bool:
    """Whether a combatant starts the battle healthy or disabled.

    >>> from d20kit import COURSE
    >>> ann = Combatant("Ann", "red", -2, 15, (), constitution=2)
    >>> able_to_act(ann, COURSE), able_to_act(ann, COURSE.replace(disabled_band="zero"))
    (True, False)
    """
    return state(combatant.hp, combatant.constitution, rules=rules).can_act


def attacks_of_a_turn(combatant: Combatant, rules: Ruleset) -> tuple[Attack, ...]:
    """Return the attacks of a full turn: those listed, the first repeated where the rules give iterative attacks.

    >>> from d20kit import COURSE, SRD35
    >>> veteran = Combatant("Ann", "red", 40, 18, Attack("longsword", 11, "1d8+4"), base_attack_bonus=6)
    >>> [[attack.bonus for attack in attacks_of_a_turn(veteran, rules)] for rules in (COURSE, SRD35)]
    [[11], [11, 6]]
    """
    base = combatant.base_attack_bonus
    steps = iterative_attacks(base, rules=rules)
    if not combatant.attacks or combatant.attacks[0].natural or len(steps) == 1:
        return combatant.attacks
    first, *others = combatant.attacks
    return (*(replace(first, bonus=first.bonus + step - base) for step in steps), *others)


class Fighter:
    """A combatant in the battle: what changes about it.

    >>> from d20kit import COURSE
    >>> ann = Fighter(Combatant("Ann", "red", 0, 12, Attack("club", 2, "1d6")), COURSE)
    >>> ann.hp, ann.state.value, ann.able, ann.flat_footed
    (0, 'disabled', True, True)
    """

    __slots__ = ("attacks", "combatant", "flat_footed", "hp", "initiative", "name", "state")

    def __init__(self, combatant: Combatant, rules: Ruleset) -> None:
        self.combatant = combatant
        self.name = combatant.name
        self.attacks = attacks_of_a_turn(combatant, rules)
        self.hp = combatant.hp
        self.flat_footed = True
        self.initiative: tuple[int, ...] = ()
        self.state = state(combatant.hp, combatant.constitution, rules=rules)

    @property
    def able(self) -> bool:
        """Whether it can act."""
        return self.state.can_act

    def standing(self) -> Standing:
        """Return how it stands at this moment."""
        return Standing(self.name, self.combatant.side, self.hp, self.state, self.flat_footed, self.combatant)


class Arena:
    """Fighters, rules and dice of one battle, and the events told so far.

    >>> from d20kit import COURSE
    >>> from d20kit.battle import ScriptedDice
    >>> ann, bob = (Combatant(name, name, 5, 12, Attack("club", 2, "1d6")) for name in ("Ann", "Bob"))
    >>> arena = Arena([ann, bob], COURSE, ScriptedDice([6]))
    >>> arena.roll("1d6+1").total
    7
    >>> hp_before, hp, before, after = arena.lose(arena.fighters[1], 7)
    >>> hp, after.value, arena.winner
    (-2, 'dying', 'Ann')
    """

    def __init__(
        self,
        combatants: Sequence[Combatant],
        rules: Ruleset,
        dice: Roller,
        watch: Callable[[Event], object] | None = None,
    ) -> None:
        self.rules = rules
        self.fighters = [Fighter(combatant, rules) for combatant in combatants]
        self.dice = Recorder(dice)
        self.events: list[Event] = []
        self._watch = watch
        self.winner: str | None = None

    def tell(self, event: Event) -> None:
        """Add to the story, and let whoever watches know."""
        self.events.append(event)
        if self._watch is not None:
            self._watch(event)

    def d20(self, purpose: str, **names: str) -> int:
        """Roll a d20; the purpose is a message with named fields, for dice that ask what they are rolled for."""
        self.dice.expect(purpose, **names)
        return self.dice.die(20)

    def roll(self, damage: str | Pmf) -> Rolled:
        """Roll damage dice; of a distribution its outcome is drawn at once."""
        if isinstance(damage, Pmf):
            total = damage.roll(self.dice)
            return Rolled(total, (), str(total))
        return expression(damage).roll(self.dice)

    def able_enemies(self, fighter: Fighter) -> list[Fighter]:
        """Return who can still act on the other sides, in list order."""
        side = fighter.combatant.side
        return [other for other in self.fighters if other.able and other.combatant.side != side]

    def become(self, fighter: Fighter, new: State) -> None:
        """Put a fighter in a state; the first moment that leaves only one side able to act decides the battle."""
        fighter.state = new
        able = {one.combatant.side for one in self.fighters if one.able}
        if len(able) == 1:
            self.winner = able.pop()

    def lose(self, fighter: Fighter, points: int) -> tuple[int, int, State, State]:
        """Take hit points away; return hit points and state before and after."""
        hp, before = fighter.hp, fighter.state
        fighter.hp -= points
        self.become(fighter, state(fighter.hp, fighter.combatant.constitution, rules=self.rules))
        return hp, fighter.hp, before, fighter.state
