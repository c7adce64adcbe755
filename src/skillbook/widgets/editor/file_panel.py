"""The list of a skill's files in the editor, with what can be done with them.

Imports ``base``, ``parts`` and ``skill_files``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import ipywidgets

from skillbook.display import words
from skillbook.lint.beside import File
from skillbook.model import printable
from skillbook.widgets.editor.skill_files import SKILL
from skillbook.widgets.elements.base import button, control, row_of
from skillbook.widgets.elements.parts import Rows, row

MOST_FILES = 500
"""Files that are listed."""


class FilePanel:
    """The files, one of which is chosen, and a path for a new or renamed one.

    Attributes:
        view: the widget.
        list: the list; ``chosen`` is the path of the chosen file.
        path: the control for a path.
    """

    def __init__(
        self,
        edit: Callable[[str], None],
        add: Callable[[str], None],
        rename: Callable[[str, str], None],
    ) -> None:
        """Makes an empty list.

        Args:
            edit: called with the chosen path.
            add: called with the path that was typed.
            rename: called with the chosen path and the one that was typed.
        """
        self.list = Rows("Files of the skill", self._chosen)
        self.path = control(ipywidgets.Text, "Path", placeholder="references/details.md")
        self.edit = button("Edit", "Shows the chosen file as text", lambda: edit(self.list.chosen))
        self.add = button("Add", "Makes a file at this path", lambda: add(self.path.value.strip()))
        self.rename = button(
            "Rename",
            "Gives the chosen file this path",
            lambda: rename(self.list.chosen, self.path.value.strip()),
        )
        self.view = ipywidgets.VBox(
            (self.list, self.path, row_of(self.edit, self.add, self.rename))
        )
        self.view.add_class("skillbook-files")

    def _chosen(self, path: str) -> None:
        self.path.value = path

    def show(self, files: Sequence[File], unsaved: Sequence[str]) -> None:
        """Shows the files of a folder.

        Args:
            files: those besides the ``SKILL.md``.
            unsaved: the paths of those that are not saved.
        """
        rows = [row(SKILL, SKILL, words=["not saved"] * (SKILL in unsaved))]
        for file in files[:MOST_FILES]:
            told = [words.size(file.size), *["not saved"] * (file.path in unsaved)]
            rows.append(row(file.path, file.path, words=told))
        if len(files) > MOST_FILES:
            rows.append(row("", words.of(MOST_FILES, len(files), "files")))
        self.list.rows = rows
        if self.list.chosen not in (printable(file.path) for file in files):
            self.list.chosen = SKILL
