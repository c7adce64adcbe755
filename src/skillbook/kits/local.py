"""``LocalProvider``: folders of the disk as kits.

Imports ``kit_folder``, the protocol and the records of kits.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable
from typing import Any

from skillbook import disk
from skillbook.discovery import root_of
from skillbook.kits.kit_folder import KitFolder, Origin
from skillbook.kits.protocol import Provider, Told, find_kit, warn_of
from skillbook.kits.records import Kit, Survey
from skillbook.model import Notice, Root, Shown

AnyPath = str | os.PathLike[str]


class LocalProvider(Shown, Provider):
    """Kits from folders, each named after its folder.

    A kit's folder holds its skills in ``skills/**/SKILL.md``, and where there are agents the root
    agent in ``AGENT.md``, the others in ``agents/*.md`` and ``agents/*/AGENT.md``. A file that does
    not parse gives a warning and stands in the kit's ``skipped`` with its reason; the rest loads.

    Every query sees the disk as it is. What did not change since the last one is not read again:
    a query first compares the times of the folders that were looked into, then the modification
    and change time in nanoseconds, the size and the inode of every ``SKILL.md``, and where each
    link leads. A file that changed less than two seconds before it was read is read again.
    Agents' files are read at every query.
    """

    def __init__(
        self,
        dir: AnyPath | None = None,  # noqa: A002 - the public name
        *,
        dirs: Iterable[AnyPath] | None = None,
        parent: AnyPath | None = None,
    ) -> None:
        """Makes a provider; nothing is read yet. Pass one of the three.

        Args:
            dir: a folder that becomes one kit; relative paths and ``~`` work.
            dirs: several such folders.
            parent: a folder; each folder in it becomes a kit, but for hidden ones and those that
                are never walked.

        Raises:
            TypeError: when not exactly one is given, or it is no path.
            ValueError: when a path is blank, or names no folder (``/``).
        """
        given = [
            f"{name}={value!r}"
            for name, value in (("dir", dir), ("dirs", dirs), ("parent", parent))
            if value is not None
        ]
        if len(given) != 1:
            said = ", ".join(given) or "nothing"
            raise TypeError(f"LocalProvider got {said}; pass one of dir=, dirs=[…], parent=")
        if isinstance(dirs, (str, os.PathLike)):
            raise TypeError(f"dirs is {dirs!r}; pass a list, or dir={os.fspath(dirs)!r}")
        self._parent = None if parent is None else _root(parent, "parent")
        self._dirs = [_root(path, "dirs") for path in dirs or ()]
        self._one = dir is not None
        if dir is not None:
            self._dirs = [_root(dir, "dir")]
        for root in self._dirs:
            if not os.path.basename(root.path):
                raise ValueError(f"the folder {root.typed!r} has no name for a kit; pass another")
        self._folders: dict[Root, KitFolder] = {}
        self._lock = threading.Lock()
        self._told: Told = {}

    def __repr__(self) -> str:
        return f"LocalProvider({self.folders})"

    @property
    def folders(self) -> str:
        """Its folders as they were passed, on one line: ``dir='kits/files'``."""
        if self._parent is not None:
            return f"parent={self._parent.typed!r}"
        if self._one:
            return f"dir={self._dirs[0].typed!r}"
        typed = [root.typed for root in self._dirs[:5]]
        more = f" … and {len(self._dirs) - 5:,} more" if len(self._dirs) > 5 else ""
        return f"dirs={typed!r}{more}"

    @property
    def provider_name(self) -> str:
        """What it is called in warnings and displays: its class and its folders."""
        return repr(self)

    def list_kits(self) -> list[Kit]:
        """Returns the kits that are there now; warns of what gave none."""
        kits, notices = self._skillbook_survey()
        warn_of(kits, notices, self._told)
        return kits

    def get_kit(self, name: str) -> Kit:
        """Returns one kit, without reading the others; warns of its files that gave nothing.

        Raises:
            KitNotFound: when there is none; the message lists those that are there.
        """
        roots, _ = self._roots()
        for folder in self._kit_folders(roots):
            if folder.origin.kit == name and folder.is_kit():
                kit = folder.kit()
                warn_of([kit], (), self._told)
                return kit
        return find_kit(self._skillbook_survey().kits, name)

    def _skillbook_survey(self) -> Survey:
        """Returns the kits that are there now, and notices of folders that gave none."""
        roots, notices = self._roots()
        kits: list[Kit] = []
        for folder in self._kit_folders(roots):
            if folder.is_kit():
                kits.append(folder.kit())
            else:
                notices.append(_why_none(folder.root))
        return Survey(kits, notices)

    def _roots(self) -> tuple[list[Root], list[Notice]]:
        """Returns the folders that should be kits, and a notice where the parent is none."""
        parent = self._parent
        if parent is None:
            return self._dirs, []
        try:
            with os.scandir(parent.path) as entries:
                names = sorted(
                    entry.name
                    for entry in entries
                    if entry.name[0] != "."
                    and entry.name not in disk.SKIPPED_FOLDERS
                    and entry.is_dir()
                )
        except OSError as error:
            return [], [_absent(parent, error)]
        above = parent.typed.rstrip("/")
        return [Root(f"{above}/{name}", os.path.join(parent.path, name)) for name in names], []

    def _kit_folders(self, roots: list[Root]) -> list[KitFolder]:
        with self._lock:
            self._folders = {
                root: self._folders.get(root) or self._kit_folder(root) for root in roots
            }
            return [self._folders[root] for root in roots]

    def _kit_folder(self, root: Root) -> KitFolder:
        name = " ".join(os.path.basename(root.path).split())
        return KitFolder(root, Origin(name, self.provider_name, {"folder": root.typed}))


def _root(path: Any, what: str) -> Root:
    if not isinstance(path, (str, os.PathLike)) or isinstance(os.fspath(path), bytes):
        raise TypeError(f"{what} is {path!r}; pass a path as text or Path")
    if not os.fspath(path) or "\0" in os.fspath(path):
        raise ValueError(f"{what} is {os.fspath(path)!r}; pass '.' for the working folder")
    return root_of(path)


def _absent(root: Root, error: OSError) -> Notice:
    if isinstance(error, FileNotFoundError):
        return Notice(root.path, "missing-root", "this folder does not exist", root=root)
    if isinstance(error, NotADirectoryError):
        return Notice(root.path, "root-is-no-folder", "this is a file; pass a folder", root=root)
    detail = f"this folder cannot be read: {disk.words(error)}"
    return Notice(root.path, "unreadable-root", detail, root=root)


def _why_none(root: Root) -> Notice:
    try:
        with os.scandir(root.path):
            pass
    except OSError as error:
        return _absent(root, error)
    return Notice(
        root.path,
        "no-kit",
        "there is nothing of a kit in this folder: no skills/<name>/SKILL.md, no agents, no"
        " AGENT.md (for a folder of skills use load_skills)",
        root=root,
    )
