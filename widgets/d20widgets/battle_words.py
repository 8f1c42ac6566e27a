"""What the battle player says: the sentence, the formula and the words for the picture."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from d20kit.amounts import LONGEST, short_percent_sign, short_percent_text
from d20kit.battle.wording import state_word
from d20kit.language import N_, _, ngettext
from d20kit.magnitudes import is_longer
from d20widgets import mathml
from d20widgets.battle_names import isolated, told
from d20widgets.battle_odds import Known, Missing
from d20widgets.battle_picture import bars
from d20widgets.battle_story import GRAINS, Scene, Story
from d20widgets.unbroken import NO_BREAK

# Of a step of many events so many are told in its sentence.
MOST_TOLD = 3


@dataclass(frozen=True)
class Numbers:
    """One position of a battle: how everybody stands, and the chances before and after what happened last."""

    story: Story
    original: Story | None
    position: int

    @property
    def scene(self) -> Scene:
        """How everybody stands."""
        return self.story.scenes[self.position]

    @property
    def chances(self) -> Known | Missing:
        """The chances now."""
        return self.story.chances[self.position]

    @property
    def before(self) -> Known | Missing:
        """The chances a step earlier."""
        return self.story.chances[max(0, self.position - 1)]

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides, in the encounter's order."""
        return self.story.battle.encounter.sides

    @property
    def able(self) -> int:
        """How many can still act."""
        return sum(one.state.can_act for one in self.scene.standings)


def sentence(numbers: Numbers) -> str:
    """Say what happened last and what it means for the chances."""
    parts = [_happened(numbers), _chances(numbers), _changed(numbers)]
    if numbers.position == 0 and numbers.story.grain != "event":
        parts.append(_("This battle is long: {grain}.").format(grain=_(GRAINS[numbers.story.grain])))
    return " ".join(part for part in parts if part)


def _happened(numbers: Numbers) -> str:
    happened = numbers.story.events(numbers.position)
    if not happened:
        many = len(numbers.scene.standings)
        return ngettext(
            "{count} combatant, before the first die.", "{count} combatants, before the first die.", many
        ).format(count=many)
    said = "; ".join(told(event) for event in happened[:MOST_TOLD])
    if len(happened) > MOST_TOLD:
        said = _("{events}; and {count} more events").format(events=said, count=len(happened) - MOST_TOLD)
    return (said if _begins_with_a_name(numbers, said) else said[:1].upper() + said[1:]) + "."


def _begins_with_a_name(numbers: Numbers, said: str) -> bool:
    """Names stay as they are written, at the beginning of a sentence too."""
    names = [one.name for one in numbers.scene.standings]
    return said.startswith(tuple(map(isolated, [*names, *numbers.sides])))


def _chances(numbers: Numbers) -> str:
    known = numbers.chances
    if isinstance(known, Missing):
        return _("Chance to win: {reason}.").format(reason=_(known.value))
    listed = ", ".join(_of_side(numbers, known, k) for k in range(len(numbers.sides)))
    if known.draw:
        listed = _("{chances}, a draw {chance}").format(chances=listed, chance=short_percent_text(known.draw))
    if known.battles:
        return _("Chance to win, as {battles} simulated battles show with 95 % certainty: {chances}.").format(
            battles=known.battles, chances=listed
        )
    return _("Chance to win: {chances}.").format(chances=listed)


def _of_side(numbers: Numbers, known: Known, k: int) -> str:
    side, chance = isolated(numbers.sides[k]), short_percent_text(known.chances[k])
    if known.intervals:
        low, high = known.intervals[k]
        return _("{side} {low} to {high} %").format(side=side, low=f"{100 * low:.1f}", high=f"{100 * high:.1f}")
    before = numbers.before
    if isinstance(before, Known) and not before.battles:
        earlier = short_percent_text(before.chances[k])
        if earlier != chance:
            return _("{side} {chance} (before: {earlier})").format(side=side, chance=chance, earlier=earlier)
    return f"{side} {chance}"


def _changed(numbers: Numbers) -> str:
    if numbers.original is None:
        return ""
    if numbers.position == numbers.story.last:
        winner = numbers.original.battle.winner
        if winner is None:
            return _("As it was rolled, nobody won.")
        return _("As it was rolled, {winner} won.").format(winner=isolated(winner))
    return _("This is a what-if: some dice were changed.")


def formula(numbers: Numbers) -> str:
    """Return the chance of the first side, in MathML: with its fraction where that can be read."""
    left = mathml.call("P", mathml.words(_("{side} win").format(side=isolated(numbers.sides[0]))))
    known = numbers.chances
    if isinstance(known, Missing):
        return mathml.formula(left, mathml.sign("="), mathml.words(_(known.value)))
    chance = known.chances[0]
    parts = [left]
    readable = not known.battles and not known.error and not is_longer(chance, LONGEST) and chance.denominator > 1
    if readable:
        top, bottom = mathml.number(chance.numerator), mathml.number(chance.denominator)
        parts += [mathml.sign("="), mathml.fraction(top, bottom)]
    sign = "≈" if known.battles else short_percent_sign(chance)
    parts += [mathml.sign(sign), mathml.words(short_percent_text(chance))]
    return mathml.formula(*parts, *_swing(numbers, chance))


def _swing(numbers: Numbers, chance: Fraction) -> list[str]:
    """By how many points the last step moved it."""
    before = numbers.before
    if numbers.position == 0 or not isinstance(before, Known) or before.battles:
        return []
    points = 100 * (chance - before.chances[0])
    if not points:
        return []
    size = f"{float(abs(points)):.1f}"
    change = _("{points} points less") if points < 0 else _("{points} points more")
    return [mathml.words(f"{NO_BREAK}({change.format(points=size)})")]


def label(numbers: Numbers) -> str:
    """Return the words that stand for the picture."""
    standings = numbers.scene.standings
    shown = [standings[who] for who in bars(numbers.story)]
    listed = ", ".join(f"{isolated(one.name)} {one.hp} {state_word(one.state)}" for one in shown)
    return _("Hit points: {combatants}. {chances}").format(combatants=listed, chances=_chances(numbers))


def table(numbers: Numbers) -> list[dict[str, Any]]:
    """Return how everybody stands, a row a combatant, with the chance of the own side."""
    known = numbers.chances
    chances = dict(zip(numbers.sides, _each(known, len(numbers.sides)), strict=True))
    return [
        {
            N_("combatant"): one.name,
            N_("side"): one.side,
            N_("hit points"): one.hp,
            N_("state"): one.state,
            N_("flat-footed"): _("yes") if one.flat_footed else _("no"),
            N_("chance of the side"): chances[one.side],
        }
        for one in numbers.scene.standings
    ]


def _each(known: Known | Missing, sides: int) -> list[Any]:
    if isinstance(known, Missing):
        return [_(known.value)] * sides
    return [f"≈ {short_percent_text(one)}" if known.battles or known.error else one for one in known.chances]
