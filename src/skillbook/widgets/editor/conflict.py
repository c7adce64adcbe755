"""A file that was changed by somebody else: both texts side by side, and the choice between them.

Imports ``base``, ``difference`` and ``drafts``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import ipywidgets

from skillbook.display import tables
from skillbook.display import words as in_words
from skillbook.display.markup import Markup, element, join, note
from skillbook.widgets.difference import Pair, compare
from skillbook.widgets.editor import drafts
from skillbook.widgets.elements.base import Pane, button, row_of

MOST_ROWS = 400
MOST_LINE = 1_000

_SIGNS = {"same": "", "changed": "changed", "left": "only yours", "right": "only there", "gap": ""}


@dataclass(frozen=True, slots=True)
class Conflict:
    """A file that was changed by somebody else since it was read.

    Attributes:
        path: relative to the skill's folder.
        mine: the text of the editor.
        data: the bytes on the disk; None where the file is gone.
    """

    path: str
    mine: str
    data: bytes | None


class ConflictBox:
    """What is asked where a file changed on disk.

    Attributes:
        view: the widget; hidden where nothing is asked.
        markup: both texts, or nothing.
    """

    def __init__(
        self, keep: Callable[[], None], take: Callable[[], None], later: Callable[[], None]
    ) -> None:
        """Makes a hidden box.

        Args:
            keep: called where the text of the editor is to stay.
            take: called where the one on the disk is to.
            later: called where nothing is to happen now.
        """
        self.markup = Markup()
        self.pane = Pane()
        self.mine = button("Keep mine", "Overwrites the file on the disk", keep)
        self.theirs = button(
            "Take the one on disk", "Shows that text; Undo brings yours back", take
        )
        self.later = button("Decide later", "Leaves both as they are", later)
        self.view = ipywidgets.VBox((self.pane, row_of(self.mine, self.theirs, self.later)))
        self.view.add_class("skillbook-asking")
        self.view.layout.display = "none"

    def show(self, found: Conflict | None) -> None:
        """Asks about a conflict, or about nothing."""
        self.markup = both(found)
        self.pane.show(self.markup)
        self.theirs.disabled = found is not None and found.data is None
        self.view.layout.display = "none" if found is None else ""


def both(found: Conflict | None) -> Markup:
    """Returns a text and the one that is on the disk, side by side."""
    if found is None:
        return Markup()
    said = f"{found.path} changed on disk since it was read here; nothing was overwritten."
    if found.data is None:
        gone = f"{found.path} is gone from the disk since it was read here."
        return element("p", element("strong", gone))
    theirs = found.data.decode("utf-8", "surrogateescape")
    different = compare(drafts.seen(found.mine), drafts.seen(theirs))
    drawn = tables.within((_pair(pair) for pair in different.pairs[:MOST_ROWS]), 200_000)
    table = element(
        "table",
        tables.head("Yours, here", "", "On the disk"),
        element("tbody", *drawn),
        cls="table compared",
    )
    parts = [element("p", element("strong", said)), table]
    if len(drawn) < len(different.pairs):
        parts.append(note(f"Cut: {in_words.of(len(drawn), len(different.pairs), 'rows')}."))
    return join(parts)


def _pair(pair: Pair) -> Markup:
    left = tables.LEFT
    if pair.kind == "gap":
        said = note(f"… {in_words.count(pair.skipped, 'equal line')} …")
        blank = element("td", style=left)
        return element("tr", element("td", said, style=left), blank, blank, cls="gap")
    cells = (
        element("td", _cell(pair.left), style=left),
        element("td", _SIGNS[pair.kind], style=left),
        element("td", _cell(pair.right), style=left),
    )
    return element("tr", *cells, cls="alike" if pair.kind == "same" else "differs")


def _cell(line: str | None) -> Markup | None:
    return None if line is None else element("code", in_words.cut(line, MOST_LINE) or " ")
