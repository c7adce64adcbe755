"""``%load_ext skillbook``: ``%%skill``, ``%skill`` and ``%skills`` in a notebook.

A cell under ``%%skill PATH`` is a ``SKILL.md``; its output is what the skill would be. Imports
IPython, ``lint`` and ``source``. Front ends without magics use ``sb.preview(text)``.
"""

# mypy: disable-error-code="no-untyped-call, untyped-decorator"
# (IPython's decorators have no types.)

from __future__ import annotations

import os
from typing import Any

from IPython.core.error import UsageError
from IPython.core.magic import Magics, line_cell_magic, line_magic, magics_class
from IPython.core.magic_arguments import argument, magic_arguments, parse_argstring

from skillbook import saving
from skillbook.errors import SkillbookError
from skillbook.lint.draft import Preview, preview
from skillbook.lint.report import Report
from skillbook.lint.visible import visible
from skillbook.model import SkillInfo
from skillbook.source import SkillInventory, default_roots, list_skills, load_skills


@magics_class
class SkillMagics(Magics):
    """The magics, with what they remember: the roots last listed, and what they saved."""

    def __init__(self, shell: Any) -> None:
        super().__init__(shell)
        self.roots: list[str] = []
        self.saved: dict[str, bytes] = {}

    @magic_arguments()
    @argument(
        "root",
        nargs="*",
        help="Folders of skills; none means those of last time, else where agents keep them.",
    )
    @line_magic
    def skills(self, line: str) -> SkillInventory:
        """Lists the skills below a folder, what was skipped and why.

        The folder is kept: the next %skills without one, and %skill NAME, look there.
        """
        given = [_path(each) for each in parse_argstring(self.skills, line).root]
        listed = list_skills(given or self._roots())
        self.roots = given or self.roots  # kept once they could be listed
        return listed

    def _roots(self) -> list[str]:
        return self.roots or [str(path) for path in default_roots()]

    @magic_arguments()
    @argument("path", help="A skill's name; above a cell, its folder or its SKILL.md.")
    @argument("--save", action="store_true", help="Write the cell to the SKILL.md.")
    @argument("--check-only", action="store_true", help="Show the findings alone.")
    @argument("--force", action="store_true", help="Save also over a file that is another one.")
    @line_cell_magic
    def skill(self, line: str, cell: str | None = None) -> SkillInfo | Preview | Report:
        """Shows one skill by its name; above a cell, what the cell would be as a SKILL.md."""
        given = parse_argstring(self.skill, line)
        path = _path(given.path)
        if cell is None:
            return self._named(path)
        folder = _folder(path)
        said = self._save(folder, cell, force=given.force) if given.save else "not saved"
        shown = preview(cell, folder=folder, said=said)
        return shown.report if given.check_only else shown

    def _named(self, name: str) -> SkillInfo:
        folder = name.removesuffix("SKILL.md").rstrip("/") or "."
        if os.path.isfile(os.path.join(folder, "SKILL.md")) and name not in ("", "."):
            here = os.path.join(os.path.abspath(folder), "SKILL.md")
            for skill in list_skills(folder).skills:
                if skill.location == here:
                    return skill
        try:
            return load_skills(self._roots())[name]
        except SkillbookError as error:
            raise UsageError(visible(f"{error} (%skills ROOT says where to look)")) from error

    def _save(self, folder: str, cell: str, *, force: bool) -> str:
        """Writes the cell, but not over what this session neither wrote nor was told to replace."""
        path = os.path.join(folder, "SKILL.md")
        key = os.path.realpath(path)
        try:
            data = cell.encode()
        except UnicodeEncodeError as error:
            raise UsageError(
                "the cell holds a lone surrogate, which no file can hold; nothing was saved"
            ) from error
        try:
            there = saving.now(path)
            if there == data:
                self.saved[key] = data
                return f"saved already: {path}"
            if there is not None and not force and self.saved.get(key) != there:
                raise UsageError(
                    f"{path} holds another text than this cell saved; look at it, then use --force to"
                    " replace it. Nothing was written."
                )
            os.makedirs(folder, exist_ok=True)
            saving.save(path, data, expected=there)
        except (OSError, SkillbookError) as error:
            raise UsageError(f"{path} was not saved: {error}") from error
        self.saved[key] = data
        return f"saved: {path}"


def _path(given: str) -> str:
    """Returns an argument without the quotes that kept it together, and with ``~`` at home."""
    if len(given) > 1 and given[0] == given[-1] and given[0] in "'\"":
        given = given[1:-1]
    return os.path.expanduser(given)


def _folder(path: str) -> str:
    """Returns the folder of the skill that a path above a cell means."""
    name = os.path.basename(path)
    if name == "SKILL.md":
        return os.path.dirname(path) or "."
    if name.lower().endswith(".md"):
        raise UsageError(f"{path} is no SKILL.md; pass the skill's folder, or its SKILL.md")
    return path.rstrip("/") or "."


def load_ipython_extension(ipython: Any) -> None:
    """Registers the magics; ``%load_ext skillbook`` calls it."""
    ipython.register_magics(SkillMagics)
