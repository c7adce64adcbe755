"""The small anywidget modules: a status line, and a list with rich rows.

Each is plain JavaScript in a file of its own that sets all text with ``textContent``. The style of
every widget travels with the status line, since each widget has one. Imports ``display.style``.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from typing import Any

import anywidget
import traitlets

from skillbook.display.style import sheet
from skillbook.model import printable


def _read(*names: str) -> str:
    """Returns files of this package one after another."""
    folder = files("skillbook.widgets")
    return "\n".join(folder.joinpath(name).read_text(encoding="utf-8") for name in names)


class Status(anywidget.AnyWidget):
    """The line on top of a widget: what is shown, in words, and what happened last.

    It also keeps the keys that are pressed in the widget from JupyterLab, which would take them
    for commands on its cells.

    Attributes:
        title: what the widget shows.
        facts: short words about it, each in a frame of its own.
        message: what happened last; a screen reader reads it out when it changes.
        progress: how far long work is, from 0 to 1; below 0 nothing is shown.
    """

    _esm = _read("make.js", "status.js")
    _css = sheet() + _read("widgets.css")
    title = traitlets.Unicode().tag(sync=True)
    facts = traitlets.List(traitlets.Unicode()).tag(sync=True)
    message = traitlets.Unicode().tag(sync=True)
    progress = traitlets.Float(-1.0).tag(sync=True)

    def __init__(self, stop: Callable[[], None] | None = None, **values: Any) -> None:
        """Makes a status line.

        Args:
            stop: called when the button beside the progress is pressed.
            values: the first values of its attributes.
        """
        super().__init__(**values)
        self._stop = stop
        self.on_msg(self.heard)

    def heard(self, _widget: Any, content: Any, _buffers: Any = None) -> None:
        """Answers what the front end sends."""
        if self._stop and content == {"stop": True}:
            self._stop()

    @traitlets.validate("title", "message")
    def _text(self, proposal: Any) -> str:
        return printable(proposal["value"])

    @traitlets.validate("facts")
    def _texts(self, proposal: Any) -> list[str]:
        return [printable(text) for text in proposal["value"]]


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
    return (printable(key), _parts(title), _parts(detail), list(words), depth)


def _parts(text: str | list[str]) -> list[str]:
    return [printable(part) for part in ([text] if isinstance(text, str) else text)]


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

    _esm = _read("make.js", "rows.js")
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

    def _chosen(self, change: Any) -> None:
        if change["new"]:
            self._choose(change["new"])

    def heard(self, _widget: Any, content: Any, _buffers: Any = None) -> None:
        """Answers what the front end sends."""
        if self._turn and content in ({"page": 1}, {"page": -1}):
            self._turn(content["page"])
