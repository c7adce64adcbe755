"""The files beside a ``SKILL.md``: which there are, hidden ones too, and the text of each.

A skill is a stranger's: links to folders are not followed, and nothing is opened whose real path
lies outside the folder. Imports ``disk``.
"""

from __future__ import annotations

import os
import posixpath
import stat
import unicodedata
from functools import cached_property
from typing import NamedTuple

from skillbook import disk

MOST_FILES = 20_000
"""Files of one skill that are looked at."""

MOST_TEXT = 1_000_000
"""Bytes of one file that are read."""

_LEFT_OVER = frozenset(
    (*disk.SKIPPED_FOLDERS, ".ipynb_checkpoints", ".pytest_cache", ".mypy_cache")
)


class File(NamedTuple):
    """One file: its path relative to the skill's folder, with ``/``, and its size in bytes."""

    path: str
    size: int


class Beside:
    """The files of one skill's folder, read when they are asked for.

    Attributes:
        folder: the absolute path of the folder.
    """

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self._texts: dict[str, bytes | None] = {}

    @cached_property
    def _walked(self) -> tuple[tuple[File, ...], frozenset[str], tuple[str, ...], bool]:
        files: list[File] = []
        folders: set[str] = set()
        left_over: list[str] = []
        waiting = [""]
        while waiting:
            below = waiting.pop()
            if len(files) > MOST_FILES:
                return tuple(sorted(files)[:MOST_FILES]), frozenset(folders), tuple(left_over), True
            try:
                with os.scandir(os.path.join(self.folder, below)) as entries:
                    found = sorted(entries, key=lambda entry: entry.name)
            except OSError:  # discovery says so
                continue
            if below and any(entry.name == "SKILL.md" for entry in found):
                continue  # a skill of its own
            for entry in found:
                path = below + entry.name
                try:
                    if entry.is_dir(follow_symlinks=False):
                        folders.add(path)
                        if entry.name in _LEFT_OVER:
                            left_over.append(path)
                        else:
                            waiting.append(path + "/")
                        continue
                    status = os.stat(entry.path)
                except OSError:
                    continue
                if stat.S_ISREG(status.st_mode):
                    files.append(File(path, status.st_size))
                elif stat.S_ISDIR(status.st_mode):
                    folders.add(path)
        return tuple(sorted(files)), frozenset(folders), tuple(sorted(left_over)), False

    @property
    def files(self) -> tuple[File, ...]:
        """The files, hidden ones too, sorted; without those of skills nested in it."""
        return self._walked[0]

    @property
    def folders(self) -> frozenset[str]:
        """The relative paths of the folders below it."""
        return self._walked[1]

    @property
    def left_over(self) -> tuple[str, ...]:
        """The folders that tools leave behind, which are not walked."""
        return self._walked[2]

    @property
    def cut(self) -> bool:
        """Whether there are more files than were looked at."""
        return self._walked[3]

    @cached_property
    def paths(self) -> frozenset[str]:
        """The relative paths of files and folders."""
        return frozenset(file.path for file in self.files) | self.folders

    @cached_property
    def _by_letters(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for path in sorted(self.paths):
            found.setdefault(_letters(path), []).append(path)
        return found

    def has(self, path: str) -> bool:
        """Returns whether a relative path is there, in just these letters."""
        path = posixpath.normpath(path)
        if path == "." or path in self.paths:
            return True
        # A link to a folder is not walked, and what it holds is not in the list.
        return self.other_case(path) is None and os.path.exists(os.path.join(self.folder, path))

    def other_case(self, path: str) -> str | None:
        """Returns the first path that differs from one in letter case alone, or None."""
        return next(iter(self.other_cases(path)), None)

    def other_cases(self, path: str) -> list[str]:
        """Returns the paths that differ from one in letter case alone."""
        return [
            one
            for one in self._by_letters.get(_letters(posixpath.normpath(path)), ())
            if one != path
        ]

    def text(self, path: str) -> bytes | None:
        """Returns the bytes of a file, at most 1 MB; None where it is not to be read."""
        if path not in self._texts:
            self._texts[path] = self._read(path)
        return self._texts[path]

    def _read(self, path: str) -> bytes | None:
        whole = os.path.join(self.folder, path)
        try:
            if not disk.inside(os.path.realpath(whole), os.path.realpath(self.folder)):
                return None
            return disk.read(whole, MOST_TEXT)
        except OSError:
            return None


def _letters(path: str) -> str:
    return unicodedata.normalize("NFC", path).casefold()
