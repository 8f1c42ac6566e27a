"""What is said to each known mistake. The wrong formulas stand with the exercises, where their values are."""

from __future__ import annotations

from d20kit.language import N_

SENTENCES = {
    "forgotten-natural-1": N_("That lets every face succeed: a natural 1 fails whatever the bonus is."),
    "forgotten-natural-20": N_("That lets no face succeed: a natural 20 succeeds whatever the number to reach is."),
    "greater-not-equal": N_("That asks for more than the number to reach; reaching it exactly is enough."),
    "sign-twice": N_("A penalty is a negative number already: it is added as it is, and makes the sum smaller."),
    "opposite-chance": N_("That is the chance that it does not happen."),
    "size-twice": N_("The size modifier is listed with attack and with armor class, but here it counts once."),
    "part-increment": N_("Only full range increments cost something; one that is begun costs nothing yet."),
    "forgotten-range": N_("The range penalty is missing."),
    "forgotten-confirmation": N_("A threat is not a critical yet: a second roll must hit as well."),
    "threat-beyond-hits": N_("Some faces of the threat range miss here, and a miss threatens nothing."),
    "natural-20-only": N_("Under these rules the whole threat range counts, and a second roll decides."),
    "added-chances": N_(
        "Chances of several tries cannot be added: what happens in more than one of them would count more than once."
    ),
    "both-needed": N_("That is the chance that all tries succeed; one of them is enough."),
    "lost-dexterity-penalty": N_("Flat-footed loses a Dexterity bonus only; a penalty stays."),
    "kept-dexterity": N_("Flat-footed loses the Dexterity bonus, and dodge bonuses with it."),
    "kept-dodge": N_("A dodge bonus is lost together with the Dexterity bonus."),
    "max-dexterity-ignored": N_("The armor does not count against a touch, but it is still worn and limits Dexterity."),
    "armor-on-touch": N_("Against a touch attack armor, shield and natural armor do not count."),
    "natural-armor-on-touch": N_("A touch needs no force to hurt, so natural armor does not count either."),
    "stacked-same-type": N_("Bonuses of one type do not stack: only the larger counts."),
    "lost-dodge": N_("A dodge bonus counts against a touch, and it stacks."),
    "half-die": N_("The faces of a die start at 1, so its mean is half of one more than its sides."),
    "bonus-for-each-die": N_("The bonus is added once to the sum of the dice, not to each die."),
    "multiplied-bonus-dice": N_("Bonus dice are not multiplied: they are added once, afterwards."),
    "bonus-not-multiplied": N_("Strength and enhancement are multiplied with the dice; only bonus dice are not."),
    "doubled-twice": N_(
        "Each multiplier adds copies of the original damage, never copies of copies: x2 and x2 is x3, not x4."
    ),
    "added-multipliers": N_("The original damage counts once; each multiplier adds one less than it says."),
    "range-multiplier-swapped": N_(
        "Threat range and multiplier are swapped: the range says how often, the multiplier says how much more."
    ),
    "forgotten-critical": N_("The criticals are missing."),
    "forgotten-miss": N_("That is what a hit takes; an attack also misses, and then takes nothing."),
    "rounded-up": N_("Halves are rounded down, negative ones too."),
    "unscaled-strength": N_("This grip does not use the Strength modifier as it is."),
    "forgotten-minimum": N_("What would be less than 1 counts as 1 and belongs to the chance."),
    "forgotten-ten": N_("An average score of ten gives nothing: it is subtracted before halving."),
    "halved-loss": N_("The two modifiers are rounded, each by itself; halving the loss rounds something else."),
    "whole-loss": N_("Two points of a score are worth one step of the modifier."),
    "dead-too-early": N_("Nine below zero is still dying; death comes at ten."),
    "from-zero": N_("The count starts at the hit points of now, not at zero."),
    "wrong-direction": N_("Below zero a part of the way to death is done already, so the rounds become fewer."),
    "above-zero": N_("The reserve lies below zero, so the answer is a negative number."),
    "negative-reserve": N_("A Constitution penalty gives no reserve, but takes none either: disabled is at 0 only."),
    "reserve-past-death": N_("Ten below zero is death, whatever Constitution says."),
    "no-reserve": N_("A Constitution bonus keeps a combatant on its feet below 0."),
    "one-round-only": N_("There is one try in every round that is left, not one in all."),
    "save-starts-at-zero": N_("A good save starts two points above half of the level."),
    "attack-naturals": N_("Here the faces 1 and 20 mean nothing special: that is a rule of attack rolls."),
    "ties-as-wins": N_("A tie is not a win: it is rolled again."),
    "lower-not-higher": N_("That is the chance that the roll is lower."),
    "ties-as-losses": N_("A tie is no loss either: it is rolled again, and part of it is won then."),
    "half-of-ties": N_("Rolling again is not even: the higher modifier wins more than half of the ties."),
    "one-in-twenty": N_("That is a tie of equal modifiers; a difference leaves fewer pairs of faces that tie."),
    "one-reroll-at-most": N_("A roll for a tie can tie again, so the chance of one tie is not all."),
}
