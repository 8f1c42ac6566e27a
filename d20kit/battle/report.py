"""What the command ``fight`` says, as text or as lines of JSON.

The command itself belongs to what runs before anything is installed, so it calls this module by name.
"""

from __future__ import annotations

import difflib
import json
import os
import sys
import textwrap
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from d20kit import COURSE, SRD35
from d20kit.battle import Battle, Encounter, PromptDice
from d20kit.battle.bar import bar_text
from d20kit.battle.events import Event
from d20kit.battle.exact import Odds, odds
from d20kit.battle.narrate import Narrator, final_lines
from d20kit.battle.ready import READY
from d20kit.battle.wording import pad, shown_width
from d20kit.language import _

RULES = {"course": COURSE, "srd35": SRD35}
# Fractions longer than this say less than their percentage.
_READABLE = 10**6


def choose_encounter(name: str, rules: str | None) -> tuple[Encounter, str]:
    """Return the encounter of a file or a ready one, and what is known about it.

    >>> encounter, about = choose_encounter("duel", "srd35")
    >>> encounter.rules, about
    (SRD35, 'A duel: two fighters of equal strength, each aware of the other')
    """
    if name in READY:
        described = _(READY[name])
        encounter, about = Encounter.ready(name), described[:1].upper() + described[1:]
    elif os.path.lexists(name) or name.endswith(".toml") or os.path.dirname(name):
        encounter, about = Encounter.load(name), name
    else:
        raise ValueError(_unknown(name))
    return (replace(encounter, rules=RULES[rules]) if rules else encounter), about


def _unknown(name: str) -> str:
    ready = ", ".join(READY)
    near = difflib.get_close_matches(name, READY, 1)
    hint = " " + _("Did you mean {nearest!r}?").format(nearest=near[0]) if near else ""
    text = _("There is no file {name!r} and no ready encounter of that name; the ready ones are {ready}.")
    return text.format(name=name, ready=ready) + hint


def tell(
    name: str,
    seed: int,
    *,
    rules: str | None = None,
    typed: bool = False,
    as_json: bool = False,
    battles: int | None = None,
    progress: Callable[[], Any],
) -> None:
    """Fight, and say everything that was asked for.

    Parameters
    ----------
    name : str
        A file, or the name of a ready encounter.
    seed : int
        Of the battle, or, if its dice are typed, of what else is random.
    rules : {"course", "srd35"}, optional
        Instead of the rules of the file.
    typed : bool
        Whether the faces of the dice are typed.
    as_json : bool
        Whether to write lines of JSON instead of text.
    battles : int, optional
        How many more to simulate.
    progress : callable
        Makes a context whose ``detail(text)`` shows a passing line.

    Raises
    ------
    ValueError
        If there is something wrong with the encounter.

    Examples
    --------
    >>> from contextlib import redirect_stdout
    >>> from io import StringIO
    >>> from d20kit.launch.progress import Progress
    >>> with redirect_stdout(StringIO()) as said:
    ...     tell("duel", seed=1, as_json=True, progress=lambda: Progress(StringIO()))
    >>> json.loads(said.getvalue().splitlines()[-1])["win_chance"]
    {'red': '1/2', 'blue': '1/2'}
    """
    encounter, about = choose_encounter(name, rules)
    report = (JsonReport if as_json else TextReport)(encounter, seed)
    report.begin(about, typed)
    dice = PromptDice(_ask, choices=seed) if typed else None
    report.end(encounter.fight(None if typed else seed, dice=dice, watch=report.hear))
    report.odds(_odds(encounter, progress))
    if battles is not None:
        with progress() as shown:
            result = encounter.simulate(battles, seed, progress=_Bar(shown, _("simulating")))
        report.simulation(battles, result)


def _ask(question: str) -> str:
    """Ask beside the report: whoever stores it does not want the questions in it."""
    print(question, end="", file=sys.stderr, flush=True)
    answer = sys.stdin.readline()
    if not answer:
        raise EOFError
    return answer


def _odds(encounter: Encounter, progress: Callable[[], Any]) -> Odds | str:
    """Return everybody's chances, exact where that is not too much work, or the reason why there are none."""
    refused = ""
    for exact in (True, False):
        try:
            with progress() as shown:
                return odds(encounter, exact=exact, progress=_Bar(shown, _("computing the odds")))
        except ValueError as error:
            refused = refused or str(error)
    return refused


class _Bar:
    """A passing line that says how much of a task is done."""

    def __init__(self, progress: Any, task: str) -> None:
        self.progress, self.task = progress, task

    def __call__(self, done: int, total: int) -> None:
        self.progress.detail(bar_text(self.task, done, total))


class TextReport:
    """The battle as text for people.

    >>> duel = Encounter.ready("duel")
    >>> TextReport(duel, seed=1).odds(odds(duel))
    <BLANKLINE>
    Exact odds
      red    50.000 %  = 1/2
      blue   50.000 %  = 1/2
    """

    def __init__(self, encounter: Encounter, seed: int) -> None:
        self.encounter, self.seed = encounter, seed
        self._narrator = Narrator()
        if hasattr(sys.stdout, "reconfigure"):
            sys.stdout.reconfigure(errors="replace")

    def begin(self, about: str, typed: bool) -> None:
        """Say who fights, under which rules, and with which dice."""
        print(about)
        for combatant in self.encounter.combatants:
            print(textwrap.indent(str(combatant), "  "))
        dice = _("typed by you") if typed else _("seed {seed}; --seed {seed} tells it again")
        print(_("Rules: {rules}").format(rules=self.encounter.rules.name))
        print(_("Dice: {dice}").format(dice=dice.format(seed=self.seed)) + "\n", flush=True)

    def hear(self, event: Event) -> None:
        """Tell an event as it happens."""
        print(*self._narrator.lines(event), sep="\n", flush=True)

    def end(self, battle: Battle) -> None:
        """Say how everybody stands at the end."""
        print(*final_lines(battle.standings), sep="\n")

    def odds(self, odds: Odds | str) -> None:
        """Say what the chances were before the first die."""
        print("\n" + (_("Odds") if isinstance(odds, Odds) and odds.error else _("Exact odds")))
        if isinstance(odds, str):
            print(f"  {odds}")
            return
        rows = odds.win_chance | ({_("draw"): odds.draw} if odds.draw else {})
        width = max(map(shown_width, rows))
        for side, chance in rows.items():
            readable = isinstance(chance, Fraction) and chance.denominator <= _READABLE
            print(f"  {pad(side, width)}  {float(100 * chance):7.3f} %" + (f"  = {chance}" if readable else ""))
        if odds.error:
            print("  " + _("each off by {error:.0e} at most").format(error=odds.error))

    def simulation(self, battles: int, result: Any) -> None:
        """Say what came of many battles."""
        print("\n" + _("Simulated") + f"\n{result}")


class JsonReport:
    """The battle as JSON, one object on each line.

    >>> duel = Encounter.ready("duel")
    >>> JsonReport(duel, seed=1).odds(odds(duel))
    {"event": "odds", "win_chance": {"red": "1/2", "blue": "1/2"}, "draw": "0", "error": 0.0}
    """

    def __init__(self, encounter: Encounter, seed: int) -> None:
        self.encounter, self.seed = encounter, seed
        if hasattr(sys.stdout, "reconfigure"):
            sys.stdout.reconfigure(encoding="utf-8")

    def _line(self, kind: str, **values: Any) -> None:
        print(json.dumps({"event": kind} | values, ensure_ascii=False), flush=True)

    def begin(self, about: str, typed: bool) -> None:
        """Say who fights, under which rules, and with which dice."""
        sides: dict[str, list[str]] = {side: [] for side in self.encounter.sides}
        for one in self.encounter.combatants:
            sides[one.side].append(one.name)
        self._line("encounter", seed=None if typed else self.seed, rules=self.encounter.rules.name, sides=sides)

    def hear(self, event: Event) -> None:
        """Write an event as it happens."""
        print(json.dumps(event.record(), ensure_ascii=False), flush=True)

    def end(self, battle: Battle) -> None:
        """Write how everybody stands at the end."""
        rows = [
            {"name": one.name, "side": one.side, "hp": one.hp, "state": one.state.value} for one in battle.standings
        ]
        self._line("standings", standings=rows)

    def odds(self, odds: Odds | str) -> None:
        """Write the chances, exact ones as fractions, or why they are missing."""
        if isinstance(odds, str):
            self._line("odds", refused=odds)
            return
        chances = odds.win_chance | {None: odds.draw}
        written = {side: str(one) if isinstance(one, Fraction) else one for side, one in chances.items()}
        draw = written.pop(None)
        self._line("odds", win_chance=written, draw=draw, error=odds.error)

    def simulation(self, battles: int, result: Any) -> None:
        """Write what came of many battles."""
        self._line("simulation", battles=battles, seed=self.seed, table=result.table())
