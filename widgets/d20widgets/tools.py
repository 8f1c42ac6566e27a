"""The closed row of tools under every explorer: example, code, state, picture, data, language, prediction."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from secrets import randbelow
from typing import Any

import anywidget
import ipywidgets
import traitlets

from d20kit import __version__
from d20kit.check import bare, one_of, refuse
from d20kit.language import LANGUAGE_NAMES, LANGUAGES, _, current_language, set_language
from d20widgets import spreadsheet
from d20widgets.answering import Said, answer, silence
from d20widgets.follower import script

# States of encounters are the longest; whatever is longer is none.
LONGEST_STATE = 200_000
SEEDS = 1_000_000
_REFERENCE = {"sync": True, **ipywidgets.widget_serialization}


class Tools(anywidget.AnyWidget):
    """Buttons that ask the kernel for texts, and copy, save and draw them in the browser.

    Parameters
    ----------
    host : Explorer
        What the tools work on.
    **traits
        What else an ipywidget may be given, such as a layout that it shares.
    """

    _esm = traitlets.Unicode(script("parts", "export", "tools")).tag(sync=True)
    chart = traitlets.Instance(ipywidgets.Widget).tag(**_REFERENCE)
    sentence = traitlets.Instance(ipywidgets.Widget).tag(**_REFERENCE)
    prediction = traitlets.Instance(ipywidgets.Widget).tag(**_REFERENCE)
    title = traitlets.Unicode().tag(sync=True)
    file = traitlets.Unicode().tag(sync=True)
    language = traitlets.Unicode().tag(sync=True)
    languages = traitlets.Dict(LANGUAGE_NAMES).tag(sync=True)
    version = traitlets.Unicode(f"d20kit {__version__}").tag(sync=True)
    # The seed in words, and the position of the main slider that it belongs to, or None for any.
    seed = traitlets.Unicode().tag(sync=True)
    seed_at = traitlets.Int(None, allow_none=True).tag(sync=True)
    words = traitlets.Dict().tag(sync=True)

    def __init__(self, host: Any, **traits: Any) -> None:
        parts = {"chart": host.chart, "sentence": host.sentence_line, "prediction": host.prediction}
        super().__init__(**parts, file=type(host).__name__, **traits, _dom_classes=["d20-tools"])
        self._host = host
        self.on_msg(_answer)

    def renew(self, title: str, seed: int | None, at: int | None) -> None:
        """Send the labels in the language in use, and the seed of what is shown."""
        with self.hold_sync():
            self.title = title
            self.language = current_language()
            self.words = _words()
            self.seed = "" if seed is None else _("seed {seed}").format(seed=seed)
            self.seed_at = at

    def do(self, action: Any, /, **given: Any) -> Said:
        """Do what a button asks for.

        Parameters
        ----------
        action : {"example", "code", "state", "use", "data", "language", "predict"}
        **given
            ``text`` for "use", ``language`` for "language".

        Returns
        -------
        dict of str to str
            ``said``, a sentence for the learner, and ``text`` where one is to be copied or saved.

        Raises
        ------
        ValueError
            If there is no such action, or what is given is not allowed.
        """
        return _ACTIONS[one_of("action", action, _ACTIONS)](self._host, given)


def read_state(given: Any) -> Any:
    """Read a state written as JSON text, or refuse it in a sentence.

    >>> read_state('{"version": 3}')
    {'version': 3}
    """
    text, allowed, fix = bare(given), _("the text of a state"), _("copy it whole from another explorer")
    if not isinstance(text, str) or len(text) > LONGEST_STATE:
        raise refuse("text", text, allowed, fix)
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise refuse("text", text, allowed, fix) from None


def state_text(state: Mapping[str, Any]) -> str:
    """Write a state in one compact line.

    >>> state_text({"version": 3, "values": {}})
    '{"version":3,"values":{}}'
    """
    return json.dumps(state, ensure_ascii=False, separators=(",", ":"))


def fresh_seed() -> int:
    """Return a seed that nobody has chosen, short enough to be read aloud."""
    return randbelow(SEEDS)


Given = Mapping[str, Any]


def _example(host: Any, _given: Given) -> Said:
    seed = fresh_seed()
    host.random(seed)
    return {"said": _("Random example with seed {seed}.").format(seed=seed)}


def _code(host: Any, _given: Given) -> Said:
    return {"text": host.code, "said": _("The code is copied.")}


def _state(host: Any, _given: Given) -> Said:
    return {"text": state_text(host.state), "said": _("The state is copied: send it to somebody, or keep it.")}


def _use(host: Any, given: Given) -> Said:
    host.use(read_state(given.get("text")))
    return {"said": _("The state is taken over.")}


def _data(host: Any, _given: Given) -> Said:
    if host.prediction.hides:
        raise ValueError(_("Lock in your prediction first."))
    return {"text": spreadsheet.csv_text(host.table()), "said": _("The data is saved as CSV.")}


def _language(host: Any, given: Given) -> Said:
    language = one_of("language", given.get("language"), LANGUAGES)
    set_language(language)
    host.redraw()
    return {"said": _("Everything is in English now.")}


def _predict(host: Any, _given: Given) -> Said:
    host.prediction.start()
    return {"said": _("The picture is hidden until you lock in a prediction.")}


_ACTIONS: dict[str, Callable[[Any, Given], Said]] = {
    "example": _example,
    "code": _code,
    "state": _state,
    "use": _use,
    "data": _data,
    "language": _language,
    "predict": _predict,
}


def _answer(tools: Tools, message: Any, _buffers: Any) -> None:
    answer(tools, message, lambda given: tools.do(given.pop("do", None), **given))


def _words() -> dict[str, str]:
    return {
        "tools": _("Tools"),
        "example": _("Random example"),
        "code": _("Copy code"),
        "state": _("Copy state"),
        "use": _("Use this state"),
        "text": _("State or code as text"),
        "png": _("Picture as PNG"),
        "svg": _("Picture as SVG"),
        "data": _("Data as CSV"),
        "predict": _("Predict first"),
        "language": _("Language"),
        "saved": _("The picture is saved."),
        "failed": _("The picture could not be drawn."),
        "byHand": _("The browser does not let it be copied: copy the marked text yourself."),
        "hidden": _("Lock in your prediction first."),
        "shown": _("The picture is shown."),
        "silent": silence(),
    }
