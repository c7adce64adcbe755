"""The small anywidget modules: a status line, a list with rich rows, and a row of buttons.

Each is plain JavaScript in a file of its own that sets all text with ``textContent``. The style of
every widget travels with the status line, since each widget has one. Imports ``display.style``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import anywidget
import traitlets

from skillbook.display.markup import shown
from skillbook.display.style import sheet
from skillbook.model import printable
from skillbook.widgets.elements.assets import read, script


class Status(anywidget.AnyWidget):
    """The line on top of a widget: what is shown, in words, and what happened last.

    It also keeps the keys that are pressed in the widget from JupyterLab, which would take them
    for commands on its cells.

    Attributes:
        title: what the widget shows.
        facts: short words about it, each in a frame of its own.
        acts: which of the facts are buttons, by their number from 0.
        message: what happened last; a screen reader reads it out when it changes.
        progress: how far long work is, from 0 to 1; below 0 nothing is shown.
    """

    _esm = script("status.js")
    _css = sheet() + read("widgets.css")
    title = traitlets.Unicode().tag(sync=True)
    facts = traitlets.List(traitlets.Unicode()).tag(sync=True)
    acts = traitlets.List(traitlets.Int()).tag(sync=True)
    message = traitlets.Unicode().tag(sync=True)
    progress = traitlets.Float(-1.0).tag(sync=True)

    def __init__(
        self,
        stop: Callable[[], None] | None = None,
        act: Callable[[int], None] | None = None,
        **values: Any,
    ) -> None:
        """Makes a status line.

        Args:
            stop: called when the button beside the progress is pressed.
            act: called with the number of a fact that was pressed.
            values: the first values of its attributes.
        """
        super().__init__(**values)
        self._stop = stop
        self._act = act
        self.on_msg(self.heard)

    def heard(self, _widget: Any, content: Any, _buffers: Any = None) -> None:
        """Answers what the front end sends."""
        if self._stop and content == {"stop": True}:
            self._stop()
        if self._act and _number(content, "fact") in self.acts:
            self._act(content["fact"])

    @traitlets.validate("title", "message")
    def _text(self, proposal: Any) -> str:
        return shown(proposal["value"])

    @traitlets.validate("facts")
    def _texts(self, proposal: Any) -> list[str]:
        return [shown(text) for text in proposal["value"]]


def _number(content: Any, name: str) -> int:
    """Returns a number that the front end sent under a name; -1 for anything else."""
    value = content.get(name) if isinstance(content, dict) else None
    return value if isinstance(value, int) and not isinstance(value, bool) else -1


class Buttons(anywidget.AnyWidget):
    """A row of small buttons, which come and go with what is shown; one may fill the clipboard.

    Attributes:
        name: what the row is called, for a screen reader.
        label: the words before the buttons.
        texts: the words on each button.
    """

    _esm = script("buttons.js")
    name = traitlets.Unicode().tag(sync=True)
    label = traitlets.Unicode().tag(sync=True)
    texts = traitlets.List(traitlets.Unicode()).tag(sync=True)

    def __init__(
        self,
        name: str,
        press: Callable[[int], None],
        copied: Callable[[bool], None] | None = None,
        **values: Any,
    ) -> None:
        """Makes a row of buttons.

        Args:
            name: what it is called, for a screen reader.
            press: called with the number of a button that was pressed.
            copied: called when a text came into the clipboard (True), or is selected in a box
                beside the buttons instead (False).
            values: the first values of its attributes.
        """
        super().__init__(name=name, **values)
        self._press = press
        self._copied = copied
        self.on_msg(self.heard)

    def heard(self, _widget: Any, content: Any, _buffers: Any = None) -> None:
        """Answers what the front end sends."""
        number = _number(content, "press")
        if 0 <= number < len(self.texts):
            self._press(number)
        if self._copied and content in ({"copied": True}, {"copied": False}):
            self._copied(content["copied"])

    def copy(self, text: str) -> None:
        """Puts a text into the clipboard of whoever pressed; to be called while a press is answered."""
        self.send({"copy": text.encode("utf-8", "replace").decode()})

    @traitlets.validate("name", "label")
    def _text(self, proposal: Any) -> str:
        return shown(proposal["value"])

    @traitlets.validate("texts")
    def _words(self, proposal: Any) -> list[str]:
        return [shown(text) for text in proposal["value"]]


Row = tuple[str, list[str], list[str], list[str], int]
"""One row as it travels: key, title, detail, words, depth; see :func:`row`."""


def row(
    key: str,
    title: str | list[str],
    detail: str | list[str] = "",
    words: list[str] | tuple[str, ...] = (),
    depth: int = 0,
) -> Row:
    """Returns one row of a list.

    Args:
        key: what ``Rows.chosen`` is when it is chosen; ``""`` makes it a heading.
        title: its first line; as a list every second part is marked as what matched.
        detail: the muted text below, in the same form.
        words: short words in frames behind the title ("skipped", "2 warnings").
        depth: how far it is indented, in steps.
    """
    return (printable(key), _parts(title), _parts(detail), list(map(shown, words)), depth)


def _parts(text: str | list[str]) -> list[str]:
    return [shown(part) for part in ([text] if isinstance(text, str) else text)]


class Rows(anywidget.AnyWidget):
    """A list with rich rows; one is chosen by a click or by the keyboard.

    Attributes:
        label: what the list is called, for a screen reader.
        rows: the rows, see :func:`row`.
        chosen: the key of the chosen row, or ``""``.
        before: the words on the button for the page before, or ``""`` for none.
        after: the words on the button for the page after, or ``""`` for none.
        empty: what stands there when there are no rows.
    """

    _esm = script("rows.js")
    label = traitlets.Unicode().tag(sync=True)
    rows: Any = traitlets.List().tag(sync=True)
    chosen = traitlets.Unicode().tag(sync=True)
    before = traitlets.Unicode().tag(sync=True)
    after = traitlets.Unicode().tag(sync=True)
    empty = traitlets.Unicode("Nothing here.").tag(sync=True)

    def __init__(
        self,
        label: str,
        choose: Callable[[str], None],
        turn: Callable[[int], None] | None = None,
        **values: Any,
    ) -> None:
        """Makes a list.

        Args:
            label: what it is called, for a screen reader.
            choose: called with the key of a row that was chosen.
            turn: called with -1 or 1 when a button for another page is pressed.
            values: the first values of its attributes.
        """
        super().__init__(label=label, **values)
        self._choose = choose
        self._turn = turn
        self.observe(self._chosen, "chosen")
        self.on_msg(self.heard)

    def take_focus(self) -> None:
        """Leads the keyboard to the chosen row, as where a press hid the button that had it."""
        self.send({"focus": True})

    def _chosen(self, change: Any) -> None:
        if change["new"]:
            self._choose(change["new"])

    def heard(self, _widget: Any, content: Any, _buffers: Any = None) -> None:
        """Answers what the front end sends."""
        if self._turn and content in ({"page": 1}, {"page": -1}):
            self._turn(content["page"])
