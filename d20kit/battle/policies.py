"""Whom to attack: the ready policies, and how a policy of one's own is called.

A policy is a function of the acting combatant and its able enemies, both as :class:`Standing`, that returns one of
these enemies, or None to do nothing. It is asked before every attack. The ready policies are named by
``POLICY_NAMES``; "random" is one of them, but draws from the battle's own stream of choices, beside the dice.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from d20kit.battle.wording import state_word
from d20kit.check import one_of, refuse
from d20kit.hit_points import State
from d20kit.language import _

if TYPE_CHECKING:
    from d20kit.battle.combatant import Combatant


class Standing(NamedTuple):
    """How one combatant stands at one moment of a battle.

    >>> from d20kit.battle import Encounter
    >>> standing = Encounter.ready("duel").fight(1).standings[1]
    >>> standing.name, standing.side, standing.hp, standing.state.value
    ('Blue fighter', 'blue', -11, 'dead')
    """

    name: str
    side: str
    hp: int
    state: State
    flat_footed: bool
    combatant: Combatant


Policy = Callable[[Standing, tuple[Standing, ...]], "Standing | None"]


def first_able(actor: Standing, enemies: tuple[Standing, ...]) -> Standing | None:
    """Attack the first enemy, in the order of the encounter's list, that can still act.

    >>> hit_points = {"A": 7, "B": 3, "C": 9}
    >>> orcs = tuple(Standing(name, "orcs", hp, State.HEALTHY, False, None) for name, hp in hit_points.items())
    >>> first_able(orcs[0], orcs).name
    'A'
    """
    return enemies[0]


def weakest(actor: Standing, enemies: tuple[Standing, ...]) -> Standing | None:
    """Attack the able enemy with the fewest hit points, the first of several.

    >>> hit_points = {"A": 7, "B": 3, "C": 9}
    >>> orcs = tuple(Standing(name, "orcs", hp, State.HEALTHY, False, None) for name, hp in hit_points.items())
    >>> weakest(orcs[0], orcs).name
    'B'
    """
    return min(enemies, key=lambda enemy: enemy.hp)


def strongest(actor: Standing, enemies: tuple[Standing, ...]) -> Standing | None:
    """Attack the able enemy with the most hit points, the first of several.

    >>> hit_points = {"A": 7, "B": 3, "C": 9}
    >>> orcs = tuple(Standing(name, "orcs", hp, State.HEALTHY, False, None) for name, hp in hit_points.items())
    >>> strongest(orcs[0], orcs).name
    'C'
    """
    return max(enemies, key=lambda enemy: enemy.hp)


def inaction(actor: Standing, enemies: tuple[Standing, ...]) -> Standing | None:
    """Do nothing; the turn is used all the same.

    >>> orc = Standing("Orc", "monsters", 7, State.HEALTHY, False, None)
    >>> inaction(orc, (orc,)) is None
    True
    """
    return None


POLICIES: dict[str, Policy] = {
    "first-able": first_able,
    "weakest": weakest,
    "strongest": strongest,
    "inaction": inaction,
}


# Attack any able enemy, each as likely; drawn from a stream of its own, so that no face of a script is used up.
RANDOM = "random"
POLICY_NAMES = (*POLICIES, RANDOM)


def check_policy(policy: Any) -> str | Policy:
    """Accept the name of a ready policy, or a function.

    >>> check_policy("weakest"), check_policy(max) is max
    ('weakest', True)
    """
    return policy if callable(policy) else one_of("policy", policy, POLICY_NAMES)


def choose(
    policy: str | Policy, actor: Standing, enemies: tuple[Standing, ...], draw: Callable[[int], int] | None = None
) -> Standing | None:
    """Ask a policy for its target; ``draw(count)`` gives "random" a number below ``count``.

    Raises
    ------
    ValueError
        If the policy raises an error, or returns anything but an able enemy or None.

    Examples
    --------
    >>> hit_points = {"A": 7, "B": 3, "C": 9}
    >>> orcs = tuple(Standing(name, "orcs", hp, State.HEALTHY, False, None) for name, hp in hit_points.items())
    >>> choose("random", orcs[0], orcs, draw=lambda count: count - 1).name
    'C'
    """
    if isinstance(policy, str) and policy == RANDOM:
        if draw is None:
            raise ValueError(
                _("the policy {policy!r} draws its target, but there is nothing to draw with").format(policy=RANDOM)
            )
        return enemies[draw(len(enemies))]
    if isinstance(policy, str):
        return POLICIES[policy](actor, enemies)
    called = getattr(policy, "__name__", type(policy).__name__)
    try:
        target = policy(actor, enemies)
    except Exception as error:
        raise ValueError(
            _(
                "the policy {policy} of {name} raised {error}; a policy returns one of the enemies it is given, or None"
            ).format(policy=called, name=actor.name, error=f"{type(error).__name__}: {error}")
        ) from error
    if target is None or any(target is enemy for enemy in enemies):
        return target
    able = ", ".join(enemy.name for enemy in enemies)
    raise refuse(
        _("the target that the policy {policy} of {name} returned").format(policy=called, name=actor.name),
        f"{target.name}, {state_word(target.state)}" if isinstance(target, Standing) else target,
        _("an enemy that can act, or None"),
        _("choose one of the enemies it is given: {able}").format(able=able),
    )
