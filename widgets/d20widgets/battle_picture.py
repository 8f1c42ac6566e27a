"""How a battle is drawn: above the chance of each side from step to step, below everybody's hit points."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle
from typing import Any

from d20kit.amounts import number_text, short_percent_text
from d20kit.battle.policies import Standing
from d20kit.battle.wording import state_word
from d20kit.hit_points import DEATH, State
from d20kit.language import _
from d20widgets import style
from d20widgets.battle_names import drawn
from d20widgets.battle_odds import Chances, Known
from d20widgets.battle_story import Scene, Story
from d20widgets.unbroken import NO_BREAK

# Bars that a picture has room for; the rest of a larger battle is in the log and the table.
MOST_BARS = 30
# Sides of Okabe and Ito's colours, each with a dash of its own; further sides begin again.
SIDES = (("#0072b2", "solid"), ("#d55e00", "dash"), ("#009e73", "dot"), ("#cc79a7", "dashdot"), ("#b59f00", "longdash"))
# A side that is called red is looked for in red.
_OF_NAME = {"blue": 0, "biru": 0, "red": 1, "merah": 1, "green": 2, "hijau": 2}
LONGEST_NAME = 15
_BAR, _CURVE, _ABOVE, _BETWEEN, _LEFT = 24, 190, 34, 78, 122
# Percent at which the number of the position stands.
_OVER = 109
_MOST_TICKS = 10
# A bar of no length could not be seen.
_SHORTEST = 0.012


def bars(story: Story) -> list[int]:
    """Return whose bars are drawn, from the top down: side by side, as places in the encounter's list."""
    combatants = story.battle.encounter.combatants
    sides = story.battle.encounter.sides
    return sorted(range(len(combatants)), key=lambda who: sides.index(combatants[who].side))[:MOST_BARS]


def battle_figure(story: Story, original: Story | None) -> dict[str, Any]:
    """Return the figure, less what depends on the position.

    The starts of rounds come first, then a curve for each side, those of the battle as it was rolled where this one
    has been changed, a bar trace for each state, and last the marks of the position.
    """
    sides = story.battle.encounter.sides
    was = _curves(original.chances, sides, past=True) if original else []
    curves = _curves(story.chances, sides)
    states = [_bar(state) for state in State]
    return {"data": [_starts(story), *was, *curves, *states, _line(), _marks(sides)], "layout": _layout(story)}


def battle_frame(story: Story, position: int, was: bool) -> dict[str, Any]:
    """Return what a position puts into the figure."""
    sides = story.battle.encounter.sides
    first = 1 + len(sides) * (1 + was)
    scene = story.scenes[position]
    mark = first + len(State) + 1
    shown = story.chances[position]
    known = shown.chances if isinstance(shown, Known) else ()
    chances = [float(100 * one) for one in known]
    return {
        **_lengths(story, scene, first),
        f"data.{mark - 1}.x": [position, position],
        f"data.{mark - 1}.text": ["", f"{NO_BREAK}{short_percent_text(known[0])}{NO_BREAK}" if known else ""],
        f"data.{mark - 1}.textposition": "middle right" if position < 0.6 * story.last else "middle left",
        f"data.{mark}.x": [position] * len(chances) or [None],
        f"data.{mark}.y": chances or [None],
    }


def _lengths(story: Story, scene: Scene, first: int) -> dict[str, Any]:
    """The bars, each in the trace of its state; a lone None keeps a trace where no bar belongs to it."""
    order = bars(story)
    span = _ends(story)[1] - DEATH
    traces: dict[State, tuple[list[Any], list[Any], list[str]]] = {state: ([], [], []) for state in State}
    for row, who in enumerate(order):
        standing = scene.standings[who]
        lengths, rows, words = traces[standing.state]
        lengths.append(max(standing.hp - DEATH, round(_SHORTEST * span, 2)))
        rows.append(row)
        words.append(_bar_words(standing))
    frame: dict[str, Any] = {}
    for place, (lengths, rows, words) in enumerate(traces.values(), start=first):
        frame |= {
            f"data.{place}.x": lengths or [None],
            f"data.{place}.y": rows or [None],
            f"data.{place}.text": words or [""],
        }
    return frame


def _bar_words(standing: Standing) -> str:
    hp = number_text(standing.hp)
    return hp if standing.state is State.HEALTHY else f"{hp} {state_word(standing.state)}"


def side_lines(sides: Sequence[str]) -> list[tuple[str, str]]:
    """Return colour and dash of each side; of two whose names ask for one colour the first has it.

    >>> [dash for _colour, dash in side_lines(("red", "Heroes", "blue"))]
    ['dash', 'dot', 'solid']
    """
    wanted: list[int | None] = []
    for side in sides:
        place = _OF_NAME.get(side.casefold())
        wanted.append(None if place in wanted else place)
    others = cycle(place for place in range(len(SIDES)) if place not in wanted)
    return [SIDES[next(others) if place is None else place] for place in wanted]


def _curves(chances: Chances, sides: Sequence[str], past: bool = False) -> list[dict[str, Any]]:
    return [_curve(chances, k, sides[k], look, past) for k, look in enumerate(side_lines(sides))]


def _curve(chances: Chances, side: int, name: str, look: tuple[str, str], past: bool) -> dict[str, Any]:
    colour, dash = look
    known = [float(100 * one.chances[side]) if isinstance(one, Known) else None for one in chances.found]
    label = drawn(name, 30)
    return {
        "type": "scatter",
        "mode": "lines",
        "name": _("{side}, as rolled").format(side=label) if past else label,
        "x": list(range(len(known))),
        "y": [None if one is None else round(one, 3) for one in known],
        "opacity": 0.35 if past else 1,
        "line": {"color": colour, "width": 2 if past else 3, "dash": dash, "shape": "hv"},
        "hovertemplate": label + ": %{y:.1f} %<extra></extra>",
    }


def _starts(story: Story) -> dict[str, Any]:
    """A thin line where each round begins."""
    x: list[Any] = []
    for position, _number in story.rounds():
        x += [position, position, None]
    return {
        "type": "scatter",
        "mode": "lines",
        "showlegend": False,
        "x": x or [None],
        "y": [0, 100, None] * (len(x) // 3) or [None],
        "line": {"color": "#8f9499", "width": 1},
        "opacity": 0.5,
        "hoverinfo": "skip",
    }


def _bar(state: State) -> dict[str, Any]:
    return {
        "type": "bar",
        "orientation": "h",
        "name": state_word(state),
        "x": [None],
        "y": [None],
        "base": DEATH,
        "text": [""],
        "textposition": "outside",
        "constraintext": "none",
        "cliponaxis": False,
        "textangle": 0,
        "xaxis": "x2",
        "yaxis": "y2",
        "width": 0.72,
        "marker": style.STATES[state].marker(),
        "hoverinfo": "skip",
        "legendrank": 1001,
    }


def _line() -> dict[str, Any]:
    """The position, with its number where no curve comes."""
    return {
        "type": "scatter",
        "mode": "lines+text",
        "showlegend": False,
        "x": [0, 0],
        "y": [0, _OVER],
        "text": ["", ""],
        "textposition": "middle right",
        "textfont": {"size": 14, "color": style.POINT},
        "cliponaxis": False,
        "line": {"color": style.POINT, "width": 2},
        "hoverinfo": "skip",
    }


def _marks(sides: Sequence[str]) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "showlegend": False,
        "x": [None],
        "y": [None],
        "marker": {"size": 11, "color": [colour for colour, _dash in side_lines(sides)], "symbol": "diamond"},
        "cliponaxis": False,
        "hoverinfo": "skip",
    }


def _ends(story: Story) -> tuple[float, float]:
    """The axis of hit points: from death to the most anybody starts with, and room for the words behind a bar."""
    most = max(1, *(one.hp for one in story.battle.encounter.combatants))
    return DEATH, most + 0.3 * (most - DEATH)


def _layout(story: Story) -> dict[str, Any]:
    combatants = story.battle.encounter.combatants
    order = bars(story)
    inner = _CURVE + _BETWEEN + _BAR * len(order)
    split, top = _BAR * len(order) / inner, 1 - _CURVE / inner
    ticks = _ticks(story)
    title = _("Hit points")
    if len(order) < len(combatants):
        title = _("Hit points (the first {shown} of {all})").format(shown=len(order), all=len(combatants))
    return style.layout(
        inner + _ABOVE + style.BELOW,
        margin={"l": _LEFT, "r": 16, "t": _ABOVE, "b": style.BELOW, "autoexpand": False},
        barmode="overlay",
        annotations=[_heading(_chance_title(story), 1), _heading(title, split)],
        xaxis=style.axis(
            _("round (S: surprise round)") if any(text == _("S") for _position, text in ticks) else _("round"),
            range=[-0.5, story.last + 0.5],
            anchor="y",
            showgrid=False,
            tickvals=[position for position, _text in ticks],
            ticktext=[text for _position, text in ticks],
            tickangle=0,
        ),
        yaxis=style.axis(range=[-2, 118], domain=[top, 1], **style.PERCENT),
        xaxis2=style.axis(_("hit points"), range=list(_ends(story)), anchor="y2", nticks=8),
        yaxis2=style.axis(
            range=[len(order) - 0.5, -0.5],
            domain=[0, split],
            anchor="x2",
            showgrid=False,
            tickvals=list(range(len(order))),
            ticktext=[drawn(combatants[who].name, LONGEST_NAME) + NO_BREAK for who in order],
        ),
    )


def _heading(text: str, y: float) -> dict[str, Any]:
    """A heading that begins where the names do: beside them a narrow window has no room for it."""
    return {**style.heading(text, y), "xshift": 4 - _LEFT}


def _chance_title(story: Story) -> str:
    first = drawn(story.battle.encounter.sides[0], 20)
    return _("Chance to win, the number is that of {side}").format(side=first)


def _ticks(story: Story) -> list[tuple[int, str]]:
    """Where rounds begin, as many as there is room for."""
    surprise = [(position, _("S")) for position, number in story.rounds() if number == 0]
    rounds = [(position, str(number)) for position, number in story.rounds() if number]
    return surprise + rounds[:: -(-len(rounds) // _MOST_TICKS) or 1]
