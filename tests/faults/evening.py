"""What somebody does with the kit on an evening, as text: the same wherever and whenever they do it.

Run as a process of its own, ``python -m tests.faults.evening FILE``, by the tests that change the language of the
machine or its clock.
"""

from __future__ import annotations

import contextlib
import io
import json
import locale
import os
import sys
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from d20kit import explain
from d20kit.abilities import ability_modifier, size_modifier
from d20kit.amounts import number_text, percent_text, short_percent_text
from d20kit.attack import hit_chance
from d20kit.battle import Attack, Combatant, Encounter
from d20kit.check import one_of
from d20kit.exercises import ask
from d20kit.expression import parse
from d20kit.initiative import order_chances
from d20kit.language import current_language
from d20kit.launch import command
from d20kit.launch.lessons import find_lesson
from d20widgets import AttackExplorer, BattlePlayer

# Turkish has an i with a dot and one without, each in both cases; German's sharp s grows when it is capital.
NAMES = ("ılgın", "İzmirli", "IRMAK", "ilk istila", "ßigurd", "Ærøskøbing")


def fought(*words: str) -> str:
    """Return what a command prints."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        code = command.run(list(words))
    return f"{code}\n{said.getvalue()}"


def saved(file: Path) -> Any:
    """Return the bytes of an encounter with hard names in a file, and what comes of it when it is loaded again."""
    blow = Attack("ısırık", 3, "1d6")
    encounter = Encounter([Combatant(name, NAMES[i % 2], 9, 12, blow) for i, name in enumerate(NAMES)])
    encounter.dump(file)
    again = Encounter.load(file)
    return [file.read_bytes().hex(), again == encounter, str(again.fight(7))]


def cases() -> list[str]:
    """Return words that are the same in any case, read in capitals."""
    names = ["03-initiative", "04-hit-points"]
    return [
        str(size_modifier("DIMINUTIVE")),
        find_lesson(names, "INITIATIVE"),
        find_lesson(names, "HIT-POINTS"),
        str(parse("2D6+3").mean()),
        str(ability_modifier(15)),
        answer(lambda: one_of("skill", "HIDE", ["climb", "hide"])),
    ]


def answer(act: Callable[[], Any]) -> str:
    """Return what comes of something, or why it is refused."""
    try:
        return str(act())
    except ValueError as error:
        return str(error)


def numbers() -> list[str]:
    """Return numbers as people read them, and answers read as people write them."""
    chance = Fraction(7_777, 12_345)
    question = ask("attack", seed=18)
    shown = [percent_text(chance), short_percent_text(chance), number_text(-1_234_567), f"{float(chance):.3f}"]
    typed = [answer(partial(question.check, text)) for text in ("0.55", "11/20", "55 %", "0,55", "1.234,5")]
    return [*shown, *typed]


def pictures() -> list[str]:
    """Return the words and the data of two widgets."""
    attack, battle = AttackExplorer(ac=17), BattlePlayer("duel", seed=3, position=4)
    told = [attack.summary, attack.code, json.dumps(attack.state), battle.summary, json.dumps(battle.state)]
    attack.close()
    battle.close()
    return told


def evening(file: Path) -> dict[str, Any]:
    """Return all of it."""
    orders = {" ".join(map(str, order)): str(chance) for order, chance in order_chances({"I": 2, "ı": 1}).items()}
    return {
        "fight": fought("fight", "duel", "--seed", "3"),
        "fight as JSON": fought("fight", "last-stand", "--seed", "5", "--json"),
        "explain": [str(explain(hit_chance, bonus=7, ac=18)), explain(hit_chance, bonus=7, ac=18)._repr_latex_()],
        "saved": saved(file),
        "cases": cases(),
        "numbers": numbers(),
        "orders": orders,
        "pictures": pictures(),
    }


def main() -> None:
    """Print the evening, the language that was chosen, and the machine's sign between a number and its fraction."""
    # As any library of the process may do: then what C prints and reads follows the machine's language.
    with contextlib.suppress(locale.Error):
        locale.setlocale(locale.LC_ALL, "")
    said = {"told": evening(Path(sys.argv[1])), "language": current_language()}
    said["point"] = locale.localeconv()["decimal_point"]
    said["doctor"] = [one["name"] for one in json.loads(fought("doctor", "--json").partition("\n")[2])["checks"]]
    os.write(1, json.dumps(said).encode("ascii"))


if __name__ == "__main__":
    main()
