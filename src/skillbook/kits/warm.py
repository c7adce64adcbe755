"""A folder of skills that is asked again and again: what did not change is not read again.

Imports ``discovery`` and the records.
"""

from __future__ import annotations

import os
import threading
import time
from operator import attrgetter
from typing import Any

from skillbook.discovery import Found, discover, front_matter
from skillbook.errors import FrontMatterError
from skillbook.frontmatter import FrontMatter
from skillbook.model import Root

YOUNG = 2_000_000_000
"""Nanoseconds after a change within which a file's times do not tell a second change apart.

Two seconds is the step of the coarsest file system in use (FAT).
"""

_MARK = attrgetter("st_mtime_ns", "st_ctime_ns", "st_size", "st_ino")
_TARGET = attrgetter("st_dev", "st_ino", "st_mode")


class WarmFolder:
    """The skills below one root, always as they are now, at the cost of a look at file times.

    A query compares, with what it saw at the last one: where each link leads (device, inode and
    mode); then of every folder that was looked into, and of every ``SKILL.md``, the modification
    time and the change time in nanoseconds, the size and the inode. When all are the same,
    nothing is opened and the same result is given. Otherwise the folders are walked again, and
    only files that differ are read. What changed less than two seconds before it was read is not
    trusted: the next query reads it again, since a second change might leave the same times.

    Folders that are never walked (``node_modules`` and the like) are not looked into here either.
    """

    def __init__(self, root: Root, *, links_out: bool = True) -> None:
        """Makes it; nothing is read yet.

        Args:
            root: the root to walk.
            links_out: whether links that lead out of the root are followed.
        """
        self.root = root
        self.links_out = links_out
        self._lock = threading.Lock()
        self._found: Found | None = None
        self._links: list[str] = []
        self._paths: list[str] = []
        self._seen: list[Any] = []
        self._fronts: dict[str, tuple[Any, FrontMatter | FrontMatterError]] = {}

    def found(self) -> Found:
        """Returns what is there now: the same object as long as nothing changed."""
        with self._lock:
            if self._found is None or self._look() != self._seen:
                self._found = self._walk()
            return self._found

    def _look(self) -> list[Any]:
        return [*_marks(self._links, _TARGET), *_marks(self._paths, _MARK)]

    def _walk(self) -> Found:
        trusted = time.time_ns() - YOUNG
        fresh: dict[str, tuple[Any, FrontMatter | FrontMatterError]] = {}

        def read(path: str) -> FrontMatter:
            mark = _old(_mark(path, _MARK), trusted)  # before reading: a later change then shows
            held = self._fronts.get(path)
            if held is None or mark is None or held[0] != mark:
                try:
                    held = mark, front_matter(path)
                except FrontMatterError as error:
                    held = mark, error
            fresh[path] = held
            value = held[1]
            if isinstance(value, FrontMatterError):
                raise value.with_traceback(None)
            return value

        found = discover([self.root], links_out=self.links_out, read=read, keep_folders=True)
        documents = {item.location for found_ in (found.skills, found.skipped) for item in found_}
        self._fronts = fresh
        self._links = [self.root.path, *found.links]
        self._paths = sorted(documents.union(found.folders))  # neighbours are looked up faster
        marks = [
            fresh[path][0] if path in fresh else _old(mark, trusted)
            for path, mark in zip(self._paths, _marks(self._paths, _MARK), strict=True)
        ]
        self._seen = [*_marks(self._links, _TARGET), *marks]
        return found


def _mark(path: str, facts: attrgetter[Any]) -> Any:
    """Returns a path's facts, or the number of the error where it has none."""
    try:
        return facts(os.stat(path))
    except OSError as error:
        return error.errno


def _marks(paths: list[str], facts: attrgetter[Any]) -> list[Any]:
    try:
        return list(map(facts, map(os.stat, paths)))
    except OSError:
        return [_mark(path, facts) for path in paths]


def _old(mark: Any, trusted: int) -> Any:
    """Returns a mark, or None (which equals no later mark) where the change is too young."""
    return None if isinstance(mark, tuple) and max(mark[0], mark[1]) > trusted else mark
