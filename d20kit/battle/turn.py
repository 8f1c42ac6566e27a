"""One turn: the attacks of those who can act, the bleeding of those who cannot."""

from __future__ import annotations

from d20kit.battle.arena import Arena, Fighter
from d20kit.battle.events import Bleeding, Exertion, Inaction, NoLongerFlatFooted, StabiliseRoll
from d20kit.battle.policies import choose
from d20kit.battle.strike import strike
from d20kit.hit_points import State, disabled_attack_cost
from d20kit.language import N_


def take_turn(arena: Arena, fighter: Fighter, first_attack_only: bool) -> None:
    """Let one fighter have its turn, whatever it can still do with it.

    >>> from d20kit import SRD35
    >>> from d20kit.battle import Combatant, ScriptedDice
    >>> ann, bob = (Combatant(name, name, hp, 12, ()) for name, hp in {"Ann": -3, "Bob": 5}.items())
    >>> arena = Arena([ann, bob], SRD35, ScriptedDice([34]))
    >>> take_turn(arena, arena.fighters[0], first_attack_only=False)
    >>> [event.kind for event in arena.events], arena.fighters[0].hp
    (['no longer flat-footed', 'stabilise', 'bleeding'], -4)
    """
    if fighter.state is State.DEAD:
        return
    if fighter.flat_footed:
        fighter.flat_footed = False
        arena.tell(NoLongerFlatFooted(fighter.name))
    if fighter.able:
        _act(arena, fighter, first_attack_only)
    elif fighter.state is State.DYING:
        _bleed(arena, fighter)
    else:
        arena.tell(Inaction(fighter.name, fighter.state))


def _act(arena: Arena, fighter: Fighter, first_attack_only: bool) -> None:
    """Make the attacks of the turn, the disabled too, who pay afterwards, and once, where acting costs them."""
    acted = False
    for attack in fighter.attacks[:1] if first_attack_only else fighter.attacks:
        target = _target(arena, fighter)
        if target is None:
            break
        strike(arena, fighter, attack, target)
        acted = True
    if not acted:
        arena.tell(Inaction(fighter.name, fighter.state))
        return
    cost = disabled_attack_cost(fighter.hp, fighter.combatant.constitution, rules=arena.rules)
    if cost:
        arena.tell(Exertion(fighter.name, *arena.lose(fighter, int(cost))))


def _target(arena: Arena, fighter: Fighter) -> Fighter | None:
    """Ask the policy, which sees standings and never the fighters themselves."""
    enemies = arena.able_enemies(fighter)
    if not enemies:
        return None
    standings = tuple(enemy.standing() for enemy in enemies)
    chosen = choose(fighter.combatant.policy, fighter.standing(), standings, arena.dice.choose)
    return next((enemy for enemy, standing in zip(enemies, standings, strict=True) if standing is chosen), None)


def _bleed(arena: Arena, fighter: Fighter) -> None:
    needed = int(100 * arena.rules.stabilise_chance)
    if needed:
        arena.dice.expect(N_("{name} tries to stabilise"), name=fighter.name)
        face = arena.dice.die(100)
        arena.tell(StabiliseRoll(fighter.name, face, needed, face <= needed))
        if face <= needed:
            arena.become(fighter, State.STABLE)
            return
    arena.tell(Bleeding(fighter.name, *arena.lose(fighter, 1)))
