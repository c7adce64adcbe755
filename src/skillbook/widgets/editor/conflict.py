"""A file that was changed by somebody else: both texts side by side, and the choice between them.

Imports ``base``, ``difference``, ``compared`` and ``drafts``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import ipywidgets

from skillbook.display.markup import Markup, element, join
from skillbook.widgets import compared
from skillbook.widgets.difference import compare
from skillbook.widgets.editor import drafts
from skillbook.widgets.elements.base import Pane, button, row_of


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
    table = compared.table(
        "Yours, here", "On the disk", different, ("only yours", "only there"), compared.MOST_ROWS
    )
    return join((element("p", element("strong", said)), table))
