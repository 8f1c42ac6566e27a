"""What a learner may change: declared in a line each, built as ordinary ipywidgets."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import ipywidgets

from d20kit.check import bare, one_of, one_whole, refuse, truth
from d20kit.language import _
from d20kit.randomness import draw_below
from d20widgets.looks import Looks

Values = Mapping[str, Any]
LONGEST = 200


class ShortText(ipywidgets.Text):  # type: ignore[misc]
    """A text box that keeps no more of a text than it takes to refuse it, so that the rest never travels back."""

    def set_state(self, sync_data: Any) -> None:
        """Take what the page sends."""
        value = sync_data.get("value")
        cut = {"value": value[: LONGEST + 1]} if isinstance(value, str) else {}
        super().set_state({**sync_data, **cut})


class Slider(ipywidgets.IntSlider):  # type: ignore[misc]
    """A slider whose value follows its ends to the page, which else would hold it between the ends of before."""

    def send_state(self, key: Any = None) -> None:
        """Send some values, each by name, to the page, which takes them in this order."""
        many = key is not None and not isinstance(key, str)
        super().send_state(sorted(key, key=lambda name: (name == "value", name)) if many else key)


@dataclass(frozen=True)
class Control:
    """A named value of an explorer, with a label from the catalogue; states have it ``since`` a version."""

    name: str
    label: str
    since: int = field(default=1, kw_only=True)

    def check(self, value: Any, values: Values) -> Any:
        """Return the value if it is allowed beside the other values, or raise a ValueError that says what is."""
        raise NotImplementedError

    def fit(self, value: Any, values: Values) -> Any:
        """Return the nearest value that is allowed beside the other values."""
        return value

    def initial(self, values: Values) -> Any:
        """Return the value to start with beside the other values."""
        raise NotImplementedError

    def draw(self, rng: Random, values: Values) -> Any:
        """Return a random value that is allowed beside the other values, the same for a seed on every machine."""
        raise NotImplementedError

    def plain(self, value: Any) -> Any:
        """Return the value as it stands in a saved state."""
        return value

    def written(self, value: Any) -> str:
        """Return the value as it is written in Python."""
        return repr(self.plain(value))

    def imports(self, value: Any) -> list[str]:
        """Return the lines of Python that what is written needs before it."""
        return []

    def shown(self, value: Any, values: Values) -> dict[str, Any]:
        """Return what the first widget shows of a value, by trait."""
        return {"value": self.plain(value), "description": _(self.label)}

    def build(self, looks: Looks, value: Any, values: Values) -> tuple[ipywidgets.Widget, ...]:
        """Return the widgets that show a value; the first is the one whose value the learner changes."""
        raise NotImplementedError

    def put(self, parts: tuple[Any, ...], value: Any, values: Values) -> None:
        """Show a value and the label in the widgets."""
        with parts[0].hold_sync():
            for name, shown in self.shown(value, values).items():
                setattr(parts[0], name, shown)


@dataclass(frozen=True)
class Whole(Control):
    """A whole number: a slider with a number box beside it.

    ``high`` and ``default`` may each be the name of another control, whose value is then meant. A control whose lowest
    value depends on others overrides :meth:`bottom`.
    """

    default: int | str
    low: int
    high: int | str

    def bottom(self, values: Values) -> int:
        """Return the lowest value allowed beside the other values."""
        return self.low

    def top(self, values: Values) -> int:
        """Return the highest value allowed beside the other values."""
        return values[self.high] if isinstance(self.high, str) else self.high

    def check(self, value: Any, values: Values) -> int:
        return one_whole(self.name, value, self.bottom(values), self.top(values))

    def fit(self, value: int, values: Values) -> int:
        return max(self.bottom(values), min(value, self.top(values)))

    def initial(self, values: Values) -> int:
        return values[self.default] if isinstance(self.default, str) else self.default

    def draw(self, rng: Random, values: Values) -> int:
        low = self.bottom(values)
        return low + draw_below(rng, self.top(values) - low + 1)

    def numbers(self, value: int, values: Values) -> dict[str, int]:
        """Return the value and its ends, by trait."""
        return {"min": self.bottom(values), "max": self.top(values), "value": value}

    def shown(self, value: int, values: Values) -> dict[str, Any]:
        return {**self.numbers(value, values), "description": _(self.label)}

    def build(self, looks: Looks, value: int, values: Values) -> tuple[ipywidgets.Widget, ...]:
        slider = Slider(readout=False, **self.shown(value, values), **looks.of(Slider, label=True))
        of_box = looks.of(ipywidgets.BoundedIntText, width="4.5em")
        box = ipywidgets.BoundedIntText(**self.numbers(value, values), **of_box)
        return slider, box, ipywidgets.jslink((slider, "value"), (box, "value"))

    def put(self, parts: tuple[Any, ...], value: int, values: Values) -> None:
        for part, traits in zip(parts, (self.shown(value, values), self.numbers(value, values)), strict=False):
            # Held, so that at no moment the ends cross or the value lies outside, here or on the page.
            with part.hold_sync(), part.hold_trait_notifications():
                for name, shown in traits.items():
                    setattr(part, name, shown)


@dataclass(frozen=True)
class Switch(Control):
    """A yes or no: a checkbox."""

    default: bool = False

    def check(self, value: Any, values: Values) -> bool:
        return truth(self.name, value)

    def initial(self, values: Values) -> bool:
        return self.default

    def draw(self, rng: Random, values: Values) -> bool:
        return draw_below(rng, 2) == 1

    def build(self, looks: Looks, value: bool, values: Values) -> tuple[ipywidgets.Widget, ...]:
        look = looks.of(ipywidgets.Checkbox, width="auto")
        return (ipywidgets.Checkbox(indent=False, **self.shown(value, values), **look),)


class Chosen(Control):
    """What is chosen from a drop-down."""

    def build(self, looks: Looks, value: Any, values: Values) -> tuple[ipywidgets.Widget, ...]:
        return (ipywidgets.Dropdown(**self.shown(value, values), **looks.of(ipywidgets.Dropdown, label=True)),)


@dataclass(frozen=True)
class OneOf(Chosen):
    """One of some texts, such as a size: a drop-down that shows each in the language in use.

    ``options`` maps the texts, which are what states and code hold, to their catalogue messages.
    """

    options: Mapping[str, str]
    default: str = ""

    def check(self, value: Any, values: Values) -> str:
        return one_of(self.name, value, self.options)

    def initial(self, values: Values) -> str:
        return self.default or next(iter(self.options))

    def draw(self, rng: Random, values: Values) -> str:
        options = list(self.options)
        return options[draw_below(rng, len(options))]

    def shown(self, value: str, values: Values) -> dict[str, Any]:
        options = [(_(message), option) for option, message in self.options.items()]
        return {"options": options, **super().shown(value, values)}


class Typed(Control):
    """What is typed into a text box, with room beside it for the sentence that refuses it."""

    def build(self, looks: Looks, value: Any, values: Values) -> tuple[ipywidgets.Widget, ...]:
        box = ShortText(continuous_update=False, **self.shown(value, values), **looks.of(ShortText, label=True))
        return box, self.room(looks)

    def room(self, looks: Looks) -> ipywidgets.Label:
        """Return the room for the sentence."""
        return ipywidgets.Label(**looks.of(ipywidgets.Label), _dom_classes=["d20-error"])

    def put(self, parts: tuple[Any, ...], value: Any, values: Values) -> None:
        Control.put(self, parts, value, values)
        parts[1].value = ""


@dataclass(frozen=True)
class Written(Typed):
    """A short text that ``read`` understands or refuses with a ValueError.

    A random example takes one of ``examples``, or the default where there are none.
    """

    default: str
    read: Callable[[str], Any]
    examples: Sequence[str] = ()

    def check(self, value: Any, values: Values) -> str:
        text = bare(value)
        if not isinstance(text, str) or len(text) > LONGEST:
            raise refuse(self.name, value, _("a text of at most {longest} characters").format(longest=LONGEST))
        self.read(text)
        return text

    def initial(self, values: Values) -> str:
        return self.default

    def draw(self, rng: Random, values: Values) -> str:
        texts = self.examples or (self.default,)
        return texts[draw_below(rng, len(texts))]


class Field:
    """A control on the page: its widgets, and what happens when the learner changes it.

    Parameters
    ----------
    control : Control
        What it is for.
    changed : callable
        Called with this field and the value of its first widget when that changes.
    values : mapping
        The values of all controls, by name, to begin with.
    looks : Looks
        What it shares with the other fields.
    """

    def __init__(self, control: Control, changed: Callable[[Field, Any], None], values: Values, looks: Looks) -> None:
        self.control = control
        self.parts = control.build(looks, values[control.name], values)
        shown = [part for part in self.parts if isinstance(part, ipywidgets.DOMWidget)]
        self.box = ipywidgets.HBox(shown, **looks.of(ipywidgets.HBox), _dom_classes=["d20-control"])
        self.parts[0].observe(lambda change: changed(self, change["new"]), "value")

    def put(self, values: Values) -> None:
        """Show the value that the control has among all values."""
        self.control.put(self.parts, values[self.control.name], values)

    def refuse(self, sentence: str) -> bool:
        """Say beside the control why what was written is not taken; return whether there is room for that."""
        if isinstance(self.control, Typed):
            self.parts[1].value = sentence
            return True
        return False
