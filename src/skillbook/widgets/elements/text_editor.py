"""The anywidget modules of the editor: a text with line numbers and marks, and a list of findings.

Plain JavaScript in files of their own that set all text with ``textContent``. Imports ``drafts``
and the records of ``lint``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import anywidget
import traitlets

from skillbook.display.markup import shown
from skillbook.lint.finding import Finding
from skillbook.widgets.elements.assets import script

MOST_SHOWN = 100
"""Findings that are listed."""

Mark = tuple[int, int, int, str, str]
"""A mark as it travels: line from 1, column from 0, length, severity, words."""


class TextEditor(anywidget.AnyWidget):
    """A text to edit, with line numbers and marks.

    Attributes:
        label: what is edited, for a screen reader and above the text.
        state: number of the state, text, and which view's which message it answers.
        marks: the lines that findings mean, see :data:`Mark`.
    """

    _esm = script("editor.js")
    label = traitlets.Unicode().tag(sync=True)
    state: Any = traitlets.List([0, "", "", 0]).tag(sync=True)
    marks: Any = traitlets.List().tag(sync=True)

    def __init__(
        self, typed: Callable[[str, str], None], steps: Mapping[str, Callable[[], None]]
    ) -> None:
        """Makes an editor.

        Args:
            typed: called with the text that was edited and with what was made of it.
            steps: called when ``undo`` or ``redo`` is pressed.
        """
        super().__init__()
        self._typed = typed
        self._steps = steps
        self._text = ""
        self._answering = False
        self.on_msg(self.heard)

    @traitlets.validate("label")
    def _label(self, proposal: Any) -> str:
        return shown(proposal["value"])

    @property
    def text(self) -> str:
        """The text that is shown."""
        return self._text

    def show(self, text: str) -> None:
        """Shows a text; what is being typed meanwhile is kept."""
        if text != self._text:
            self._text = text
            if not self._answering:
                self._answer("", 0)

    def _answer(self, view: str, number: int) -> None:
        self.state = [self.state[0] + 1, self._text, view, number]

    def mark(self, findings: Sequence[Finding]) -> None:
        """Marks the lines that findings mean."""
        self.marks = [
            (
                finding.line,
                (finding.column or 1) - 1,
                finding.length,
                finding.severity,
                shown(f"{finding.severity} {finding.rule}: {finding.message}."),
            )
            for finding in findings
            if finding.line is not None
        ]

    def go(self, line: int, column: int = 1, length: int = 0) -> None:
        """Leads to a place in the text: line and column from 1."""
        self.send({"go": [line, column - 1, length]})

    def heard(self, _widget: Any, content: Any, _buffers: Any = None) -> None:
        """Answers what the front end sends."""
        if not isinstance(content, dict):
            return
        for name, act in self._steps.items():
            if content.get("step") == name:
                act()
        base, text = content.get("base"), content.get("text")
        if isinstance(base, str) and isinstance(text, str):
            self._answering = True
            try:
                self._typed(base, text)
            finally:  # the view waits for an answer, whatever became of its text
                self._answering = False
                number = content.get("number")
                self._answer(
                    str(content.get("view", ""))[:40], number if isinstance(number, int) else 0
                )


class FindingList(anywidget.AnyWidget):
    """Findings, each with its lines and with buttons.

    Attributes:
        items: as they travel: key, severity, rule, where, message, lines, fix.
        empty: what stands there when there are none.
    """

    _esm = script("findings.js")
    items: Any = traitlets.List().tag(sync=True)
    empty = traitlets.Unicode("Nothing was found.").tag(sync=True)

    def __init__(self, go: Callable[[int], None], fix: Callable[[int], None]) -> None:
        """Makes a list.

        Args:
            go: called with the number of a finding whose place is to be shown.
            fix: called with the number of a finding that is to be fixed.
        """
        super().__init__()
        self._acts = {"go": go, "fix": fix}
        self.on_msg(self.heard)

    def show(self, findings: Sequence[Finding], path: str) -> None:
        """Shows findings.

        Args:
            findings: in order; their numbers count from 0.
            path: the file whose findings come first, and whose lines need no name.
        """
        ordered = sorted(enumerate(findings), key=lambda each: each[1].path != path)
        self.items = [_item(number, finding, path) for number, finding in ordered[:MOST_SHOWN]]

    def heard(self, _widget: Any, content: Any, _buffers: Any = None) -> None:
        """Answers what the front end sends."""
        if isinstance(content, dict):
            for name, act in self._acts.items():
                if isinstance(content.get(name), int):
                    act(content[name])


def _item(number: int, finding: Finding, path: str) -> tuple[Any, ...]:
    where = f"line {finding.line}" if finding.line is not None else ""
    if finding.path != path:
        where = f"{finding.path.rpartition('/')[2]} {where}".rstrip()
    lines = []
    if finding.frame is not None:
        start, end = finding.frame.start, finding.frame.start + finding.frame.length
        lines = [
            (n, shown(text[:start]), shown(text[start:end]), shown(text[end:]))
            if n == finding.frame.line
            else (n, shown(text), "", "")
            for n, text in finding.frame.lines
        ]
    return (
        number,
        finding.severity,
        finding.rule,
        shown(where),
        shown(finding.message),
        lines,
        finding.fix.title if finding.fix else "",
    )
