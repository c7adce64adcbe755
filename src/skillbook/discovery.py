"""Roots to skills, skips and notices: the walk, the reading of heads, and who wins a name.

The walk goes level by level, each level sorted by path, so the order is that of the design:
by depth, then by path in code point order. It stats only links: the real path of every other
folder follows from its parent's.

Imports ``disk``, ``folder``, ``frontmatter`` and the records.
"""

from __future__ import annotations

import gc
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from skillbook import disk, frontmatter
from skillbook.errors import FrontMatterError
from skillbook.folder import FolderReader
from skillbook.model import Notice, Reason, Root, SkillInfo, SkillSkip, cut


@dataclass(slots=True)
class Found:
    """What a walk gives, in order.

    Attributes:
        skills: the skills, one a name.
        skipped: every ``SKILL.md`` that gave none.
        notices: what else explains an absence.
        folders: the path of every folder that was looked into, where that was asked for.
        links: the path of every link that was met, but for those called ``SKILL.md``.
    """

    skills: list[SkillInfo] = field(default_factory=list)
    skipped: list[SkillSkip] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    folders: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)


def root_of(typed: str | os.PathLike[str]) -> Root:
    """Returns a root for a path as a user typed it; relative and ``~`` work."""
    text = os.fspath(typed)
    path = os.path.expanduser(text)
    try:
        plain = os.path.abspath(path)
    except OSError:  # the working folder is gone: what is relative to it is not there either
        return Root(text, path)
    # "link/../x" means what the system takes it for, not what its text comes to.
    if ".." in path and os.path.realpath(path) != os.path.realpath(plain):
        plain = os.path.realpath(path)
    return Root(text, plain)


def front_matter(path: str) -> frontmatter.FrontMatter:
    """Reads and parses a file's front matter.

    The first 8 KB do for nearly every file. One that is empty or unclosed is read once more
    before it is judged, since it may be just being written.

    Raises:
        FrontMatterError: when it gives no skill.
        OSError: when the file cannot be read.
    """
    data = disk.head(path)
    whole = len(data) < disk.HEAD
    try:
        place = frontmatter.split(data, whole=whole)
        again = not data
    except frontmatter.UnclosedError:
        place, again = None, True
    if again:
        data = disk.read(path, frontmatter.MAX_BLOCK)
        whole = len(data) <= frontmatter.MAX_BLOCK
        try:
            place = frontmatter.split(data, whole=whole)
        except frontmatter.UnclosedError as error:
            if whole:
                raise
            raise FrontMatterError(
                error.reason, error.detail + " (within the first 1 MB)", error.line
            ) from None
    if place is None:
        raise frontmatter.why_none(data)
    return frontmatter.parse(frontmatter.block_text(data, place))


def discover(
    roots: Iterable[Root],
    *,
    links_out: bool = True,
    read: Callable[[str], frontmatter.FrontMatter] = front_matter,
    keep_folders: bool = False,
) -> Found:
    """Walks roots for ``**/SKILL.md`` and reads the front matter of each.

    Args:
        roots: the roots, in order: the first to give a name wins it.
        links_out: whether links that lead out of a root are followed. Where the user named the
            root they are; in what was imported from elsewhere they are not.
        read: reads a file's front matter; one that remembers may stand in for it.
        keep_folders: whether the result names every folder that was looked into.

    Returns:
        What was found. Nothing is raised for what a disk can hold.
    """
    found = Found()
    seen: set[int] = set()
    taken: dict[str, SkillInfo] = {}
    # All that a walk makes stays, so looking for garbage on the way costs time and finds none.
    collecting = gc.isenabled()
    gc.disable()
    try:
        for root in roots:
            walk = _Walk(root, found, seen, read, links_out=links_out, keep_folders=keep_folders)
            walk.run()
            _settle(walk, taken, found)
    finally:
        if collecting:
            gc.enable()
    return found


def _settle(walk: _Walk, taken: dict[str, SkillInfo], found: Found) -> None:
    """Gives each name to one skill.

    Earlier roots win. Within a root a skill in a hidden folder, or nested in another skill,
    yields to one that is neither; among equals the first in order wins.
    """
    skills = [met for met in walk.met if isinstance(met, SkillInfo)]
    winners: dict[str, SkillInfo] = {}
    if walk.yielding:
        for skill in skills:
            if skill.location not in walk.yielding:
                winners.setdefault(skill.name, skill)
    for skill in skills:
        winners.setdefault(skill.name, skill)
    if not taken and len(winners) == len(walk.met):  # no name twice and nothing skipped
        found.skills.extend(skills)
        taken.update(winners)
        return
    for met in walk.met:
        if isinstance(met, SkillSkip):
            found.skipped.append(met)
        elif met.name not in taken and winners[met.name] is met:
            found.skills.append(met)
        else:
            winner = taken.get(met.name) or winners[met.name]
            found.skipped.append(duplicate(met.name, met.location, winner, walk.root))
    for name, skill in winners.items():
        taken.setdefault(name, skill)


def duplicate(name: str, location: str, winner: SkillInfo, root: Root | None = None) -> SkillSkip:
    """Returns the skip for a skill whose name another has taken."""
    detail = f"the name {cut(name)!r} is taken by {winner.shown_location}"
    return SkillSkip(location, "duplicate-name", detail, root=root)


# A folder to visit: its path with a separator at the end (its place in the order); its real path
# likewise, or None where it is the same; whether it lies in a hidden folder; and the location of
# the skill around it.
_Visit = tuple[str, str | None, bool, str | None]


class _Walk:
    """The walk over one root.

    Attributes:
        met: the skills and the skips, in order.
        yielding: the locations of skills that yield on a clash of names.
    """

    def __init__(
        self,
        root: Root,
        found: Found,
        seen: set[int],
        read: Callable[[str], frontmatter.FrontMatter],
        *,
        links_out: bool,
        keep_folders: bool,
    ) -> None:
        self.root = root
        self.read = read
        self.notices = found.notices
        self.links = found.links
        self.folders = found.folders if keep_folders else None
        # Hashes of real paths, at half the memory of the paths; Python keys them anew in each
        # process, so no tree can be made to collide.
        self.seen = seen
        self.links_out = links_out
        self.met: list[SkillInfo | SkillSkip] = []
        self.yielding: set[str] = set()
        self.real = ""

    def notice(self, path: str, kind: str, detail: str) -> None:
        self.notices.append(Notice(path, kind, detail, root=self.root))

    def run(self) -> None:
        """Walks the root."""
        root = self.root
        try:
            mode = os.stat(root.path).st_mode
            self.real = os.path.realpath(root.path)  # fails where the working folder is gone
        except FileNotFoundError:
            self.notice(root.path, "missing-root", "this root does not exist")
            return
        except OSError as error:
            self.notice(
                root.path, "unreadable-root", f"this root cannot be read: {disk.words(error)}"
            )
            return
        if not stat.S_ISDIR(mode):
            hint = (
                "; pass the folder that holds it"
                if os.path.basename(root.path) == "SKILL.md"
                else "; pass a folder"
            )
            self.notice(
                root.path,
                "root-is-no-folder",
                f"this root is {disk.kind_of(mode)}, no folder{hint}",
            )
            return
        path, real = _folder(root.path), _folder(self.real)
        if hash(real) in self.seen:
            self.notice(
                root.path, "root-already-walked", "this root lies in one that was walked before it"
            )
            return
        self.reader = FolderReader(self.real)
        level: list[_Visit] = [(path, None if real == path else real, False, None)]
        seen = self.seen
        while level:
            below: list[_Visit] = []
            for visit in level:
                mark = hash(visit[1] or visit[0])
                if mark not in seen:
                    seen.add(mark)
                    if not self.visit(visit, below):
                        seen.discard(mark)  # named as a root of its own, it is walked
            below.sort()
            level = below

    def visit(self, visit: _Visit, below: list[_Visit]) -> bool:
        """Reads one folder: its ``SKILL.md`` becomes a candidate, its folders are put below.

        Returns:
            False for a virtual environment, which is not walked.
        """
        path, real, hidden, around = visit
        if self.folders is not None:
            self.folders.append(path)
        document: os.DirEntry[str] | None = None
        miscased: str | None = None
        folders: list[str] = []
        links: list[str] = []
        try:
            with os.scandir(path) as entries:
                for entry in entries:
                    name = entry.name
                    try:
                        if entry.is_dir(follow_symlinks=False):
                            if name not in disk.SKIPPED_FOLDERS:
                                folders.append(name)
                            if name == "SKILL.md":
                                document = entry
                        elif name == "SKILL.md":
                            document = entry
                        elif entry.is_symlink():
                            links.append(name)
                        elif name == "pyvenv.cfg" and len(path) > len(self.root.path) + 1:
                            return False
                        elif len(name) == 8 and name.lower() == "skill.md":
                            miscased = name
                    except OSError as error:  # must not lose the rest of the folder
                        self.notice(
                            entry.path,
                            "unreadable-entry",
                            f"it cannot be looked at: {disk.words(error)}",
                        )
        except OSError as error:
            place = path.rstrip(os.sep) or path
            kind = "unreadable-root" if place == self.root.path else "unreadable-folder"
            what = "root" if place == self.root.path else "folder"
            self.notice(place, kind, f"this {what} cannot be read: {disk.words(error)}")
        if document is not None:
            skill = self.document(document, hidden=hidden, around=around)
            around = skill.location if skill else around
        elif miscased is not None:
            self.notice(
                os.path.join(path, miscased),
                "wrong-case",
                f"the file is called {miscased}; only SKILL.md is a skill (rename it)",
            )
        if folders:  # most folders hold none
            below += [
                (
                    f"{path}{name}{os.sep}",
                    f"{real}{name}{os.sep}" if real else None,
                    hidden or name[0] == ".",
                    around,
                )
                for name in folders
            ]
        for name in links:
            self.link(path + name, below, hidden or name[0] == ".", around)
        return True

    def link(self, path: str, below: list[_Visit], hidden: bool, around: str | None) -> None:
        """Puts the folder that a link leads to below, where it is one to walk."""
        self.links.append(path)
        target = os.path.realpath(path)
        try:
            mode = os.stat(target).st_mode
        except OSError as error:
            if isinstance(error, PermissionError):
                detail = f"this link cannot be followed: {disk.words(error)}"
                self.notice(path, "unreadable-link", detail)
            else:
                detail = f"this link leads nowhere: {disk.words(error)}"
                self.notice(path, "dangling-link", detail)
            return
        name = os.path.basename(path)
        if not stat.S_ISDIR(mode):
            if len(name) == 8 and name.lower() == "skill.md":
                self.notice(
                    path,
                    "wrong-case",
                    f"the file is called {name}; only SKILL.md is a skill (rename it)",
                )
            return
        if name in disk.SKIPPED_FOLDERS or hash(_folder(target)) in self.seen:
            return
        if target != self.real and disk.inside(self.real, target):
            self.notice(
                path,
                "link-to-parent",
                "this link leads to a folder above the root; it is not followed",
            )
        elif not self.links_out and not disk.inside(target, self.real):
            self.notice(
                path,
                "link-outside",
                "this link leads out of an imported folder; it is not followed",
            )
        else:
            below.append((_folder(path), _folder(target), hidden, around))

    def skip(self, path: str, reason: Reason, detail: str, line: int | None = None) -> None:
        self.met.append(SkillSkip(path, reason, detail, line, self.root))

    def document(
        self, entry: os.DirEntry[str], *, hidden: bool, around: str | None
    ) -> SkillInfo | None:
        """Reads one ``SKILL.md``: a candidate that is a skill, or a skip."""
        path = entry.path
        try:
            if not entry.is_file(follow_symlinks=False):
                mode = os.stat(path).st_mode
                if not stat.S_ISREG(mode):
                    self.skip(path, "unreadable", f"SKILL.md is {disk.kind_of(mode)}, not a file")
                    return None
                if not self.links_out and not disk.inside(os.path.realpath(path), self.real):
                    self.skip(
                        path,
                        "unreadable",
                        "SKILL.md is a link that leads out of an imported folder",
                    )
                    return None
            front = self.read(path)
        except FrontMatterError as error:
            self.skip(path, error.reason, error.detail, error.line)  # type: ignore[arg-type]
            return None
        except OSError as error:
            detail = disk.words(error)
            if entry.is_symlink() and isinstance(error, FileNotFoundError):
                detail = "it is a link that leads nowhere"
            self.skip(path, "unreadable", f"SKILL.md cannot be read: {detail}")
            return None
        name = front.name
        if name is None:
            detail, line = frontmatter.no_name(front)
            self.skip(path, "missing-name", detail, line)
            return None
        warnings: tuple[Notice, ...] = ()
        if front.problems or front.description is None or around is not None:
            warnings = tuple(self.warnings(path, front, around))
        skill = SkillInfo(
            name,
            front.description,
            path,
            "fs",
            self.reader,
            None,
            (),
            front.meta,
            self.root,
            warnings,
        )
        self.met.append(skill)
        if hidden or around is not None:
            self.yielding.add(path)
        return skill

    def warnings(
        self, path: str, front: frontmatter.FrontMatter, around: str | None
    ) -> Iterator[Notice]:
        for problem in front.problems:
            yield Notice(path, problem.kind, problem.detail, problem.line, self.root)
        if front.description is None and not any(
            problem.kind == "no-description" for problem in front.problems
        ):
            yield no_description(path, self.root)
        if around is not None:
            outer = os.path.basename(os.path.dirname(around))
            yield Notice(
                path,
                "nested-skill",
                f"it lies inside the skill in {self.root.shown(os.path.dirname(around))!r}"
                f" (nested inside skill {outer}); other loaders may not find it",
                root=self.root,
            )


def _folder(path: str) -> str:
    """Returns a folder's path with a separator at its end."""
    return path if path.endswith(os.sep) else path + os.sep


def no_description(location: str, root: Root | None = None) -> Notice:
    """Returns the warning for a skill that the catalogue leaves out."""
    return Notice(
        location,
        "no-description",
        "there is no description, so the catalogue leaves it out and no model will choose it",
        root=root,
    )
