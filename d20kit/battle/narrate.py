"""The narration of a battle: plain text in sections, a line for every roll."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from d20kit.battle import events as told
from d20kit.battle.policies import Standing
from d20kit.battle.wording import fold_evenly, pad, shown_width, state_word
from d20kit.hit_points import State
from d20kit.language import _

# What follows from a roll is told one step further in.
_CONSEQUENCES = (
    told.ConfirmationRoll,
    told.DamageRoll,
    told.HarmlessHit,
    told.HitPointChange,
    told.MassiveDamageSave,
    told.SavingThrow,
)
_Row = tuple[str, str, int, State]
_ROW_LENGTH = 3


class Narrator:
    """Tells a battle event by event.

    >>> narrator = Narrator()
    >>> for event in (told.Awareness("Ann", "red", True), told.InitiativeRoll("Ann", 14, 2)):
    ...     print(*narrator.lines(event), sep="|")
    Awareness|  everybody is flat-footed until their own first turn|  Ann (red) is aware of the enemy
    |Initiative|  Ann rolls initiative: d20 14 + 2 = 16
    """

    def __init__(self) -> None:
        self._before: told.Event | None = None

    def lines(self, event: told.Event) -> list[str]:
        """Return the lines that tell the next event, under a heading where a section begins.

        >>> Narrator().lines(told.Awareness("Ann", "red", True))[-1]
        '  Ann (red) is aware of the enemy'
        """
        heading = _heading(event, self._before)
        opening = [heading, _opening()] if self._before is None else ["", heading] if heading else []
        self._before = event
        return opening + event_lines(event)


def text(events: Sequence[told.Event], standings: Iterable[Standing]) -> str:
    """Tell a battle from its events; ``standings`` are how everybody stood at the end.

    >>> from d20kit.battle import Encounter
    >>> battle = Encounter.ready("duel").fight(1)
    >>> text(battle.events, battle.standings).splitlines()[-2:]
    ['  red   Red fighter    12 healthy', '  blue  Blue fighter  -11 dead']
    """
    narrator = Narrator()
    lines = [line for event in events for line in narrator.lines(event)]
    return "\n".join(lines + final_lines(standings))


def final_lines(standings: Iterable[Standing]) -> list[str]:
    """Tell how everybody stood at the end.

    >>> final_lines([Standing("Ann", "red", -2, State.DYING, False, None)])
    ['  red  Ann   -2 dying']
    """
    return hit_point_lines([(standing.name, standing.side, standing.hp, standing.state) for standing in standings])


def _opening() -> str:
    return "  " + _("everybody is flat-footed until their own first turn")


def _heading(event: told.Event, before: told.Event | None) -> str:
    if before is None:
        return _("Awareness")
    if isinstance(event, told.SurpriseRoundBegins):
        return _("Surprise round")
    if isinstance(event, told.RoundBegins):
        return _("Round {number}").format(number=event.number)
    if isinstance(event, told.BattleEnds):
        return _("Result")
    rolling = isinstance(event, told.InitiativeRoll)
    begun = isinstance(before, (told.InitiativeRoll, told.SurpriseRoundBegins))
    return _("Initiative") if rolling and not begun else ""


def event_lines(event: told.Event) -> list[str]:
    """Return the lines that tell an event, without the heading of its section; long ones go on further in.

    >>> event_lines(told.Awareness("Ann", "red", True))
    ['  Ann (red) is aware of the enemy']
    """
    if isinstance(event, told.RoundBegins):
        return hit_point_lines(event.standings)
    consequence = isinstance(event, _CONSEQUENCES) and not isinstance(event, told.Bleeding)
    return fold_evenly("    " * consequence + "  " + event.sentence(), indent=10).splitlines()


def hit_point_lines(rows: Sequence[_Row]) -> list[str]:
    """Hit points and state of everybody, a side below the other, in columns that stay put.

    >>> rows = [("Rogue", "heroes", 11, State.HEALTHY), ("Orc", "monsters", -3, State.DYING)]
    >>> print(*hit_point_lines(rows), sep="\\n")
      heroes    Rogue   11 healthy
      monsters  Orc     -3 dying
    """
    sides = list(dict.fromkeys(side for _name, side, _hp, _state in rows))
    side_width = max(map(shown_width, sides))
    name_width = max(shown_width(name) for name, _side, _hp, _state in rows)
    state_width = max(shown_width(state_word(state)) for state in State)
    lines = []
    for side in sides:
        cells = [
            f"{pad(name, name_width)} {hp:>4} {pad(state_word(state), state_width)}"
            for name, its_side, hp, state in rows
            if its_side == side
        ]
        for start in range(0, len(cells), _ROW_LENGTH):
            opening = pad("" if start else side, side_width)
            lines.append(f"  {opening}  {'  '.join(cells[start : start + _ROW_LENGTH])}".rstrip())
    return lines
