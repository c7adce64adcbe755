"""A skill's folder: the body of its ``SKILL.md`` and its sibling files, read anew at each call.

Imports ``disk``, ``frontmatter`` and the records.
"""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass
from urllib.parse import quote

from skillbook import disk, frontmatter
from skillbook.errors import FrontMatterError, SkillReadError
from skillbook.model import Body, Files, SkillInfo, printable

MAX_BODY = 10_000_000
"""Bytes of body that a call takes."""

# What cannot stand in the envelope on one line, or would read as its tags.
_UNLISTABLE = re.compile("[\x00-\x1f\x7f-\x9f<>\u2028\u2029\ud800-\udfff]")


def listable(path: str) -> bool:
    """Returns whether a path can stand in the envelope: on one line, and not read as a tag."""
    return not _UNLISTABLE.search(path)


def listable_folder(skill: SkillInfo) -> str | None:
    """Returns the path of a skill's folder where it can stand in the envelope, or None.

    What lies below the root comes from a stranger, and must not read as a tag or a line of its own;
    the root's path comes from the user, and must be text.
    """
    folder = skill.folder
    if folder is None or printable(folder) != folder:
        return None
    below = folder.removeprefix(skill.root.path) if skill.root else os.path.basename(folder)
    return folder.rstrip("/") if listable(below) else None


def uri_text(uri: str) -> str:
    """Returns a URI with what cannot stand in one percent-encoded (RFC 3986, section 2.1).

    A base comes from a stranger too: it is one line of the envelope and holds none of its tags.
    """
    return _UNLISTABLE.sub(lambda char: quote(printable(char[0])), uri)


def too_large(skill: SkillInfo) -> SkillReadError:
    """Returns the error for a body that no call takes."""
    return SkillReadError(
        f"the body of skill {skill.name!r} is over {MAX_BODY // 1_000_000} MB; split it into files"
        " that the body names"
    )


@dataclass(frozen=True, slots=True)
class FolderReader:
    """Reads the skills of one root.

    Attributes:
        root_real: the root's real path; files whose real path lies in it may be listed.
    """

    root_real: str

    def body(self, skill: SkillInfo) -> Body:
        """Returns the body of the skill's ``SKILL.md``, read now.

        Raises:
            SkillReadError: when the file is gone, unreadable, too large, or has no front matter.
        """
        data, place = _read_document(skill.location, skill.name)
        if len(data) - place.body > MAX_BODY:
            raise too_large(skill)
        text, bad = frontmatter.body_text(data[place.body :])
        source, _ = frontmatter.body_text(data.removeprefix(b"\xef\xbb\xbf"))
        notes: tuple[str, ...] = ()
        if bad is not None:
            notes = (
                f"the body is not UTF-8 (first at byte {place.body + bad}); what could not be read"
                " stands as U+FFFD",
            )
        return Body(text, notes, source)

    def files(self, skill: SkillInfo) -> Files:
        """Returns the skill's sibling files, sorted by relative path.

        A file is listed when its real path lies inside the skill's real folder or the root's.
        Left out: hidden files and folders, folders that are never walked, every ``SKILL.md``.

        Raises:
            SkillReadError: when the folder is gone or cannot be read.
        """
        folder = os.path.dirname(skill.location)
        try:
            return _Siblings(folder, self.root_real).walk()
        except OSError as error:
            raise SkillReadError(
                f"the folder of skill {skill.name!r} cannot be read: {disk.words(error)}"
            ) from error


def _read_document(path: str, name: str) -> tuple[bytes, frontmatter.Split]:
    """Reads a whole ``SKILL.md``; one that is empty or unclosed is read once more."""
    problem = ""
    for _ in range(2):
        try:
            data = disk.read(path, MAX_BODY + frontmatter.MAX_BLOCK)
        except OSError as error:
            raise SkillReadError(
                f"the SKILL.md of skill {name!r} cannot be read: {disk.words(error)}"
            ) from error
        try:
            place = frontmatter.split(data)
        except FrontMatterError as error:
            problem = error.detail
            continue
        if place is not None:
            return data, place
        problem = frontmatter.why_none(data).detail
        if data:
            break
    raise SkillReadError(f"the SKILL.md of skill {name!r} has lost its front matter: {problem}")


class _Siblings:
    """One walk over a skill's folder."""

    def __init__(self, folder: str, root_real: str) -> None:
        self.folder = folder
        self.real = os.path.realpath(folder)
        self.root_real = root_real
        self.paths: list[str] = []
        self.outside = self.unlisted = self.unread = 0

    def walk(self) -> Files:
        """Returns the files; raises OSError where the folder itself cannot be read."""
        seen: set[str] = set()
        level = [("", self.folder, self.real)]
        while level:
            below: list[tuple[str, str, str]] = []
            for relative, path, real in sorted(level):
                if real in seen:
                    continue
                seen.add(real)
                try:
                    below += self._folder(relative, path, real)
                except OSError:
                    if not relative:
                        raise
                    self.unread += 1
            level = below
        return Files(tuple(sorted(self.paths)), self.outside, self.unlisted, self.unread)

    def _folder(self, relative: str, path: str, real: str) -> list[tuple[str, str, str]]:
        below: list[tuple[str, str, str]] = []
        files: list[str] = []
        with os.scandir(path) as entries:
            for entry in entries:
                name = entry.name
                if name[0] == "." or name == "SKILL.md":
                    continue
                try:
                    if entry.is_symlink():
                        self._link(entry, relative, files, below)
                    elif entry.is_dir(follow_symlinks=False):
                        if name not in disk.SKIPPED_FOLDERS:
                            below.append(
                                (f"{relative}{name}/", entry.path, os.path.join(real, name))
                            )
                    elif entry.is_file(follow_symlinks=False):
                        if name == "pyvenv.cfg" and relative:
                            return []
                        files.append(relative + name)
                except OSError:
                    self.unread += 1
        for file in files:
            if listable(file):
                self.paths.append(file)
            else:
                self.unlisted += 1
        return below

    def _link(
        self,
        entry: os.DirEntry[str],
        relative: str,
        files: list[str],
        below: list[tuple[str, str, str]],
    ) -> None:
        target = os.path.realpath(entry.path)
        try:
            mode = os.stat(target).st_mode
        except OSError:  # it dangles or loops: there is nothing to list
            return
        if not disk.inside(target, self.real) and not disk.inside(target, self.root_real):
            self.outside += not disk.inside(self.real, target)
        elif stat.S_ISREG(mode):
            files.append(relative + entry.name)
        # A link to a folder above would list the skill inside itself.
        elif (
            stat.S_ISDIR(mode)
            and not disk.inside(self.real, target)
            and entry.name not in disk.SKIPPED_FOLDERS
        ):
            below.append((f"{relative}{entry.name}/", entry.path, target))
