"""The disk: opening regular files, and saying in plain words why one cannot be read.

Every file of a skill is opened here, so that a named pipe, a socket or a device called
``SKILL.md`` never blocks or acts. This module imports nothing of ours.
"""

from __future__ import annotations

import os
import stat

SKIPPED_FOLDERS = frozenset(("node_modules", ".git", "__pycache__", "site-packages", ".venv"))
"""Folders that are not walked, besides any with a ``pyvenv.cfg``."""

HEAD = 8192
"""Bytes that hold the front matter of all but a few files."""

# A pipe that takes a file's place between listing and opening must not block.
_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_BINARY", 0)
)

_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def head(path: str) -> bytes:
    """Returns the first 8 KB of a file that is known to be regular.

    Raises:
        OSError: when it cannot be opened or read.
    """
    fd = os.open(path, _FLAGS)
    try:
        return os.read(fd, HEAD)
    finally:
        os.close(fd)


def read(path: str, limit: int) -> bytes:
    """Returns a regular file's bytes, at most ``limit`` and one more.

    Args:
        path: the file; links are followed.
        limit: in bytes; a result that is longer says that the file is.

    Raises:
        OSError: when it cannot be opened or read, or is no regular file.
    """
    fd = os.open(path, _FLAGS)
    try:
        mode = os.fstat(fd).st_mode
        if not stat.S_ISREG(mode):
            raise OSError(f"it is {kind_of(mode)}, not a file")
        chunks: list[bytes] = []
        left = limit + 1
        while left > 0 and (chunk := os.read(fd, min(left, 1 << 20))):
            chunks.append(chunk)
            left -= len(chunk)
        return b"".join(chunks)
    finally:
        os.close(fd)


def kind_of(mode: int) -> str:
    """Returns what a file mode stands for, in words: ``a named pipe``."""
    return next((words for test, words in _KINDS if test(mode)), "a file")


def words(error: OSError) -> str:
    """Returns why the system refused, in plain words without a path."""
    if isinstance(error, FileNotFoundError):
        return "it does not exist"
    if isinstance(error, PermissionError):
        return "reading it is not permitted"
    if isinstance(error, (NotADirectoryError, IsADirectoryError)):
        return "it is not a folder" if isinstance(error, NotADirectoryError) else "it is a folder"
    return (error.strerror or str(error) or type(error).__name__).lower()


def inside(path: str, folder: str) -> bool:
    """Returns whether a real path is a real folder or lies below it."""
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)
