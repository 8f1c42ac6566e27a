"""How an attack is drawn: the die's faces as cells, chance to hit and damage by armor class, damage of one attack."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from d20kit import Pmf
from d20kit.amounts import short_percent_text
from d20kit.attack import Outcome, hit_chance
from d20kit.language import _
from d20widgets import style
from d20widgets.dice_picture import columns, every_chance, outline, ticks
from d20widgets.rules_choice import OWN
from d20widgets.style import FACES

# The armor classes of the curves: an axis that never slides, so that what moves is the mark.
CURVE = range(0, 46)
RULES = {
    "COURSE": style.Paint("#009e73", "."),
    "SRD35": style.Paint("#d55e00", "+"),
    OWN: style.Paint("#cc79a7", "-"),
}
DASHES = {"COURSE": "solid", "SRD35": "6px,3px", OWN: "2px,2px"}


def attack_figure(
    bonus: int,
    expected: Mapping[str, Sequence[Fraction]],
    damages: Sequence[Mapping[str, Pmf]],
    two: tuple[str, str],
) -> dict[str, Any]:
    """Return the figure, less what depends on the armor class.

    Trace 0 is the curve of the chance to hit, 1 and 2 are those of the damage under each reading; traces 3 to 5 are
    the faces that miss, hit and are critical, 6 and 7 the marks on the curves; 8 and 9 are the damage of one attack
    under the rules in force and under the others, 10 what stands beside it; the faces' numbers are before them all.
    Last comes the curve of the damage under rules that are neither reading.

    Parameters
    ----------
    bonus : int
        Attack bonus.
    expected : mapping of str to sequence of Fraction
        What each rule set is called to the mean damage at the armor classes of ``CURVE``, both readings first.
    damages : sequence of mappings of str to Pmf
        What one attack deals under each rule set, for every position of the slider.
    two : tuple of str
        What the rules in force are called, and the reading that they are compared with.
    """
    end = max(pmf.support()[1] for one in damages for pmf in one.values())
    highest = max(max(_hurting(pmf)) for one in damages for pmf in one.values())
    rules, other = two
    moving = [
        *map(_faces, Outcome),
        style.point("x2", "y2", showlegend=False),
        style.point("x2", "y3", showlegend=False),
        columns(_(rules), RULES[rules], end, "3", yaxis="y4", showlegend=False),
        outline(_(other), RULES[other].fill, "3", yaxis="y4", showlegend=False),
        style.words(x=[end + 1], y=[1.2 * highest], xaxis="x3", yaxis="y4", textposition="bottom left"),
    ]
    course, srd35, *own = (_damage_curve(name, means) for name, means in expected.items())
    top = float(max(max(means) for means in expected.values()))
    data = [_hit_curve(bonus), course, srd35, *moving, style.face_numbers(0.5), *own]
    return {"data": data, "layout": _layout(1.35 * top, end, 1.2 * highest)}


def damage_frame(damages: Mapping[str, Pmf], two: tuple[str, str]) -> dict[str, Any]:
    """Return what one position puts into the panel of damage."""
    frame = {f"data.{trace}.y": [0, *_hurting(damages[name])] for trace, name in enumerate(two, start=8)}
    miss = short_percent_text(damages[two[0]].pmf(0))
    return {**frame, "data.10.text": [_("no damage: {chance}").format(chance=miss)]}


def _hurting(pmf: Pmf) -> list[float]:
    """Chances of 1 point of damage and more, in percent; beside the misses, which deal nothing, they would be small."""
    return every_chance(pmf, 1, pmf.support()[1] + 1, digits=2)


def _faces(outcome: Outcome) -> dict[str, Any]:
    return {
        "type": "bar",
        "name": _(outcome.value),
        "x": [None],
        "y": [1] * len(FACES),
        "width": 0.94,
        "marker": style.OUTCOMES[outcome].marker(),
        "hovertemplate": "%{x}: " + _(outcome.value) + "<extra></extra>",
    }


def _hit_curve(bonus: int) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines",
        "name": _("chance to hit"),
        "legendrank": 1001,
        "x": list(CURVE),
        "y": [float(100 * hit_chance(bonus, ac)) for ac in CURVE],
        "xaxis": "x2",
        "yaxis": "y2",
        "line": {"color": style.OUTCOMES[Outcome.HIT].fill, "width": 2},
    }


def _damage_curve(name: str, means: Sequence[Fraction]) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines",
        "name": _(name),
        "legendrank": 1002,
        "x": list(CURVE),
        "y": [round(float(mean), 3) for mean in means],
        "xaxis": "x2",
        "yaxis": "y3",
        "line": {"color": RULES[name].fill, "width": 2, "dash": DASHES[name]},
    }


def _layout(most_mean: float, end: int, most_chance: float) -> dict[str, Any]:
    headings = [
        style.heading(_("Faces of the die"), 1),
        style.heading(_("Chance to hit by armor class"), 0.86),
        style.heading(_("Mean damage of one attack by armor class"), 0.545),
        style.heading(_("Chance of each damage of one attack"), 0.21),
    ]
    ac = {"range": [CURVE.start - 1, CURVE.stop], "dtick": 5}
    return style.layout(
        660,
        barmode="overlay",
        annotations=headings,
        xaxis=style.axis(range=[0.5, 20.5], anchor="y", visible=False),
        yaxis=style.axis(range=[0, 1], domain=[0.91, 1], visible=False),
        xaxis2=style.axis(_("AC"), anchor="y3", **ac),
        yaxis2=style.axis(range=[0, 120], domain=[0.6, 0.86], anchor="x2", **style.PERCENT),
        yaxis3=style.axis(range=[0, most_mean], domain=[0.335, 0.545], anchor="x2", nticks=5, **style.APART),
        xaxis3=style.axis(_("damage"), range=[0, end + 1], anchor="y4", showgrid=False, **ticks(0, end + 1)),
        yaxis4=style.axis(
            range=[0, most_chance], domain=[0, 0.21], anchor="x3", ticksuffix=" %", nticks=4, **style.APART
        ),
    )
