"""The fields of a ``SKILL.md`` as a form.

Imports ``base`` and ``field_edits``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ipywidgets

from skillbook.display.markup import Markup, element, join, note
from skillbook.lint.format import MOST_COMPATIBILITY, MOST_DESCRIPTION
from skillbook.model import printable, split_tools
from skillbook.widgets.editor import field_edits
from skillbook.widgets.editor.field_edits import FieldError
from skillbook.widgets.elements.base import Pane, control

_HINTS = {
    "name": "my-skill",
    "description": "What the skill does, and when to use it.",
    "license": "MIT",
    "compatibility": "what it needs: programs, network, a host",
    "allowed-tools": "Read Bash(git *)",
    "metadata": "one key: value a line",
}
_AREAS = {"description": 6, "compatibility": 2, "metadata": 3}


class DocumentForm:
    """The controls for the fields that the specification names.

    Attributes:
        view: the widget.
        boxes: the controls by the name of their field.
    """

    def __init__(self, changed: Callable[[str, str], None]) -> None:
        """Makes an empty form.

        Args:
            changed: called with a field's name and value when it was changed by hand.
        """
        self._changed = changed
        self._showing = False
        self.boxes = {name: self._box(name, hint) for name, hint in _HINTS.items()}
        self.length = Pane()
        self.notes = Pane()
        boxes = list(self.boxes.values())
        self.view = ipywidgets.VBox((*boxes[:2], self.length, *boxes[2:], self.notes))
        self.view.add_class("skillbook-form")

    def _box(self, name: str, hint: str) -> Any:
        kind = ipywidgets.Textarea if name in _AREAS else ipywidgets.Text
        box = control(kind, name.replace("-", " ").capitalize(), placeholder=hint)
        if name in _AREAS:
            box.rows = _AREAS[name]
        box.add_class("skillbook-document-field")
        box.observe(lambda change: self._heard(name, change["new"]), "value")
        return box

    def _heard(self, name: str, value: str) -> None:
        if not self._showing:
            self._changed(name, value)

    def show(self, text: str) -> None:
        """Shows the fields of a document; a control that says the same already stays as it is."""
        fields = field_edits.read_fields(text)
        fixed = field_edits.why_fixed(text)
        self._showing = True
        try:
            for name, box in self.boxes.items():
                box.disabled = name in fixed
                if not _same(name, box.value, fields[name]):
                    box.value = printable(fields[name])
        finally:
            self._showing = False
        self.length.show(lengths(fields))
        whys = dict.fromkeys(fixed.values())
        told = [", ".join(name for name in fixed if fixed[name] == why) for why in whys]
        self.notes.show(
            join(
                note(f"To be edited in the text: {names} ({why}).")
                for names, why in zip(told, whys, strict=True)
            )
        )


def _same(name: str, typed: str, shown: str) -> bool:
    """Returns whether what stands in a control is another way to write what the document says."""
    if name == "metadata":
        try:
            typed = field_edits.written_pairs(field_edits.read_pairs(typed))
        except FieldError:
            return False
    if name == "allowed-tools":
        return split_tools(typed) == split_tools(shown)
    return typed.rstrip("\n") == printable(shown)


def lengths(fields: dict[str, str]) -> Markup:
    """Returns how long description and compatibility are, against what is allowed."""
    parts = []
    for name, most in (("description", MOST_DESCRIPTION), ("compatibility", MOST_COMPATIBILITY)):
        length = len(fields[name])
        if name == "description" or length:
            over = f", {length - most:,} too many" if length > most else ""
            bar = element("meter", value=min(length, most), min=0, max=most)
            said = f" {name}: {length:,} of {most:,} characters{over}"
            parts.append(element("p", bar, said, cls="note"))
    return join(parts)
