"""A list of checkboxes with rich rows, as a small anywidget module like those in ``parts``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import anywidget
import traitlets

from skillbook.display.markup import shown
from skillbook.model import printable
from skillbook.widgets.elements.assets import script

Tick = tuple[str, list[str], str, list[str], float]
"""One row as it travels: key, title, detail, words, share; see :func:`tick`."""


def tick(
    key: str,
    title: Sequence[str],
    detail: str = "",
    words: Sequence[str] = (),
    share: float = -1.0,
) -> Tick:
    """Returns one row of a list of checkboxes.

    Args:
        key: what stands in ``Ticks.ticked`` when it is ticked.
        title: its first line, in parts of which every second is marked as what matched.
        detail: the muted text below.
        words: short words behind the bar.
        share: how long the bar is, from 0 to 1; below 0 there is none.
    """
    return (
        printable(key),
        [shown(part) for part in title],
        shown(detail),
        list(map(shown, words)),
        round(share, 3),
    )


class Ticks(anywidget.AnyWidget):
    """A list of checkboxes.

    Attributes:
        label: what the list is called, for a screen reader.
        rows: the rows, see :func:`tick`.
        ticked: the keys of those rows that are ticked.
        before: the words on the button for the page before, or ``""`` for none.
        after: the words on the button for the page after, or ``""`` for none.
        empty: what stands there when there are no rows.
    """

    _esm = script("ticks.js")
    label = traitlets.Unicode().tag(sync=True)
    rows: Any = traitlets.List().tag(sync=True)
    ticked: Any = traitlets.List(traitlets.Unicode()).tag(sync=True)
    before = traitlets.Unicode().tag(sync=True)
    after = traitlets.Unicode().tag(sync=True)
    empty = traitlets.Unicode("Nothing here.").tag(sync=True)

    def __init__(
        self,
        label: str,
        ticked: Callable[[list[str]], None],
        turn: Callable[[int], None],
        **values: Any,
    ) -> None:
        """Makes a list.

        Args:
            label: what it is called, for a screen reader.
            ticked: called with the keys that are ticked, when a box was pressed.
            turn: called with -1 or 1 when a button for another page is pressed.
            values: the first values of its attributes.
        """
        super().__init__(label=label, **values)
        self._tell = ticked
        self._turn = turn
        self.observe(lambda change: self._tell(change["new"]), "ticked")
        self.on_msg(self.heard)

    def heard(self, _widget: Any, content: Any, _buffers: Any = None) -> None:
        """Answers what the front end sends."""
        if content in ({"page": 1}, {"page": -1}):
            self._turn(content["page"])
