"""What a display says, gathered before anything is drawn: files are read here, and nowhere later.

A repr is made while somebody waits, so what is gathered is bounded by what is shown: only the rows
of a table are looked at, and a folder with very many files is not counted to its end.
This module imports ``disk``, ``siblings`` and the records.
"""

from __future__ import annotations

import heapq
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from operator import attrgetter

from skillbook import disk
from skillbook.display import siblings, words
from skillbook.errors import SkillReadError
from skillbook.model import ALL, Body, Files, Notice, Root, SkillInfo, SkillSkip
from skillbook.prompt import build
from skillbook.source import SkillInventory, SkillSource
from skillbook.tool import DEFAULT_SAMPLE, LEAVE_OUT

MOST_SKILLS = 200
"""Rows of a table of skills."""

MOST_PROMPTED = 2_000
"""Skills beyond which a repr does not build the whole prompt, but its first part."""

MOST_COUNTED = 1_000
"""Entries of a skill's folder beyond which its files are not counted in a table."""

MOST_FILES = 200
"""Files of a skill whose sizes are looked up."""


@dataclass(frozen=True, slots=True)
class Row:
    """One skill in a table.

    Attributes:
        skill: the skill.
        files: how many files it has, in words; what went wrong where they cannot be read.
    """

    skill: SkillInfo
    files: str


@dataclass(frozen=True, slots=True)
class Listing:
    """A set of skills as it is shown.

    Attributes:
        kind: what it is, in words.
        roots: the folders it came from.
        total: how many skills there are.
        warned: how many of them carry a warning.
        rows: those that are shown.
        skipped: what gave no skill.
        notices: what else there is to know.
        prompt: the prompt, or its first part; None for an inventory, which has none.
        whole: whether that is all of the prompt.
        sample: how many files an envelope lists, in words; ``""`` for an inventory.
        filtered: whether a filter held some back.
    """

    kind: str
    roots: Sequence[Root]
    total: int
    warned: int
    rows: Sequence[Row]
    skipped: Sequence[SkillSkip]
    notices: Sequence[Notice]
    prompt: str | None = field(default=None, repr=False)
    whole: bool = True
    sample: str = ""
    filtered: bool = False


def listing(what: SkillSource | SkillInventory, *, most: int | None = MOST_SKILLS) -> Listing:
    """Gathers a source or an inventory.

    Args:
        what: the source or inventory.
        most: how many skills to look at; None for all.
    """
    source = what if isinstance(what, SkillSource) else None
    found = list(what.skills.values() if isinstance(what, SkillSource) else what.skills)
    whole = len(found) <= MOST_PROMPTED or most is None
    return Listing(
        "Skill inventory" if source is None else "Skill source",
        what.roots,
        len(found),
        sum(1 for skill in found if skill.warnings),
        [Row(skill, count_files(skill)) for skill in found[:most]],
        what.skipped,
        what.notices,
        None if source is None else _prompt(source, whole),
        whole,
        "" if source is None else _sample(source.sample_limit),
        source is not None and bool(source.filter),
    )


def _prompt(source: SkillSource, whole: bool) -> str:
    if whole:
        return source.prompt()
    described = (skill for skill in source.skills.values() if skill.description)
    return build(heapq.nsmallest(MOST_SKILLS, described, key=attrgetter("name"))).text


def _sample(limit: int) -> str:
    if limit == LEAVE_OUT:
        return "no files listed"
    if limit >= ALL:
        return "all files listed"
    return f"up to {words.count(limit or DEFAULT_SAMPLE, 'file')} listed"


def count_files(skill: SkillInfo) -> str:
    """Returns how many files a skill has, in words, at a bounded cost."""
    if skill.folder is not None and _many(skill.folder):
        return f"over {MOST_COUNTED:,}"
    try:
        return f"{len(skill.files()):,}"
    except SkillReadError:
        return "unreadable"


def _many(folder: str) -> bool:
    """Returns whether a folder holds more than ``MOST_COUNTED`` entries, links not followed."""
    left = MOST_COUNTED
    waiting = [folder]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    left -= 1
                    if left < 0:
                        return True
                    if (
                        entry.is_dir(follow_symlinks=False)
                        and entry.name not in disk.SKIPPED_FOLDERS
                    ):
                        waiting.append(entry.path)
        except (OSError, ValueError):  # what cannot be read is said by the reader
            continue
    return False


@dataclass(frozen=True, slots=True)
class FileList:
    """The files of a skill with their sizes.

    Attributes:
        files: the relative paths, in order.
        sizes: by path, in bytes; only of the first ``MOST_FILES``, and of those that are there.
        left_out: what is not listed and why, in plain sentences.
        problem: why there is no list, or ``""``.
    """

    files: Sequence[str] = ()
    sizes: dict[str, int] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    problem: str = ""


def file_list(skill: SkillInfo) -> FileList:
    """Lists a skill's files; what cannot be read is said, never raised."""
    try:
        found = skill.reader.files(skill)
    except SkillReadError as error:
        return FileList(problem=str(error))
    sizes: dict[str, int] = {}
    if skill.folder is not None:
        for path in found.paths[:MOST_FILES]:
            try:
                sizes[path] = os.stat(os.path.join(skill.folder, path)).st_size
            except (OSError, ValueError):  # gone, or no name that a disk takes
                continue
    return FileList(found.paths, sizes, tuple(_left_out(found)))


def _left_out(found: Files) -> Iterable[str]:
    if found.outside:
        yield f"{words.count(found.outside, 'file')} not listed: outside the skill and its root."
    if found.unlisted:
        yield (
            f"{words.count(found.unlisted, 'file')} not listed: a path with control characters,"
            " angle brackets or bytes that are not UTF-8."
        )
    if found.unread:
        yield f"{words.count(found.unread, 'folder or file', 'folders or files')} could not be read."


@dataclass(frozen=True, slots=True)
class SkillFacts:
    """A skill with what was read of it.

    Attributes:
        skill: the skill.
        files: its files.
        body: its body, or None where it cannot be read.
        problem: why there is no body, or ``""``.
    """

    skill: SkillInfo
    files: FileList
    body: Body | None = field(default=None, repr=False)
    problem: str = ""

    @property
    def body_size(self) -> str:
        """How long the body is as a model gets it, trimmed, in words; ``""`` without one."""
        return words.count(len(self.body.text.strip()), "character") if self.body else ""


def skill_facts(skill: SkillInfo) -> SkillFacts:
    """Reads a skill's body and lists its files; what cannot be read is said, never raised."""
    try:
        return SkillFacts(skill, file_list(skill), skill.reader.body(skill))
    except SkillReadError as error:
        return SkillFacts(skill, file_list(skill), problem=str(error))


@dataclass(frozen=True, slots=True)
class SkipFacts:
    """A skip with the text of its file.

    Attributes:
        skip: the skip.
        file: the file, or None where it must not be shown.
        why: why it is not shown, or ``""``.
    """

    skip: SkillSkip
    file: siblings.FileFacts | None = None
    why: str = ""


def skip_facts(skip: SkillSkip) -> SkipFacts:
    """Reads a skipped file, only where its real path lies inside its root."""
    if skip.root is None:
        return SkipFacts(skip)
    try:
        real = os.path.realpath(skip.location)
        if not disk.inside(real, os.path.realpath(skip.root.path)):
            return SkipFacts(skip, why="Its text is not shown: it leads outside its root.")
        data = disk.read(real, siblings.MOST_TEXT)
        size = os.path.getsize(real)
    except (OSError, ValueError) as error:
        return SkipFacts(skip, why=f"Its text cannot be shown: {siblings.why(error)}.")
    return SkipFacts(
        skip, siblings.file_facts(os.path.basename(skip.location), data, max(size, len(data)))
    )
