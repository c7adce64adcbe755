"""``preview``: what an unsaved ``SKILL.md`` would be: its faults, its catalogue line, its sizes.

Imports ``checker``, ``sizes`` and the records.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any

from skillbook.discovery import root_of
from skillbook.folder import FolderReader
from skillbook.frontmatter import body_text
from skillbook.lint.checker import check
from skillbook.lint.document import Document
from skillbook.lint.gather import gather, is_text
from skillbook.lint.report import Report
from skillbook.lint.visible import visible
from skillbook.model import Body, Files, Root, Shown, SkillInfo
from skillbook.sizes import Size, entry
from skillbook.tokens import as_counter
from skillbook.tool import ToolResult, envelope

_NOTHING = Size()


@dataclass(frozen=True, slots=True)
class DraftReader:
    r"""Reads an unsaved skill: its body from the text, its files from the folder, where there is one.

    Attributes:
        text: the body, line ends as ``\\n``.
        source: the whole text.
        files_from: what reads the files, or None.
    """

    text: str = field(repr=False)
    source: str = field(repr=False)
    files_from: FolderReader | None = None

    def body(self, skill: SkillInfo) -> Body:  # noqa: ARG002 - the reader's signature
        """Returns the body of the draft."""
        return Body(self.text, (), self.source)

    def files(self, skill: SkillInfo) -> Files:
        """Returns the files of the folder, as they are on the disk."""
        return self.files_from.files(skill) if self.files_from else Files()


@dataclass(frozen=True, slots=True, repr=False)
class Preview(Shown):
    """What an unsaved ``SKILL.md`` would be.

    Attributes:
        report: what the checker says of it.
        skill: the skill that it gives, or None where it gives none.
        entry: level 1, its line in the catalogue; ``""`` where it has none.
        result: level 2, what the ``skill`` tool would give; None where there is no skill.
        counter: the name of what counted the tokens.
        catalogue: the size of level 1.
        body: the size of level 2, with ``{root}`` for the root's path.
        said: what became of it, such as where it was saved, or ``""``.
    """

    report: Report
    skill: SkillInfo | None
    entry: str
    result: ToolResult | None
    counter: str
    catalogue: Size = _NOTHING
    body: Size = _NOTHING
    said: str = ""

    @property
    def summary(self) -> tuple[str, ...]:
        """The facts in words: catalogue line, sizes, what the checker says."""
        rows = []
        if self.skill is None:
            rows.append("no skill: see the errors")
        elif not self.entry:
            rows.append("level 1: not in the catalogue, since it has no description")
        else:
            rows.append(f"level 1, the catalogue line: {self._size(self.catalogue)}")
        if self.skill is not None:
            rows.append(f"level 2, what the skill tool gives: {self._size(self.body)}")
        return (*rows, self.report.summary, *([self.said] * bool(self.said)))

    def _size(self, size: Size) -> str:
        return f"{size.chars:,} characters, {size.tokens:,} tokens ({self.counter})"

    def __repr__(self) -> str:
        name = repr(self.skill.name) if self.skill else "no skill"
        rows = [f"<Preview of {name}>", *(f"  {visible(row)}" for row in self.summary)]
        rows += [f"  {visible(self.entry)}"] * bool(self.entry)
        return "\n".join((*rows, *(f"  {finding}" for finding in self.report.findings[:20])))

    def to_dict(self) -> dict[str, Any]:
        """Returns the preview as a JSON-safe mapping."""
        return {
            "name": self.skill.name if self.skill else None,
            "entry": self.entry,
            "catalogue": self.catalogue.to_dict(),
            "body": self.body.to_dict(),
            "counter": self.counter,
            "report": self.report.to_dict(),
            "said": self.said,
        }


def preview(text: str, *, folder: str | os.PathLike[str] | None = None, said: str = "") -> Preview:
    """Returns what a ``SKILL.md`` would be, without saving it.

    Args:
        text: the whole ``SKILL.md``.
        folder: the folder that it is, or will be, saved in; its files are listed then, and the
            name is compared with the folder's.
        said: a line to show with it.

    Raises:
        TypeError: when ``text`` is no text.
    """
    if not isinstance(text, str):
        raise TypeError(f"preview takes the text of a SKILL.md, not {type(text).__name__}")
    if not is_text(text):
        text += "\n"
    report = check(text, folder=folder)
    skill = draft_skill(text, folder)
    count = as_counter()
    if skill is None:
        return Preview(report, None, "", None, count.name, said=said)
    line, result = entry(skill), envelope(skill)
    level_2 = result.rooted()
    return Preview(
        report,
        skill,
        line,
        result,
        count.name,
        Size(len(line), count(line)) if line else _NOTHING,
        Size(len(level_2), count(level_2)),
        said,
    )


def draft_skill(text: str, folder: str | os.PathLike[str] | None = None) -> SkillInfo | None:
    """Returns the skill that a text would give, or None where it gives none."""
    document: Document = gather(text if is_text(text) else text + "\n", folder).documents[0]
    if document.name is None:
        return None
    source, _ = body_text(document.text.removeprefix("\ufeff").encode("utf-8", "surrogateescape"))
    body, _ = body_text(document.body.encode("utf-8", "surrogateescape"))
    reader = DraftReader(body, source)
    root: Root | None = None
    if folder is not None:
        above = root_of(folder)
        root = Root(os.path.dirname(above.typed.rstrip("/")) or ".", os.path.dirname(above.path))
        if document.beside is not None:
            reader = DraftReader(body, source, FolderReader(os.path.realpath(root.path)))
    return SkillInfo(
        document.name,
        document.description,
        document.location or f"skill://{document.name}/",
        "fs" if document.location else "logical",
        reader,
        meta=document.meta,
        root=root,
    )
