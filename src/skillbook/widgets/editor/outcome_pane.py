"""The right side of the editor: what the checker says, and what comes of the text.

Imports ``base``, ``text_editor`` and ``card``.
"""

from __future__ import annotations

from collections.abc import Callable

import ipywidgets

from skillbook.display import words
from skillbook.display.markup import note
from skillbook.lint.draft import Preview
from skillbook.widgets.editor import card as editor_card
from skillbook.widgets.elements.base import Pane, scrolling
from skillbook.widgets.elements.text_editor import FindingList

TABS = ("Rendered", "What the model gets")
RENDERED, MODEL = range(2)


class OutcomePane:
    """The findings, and below them the body as it reads and as a model gets it.

    Attributes:
        view: the widget.
        findings: the list of findings.
        tabs: the two views; only the one that is seen is drawn.
        panes: what each of them shows.
    """

    def __init__(self, go: Callable[[int], None], fix: Callable[[int], None]) -> None:
        """Makes an empty pane.

        Args:
            go: called with the number of a finding whose place is to be shown.
            fix: called with the number of a finding that is to be fixed.
        """
        self._preview: Preview | None = None
        self.count = Pane()
        self.findings = FindingList(go, fix)
        self.panes = (Pane(), Pane())
        self.tabs = ipywidgets.Tab(children=self.panes, titles=TABS, selected_index=RENDERED)
        self.tabs.observe(lambda _change: self.fill(), "selected_index")
        self.view = scrolling(self.count, self.findings, self.tabs)

    def show(self, preview: Preview, path: str) -> None:
        """Shows what a text would be.

        Args:
            preview: the text, checked.
            path: the file whose lines need no name.
        """
        self._preview = preview
        found = preview.report.findings
        self.findings.show(found, path)
        said = preview.report.summary.partition(" in ")[0]
        if len(found) > len(self.findings.items):
            said += f"; {words.of(len(self.findings.items), len(found))}"
        self.count.show(note(f"{said}."))
        self.fill()

    def fill(self) -> None:
        """Draws the view that is seen."""
        number = self.tabs.selected_index
        if number is not None and self._preview is not None:
            draw = editor_card.rendered if number == RENDERED else editor_card.model
            self.panes[number].show(draw(self._preview))
