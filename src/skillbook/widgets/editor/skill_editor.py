"""The editor of a skill: fields and text at the left, what is wrong and what comes of it at the right.

Imports ``drafts``, ``document_form``, ``text_editor``, ``skill_files``, ``card`` and the base.
"""

from __future__ import annotations

import asyncio
import os
from typing import Any

import ipywidgets

from skillbook.discovery import root_of
from skillbook.display import words
from skillbook.display.markup import Markup
from skillbook.errors import SkillbookError
from skillbook.lint.beside import File
from skillbook.lint.draft import Preview, preview
from skillbook.lint.finding import Finding
from skillbook.lint.fixer import fix as fixed
from skillbook.lint.lines import spliced
from skillbook.lint.report import Report
from skillbook.model import SkillInfo, printable
from skillbook.saving import ChangedOnDisk
from skillbook.widgets.editor import card as editor_card
from skillbook.widgets.editor import drafts, field_edits, skill_files
from skillbook.widgets.editor.conflict import Conflict, ConflictBox
from skillbook.widgets.editor.document_form import DocumentForm
from skillbook.widgets.editor.drafts import Draft
from skillbook.widgets.editor.file_panel import FilePanel
from skillbook.widgets.editor.outcome_pane import OutcomePane
from skillbook.widgets.editor.skill_files import SKILL
from skillbook.widgets.elements.base import Frame, button, row_of, scrolling, side_by_side
from skillbook.widgets.elements.parts import Status
from skillbook.widgets.elements.text_editor import TextEditor

PAUSE = 0.25
"""Seconds without typing after which the text is checked."""

FIELDS, TEXT, FILES = range(3)


class SkillEditor(Frame):
    """The editor of one skill.

    Attributes:
        shown: the path of its ``SKILL.md``, as the user named it.
        folder: the absolute path of its folder.
        file: the file whose text is shown, relative to the folder.
        conflict: the file that changed on disk, until one of the two texts is chosen; or None.
    """

    _waiting: asyncio.TimerHandle | None = None

    def __init__(
        self,
        path: str | os.PathLike[str] | SkillInfo | None = None,
        *,
        name: str | None = None,
        root: str | os.PathLike[str] = ".",
    ) -> None:
        """Opens a skill, or begins a new one.

        Text that was not saved before is there again, as long as the kernel runs.

        Args:
            path: a skill's folder, its ``SKILL.md``, or a skill of a source.
            name: instead of a path, the name of a new skill; nothing is written until it is saved.
            root: the folder that a new skill's folder is made in.

        Raises:
            SkillNotFound: when there is no such folder.
            SkillReadError: when the ``SKILL.md`` cannot be edited.
            TypeError: when neither or both of path and name are given.
            ValueError: when there can be no such file.
        """
        typed = skill_files.folder_of(path, name, root)
        above = root_of(typed)
        self.folder = above.path
        self._typed_folder = above.typed
        self.shown = printable(f"{above.typed.rstrip('/')}/{SKILL}")
        fresh = skill_files.begun(os.path.basename(above.path))
        self._drafts = {SKILL: drafts.opened(os.path.join(above.path, SKILL), fresh)}
        for left in drafts.left(above.path):
            self._drafts.setdefault(left, drafts.opened(os.path.join(above.path, left)))
        self.file = SKILL
        self.conflict: Conflict | None = None
        self._checked_text: str | None = None
        self._make()
        for draft in self._drafts.values():
            draft.heard.append(self._changed)
        self._changed()
        self._examine()
        self.status.message = self._greeting()

    def _make(self) -> None:
        """Makes the controls."""
        self.status = Status()
        self.save_button = button("Save", "Writes all that is not saved", self.save)
        self.revert_button = button("Revert", "Shows the text on the disk again", self.revert)
        self.undo_button = button("Undo", "Takes the last step back", self.undo)
        self.redo_button = button("Redo", "Takes the step again", self.redo)
        self.fix_button = button("Fix all", "Makes every safe repair", self.fix)
        self.form = DocumentForm(self._field_typed)
        self.back_button = button(
            "Back to SKILL.md",
            "Shows the SKILL.md",
            lambda: self.open_file(SKILL),
        )
        self.editor = TextEditor(self._text_typed, {"undo": self.undo, "redo": self.redo})
        self.file_panel = FilePanel(self._edit_pressed, self._add_pressed, self._rename_pressed)
        self.tabs = ipywidgets.Tab(
            children=(
                self.form.view,
                ipywidgets.VBox((self.back_button, self.editor)),
                self.file_panel.view,
            ),
            titles=("Fields", "Text", "Files"),
            selected_index=TEXT,
        )
        self.tabs.observe(lambda change: self._tab(change["new"]), "selected_index")
        self.outcome = OutcomePane(self.go, self._fix_one)
        self.asking = ConflictBox(self.keep_mine, self.take_theirs, self.decide_later)
        super().__init__(
            [
                self.status,
                row_of(
                    self.save_button,
                    self.revert_button,
                    self.undo_button,
                    self.redo_button,
                    self.fix_button,
                ),
                self.asking.view,
                side_by_side(scrolling(self.tabs), self.outcome.view),
            ]
        )
        self.add_class("skillbook-editor")

    def _greeting(self) -> str:
        draft = self._drafts[SKILL]
        if draft.kept:
            return "This text was not saved before; it is as you left it."
        if draft.base is None:
            return "A new skill; nothing is on the disk until you save."
        return ""

    # --- what can be asked --------------------------------------------------------------------

    @property
    def draft(self) -> Draft:
        """The text that is shown, with its steps."""
        return self._drafts[self.file]

    @property
    def text(self) -> str:
        """The text that is shown. Can be set, which is a step that can be undone."""
        return self.draft.text

    @text.setter
    def text(self, text: str) -> None:
        self.draft.change(text)

    @property
    def skill_text(self) -> str:
        """The text of the ``SKILL.md``."""
        return self._drafts[SKILL].text

    @property
    def fields(self) -> dict[str, str]:
        """The fields that the specification names, as the form shows them; ``""`` for none."""
        return field_edits.read_fields(self.skill_text)

    @property
    def preview(self) -> Preview:
        """What the ``SKILL.md`` would be as a skill, as it is now."""
        if self.skill_text != self._checked_text:
            self._examine()
        return self._preview

    @property
    def report(self) -> Report:
        """What the checker says of the ``SKILL.md`` and the files beside it."""
        return self.preview.report

    @property
    def unsaved(self) -> list[str]:
        """The files that are not saved, the ``SKILL.md`` first."""
        return [path for path, draft in self._drafts.items() if draft.unsaved]

    @property
    def files(self) -> tuple[File, ...]:
        """The files beside the ``SKILL.md``, as they are on the disk."""
        return skill_files.files(self.folder) if os.path.isdir(self.folder) else ()

    # --- editing ------------------------------------------------------------------------------

    def set_field(self, name: str, value: str) -> None:
        """Changes one field of the front matter, and nothing else.

        Args:
            name: one of the fields that the specification names.
            value: its new value; metadata as lines of ``key: value``; ``""`` removes it.

        Raises:
            FieldError: when only the text can be edited there.
            ValueError: when there is no such field.
        """
        draft, run = self._drafts[SKILL], f"field {name}"
        draft.change(field_edits.edited(draft.before(run), name, value), run)

    def fix(self) -> None:
        """Makes every safe repair of the ``SKILL.md``; one step to undo."""
        made = fixed(_with_end(self.skill_text), folder=self._typed_folder)
        if made.changed:
            self._drafts[SKILL].change(made.text)
            self._examine()
        self.status.message = f"{words.count(len(made.fixed), 'finding')} fixed."

    def fix_one(self, finding: Finding) -> None:
        """Makes the repair of one finding, also where its line moved since it was reported."""
        self._examine()
        same = [f for f in self.report.findings if f == finding] or [
            f
            for f in self.report.findings
            if (f.rule, f.message, f.path) == (finding.rule, finding.message, finding.path)
        ]
        repair = same[0].fix if same else None
        if repair is None:
            self.status.message = "There is nothing to fix there any more."
            return
        self._drafts[SKILL].change(spliced(_with_end(self.skill_text), repair.splices))
        self._examine()
        self.status.message = f"Fixed {finding.rule}: {repair.title}."

    def undo(self) -> None:
        """Takes the last step back, wherever it was made."""
        self._stepped(self.draft.undo())

    def redo(self) -> None:
        """Takes the step again that was taken back last."""
        self._stepped(self.draft.redo())

    def _stepped(self, done: bool) -> None:
        self._examine()
        self.status.message = "" if done else "There is no such step."

    # --- the disk -----------------------------------------------------------------------------

    def save(self) -> None:
        """Writes all that is not saved, each file whole or not at all.

        A file that changed on disk meanwhile is not overwritten: ``conflict`` says so, and
        :meth:`keep_mine` or :meth:`take_theirs` decides.
        """
        wrong = []
        written = 0
        self._decided()
        for path, draft in self._drafts.items():
            if not draft.unsaved:
                continue
            try:
                draft.save()
                written += 1
            except SkillbookError as error:
                wrong.append(f"{error} (your text is kept here)")
                if isinstance(error, ChangedOnDisk):
                    self._try(lambda path=path, draft=draft: self._clash(path, draft))
        self._show_files()
        self._examine(force=True)
        said = [f"Saved {words.count(written, 'file')}."] * bool(written)
        said += [f"Not saved: {each}." for each in wrong]
        self.status.message = " ".join(said) or "There is nothing to save."

    def _clash(self, path: str, draft: Draft) -> None:
        """Asks about the first file that changed on disk; the next Save asks about the next."""
        if self.conflict is None:
            self.conflict = Conflict(path, draft.text, draft.on_disk())
            self._show_conflict()

    def keep_mine(self) -> None:
        """Writes the text of the editor over the one on the disk."""
        found = self.conflict
        if found is None:
            return
        self._decided()
        try:
            self._drafts[found.path].write(found.data)
            self.status.message = f"Saved {found.path}; the text on the disk was replaced."
        except ChangedOnDisk:  # again, since it was shown
            self._clash(found.path, self._drafts[found.path])
            self.status.message = f"{found.path} changed once more; look again."
        except SkillbookError as error:
            self.status.message = f"Not saved: {error} (your text is kept here)."

    def take_theirs(self) -> None:
        """Takes the text on the disk instead; ``undo`` brings the other one back."""
        found = self.conflict
        if found is not None and found.data is not None:
            self._took(self._drafts[found.path], found.data)

    def decide_later(self) -> None:
        """Leaves both texts as they are."""
        self._decided()
        self.status.message = "Nothing was written; Save asks again."

    def _decided(self) -> None:
        self.conflict = None
        self._show_conflict()

    def revert(self) -> None:
        """Shows the text on the disk again; ``undo`` brings the other one back."""
        self._decided()
        try:
            data = self.draft.on_disk()
        except SkillbookError as error:
            self.status.message = str(error)
            return
        if data is None:
            self.status.message = (
                f"{self.file} is not on the disk yet; Undo goes back step by step."
            )
            return
        self._took(self.draft, data)

    def _took(self, draft: Draft, data: bytes) -> None:
        self._decided()
        draft.take(data)
        self._show_files()
        self._examine(force=True)
        self.status.message = "That is the text on the disk; Undo brings yours back."

    # --- files --------------------------------------------------------------------------------

    def open_file(self, path: str) -> None:
        """Shows the text of one of the skill's files.

        Args:
            path: relative to the skill's folder.

        Raises:
            SkillbookError: when it is not there, or cannot be edited.
        """
        if path not in self._drafts:
            whole = skill_files.place(self.folder, path)
            if not os.path.lexists(whole):
                raise SkillbookError(f"there is no {path}; add it first")
            self._drafts[path] = drafts.opened(whole)
            self._drafts[path].heard.append(self._changed)
        self.file = path
        self._changed()

    def add_file(self, path: str, text: str = "") -> None:
        """Makes a new file in the skill's folder, and shows it.

        Args:
            path: relative to the skill's folder; folders are made as they are needed.
            text: what it holds.

        Raises:
            SkillbookError: when it would lie elsewhere, is there already, or cannot be made.
        """
        if not os.path.isdir(self.folder):
            raise SkillbookError("save the SKILL.md first; then its folder is there")
        skill_files.add(self.folder, path, text)
        self.open_file(path)
        self._show_files()
        self._examine(force=True)

    def rename_file(self, old: str, new: str) -> None:
        """Gives a file another path in the skill's folder; text that is not saved goes with it.

        Raises:
            SkillbookError: when the path is taken or lies elsewhere, or the system refuses.
        """
        whole = skill_files.rename(self.folder, old, new)
        if old in self._drafts:
            draft = self._drafts[new] = self._drafts.pop(old)
            drafts.moved(draft, whole)
            if self.file == old:
                self.file = new
        self._show_files()
        self._changed()
        self._examine(force=True)

    def _edit_pressed(self, path: str) -> None:
        self._try(lambda: self.open_file(path or SKILL), text=True)

    def _add_pressed(self, path: str) -> None:
        if self._try(lambda: self.add_file(path), text=True):
            self.status.message = f"Added {printable(path)}."

    def _rename_pressed(self, old: str, new: str) -> None:
        if not old:
            self.status.message = "Choose the file to rename first."
        elif self._try(lambda: self.rename_file(old, new)):
            self.file_panel.list.chosen = printable(new)
            self.status.message = f"Renamed {old} to {printable(new)}."

    def _try(self, act: Any, *, text: bool = False) -> bool:
        try:
            act()
        except SkillbookError as error:
            self.status.message = f"{error}."
            return False
        if text:
            self.tabs.selected_index = TEXT
        return True

    # --- handlers -----------------------------------------------------------------------------

    def _text_typed(self, base: str, text: str) -> None:
        now = self.draft.text
        mine = drafts.rebased(base, text, drafts.seen(now))
        self.draft.typed(drafts.unseen(now, mine))

    def _field_typed(self, name: str, value: str) -> None:
        try:
            self.set_field(name, value)
            self.status.message = ""
        except field_edits.FieldError as error:
            self.status.message = str(error)

    def _fix_one(self, number: int) -> None:
        if 0 <= number < len(self.report.findings):
            self.fix_one(self.report.findings[number])

    def go(self, number: int) -> None:
        """Leads to the place that a finding means.

        Args:
            number: the finding's place in the report, from 0.
        """
        if not 0 <= number < len(self.report.findings):
            return
        finding = self.report.findings[number]
        path = self._path_of(finding)
        if path is not None and self._try(lambda: self.open_file(path), text=True):
            self.editor.go(finding.line or 1, finding.column or 1, finding.length)

    def _path_of(self, finding: Finding) -> str | None:
        """Returns the file that a finding is about, relative to the folder."""
        head = self.shown.removesuffix(SKILL)
        return finding.path.removeprefix(head) if finding.path.startswith(head) else None

    def _tab(self, number: int | None) -> None:
        if number == FIELDS and self.file != SKILL:
            self.open_file(SKILL)
        if number == FILES:
            self._show_files()

    # --- showing ------------------------------------------------------------------------------

    def _changed(self) -> None:
        """Shows the text anew at once, and checks it after a pause."""
        self.form.show(self.skill_text)
        self.editor.label = f"Text of {self.file}"
        self.editor.show(drafts.seen(self.text))
        self.back_button.layout.display = "none" if self.file == SKILL else ""
        self.undo_button.disabled = not self.draft.can_undo
        self.redo_button.disabled = not self.draft.can_redo
        self.save_button.disabled = not self.unsaved
        if self._waiting is not None:
            self._waiting.cancel()
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self._examine()
            return
        self._waiting = loop.call_later(PAUSE, self._examine)

    def _examine(self, *, force: bool = False) -> None:
        """Checks the text, and shows what comes of it; ``force`` after a change on the disk."""
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
        text = self.skill_text
        if force or text != self._checked_text:
            self._preview = preview(text, folder=self._typed_folder)
            self._checked_text = text
            self.outcome.show(self.preview, self.shown)
            repairs = sum(finding.fix is not None for finding in self.report.findings)
            self.fix_button.disabled = not repairs
            self.fix_button.description = f"Fix all {repairs:,}" if repairs else "Fix all"
        self.editor.mark([f for f in self.report.findings if self._path_of(f) == self.file])
        self.status.title = self.shown
        self.status.facts = editor_card.facts(self)

    def _show_conflict(self) -> None:
        self.asking.show(self.conflict)
        self.status.facts = editor_card.facts(self)

    def _show_files(self) -> None:
        self.file_panel.show(self.files, self.unsaved)

    # --- the static twin ----------------------------------------------------------------------

    def words(self) -> str:
        """Returns what is shown, as text."""
        return editor_card.words(self)

    def card(self) -> Markup:
        """Returns what is shown, as HTML."""
        return editor_card.card(self)

    def close(self) -> None:
        """Closes the widget; what is not saved is kept for the next editor of this skill."""
        if self._waiting is not None:
            self._waiting.cancel()
        for draft in getattr(self, "_drafts", {}).values():  # none where it could not be made
            if self._changed in draft.heard:
                draft.heard.remove(self._changed)
            drafts.let_go(draft)
        super().close()


def _with_end(text: str) -> str:
    """Returns a text that a path is not taken for: it holds a line end."""
    return text if "\n" in text or "\r" in text else text + "\n"
