"""One attack: its roll, perhaps a confirming roll, its damage, and what that does."""

from __future__ import annotations

from d20kit.attack import Outcome, is_threat, resolve
from d20kit.battle.arena import Arena, Fighter
from d20kit.battle.attack import Attack, Save
from d20kit.battle.combatant import Defence
from d20kit.battle.events import (
    AttackRoll,
    ConfirmationRoll,
    DamageRoll,
    HarmlessHit,
    HitPointChange,
    MassiveDamageSave,
    SavingThrow,
)
from d20kit.damage import damage_dealt, rolls_needed
from d20kit.expression import Rolled
from d20kit.hit_points import MASSIVE_DAMAGE, MASSIVE_DAMAGE_DC, State
from d20kit.language import N_
from d20kit.saves import save_succeeds

_SAVE = N_("saving throw of {name}")


def strike(arena: Arena, attacker: Fighter, attack: Attack, target: Fighter) -> None:
    """Roll one attack and let it take effect.

    >>> from d20kit import COURSE
    >>> from d20kit.battle import Combatant, ScriptedDice
    >>> club = Attack("club", 2, "1d6+1")
    >>> ann, bob = (Combatant(name, name, 5, 12, club) for name in ("Ann", "Bob"))
    >>> arena = Arena([ann, bob], COURSE, ScriptedDice([20, 4]))
    >>> strike(arena, arena.fighters[0], club, arena.fighters[1])
    >>> print(*(event.sentence() for event in arena.events), sep="\\n")
    Ann attacks Bob with club: d20 20 + 2 = 22 vs AC 12 flat-footed (no Dex): natural 20, always a hit and a critical
    critical damage (1d6 (4) + 1) x 2 = 10
    Bob: 5 -> -5 hit points, dying
    """
    outcome = _attack_roll(arena, attacker, attack, target)
    if outcome is Outcome.MISS:
        return
    if attack.damage is None:
        arena.tell(HarmlessHit(attacker.name, target.name))
        return
    damage = _damage_roll(arena, attacker, attack, target, critical=outcome is Outcome.CRITICAL)
    if attack.save is not None:
        damage = _save(arena, target, attack.save, damage)
    if not damage:
        return
    arena.tell(HitPointChange(target.name, *arena.lose(target, damage)))
    if arena.rules.massive_damage and damage >= MASSIVE_DAMAGE and target.state is not State.DEAD:
        _massive_damage(arena, target, damage)


def _attack_roll(arena: Arena, attacker: Fighter, attack: Attack, target: Fighter) -> Outcome:
    defence = target.combatant.defence(attack, target.flat_footed)
    face = arena.d20(
        N_("{attacker} attacks {target} with {attack}"),
        attacker=attacker.name,
        target=target.name,
        attack=attack.name,
    )
    threatens = is_threat(face, attack.bonus, defence.ac, threat=attack.threat, rules=arena.rules)
    outcome = (
        Outcome.HIT if threatens else resolve(face, attack.bonus, defence.ac, threat=attack.threat, rules=arena.rules)
    )
    arena.tell(
        AttackRoll(
            attacker.name, target.name, attack.name, face, attack.bonus, *defence, outcome=outcome, threat=threatens
        )
    )
    return _confirm(arena, attacker, attack, target, defence, face) if threatens else outcome


def _confirm(arena: Arena, attacker: Fighter, attack: Attack, target: Fighter, defence: Defence, face: int) -> Outcome:
    confirm = arena.d20(N_("to confirm the critical of {attacker}"), attacker=attacker.name)
    outcome = resolve(face, attack.bonus, defence.ac, confirm=confirm, threat=attack.threat, rules=arena.rules)
    arena.tell(ConfirmationRoll(attacker.name, target.name, confirm, attack.bonus, defence.ac, outcome))
    return outcome


def _damage_roll(arena: Arena, attacker: Fighter, attack: Attack, target: Fighter, critical: bool) -> int:
    assert attack.damage is not None
    multiplier = attack.multiplier if critical else 1
    before = len(arena.dice.faces)
    arena.dice.expect(N_("damage of {attacker} with {attack}"), attacker=attacker.name, attack=attack.name)
    rolls = [arena.roll(attack.damage) for _roll in range(rolls_needed(multiplier, rules=arena.rules))]
    extra = None if attack.extra is None else arena.roll(attack.extra)
    bonus_dice = extra.total if extra else 0
    damage = damage_dealt([roll.total for roll in rolls], multiplier=multiplier, extra=bonus_dice, rules=arena.rules)
    copies = multiplier if len(rolls) == 1 else 1
    rolled = copies * sum(roll.total for roll in rolls) + bonus_dice
    text = _spell(rolls, copies, extra)
    faces = tuple(arena.dice.faces[before:])
    arena.tell(DamageRoll(attacker.name, target.name, text, rolled, damage, critical, faces))
    return damage


def _save(arena: Arena, target: Fighter, save: Save, damage: int) -> int:
    """Let the target save against the damage; return what is left of it."""
    bonus = target.combatant.save_bonus(save.kind)
    face = arena.d20(_SAVE, name=target.name)
    success = save_succeeds(face, bonus, save.dc, rules=arena.rules)
    left = save.left_of(damage) if success else damage
    arena.tell(SavingThrow(target.name, save.kind, face, bonus, save.dc, success, left))
    return left


def _massive_damage(arena: Arena, target: Fighter, damage: int) -> None:
    bonus = target.combatant.save_bonus("fortitude")
    face = arena.d20(_SAVE, name=target.name)
    survives = save_succeeds(face, bonus, MASSIVE_DAMAGE_DC, rules=arena.rules)
    arena.tell(MassiveDamageSave(target.name, damage, face, bonus, MASSIVE_DAMAGE_DC, survives))
    if not survives:
        before = target.state
        arena.become(target, State.DEAD)
        arena.tell(HitPointChange(target.name, target.hp, target.hp, before, State.DEAD))


def _spell(rolls: list[Rolled], copies: int, extra: Rolled | None) -> str:
    """Write out the dice: ``(1d8 (4) + 3) x 2 + 2d6 (3, 5)``."""
    text = " + ".join(map(_shown, rolls))
    if copies > 1:
        text = f"({text}) x {copies}" if " + " in text or " - " in text else f"{text} x {copies}"
    return text if extra is None else f"{text} + {_shown(extra)}"


def _shown(roll: Rolled) -> str:
    return roll.text.rpartition(" = ")[0] if roll.faces else roll.text
